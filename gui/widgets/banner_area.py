"""The messages of a page, in a place of their own where they move nothing else."""

from PySide6.QtCore import QEvent, QMargins, QObject, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy

from gui.widgets.banner import BannerStack


class BannerArea(QScrollArea):
    """An area as high as its messages and hidden without any; too many of them scroll.

    Parameters
    ----------
    banners : BannerStack
    """

    def __init__(self, banners: BannerStack) -> None:
        super().__init__()
        self._banners, self._width, self._most_px = banners, 0, 0
        # What it holds has had another width before, which must not widen its neighbors.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        is_shown = not banners.isHidden()
        self.setWidget(banners)  # which shows it, and has this area see its events
        banners.setVisible(is_shown)
        banners.setAutoFillBackground(False)
        self.hide()

    def fit(self, width: int, most_px: int, margins: QMargins) -> None:
        """Take a width, and as much height as the messages need there; not more than `most_px`."""
        self._width, self._most_px = width, most_px
        self.setViewportMargins(margins)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Follow the messages: one has come or gone, or its text needs more lines."""
        changes = (QEvent.Type.LayoutRequest, QEvent.Type.ShowToParent, QEvent.Type.HideToParent)
        if watched is self._banners and event.type() in changes:
            self._follow()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        if not self._width:  # in no page yet, it would be a window
            return
        around, banners = self.viewportMargins(), self._banners
        width = self._width - around.left() - around.right()
        above_below = around.top() + around.bottom()
        height = banners.heightForWidth(width)
        if height + above_below > self._most_px:
            width -= self.verticalScrollBar().sizeHint().width()
            height = banners.heightForWidth(width)
        banners.resize(width, height)  # not by itself: it would take its least height for any width
        self.setFixedHeight(max(0, min(height + above_below, self._most_px)))
        self.setVisible(not banners.isHidden())
