"""The picture of each minigame, drawn from shapes in the colors of the theme. No widget, no state.

All of them are drawn on a sheet of 160 x 100 units that is scaled to the size asked for: a few
tiles without numbers, and one object that shows what the game is about.
"""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from gui.board.board_paint import mixed
from gui.minigames.things import FINE, LINE, Sheet, bomb, divider, gift, portal, target
from gui.style.theme import Theme
from minigames.families.permutations import ring
from minigames.parameters import FIRST_LEVEL, PATTERNS

WIDTH, HEIGHT = 160, 100
_MIDDLE = QPointF(WIDTH / 2, HEIGHT / 2)


def draw_cover(painter: QPainter, rect: QRectF, game: str, theme: Theme) -> None:
    """Draw the picture of a game so that it fills a rectangle; the painter's state is restored."""
    hue, draw = _COVERS[game]
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    tint = theme.tile_colors(hue)[0]
    sheet = Sheet(painter, theme, mixed(theme.surface, tint, 0.30 if theme.is_dark else 0.26))
    painter.fillRect(rect, sheet.ground)
    scale = min(rect.width() / WIDTH, rect.height() / HEIGHT)
    painter.translate(rect.center())
    painter.scale(scale, scale)
    painter.translate(-_MIDDLE)
    draw(sheet, game)
    painter.restore()


def _blitzkrieg(sheet: Sheet, _game: str) -> None:
    sheet.grid(16, 18, 30, 4, ((3, 6, None), (5, 8, None)))
    sheet.grid(118, 18, 30, 4, ((4,), (7,)))
    x, y, radius = 91, 54, 32
    sheet.fill(sheet.ink)
    sheet.painter.drawRoundedRect(QRectF(x - 7, y - radius - 14, 14, 6), 2, 2)
    sheet.painter.drawRect(QRectF(x - 2.5, y - radius - 9, 5, 8))
    sheet.pen(sheet.ink, 6)
    sheet.line([(x + 24.5, y - 24.5), (x + 26.5, y - 26.5)])
    sheet.fill(sheet.ground)
    sheet.disc(x, y, radius + 3)
    sheet.fill(sheet.paper)
    sheet.disc(x, y, radius)
    face = QRectF(x - radius + 7, y - radius + 7, 2 * radius - 14, 2 * radius - 14)
    sheet.fill(sheet.theme.accent)
    sheet.painter.drawPie(face, 90 * 16, -130 * 16)
    sheet.pen(sheet.ink)
    sheet.disc(x, y, radius)
    turn = math.radians(40)
    sheet.line([(x, y - radius + 8), (x, y), (x + 23 * math.cos(turn), y + 23 * math.sin(turn))])


def _pattern(sheet: Sheet, game: str) -> None:
    side, step = 20, 22
    for i, row in enumerate(PATTERNS[game]):
        for j, offset in enumerate(row):
            exponent = 0 if offset is None else FIRST_LEVEL + offset
            rect = sheet.tile(37 + step * j, 7 + step * i, side, exponent)
            if exponent:
                sheet.sign(rect, str(1 << exponent), exponent, 0.42)


def _columns(sheet: Sheet, _game: str) -> None:
    columns = ((3, 5, 4), (8, 6, 9), (4, 2, 3), (7, 9, 5))
    for j, column in enumerate(columns):
        y = 25 if j in (1, 3) else 31
        sheet.grid(39 + 21 * j, y, 19, 2, [(exponent,) for exponent in column])
    sheet.pen(sheet.ink)
    sheet.line([(69.5, 19), (69.5, 10), (111.5, 10), (111.5, 19)])
    sheet.arrow(69.5, 19, 90)
    sheet.arrow(111.5, 19, 90)


def _last_merge(sheet: Sheet, _game: str) -> None:
    for i in range(2):
        for j in range(3):
            if (i, j) != (1, 1):
                sheet.sign(sheet.tile(28 + 37 * j, 14 + 37 * i, 34, 3), "?", 3)
    seen = sheet.tile(62, 48, 40, 9)
    sheet.pen(sheet.ink)
    sheet.painter.drawRoundedRect(seen, 5.6, 5.6)
    _eye(sheet, 82, 68, sheet.theme.tile_colors(9)[1])


def _eye(sheet: Sheet, x: float, y: float, color: QColor) -> None:
    path = QPainterPath(QPointF(x - 13, y))
    path.quadTo(QPointF(x, y - 17), QPointF(x + 13, y))
    path.quadTo(QPointF(x, y + 17), QPointF(x - 13, y))
    sheet.pen(color, LINE)
    sheet.painter.drawPath(path)
    sheet.fill(color)
    sheet.disc(x, y, 3.6)


