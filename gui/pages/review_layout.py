"""How Review is laid out: the board with its slider, the panel; or an invitation."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.pages.board_layout import MARGIN, BoardLayout
from gui.theme import STRONG, Theme
from gui.widgets.action_bar import ActionBar
from gui.widgets.banner import BannerStack
from gui.widgets.board_view import BoardView
from gui.widgets.mark_slider import MarkSlider
from gui.widgets.notice import Notice
from gui.widgets.review_panel import ReviewPanel

_INVITATION_PX = 480


class ReviewLayout(BoardLayout):
    """Title and files at the top, messages, the board with slider and actions, the panel."""

    def __init__(
        self, board: BoardView, panel: ReviewPanel, slider: MarkSlider, action_bar: ActionBar
    ) -> None:
        under = QWidget()
        column = QVBoxLayout(under)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(slider)
        column.addWidget(action_bar)
        under.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        super().__init__("Review", board, panel, action_bar, under)
        self.file_combo = QComboBox()
        self.file_combo.setAccessibleName("Recorded game")
        self.file_combo.setMinimumWidth(120)
        self.file_combo.setMaximumWidth(320)
        self.file_combo.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.file_combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.latest_button, self.open_button = QPushButton("Latest test"), QPushButton("Open")
        self.header.addWidget(self.file_combo, 10)
        for part in (self.file_combo, self.latest_button, self.open_button):
            part.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for button in (self.latest_button, self.open_button):
            self.header.addWidget(button)
        self.banners = BannerStack()
        holder = QWidget()
        row = QVBoxLayout(holder)
        row.setContentsMargins(MARGIN, 0, MARGIN, 0)
        row.addWidget(self.banners)
        self.column.insertWidget(1, holder)
        self.invitation = Notice()
        self.stack.addWidget(_centered(self.invitation))

    def invite(self, wanted: bool) -> None:
        """Show the invitation to open a game in place of the board, or take it away."""
        self.stack.setCurrentIndex(1 if wanted else 0)
        self.file_combo.setVisible(self.file_combo.count() > 0)


class DropHint(QWidget):
    """What covers the page while a file is dragged over it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._page = theme, parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        self._theme = theme

    def cover(self) -> None:
        """Show it over the whole page."""
        self.setGeometry(self._page.rect())
        self.raise_()
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw a dashed frame and what dropping does."""
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(0.88)
        painter.fillRect(self.rect(), theme.background)
        painter.setOpacity(1)
        painter.setPen(QPen(theme.accent, 2, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(16, 16, -16, -16), 10, 10)
        font = painter.font()
        font.setPixelSize(STRONG)
        painter.setFont(font)
        painter.setPen(theme.text)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "Drop the file to review it")


def _centered(notice: Notice) -> QWidget:
    notice.setMaximumWidth(_INVITATION_PX)
    notice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
    area = QWidget()
    row = QHBoxLayout(area)
    row.setContentsMargins(MARGIN, 0, MARGIN, 64)
    row.addStretch()
    row.addWidget(notice, 100)
    row.addStretch()
    return area
