"""The layout of Review: the board with the course of the game, the panel."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from engine.platform.language import tr
from gui.board.board_view import BoardView
from gui.review.mark_slider import MarkSlider
from gui.review.panel import ReviewPanel
from gui.style.layout import column
from gui.widgets.action_bar import ActionBar
from gui.widgets.board_layout import BoardLayout
from gui.widgets.buttons import button, focus_by_tab
from gui.widgets.elided import ElidedCombo

_MIN_SHARE = 0.45  # of the window's width for the board
_LARGE_BOARD_PX = 640  # is large enough for any window width
_BESIDES_BOARD_PX = 198  # header, slider, actions and gaps
_CHARTS_PX = 112
_UNDER_BOARD, _BELOW_PANEL, _IN_PANEL = range(3)  # position of the charts


class ReviewLayout(BoardLayout):
    """Title and files at the top, messages, the board with slider and actions, the panel."""

    def __init__(
        self, board: BoardView, panel: ReviewPanel, slider: MarkSlider, action_bar: ActionBar
    ) -> None:
        under = QWidget()
        box = column(slider, action_bar, space=4, parent=under)
        under.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        foot = QWidget()
        below = column(parent=foot)
        foot.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        foot.hide()
        super().__init__(tr("Review"), board, panel, action_bar, under, foot)
        self._course, self._below, self._review_panel = box, below, panel
        self._has_room, self._charts_at = False, _IN_PANEL
        self.file_combo = ElidedCombo()
        self.file_combo.setAccessibleName(tr("Recorded game"))
        self.file_combo.setMinimumWidth(120)
        self.file_combo.setMaximumWidth(320)
        self.file_combo.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.file_combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        focus_by_tab(self.file_combo)
        self.latest_button = button(tr("Latest test"), by_tab=True)
        self.open_button = button(tr("Open"), by_tab=True)
        self.header.addWidget(self.file_combo, 10)
        self.header.addWidget(self.latest_button)
        self.header.addWidget(self.open_button)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        room = self.height() - _BESIDES_BOARD_PX
        wanted = min(_LARGE_BOARD_PX, round(self.window().width() * _MIN_SHARE))
        self._has_room = room - _CHARTS_PX >= wanted
        self.is_dense = room < wanted
        self._course.setSpacing(0 if self.is_dense else 4)
        super().resizeEvent(event)

    def arrange(self) -> None:
        """Show the charts under the board, or else below the panel, always visible.

        In a narrow window, which scrolls as a whole, they are part of the panel.
        """
        super().arrange()
        place = _UNDER_BOARD if self._has_room else _IN_PANEL if self._is_narrow else _BELOW_PANEL
        if place == self._charts_at:
            return
        self._charts_at = place
        if place == _IN_PANEL:
            self._review_panel.take_charts()
        elif place == _UNDER_BOARD:
            self._course.insertWidget(1, self._review_panel.charts)
        else:
            self._below.addWidget(self._review_panel.charts)
        self._foot.setVisible(place == _BELOW_PANEL)

    def show_files(self, recent: Sequence[tuple[Path, str]], name: str, path: Path | None) -> None:
        """Offer recent files with the titles of their games; without a game, invite to open one."""
        combo = self.file_combo
        with QSignalBlocker(combo):
            combo.clear()
            if name and path is None:
                combo.addItem(name, None)
            for file, title in recent:
                combo.addItem(title, str(file))
                tip_role = Qt.ItemDataRole.ToolTipRole
                combo.setItemData(combo.count() - 1, str(file), tip_role)
            combo.setCurrentIndex(0 if name else -1)
        combo.setVisible(combo.count() > 0)
        self.invite(not name)
