"""Painting the cells of minigames, layer by layer. No widget, no state."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen

from gui.board.board_paint import draw_tile, mixed
from gui.minigames.things import draw_thing
from gui.style.color_schemes import readable_ink
from gui.style.theme import Theme, resized
from minigames.view import CellView

_GAP_SHARE = 0.022  # share of the available size
_ICE = QColor("#9fd3ee")
_DEEP_ICE = QColor("#2b7aa3")
_LINE, _ROUND = Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap
_THOUSAND = 10_000  # goals from here on are shown in thousands


@dataclass(frozen=True)
class BoardGrid:
    """Rows and columns of square cells."""

    n_rows: int
    n_columns: int
    left: float
    top: float
    gap: float
    cell: float

    @classmethod
    def fit(
        cls, n_rows: int, n_columns: int, width: float, height: float, ratio: float
    ) -> "BoardGrid":
        """Return the largest grid centered in a widget; `ratio` is its device pixel ratio."""
        gap = max(1.0, round(min(width, height) * _GAP_SHARE * ratio)) / ratio
        cell = min(
            (width - (n_columns + 1) * gap) / n_columns, (height - (n_rows + 1) * gap) / n_rows
        )
        cell = max(1.0, int(cell * ratio)) / ratio
        used = (n_columns * (cell + gap) + gap, n_rows * (cell + gap) + gap)
        left, top = (
            max(0, int((room - size) / 2 * ratio)) / ratio
            for room, size in zip((width, height), used, strict=True)
        )
        return cls(n_rows, n_columns, left, top, gap, cell)

    @property
    def n_cells(self) -> int:
        return self.n_rows * self.n_columns

    @property
    def frame(self) -> QRectF:
        step = self.cell + self.gap
        return QRectF(
            self.left, self.top, self.n_columns * step + self.gap, self.n_rows * step + self.gap
        )

    def rect(self, cell: int) -> QRectF:
        row, column = divmod(cell, self.n_columns)
        step = self.cell + self.gap
        corner = QPointF(self.left + self.gap + column * step, self.top + self.gap + row * step)
        return QRectF(corner.x(), corner.y(), self.cell, self.cell)

    def block(self, cell: int, span: int) -> QRectF:
        last = cell + (span - 1) * (self.n_columns + 1)
        return self.rect(cell).united(self.rect(last))


def draw_board(painter: QPainter, grid: BoardGrid, theme: Theme, holes: Iterable[int]) -> None:
    """Draw the frame and the floor; a board with holes has the shape of its cells."""
    holes = frozenset(holes)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.board)
    if not holes:
        corner = theme.look.frame_radius(grid.gap)
        painter.drawRoundedRect(grid.frame, corner, corner)
    else:
        ground = QPainterPath()
        ground.setFillRule(Qt.FillRule.WindingFill)
        for cell in range(grid.n_cells):
            if cell not in holes:
                _add_ground(ground, grid, cell, holes)
        painter.drawPath(ground.simplified())
    painter.setBrush(theme.empty_cell)
    radius = theme.look.radius(grid.cell)
    for cell in range(grid.n_cells):
        if cell not in holes:
            painter.drawRoundedRect(grid.rect(cell), radius, radius)


def _add_ground(ground: QPainterPath, grid: BoardGrid, cell: int, holes: frozenset[int]) -> None:
    """Add a cell with its margin, and the gaps to its right and lower neighbors."""
    margin = grid.gap
    square = grid.rect(cell).adjusted(-margin, -margin, margin, margin)
    ground.addRoundedRect(square, margin, margin)
    row, column = divmod(cell, grid.n_columns)
    nexts = [cell + 1] * (column + 1 < grid.n_columns)
    nexts += [cell + grid.n_columns] * (row + 1 < grid.n_rows)
    for other in nexts:
        if other not in holes:
            beside = grid.rect(other).adjusted(-margin, -margin, margin, margin)
            both = square.united(beside)
            if other == cell + 1:
                both.adjust(2 * margin, 0, -2 * margin, 0)
            else:
                both.adjust(0, 2 * margin, 0, -2 * margin)
            ground.addRect(both)


def draw_face(painter: QPainter, rect: QRectF, theme: Theme, seen: CellView) -> None:
    """Draw the content of a cell, with its cover; nothing for an empty one."""
    if seen.face == "frozen" and seen.exponent is not None:
        _draw_frozen(painter, rect, theme, seen.exponent)
    elif seen.exponent is not None:
        draw_tile(painter, rect, seen.exponent, theme, str(1 << seen.exponent))
        if seen.ice:
            _draw_ice(painter, rect, theme, seen.ice)
    elif seen.face == "hidden":
        _draw_hidden(painter, rect, theme)
    elif seen.face == "portal":
        _draw_thing(painter, rect, theme, "portal")
    elif seen.face == "crater":
        _draw_crater(painter, rect, theme, seen)
    if seen.object:
        _draw_thing(painter, rect, theme, seen.object)


def draw_marks(painter: QPainter, rect: QRectF, theme: Theme, seen: CellView) -> None:
    if seen.goal is not None:
        _draw_goal(painter, rect, theme, seen)
    if seen.is_marked:
        draw_thing(painter, rect, theme, "target", theme.empty_cell)


def _draw_hidden(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    fill = mixed(theme.board, theme.text, 0.28)
    _fill(painter, rect, theme, fill)
    _write(painter, rect, "?", 0.46, QColor(readable_ink(fill.name())))


def _draw_crater(painter: QPainter, rect: QRectF, theme: Theme, seen: CellView) -> None:
    _fill(painter, rect, theme, mixed(theme.board, theme.text, 0.25))
    rim = QPainterPath()
    center, n = rect.center(), 11
    for i in range(n + 1):
        reach = rect.width() * (0.4 if i % 2 else 0.33)
        angle = 2 * math.pi * (i % n) / n
        point = center + QPointF(math.cos(angle), math.sin(angle)) * reach
        (rim.lineTo if i else rim.moveTo)(point)
    painter.setBrush(mixed(theme.board, theme.text, 0.4 if seen.is_old else 0.62))
    painter.drawPath(rim)
    painter.setBrush(mixed(theme.board, theme.text, 0.55 if seen.is_old else 0.85))
    painter.drawEllipse(center, rect.width() * 0.25, rect.width() * 0.22)
    _write(painter, rect, str(seen.crater_left), 0.2, theme.surface)


def _draw_ice(painter: QPainter, rect: QRectF, theme: Theme, stage: int) -> None:
    painter.save()
    clip = QPainterPath()
    radius = theme.look.radius(rect.width())
    clip.addRoundedRect(rect, radius, radius)
    painter.setClipPath(clip)
    frost = QColor(_ICE)
    frost.setAlphaF(0.30 + 0.05 * stage)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frost)
    reach = rect.width() * (0.10 + 0.085 * stage)
    for corner, sign in (
        (rect.topLeft(), (1, 1)),
        (rect.topRight(), (-1, 1)),
        (rect.bottomRight(), (-1, -1)),
        (rect.bottomLeft(), (1, -1)),
    ):
        _draw_shard(painter, corner, reach * sign[0], reach * sign[1])
    _draw_rim(painter, rect, theme, _ICE, rect.width() * (0.024 + 0.012 * stage))
    painter.restore()


def _draw_frozen(painter: QPainter, rect: QRectF, theme: Theme, exponent: int) -> None:
    fill = mixed(theme.tile_colors(exponent)[0], _ICE, 0.6)
    _fill(painter, rect, theme, fill)
    label = str(1 << exponent)
    share = min(0.4, 1.05 / max(2, len(label)))
    _write(painter, rect, label, share, QColor(readable_ink(fill.name())))
    _draw_rim(painter, rect, theme, _DEEP_ICE, rect.width() * 0.06)
    corner = QPointF(rect.right() - rect.width() * 0.17, rect.top() + rect.width() * 0.17)
    _draw_snowflake(painter, corner, rect.width() * 0.1)


def _draw_rim(painter: QPainter, rect: QRectF, theme: Theme, color: QColor, width: float) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, width))
    half = width / 2
    inner = rect.adjusted(half, half, -half, -half)
    radius = theme.look.radius(inner.width())
    painter.drawRoundedRect(inner, radius, radius)


def _draw_shard(painter: QPainter, corner: QPointF, width: float, height: float) -> None:
    shard = QPainterPath(corner)
    shard.lineTo(corner + QPointF(width, 0))
    shard.lineTo(corner + QPointF(width * 0.55, height * 0.35))
    shard.lineTo(corner + QPointF(width * 0.6, height * 0.6))
    shard.lineTo(corner + QPointF(width * 0.35, height * 0.55))
    shard.lineTo(corner + QPointF(0, height))
    shard.closeSubpath()
    painter.drawPath(shard)


def _draw_snowflake(painter: QPainter, center: QPointF, reach: float) -> None:
    painter.setPen(QPen(_DEEP_ICE, reach * 0.2, _LINE, _ROUND))
    for i in range(3):
        angle = math.pi * i / 3
        arm = QPointF(math.cos(angle), math.sin(angle)) * reach
        painter.drawLine(center - arm, center + arm)


def _draw_goal(painter: QPainter, rect: QRectF, theme: Theme, seen: CellView) -> None:
    assert seen.goal is not None
    color = theme.good if seen.meets_goal else theme.text
    width = max(1.5, rect.width() * 0.022)
    style = Qt.PenStyle.SolidLine if seen.meets_goal else Qt.PenStyle.DashLine
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, width, style))
    inner = rect.adjusted(width, width, -width, -width)
    radius = theme.look.radius(inner.width())
    painter.drawRoundedRect(inner, radius, radius)
    value = 1 << seen.goal
    text = f"{value // 1024}k" if value > _THOUSAND else str(value)
    if seen.meets_goal:
        text = "\N{CHECK MARK}"
    height = rect.width() * 0.2
    pixels = max(7, int(height * 0.72))
    painter.setFont(resized(painter.font(), pixels, QFont.Weight.DemiBold))
    wide = painter.fontMetrics().horizontalAdvance(text) + height * 0.6
    badge = QRectF(rect.right() - wide - width, rect.bottom() - height - width, wide, height)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.surface)
    painter.drawRoundedRect(badge, height * 0.3, height * 0.3)
    painter.setPen(color)
    painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)


def _draw_thing(painter: QPainter, rect: QRectF, theme: Theme, kind: str) -> None:
    ground = mixed(theme.empty_cell, theme.accent, 0.2)
    _fill(painter, rect, theme, ground)
    draw_thing(painter, rect, theme, kind, ground)


def _fill(painter: QPainter, rect: QRectF, theme: Theme, color: QColor) -> None:
    radius = theme.look.radius(rect.width())
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(rect, radius, radius)


def _write(painter: QPainter, rect: QRectF, text: str, share: float, color: QColor) -> None:
    pixels = max(6, int(rect.width() * share))
    painter.setFont(resized(painter.font(), pixels, QFont.Weight.Bold))
    painter.setPen(color)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
