"""The base of layouts in rows: their items, and a height that depends on the width."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class RowLayout(QLayout):
    """Places its items in rows; see `FlowLayout`, and Home's grid of cards.

    Parameters
    ----------
    space : int
        Pixels between neighbors.
    """

    def __init__(self, parent: QWidget | None, space: int) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}  # by width, until something asks for other room
        self.setSpacing(space)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802
        """Append an item."""
        self._items.append(item)
        self.invalidate()

    def count(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        """Return an item, or None."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        """Remove an item and return it."""
        if not 0 <= index < len(self._items):
            return None
        self.invalidate()
        return self._items.pop(index)

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802
        """Return no direction: nothing expands."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Return True: the height depends on the width."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Return the height of all rows at a width; layouts ask again and again."""
        if width not in self._heights:
            self._heights[width] = self._arrange(QRect(0, 0, width, 0), is_trial=True)
        return self._heights[width]

    def invalidate(self) -> None:
        """Clear the cached heights: the layout has changed."""
        self._heights.clear()
        super().invalidate()

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802
        """Place all widgets."""
        super().setGeometry(rect)
        self._arrange(rect, is_trial=False)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the least size."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:  # noqa: N802
        """Return the size of the widest item."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, is_trial: bool) -> int:
        """Place all items, unless it is a trial, and return the height that they take."""
        raise NotImplementedError
