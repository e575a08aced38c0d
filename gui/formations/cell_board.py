"""Sixteen cells to draw a formation on, with the mouse or with the keyboard."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.platform.language import mark, tr
from gui.formations.drawing_edit import BOTH, LARGE, TARGET, DrawingEdit
from gui.style.icons import draw_icon
from gui.style.theme import smooth_painter

_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_HELD = {LARGE: mark("large tile"), TARGET: mark("target"), BOTH: mark("large tile, target")}
_WALLED = {LARGE: mark("wall"), TARGET: mark("target"), BOTH: mark("wall, target")}
_FREE = mark("free")
_GAP, _RADIUS = 0.028, 0.09
_MAX_PX, _MIN_PX = 520, 200


class CellBoard(QWidget):
    """A board that shows a drawing and signals edits of its cells.

    Its colors are those of the palette, so it follows the theme by itself.
    """

    cycled = Signal(int)  # a cell should switch to the next state,
    marked = Signal(int)  # toggle its target mark,
    cleared = Signal(int)  # or become free

    def __init__(self, edit: DrawingEdit) -> None:
        super().__init__()
        self._edit, self._cursor, self._shows_cursor = edit, 0, False
        self._keys: dict[int, Callable[[], None]] = {
            Qt.Key.Key_Space: lambda: self.cycled.emit(self._cursor),
            Qt.Key.Key_T: lambda: self.marked.emit(self._cursor),
            Qt.Key.Key_Delete: lambda: self.cleared.emit(self._cursor),
        }
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumSize(_MIN_PX, _MIN_PX)
        self.set_most(_MAX_PX)
        self.setAccessibleName(tr("Formation"))
        self.setToolTip(tr("Click: large tile, target, free. Right-click: target"))

    @property
    def cursor_cell(self) -> int:
        return self._cursor

    def show_edit(self, edit: DrawingEdit) -> None:
        self._edit = edit
        self._announce_cell()
        self.update()

    def set_most(self, side: int) -> None:
        self._most = min(_MAX_PX, max(_MIN_PX, side))
        self.setMaximumSize(self._most, self._most)
        self.setMinimumHeight(min(max(_MIN_PX, self.width()), self._most))

    def center_of(self, cell: int) -> QPointF:
        return self._rect(cell).center()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._most, self._most)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return min(width, self._most)

    def event(self, event: QEvent) -> bool:
        """Keep the keys of the board from their other functions."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if is_plain and (event.key() in self._keys or event.key() in _STEPS):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        key = Qt.Key(event.key())
        if key in _STEPS:
            down, right = _STEPS[key]
            row, column = divmod(self._cursor, 4)
            self._cursor = 4 * min(3, max(0, row + down)) + min(3, max(0, column + right))
            self._shows_cursor = True
            self._announce_cell()
            self.update()
        elif key in self._keys:
            self._shows_cursor = True
            self._keys[key]()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        place = event.position()
        cell = next((c for c in range(16) if self._rect(c).contains(place)), None)
        if cell is None:
            return
        self._cursor, self._shows_cursor = cell, False
        if event.button() == Qt.MouseButton.LeftButton:
            self.cycled.emit(cell)
        elif event.button() == Qt.MouseButton.RightButton:
            self.marked.emit(cell)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        by_key = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._shows_cursor = event.reason() in by_key
        super().focusInEvent(event)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.setMinimumHeight(min(self.width(), self._most))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = smooth_painter(self)
        for cell in range(16):
            self._draw_cell(painter, self._rect(cell), self._edit.state_of(cell))
        if self.hasFocus() and self._shows_cursor:
            rect = self._rect(self._cursor)
            radius = rect.width() * _RADIUS
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 3))
            painter.drawRoundedRect(rect.adjusted(1.5, 1.5, -1.5, -1.5), radius, radius)

    def _draw_cell(self, painter: QPainter, rect: QRectF, state: str) -> None:
        palette = self.palette()
        radius = rect.width() * _RADIUS
        if state in (LARGE, BOTH):
            is_wall = self._edit.drawing.walls
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.mid() if is_wall else palette.placeholderText())
            painter.drawRoundedRect(rect, radius, radius)
            if not is_wall:
                inset = rect.width() * 0.31
                box = rect.adjusted(inset, inset, -inset, -inset)
                draw_icon(painter, "lock", box, palette.base().color())
        else:
            painter.setPen(QPen(palette.mid().color(), 1))
            painter.setBrush(palette.alternateBase())
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        if state in (TARGET, BOTH):
            side = rect.width()
            at = rect.center()
            if state == BOTH:
                at = QPointF(rect.right() - side * 0.2, rect.top() + side * 0.2)
            dot = side * (0.09 if state == BOTH else 0.15)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.highlight())
            painter.drawEllipse(at, dot, dot)

    def _rect(self, cell: int) -> QRectF:
        side = float(min(self.width(), self.height()))
        gap = max(3.0, side * _GAP)
        size = (side - 3 * gap) / 4
        left = (self.width() - side) / 2
        row, column = divmod(cell, 4)
        return QRectF(left + column * (size + gap), row * (size + gap), size, size)

    def _announce_cell(self) -> None:
        row, column = divmod(self._cursor, 4)
        state, is_wall = self._edit.state_of(self._cursor), self._edit.drawing.walls
        what = tr((_WALLED if is_wall else _HELD).get(state, _FREE))
        self.setAccessibleDescription(
            tr("Row {row}, column {column}: {what}", row=row + 1, column=column + 1, what=what)
        )
        event = QAccessibleEvent(self, QAccessible.Event.DescriptionChanged)
        QAccessible.updateAccessibility(event)
