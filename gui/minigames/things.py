"""The things of minigames, drawn from shapes in the colors of the theme: on boards and covers."""

import math
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPolygonF

from gui.board.board_paint import mixed
from gui.style.theme import Theme, resized

LINE, FINE = 3.0, 1.8  # line widths: of objects, and of details in them
_RADIUS = 0.14  # of a tile's side
_SIDE = 100
Points = Sequence[tuple[float, float]]


class Sheet:
    """Drawing primitives on a ground of one color."""

    def __init__(self, painter: QPainter, theme: Theme, ground: QColor) -> None:
        self.painter, self.theme, self.ground = painter, theme, ground
        self.ink = mixed(theme.text, self.ground, 0.12)
        self.paper = theme.raised
        self.cell_color = mixed(self.ground, theme.text, 0.11)

    def fill(self, color: QColor) -> None:
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(color)

    def pen(self, color: QColor, width: float = LINE) -> None:
        cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
        self.painter.setPen(QPen(color, width, Qt.PenStyle.SolidLine, cap, join))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def box(self, x: float, y: float, side: float, color: QColor) -> QRectF:
        rect = QRectF(x, y, side, side)
        self.fill(color)
        self.painter.drawRoundedRect(rect, side * _RADIUS, side * _RADIUS)
        return rect

    def tile(self, x: float, y: float, side: float, exponent: int) -> QRectF:
        color = self.theme.tile_colors(exponent)[0] if exponent else self.cell_color
        return self.box(x, y, side, color)

    def sign(self, rect: QRectF, text: str, exponent: int, share: float = 0.62) -> None:
        self.painter.setPen(self.theme.tile_colors(exponent)[1])
        self.write(rect, text, max(1, round(rect.height() * share)))

    def write(self, rect: QRectF, text: str, pixels: int) -> None:
        self.painter.setFont(resized(self.painter.font(), pixels, QFont.Weight.Bold))
        self.painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)

    def grid(
        self, x: float, y: float, side: float, gap: float, rows: Sequence[Sequence[int | None]]
    ) -> None:
        """Draw rows of tiles; 0 is an empty cell, None nothing at all."""
        for i, row in enumerate(rows):
            for j, exponent in enumerate(row):
                if exponent is not None:
                    self.tile(x + j * (side + gap), y + i * (side + gap), side, exponent)

    def line(self, points: Points) -> None:
        self.painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))

    def shape(self, points: Points) -> None:
        self.painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))

    def disc(self, x: float, y: float, radius: float) -> None:
        self.painter.drawEllipse(QPointF(x, y), radius, radius)

    def arrow(self, x: float, y: float, angle: float, size: float = 5) -> None:
        """Draw the head of an arrow; `angle` in degrees, 0 points right, 90 down."""
        turn = math.radians(angle)
        ends = []
        for side in (-1, 1):
            wing = turn + math.pi - side * math.radians(42)
            ends.append((x + size * 1.25 * math.cos(wing), y + size * 1.25 * math.sin(wing)))
        self.line([ends[0], (x, y), ends[1]])

    def arc(self, x: float, y: float, radius: float, start: float, end: float) -> None:
        """Draw a part of a circle clockwise, with an arrow at its end; degrees as in `arrow`."""
        square = QRectF(x - radius, y - radius, 2 * radius, 2 * radius)
        self.painter.drawArc(square, round(-start * 16), round((start - end) * 16))
        turn = math.radians(end)
        self.arrow(x + radius * math.cos(turn), y + radius * math.sin(turn), end + 84)


def portal(sheet: Sheet, x: float, y: float, radius: float) -> None:
    sheet.fill(sheet.ground)
    sheet.painter.drawEllipse(QPointF(x, y), radius * 0.84, radius * 1.16)
    for share, color in (
        (1.0, sheet.theme.accent),
        (0.74, mixed(sheet.theme.accent, sheet.paper, 0.45)),
        (0.48, mixed(sheet.theme.accent, sheet.ink, 0.55)),
    ):
        sheet.fill(color)
        sheet.painter.drawEllipse(QPointF(x, y), radius * 0.72 * share, radius * share)
    sheet.pen(sheet.ink, min(LINE, radius * 0.17))
    sheet.painter.drawEllipse(QPointF(x, y), radius * 0.72, radius)


def divider(sheet: Sheet, x: float, y: float, radius: float) -> None:
    sheet.pen(sheet.ink)
    sheet.painter.setBrush(sheet.paper)
    sheet.disc(x, y, radius)
    sheet.pen(sheet.ink, radius * 0.2)
    sheet.line([(x - radius * 0.48, y), (x + radius * 0.48, y)])
    sheet.fill(sheet.ink)
    for side in (-1, 1):
        sheet.disc(x, y + side * radius * 0.42, radius * 0.14)


