"""Two parts side by side, or stacked if there is no room for that."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.style.layout import placed, row, stack


class Beside(QWidget):
    """A part of fixed size, and one that takes the rest: side by side from a width on."""

    def __init__(self, fixed: QWidget, flexible: QWidget, stacks_below: int) -> None:
        super().__init__()
        self._stacks_below = stacks_below
        self._fixed, self._flexible = fixed, flexible
        self._box = row(
            placed(fixed, align=Qt.AlignmentFlag.AlignTop),
            placed(flexible, stretch=1),
            space=16,
            parent=self,
        )

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        width = max(self._fixed.minimumSizeHint().width(), self._flexible.minimumSizeHint().width())
        return QSize(
            min(width, super().minimumSizeHint().width()), self._box.minimumSize().height()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        stack(self._box, event.size().width() < self._stacks_below)
