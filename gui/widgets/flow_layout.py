"""A layout that puts widgets side by side and starts a new row when one is full."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class RowLayout(QLayout):
    """Places its items in rows; see `FlowLayout`, and Home's grid of cards."""

    def __init__(self, parent: QWidget | None, space: int) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}  # by width, until something asks for other room
        self.setSpacing(space)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802
        self._items.append(item)
        self.invalidate()

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        if not 0 <= index < len(self._items):
            return None
        self.invalidate()
        return self._items.pop(index)

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Return the height of all rows at a width; layouts ask again and again."""
        if width not in self._heights:
            self._heights[width] = self._arrange(QRect(0, 0, width, 0), is_trial=True)
        return self._heights[width]

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802
        super().setGeometry(rect)
        self._arrange(rect, is_trial=False)

    def sizeHint(self) -> QSize:  # noqa: N802
        return self.minimumSize()

    def minimumSize(self) -> QSize:  # noqa: N802
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, is_trial: bool) -> int:
        """Place all items, unless it is a trial, and return the height that they take."""
        raise NotImplementedError


class FlowLayout(RowLayout):
    """Widgets in rows, each as wide as it likes.

    With a `column_width` all get the same width, at least that, so that whole columns fill the row.
    """

    def __init__(
        self, parent: QWidget | None = None, space: int = 8, column_width: int = 0
    ) -> None:
        super().__init__(parent, space)
        self._column_width = column_width

    def _arrange(self, rect: QRect, is_trial: bool) -> int:
        space, x, y, row_height = self.spacing(), rect.x(), rect.y(), 0
        fixed = self._column(rect.width())
        for item in self._items:
            widget = item.widget()
            if widget and widget.isHidden():
                continue
            hint = item.sizeHint()
            width = fixed or min(hint.width(), max(rect.width(), item.minimumSize().width()))
            height = item.heightForWidth(width) if item.hasHeightForWidth() else hint.height()
            if x > rect.x() and x + width > rect.right() + 1:
                x, y, row_height = rect.x(), y + row_height + space, 0
            if not is_trial:
                item.setGeometry(QRect(QPoint(x, y), QSize(width, height)))
            x += width + space
            row_height = max(row_height, height)
        return y + row_height - rect.y()

    def _column(self, width: int) -> int:
        if not self._column_width:
            return 0
        space = self.spacing()
        columns = max(1, (width + space) // (self._column_width + space))
        return (width - (columns - 1) * space) // columns


def flowing(*widgets: QWidget, space: int = 8, column_width: int = 0) -> QWidget:
    """Return a widget with others side by side, in as many rows as they need."""
    content = QWidget()
    flow = FlowLayout(content, space=space, column_width=column_width)
    for widget in widgets:
        flow.addWidget(widget)
    return content
