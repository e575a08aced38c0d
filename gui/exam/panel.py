"""The side panel of a test: the last move and its verdict, the score so far."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QProgressBar, QSizePolicy, QStackedWidget, QWidget

from coach.grading.grade import UINT32, Grade, Judgement, Tolerance
from coach.grading.names import PERFECT_MOVES, POINTS_LOST, grade_title, move_title, perfect_text
from coach.mistakes.to_drill import THRESHOLD, count_to_drill
from coach.play.run import PlayedMove, Run
from engine.bitboard import cells
from engine.platform.language import listed, tr, trn
from gui.board.announcer import announce_verdict
from gui.board.board_paint import mixed
from gui.board.board_view import BoardView
from gui.board.grade_mark import GradeMark, draw_grade
from gui.board.hex_field import HexField
from gui.exam.rules import RulesBox
from gui.exam.text import FOCUS_HINT, allowance_text, drill_text, end_text, end_title
from gui.play.run_page import lost_series, wrong_moves
from gui.style.icons import draw_icon
from gui.style.layout import STRETCH, card, column, laid_out, placed, row
from gui.style.theme import BODY, CAPTION, app_theme, theme_source, with_tabular_figures
from gui.text.numbers import format_seconds, format_whole
from gui.text.rates import (
    DIRECTION_NAMES,
    NO_MATCH,
    POINT_TIP,
    RATE_SCALE,
    Rates,
    format_rates,
    lost_figure,
    without_unit,
)
from gui.widgets.disclosure import Disclosure
from gui.widgets.grade_bar import GradeBar
from gui.widgets.labels import Figure, label, reserve_lines, set_property, show_text
from gui.widgets.notice import Message, Notice
from gui.widgets.result_card import CardButton, CardContents, ResultCard

_ROW_PX, _MARK_PX, _GAP_PX = 29, 13, 6
_MIN_PX = 192  # arrow, `99.9685 %`, `−0.00015`, star, and gaps


class RateRows(QWidget):
    """The rates of a position's moves: direction, rate, loss.

    Illegal moves are absent; the best have a star, the played one a tinted background and its grade
    mark.
    """

    def __init__(self) -> None:
        super().__init__()
        theme_source().changed.connect(self.update)
        self.rates: Rates = (None,) * 4
        self._judgement: Judgement | None = None
        self._figures: list[str] = [""] * 4
        self._losses: list[str] = [""] * 4
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Rates of the position before"))
        self.setToolTip(tr("What each move was worth, and how many points it lost"))

    def show_move(
        self, rates: Rates, judgement: Judgement | None, tolerance: Tolerance = UINT32
    ) -> None:
        self.rates, self._judgement = rates, judgement
        self._figures = format_rates(rates, tolerance)
        self._losses = RATE_SCALE.losses(rates, tolerance) if judgement else [""] * 4
        self.setAccessibleDescription(listed(self.lines()) or tr("No move yet"))
        self.update()

    def lines(self) -> list[str]:
        return [self._line(direction) for direction, _ in self._ordered()]

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(190, 4 * _ROW_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(_MIN_PX, 4 * _ROW_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for i, (direction, _) in enumerate(self._ordered()):
            row = QRectF(0, i * _ROW_PX, self.width(), _ROW_PX - 3)
            self._draw_row(painter, row, direction)

    def _draw_row(self, painter: QPainter, row: QRectF, direction: int) -> None:
        theme, judgement = app_theme(), self._judgement
        is_played = bool(judgement and judgement.direction == direction)
        is_best = bool(judgement and direction in judgement.best)
        if is_played:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mixed(theme.raised, theme.text, 0.09))
            painter.drawRoundedRect(row, 6, 6)
        color = theme.text if is_best or is_played else theme.text_muted
        arrow = QRectF(row.left() + 6, row.center().y() - 6, 12, 12)
        draw_icon(painter, f"arrow_{DIRECTION_NAMES[direction]}", arrow, color)
        painter.setPen(color)
        painter.setFont(_font(painter.font(), BODY, is_played))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(row.adjusted(25, 0, 0, 0), int(middle), self._figures[direction])
        figure_px = painter.fontMetrics().horizontalAdvance(self._figures[direction])
        if not is_best:  # there the star shows it
            painter.setFont(_font(painter.font(), CAPTION))
            side = int(middle | Qt.AlignmentFlag.AlignRight)
            room = row.width() - 25 - figure_px - _GAP_PX - 24
            text = self.caption(direction, painter.fontMetrics(), room)
            painter.drawText(row.adjusted(0, 0, -24, 0), side, text)
        mark = QRectF(row.right() - 19, row.center().y() - _MARK_PX / 2, _MARK_PX, _MARK_PX)
        if is_played and judgement:
            draw_grade(painter, mark, judgement.grade, theme)
        elif is_best:
            draw_grade(painter, mark, Grade.PERFECT, theme)

    def _ordered(self) -> list[tuple[int, float]]:
        legal = [(d, rate) for d, rate in enumerate(self.rates) if rate is not None]
        return sorted(legal, key=lambda pair: (-pair[1], pair[0]))

    def _line(self, direction: int) -> str:
        values = {
            "move": move_title(direction),
            "rate": self._figures[direction],
            "loss": self._losses[direction],
        }
        if self._judgement and self._judgement.direction == direction:
            return tr("{move} {rate}, {loss}, played", **values)
        return tr("{move} {rate}, {loss}", **values)

    def caption(self, direction: int, metrics: QFontMetrics, room: float) -> str:
        """Return the caption of a move, without its unit if that doesn't fit."""
        text = self._losses[direction]
        return text if metrics.horizontalAdvance(text) <= room else without_unit(text)


