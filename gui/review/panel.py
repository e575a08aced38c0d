"""The side panel of Review: the rates, the verdict, the game so far, the whole game, controls."""

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QStackedWidget, QWidget

from coach.grading.grade import Grade, Score
from coach.recordings.recording import Recording
from engine.platform.language import tr, trc
from engine.platform.quantities import points_figure
from gui.board.announcer import announce_verdict
from gui.board.grade_mark import GradeMark
from gui.review.charts import ReviewCharts
from gui.review.controls import ReviewControls
from gui.review.lines import LinePair
from gui.style.layout import STRETCH, clear_layout, column, grid_layout, laid_out, placed, row
from gui.text.numbers import NBSP, format_percent, format_whole
from gui.text.rates import NO_MATCH, match_so_far
from gui.text.reviews import describe_end, describe_mark, summary_lines
from gui.widgets.buttons import button, focus_by_tab
from gui.widgets.elided import ElidedButton
from gui.widgets.grade_bar import GradeBar
from gui.widgets.labels import Figure, WrapLabel, label, show_text
from gui.widgets.notice import Message, Notice
from gui.widgets.rate_cross import RateCross

MAX_WORST = 5
_STEPS = 1000
_SENTENCE_LINES = 2
_CHARTS_AT = 3  # below the answers and the figures, and how far these are


class ReviewSummary(QFrame):
    """A card with the figures of a game."""

    picked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.bar = GradeBar()
        self.luck_label = label("", "muted", wraps=True)
        self.worst_title = label(tr("Worst moves"), "caption")
        self.train_button = button(tr("Train this (10 min)"), "primary", by_tab=True)
        self.worst_buttons: list[QPushButton] = []
        self.figures: dict[str, str] = {}
        self._grid = grid_layout(space=(12, 4), wide=(1,))
        self._worst = grid_layout(space=(12, 4), wide=(1,))
        column(
            label(tr("The whole game"), "strong"),
            self._grid,
            self.luck_label,
            self.bar,
            4,
            self.worst_title,
            self._worst,
            placed(self.train_button, align=Qt.AlignmentFlag.AlignLeft),
            margins=12,
            parent=self,
        )

    def show_recording(self, recording: Recording) -> None:
        clear_layout(self._grid)
        self.figures = dict(summary_lines(recording))
        for line, (caption, value) in enumerate(self.figures.items()):
            value_label = label(value)
            value_label.setProperty("weight", "strong")
            value_label.setAlignment(Qt.AlignmentFlag.AlignRight)
            value_label.setAccessibleName(f"{caption} {value}")
            self._grid.addWidget(label(caption, "muted"), line, 0)
            self._grid.addWidget(value_label, line, 1)
        show_text(self.luck_label, describe_end(recording))
        self.bar.show_counts(recording.score.counts)
        self.bar.setVisible(recording.n_judged > 0)
        self._show_worst(recording)
        self.train_button.setVisible(recording.n_judged > 0)

    def _show_worst(self, recording: Recording) -> None:
        clear_layout(self._worst)
        self.worst_buttons = []
        worst = recording.worst(MAX_WORST)
        self.worst_title.setVisible(bool(worst))
        for line, index in enumerate(worst):
            judgement = recording.judgements[index]
            mark = GradeMark()
            mark.show_grade(judgement.grade if judgement else None)
            move = ElidedButton(describe_mark(recording, index), tr("Go to this move"))
            move.setProperty("quiet", True)
            move.setProperty("row", True)
            focus_by_tab(move)
            move.clicked.connect(lambda _=False, i=index: self.picked.emit(i))
            self._worst.addWidget(mark, line, 0)
            self._worst.addWidget(move, line, 1)
            self.worst_buttons.append(move)


class RefiningRow(QWidget):
    """A line, a bar and a button; hidden while nothing is refined."""

    def __init__(self) -> None:
        super().__init__()
        self.text_label = label("", "muted", wraps=True)
        self.bar, self.cancel_button = QProgressBar(), button(tr("Cancel"), by_tab=True)
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Rating the moves"))
        grid = grid_layout(space=(8, 4), parent=self)
        grid.addWidget(self.text_label, 0, 0, 1, 2)
        grid.addWidget(self.bar, 1, 0)
        grid.addWidget(self.cancel_button, 1, 1)
        self.hide()

    def show_share(self, share: float | None) -> None:
        self.setVisible(share is not None)
        if share is not None:
            done = format_percent(min(share, 0.99))
            self.text_label.setText(
                tr("This is a first look. Its figures may still change: {share} done.", share=done)
            )
            self.bar.setValue(int(share * _STEPS))


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
        self._column.insertWidget(_CHARTS_AT, self.charts)

    def lay_flat(self, flat: bool) -> None:
        self.cross.lay_flat(flat)

    def show_notice(self, message: Message) -> None:
        self.notice.show_message(message)
        self.stack.setCurrentWidget(self.notice)

    def show_verdict(
        self, grade: Grade | None, text: str, tile_text: str, source_text: str
    ) -> None:
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
