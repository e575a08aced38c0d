"""The board of minigames: one painter for all of them, drawing only visible data."""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen

from gui.board.animated_board import SLIDE_MS, AnimatedBoard
from gui.board.board_images import BoardImages
from gui.board.board_paint import draw_cursor, draw_glow, ease_out, pop
from gui.minigames.board_paint import BoardGrid, draw_board, draw_face, draw_marks
from gui.minigames.session import MinigameStep
from gui.style.theme import smooth_painter
from minigames.state import Event
from minigames.view import CellView, View

_DIMMED = 0.35


Cells = tuple[CellView, ...]

FALL_MS, PERMUTE_MS = 140, 320
SETTLE_SHARE = 0.8  # share of the motion at which merges begin to pop
GROW_MS = 120
EFFECT_MS = 360
_LENGTH_MS = {"slide": SLIDE_MS, "fall": FALL_MS, "permute": PERMUTE_MS, "still": 0}
_BURSTS = ("hit", "strike", "gift", "split", "freeze", "gone", "bonus", "tool")


@dataclass(frozen=True)
class AnimationPhase:
    """One phase of an animation."""

    kind: str  # slide, fall, permute, or still, if things only appear and disappear
    start_ms: float  # within the whole animation
    way_ms: float  # duration of the tiles' motion
    before: Cells  # tuple of CellView
    after: Cells  # tuple of CellView
    moves: dict[int, int]  # destination cell of each tile, by source cell
    joined: frozenset[int]  # cells where tiles merge

    @property
    def end_ms(self) -> float:
        """The end time, including what appears and grows at the end."""
        return self.start_ms + self.way_ms * SETTLE_SHARE + GROW_MS

    @property
    def leaving(self) -> frozenset[int]:
        """Cells whose contents disappear without moving."""
        stays = set(self.moves) | {c for c, seen in enumerate(self.before) if not is_thing(seen)}
        return frozenset(
            cell
            for cell in range(len(self.before))
            if cell not in stays and not same_thing(self.before[cell], self.after[cell])
        )

    @property
    def coming(self) -> frozenset[int]:
        """Cells where something appears that did not move there."""
        arrived = set(self.moves.values()) - self.joined
        return frozenset(
            cell
            for cell, seen in enumerate(self.after)
            if is_thing(seen)
            and cell not in arrived
            and cell not in self.joined
            and not same_thing(self.before[cell], seen)
        )


@dataclass(frozen=True)
class Burst:
    """A ring that spreads from a cell."""

    kind: str
    cell: int
    start_ms: float


def is_thing(seen: CellView) -> bool:
    """Return whether a cell contains something that can move, appear or disappear."""
    return seen.face in ("number", "hidden", "portal") or bool(seen.object)


def same_thing(first: CellView, second: CellView) -> bool:
    return (first.face, first.exponent, first.object) == (
        second.face,
        second.exponent,
        second.object,
    )


def phases_of(before: Cells, after: Cells, events: Sequence[Event]) -> list[AnimationPhase]:
    """Return the phases from one picture to the other; none if their shapes differ."""
    if len(before) != len(after):
        return []
    movers = [event for event in events if event.kind in ("slide", "fall", "permute")]
    pictures = [after]
    for event in reversed(movers[1:]):
        pictures.insert(0, _before_move(pictures[0], event))
    moved = {a: b for e in events if e.kind == "object_moved" for a, b in [e.cells]}
    phases: list[AnimationPhase] = []
    start_ms, now = 0.0, before
    for event, picture in zip(movers, pictures, strict=False):
        way_ms = float(_LENGTH_MS[event.kind])
        moves = dict(event.pairs)
        if event.kind == "slide":
            moves |= moved
        phase = AnimationPhase(
            event.kind, start_ms, way_ms, now, picture, moves, frozenset(event.cells)
        )
        phases.append(phase)
        start_ms, now = phase.end_ms, picture
    if not movers and before != after:
        phases.append(AnimationPhase("still", 0.0, 0.0, before, after, {}, frozenset()))
    return phases


def bursts_of(events: Sequence[Event], phases: Sequence[AnimationPhase]) -> list[Burst]:
    """Return the rings that spread where something happened, at the end of the first slide."""
    at_ms = phases[0].way_ms * SETTLE_SHARE if phases else 0.0
    bursts = []
    for event in events:
        if event.kind in _BURSTS and not (event.kind == "strike" and not event.amount):
            cells = event.cells[1:] if event.kind == "hit" else event.cells
            start_ms = 0.0 if event.kind in ("hit", "tool") else at_ms
            bursts += [Burst(event.kind, cell, start_ms) for cell in cells]
    return bursts


