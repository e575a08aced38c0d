"""Medals for trophies: their shapes, and the number of each."""

import math
from functools import cache

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.platform.language import mark, tr
from gui.style.theme import Theme, app_theme, theme_source
from minigames.registry import GAMES

TROPHY_NAMES = (mark("No trophy"), mark("Bronze"), mark("Silver"), mark("Gold"), mark("Grand"))
_MEDALS = {  # in a light and in a dark window; grand uses the accent
    1: ("#a35a22", "#dc9c69"),
    2: ("#66737b", "#c2ccd3"),
    3: ("#b07c00", "#f0c859"),
}


def draw_medal(
    painter: QPainter, rect: QRectF, level: int, theme: Theme, *, is_earned: bool = True
) -> None:
    """Draw the medal of a trophy: 1 bronze, 2 silver, 3 gold, 4 grand; outlined until earned."""
    side = min(rect.width(), rect.height())
    color = QColor(_MEDALS[level][theme.is_dark]) if level in _MEDALS else theme.accent
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center())
    painter.scale(side / 20, side / 20)
    cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    ink, width = (color, 1.6) if is_earned else (theme.text_muted, 1.8)
    painter.setPen(QPen(ink, width, Qt.PenStyle.SolidLine, cap, join))
    painter.setBrush(color if is_earned else Qt.BrushStyle.NoBrush)
    if level == 1:
        painter.drawEllipse(QPointF(0, 0), 7.2, 7.2)
    else:
        painter.drawPolygon(_outline(level))
    painter.restore()


@cache
def _outline(level: int) -> QPolygonF:
    """Return the shape of a medal around the origin, in a square of side 20."""
    if level == 2:
        turns = [math.radians(60 * i - 90) for i in range(6)]
        return QPolygonF([QPointF(8.1 * math.cos(t), 8.1 * math.sin(t)) for t in turns])
    if level == 3:
        spikes = [(8.8 if i % 2 == 0 else 4.0, math.radians(36 * i - 90)) for i in range(10)]
        return QPolygonF([QPointF(r * math.cos(t), 0.6 + r * math.sin(t)) for r, t in spikes])
    crown = ((-8, -5), (-4, -0.5), (0, -7.5), (4, -0.5), (8, -5), (6.6, 6.8), (-6.6, 6.8))
    return QPolygonF([QPointF(x, y) for x, y in crown])


class TrophyTotal(QWidget):
    """A medal, and the number of games with it or a better one; hidden where there are none."""

    def __init__(self, level: int) -> None:
        super().__init__()
        self._level, self.count = level, 0
        theme_source().changed.connect(self.update)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_count(self, count: int) -> None:
        self.count = count
        name = tr(TROPHY_NAMES[self._level])
        text = tr(
            "{trophy} or better: {count} of {all} games", trophy=name, count=count, all=len(GAMES)
        )
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.setVisible(count > 0)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        metrics = self.fontMetrics()
        width = metrics.height() + 8 + metrics.horizontalAdvance(str(self.count))
        return QSize(width, metrics.height() + 10)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter, side = QPainter(self), self.fontMetrics().height()
        medal = QRectF(0, (self.height() - side) / 2, side, side)
        draw_medal(painter, medal, self._level, app_theme())
        painter.setPen(app_theme().text)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(self.rect().adjusted(side + 6, 0, 0, 0), int(flags), str(self.count))
