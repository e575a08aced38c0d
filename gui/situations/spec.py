"""How the page Situations is announced, and made."""

from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.services import Services
    from gui.situations.page import SituationsPage


def _make(services: "Services", _keys: "KeyBindings") -> "SituationsPage":
    from gui.situations.page import SituationsPage

    return SituationsPage(
        services.situation_book,
        services.open_table,
        services.questions,
        services.tasks,
        services.settings,
        note_mistake=services.book.note,
    )


SPEC = PageSpec(mark("Situations"), "situations", _make, ("gui.situations.page",))
