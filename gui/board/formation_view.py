"""A formation as a small picture: locked cells, free cells, and where the target counts."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from engine.platform.language import tr
from gui.style.icons import draw_icon

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation


class FormationView(QWidget):
    """Sixteen cells: the layout of a formation's boards.

    Lock = a large tile stays, pale = a large tile may be there, filled = a wall, else free. Free
    cells where the target counts carry a dot, unless it counts everywhere. It takes its colors from
    the palette and the accent from the highlight, so it follows the theme by itself.
    """

    def __init__(self, side: int = 64, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fixed: frozenset[int] = frozenset()
        self._moving: frozenset[int] = frozenset()
        self._targets: frozenset[int] = frozenset()
        self._walls = False
        self._side = side
        self.setFixedSize(side, side)

    def show_formation(self, formation: "Formation") -> None:
        self._fixed = _f_cells(formation.fixed_mask)
        somewhere = _f_cells(formation.seeds[0]).union(*map(_f_cells, formation.masks))
        self._moving = somewhere - self._fixed
        self._targets = _f_cells(formation.target_cells)
        self._walls = formation.walls
        words = _words(formation)
        if 0 < len(self._targets) < 16 and not self._targets & self._fixed:
            words = tr("{words}; the target has to appear on a dot", words=words)
        self.setToolTip(words)
        self.setAccessibleName(self.toolTip())
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._side, self._side)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        gap = max(2.0, self._side * 0.045)
        size = (self._side - 3 * gap) / 4
        for cell in range(16):
            row, column = divmod(cell, 4)
            rect = QRectF(column * (size + gap), row * (size + gap), size, size)
            self._draw_cell(painter, cell, rect)

    def _draw_cell(self, painter: QPainter, cell: int, rect: QRectF) -> None:
        palette = self.palette()
        radius = rect.width() * 0.18
        if cell not in self._fixed:
            edge = palette.placeholderText().color()
            edge.setAlphaF(0.6)  # in dark themes too, cells are apart from each other
            painter.setPen(QPen(edge, 1))
            painter.setBrush(palette.mid() if cell in self._moving else palette.alternateBase())
            painter.setOpacity(0.55 if cell in self._moving else 1.0)
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
            painter.setOpacity(1.0)
            if cell in self._targets and len(self._targets) < 16:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(palette.highlight())
                painter.drawEllipse(rect.center(), rect.width() * 0.16, rect.width() * 0.16)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        color = palette.mid().color() if self._walls else palette.placeholderText().color()
        painter.setBrush(color)
        painter.drawRoundedRect(rect, radius, radius)
        if not self._walls and rect.width() >= 10:
            inset = rect.width() * 0.2
            draw_icon(
                painter, "lock", rect.adjusted(inset, inset, -inset, -inset), palette.base().color()
            )


def _words(formation: "Formation") -> str:
    n_large, n_moving = formation.n_large, formation.n_movable
    free, n_staying = 16 - n_large, n_large - n_moving if formation.fixed_mask else 0
    if formation.walls:
        return tr("{n} walls, {free} cells are free", n=n_large, free=free)
    if n_staying and n_moving:
        return tr(
            "{n} large tiles stay, {moving} may move, {free} cells are free",
            n=n_staying,
            moving=n_moving,
            free=free,
        )
    if n_staying:
        return tr("{n} large tiles stay, {free} cells are free", n=n_staying, free=free)
    if n_moving:
        return tr("{n} large tiles may move, {free} cells are free", n=n_moving, free=free)
    return tr("{free} cells are free", free=free)


def _f_cells(board: int) -> frozenset[int]:
    return frozenset(cell for cell in range(16) if board >> (60 - 4 * cell) & 15 == 15)
