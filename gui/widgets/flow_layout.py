"""A layout that puts widgets side by side and starts a new row when one is full."""

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QWidget

from gui.widgets.row_layout import RowLayout


class FlowLayout(RowLayout):
    """Widgets in rows.

    Parameters
    ----------
    space : int
        Pixels between neighbors.
    column_width : int
        0: each widget has its own width. Otherwise all get the same width, at least this,
        so that whole columns fill the row.
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
