"""The visible part of a run: the only data that a window draws from."""

from dataclasses import dataclass, replace

from minigames.board import CRATER, FLOOR, HOLE, ICE, PORTAL
from minigames.state import State


@dataclass(frozen=True)
class CellView:
    """One cell."""

    face: str  # empty, number, hidden, portal, frozen, hole or crater
    # Exponent of a number, frozen or not; None if there is none or it is hidden.
    exponent: int | None = None
    ice: int = 0  # stage of the ice over it: 0 to 5, 6 is frozen
    crater_left: int = 0  # moves until a crater closes
    is_old: bool = False  # whether more than half of a crater's time is over
    goal: int | None = None  # the exponent that the pattern requires here
    is_marked: bool = False  # whether the cell will be struck
    object: str = ""  # bomb, factorizer or gift

    @property
    def meets_goal(self) -> bool:
        return self.goal is not None and self.face == "number" and self.exponent == self.goal


@dataclass(frozen=True)
class View:
    """A run as the player sees it; nothing in it reveals hidden tiles."""

    n_rows: int
    n_columns: int
    cells: tuple[CellView, ...]  # row by row
    score: int
    n_moves: int
    tools: tuple[int, int, int]  # bombs, gloves, twists
    over: str
    time_left_ms: int | None = None  # on the clock
    # Moves until the board changes, and the total period.
    moves_left: int | None = None
    period: int | None = None
    peeks_left: int | None = None  # -1 is without limit; None if nothing is hidden
    goal_level: int | None = None  # the exponent of the pattern to make next
    gravity: int | None = None  # the direction in which tiles fall

    def with_cells(self, cells: list[CellView]) -> "View":
        return replace(self, cells=tuple(cells))


_FACES = {HOLE: "hole", ICE: "frozen", CRATER: "crater"}


def plain_view(state: State) -> tuple[list[CellView], View]:
    """Return the cells and the rest of a view before any variant adds to it."""
    cells = [_cell(*pair) for pair in zip(state.tiles, state.terrain, strict=True)]
    view = View(
        state.n_rows, state.n_columns, (), state.score, state.n_moves, state.tools, state.over
    )
    return cells, view


def _cell(tile: int, terrain: int) -> CellView:
    if terrain != FLOOR:
        return CellView(_FACES[terrain])
    if tile == PORTAL:
        return CellView("portal")
    return CellView("number", tile) if tile else CellView("empty")
