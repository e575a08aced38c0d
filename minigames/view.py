"""What a person may see of a run: the only thing that a window draws from."""

from dataclasses import dataclass, replace

from minigames.board import CRATER, FLOOR, HOLE, ICE, PORTAL
from minigames.state import State


@dataclass(frozen=True)
class CellView:
    """One cell.

    Attributes
    ----------
    face : str
        empty, number, hidden, portal, frozen, hole or crater.
    exponent : int or None
        Of a number, frozen or not; None where there is none, or where it is hidden.
    ice : int
        How far ice has grown over it: 0 to 5, 6 is frozen.
    crater_left : int
        In how many moves a crater closes.
    is_old : bool
        Of a crater: more than half of its time is over.
    goal : int or None
        The exponent that the pattern asks for here.
    is_marked : bool
        Whether it will be struck.
    object : str
        bomb, factorizer or gift.
    """

    face: str
    exponent: int | None = None
    ice: int = 0
    crater_left: int = 0
    is_old: bool = False
    goal: int | None = None
    is_marked: bool = False
    object: str = ""

    @property
    def meets_goal(self) -> bool:
        """Whether it holds what the pattern asks for."""
        return self.goal is not None and self.face == "number" and self.exponent == self.goal


@dataclass(frozen=True)
class View:
    """A run as a person sees it; nothing in it gives away what is hidden.

    Attributes
    ----------
    n_rows, n_columns : int
    cells : tuple of CellView
        Row by row.
    score, n_moves : int
    tools : tuple of int
        Bombs, gloves, twists.
    over : str
    time_left_ms : int or None
        On the clock.
    moves_left, period : int or None
        Until the board changes, and out of how many.
    peeks_left : int or None
        -1 is without limit; None where nothing is hidden.
    goal_level : int or None
        The exponent of the pattern to make next.
    gravity : int or None
        The direction in which tiles fall.
    """

    n_rows: int
    n_columns: int
    cells: tuple[CellView, ...]
    score: int
    n_moves: int
    tools: tuple[int, int, int]
    over: str
    time_left_ms: int | None = None
    moves_left: int | None = None
    period: int | None = None
    peeks_left: int | None = None
    goal_level: int | None = None
    gravity: int | None = None

    def with_cells(self, cells: list[CellView]) -> "View":
        """Return the view with these cells."""
        return replace(self, cells=tuple(cells))


_FACES = {HOLE: "hole", ICE: "frozen", CRATER: "crater"}


def plain_view(state: State) -> tuple[list[CellView], View]:
    """Return the cells and the rest of a view before any variant adds to it."""
    cells = [_cell(*pair) for pair in zip(state.tiles, state.terrain, strict=True)]
    view = View(
        state.n_rows,
        state.n_columns,
        (),
        state.score,
        state.n_moves,
        state.tools,
        state.over,
    )
    return cells, view


def _cell(tile: int, terrain: int) -> CellView:
    if terrain != FLOOR:
        return CellView(_FACES[terrain])
    if tile == PORTAL:
        return CellView("portal")
    return CellView("number", tile) if tile else CellView("empty")
