"""The window's line icons, drawn when needed in the colors of the palette: no files, always sharp.

Each icon is strokes on a grid of 24 x 24 units; a plain list of shapes, so adding one is a line.
"""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QIcon,
    QIconEngine,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
    QPixmap,
)

Shape = Callable[[QPainterPath], None]
_STROKE = 1.8


def _line(*points: tuple[float, float]) -> Shape:
    def draw(path: QPainterPath) -> None:
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)

    return draw


def _box(x: float, y: float, width: float, height: float, radius: float = 1.5) -> Shape:
    return lambda path: path.addRoundedRect(QRectF(x, y, width, height), radius, radius)


def _circle(x: float, y: float, radius: float) -> Shape:
    return lambda path: path.addEllipse(QPointF(x, y), radius, radius)


def _arc(x: float, y: float, radius: float, start: float, sweep: float) -> Shape:
    def draw(path: QPainterPath) -> None:
        frame = QRectF(x - radius, y - radius, 2 * radius, 2 * radius)
        path.arcMoveTo(frame, start)
        path.arcTo(frame, start, sweep)

    return draw


_SHAPES: dict[str, tuple[Shape, ...]] = {
    "home": (_line((4, 11), (12, 4), (20, 11)), _line((6, 10), (6, 20), (18, 20), (18, 10))),
    "practice": (
        _box(4, 4, 16, 16, 3),
        _line((9, 15), (15, 9)),
        _line((10.5, 9), (15, 9), (15, 13.5)),
    ),
    "game": (_box(4, 4, 16, 16, 3), _line((12, 4), (12, 20)), _line((4, 12), (20, 12))),
    "review": (
        _line((4, 17), (9, 10), (13, 14), (20, 5)),
        _line((4, 20.5), (20, 20.5)),
    ),
    "analysis": (*(_box(4, 12, 4, 8, 1), _box(10, 8, 4, 12, 1), _box(16, 4, 4, 16, 1)),),
    "report": (
        *(_box(5, 3.5, 14, 17, 2), _line((8.5, 8), (15.5, 8)), _line((8.5, 12), (15.5, 12))),
        _line((8.5, 16), (12.5, 16)),
    ),
    "tables": (_box(4, 5, 16, 4), _box(4, 10.5, 16, 4), _box(4, 16, 16, 4)),
    "settings": (
        *(_line((4, 7), (11, 7)), _circle(14, 7, 2.4), _line((17, 7), (20, 7))),
        *(_line((4, 17), (7, 17)), _circle(10, 17, 2.4), _line((13, 17), (20, 17))),
    ),
    "test": (
        *(_box(5, 5, 14, 16, 2), _box(9, 3, 6, 4, 1.5)),
        _line((8.5, 14), (11, 16.5), (15.5, 11)),
    ),
    "eye": (
        *(_arc(12, 16, 10, 35, 110), _arc(12, 8, 10, 215, 110), _circle(12, 12, 2.6)),
        _line((4.5, 19.5), (19.5, 4.5)),
    ),
    "dice": (
        *(_box(4, 4, 16, 16, 3), _circle(8.5, 8.5, 0.9), _circle(15.5, 15.5, 0.9)),
        *(_circle(15.5, 8.5, 0.9), _circle(8.5, 15.5, 0.9)),
    ),
    "mistakes": (
        *(_box(5, 4, 14, 16, 2), _line((9, 4), (9, 20))),
        *(_line((12, 10), (16, 14)), _line((16, 10), (12, 14))),
    ),
    "add": (_line((12, 5), (12, 19)), _line((5, 12), (19, 12))),
    "check": (_line((5, 12.5), (10, 17.5), (19, 7)),),
    "close": (_line((6, 6), (18, 18)), _line((18, 6), (6, 18))),
    "delete": (
        *(_line((5, 7), (19, 7)), _line((9, 7), (9.5, 4.5), (14.5, 4.5), (15, 7))),
        *(_line((7, 7), (8, 20), (16, 20), (17, 7)), _line((12, 11), (12, 16))),
    ),
    "folder": (_line((4, 18.5), (4, 6), (9.5, 6), (11.5, 8.5), (20, 8.5), (20, 18.5), (4, 18.5)),),
    "verify": (
        _line(
            (12, 3.5),
            (19, 6.5),
            (19, 11.5),
            (16.5, 17),
            (12, 20.5),
            (7.5, 17),
            (5, 11.5),
            (5, 6.5),
            (12, 3.5),
        ),
        _line((9, 12), (11.3, 14.3), (15.2, 9.7)),
    ),
    "resume": (_line((8, 5.5), (18, 12), (8, 18.5), (8, 5.5)),),
    "refresh": (_arc(12, 12, 7, 50, -310), _line((16.8, 2.9), (16.8, 6.9), (12.8, 6.9))),
    "more": (_circle(6, 12, 0.9), _circle(12, 12, 0.9), _circle(18, 12, 0.9)),
    "search": (_circle(10.5, 10.5, 6), _line((15, 15), (20, 20))),
    "keyboard": (
        *(_box(3, 6, 18, 12, 2), _line((7, 10), (7.2, 10)), _line((12, 10), (12.2, 10))),
        *(_line((17, 10), (17.2, 10)), _line((8, 14), (16, 14))),
    ),
    "build": (_box(4, 13, 7, 7), _box(13, 13, 7, 7), _box(8.5, 4, 7, 7)),
    "clock": (_circle(12, 12, 8), _line((12, 7.5), (12, 12), (15, 14))),
    "theme": (
        _circle(12, 12, 8),
        _line((12, 4), (12, 20)),
        _line((15, 5), (15, 19)),
        _line((18, 7), (18, 17)),
    ),
    "quit": (
        _line((10, 4.5), (5, 4.5), (5, 19.5), (10, 19.5)),
        _line((9.5, 12), (20, 12)),
        _line((16, 8), (20, 12), (16, 16)),
    ),
    "lock": (_box(6, 11, 12, 9), _arc(12, 11, 4, 0, 180)),
    "closed": (_line((9.5, 6.5), (15, 12), (9.5, 17.5)),),
    "opened": (_line((6.5, 9.5), (12, 15), (17.5, 9.5)),),
    "dot": (_circle(12, 12, 3),),
}