def _face_down(sheet: Sheet, _game: str) -> None:
    sheet.grid(28, 14, 34, 3, ((6, 8, 5), (4, None, 7)))
    rect = sheet.box(62, 48, 40, sheet.paper)
    sheet.pen(sheet.ink)
    sheet.painter.drawRoundedRect(rect, 5.6, 5.6)
    sheet.write(rect, "?", 26)


def _gravity(sheet: Sheet, _game: str) -> None:
    sheet.grid(28, 66, 24, 3, ((5, 3, 6, 4),))
    for j, y, exponent in ((0, 39, 7), (1, 24, 8), (3, 10, 9)):
        x = 28 + 27 * j
        sheet.tile(x, y, 24, exponent)
        if y < 39:
            sheet.pen(sheet.ink, FINE)
            for k in (7, 12, 17):
                sheet.line([(x + k, y - 8), (x + k, y - 4)])
    _fall(sheet)


def _merging_gravity(sheet: Sheet, _game: str) -> None:
    sheet.grid(28, 66, 24, 3, ((5, None, 4, 6),))
    sheet.tile(28 + 81, 39, 24, 3)
    ghost = QColor(sheet.theme.tile_colors(8)[0])
    ghost.setAlphaF(0.45)
    sheet.box(55, 12, 24, ghost)
    sheet.box(55, 28, 24, ghost)
    rect = sheet.tile(52, 60, 30, 9)
    sheet.sign(rect, "+", 9, 0.8)
    sheet.pen(sheet.ink, FINE)
    for x, dx in ((47, -5), (87, 5)):
        for y, dy in ((63, -3), (75, 0), (87, 3)):
            sheet.line([(x, y), (x + dx, y + dy)])
    _fall(sheet)


def _fall(sheet: Sheet) -> None:
    sheet.pen(sheet.ink)
    sheet.line([(145, 16), (145, 84)])
    sheet.arrow(145, 85, 90, 6)
    sheet.pen(sheet.ink, FINE)
    sheet.line([(24, 93), (136, 93)])


def _wheel(sheet: Sheet, _game: str) -> None:
    outer = ring(4, 4)
    for cell in range(16):
        row, column = divmod(cell, 4)
        exponent = outer.index(cell) // 2 + 3 if cell in outer else 0
        sheet.tile(38.5 + 21.5 * column, 8.5 + 21.5 * row, 18.5, exponent)
    sheet.pen(sheet.ink)
    sheet.arc(80, 50, 12, -60, 210)


def _ice(sheet: Sheet, _game: str) -> None:
    sheet.grid(28, 12, 24, 3, ((4, 0, 0, 3), (0, None, None, 5), (6, None, None, 0)))
    ice = mixed(sheet.paper, QColor("#5bb8e8"), 0.35 if not sheet.theme.is_dark else 0.5)
    rect = sheet.box(55, 39, 51, ice)
    sheet.pen(sheet.ink, LINE)
    sheet.painter.drawRoundedRect(rect, 7, 7)
    center = rect.center()
    sheet.pen(sheet.ink, 2.6)
    for spoke in range(6):
        turn = math.radians(60 * spoke + 30)
        dx, dy = math.cos(turn), math.sin(turn)
        sheet.line([(center.x(), center.y()), (center.x() + 19 * dx, center.y() + 19 * dy)])
        for side in (-1, 1):
            twig = turn + side * math.radians(50)
            start = (center.x() + 11 * dx, center.y() + 11 * dy)
            sheet.line([start, (start[0] + 6.5 * math.cos(twig), start[1] + 6.5 * math.sin(twig))])


def _island(sheet: Sheet, _game: str) -> None:
    sheet.grid(16, 25, 24, 3, ((4, 7), (6, 3)))
    sheet.grid(93, 25, 24, 3, ((5, 8), (3, 6)))
    portal(sheet, 80, 50, 30)


_SHAPE = ("..###..", ".#####.", "##.####", "...###.")


