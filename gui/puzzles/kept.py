"""The list of stored puzzles: difficulty, origin, success."""

from datetime import datetime, timezone

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton

from coach.puzzles.puzzles import FROM_GAMES, FROM_TABLE, FROM_TEXT, Stored
from engine.bitboard import draw_board
from engine.platform.language import mark, tr, trc
from gui.puzzles.text import rating_text
from gui.text.answers import table_title
from gui.text.dates import format_moment
from gui.widgets.key_tips import add_key_tip
from gui.widgets.row_model import Column, RowModel
from gui.widgets.stored_list import RowAction, StoredList

_ORIGINS = {
    FROM_TABLE: mark("Games of the table"),
    FROM_GAMES: mark("Your own games"),
    FROM_TEXT: mark("Imported"),
}
_NEVER = datetime.min.replace(tzinfo=timezone.utc)
_FOUND = 0


class KeptPuzzles(StoredList[Stored]):
    """All puzzles, or those of a table, to solve again, copy, export or remove.

    Parameters
    ----------
    copy, export, back : QAction
        Actions of the page; here the first two apply to the selected rows.
    """

    def __init__(self, copy: QAction, export: QAction, back: QAction) -> None:
        actions = (
            RowAction("solve_puzzle", tr("Solve"), tr("Solve the selected puzzle"), "best"),
            RowAction("remove_puzzles", tr("Remove"), tr("Remove the selected puzzles"), "delete"),
        )
        super().__init__(tr("Your puzzles"), puzzle_model(), actions, "puzzles", is_many=True)
        self.copy_button, self.export_button = (
            QPushButton(tr("Copy as text")),
            QPushButton(tr("Export")),
        )
        for button, action in ((self.export_button, export), (self.copy_button, copy)):
            button.clicked.connect(action.trigger)
            add_key_tip(button, action)
            self.add_button(button, at=1)
        self.back_button = QPushButton(tr("Back to the puzzle"))
        self.back_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.back_button.clicked.connect(back.trigger)
        add_key_tip(self.back_button, back)
        self.head.addWidget(self.back_button)
        self.view.sort_by(_FOUND)


def puzzle_model() -> RowModel[Stored]:
    """Return an empty model of puzzles."""
    columns: tuple[Column[Stored], ...] = (
        Column(trc("of a puzzle", "Found"), _found, key=lambda one: one.found),
        Column(
            tr("Table"), lambda one: table_title(one.puzzle.key), key=lambda one: one.puzzle.key
        ),
        Column(
            *(tr("Difficulty"), lambda one: rating_text(one.rating), True),
            lambda one: one.rating.value,
            tr("Its rating: you solve half of the puzzles at your own rating"),
        ),
        Column(
            *(tr("Solved"), _solved, True, _success),
            tr("Right answers, of all"),
        ),
        Column(tr("Last seen"), _seen, key=lambda one: one.last_seen or _NEVER),
        Column(tr("From"), lambda one: tr(_ORIGINS[one.origin]), key=lambda one: one.origin),
    )
    return RowModel(columns, _tip)


def _found(one: Stored) -> str:
    return format_moment(one.found)


def _seen(one: Stored) -> str:
    return format_moment(one.last_seen) if one.last_seen else trc("of a puzzle", "Never")


def _solved(one: Stored) -> str:
    n = one.n_right + one.n_wrong
    return tr("{right:,} of {n:,}", right=one.n_right, n=n) if n else ""


def _success(one: Stored) -> tuple[float, int]:
    """Return the sort key by share and number of correct answers; unasked ones come first."""
    n = one.n_right + one.n_wrong
    return (one.n_right / n, n) if n else (-1.0, 0)


def _tip(one: Stored) -> str:
    return f"<pre>{draw_board(one.puzzle.board, one.puzzle.walls)}</pre>"
