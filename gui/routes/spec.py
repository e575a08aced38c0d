"""How the page Routes is announced, and made."""

from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.services import Services
    from gui.routes.page import RoutesPage


def _make(services: "Services", _keys: "KeyBindings") -> "RoutesPage":
    from gui.routes.page import RoutesPage

    return RoutesPage(
        services.open_table,
        services.questions,
        services.notes,
        services.walks,
        services.settings,
        services.route_book,
        note_mistake=services.book.note,
        table_folders=services.table_folders,
    )


SPEC = PageSpec(mark("Routes"), "routes", _make, ("gui.routes.page",))