def _before_move(after: Cells, event: Event) -> Cells:
    picture = list(after)
    for _, stop in event.pairs:
        picture[stop] = _placed(CellView("empty"), after[stop])
    joined = set(event.cells)
    for source, stop in event.pairs:
        thing = after[stop]
        if stop in joined and thing.exponent is not None:
            thing = replace(thing, exponent=thing.exponent - 1)
        picture[source] = _placed(thing, after[source])
    return tuple(picture)


def _placed(thing: CellView, place: CellView) -> CellView:
    return replace(thing, goal=place.goal, is_marked=place.is_marked)


class MinigameBoard(AnimatedBoard):
    """Draws a view, animates steps, reports clicks, swipes and released keys.

    Layers, from below: floor, tiles with their covers, objects, marks of cells, bursts, cells
    available to a tool, the cursor.
    """

    clicked_at = Signal(QPointF)
    pointed_at = Signal(QPointF)
    key_released = Signal()

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(None, clock)
        self.view: View | None = None
        self._phases: list[AnimationPhase] = []
        self._bursts: list[Burst] = []
        self._targets: Collection[int] | None = None
        self.cursor_cell: int | None = None
        self._span = 1
        self._images = BoardImages()
        self.setMouseTracking(True)

    def rect_of(self, cell: int) -> QRectF:
        assert self.view, "nothing is shown"
        return self._grid(self.view).rect(cell)

    def nearest(self, point: QPointF, cells: Collection[int], span: int) -> int | None:
        """Return the cell, or the top left one of `span` x `span` cells, that a point is meant for.

        Gaps belong to the cells beside them: the middle of a block, where one aims, is a gap.
        """
        if self.view is None:
            return None
        grid = self._grid(self.view)
        half = grid.gap / 2
        blocks = {cell: grid.block(cell, span) for cell in cells}
        under = [c for c in cells if blocks[c].adjusted(-half, -half, half, half).contains(point)]

        def distance(cell: int) -> float:
            return (blocks[cell].center() - point).manhattanLength()

        return min(under, key=distance, default=None)

    def show_view(self, view: View) -> None:
        self._stop()
        self.view = view
        self.update()

    def animate(self, step: MinigameStep) -> None:
        is_animated = self._begin_move()
        self.show_view(step.after)
        if not is_animated:
            return
        self._phases = phases_of(step.before.cells, step.after.cells, step.events)
        self._bursts = bursts_of(step.events, self._phases)
        if self._phases or self._bursts:
            self._timer.start()

    def show_targets(self, cells: Collection[int] | None) -> None:
        """Dim all cells except those available to a tool; None removes the dimming."""
        self._targets = cells
        self.update()

    def show_cursor(self, cell: int | None, span: int = 1) -> None:
        """Frame the keyboard's cell, or 2 x 2 cells; None removes the frame."""
        self.cursor_cell, self._span = cell, span
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        if self.view is None:
            return
        painter = smooth_painter(self)
        grid = self._grid(self.view)
        self._images.prepare(grid, self.devicePixelRatioF(), painter.font(), self._theme)
        self._draw_floor(painter, grid, self.view)
        phase_ms = self._phase_ms()
        phases = self._phases if self.is_moving else []
        phase = next((phase for phase in phases if phase_ms < phase.end_ms), None)
        if phase:
            self._draw_phase(painter, grid, phase, phase_ms - phase.start_ms)
        else:
            for cell, seen in enumerate(self.view.cells):
                self._draw_still(painter, grid, cell, seen)
        for cell, seen in enumerate(self.view.cells):
            if seen.goal is not None or seen.is_marked:
                draw_marks(painter, grid.rect(cell), self._theme, seen)
        if self.is_moving:
            self._draw_bursts(painter, grid, phase_ms)
        self._draw_targets(painter, grid)
        if self.cursor_cell is not None:
            draw_cursor(painter, grid.block(self.cursor_cell, self._span), self._theme)
        self._draw_focus(painter, grid.frame, grid.gap)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self.pointed_at.emit(event.position())

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat():
            self.key_released.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Report a held key as released."""
        super().focusOutEvent(event)
        self.key_released.emit()

    def _click(self, place: QPointF, button: Qt.MouseButton) -> None:
        if button == Qt.MouseButton.LeftButton:
            self.clicked_at.emit(place)

    def _grid(self, view: View) -> BoardGrid:
        return BoardGrid.fit(
            view.n_rows, view.n_columns, self.width(), self.height(), self.devicePixelRatioF()
        )

    def _on_frame(self) -> None:
        ends = [phase.end_ms for phase in self._phases]
        ends += [burst.start_ms + EFFECT_MS for burst in self._bursts]
        if self._phase_ms() >= max(ends, default=0.0):
            self._stop()
        self.update()

    def _stop(self) -> None:
        self._timer.stop()
        self._phases, self._bursts = [], []

    def _draw_floor(self, painter: QPainter, grid: BoardGrid, view: View) -> None:
        holes = frozenset(cell for cell, seen in enumerate(view.cells) if seen.face == "hole")
        frame = grid.frame
        at_origin = replace(grid, left=0.0, top=0.0)
        self._images.draw(
            painter,
            holes,
            frame.topLeft(),
            max(frame.width(), frame.height()),
            lambda p, _: draw_board(p, at_origin, self._theme, holes),
        )

    def _draw_still(self, painter: QPainter, grid: BoardGrid, cell: int, seen: CellView) -> None:
        if seen.face not in ("empty", "hole") or seen.object:
            self._draw_whole(painter, grid.rect(cell), seen)

    def _draw_whole(self, painter: QPainter, rect: QRectF, seen: CellView) -> None:
        key = (seen.face, seen.exponent, seen.ice, seen.crater_left, seen.is_old, seen.object)
        self._images.draw(
            painter,
            key,
            rect.topLeft(),
            rect.width(),
            lambda p, square: draw_face(p, square, self._theme, seen),
        )

    def _draw_phase(
        self, painter: QPainter, grid: BoardGrid, phase: AnimationPhase, since_ms: float
    ) -> None:
        way = min(1.0, since_ms / phase.way_ms) if phase.way_ms else 1.0
        is_settled = way >= SETTLE_SHARE
        eased = ease_out(way)
        leaving = phase.leaving
        for cell, seen in enumerate(phase.before):
            if phase.moves.get(cell, cell) != cell or (is_settled and cell in phase.joined):
                continue
            if cell in leaving:
                painter.setOpacity(max(0.0, 1 - since_ms / GROW_MS))
            self._draw_still(painter, grid, cell, seen)
            painter.setOpacity(1.0)
        for cell, stop in phase.moves.items():
            if stop == cell or (is_settled and stop in phase.joined):
                continue
            seen = phase.before[cell]
            if is_thing(seen):
                start, end = grid.rect(cell), grid.rect(stop)
                start.translate((end.topLeft() - start.topLeft()) * eased)
                self._draw_whole(painter, start, seen)
        if not is_settled:
            return
        grown = min(1.0, (since_ms - phase.way_ms * SETTLE_SHARE) / GROW_MS)
        for cell in phase.joined:
            self._draw_scaled(painter, grid, cell, phase.after[cell], pop(grown))
            exponent = phase.after[cell].exponent or 0
            draw_glow(painter, grid.rect(cell), self._theme, exponent, grid.gap, grown)
        for cell in phase.coming:
            painter.setOpacity(min(1.0, grown * 2))
            self._draw_scaled(painter, grid, cell, phase.after[cell], ease_out(0.2 + 0.8 * grown))
            painter.setOpacity(1.0)

    def _draw_scaled(
        self, painter: QPainter, grid: BoardGrid, cell: int, seen: CellView, scale: float
    ) -> None:
        rect = grid.rect(cell)
        margin = rect.width() * (1 - scale) / 2
        rect.adjust(margin, margin, -margin, -margin)
        if is_thing(seen):
            draw_face(painter, rect, self._theme, seen)

    def _draw_bursts(self, painter: QPainter, grid: BoardGrid, phase_ms: float) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for burst in self._bursts:
            way = (phase_ms - burst.start_ms) / EFFECT_MS
            if not 0 <= way < 1:
                continue
            color = QColor(self._theme.bad if burst.kind == "strike" else self._theme.accent)
            color.setAlphaF(1 - way)
            painter.setPen(QPen(color, grid.cell * 0.07 * (1 - way) + 1))
            reach = grid.cell * (0.2 + 0.5 * ease_out(way))
            painter.drawEllipse(grid.rect(burst.cell).center(), reach, reach)

    def _draw_targets(self, painter: QPainter, grid: BoardGrid) -> None:
        if self._targets is None or self.view is None:
            return
        shade = QColor(self._theme.background)
        shade.setAlphaF(1 - _DIMMED)
        radius = self._theme.look.radius(grid.cell)
        for cell, seen in enumerate(self.view.cells):
            if seen.face == "hole":
                continue
            if cell in self._targets:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self._theme.accent, 1.5))
            else:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(shade)
            painter.drawRoundedRect(grid.rect(cell), radius, radius)
