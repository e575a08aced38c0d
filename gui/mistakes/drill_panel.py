"""Beside the board of a drill: question, verdict and countdown; and the place of the board."""

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QApplication, QStackedWidget, QWidget

from coach.mistakes.drill import Weighting
from coach.play.question_run import Question, Tally
from engine.platform.language import mark, tr
from gui.board.board_paint import mixed
from gui.board.board_view import BoardView
from gui.style.layout import STRETCH, row
from gui.style.theme import app_theme, smooth_painter, theme_source
from gui.widgets.board_layout import centered
from gui.widgets.buttons import focus_by_tab
from gui.widgets.labels import field, keep_room
from gui.widgets.list_filter import Choices
from gui.widgets.notice import Message, Notice
from gui.widgets.question_panel import QuestionPanel

DUE = "due"
"""The mode of a drill by the schedule; others are weightings."""
_SIZE, _WIDTH, _FRAME_MS = 32, 3.0, 33
_MODES = {
    mark("Due today"): DUE,
    mark("Frequent mistakes"): Weighting.COUNT.value,
    mark("Costly mistakes"): Weighting.LOSS.value,
    mark("Frequent and costly mistakes"): Weighting.BOTH.value,
}
_LEFT, _CORRECT, _WRONG = mark("To do"), mark("Correct"), mark("Wrong")
_DUE, _STREAK = mark("Due today"), mark("Streak")


class CountdownRing(QAbstractButton):
    """A ring that is visible while it runs. Its clock is in seconds, monotonic."""

    elapsed = Signal()

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        theme_source().changed.connect(self.update)
        self._started_s, self._ms = 0.0, 1.0
        self._frames, self._end = QTimer(self), QTimer(self)
        self._frames.setInterval(_FRAME_MS)
        self._frames.timeout.connect(self.update)
        self._end.setSingleShot(True)
        self._end.setTimerType(Qt.TimerType.PreciseTimer)
        self._end.timeout.connect(self._finish)
        self.setFixedSize(_SIZE, _SIZE)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Esc on the board does the same
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Stay here"))
        self.setToolTip(tr("Continuing automatically; click or press Esc to stay here"))
        keep_room(self)
        self.clicked.connect(self.cancel)
        self.hide()

    @property
    def is_running(self) -> bool:
        return self._end.isActive()

    def start(self, ms: int) -> None:
        self._started_s, self._ms = self._clock(), float(ms)
        self._end.start(ms)
        self._frames.start()
        self.show()

    def cancel(self) -> None:
        self._end.stop()
        self._frames.stop()
        self.hide()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(_SIZE, _SIZE)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        theme = app_theme()
        painter = smooth_painter(self)
        ring = QRectF(self.rect()).adjusted(3, 3, -3, -3)
        painter.setPen(QPen(mixed(theme.background, theme.text, 0.14), _WIDTH))
        painter.drawEllipse(ring)
        gone = min(1.0, (self._clock() - self._started_s) * 1000 / self._ms)
        cap = Qt.PenCapStyle.RoundCap
        painter.setPen(QPen(theme.accent, _WIDTH, Qt.PenStyle.SolidLine, cap))
        painter.drawArc(ring, 90 * 16, -round(360 * 16 * (1 - gone)))
        color = theme.text if self.underMouse() else theme.text_muted
        painter.setPen(QPen(color, 1.8, Qt.PenStyle.SolidLine, cap))
        middle, arm = ring.center(), 4.0
        for sign in (-1.0, 1.0):
            painter.drawLine(middle - QPointF(arm, sign * arm), middle + QPointF(arm, sign * arm))

    def _finish(self) -> None:
        self.cancel()
        self.elapsed.emit()


class DrillPanel(QuestionPanel):
    """The side panel of a drill."""

    def __init__(self) -> None:
        self.ring = CountdownRing()
        super().__init__((_LEFT, _CORRECT, _WRONG, _STREAK), self.ring)
        self.mode_combo = Choices(tr("What to drill"), {tr(one): _MODES[one] for one in _MODES})
        focus_by_tab(self.mode_combo)
        self.column.addLayout(field(tr("What to drill"), row(self.mode_combo, STRETCH)))
        self.column.addStretch()
        self.show_tally(Tally())

    def choose_mode(self, mode: str) -> str:
        """Show the way of drilling, and return it; the schedule if it isn't known."""
        self.mode_combo.setCurrentIndex(max(0, self.mode_combo.findData(mode)))
        return str(self.mode_combo.currentData())

    def show_tally(self, tally: Tally, *, is_all_due: bool = False) -> None:
        """Show the results; whether what is left is all that is due, as the badge counts."""
        self.figures[_LEFT].caption_label.setText(tr(_DUE if is_all_due else _LEFT))
        self.show_figure(_LEFT, "" if tally.left is None else str(tally.left))
        self.show_figure(_CORRECT, tally.right, tone="good")
        self.show_figure(_WRONG, tally.wrong, tone="bad")
        self.show_figure(_STREAK, tally.streak)

    def ask(self, question: Question[Any]) -> None:
        self.ring.cancel()
        super().ask(question)

    def clear(self) -> None:
        self.ring.cancel()
        super().clear()


class DrillPlace(QStackedWidget):
    """The board, or a message instead of an empty board; it has the keyboard in either case.

    It shows neither until it is known which.
    """

    def __init__(self, board: BoardView) -> None:
        super().__init__()
        self.board, self.notice = board, Notice()
        for part in (QWidget(), board, centered(self.notice)):
            self.addWidget(part)

    def show_board(self) -> None:
        self._show(self.board, self.board)

    def show_message(self, message: Message) -> None:
        self.notice.show_message(message)
        message_place = self.notice.parentWidget()
        assert message_place is not None
        self._show(message_place, None)

    def _show(self, part: QWidget, proxy: QWidget | None) -> None:
        focused = QApplication.focusWidget()
        had_focus = focused is not None and (focused is self or self.isAncestorOf(focused))
        self.setFocusProxy(proxy)  # type: ignore[arg-type]  # None is allowed
        if had_focus and proxy is None:  # else its first button would be focused, for a stray Enter
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setCurrentWidget(part)
        if had_focus:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
