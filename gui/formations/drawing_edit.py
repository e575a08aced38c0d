"""A drawing that is being edited: its current arrangement, and undo. No Qt."""

from dataclasses import dataclass, replace

from tablebase.formation.drawing import ALL_CELLS, CELLS, Drawing

FREE, LARGE, TARGET, BOTH = "free", "large", "target", "both"
MAX_ARRANGEMENTS = 32
_MAX_STEPS = 500


class DrawingEdit:
    """A drawing that changes step by step; every step can be undone."""

    def __init__(self, drawing: Drawing | None = None) -> None:
        self.drawing = drawing or Drawing()
        self.arrangement = 0  # index of the mask being drawn
        self._before: list[tuple[Drawing, int]] = []
        self._after: list[tuple[Drawing, int]] = []

    @property
    def can_undo(self) -> bool:
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        return bool(self._after)

    @property
    def mask(self) -> int:
        return self.drawing.masks[self.arrangement]

    def state_of(self, cell: int) -> str:
        is_large, is_target = self.mask & CELLS[cell], self.drawing.targets & CELLS[cell]
        if is_large:
            return BOTH if is_target else LARGE
        return TARGET if is_target else FREE

    def cycle(self, cell: int) -> None:
        """Switch a cell to its next state: a large tile (or wall), the target, free."""
        bit = CELLS[cell]
        if self.mask & bit:
            self._draw(self.mask & ~bit, self.drawing.targets | bit)
        elif self.drawing.targets & bit:
            self._draw(self.mask, self.drawing.targets & ~bit)
        else:
            self._draw(self.mask | bit, self.drawing.targets)

    def toggle_target(self, cell: int) -> None:
        self._draw(self.mask, self.drawing.targets ^ CELLS[cell])

    def clear(self, cell: int) -> None:
        self._draw(self.mask & ~CELLS[cell], self.drawing.targets & ~CELLS[cell])

    def clear_all(self) -> None:
        self._step(Drawing(walls=self.drawing.walls), 0)

    def replace(self, drawing: Drawing) -> None:
        self._step(drawing, 0)

    def set_walls(self, walls: bool) -> None:
        """Choose what `cycle` draws: walls, which no tile passes, or large tiles."""
        mask = (self.mask,)
        masks, n_loose = (mask, 0) if walls else (mask, self.drawing.n_loose)
        self._redraw(masks=masks, n_loose=n_loose, walls=walls)

    def set_loose(self, n: int) -> None:
        self._redraw(n_loose=n)

    def add_arrangement(self) -> None:
        masks = self.drawing.masks
        masks = (*masks[: self.arrangement + 1], self.mask, *masks[self.arrangement + 1 :])
        self._redraw(self.arrangement + 1, masks=masks)

    def remove_arrangement(self) -> None:
        masks = self.drawing.masks
        if len(masks) > 1:
            masks = (*masks[: self.arrangement], *masks[self.arrangement + 1 :])
            self._redraw(min(self.arrangement, len(masks) - 1), masks=masks)

    def turn(self, how: str) -> None:
        """Turn or flip the drawing; `how` is a name in engine.geometry.SQUARE."""
        self._step(self.drawing.turned(how), self.arrangement)

    def choose(
        self,
        *,
        symmetry: str | None = None,
        seeds: tuple[int, ...] | None = None,
        extra_steps: int | None = None,
    ) -> None:
        """Override derived properties of the drawing; "" and () restore the derived ones."""
        drawing = self.drawing
        if symmetry is not None:
            drawing = replace(drawing, own_symmetry=symmetry)
        if seeds is not None:
            drawing = replace(drawing, own_seeds=seeds)
        if extra_steps is not None:
            drawing = replace(drawing, extra_steps=extra_steps)
        self._step(drawing, self.arrangement)

    def undo(self) -> None:
        if self._before:
            self._after.append((self.drawing, self.arrangement))
            self.drawing, self.arrangement = self._before.pop()

    def redo(self) -> None:
        if self._after:
            self._before.append((self.drawing, self.arrangement))
            self.drawing, self.arrangement = self._after.pop()

    def _draw(self, mask: int, targets: int) -> None:
        masks = list(self.drawing.masks)
        masks[self.arrangement] = mask
        if mask == self.mask:  # custom start boards still fit
            self._step(replace(self.drawing, targets=targets & ALL_CELLS), self.arrangement)
        else:
            self._redraw(masks=tuple(masks), targets=targets)

    def _redraw(self, arrangement: int | None = None, **changes: object) -> None:
        """Change the places of large tiles: custom start boards no longer fit."""
        drawing = replace(self.drawing, own_seeds=(), **changes)  # type: ignore[arg-type]
        self._step(drawing, self.arrangement if arrangement is None else arrangement)

    def _step(self, drawing: Drawing, arrangement: int) -> None:
        arrangement = min(arrangement, len(drawing.masks) - 1)
        if (drawing, arrangement) == (self.drawing, self.arrangement):
            return
        self._before = [*self._before[-_MAX_STEPS:], (self.drawing, self.arrangement)]
        self._after.clear()
        self.drawing, self.arrangement = drawing, arrangement


@dataclass(frozen=True, slots=True)
class Unsaved:
    """A drawing to go on with later, and what its form says."""

    edit: DrawingEdit
    name: str
    category: str
    original: str  # the name of the edited custom formation; "" for a new one
    is_renamed: bool  # whether the user has entered the name