def _shape(sheet: Sheet, _game: str) -> None:
    side, gap = 17, 2.4
    step = side + gap
    left, top = 80 - 7 * step / 2 + gap / 2, 50 - 4 * step / 2 + gap / 2
    tiles = {(0, 3): 4, (1, 1): 8, (1, 4): 5, (2, 0): 6, (2, 5): 9, (3, 4): 3}
    outline = QPainterPath()
    outline.setFillRule(Qt.FillRule.WindingFill)
    for i, row in enumerate(_SHAPE):
        for j, cell in enumerate(row):
            if cell == "#":
                place = QRectF(left + j * step, top + i * step, side, side)
                outline.addRect(place.adjusted(-gap, -gap, gap, gap))
    sheet.pen(sheet.ink, LINE)
    sheet.painter.setBrush(sheet.paper)
    sheet.painter.drawPath(outline.simplified())
    for i, row in enumerate(_SHAPE):
        for j, cell in enumerate(row):
            if cell == "#":
                sheet.tile(left + j * step, top + i * step, side, tiles.get((i, j), 0))


def _fox(sheet: Sheet, _game: str) -> None:
    sheet.grid(17, 66, 24, 3, ((6, 4, None, 3, 7),))
    fur, pale = sheet.theme.tile_colors(8)[0], sheet.paper
    sheet.pen(sheet.ink)
    sheet.painter.setBrush(fur)
    sheet.shape(
        [(44, 12), (66, 26), (94, 26), (116, 12), (112, 50), (98, 72), (80, 88), (62, 72), (48, 50)]
    )
    sheet.painter.setBrush(pale)
    sheet.shape([(48, 50), (66, 54), (80, 76), (94, 54), (112, 50), (98, 72), (80, 88), (62, 72)])
    sheet.fill(sheet.ink)
    sheet.shape([(74, 80), (86, 80), (80, 88)])
    for x, turn in ((66, 1), (94, -1)):
        sheet.shape([(x - 7 * turn, 42), (x + 6 * turn, 47), (x - 3 * turn, 49.5)])
    sheet.pen(sheet.ink, FINE)
    sheet.line([(52, 21), (54, 33), (60, 30)])
    sheet.line([(108, 21), (106, 33), (100, 30)])


def _factorization(sheet: Sheet, _game: str) -> None:
    sheet.tile(12, 29, 42, 9)
    sheet.tile(114, 14, 32, 4)
    sheet.tile(114, 54, 32, 6)
    sheet.pen(sheet.ink)
    sheet.line([(99, 43), (107, 36)])
    sheet.line([(99, 57), (107, 64)])
    divider(sheet, 80, 50, 19)


def _explosions(sheet: Sheet, _game: str) -> None:
    sheet.grid(16, 34, 34, 4, ((7,),))
    sheet.grid(110, 34, 34, 4, ((5,),))
    bomb(sheet, 79, 56, 24)


def _giftbox(sheet: Sheet, _game: str) -> None:
    sheet.tile(14, 44, 30, 5)
    sheet.tile(116, 44, 30, 9)
    gift(sheet, 80, 56, 29)


def _hybrid(sheet: Sheet, _game: str) -> None:
    for i in range(2):
        for j in range(2):
            sheet.tile(36 + 45 * j, 6 + 45 * i, 43, 0)
    bomb(sheet, 56, 31, 12.5)
    divider(sheet, 102.5, 27.5, 14)
    gift(sheet, 57.5, 75, 15)
    portal(sheet, 102.5, 72.5, 15)


def _raid(sheet: Sheet, _game: str) -> None:
    sheet.grid(28, 12, 24, 3, ((4, 0, 6, 0), (0, 7, None, 5), (3, 0, 8, 0)))
    sheet.tile(82, 39, 24, 0)
    target(sheet, 94, 51, 24)


_COVERS: Mapping[str, tuple[int, Callable[[Sheet, str], None]]] = MappingProxyType(
    {
        "blitzkrieg": (9, _blitzkrieg),
        "design_master_1": (5, _pattern),
        "design_master_2": (5, _pattern),
        "design_master_3": (5, _pattern),
        "design_master_4": (5, _pattern),
        "column_chaos": (7, _columns),
        "mystery_merge_1": (10, _last_merge),
        "mystery_merge_2": (10, _face_down),
        "gravity_twist_1": (6, _gravity),
        "gravity_twist_2": (6, _merging_gravity),
        "ferris_wheel": (7, _wheel),
        "ice_age": (3, _ice),
        "isolated_island": (11, _island),
        "shape_shifter": (4, _shape),
        "tricky_tiles": (12, _fox),
        "endless_factorization": (8, _factorization),
        "endless_explosions": (12, _explosions),
        "endless_giftbox": (11, _giftbox),
        "endless_hybrid": (10, _hybrid),
        "endless_air_raid": (9, _raid),
    }
)
