"""Little boards: patches without figures in the rows of a table, a picture on a button."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from engine.bitboard import LARGEST_NIBBLE, cells
from gui.board.board_paint import Grid, draw_ground, draw_tile, locked_colors, mixed
from gui.style.theme import Theme, app_theme, smooth_painter

ROW_PX = 48
"""The height of a row with a board."""
_BOARD_PX, _GAP_PX, _MARGIN = 40, 1.5, 8


class BoardCell(QStyledItemDelegate):
    """Paints the position of a row; `board_at` takes its number."""

    def __init__(self, board_at: Callable[[int], int | None]) -> None:
        super().__init__()
        self._board_at = board_at

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        board = self._board_at(index.row())
        if board is None:
            return
        area = QRectF(option.rect)
        corner = QPointF(area.left() + _MARGIN, area.center().y() - _BOARD_PX / 2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _draw_patches(painter, corner, board, app_theme())
        painter.restore()

    def sizeHint(  # noqa: N802
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(_BOARD_PX + 2 * _MARGIN, ROW_PX)


def board_picture(board: int, side: int, ratio: float, walls: bool = False) -> QPixmap:
    """Return a picture of a position with its figures; `ratio` is the device pixel ratio."""
    picture = QPixmap(round(side * ratio), round(side * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter, theme, grid = smooth_painter(picture), app_theme(), Grid.fit(side, side, ratio)
    exponents = dict(enumerate(cells(board)))
    large = [cell for cell in exponents if exponents[cell] == LARGEST_NIBBLE]
    draw_ground(painter, grid, theme, large if walls else ())
    for cell, exponent in exponents.items():
        if exponent and cell not in large:
            draw_tile(painter, grid.rect(cell), exponent, theme, str(1 << exponent))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(locked_colors(theme)[0])
    radius = theme.look.radius(grid.cell)
    for cell in () if walls else large:
        painter.drawRoundedRect(grid.rect(cell), radius, radius)
    painter.end()
    return picture


def _draw_patches(painter: QPainter, corner: QPointF, board: int, theme: Theme) -> None:
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
