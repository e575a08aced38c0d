"""How a player's board fits a formation: its large tiles as F, and the board turned."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from engine.geometry import SQUARE, destinations, permute
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.rank.space import Space

# Turned before mirrored, as players do.
_ORIENTATIONS = [
    dict(zip(SQUARE, destinations("full"), strict=True))[name]
    for name in (
        "identity", "rotate_left", "rotate_180", "rotate_right",
        "mirror", "anti_transpose", "flip", "transpose",
    )
]  # fmt: skip
_LOWEST_BITS = 0x1111_1111_1111_1111


Turns = dict[int, list[Sequence[int]]]
"""How boards of F alone can be turned into a formation, as far as it is known."""


def ways_to_fit(
    board: int, formation: Formation, goal: Goal, space: Space, known: Turns
) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield the board with its large tiles as F, and how to turn it into the formation.

    The large tiles must be the largest of the board, and so large that no small one becomes like
    them before the goal is reached. Of turns that lead
    to the same position one is enough. In a game large tiles stay where they are: `known` spares
    most of the work.
    """
    n = formation.n_large
    tiles = [(board >> shift) & 15 for shift in range(0, 64, 4)]
    ranked = sorted(tiles, reverse=True)
    if ranked[n:][:1] == [15]:
        return  # one large tile more than the formation has
    if n and ranked[n - 1] < (15 if formation.walls else goal.least_large):
        return
    for masked in _masked(board, tiles, ranked[:n]):
        turns = turns_of(masked, space, known)
        if len(turns) == 1:
            yield masked, turns[0]
            continue
        seen = set()
        for destination in turns:
            stored = space.stored_form(permute(masked, destination))
            if stored not in seen:
                seen.add(stored)
                yield masked, destination


def turns_of(masked: int, space: Space, known: Turns) -> list[Sequence[int]]:
    """Return how to turn a board into the formation: that depends on where its F are alone."""
    ones = masked & masked >> 1
    f_cells = (ones & ones >> 2 & _LOWEST_BITS) * 15
    if f_cells not in known:
        known[f_cells] = [one for one in _ORIENTATIONS if space.is_inside(permute(f_cells, one))]
    return known[f_cells]


def _masked(board: int, tiles: list[int], largest: list[int]) -> Iterator[int]:
    """Yield the board with its largest tiles as F; several when some of equal ones must stay."""
    if not largest or largest[-1] == 15:  # they are F already
        yield board
        return
    sure = [i for i, tile in enumerate(tiles) if tile > largest[-1]]
    equal = [i for i, tile in enumerate(tiles) if tile == largest[-1]]
    for some in combinations(equal, len(largest) - len(sure)):
        yield board | sum(15 << 4 * i for i in (*sure, *some))
