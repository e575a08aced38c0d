"""A grid of cards: as many columns as fit, rows of one height, wide cards where there is room."""

from itertools import pairwise

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

_LEAST_WIDTH, _MOST_COLUMNS, _SPACE = 280, 3, 12


class CardGrid(QLayout):
    """Cards in rows that are filled from edge to edge; hidden ones take no room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._spans: dict[QWidget, int] = {}
        self.setSpacing(_SPACE)
        self.setContentsMargins(0, 0, 0, 0)

    def add_card(self, card: QWidget, span: int = 1) -> None:
        """Append a card that takes so many columns where there are as many."""
        self._spans[card] = span
        self.addWidget(card)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802
        """Append an item."""
        self._items.append(item)

    def count(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        """Return an item, or None."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        """Remove an item and return it."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802
        """Return that nothing wants to grow."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Return that the height follows from the width."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Return the height of all rows at a width."""
        return self._arrange(QRect(0, 0, width, 0), is_trial=True)

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802
        """Place all cards."""
        super().setGeometry(rect)
        self._arrange(rect, is_trial=False)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the least size."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:  # noqa: N802
        """Return the size of the widest card."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, is_trial: bool) -> int:
        space, y = self.spacing(), rect.y()
        seen = [item for item in self._items if not _widget_of(item).isHidden()]
        n_units = sum(self._span(item) for item in seen)
        fitting = (rect.width() + space) // (_LEAST_WIDTH + space)
        n_columns = max(1, min(_MOST_COLUMNS, fitting, n_units))
        stride = (rect.width() + space) / n_columns  # whole pixels at both ends of a row
        for row in self._rows(seen, n_columns):
            spans = [min(self._span(item), n_columns) for item in row]
            spans[-1] += n_columns - sum(spans)  # no hole at the end of a row
            edges = [round(sum(spans[:i]) * stride) for i in range(len(spans) + 1)]
            places = [(left, right - left - space) for left, right in pairwise(edges)]
            both = list(zip(row, places, strict=True))
            height = max(_height(item, width) for item, (_, width) in both)
            for item, (left, width) in both:
                if not is_trial:
                    item.setGeometry(QRect(rect.x() + left, y, width, height))
            y += height + space
        return max(0, y - rect.y() - space)

    def _rows(self, seen: list[QLayoutItem], n_columns: int) -> list[list[QLayoutItem]]:
        rows: list[list[QLayoutItem]] = []
        left = 0
        for item in seen:
            span = min(self._span(item), n_columns)
            if span > left:
                rows.append([])
                left = n_columns
            rows[-1].append(item)
            left -= span
        return rows

    def _span(self, item: QLayoutItem) -> int:
        return self._spans.get(_widget_of(item), 1)


def _widget_of(item: QLayoutItem) -> QWidget:
    widget = item.widget()
    assert widget
    return widget


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
