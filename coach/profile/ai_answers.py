"""The AI's loss in positions covered by tables: the same positions, judged by the same rates.

The AI is the search that judges whole games where no table does (`ai.chances`), without tables, as
with them it would lose nothing.
"""

from collections.abc import Callable, Sequence

from coach.grading.grade import UINT32, judge
from coach.profile.facts import JudgedMoves, Unasked
from engine.bitboard import LARGEST_NIBBLE, cells
from engine.geometry import destinations

MAX_ASKED = 500
"""Positions that are asked about at a time, of the latest games."""

_EVERY = 50  # answers are saved this often, so that canceling loses few

NODES = 120_000
"""Positions that it searches for each: some 30 ms of one core."""

Look = Callable[[Sequence[int]], Sequence[float | None]]
"""Returns the chances that the AI sees in four moves, for 16 exponents."""


def ask_ai(
    facts: JudgedMoves,
    look: Look,
    most: int = MAX_ASKED,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> int:
    """Ask the AI about positions it hasn't judged yet; return their number.

    It chooses among the moves that the table rates, since no table knows the loss of breaking the
    formation.
    """
    missing = facts.unasked(most)
    found: list[tuple[Unasked, float]] = []
    n = 0
    for one in missing:
        if is_cancelled():
            break
        on_progress(n, len(missing))
        found.append((one, _lost(one, look(distinct_large(one.board, one.smallest_large)))))
        n += 1
        if len(found) == _EVERY:
            facts.keep_ai(found)
            found = []
    facts.keep_ai(found)
    return n


def distinct_large(board: int, smallest: int) -> list[int]:
    """Return the exponents of a board with F replaced by distinct large tiles from `smallest` up.

    They descend along the snake on which they are closest together, as in games: from a corner
    along the side and back in the next row.

    >>> distinct_large(0x0001_0000_0002_FFFF, 9)[12:]
    [12, 11, 10, 9]
    """
    found = cells(board)
    large = {cell for cell, exponent in enumerate(found) if exponent == LARGEST_NIBBLE}
    snake = min(_SNAKES, key=lambda path: sum(path.index(cell) for cell in large))
    for i, cell in enumerate([one for one in snake if one in large]):
        found[cell] = smallest + len(large) - 1 - i  # from 2 ** 18 on search takes them for F
    return found


_SNAKE = (0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12)
_SNAKES = [[to[cell] for cell in _SNAKE] for to in destinations("full")]


def _lost(one: Unasked, chances: Sequence[float | None]) -> float:
    rated = [direction for direction in range(4) if one.rates[direction] is not None]
    chosen = max(rated, key=lambda direction: (chances[direction] or 0.0, -direction))
    judgement = judge(one.rates, chosen, UINT32)
    return judgement.points_lost if judgement else 0.0  # nothing was left to lose


def search_look() -> Look:
    """Create and return the AI, which takes a moment."""
    from ai.chances.chance_search import ChanceSearch

    search = ChanceSearch()
    return lambda exponents: search.look(exponents, NODES).chances
