"""The look and motion of boards, tried out on a small board."""

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from engine.platform.language import tr
from engine.trace import slide_cells
from gui.board.board_view import BoardView
from gui.settings.beside import Beside
from gui.settings.setting_row import SettingRow
from gui.settings_model.settings import Settings
from gui.style.layout import STRETCH, column

_BOARD_PX = 208
_BEFORE = (15, 12, 9, 5, 10, 10, 3, 2, 6, 6, 7, 1, 1, 0, 2, 2)
_LEFT = 0
_STACKS_BELOW = 480
_BESIDE = ("animation_ms", "motion", "tile_corners")  # the rows next to the sample
_TRIED = ("animation_ms", "motion", "merge_glow")  # settings that show in a move


class SampleBoard(BoardView):
    """A board that shows a move when it is clicked, or by Space or Enter."""

    tried = Signal()

    def __init__(self, side_px: int = _BOARD_PX) -> None:
        super().__init__()
        self.setAccessibleName(tr("Sample board"))
        self.setToolTip(tr("Click to see a move"))
        self.setFixedSize(side_px, side_px)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_board(_BEFORE)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.tried.emit()
        else:
            super().keyPressEvent(event)

    def _click(self, _place: QPointF, _button: Qt.MouseButton) -> None:
        self.tried.emit()

    def play(self) -> None:
        self.show_board(_BEFORE)
        motion = slide_cells(list(_BEFORE), _LEFT)
        after = list(motion.cells)
        spawn = after.index(0)
        after[spawn] = 1
        self.animate(motion.slides, (spawn, 1), after)


class BoardCard(QWidget):
    """The settings of boards, and the sample."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.sample = SampleBoard()
        beside = QWidget()
        self._right = column(STRETCH, space=16, parent=beside)
        self._below = column(Beside(self.sample, beside, _STACKS_BELOW), space=16, parent=self)
        self.sample.tried.connect(self.sample.play)
        self.sample.follow_settings(settings)

    def add_row(self, row: SettingRow) -> None:
        key = row.setting.key
        if key in _BESIDE:
            self._right.insertWidget(self._right.count() - 1, row)
        else:
            self._below.addWidget(row)
        if key in _TRIED:
            row.control.chosen.connect(self._play)

    def _play(self, _value: object) -> None:
        self.sample.play()
