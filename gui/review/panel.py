"""The side panel of Review: the rates, the verdict, the marked moves; at the end, the summary."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from coach.grading.grade import GRADES, Grade
from coach.grading.names import grade_title, perfect_text
from coach.recordings.recording import Recording
from engine.platform.language import tr
from gui.board.announcer import announce_verdict
from gui.board.grade_mark import GradeMark, grade_pixmap
from gui.review.lines import LinePair
from gui.settings_model.settings_of_coach import MARKED_FROM
from gui.style.layout import STRETCH, clear_layout, column, grid_layout, laid_out, placed, row
from gui.style.theme import theme_source
from gui.text.lists import fact_list
from gui.text.numbers import format_whole
from gui.text.rates import format_points
from gui.text.reviews import describe_end, describe_wrong, summary_lines
from gui.widgets.buttons import button, focus_by_tab
from gui.widgets.grade_bar import GradeBar
from gui.widgets.labels import ElidedLabel, WrapLabel, label, show_text
from gui.widgets.notice import Message, Notice
from gui.widgets.rate_cross import RateCross

_SENTENCE_LINES = 2
_MAX_ROWS, _MIN_LIST_PX = 200, 58


class _WholeRows(QListWidget):
    """A list that ends below a row, not in the middle of one."""

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.fit_rows()

    def fit_rows(self) -> None:
        if (row_px := self.sizeHintForRow(0)) > 0:
            inside = self.height() - 2 * self.frameWidth()
            self.setViewportMargins(0, 0, 0, inside % row_px if inside > row_px else 0)


class MarkedMoves(QWidget):
    """The marked moves in the order of the game, and which are marked."""

    picked = Signal(int)
    least_loss_chosen = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._recording: Recording | None = None
        self.indices: list[int] = []
        self.combo = QComboBox()
        self.combo.setAccessibleName(tr("Marked moves"))
        self.combo.setPlaceholderText(tr("Marked moves"))
        for offered in MARKED_FROM:
            self.combo.addItem(tr(offered.words), offered.value)
        self.list = _WholeRows()
        self.list.setAccessibleName(tr("Marked moves"))
        self.list.setMinimumHeight(_MIN_LIST_PX)
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.list.setProperty("compact", True)
        self.list.setIconSize(QSize(14, 14))
        self.none_label = label(tr("There are none in this game."), "muted")
        focus_by_tab(self.combo, self.list)
        column(
            placed(self.combo, align=Qt.AlignmentFlag.AlignLeft),
            self.none_label,
            placed(self.list, stretch=1),
            space=4,
            parent=self,
        )
        self.combo.activated.connect(
            lambda _: self.least_loss_chosen.emit(float(self.combo.currentData()))
        )
        for chosen in (self.list.itemClicked, self.list.itemActivated):
            chosen.connect(lambda item: self.picked.emit(self.indices[self.list.row(item)]))
        theme_source().changed.connect(self._fill)

    def show_marks(self, recording: Recording, marks: Sequence[int]) -> None:
        """Show the marked moves; of very many only the worst."""
        worst = set(recording.worst(_MAX_ROWS)) if len(marks) > _MAX_ROWS else marks
        self._recording, self.indices = recording, [i for i in marks if i in worst]
        self.setVisible(recording.n_judged > 0)
        self.none_label.setVisible(not self.indices)
        self._fill()

    def choose_least_loss(self, least_loss: float) -> None:
        self.combo.setCurrentIndex(self.combo.findData(least_loss))

    def set_position(self, position: int) -> None:
        at = self.indices.index(position) if position in self.indices else -1
        self.list.setCurrentRow(at)

    def _fill(self) -> None:
        at, shapes = self.list.currentRow(), {grade: _shape(grade) for grade in GRADES}
        self.list.clear()
        for index in self.indices:
            if self._recording and (judgement := self._recording.judgements[index]):
                text = describe_wrong(judgement, index + 1)
                item = QListWidgetItem(shapes[judgement.grade], text, self.list)
                item.setToolTip(grade_title(judgement.grade))
        self.list.setCurrentRow(at)
        self.list.fit_rows()


def _shape(grade: Grade) -> QIcon:
    icon, shape = QIcon(), grade_pixmap(grade)
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
        icon.addPixmap(shape, mode)
    return icon


class ReviewSummary(QFrame):
    """A card with the figures of a game."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.bar = GradeBar()
        self.luck_label = label("", "muted", wraps=True)
        self.train_button = button(tr("Train this (10 min)"), "primary", by_tab=True)
        self.figures: dict[str, str] = {}
        self._grid = grid_layout(space=(12, 4), wide=(1,))
        column(
            label(tr("The whole game"), "strong"),
            self._grid,
            self.luck_label,
            self.bar,
            4,
            placed(self.train_button, align=Qt.AlignmentFlag.AlignLeft),
            STRETCH,
            margins=16,
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


class ReviewPanel(QWidget):
    """The side panel of Review: what is said of a position, or of the whole game at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.cross, self.notice = RateCross(), Notice()
        self.cross.sentence.hide()  # the verdict shows it, for the move that was played
        self.stack = QStackedWidget()
        self.stack.addWidget(self.cross)
        self.stack.addWidget(self.notice)
        self.mark, self.verdict = GradeMark(), WrapLabel()
        self.tile_label = ElidedLabel("", "muted")
        self.so_far_label = label("", "caption")
        self.source_label = ElidedLabel("", "caption")
        self.source_label.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.lines = LinePair()
        self.summary, self.marked = ReviewSummary(), MarkedMoves()
        self.answers = self._answers()
        for line in (self.tile_label, self.so_far_label, self.source_label):
            line.setMinimumHeight(line.fontMetrics().lineSpacing() + 1)
        policy = self.lines.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.lines.setSizePolicy(policy)
        self.front = QStackedWidget()
        self.front.addWidget(self.answers)
        self.front.addWidget(self.summary)
        column(
            self.front,
            placed(self.marked, stretch=1),
            column(
                self.lines, row(self.so_far_label, placed(self.source_label, stretch=1)), space=4
            ),
            space=8,
            parent=self,
        )

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

    def show_so_far(self, recording: Recording, position: int) -> None:
        """Show the number of the move, and the score of those before it."""
        n = recording.n_moves
        parts = [
            tr("Move {move} of {n}", move=format_whole(min(position + 1, n)), n=format_whole(n))
        ]
        score, mean = recording.scores[position], float(recording.mean_losses[position])
        if recording.is_judged_whole and not math.isnan(mean):
            parts.append(tr("mean loss {points}", points=format_points(mean)))
        elif score.n_moves and not recording.is_judged_whole:
            parts.append(tr("{n} perfect", n=perfect_text(score.counts)))
        if score.combo:
            parts.append(tr("streak {n}", n=format_whole(score.combo)))
        self.so_far_label.setText(fact_list(parts))
        self.source_label.setVisible(recording.has_raters)

    def _answers(self) -> QWidget:
        self.verdict.setAccessibleName(tr("Verdict on the move"))
        # Space for the longest sentences: nothing below may jump when they change.
        # A line is a pixel taller if a character comes from another font.
        line_px = self.verdict.fontMetrics().lineSpacing() + 1
        self.verdict.setMinimumHeight(_SENTENCE_LINES * line_px)
        self.verdict.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        return laid_out(
            column(
                self.stack,
                row(
                    placed(self.mark, align=Qt.AlignmentFlag.AlignTop),
                    placed(self.verdict, stretch=1, align=Qt.AlignmentFlag.AlignTop),
                ),
                self.tile_label,
                space=4,
            )
        )