def _font(font: QFont, pixels: int, is_strong: bool = False) -> QFont:
    sized = with_tabular_figures(QFont(font))
    sized.setPixelSize(pixels)
    sized.setWeight(QFont.Weight.DemiBold if is_strong else QFont.Weight.Normal)
    return sized


class ExamResultCard(ResultCard):
    """The result of a test in figures, with the step that helps most."""

    def __init__(self) -> None:
        buttons = (
            CardButton("drill", "", tr("Train drills the moves that are due")),
            CardButton("restart", tr("New test"), tr("Start a new test")),
        )
        super().__init__(buttons)
        self._threshold, self.is_of_series = THRESHOLD, False
        self.perfect, self.lost = Figure(tr(PERFECT_MOVES)), Figure(tr(POINTS_LOST))
        self.streak = Figure(tr("Longest streak"))
        self.figures = laid_out(row(self.perfect, self.lost, self.streak, space=12))
        self.best_label = label("", "caption", wraps=True)
        self.column.insertWidget(1, self.figures)
        self.column.insertWidget(self.column.indexOf(self.chart_label), self.best_label)

    def show_result(self, run: Run) -> None:
        score = run.score
        n_to_drill = count_to_drill(score.counts, self._threshold)
        contents = CardContents(end_title(run), end_text(run), lost_series(run), wrong_moves(run))
        self.perfect.show_value(perfect_text(score.counts))
        self.lost.show_value(lost_figure(run.totals.points_lost))
        self.streak.show_value(format_whole(score.longest_combo))
        self.figures.setVisible(score.n_moves > 0)
        self.buttons["drill"].setText(drill_text(n_to_drill))
        offers_drill = n_to_drill > 0 and not self.is_of_series
        self.buttons["drill"].setVisible(offers_drill)
        self.buttons["restart"].setVisible(not offers_drill)
        self.show_best("")
        self.show_contents(contents)

    def set_threshold(self, threshold: float) -> None:
        self._threshold = threshold

    def show_best(self, text: str) -> None:
        show_text(self.best_label, text)


_SMALL_BOARD_PX = 88
_STEPS = 1000
_LONG_S = 119  # at least as wide as any remaining time


