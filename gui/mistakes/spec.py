"""How the page Mistakes is announced, and made."""

from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.keys.key_bindings import KeyBindings
    from gui.mistakes.page import MistakesPage
    from gui.pages.services import Services


def _make(services: "Services", _keys: "KeyBindings") -> "MistakesPage":
    from gui.mistakes.page import MistakesPage
    from gui.mistakes.rates import MissingRates

    page = MistakesPage(
        services.book,
        services.settings,
        services.data_dir,
        services.tables.position_symmetry,
        MissingRates(services.book, services.tables.open, services.tasks),
    )
    services.due.counted.connect(page.show_due)
    return page


SPEC = PageSpec(
    mark("Mistakes"),
    "mistakes",
    _make,
    ("gui.mistakes.list", "gui.mistakes.drill", "gui.mistakes.page"),
)
