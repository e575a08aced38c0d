"""Painting rows of mistakes: the position as a small board, the grade with its shape."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from coach.mistakes.mistake import Mistake
from engine.bitboard import LARGEST_NIBBLE, cells
from gui.board.board_paint import mixed
from gui.board.grade_mark import draw_grade
from gui.style.theme import Theme, app_theme

Index = QModelIndex | QPersistentModelIndex
ROW_PX = 48
_BOARD_PX, _GAP_PX, _MARK_PX, _MARGIN = 40, 1.5, 14, 8


class PositionCell(QStyledItemDelegate):
    """Paints the position of a row."""

    def __init__(self, mistake_at: Callable[[int], Mistake | None]) -> None:
        super().__init__()
        self._mistake_at = mistake_at

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the background of the row, then the board."""
        super().paint(painter, option, index)
        mistake = self._mistake_at(index.row())
        if mistake is None:
            return
        area: QRectF = QRectF(option.rect)
        corner = QPointF(area.left() + _MARGIN, area.center().y() - _BOARD_PX / 2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_little_board(painter, corner, mistake.board, app_theme())
        painter.restore()

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:  # noqa: N802
        """Return room for the board."""
        return QSize(_BOARD_PX + 2 * _MARGIN, ROW_PX)


class GradeCell(QStyledItemDelegate):
    """Paints the shape of the grade before its name."""

    def __init__(self, mistake_at: Callable[[int], Mistake | None]) -> None:
        super().__init__()
        self._mistake_at = mistake_at

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: N802
        """Reserve space for the shape."""
        super().initStyleOption(option, index)
        option.decorationSize = QSize(_MARK_PX + 4, _MARK_PX)
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the name, then the shape."""
        super().paint(painter, option, index)
        mistake = self._mistake_at(index.row())
        if mistake is None:
            return
        self.initStyleOption(option, index)
        style, part = option.widget.style(), QStyle.SubElement.SE_ItemViewItemDecoration
        place = QRectF(style.subElementRect(part, option, option.widget))
        square = QRectF(place.left(), place.center().y() - _MARK_PX / 2, _MARK_PX, _MARK_PX)
        draw_grade(painter, square, mistake.grade, app_theme())


def draw_little_board(painter: QPainter, corner: QPointF, board: int, theme: Theme) -> None:
    """Draw a board as sixteen patches of color, 40 px wide."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.board)
    painter.drawRoundedRect(QRectF(corner.x(), corner.y(), _BOARD_PX, _BOARD_PX), 4, 4)
    side = (_BOARD_PX - 5 * _GAP_PX) / 4
    for cell, exponent in enumerate(cells(board)):
        row, column = divmod(cell, 4)
        left = corner.x() + _GAP_PX + column * (side + _GAP_PX)
        top = corner.y() + _GAP_PX + row * (side + _GAP_PX)
        painter.setBrush(_patch_color(exponent, theme))
        painter.drawRoundedRect(QRectF(left, top, side, side), 1.5, 1.5)


def _patch_color(exponent: int, theme: Theme) -> QColor:
    if exponent == 0:
        return theme.empty_cell
    if exponent == LARGEST_NIBBLE:  # large tiles and walls: as dark as the background
        return mixed(theme.board, theme.text, 0.25)
    return theme.tile_colors(exponent)[0]
