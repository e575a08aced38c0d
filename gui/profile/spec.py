"""How the page Profile is announced, and made."""

from datetime import datetime, timezone
from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.services import Services
    from gui.profile.page import ProfilePage


def _make(services: "Services", _keys: "KeyBindings") -> "ProfilePage":
    from gui.profile.page import ProfilePage
    from gui.profile.training import Training
    from gui.work.drill_rules import DrillRules

    settings = services.settings
    training = Training(
        services.facts,
        services.book,
        services.puzzle_book,
        lambda mistakes: DrillRules.of(settings.get).drill(mistakes),
        lambda: DrillRules.of(settings.get).today(datetime.now(timezone.utc)),
        services.tables.formations,
        services.data_dir / "tests",
    )
    return ProfilePage(services.facts, lambda: datetime.now(timezone.utc), training)


SPEC = PageSpec(mark("Profile"), "profile", _make, ("gui.profile.page",))
