"""All puzzles as a list."""

from datetime import datetime, timezone

from PySide6.QtGui import QAction

from coach.puzzles.puzzles import FROM_GAMES, FROM_TABLE, FROM_TEXT, StoredPuzzle
from engine.bitboard import draw_board
from engine.platform.language import mark, tr, trc
from gui.keys.key_bindings import add_key_tip
from gui.play.board_page import StartView
from gui.puzzles.text import rating_text
from gui.style.layout import column
from gui.text.answers import table_title
from gui.text.dates import format_moment
from gui.widgets.board_layout import MARGIN
from gui.widgets.buttons import button
from gui.widgets.row_model import Column, RowModel
from gui.widgets.stored_list import RowAction, StoredList

_ORIGINS = {
    FROM_TABLE: mark("Games of the table"),
    FROM_GAMES: mark("Your own games"),
    FROM_TEXT: mark("Imported"),
}
_NEVER = datetime.min.replace(tzinfo=timezone.utc)
_FOUND = 0


class PuzzleList(StoredList[StoredPuzzle]):
    """All puzzles, or those of a table, to solve again, copy, export or remove."""

    def __init__(self, copy: QAction, export: QAction, back: QAction) -> None:
        actions = (
            RowAction("solve_puzzle", tr("Solve"), tr("Solve the selected puzzle"), "best"),
            RowAction("remove_puzzles", tr("Remove"), tr("Remove the selected puzzles"), "delete"),
        )
        super().__init__(tr("Your puzzles"), puzzle_model(), actions, "puzzles", is_many=True)
        self.copy_button = button(tr("Copy as text"), work=copy.trigger)
        self.export_button = button(tr("Export"), work=export.trigger)
        for widget, action in ((self.export_button, export), (self.copy_button, copy)):
            add_key_tip(widget, action)
            self.add_button(widget, at=1)
        self.back_button = button(tr("Back to the puzzle"), by_tab=True, work=back.trigger)
        add_key_tip(self.back_button, back)
        self.head.addWidget(self.back_button)
        self.view.sort_by(_FOUND)
        self.chosen_changed.connect(self._enable_buttons)
        self._enable_buttons()

    def _enable_buttons(self) -> None:
        for widget in (self.copy_button, self.export_button):
            widget.setEnabled(self.view.chosen is not None)


def puzzle_model() -> RowModel[StoredPuzzle]:
    columns: tuple[Column[StoredPuzzle], ...] = (
        Column(
            trc("of a puzzle", "Found"),
            lambda stored: format_moment(stored.found),
            key=lambda stored: stored.found,
        ),
        Column(
            tr("Table"),
            lambda stored: table_title(stored.puzzle.key),
            key=lambda stored: stored.puzzle.key,
        ),
        Column(
            tr("Difficulty"),
            lambda stored: rating_text(stored.rating),
            True,
            lambda stored: stored.rating.value,
            tr("Its rating: you solve half of the puzzles at your own rating"),
        ),
        Column(tr("Solved"), _solved, True, _success, tr("Right answers, of all")),
        Column(tr("Last seen"), _seen, key=lambda stored: stored.last_seen or _NEVER),
        Column(
            tr("From"), lambda stored: tr(_ORIGINS[stored.origin]), key=lambda stored: stored.origin
        ),
    )
    return RowModel(columns, _tip)


def _seen(stored: StoredPuzzle) -> str:
    return format_moment(stored.last_seen) if stored.last_seen else trc("of a puzzle", "Never")


def _solved(stored: StoredPuzzle) -> str:
    n = stored.n_right + stored.n_wrong
    return tr("{right:,} of {n:,}", right=stored.n_right, n=n) if n else ""


def _success(stored: StoredPuzzle) -> tuple[float, int]:
    """Return the sort key by share and number of correct answers; unasked ones come first."""
    n = stored.n_right + stored.n_wrong
    return (stored.n_right / n, n) if n else (-1.0, 0)


def _tip(stored: StoredPuzzle) -> str:
    return f"<pre>{draw_board(stored.puzzle.board, stored.puzzle.walls)}</pre>"


class PuzzlesStart(StartView):
    """The list in place of the board."""

    scrolls = False

    def __init__(self, puzzles: PuzzleList) -> None:
        super().__init__()
        self.list = puzzles
        column(puzzles, margins=(MARGIN, 0, MARGIN, 16), parent=self)
        self.setFocusProxy(puzzles.view)

    def take_keys(self) -> None:
        self.list.view.setFocus()