class ExamPanel(QWidget):
    """The side panel of the test page."""

    def __init__(self) -> None:
        super().__init__()
        self.notice, self.result = Notice(), ExamResultCard()
        self.small_board, self.rows = BoardView(), RateRows()
        self.mark, self.word = GradeMark(), label("", "strong")
        self.verdict = label("", wraps=True)
        self.refusal = label("", wraps=True)
        self.perfect, self.combo = Figure(tr(PERFECT_MOVES), "figure"), Figure(tr("Streak"))
        self.lost = Figure(tr(POINTS_LOST))
        self.lost.setToolTip(tr(POINT_TIP))
        self.grades = GradeBar()
        self.goal_label = label("", "strong")  # shown in the header of the page
        self.time_bar, self.time_label = QProgressBar(), label("", "caption")
        self.rules = RulesBox()
        self.table_note = label("", "caption", wraps=True)
        self.hex_field = HexField(
            "1000 0000 1fff 2fff",  # no text
            tr("16 hex digits, row by row from the top left. Enter starts a test there."),
        )
        self.start = Disclosure(tr("Start from a position"), self.hex_field)
        self.last_card = self._last_card()
        self.last_stack = QStackedWidget()
        for part in (self.notice, self.last_card):
            self.last_stack.addWidget(part)
        self.last_stack.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.figures = self._figures()
        self.time_row = self._time_row()
        column(
            self.time_row,
            self.result,
            self.last_stack,
            self.refusal,
            self.figures,
            self.grades,
            4,
            column(self.rules, self.start, space=0),
            self.table_note,
            placed(STRETCH, stretch=1),
            space=12,
            parent=self,
        )
        set_property(self.refusal, "tone", "warning")
        reserve_lines(self.refusal)
        self.show_focus(False)
        self.show_time(None, 0)
        self.table_note.hide()

    def lay_flat(self, flat: bool) -> None:
        directions = QBoxLayout.Direction
        self._last_box.setDirection(directions.LeftToRight if flat else directions.TopToBottom)
        self._last_box.setSpacing(16 if flat else 10)
        for i in range(2):
            self._last_box.setStretch(i, int(flat))

    def hide_choices(self) -> None:
        self.start.hide()
        self.rules.hide()

    def take_position(self) -> None:
        self.start.set_open(True)
        self.hex_field.take_keys()

    def show_move(
        self,
        move: PlayedMove,
        text: str,
        tolerance: Tolerance,
        locked: frozenset[int],
        walls: frozenset[int],
    ) -> None:
        self.small_board.show_board(cells(move.board), locked, walls)
        self.rows.show_move(move.rates, move.judgement, tolerance)
        self.mark.show_grade(move.judgement.grade)
        self.word.setText(grade_title(move.judgement.grade))
        self.verdict.setText(text)
        announce_verdict(self.verdict, move.judgement.grade, text)
        self.last_stack.setCurrentWidget(self.last_card)

    def show_notice(self, message: Message) -> None:
        self.figures.hide()
        self.grades.hide()
        self.notice.show_message(message)
        self.last_stack.setCurrentWidget(self.notice)

    def show_score(self, run: Run) -> None:
        """Show the score so far; at the end the result says it, but for the grades."""
        score = run.score
        taken_back = tr("{n} taken back", n=format_whole(run.n_undos)) if run.n_undos else ""
        perfect = perfect_text(score.counts) if score.n_moves else NO_MATCH
        self.perfect.show_value(perfect, taken_back)
        self.lost.show_value(lost_figure(run.totals.points_lost))
        longest = ""
        if score.longest_combo > score.combo:
            longest = tr("longest {n}", n=format_whole(score.longest_combo))
        self.combo.show_value(format_whole(score.combo), longest)
        tip = tr("Perfect moves in a row")
        if within := run.setup.perfect_within:
            tip = tr("Perfect moves in a row, {allowance}", allowance=allowance_text(within))
        self.combo.setToolTip(tip)
        self.grades.show_counts(score.counts)
        self.grades.setVisible(run.n_moves > 0)
        self.figures.setVisible(run.n_moves > 0 and run.end is None)

    def show_focus(self, is_focused: bool) -> None:
        self.focus_label.setVisible(is_focused)
        for part in (*self.hints, self.perfect, self.lost, self.combo):
            part.setVisible(not is_focused)
        if is_focused:
            self.grades.hide()

    def show_time(self, left: float | None, seconds: float) -> None:
        """Show the share of the time for a move that is left; None without a limit."""
        self.time_row.setVisible(left is not None)
        if left is not None:
            self.time_bar.setValue(round(left * _STEPS))
            self.time_label.setText(format_seconds(seconds, tenths=True))
            left_text = trn("{n} second left", "{n} seconds left", round(seconds))
            self.time_bar.setAccessibleDescription(left_text)

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
        reserve_lines(self.verdict)
        self.focus_label = label(tr(FOCUS_HINT), "muted", wraps=True)
        self.hints = (before, verdict)
        self._last_box = column(
            *(placed(part, align=Qt.AlignmentFlag.AlignTop) for part in self.hints), space=10
        )
        return card(self._last_box, self.focus_label, space=10, margins=12)

    def _figures(self) -> QWidget:
        return laid_out(
            row(
                placed(self.perfect, stretch=5, align=Qt.AlignmentFlag.AlignTop),
                placed(self.lost, stretch=4, align=Qt.AlignmentFlag.AlignTop),
                placed(self.combo, stretch=3, align=Qt.AlignmentFlag.AlignTop),
                space=16,
            )
        )

    def _time_row(self) -> QWidget:
        self.time_bar.setRange(0, _STEPS)
        self.time_bar.setTextVisible(False)
        self.time_bar.setAccessibleName(tr("Time left for this move"))
        self.time_label.setMinimumWidth(
            self.time_label.fontMetrics().horizontalAdvance(format_seconds(_LONG_S))
        )
        return laid_out(row(placed(self.time_bar, stretch=1), self.time_label, space=12))
