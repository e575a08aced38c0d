"""The base of all boards that play: tempo, swipes and clicks, the focus ring."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.platform.language import tr
from gui.style.theme import Theme, app_theme, theme_source

SLIDE_MS = 100  # the usual length of a slide
SWIPE_PX = 28
_FULL_LENGTH_MS = 220  # moves further apart than this are animated at full length
_TOO_FAST_MS = 30
_FRAME_MS = 8


class AnimatedBoard(QWidget):
    """A widget that paints a board; see `BoardView` and `MinigameBoard`.

    There is no queue of animations: a new one ends the running one. When moves come quickly it gets
    shorter, and from 30 moves per second on there is none.

    `clock` is monotonic, in seconds; `theme` takes the place of the application's.
    """

    swiped = Signal(int)  # a drag of at least SWIPE_PX: LEFT RIGHT UP DOWN

    def __init__(
        self, parent: QWidget | None, clock: Callable[[], float], theme: Theme | None = None
    ) -> None:
        super().__init__(parent)
        self._own_theme, self._clock = theme, clock
        self._slide_ms = float(SLIDE_MS)
        self._started_s = self._last_move_s = -1e9
        self._tempo = 1.0  # how much faster than usual the animation runs
        self._pressed_at: QPointF | None = None
        self._shows_focus = False
        self._timer = QTimer(self, interval=_FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_frame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 200)
        self.setAccessibleName(tr("Board"))
        theme_source().changed.connect(self._on_theme)

    @property
    def is_moving(self) -> bool:
        return self._timer.isActive()

    def set_slide_ms(self, slide_ms: float) -> None:
        """Set the length of a slide, from which the rest follows; 0 switches animation off."""
        self._slide_ms = slide_ms
        self._end_if_still()

    def use_own_theme(self, theme: Theme | None) -> None:
        """Draw in a theme of its own from now on; None: in the application's."""
        self._own_theme = theme
        self._on_theme()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(520, 520)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._pressed_at = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self._pressed_at is None:
            return
        start, self._pressed_at = self._pressed_at, None
        moved = event.position() - start
        if max(abs(moved.x()), abs(moved.y())) < SWIPE_PX:
            self._click(start, event.button())
        elif event.button() == Qt.MouseButton.LeftButton:
            self.swiped.emit(_direction_of(moved))

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        by_key = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._shows_focus = event.reason() in by_key
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        self._shows_focus = False
        super().focusOutEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        self.update()

    def _click(self, place: QPointF, button: Qt.MouseButton) -> None:
        raise NotImplementedError

    def _on_frame(self) -> None:
        raise NotImplementedError

    def _stop(self) -> None:
        raise NotImplementedError

    @property
    def _theme(self) -> Theme:
        return self._own_theme or app_theme()

    def _on_theme(self) -> None:
        """Redraw; if motion is off, a running animation ends at once."""
        self._end_if_still()
        self.update()

    @property
    def _is_still(self) -> bool:
        return self._slide_ms <= 0 or self._theme.look.is_still

    def _end_if_still(self) -> None:
        if self._is_still:
            self._stop()
            self.update()

    def _begin_move(self) -> bool:
        """Register a move and set the tempo; return whether to animate it."""
        now = self._clock()
        since_last_ms = (now - self._last_move_s) * 1000
        self._last_move_s = now
        if self._is_still or since_last_ms < _TOO_FAST_MS or not self.isVisible():
            return False
        self._started_s = now
        self._tempo = SLIDE_MS / (self._slide_ms * min(1.0, since_last_ms / _FULL_LENGTH_MS))
        return True

    def _phase_ms(self) -> float:
        """Return the time within the animation, as it would be at its usual length."""
        return (self._clock() - self._started_s) * 1000 * self._tempo

    def _draw_focus(self, painter: QPainter, frame: QRectF, gap: float) -> None:
        if self._shows_focus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.focus, self._theme.focus_px))
            painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), gap, gap)


def _direction_of(moved: QPointF) -> int:
    if abs(moved.x()) >= abs(moved.y()):
        return 0 if moved.x() < 0 else 1
    return 2 if moved.y() < 0 else 3
