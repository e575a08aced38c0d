"""A heat map over the empty cells of a board: one hue, darker is worse, with figures."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter, QPen

from gui.board.board_paint import Grid
from gui.style.color_schemes import readable_ink
from gui.style.theme import Theme, with_tabular_figures

_SATURATION = 0.5
_LIGHT_WINDOW, _DARK_WINDOW = (0.94, 0.22), (0.86, 0.17)  # lightness from good to bad
_SMALL_CELL_PX = 76  # below that size, there is room for only one figure
_STEPS = 8


@dataclass(frozen=True)
class HeatCell:
    """One cell."""

    heat: float  # how bad it is, in [0, 1]
    # The large figure, and the text below it.
    figure: str
    below: str = ""
    is_framed: bool = False  # whether it is the cell under discussion


def heat_color(theme: Theme, heat: float) -> QColor:
    """Return the color of a heat in [0, 1]: the accent's hue, the darker the worse."""
    good, bad = _DARK_WINDOW if theme.is_dark else _LIGHT_WINDOW
    share = min(1.0, max(0.0, heat))
    hue = max(0.0, theme.accent.hslHueF())
    return QColor.fromHslF(hue, _SATURATION, good + (bad - good) * share)


def draw_heat(painter: QPainter, grid: Grid, theme: Theme, heat: Mapping[int, HeatCell]) -> None:
    for cell, what in heat.items():
        _draw_cell(painter, grid.rect(cell), theme, what)


def draw_scale(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    gradient = QLinearGradient(rect.topLeft(), rect.topRight())
    for i in range(_STEPS + 1):
        gradient.setColorAt(i / _STEPS, heat_color(theme, i / _STEPS))
    painter.setBrush(gradient)
    painter.setPen(QPen(theme.border, 1))
    painter.drawRoundedRect(rect, 3, 3)


def _draw_cell(painter: QPainter, rect: QRectF, theme: Theme, what: HeatCell) -> None:
    fill = heat_color(theme, what.heat)
    radius = theme.look.radius(rect.width())
    painter.setBrush(fill)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawRoundedRect(rect, radius, radius)
    if what.is_framed:
        width = max(2.0, rect.width() * 0.028)
        inner = rect.adjusted(width / 2, width / 2, -width / 2, -width / 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.text, width))
        painter.drawRoundedRect(inner, radius, radius)
    painter.setPen(QColor(readable_ink(fill.name())))
    is_small = rect.width() < _SMALL_CELL_PX or not what.below
    middle = rect.center().y()
    height = rect.height()
    line = QRectF(rect.left(), middle - height * 0.5, rect.width(), height)
    if is_small:
        _draw_text(painter, line, what.figure, rect.width() * 0.22)
        return
    _draw_text(painter, line.translated(QPointF(0, -height * 0.10)), what.figure, height * 0.19)
    _draw_text(painter, line.translated(QPointF(0, height * 0.15)), what.below, height * 0.125)


def _draw_text(painter: QPainter, line: QRectF, text: str, pixels: float) -> None:
    font = with_tabular_figures(QFont(painter.font()))
    font.setWeight(QFont.Weight.DemiBold)
    font.setPixelSize(max(7, int(pixels)))
    wide = QFontMetricsF(font).horizontalAdvance(text)
    if wide > line.width() * 0.86:
        font.setPixelSize(max(6, int(font.pixelSize() * line.width() * 0.86 / wide)))
    painter.setFont(font)
    painter.drawText(line, Qt.AlignmentFlag.AlignCenter, text)
