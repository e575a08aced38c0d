"""The board: one painted widget for every page. It draws and emits; it knows no rules."""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QRegion,
)
from PySide6.QtWidgets import QWidget

from coach.grading.names import move_title
from engine.bitboard import LARGEST_NIBBLE, cells
from engine.platform.language import sentences, tr
from engine.trace import Slide
from gui.board.animated_board import SLIDE_MS, AnimatedBoard
from gui.board.announcer import announce
from gui.board.board_images import BoardImages
from gui.board.board_paint import (
    Grid,
    draw_arrow,
    draw_cursor,
    draw_doubt,
    draw_glow,
    draw_ground,
    draw_tile,
    ease_out,
    pop,
)
from gui.board.heat_paint import HeatCell, draw_heat
from gui.settings_model.settings import Settings
from gui.style.theme import Theme
from gui.text.boards import describe_cells, describe_new_tile, describe_square


def moving_region(grid: Grid, slides: Sequence[Slide], spawned: int | None) -> QRegion:
    """Return the region that tiles pass over: usually half of the board, drawn in half the time."""
    ways = [(s.from_cell, s.to_cell) for s in slides if s.merged or s.from_cell != s.to_cell]
    if spawned is not None:
        ways.append((spawned, spawned))
    region, margin = QRegion(), grid.gap  # tiles that merge swell, by less than this
    for start, end in ways:
        way = grid.rect(start).united(grid.rect(end))
        region += way.adjusted(-margin, -margin, margin, margin).toAlignedRect()
    return region