def bomb(sheet: Sheet, x: float, y: float, radius: float) -> None:
    dark = mixed(sheet.theme.text if not sheet.theme.is_dark else sheet.theme.board, sheet.ink, 0.1)
    neck = radius * 0.36
    fuse = QPainterPath(QPointF(x + radius * 0.6, y - radius * 0.82))
    fuse.quadTo(
        QPointF(x + radius * 0.85, y - radius * 1.35), QPointF(x + radius * 1.2, y - radius * 1.05)
    )
    sheet.pen(sheet.ink)
    sheet.painter.drawPath(fuse)
    sheet.painter.save()
    sheet.painter.translate(x, y)
    sheet.painter.rotate(36)
    sheet.painter.setBrush(dark)
    sheet.painter.drawRoundedRect(QRectF(-neck, -radius * 1.2, 2 * neck, radius * 0.5), 2, 2)
    sheet.painter.restore()
    sheet.painter.setBrush(dark)
    sheet.disc(x, y, radius)
    shine = QRectF(x - radius * 0.62, y - radius * 0.62, radius * 1.24, radius * 1.24)
    sheet.pen(mixed(dark, QColor("white"), 0.55), radius * 0.13)
    sheet.painter.drawArc(shine, 115 * 16, 55 * 16)
    sheet.pen(sheet.theme.warning, radius * 0.13)
    for spoke in range(5):
        turn = math.radians(-100 + 50 * spoke)
        cx, cy = x + radius * 1.28, y - radius * 1.0
        near, far = radius * 0.2, radius * 0.44
        dx, dy = math.cos(turn), math.sin(turn)
        sheet.line([(cx + near * dx, cy + near * dy), (cx + far * dx, cy + far * dy)])


def gift(sheet: Sheet, x: float, y: float, half: float) -> None:
    wrap, ribbon = sheet.theme.tile_colors(7)[0], sheet.theme.accent
    body = QRectF(x - half * 0.88, y - half * 0.35, half * 1.76, half * 1.35)
    lid = QRectF(x - half, y - half * 0.72, 2 * half, half * 0.5)
    width = half * 0.36
    for rect in (body, lid):
        sheet.fill(wrap)
        sheet.painter.drawRoundedRect(rect, 2.5, 2.5)
        sheet.fill(ribbon)
        sheet.painter.drawRect(QRectF(x - width / 2, rect.top(), width, rect.height()))
        sheet.pen(sheet.ink, min(LINE, half * 0.13))
        sheet.painter.drawRoundedRect(rect, 2.5, 2.5)
    for side in (-1, 1):
        bow = QPainterPath(QPointF(x, lid.top()))
        bow.cubicTo(
            QPointF(x + side * half * 0.2, lid.top() - half * 0.75),
            QPointF(x + side * half * 0.95, lid.top() - half * 0.6),
            QPointF(x, lid.top()),
        )
        sheet.painter.setBrush(ribbon)
        sheet.painter.drawPath(bow)


def target(sheet: Sheet, x: float, y: float, radius: float) -> None:
    """Draw the sights on a cell that will be struck."""
    for color, width in ((sheet.paper, 2.4 * LINE), (sheet.theme.bad, LINE)):
        sheet.pen(color, width)
        sheet.disc(x, y, radius)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            near, far = radius * 0.5, radius * 1.35
            sheet.line([(x + near * dx, y + near * dy), (x + far * dx, y + far * dy)])
    sheet.fill(sheet.theme.bad)
    sheet.disc(x, y, LINE)


_THINGS: Mapping[str, tuple[Callable[[Sheet, float, float, float], None], float, float]] = {
    "portal": (portal, 50, 37),
    "bomb": (bomb, 56, 26),
    "factorizer": (divider, 50, 28),
    "gift": (gift, 57, 32),
    "target": (target, 50, 30),
}
"""How things are drawn in a cell of 100 units: the function, the middle's y, the radius."""


def draw_thing(painter: QPainter, rect: QRectF, theme: Theme, kind: str, ground: QColor) -> None:
    draw, y, radius = _THINGS[kind]
    painter.save()
    painter.translate(rect.topLeft())
    painter.scale(rect.width() / _SIDE, rect.width() / _SIDE)
    draw(Sheet(painter, theme, ground), _SIDE / 2, y, radius)
    painter.restore()
