"""The six steps of the tour, each with the real controls that it is about."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from engine.language import tr
from gui.help.tour import Step

if TYPE_CHECKING:
    from gui.exam.page import TestPage
    from gui.help.page import HelpPage
    from gui.home.page import HomePage
    from gui.mistakes.page import MistakesPage
    from gui.practice.page import PracticePage
    from gui.review.page import ReviewPage
    from gui.shell.main_window import MainWindow
    from gui.tables.page import TablesPage


class Pages(Protocol):
    """The window and those of its pages that the tour shows."""

    window: "MainWindow"
    home: "HomePage"
    tables: "TablesPage"
    practice: "PracticePage"
    test: "TestPage"
    review: "ReviewPage"
    mistakes: "MistakesPage"
    help: "HelpPage"


def tour_steps(program: Pages) -> Sequence[Step]:
    """Return the steps, in the language in force."""
    window = program.window

    def rail(*pages: QWidget) -> list[QWidget]:
        names = [str(getattr(page, "title", "")) for page in pages]
        return [button for button in window.rail.buttons if button.objectName() in names]

    return (
        Step(
            tr("Home knows what is next"),
            tr(
                "This button always does the next sensible thing: build a first table, go on where "
                "you stopped, start today's session."
            ),
            program.home.title,
            lambda: [[program.home.hero.button], rail(program.home)],
        ),
        Step(
            tr("A table knows everything about a formation"),
            tr(
                "Choose a formation and a target, and build. A small table takes seconds; it then "
                "knows the chance of success in every position."
            ),
            program.tables.title,
            lambda: [
                [program.tables.panel.build_button],
                [program.tables.form_button],
                rail(program.tables),
            ],
        ),
        Step(
            tr("Practice shows the four rates"),
            tr(
                "Play with the arrow keys. With a table open, the panel beside the board shows "
                "what each move keeps and what it loses."
            ),
            program.practice.title,
            lambda: [[program.practice.panel.cross], rail(program.practice)],
        ),
        Step(
            tr("Test measures you"),
            tr(
                "The same board without the figures: every move gets a grade, and at the end you "
                "get a score."
            ),
            program.test.title,
            lambda: [rail(program.test)],
        ),
        Step(
            tr("Review and Mistakes make you better"),
            tr(
                "Review goes through a game move by move. Mistakes keeps what went wrong and "
                "brings it back until you know it."
            ),
            program.mistakes.title,
            lambda: [rail(program.review, program.mistakes)],
        ),
        Step(
            tr("Help is one key away"),
            _help_text(window.find_action, window.help_action),
            program.help.title,
            lambda: [rail(program.help)],
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
