"""The six steps of the tour, each with the actual controls that it is about."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from engine.platform.language import tr
from gui.help.tour import TourStep

if TYPE_CHECKING:
    from gui.pages.page import Page
    from gui.shell.main_window import MainWindow


def tour_steps(window: "MainWindow", pages: "Iterable[Page]") -> Sequence[TourStep]:
    by_title = {page.title: page for page in pages}

    def step(title: str, text: str, page: str, *others: str) -> TourStep:
        """Return a step on a page, by its title in English, which other doors go with."""

        def targets() -> list[Sequence[QWidget]]:
            doors = [window.doors.named(name) for name in (page, *others)]
            titles = [entry.door.spec.title for entry in doors if entry]
            buttons = [one for one in window.rail.buttons if one.objectName() in titles]
            return [*by_title[page].tour_parts(), buttons]

        return TourStep(title, text, page, targets)

    return (
        step(
            tr("Home knows what is next"),
            tr(
                "This button always does the next sensible thing: build a first table, continue "
                "where you stopped, or start today's session."
            ),
            "Home",  # no text
        ),
        step(
            tr("A table knows everything about a formation"),
            tr(
                "Choose a formation and a target, and build. A small table takes seconds; it then "
                "knows the chance of success in every position."
            ),
            "Tables",  # no text
        ),
        step(
            tr("Practice shows the four rates"),
            tr(
                "Play with the arrow keys. With a table open, the panel beside the board shows "
                "what each move keeps and what it loses."
            ),
            "Practice",  # no text
        ),
        step(
            tr("Test measures you"),
            tr(
                "The same board without the figures: every move gets a grade, and at the end you "
                "get a score."
            ),
            "Test",  # no text
        ),
        step(
            tr("Review and Train make you better"),
            tr(
                "Review goes through a game move by move. Train keeps what went wrong and brings "
                "it back until you know it."
            ),
            "Mistakes",  # no text
            "Review",  # no text
        ),
        step(
            tr("Help is one key away"),
            _help_text(window.find_action, window.help_action),
            "Help",  # no text
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
