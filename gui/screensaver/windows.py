"""The windows of the screen saver, and the detection of user input."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from engine.game import MoveResult
from engine.platform.language import tr
from gui.board.board_view import BoardView
from gui.screensaver.saver_game import SaverGame
from gui.style.theme import Theme, resized
from gui.text.numbers import format_whole

MOVED_PX = 12  # a real mouse movement is larger than this
_BOARD_SHARE, _SMALL_BOARD_SHARE = 0.62, 0.9  # of the shorter side
_SMALL_PX = 320  # a preview: no figures, and hardly any room to drift
_FRAME_MS = 33
_DRIFT_MS = 1000
_PX_PER_S = (2.3, 1.7)  # px/s across and down, on a screen of the usual height
_DEFAULT_HEIGHT_PX = 1080
_GROUND = QColor(0, 0, 0)
_DIM = 0.55  # brightness of the figures
_IS_THERE = {
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.Wheel,
    QEvent.Type.TouchBegin,
    QEvent.Type.TabletPress,
}


class BlankWindow(QWidget):
    """A black window."""

    def __init__(self) -> None:
        super().__init__(windowTitle=tr("Screen saver"))
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        QPainter(self).fillRect(event.rect(), _GROUND)


class BoardWindow(BlankWindow):
    """The drifting board, with the score below it."""

    def __init__(
        self,
        play: SaverGame,
        theme: Theme,
        clock: Callable[[], float] = time.monotonic,
        ahead_s: float = 0.0,
    ) -> None:
        super().__init__()
        self._play, self._clock, self._began_s = play, clock, clock() - ahead_s
        self.board = BoardView(self, theme=theme)
        self.board.setMinimumSize(1, 1)
        self.board.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.board.set_frame_ms(_FRAME_MS)
        self.score_label = QLabel(self, alignment=Qt.AlignmentFlag.AlignCenter)
        self._set_ink(theme)
        self._timer = QTimer(self, interval=_DRIFT_MS)
        self._timer.timeout.connect(self.wander)
        self._timer.start()
        play.moved.connect(self._show_move)
        play.began.connect(self._show_position)
        self._show_position()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        shorter = min(self.width(), self.height())
        is_small = shorter < _SMALL_PX
        side = int(shorter * (_SMALL_BOARD_SHARE if is_small else _BOARD_SHARE))
        self.board.resize(side, side)
        self.score_label.setVisible(not is_small)
        self.score_label.setFont(resized(self.score_label.font(), max(10, side // 24)))
        self.score_label.resize(side, self.score_label.fontMetrics().height() * 2)
        self.wander()

    def wander(self) -> None:
        side = self.board.width()
        below = self.score_label.height() if self.score_label.isVisibleTo(self) else 0
        room = self.width() - side, self.height() - side - below
        x, y = drift(self._clock() - self._began_s, room, self.height())
        self.board.move(x, y)
        self.score_label.move(x, y + side)

    def _show_move(self, result: MoveResult) -> None:
        game = self._play.game
        self.board.animate(result.slides, result.spawned, game.cells)
        if result.gained:
            self.score_label.setText(format_whole(game.score))

    def _show_position(self) -> None:
        self.board.show_board(self._play.game.cells)
        self.score_label.setText(format_whole(self._play.game.score))

    def _set_ink(self, theme: Theme) -> None:
        palette, muted = self.score_label.palette(), theme.text_muted
        hue, saturation, value = muted.hsvHueF(), muted.hsvSaturationF(), muted.valueF()
        ink = QColor.fromHsvF(max(0.0, hue), saturation, value * _DIM)
        palette.setColor(QPalette.ColorRole.WindowText, ink)
        self.score_label.setPalette(palette)


class InputWatch(QObject):
    """Detects keys, buttons, touches and real mouse movement on windows it filters, and closing.

    Unless it heeds input it detects only closing.
    """

    noticed = Signal()

    def __init__(self, heeds_input: bool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._heeds_input = heeds_input
        self._first: QPointF | None = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Inspect an event; input that ends the screen saver is consumed."""
        if event.type() == QEvent.Type.Close:
            self.noticed.emit()
        elif self._heeds_input and self._is_somebody(event):
            self.noticed.emit()
            return True
        return super().eventFilter(watched, event)

    def _is_somebody(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.MouseMove or not isinstance(event, QMouseEvent):
            return event.type() in _IS_THERE
        here = event.globalPosition()
        if self._first is None:  # systems send one when a window appears under the mouse
            self._first = here
        return (here - self._first).manhattanLength() > MOVED_PX


def drift(seconds: float, room: tuple[int, int], height: int) -> tuple[int, int]:
    """Return the offset to the right and down after `seconds`, in px, at most `room`.

    It moves back and forth at constant speed, different across and down, faster on a screen of more
    `height`, and begins in the middle.
    """
    scale = height / _DEFAULT_HEIGHT_PX
    x, y = (
        _to_and_fro(length / 2 + seconds * speed * scale, max(0, length))
        for length, speed in zip(room, _PX_PER_S, strict=True)
    )
    return x, y


def _to_and_fro(way: float, length: int) -> int:
    if length == 0:
        return 0
    way %= 2 * length
    return round(way if way <= length else 2 * length - way)