# For slides of the usual length:
POP_MS = 80  # merges pop and the new tile grows from here on, while the slides settle
GROW_MS = 120
LARGE_EXPONENT = 15
_MIN_S_BETWEEN_WORDS = 0.4
ARROW_STEPS: Mapping[int, tuple[int, int]] = {  # rows down, columns right
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class BoardView(AnimatedBoard):
    """Draw sixteen tiles, animate moves, report clicks and swipes.

    A new `animate` or `show_board` ends the running animation at once.
    """

    cell_clicked = Signal(int, object)  # cell, Qt.MouseButton

    def __init__(
        self,
        parent: QWidget | None = None,
        clock: Callable[[], float] = time.monotonic,
        theme: Theme | None = None,
    ) -> None:
        super().__init__(parent, clock, theme)
        self._shows_large_numbers = True
        self.masks_large = False  # 32768 stands for any large tile: quiet off its place, too
        self.cells: list[int] = [0] * 16
        self._before: list[int] = self.cells
        self.locked: Collection[int] = ()
        self._walls: Collection[int] = ()
        self._slides: Sequence[Slide] = ()
        self._spawned: int | None = None
        self._grows_from_ms = float(POP_MS)
        self._hint: tuple[int, float] | None = None
        self.cursor_cell: int | None = None
        self.doubts: Collection[int] = ()
        self.read_cell: int | None = None
        self._announced_s = -1e9
        self.heat: Mapping[int, HeatCell] = {}
        self._images = BoardImages()

    @property
    def hint(self) -> int | None:
        return self._hint[0] if self._hint else None

    def read_squares(self, wanted: bool) -> None:
        if wanted == (self.read_cell is not None):
            return
        self.read_cell = 0 if wanted else None
        if wanted:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self._announce_square()
        else:
            self.setAccessibleName(tr("Board"))
        self.update()

    def show_board(
        self, cells: Sequence[int], locked: Collection[int] = (), walls: Collection[int] = ()
    ) -> None:
        """Draw 16 exponents without animation; locked cells are dimmed, with a lock."""
        self._stop()
        self.cells, self.locked, self._walls = list(cells), frozenset(locked), walls
        if self.read_cell is not None:
            self.setAccessibleName(self._square())
        self.update()

    def show_position(self, board: int, walls: bool) -> None:
        """Draw a position of a table, and put it into words; F is a wall, or else a locked tile."""
        exponents = cells(board)
        large = [cell for cell, exponent in enumerate(exponents) if exponent == LARGEST_NIBBLE]
        self.show_board(exponents, *(((), large) if walls else (large, ())))
        self.setAccessibleDescription(describe_cells(exponents, walls))

    def animate(
        self,
        slides: Sequence[Slide],
        spawn: tuple[int, int] | None,
        cells: Sequence[int],
        locked: Collection[int] = (),
        walls: Collection[int] = (),
    ) -> None:
        """Move from the position shown to `cells`: slides, then merges and the new tile.

        Tiles that are not among the slides stay; `spawn` is `(cell, exponent)`.
        """
        self._announce_move(slides, spawn)
        before, is_animated = self.cells, self._begin_move()
        self.show_board(cells, locked, walls)
        if not is_animated:
            return
        self._before, self._slides = before, slides
        self._spawned = spawn[0] if spawn else None
        self._grows_from_ms = POP_MS
        self._timer.start()

    def add_tile(
        self,
        cell: int,
        cells: Sequence[int],
        locked: Collection[int] = (),
        walls: Collection[int] = (),
    ) -> None:
        if self.is_moving and self._spawned is None:
            self._grows_from_ms = max(POP_MS, self._phase_ms())
        else:
            self.animate((), None, cells, locked, walls)
            self._started_s -= POP_MS / self._tempo / 1000  # there is no slide to wait for
        self.cells, self.locked, self._walls = list(cells), frozenset(locked), walls
        self._spawned = cell if self.is_moving else None

    def follow_settings(self, settings: Settings, has_large_tiles: bool = True) -> None:
        self._has_large_tiles = has_large_tiles
        settings.changed.connect(self._follow_setting)
        for name in ("animation_ms", "large_tile_numbers"):
            self._follow_setting(name, settings.get(name))

    def _follow_setting(self, name: str, value: object) -> None:
        if name == "animation_ms" and isinstance(value, int | float):
            self.set_slide_ms(value)
        elif name == "large_tile_numbers" and self._has_large_tiles:
            self.show_large_numbers(bool(value))

    def show_large_numbers(self, shown: bool) -> None:
        self._shows_large_numbers = shown
        self.update()

    def set_frame_ms(self, frame_ms: int) -> None:
        """Set the time between two pictures of an animation: more is cheaper, less is smoother."""
        self._timer.setInterval(frame_ms)

    def show_hint(self, direction: int | None, strength: float = 0.5) -> None:
        """Draw an arrow for the best move, wider for a better one; None removes it."""
        self._hint = None if direction is None else (direction, strength)
        self.update()

    def show_heat(self, heat: Mapping[int, HeatCell]) -> None:
        """Color cells by how bad a tile there would be; an empty mapping removes the colors."""
        self.heat = heat
        self.update()

    def show_cursor(self, cell: int | None) -> None:
        self.cursor_cell = cell
        self.update()

    def show_doubts(self, cells: Collection[int]) -> None:
        self.doubts = frozenset(cells)
        self.update()

    def picture(self) -> QPixmap:
        return self.grab(self._grid().frame.toAlignedRect())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        grid = self._grid()
        self._images.prepare(grid, self.devicePixelRatioF(), painter.font(), self._theme)
        self._draw_ground(painter, grid)
        if self.is_moving:
            self._draw_moving(painter, grid, self._phase_ms())
        else:
            self._draw_resting(painter, grid, self.cells, range(16))
        if self.heat and not self.is_moving:
            draw_heat(painter, grid, self._theme, self.heat)
        if self._hint and not self.is_moving:
            draw_arrow(painter, grid, self._theme, *self._hint)
        for doubtful in self.doubts:
            draw_doubt(painter, grid.rect(doubtful), self._theme)
        for cell in (self.cursor_cell, self.read_cell):
            if cell is not None:
                draw_cursor(painter, grid.rect(cell), self._theme)
        self._draw_focus(painter, grid.frame, grid.gap)

    def event(self, event: QEvent) -> bool:
        """Keep arrow keys from their other functions while squares are read."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._is_to_read(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if not self._is_to_read(event):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            self.read_squares(False)
        else:
            down, right = ARROW_STEPS[event.key()]
            row, column = divmod(self.read_cell or 0, 4)
            self.read_cell = 4 * min(max(row + down, 0), 3) + min(max(column + right, 0), 3)
            self._announce_square()
            self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        self.read_squares(False)

    def _is_to_read(self, event: QKeyEvent) -> bool:
        is_plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        is_meant = event.key() in ARROW_STEPS or event.key() == Qt.Key.Key_Escape
        return self.read_cell is not None and is_plain and is_meant

    def _square(self) -> str:
        cell = self.read_cell or 0
        return describe_square(cell, self.cells[cell], cell in self._walls)

    def _announce_square(self) -> None:
        text = self._square()
        self.setAccessibleName(text)
        announce(self, text)

    def _announce_move(self, slides: Sequence[Slide], spawn: tuple[int, int] | None) -> None:
        """Announce the move, unless moves come faster than speech."""
        if not QAccessible.isActive():
            return
        now, before = self._clock(), self._announced_s
        self._announced_s = now
        if now - before < _MIN_S_BETWEEN_WORDS:
            return
        direction = _direction_of(slides)
        move = "" if direction is None else tr("{move}.", move=move_title(direction))
        announce(self, sentences(move, describe_new_tile(*spawn) if spawn else ""))

    def _click(self, place: QPointF, button: Qt.MouseButton) -> None:
        cell = self._grid().cell_at(place)
        if cell is not None and cell not in self._walls:
            self.cell_clicked.emit(cell, button)

    def _grid(self) -> Grid:
        return Grid.fit(self.width(), self.height(), self.devicePixelRatioF())

    def _on_frame(self) -> None:
        if self._phase_ms() >= self._grows_from_ms + GROW_MS:
            self._stop()
            self.update()
        else:
            self.update(moving_region(self._grid(), self._slides, self._spawned))

    def _stop(self) -> None:
        self._timer.stop()
        self._slides, self._spawned, self._before = (), None, self.cells

    def _draw_ground(self, painter: QPainter, grid: Grid) -> None:
        walls = frozenset(self._walls)
        self._images.draw(
            painter,
            walls,
            QPointF(grid.left, grid.top),
            grid.side,
            lambda p, _: draw_ground(p, replace(grid, left=0.0, top=0.0), self._theme, walls),
        )

    def _draw_resting(
        self, painter: QPainter, grid: Grid, exponents: Sequence[int], cells: Iterable[int]
    ) -> None:
        for cell in cells:
            if exponents[cell] and cell not in self._walls:
                corner = grid.corner(cell)
                self._draw_whole(painter, grid, corner, exponents[cell], cell in self.locked)

    def _draw_whole(
        self, painter: QPainter, grid: Grid, corner: QPointF, exponent: int, locked: bool
    ) -> None:
        name = (exponent, locked, self._shows_large_numbers, self.masks_large)
        self._images.draw(
            painter, name, corner, grid.cell, lambda p, r: self._draw_tile(p, r, exponent, locked)
        )

    def _draw_tile(self, painter: QPainter, rect: QRectF, exponent: int, locked: bool) -> None:
        label = str(1 << exponent)
        if exponent == LARGE_EXPONENT and not self._shows_large_numbers:
            label = ""
        is_quiet = locked or (self.masks_large and exponent == LARGE_EXPONENT)
        draw_tile(painter, rect, exponent, self._theme, label, is_quiet, locked)

    def _draw_moving(self, painter: QPainter, grid: Grid, phase_ms: float) -> None:
        moving = {s.from_cell: s.to_cell for s in self._slides if s.from_cell != s.to_cell}
        merging = {s.to_cell for s in self._slides if s.merged}
        settled = phase_ms >= POP_MS
        way = ease_out(min(1.0, phase_ms / SLIDE_MS))
        hidden = merging.union(moving) if settled else moving
        resting = [cell for cell in range(16) if cell not in hidden]
        self._draw_resting(painter, grid, self._before, resting)
        for from_cell, to_cell in moving.items():
            exponent = self._before[from_cell]
            if exponent and not (settled and to_cell in merging):
                start, end = grid.corner(from_cell), grid.corner(to_cell)
                corner, locked = start + (end - start) * way, to_cell in self.locked
                self._draw_whole(painter, grid, corner, exponent, locked)
        if not settled:
            return
        swell = min(1.0, (phase_ms - POP_MS) / GROW_MS)
        for cell in merging:
            self._draw_scaled(painter, grid, cell, pop(swell))
            exponent = self.cells[cell]
            draw_glow(painter, grid.rect(cell), self._theme, exponent, grid.gap, swell)
        grown = min(1.0, (phase_ms - self._grows_from_ms) / GROW_MS)
        if self._spawned is not None and grown > 0:
            painter.setOpacity(min(1.0, grown * 2))
            self._draw_scaled(painter, grid, self._spawned, ease_out(min(1.0, 0.2 + grown)))
            painter.setOpacity(1.0)

    def _draw_scaled(self, painter: QPainter, grid: Grid, cell: int, scale: float) -> None:
        rect = grid.rect(cell)
        margin = rect.width() * (1 - scale) / 2
        rect.adjust(margin, margin, -margin, -margin)
        if self.cells[cell]:
            self._draw_tile(painter, rect, self.cells[cell], cell in self.locked)


def _direction_of(slides: Sequence[Slide]) -> int | None:
    """Return the direction in which tiles moved: LEFT RIGHT UP DOWN; None if none did."""
    for slide in slides:
        if slide.from_cell != slide.to_cell:
            is_back = slide.to_cell < slide.from_cell
            is_sideways = slide.from_cell // 4 == slide.to_cell // 4
            return (0 if is_back else 1) if is_sideways else (2 if is_back else 3)
    return None
