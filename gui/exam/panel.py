"""The side panel of a test: the last move and its verdict, the score so far."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QProgressBar,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from coach.exam.goal import ExamGoal
from coach.exam.session import PlayedMove
from coach.grading.grade import Score, Tolerance
from coach.grading.names import grade_title
from engine.bitboard import cells
from engine.platform.language import listed, tr, trn
from engine.platform.quantities import span_text
from gui.board.announcer import announce_verdict
from gui.board.board_view import BoardView
from gui.board.grade_mark import GradeMark
from gui.board.hex_field import HexField
from gui.exam.rate_rows import RateRows
from gui.exam.result import TestResultCard
from gui.exam.rules import RulesBox
from gui.exam.text import FOCUS_HINT, allowance_text
from gui.style.layout import STRETCH, card, column, laid_out, placed, row
from gui.text.numbers import format_whole
from gui.text.rates import match_so_far
from gui.widgets.grade_bar import GradeBar
from gui.widgets.labels import Figure, label, set_property
from gui.widgets.notice import Message, Notice

_SMALL_BOARD_PX = 100
_STEPS = 1000
_LONG_S = 119  # at least as wide as any remaining time


class LivePanel(QWidget):
    """The side panel of the test page."""

    def __init__(self) -> None:
        super().__init__()
        self.notice, self.result = Notice(), TestResultCard()
        self.small_board, self.rows = BoardView(), RateRows()
        self.mark, self.word = GradeMark(), label("", "strong")
        self.verdict = label("", wraps=True)
        self.refusal = label("", wraps=True)
        self.match, self.combo = Figure(tr("Match rate"), "figure"), Figure(tr("Streak"))
        self.moves = Figure(tr("Moves"))
        self.grades, self.perfect_label = GradeBar(), label("", "caption")
        self.goal_label = label("", "strong")  # shown in the header of the page
        self.time_bar, self.time_label = QProgressBar(), label("", "caption")
        self.rules = RulesBox()
        self.start_caption = label(tr("Start from a position"), "caption")
        self.table_note = label("", "caption", wraps=True)
        self.hex_field = HexField(
            "1000 0000 1fff 2fff",  # no text
            tr("16 hex digits, row by row from the top left. Enter starts a test there."),
        )
        self.last_card = self._last_card()
        self.last_stack = QStackedWidget()
        for part in (self.notice, self.last_card):
            self.last_stack.addWidget(part)
        self.last_stack.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.figures = self._figures()
        self.time_row = self._time_row()
        self._lay_out()
        set_property(self.refusal, "tone", "warning")
        # Two lines are reserved for it: nothing below moves when it appears or disappears.
        self.refusal.setMinimumHeight(2 * self.refusal.fontMetrics().lineSpacing())
        self.refusal.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.show_refusal("")
        self.show_focus(False)
        self.show_time(None, 0)
        self.show_table_note("")

    def lay_flat(self, flat: bool) -> None:
        """Put the verdict next to the rates, for a panel under the board, or below them."""
        directions = QBoxLayout.Direction
        self._last_box.setDirection(directions.LeftToRight if flat else directions.TopToBottom)
        self._last_box.setSpacing(16 if flat else 10)
        for i in range(2):
            self._last_box.setStretch(i, int(flat))

    def hide_choices(self) -> None:
        """Hide the fields for start and rules: the page has its own."""
        for part in (self.start_caption, self.hex_field, self.rules):
            part.hide()

    # What is shown --------------------------------------------------------------------------

    def show_move(
        self,
        move: PlayedMove,
        text: str,
        tolerance: Tolerance,
        locked: frozenset[int],
        walls: frozenset[int],
    ) -> None:
        """Show the position before a move, its rates, and the verdict."""
        self.small_board.show_board(cells(move.board), locked, walls)
        self.rows.show_move(move.rates, move.judgement, tolerance)
        self.mark.show_grade(move.judgement.grade)
        self.word.setText(grade_title(move.judgement.grade))
        self.verdict.setText(text)
        announce_verdict(self.verdict, move.judgement.grade, text)
        self.last_stack.setCurrentWidget(self.last_card)

    def show_notice(self, message: Message) -> None:
        """Show a notice in place of the last move."""
        self.notice.show_message(message)
        self.last_stack.setCurrentWidget(self.notice)

    def show_table_note(self, text: str) -> None:
        """Show a note on the table's rates; an empty text removes it."""
        self.table_note.setText(text)
        self.table_note.setVisible(bool(text))

    def show_refusal(self, text: str) -> None:
        """Show why a move was not accepted; an empty text removes it."""
        self.refusal.setText(text)

    def show_score(
        self, score: Score, n_moves: int, n_undos: int, perfect_within: float, goal: ExamGoal
    ) -> None:
        """Show the score, and the loss allowed for a perfect move, in percentage points."""
        self.match.show_value(match_so_far(score))
        longest = tr("longest {n}", n=format_whole(score.longest_combo))
        self.combo.show_value(format_whole(score.combo), longest)
        allowance = allowance_text(perfect_within)
        tip = tr("Perfect moves in a row")
        if perfect_within:
            tip = tr("Perfect moves in a row, {allowance}", allowance=allowance)
        self.combo.setToolTip(tip)
        self.perfect_label.setText(tr("Perfect: {allowance}", allowance=allowance))
        self.perfect_label.setVisible(bool(perfect_within))
        remarks = [tr("of {n}", n=format_whole(goal.moves))] if goal.moves else []
        remarks += [tr("{n} taken back", n=format_whole(n_undos))] if n_undos else []
        self.moves.show_value(format_whole(n_moves), listed(remarks))
        self.grades.show_counts(score.counts)

    def show_focus(self, is_focused: bool) -> None:
        """Hide or show everything that reveals how well the user plays."""
        self.focus_label.setVisible(is_focused)
        for part in (*self.hints, self.match, self.combo, self.grades):
            part.setVisible(not is_focused)

    def show_time(self, left: float | None, seconds: float) -> None:
        """Show the share of the time for a move that is left; None without a limit."""
        self.time_row.setVisible(left is not None)
        if left is not None:
            self.time_bar.setValue(round(left * _STEPS))
            self.time_label.setText(span_text(seconds, tenths=True))
            left_text = trn("{n} second left", "{n} seconds left", round(seconds))
            self.time_bar.setAccessibleDescription(left_text)

    # Laying out -----------------------------------------------------------------------------

    def _last_card(self) -> QWidget:
        self.small_board.setFixedSize(_SMALL_BOARD_PX, _SMALL_BOARD_PX)
        self.small_board.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.small_board.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.small_board.setAccessibleName(tr("Position before the last move"))
        before, verdict = QWidget(), QWidget()
        row(
            placed(self.small_board, align=Qt.AlignmentFlag.AlignTop),
            placed(self.rows, stretch=1, align=Qt.AlignmentFlag.AlignTop),
            space=12,
            parent=before,
        )
        column(row(self.mark, placed(self.word, stretch=1)), self.verdict, space=4, parent=verdict)
        self.verdict.setAccessibleName(tr("Last move"))
        self.verdict.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.verdict.setMinimumHeight(2 * self.verdict.fontMetrics().lineSpacing())
        self.focus_label = label(tr(FOCUS_HINT), "muted", wraps=True)
        self.hints = (before, verdict)
        self._last_box = column(
            *(placed(part, align=Qt.AlignmentFlag.AlignTop) for part in self.hints), space=10
        )
        return card(self._last_box, self.focus_label, space=10, margins=12)

    def _figures(self) -> QWidget:
        return laid_out(
            row(
                placed(self.match, stretch=5, align=Qt.AlignmentFlag.AlignTop),
                placed(self.combo, stretch=4, align=Qt.AlignmentFlag.AlignTop),
                placed(self.moves, stretch=3, align=Qt.AlignmentFlag.AlignTop),
                space=16,
            )
        )

    def _time_row(self) -> QWidget:
        self.time_bar.setRange(0, _STEPS)
        self.time_bar.setTextVisible(False)
        self.time_bar.setAccessibleName(tr("Time left for this move"))
        self.time_label.setMinimumWidth(
            self.time_label.fontMetrics().horizontalAdvance(span_text(_LONG_S))
        )
        return laid_out(row(placed(self.time_bar, stretch=1), self.time_label, space=12))

    def _lay_out(self) -> None:
        column(
            self.time_row,
            self.result,
            self.last_stack,
            self.refusal,
            self.figures,
            self.grades,
            self.perfect_label,
            4,
            self.start_caption,
            self.hex_field,
            self.rules,
            self.table_note,
            placed(STRETCH, stretch=1),
            space=12,
            parent=self,
        )
