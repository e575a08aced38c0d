"""The six steps of the tour, each with the actual controls that it is about."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from engine.platform.language import tr
from gui.help.tour import Step

if TYPE_CHECKING:
    from gui.home.page import HomePage
    from gui.shell.main_window import MainWindow
    from gui.shell.pages import Pages


def tour_steps(window: "MainWindow", home: "HomePage", pages: "Pages") -> Sequence[Step]:
    """Return the steps, in the current language."""

    def rail(*pages: QWidget) -> list[QWidget]:
        names = [str(getattr(page, "title", "")) for page in pages]
        return [button for button in window.rail.buttons if button.objectName() in names]

    return (
        Step(
            tr("Home knows what is next"),
            tr(
                "This button always does the next sensible thing: build a first table, continue "
                "where you stopped, or start today's session."
            ),
            home.title,
            lambda: [[home.hero.button], rail(home)],
        ),
        Step(
            tr("A table knows everything about a formation"),
            tr(
                "Choose a formation and a target, and build. A small table takes seconds; it then "
                "knows the chance of success in every position."
            ),
            pages.tables.title,
            lambda: [
                [pages.tables.panel.build_button],
                [pages.tables.form_button],
                rail(pages.tables),
            ],
        ),
        Step(
            tr("Practice shows the four rates"),
            tr(
                "Play with the arrow keys. With a table open, the panel beside the board shows "
                "what each move keeps and what it loses."
            ),
            pages.practice.title,
            lambda: [[pages.practice.panel.cross], rail(pages.practice)],
        ),
        Step(
            tr("Test measures you"),
            tr(
                "The same board without the figures: every move gets a grade, and at the end you "
                "get a score."
            ),
            pages.test.title,
            lambda: [rail(pages.test)],
        ),
        Step(
            tr("Review and Mistakes make you better"),
            tr(
                "Review goes through a game move by move. Mistakes keeps what went wrong and "
                "brings it back until you know it."
            ),
            pages.mistakes.title,
            lambda: [rail(pages.review, pages.mistakes)],
        ),
        Step(
            tr("Help is one key away"),
            _help_text(window.find_action, window.help_action),
            pages.help.title,
            lambda: [rail(pages.help)],
        ),
    )


def _help_text(find: QAction, help_: QAction) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    find_key, help_key = (one.shortcut().toString(native) for one in (find, help_))
    if not find_key or not help_key:
        return tr("Help explains every page, and has this tour again.")
    return tr(
        "{help_key} explains the page in front, and {find_key} finds any command by its name. This "
        "tour is there again, too.",
        help_key=help_key,
        find_key=find_key,
    )
