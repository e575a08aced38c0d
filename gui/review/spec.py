"""How the page Review is announced, and made."""

from functools import partial
from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.services import Services
    from gui.review.page import ReviewPage


def _make(services: "Services", _keys: "KeyBindings") -> "ReviewPage":
    from gui.review.page import ReviewPage
    from gui.review.work import WholeGames, open_analysis

    return ReviewPage(
        services.open_table,
        services.reviews,
        services.settings,
        services.data_dir / "tests",
        services.tables.formations,
        whole_games=WholeGames(services.analyzing, partial(open_analysis, services.data_dir)),
    )


SPEC = PageSpec(
    mark("Review"),
    "review",
    _make,
    ("gui.review.work", "gui.review.page"),
)
