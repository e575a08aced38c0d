"""How a board looks: tiles, walls, locks and arrows drawn with a QPainter. No widget, no state."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QTransform,
)

from gui.style.color_schemes import contrast, readable_ink
from gui.style.palette_check import distance
from gui.style.theme import Theme, TileLook

_TEXT_HEIGHT = {1: 0.46, 2: 0.43, 3: 0.36, 4: 0.29, 5: 0.235, 6: 0.20}  # of the cell, by digits
LOCKED_APART = 0.05
"""The least distance in OKLab of a locked tile from a 2, a 4 and an empty cell."""
LOCKED_CONTRAST = 1.3
"""The least contrast of a locked tile with the board around it."""
_WIDEST = 0.94  # of the cell, for any figure
GLOWS_FROM = 7
"""The exponent of the smallest tile that glows when it is made: 128."""
_LOCKED_TINTS, _LOCKED_INK = range(10, 102, 2), 0.82  # percent of the tint; a share of the ink
_PALE = 0.3  # the share of the accent in white that is the tint on a light board
_TURNED = (180.0, 0.0, 270.0, 90.0)  # degrees from "right", in the order LEFT RIGHT UP DOWN


@dataclass(frozen=True)
class Grid:
    """Where the cells of a square board are, in whole device pixels so that edges stay crisp."""

    left: float
    top: float
    side: float
    gap: float
    cell: float

    @classmethod
    def fit(cls, width: float, height: float, ratio: float) -> "Grid":
        """Return the largest grid centered in a widget; `ratio` is its device pixel ratio."""
        room = min(width, height)
        gap = max(1.0, round(room * 0.022 * ratio)) / ratio
        cell = max(1.0, int((room - 5 * gap) / 4 * ratio)) / ratio
        side = 4 * cell + 5 * gap
        left = max(0, int((width - side) / 2 * ratio)) / ratio
        top = max(0, int((height - side) / 2 * ratio)) / ratio
        return cls(left, top, side, gap, cell)

    @property
    def frame(self) -> QRectF:
        return QRectF(self.left, self.top, self.side, self.side)

    def corner(self, cell: int) -> QPointF:
        row, column = divmod(cell, 4)
        step = self.cell + self.gap
        return QPointF(self.left + self.gap + column * step, self.top + self.gap + row * step)

    def rect(self, cell: int) -> QRectF:
        corner = self.corner(cell)
        return QRectF(corner.x(), corner.y(), self.cell, self.cell)

    def cell_at(self, point: QPointF) -> int | None:
        return next((cell for cell in range(16) if self.rect(cell).contains(point)), None)


def mixed(first: QColor, second: QColor, share: float) -> QColor:
    """Return `first` with a share of `second` in it."""
    rest = 1 - share
    return QColor.fromRgbF(
        first.redF() * rest + second.redF() * share,
        first.greenF() * rest + second.greenF() * share,
        first.blueF() * rest + second.blueF() * share,
    )


def draw_ground(painter: QPainter, grid: Grid, theme: Theme, walls: Iterable[int]) -> None:
    walls = frozenset(walls)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.board)
    corner = theme.look.frame_radius(grid.gap)
    painter.drawRoundedRect(grid.frame, corner, corner)
    painter.setBrush(theme.empty_cell)
    radius = theme.look.radius(grid.cell)
    for cell in range(16):
        if cell not in walls:
            painter.drawRoundedRect(grid.rect(cell), radius, radius)
    if walls:
        _draw_walls(painter, grid, theme, walls)


def _draw_walls(painter: QPainter, grid: Grid, theme: Theme, walls: frozenset[int]) -> None:
    # One hatched mass without seams: a wall is the ground itself, not a row of tiles.
    mass = QPainterPath()
    mass.setFillRule(Qt.FillRule.WindingFill)
    half = grid.gap / 2
    for cell in walls:
        mass.addRect(grid.rect(cell).adjusted(-half, -half, half, half))
    inside = QPainterPath()
    corner = theme.look.frame_radius(grid.gap)
    inside.addRoundedRect(grid.frame, corner, corner)
    painter.save()
    painter.setClipPath(mass.simplified().intersected(inside))
    painter.setPen(QPen(mixed(theme.board, theme.text, 0.16), max(1.0, grid.cell * 0.018)))
    spacing = grid.cell * 0.14
    frame = grid.frame
    for i in range(-int(grid.side / spacing) - 1, int(grid.side / spacing) + 1):
        x = frame.left() + i * spacing
        painter.drawLine(QPointF(x, frame.bottom()), QPointF(x + grid.side, frame.top()))
    painter.restore()


def locked_colors(theme: Theme) -> tuple[QColor, QColor]:
    """Return `(fill, figure)` of a locked tile: a breath of the accent on the empty cells.

    It never draws the eye first: it is the faintest one that all around it can be told from, and
    lighter than the board, as the small tiles are.
    """
    small = (theme.tile_colors(exponent)[0].name() for exponent in (1, 2))
    tint = theme.accent if theme.is_dark else mixed(QColor("white"), theme.accent, _PALE)
    fill = QColor(_locked_fill(theme.board.name(), theme.empty_cell.name(), tint.name(), *small))
    return fill, mixed(fill, QColor(readable_ink(fill.name())), _LOCKED_INK)


@lru_cache(maxsize=64)
def _locked_fill(board: str, empty_cell: str, tint: str, *small: str) -> str:
    for percent in _LOCKED_TINTS:
        fill = mixed(QColor(empty_cell), QColor(tint), percent / 100).name()
        apart = min(distance(fill, other) for other in (empty_cell, *small))
        if apart >= LOCKED_APART and contrast(fill, board) >= LOCKED_CONTRAST:
            break
    return fill


def draw_tile(
    painter: QPainter,
    rect: QRectF,
    exponent: int,
    theme: Theme,
    label: str,
    is_quiet: bool = False,
    locked: bool = False,
) -> None:
    """Draw one tile; a quiet one is dimmed towards the board, a locked one wears a small lock."""
    fill, text = locked_colors(theme) if is_quiet else theme.tile_colors(exponent)
    radius = theme.look.radius(rect.width())
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawRoundedRect(rect, radius, radius)
    painter.setFont(figure_font(painter.font(), rect.width(), label, theme.look))
    painter.setPen(text)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, label)
    if locked:
        _draw_lock(painter, rect, text)


def figure_font(usual: QFont, side: float, label: str, look: TileLook) -> QFont:
    """Return the font of a figure on a tile: as chosen, but never wider than the tile."""
    font = QFont(usual)
    font.setWeight(QFont.Weight.Bold)
    height = side * _TEXT_HEIGHT.get(len(label), 0.17) * look.scale
    font.setPixelSize(max(6, int(height)))
    if look.family:
        font.setFamilies([look.family, *usual.families()])
    if look.family or look.scale > 1:  # the usual font is known to fit
        width = QFontMetricsF(font).horizontalAdvance(label)
        if width > side * _WIDEST:
            font.setPixelSize(max(6, int(height * side * _WIDEST / width)))
    return font


def draw_glow(
    painter: QPainter, rect: QRectF, theme: Theme, exponent: int, gap: float, way: float
) -> None:
    """Let a tile that has just merged shine into the gaps around it; `way` from 0 to 1 ends it.

    The larger the tile, the brighter; small ones merge all the time and do not shine at all.
    """
    if not theme.look.glows or exponent < GLOWS_FROM or not 0 <= way < 1:
        return
    strength = min(1.0, 0.55 + 0.09 * (exponent - GLOWS_FROM)) * (1 - way)
    radius = theme.look.radius(rect.width())
    shine = QColor("#ffffff")
    shine.setAlphaF(0.4 * strength)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(shine)
    painter.drawRoundedRect(rect, radius, radius)
    color = QColor(theme.tile_colors(exponent)[0])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for share in (0.25, 0.5, 0.75):
        color.setAlphaF(strength * (1.1 - share))
        painter.setPen(QPen(color, gap * 0.3))
        out = gap * share
        painter.drawRoundedRect(rect.adjusted(-out, -out, out, out), radius + out, radius + out)


def _draw_lock(painter: QPainter, tile: QRectF, color: QColor) -> None:
    width = tile.width() * 0.105
    body = QRectF(
        tile.right() - tile.width() * 0.09 - width,
        tile.top() + tile.width() * 0.15,
        width,
        width * 0.8,
    )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(body, width * 0.16, width * 0.16)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, width * 0.16))
    shackle = QRectF(
        body.left() + width * 0.2, body.top() - width * 0.48, width * 0.6, width * 0.96
    )
    painter.drawArc(shackle, 0, 180 * 16)


def draw_arrow(
    painter: QPainter, grid: Grid, theme: Theme, direction: int, strength: float
) -> None:
    """Draw the hint arrow between the figures; `strength` in [0, 1]: how much better the move is.

    A thick shaft or a wide head would lie over the numbers of the four cells in the middle.
    """
    shaft = grid.side * (0.012 + 0.02 * min(1.0, max(0.0, strength)))
    head, length = shaft / 2 + grid.side * 0.045, grid.side * 0.52
    tip, tail, neck = length / 2, -length / 2, length / 2 - head * 0.85
    outline = QPolygonF(
        [
            QPointF(tail, -shaft / 2),
            QPointF(neck, -shaft / 2),
            QPointF(neck, -head),
            QPointF(tip, 0),
            QPointF(neck, head),
            QPointF(neck, shaft / 2),
            QPointF(tail, shaft / 2),
        ]
    )
    place = QTransform()
    place.translate(grid.frame.center().x(), grid.frame.center().y())
    place.rotate(_TURNED[direction])
    fill = QColor(theme.best_move)
    fill.setAlphaF(0.45)  # the numbers below stay legible
    painter.setBrush(fill)
    # A rim in the surface color keeps the arrow readable on a tile of its own hue.
    painter.setPen(
        QPen(
            theme.surface,
            max(1.5, grid.side * 0.006),
            Qt.PenStyle.SolidLine,
            Qt.PenCapStyle.RoundCap,
            Qt.PenJoinStyle.RoundJoin,
        )
    )
    painter.drawPolygon(place.map(outline))


def draw_cursor(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    width = max(2.0, rect.width() * 0.035)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.focus, width))
    radius = theme.look.radius(rect.width())
    painter.drawRoundedRect(rect.adjusted(width, width, -width, -width), radius, radius)


def draw_doubt(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    width = max(2.0, rect.width() * 0.05)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    radius = theme.look.radius(rect.width())
    frame = rect.adjusted(width, width, -width, -width)
    # On a rim in the surface color the dashes show on tiles of any color.
    painter.setPen(QPen(theme.surface, width * 1.6))
    painter.drawRoundedRect(frame, radius, radius)
    painter.setPen(QPen(theme.warning, width, Qt.PenStyle.DashLine))
    painter.drawRoundedRect(frame, radius, radius)


def ease_out(way: float) -> float:
    return 1 - (1 - way) ** 3


def pop(way: float) -> float:
    """Return the scale of a merged tile: a swell of 10 % and back."""
    return 1 + 0.10 * 4 * way * (1 - way)
