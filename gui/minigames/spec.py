"""How the page Minigames is announced, and made."""

from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.keys.key_bindings import KeyBindings
    from gui.minigames.page import MinigamesPage
    from gui.pages.services import Services


def _make(services: "Services", _keys: "KeyBindings") -> "MinigamesPage":
    from gui.minigames.page import MinigamesPage

    return MinigamesPage(
        services.data_dir / "minigames",
        services.tasks,
        services.thoughts,
        services.settings,
    )


SPEC = PageSpec(
    mark("Minigames"),
    "minigames",
    _make,
    ("gui.minigames.gallery", "gui.minigames.page"),
)
