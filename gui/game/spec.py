"""How the page Game is announced, and made."""

from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.game.page import GamePage
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.services import Services


def _make(services: "Services", _keys: "KeyBindings") -> "GamePage":
    from gui.game.page import GamePage

    data_dir = services.data_dir
    return GamePage(
        data_dir / "game",
        data_dir / "replays",
        services.thoughts,
        services.settings,
        table_folders=services.table_folders,
    )


SPEC = PageSpec(
    mark("Game"),
    "game",
    _make,
    ("gui.board.pasting", "gui.game.session", "gui.game.page"),
)
