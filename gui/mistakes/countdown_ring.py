"""A countdown ring before an automatic step; clicking it cancels the step."""

import time
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton

from engine.platform.language import tr
from gui.board.board_paint import mixed
from gui.style.theme import app_theme, theme_source

_SIZE, _WIDTH, _FRAME_MS = 32, 3.0, 33


class CountdownRing(QAbstractButton):
    """A ring that is visible while it runs.

    Parameters
    ----------
    clock : callable
        Seconds, monotonic.

    Signals
    -------
    elapsed : the time is up
    """

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
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.clicked.connect(self.cancel)
        self.hide()

    @property
    def is_running(self) -> bool:
        """Whether the time is still running."""
        return self._end.isActive()

    def start(self, ms: int) -> None:
        """Run for `ms` milliseconds."""
        self._started_s, self._ms = self._clock(), float(ms)
        self._end.start(ms)
        self._frames.start()
        self.show()

    def cancel(self) -> None:
        """Stop; nothing happens."""
        self._end.stop()
        self._frames.stop()
        self.hide()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the fixed size."""
        return QSize(_SIZE, _SIZE)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the time left, and a cross in the middle."""
        theme = app_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
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