def icon(name: str, role: QPalette.ColorRole = QPalette.ColorRole.ButtonText) -> QIcon:
    """Return an icon that always has the color of a palette role; a dot when unknown."""
    return QIcon(_LineEngine(name if name in _SHAPES else "dot", role))


def draw_icon(painter: QPainter, name: str, rect: QRectF, color: QColor) -> None:
    """Draw an icon into a square."""
    path = QPainterPath()
    for shape in _SHAPES.get(name, _SHAPES["dot"]):
        shape(path)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.topLeft())
    painter.scale(rect.width() / 24, rect.height() / 24)
    cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    painter.setPen(QPen(color, _STROKE, Qt.PenStyle.SolidLine, cap, join))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    painter.restore()


class _LineEngine(QIconEngine):
    """Paints an icon anew each time, so that a switch of theme needs nobody's help."""

    def __init__(self, name: str, role: QPalette.ColorRole) -> None:
        super().__init__()
        self._name, self._role = name, role

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        """Draw into `rect` in the color of the role, faint when disabled."""
        group = QPalette.ColorGroup.Active
        color = QColor(QGuiApplication.palette().color(group, self._role))
        if mode == QIcon.Mode.Disabled:
            color.setAlphaF(0.4)
        side = min(rect.width(), rect.height())
        square = QRectF(0, 0, side, side)
        square.moveCenter(QRectF(rect).center())
        draw_icon(painter, self._name, square, color)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return the icon as an image."""
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        """Return a copy."""
        return _LineEngine(self._name, self._role)
