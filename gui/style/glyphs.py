"""Small line icons, drawn: they follow the theme's colours and stay sharp at every scale.

Each glyph is drawn on a grid of 24 x 24 units with a pen of 2 units.
"""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QIcon,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QTransform,
)

SIZE = 20
_RATIOS = (1, 2, 3)
_ARROW_TURNED = (180.0, 0.0, 270.0, 90.0)


def glyph_icon(name: str, color: QColor, disabled: QColor | None = None) -> QIcon:
    """Return the icon called `name` in a colour, and in another one for what is disabled."""
    icon = QIcon()
    faint = QColor(color)
    faint.setAlphaF(0.35)
    for mode, tint in ((QIcon.Mode.Normal, color), (QIcon.Mode.Disabled, disabled or faint)):
        for ratio in _RATIOS:
            icon.addPixmap(_pixmap(name, tint, ratio), mode)
    return icon


def _pixmap(name: str, color: QColor, ratio: int) -> QPixmap:
    pixmap = QPixmap(QSize(SIZE, SIZE) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(SIZE / 24, SIZE / 24)
    pen = QPen(color, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    GLYPHS[name](painter, color)
    painter.end()
    return pixmap


def draw_star(painter: QPainter, center: QPointF, radius: float, color: QColor) -> None:
    """Draw a filled five-pointed star: the mark of the best move everywhere."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(_star(center, radius))


def draw_arrow_head(painter: QPainter, center: QPointF, direction: int, color: QColor) -> None:
    """Draw a filled triangle that points LEFT RIGHT UP or DOWN."""
    place = QTransform().translate(center.x(), center.y()).rotate(_ARROW_TURNED[direction])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(place.map(QPolygonF([QPointF(-4, -5), QPointF(5, 0), QPointF(-4, 5)])))


def _star(center: QPointF, radius: float) -> QPolygonF:
    up = QPointF(0, -radius)
    return QPolygonF(
        [
            center + QTransform().rotate(36 * i).map(up * (1.0 if i % 2 == 0 else 0.45))
            for i in range(10)
        ]
    )


def _lines(*points: tuple[float, float]) -> Callable[[QPainter], None]:
    polygon = QPolygonF([QPointF(x, y) for x, y in points])
    return lambda painter: painter.drawPolyline(polygon)


def _undo(painter: QPainter, _color: QColor) -> None:
    path = QPainterPath(QPointF(5, 9))
    path.lineTo(14.5, 9)
    path.arcTo(QRectF(9, 9, 11, 10), 90, -180)
    path.lineTo(9, 19)
    painter.drawPath(path)
    _lines((9, 5), (5, 9), (9, 13))(painter)


def _redo(painter: QPainter, color: QColor) -> None:
    painter.translate(24, 0)
    painter.scale(-1, 1)
    _undo(painter, color)


def _best(painter: QPainter, color: QColor) -> None:
    painter.setBrush(color)
    painter.drawPolygon(_star(QPointF(12, 12.6), 8.6))


def _review(painter: QPainter, _color: QColor) -> None:
    _lines((4, 17), (9, 10), (13, 14), (20, 5))(painter)
    _lines((4, 20.5), (20, 20.5))(painter)


def _play(painter: QPainter, color: QColor) -> None:
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([QPointF(8, 5.5), QPointF(18.5, 12), QPointF(8, 18.5)]))


def _stop(painter: QPainter, color: QColor) -> None:
    painter.setBrush(color)
    painter.drawRoundedRect(QRectF(7, 7, 10, 10), 1, 1)


def _start(painter: QPainter, _color: QColor) -> None:
    painter.drawArc(QRectF(5, 5, 14, 14), 60 * 16, 300 * 16)
    _lines((15.5, 1.8), (15.8, 6), (11.6, 6.4))(painter)


def _hint(painter: QPainter, _color: QColor) -> None:
    path = QPainterPath(QPointF(9.2, 17))
    path.cubicTo(9.2, 14.2, 6.2, 13.2, 6.2, 9.2)
    path.arcTo(QRectF(6.2, 3.4, 11.6, 11.6), 180, -180)
    path.cubicTo(17.8, 13.2, 14.8, 14.2, 14.8, 17)
    path.closeSubpath()
    painter.drawPath(path)
    _lines((10.2, 20.6), (13.8, 20.6))(painter)


def _edit(painter: QPainter, _color: QColor) -> None:
    _lines((4.5, 19.5), (5.5, 15.2), (15.8, 4.9), (19.1, 8.2), (8.8, 18.5), (4.5, 19.5))(painter)
    _lines((13.2, 7.6), (16.4, 10.8))(painter)


def _flip_sideways(painter: QPainter, color: QColor) -> None:
    _lines((12, 3.5), (12, 20.5))(painter)
    painter.drawPolygon(QPolygonF([QPointF(8, 8), QPointF(8, 16), QPointF(3.5, 16)]))
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([QPointF(16, 8), QPointF(16, 16), QPointF(20.5, 16)]))


def _flip_over(painter: QPainter, color: QColor) -> None:
    painter.translate(0, 24)
    painter.rotate(-90)
    _flip_sideways(painter, color)


def _rotate_right(painter: QPainter, _color: QColor) -> None:
    painter.drawRoundedRect(QRectF(4, 11, 9.5, 9.5), 1, 1)
    path = QPainterPath(QPointF(8.5, 5.5))
    path.cubicTo(14, 3.5, 19.5, 6, 19, 13)
    painter.drawPath(path)
    _lines((15.8, 10.2), (19, 13.6), (21.8, 9.8))(painter)


def _rotate_left(painter: QPainter, color: QColor) -> None:
    painter.translate(24, 0)
    painter.scale(-1, 1)
    _rotate_right(painter, color)


def _copy(painter: QPainter, _color: QColor) -> None:
    painter.drawRoundedRect(QRectF(8.5, 8.5, 11, 11), 2, 2)
    _lines((5, 15.5), (4.5, 15.5), (4.5, 4.5), (15.5, 4.5), (15.5, 5))(painter)


def _save(painter: QPainter, _color: QColor) -> None:
    _lines((12, 4), (12, 14.5))(painter)
    _lines((7.5, 10.5), (12, 15), (16.5, 10.5))(painter)
    _lines((4.5, 15.5), (4.5, 19.5), (19.5, 19.5), (19.5, 15.5))(painter)


def _forward(painter: QPainter, _color: QColor) -> None:
    _lines((9, 5), (16, 12), (9, 19))(painter)


def _last(painter: QPainter, _color: QColor) -> None:
    _lines((6, 5), (13, 12), (6, 19))(painter)
    _lines((18, 5), (18, 19))(painter)


def _next_mark(painter: QPainter, color: QColor) -> None:
    _lines((4, 7), (9, 12), (4, 17))(painter)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([QPointF(16.5, 7.5), QPointF(21, 16), QPointF(12, 16)]))


def _mirrored(draw: Callable[[QPainter, QColor], None]) -> Callable[[QPainter, QColor], None]:
    def draw_mirrored(painter: QPainter, color: QColor) -> None:
        painter.translate(24, 0)
        painter.scale(-1, 1)
        draw(painter, color)

    return draw_mirrored


def _practice(painter: QPainter, _color: QColor) -> None:
    painter.drawRoundedRect(QRectF(4, 4, 16, 16), 3, 3)
    _lines((9, 15), (15, 9))(painter)
    _lines((10.2, 9), (15, 9), (15, 13.8))(painter)


def _open(painter: QPainter, _color: QColor) -> None:
    _lines((3.5, 18.5), (3.5, 5.5), (9.5, 5.5), (11.5, 8), (20.5, 8), (20.5, 18.5), (3.5, 18.5))(
        painter
    )


def _picture(painter: QPainter, _color: QColor) -> None:
    painter.drawRoundedRect(QRectF(3.5, 7, 17, 12), 2, 2)
    _lines((8.5, 7), (10, 4.5), (14, 4.5), (15.5, 7))(painter)
    painter.drawEllipse(QPointF(12, 13), 3, 3)


def _why(painter: QPainter, color: QColor) -> None:
    painter.drawRoundedRect(QRectF(4, 4, 16, 16), 2, 2)
    _lines((12, 4), (12, 20))(painter)
    _lines((4, 12), (20, 12))(painter)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRect(QRectF(13, 5, 6, 6))
    faint = QColor(color)
    faint.setAlphaF(0.45)
    painter.setBrush(faint)
    painter.drawRect(QRectF(5, 13, 6, 6))


GLYPHS: dict[str, Callable[[QPainter, QColor], None]] = {
    "undo": _undo,
    "redo": _redo,
    "best": _best,
    "review": _review,
    "play": _play,
    "stop": _stop,
    "start": _start,
    "hint": _hint,
    "edit": _edit,
    "flip_sideways": _flip_sideways,
    "flip_over": _flip_over,
    "rotate_left": _rotate_left,
    "rotate_right": _rotate_right,
    "copy": _copy,
    "save": _save,
    "forward": _forward,
    "back": _mirrored(_forward),
    "last": _last,
    "first": _mirrored(_last),
    "next_mark": _next_mark,
    "previous_mark": _mirrored(_next_mark),
    "practice": _practice,
    "open": _open,
    "picture": _picture,
    "why": _why,
}
