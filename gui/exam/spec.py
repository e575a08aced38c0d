"""How the page Test is announced, and made."""

from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.exam.page import ExamPage
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.services import Services


def _make(services: "Services", _keys: "KeyBindings") -> "ExamPage":
    from gui.exam.page import ExamPage

    return ExamPage(
        services.open_table,
        services.questions,
        services.tasks,
        services.settings,
        services.data_dir,
        note_mistake=services.book.note,
    )


SPEC = PageSpec(
    mark("Test"),
    "test",
    _make,
    ("gui.exam.player", "gui.exam.page"),
)
