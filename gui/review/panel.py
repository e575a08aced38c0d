"""The side panel of Review: the rates, the verdict, the game so far, controls."""

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from coach.grading.grade import Grade, Score
from engine.platform.language import tr, trc
from engine.platform.quantities import points_figure
from gui.board.announcer import announce_verdict
from gui.board.grade_mark import GradeMark
from gui.review.charts import ReviewCharts
from gui.review.controls import ReviewControls
from gui.review.line_pair import LinePair
from gui.review.refining import RefiningRow
from gui.review.summary import ReviewSummary
from gui.style.layout import STRETCH, column, laid_out, placed, row
from gui.text.numbers import NBSP, format_whole
from gui.text.rates import NO_MATCH, match_so_far
from gui.widgets.labels import Figure, WrapLabel, label
from gui.widgets.notice import Message, Notice
from gui.widgets.rate_cross import RateCross

_SENTENCE_LINES = 2
_CHARTS_AT = 3  # below the answers and the figures, and how far these are


class ReviewPanel(QWidget):
    """The side panel of Review, ordered from what changes with every move to what hardly does."""

    def __init__(self) -> None:
        super().__init__()
        self.cross, self.notice = RateCross(), Notice()
        self.cross.sentence.hide()  # the verdict shows it, for the move that was played
        self.stack = QStackedWidget()
        self.stack.addWidget(self.cross)
        self.stack.addWidget(self.notice)
        self.mark, self.verdict = GradeMark(), WrapLabel()
        self.tile_label = label("", "muted", wraps=True)
        self.source_label = label("", "caption")
        self.lines = LinePair()
        self.move_figure = Figure(trc("figure", "Move"))
        self.match_figure, self.combo_figure = Figure(tr("Match rate")), Figure(tr("Streak"))
        self.refining = RefiningRow()
        self.charts, self.summary = ReviewCharts(), ReviewSummary()
        self.controls = ReviewControls()
        self._column = column(
            self._answers(),
            self._figures(),
            self.refining,
            self.charts,
            self.summary,
            self.controls,
            STRETCH,
            space=16,
            parent=self,
        )

    def take_charts(self) -> None:
        """Take the charts into the panel, in a window too narrow for a panel next to the board."""
        self._column.insertWidget(_CHARTS_AT, self.charts)

    def lay_flat(self, flat: bool) -> None:
        """Put the rates in a row, for a panel under the board, or in a cross beside it."""
        self.cross.lay_flat(flat)

    def show_notice(self, message: Message) -> None:
        """Show a notice in place of the rates."""
        self.notice.show_message(message)
        self.stack.setCurrentWidget(self.notice)

    def show_cross(self) -> None:
        """Show the rates again."""
        self.stack.setCurrentWidget(self.cross)

    def show_verdict(
        self, grade: Grade | None, text: str, tile_text: str, source_text: str
    ) -> None:
        """Show the verdict on the next move, its source, and the luck of the last tile."""
        self.mark.show_grade(grade)
        self.mark.setVisible(grade is not None)
        self.verdict.setText(text)
        announce_verdict(self.verdict, grade, text)
        self.tile_label.setText(tile_text)
        self.source_label.setText(source_text)

    def show_so_far(
        self, position: int, n_moves: int, score: Score | None, mean_loss: float | None = None
    ) -> None:
        """Show the current position and the score there; None if unknown.

        The mean loss replaces the match rate if given; NaN before the first judged move.
        """
        is_end = position == n_moves
        number = trc("figure", "End") if is_end else format_whole(position + 1)
        self.move_figure.show_value(number, tr("of {n}", n=format_whole(n_moves)))
        rate, combo, longest = NO_MATCH, NO_MATCH, NO_MATCH
        if score:
            rate, combo = match_so_far(score), format_whole(score.combo)
            longest = format_whole(score.longest_combo)
        if mean_loss is not None:
            rate = NO_MATCH
            if not math.isnan(mean_loss):
                rate = tr("{points} pts", points=points_figure(mean_loss)).replace(" ", NBSP)
        caption = tr("Match rate") if mean_loss is None else tr("Mean loss")
        self.match_figure.caption_label.setText(caption)
        self.match_figure.show_value(rate, tr("so far"))
        self.combo_figure.show_value(combo, tr("best {n}", n=longest))

    def _answers(self) -> QWidget:
        self.verdict.setAccessibleName(tr("Verdict on the move"))
        # Space for the longest sentences: nothing below may jump when they change.
        # A line is a pixel taller if a character comes from another font.
        for sentence in (self.verdict, self.tile_label):
            line_px = sentence.fontMetrics().lineSpacing() + 1
            sentence.setMinimumHeight(_SENTENCE_LINES * line_px)
            sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.source_label.setMinimumHeight(self.source_label.fontMetrics().lineSpacing() + 1)
        policy = self.lines.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.lines.setSizePolicy(policy)
        return laid_out(
            column(
                self.stack,
                row(
                    placed(self.mark, align=Qt.AlignmentFlag.AlignTop),
                    placed(self.verdict, stretch=1, align=Qt.AlignmentFlag.AlignTop),
                ),
                self.source_label,
                self.tile_label,
                self.lines,
            )
        )

    def _figures(self) -> QWidget:
        return laid_out(
            row(
                placed(self.move_figure, stretch=1),
                placed(self.match_figure, stretch=1),
                placed(self.combo_figure, stretch=1),
                space=16,
            )
        )
