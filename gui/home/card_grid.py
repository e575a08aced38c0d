"""A grid of cards: as many columns as fit, rows of equal height, wide cards if there is room."""

from itertools import pairwise

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QLayoutItem, QWidget

from gui.widgets.flow_layout import RowLayout

_MIN_WIDTH, _MAX_COLUMNS, _SPACE = 280, 3, 12


class CardGrid(RowLayout):
    """Cards in rows filled from edge to edge; hidden ones take no space."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, _SPACE)
        self._spans: dict[QWidget, int] = {}

    def add_card(self, card: QWidget, span: int = 1) -> None:
        """Append a card that spans `span` columns if there are that many."""
        self._spans[card] = span
        self.addWidget(card)

    def _arrange(self, rect: QRect, is_trial: bool) -> int:
        space, y = self.spacing(), rect.y()
        seen = [item for item in self._items if not _widget_of(item).isHidden()]
        n_units = sum(self._span(item) for item in seen)
        fitting = (rect.width() + space) // (_MIN_WIDTH + space)
        n_columns = max(1, min(_MAX_COLUMNS, fitting, n_units))
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
