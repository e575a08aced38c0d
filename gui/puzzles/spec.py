"""How the page Puzzles is announced, and made."""

from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.services import Services
    from gui.puzzles.page import PuzzlesPage


def _make(services: "Services", _keys: "KeyBindings") -> "PuzzlesPage":
    from gui.puzzles.page import PuzzlesPage

    return PuzzlesPage(
        services.puzzle_book,
        services.book,
        services.open_table,
        services.lookups,
        services.seeking,
        services.settings,
        services.data_dir,
    )


SPEC = PageSpec(mark("Puzzles"), "puzzles", _make, ("gui.puzzles.page",))
