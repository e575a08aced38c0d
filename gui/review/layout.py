"""The layout of Review: the board, the panel beside it, the course of the game across the page."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy

from engine.platform.language import tr
from gui.board.board_view import BoardView
from gui.review.charts import ReviewCharts
from gui.review.panel import ReviewPanel
from gui.widgets.action_bar import ActionBar
from gui.widgets.board_layout import BoardLayout
from gui.widgets.buttons import button, focus_by_tab
from gui.widgets.elided import SHORTER, ElidedCombo

_BOARD_SHARE, _LARGE_BOARD_PX = 0.38, 640  # of the window's width for the board; large enough
_BESIDES_BOARD_PX = 94  # header and gaps
_MIN_CHART_PX, _CHART_PX, _WIDE_PX = 84, 108, 900


class ReviewLayout(BoardLayout):
    """Title and files at the top, board and panel, the charts under both."""

    def __init__(
        self, board: BoardView, panel: ReviewPanel, charts: ReviewCharts, action_bar: ActionBar
    ) -> None:
        super().__init__(tr("Review"), board, panel, action_bar, across=charts)
        self._charts = charts
        self.file_combo = ElidedCombo()
        self.file_combo.setAccessibleName(tr("Recorded game"))
        self.file_combo.setMinimumWidth(120)
        self.file_combo.setMaximumWidth(400)
        self.file_combo.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.file_combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        focus_by_tab(self.file_combo)
        self.open_button = button(tr("Open"), by_tab=True)
        self.header.addWidget(self.file_combo, 10)
        self.header.addWidget(self.open_button)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Give the charts what the board leaves, and never less than their figures need."""
        width = self.window().width()
        room = self.height() - _BESIDES_BOARD_PX - self._action_bar.sizeHint().height()
        left = room - min(_LARGE_BOARD_PX, round(width * _BOARD_SHARE))
        self.is_dense = left < _MIN_CHART_PX or width < _WIDE_PX
        self._charts.setFixedHeight(max(_MIN_CHART_PX, min(left, _CHART_PX)))
        super().resizeEvent(event)

    def show_files(
        self, recent: Sequence[tuple[Path, str, str]], name: str, path: Path | None
    ) -> None:
        """Offer recent files with the titles of their games, and shorter ones for little room.

        Without a game, invite to open one.
        """
        combo = self.file_combo
        with QSignalBlocker(combo):
            combo.clear()
            if name and path is None:
                combo.addItem(name, None)
            for file, title, shorter in recent:
                combo.addItem(title, str(file))
                for role, text in ((Qt.ItemDataRole.ToolTipRole, str(file)), (SHORTER, shorter)):
                    combo.setItemData(combo.count() - 1, text, role)
            combo.setCurrentIndex(0 if name else -1)
        combo.setVisible(combo.count() > 0)
        self.open_button.setVisible(bool(name))  # the invitation has another one
        self.invite(not name)
