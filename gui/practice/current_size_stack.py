"""A stack that is as tall as what it shows, not as the tallest thing in it."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget


class CurrentSizeStack(QStackedWidget):
    """One of several widgets, with its height."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the size of the widget in front."""
        widget = self.currentWidget()
        return widget.sizeHint() if widget else super().sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the least size of the widget in front."""
        widget = self.currentWidget()
        return widget.minimumSizeHint() if widget else super().minimumSizeHint()
