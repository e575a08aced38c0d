"""How a player's board fits a formation: its large tiles as F, and the board turned."""

from collections.abc import Iterator
from itertools import combinations

from engine.geometry import SQUARE, destinations, permute
from tablebase.formation import Formation
from tablebase.space import Space

# Turned before mirrored, as players do.
_ORIENTATIONS = [
    dict(zip(SQUARE, destinations("full"), strict=True))[name]
    for name in (
        "identity", "rotate_left", "rotate_180", "rotate_right",
        "mirror", "anti_transpose", "flip", "transpose",
    )
]  # fmt: skip


def ways_to_fit(
    board: int, formation: Formation, target: int, space: Space
) -> Iterator[tuple[int, list[int]]]:
    """Yield the board with its large tiles as F, and how to turn it into the formation.

    The large tiles must be the largest of the board, and at least the target. Of turns that lead
    to the same position one is enough.
    """
    n = formation.n_large
    tiles = [(board >> shift) & 15 for shift in range(0, 64, 4)]
    ranked = sorted(tiles, reverse=True)
    if ranked[n:][:1] == [15]:
        return  # one large tile more than the formation has
    if n and ranked[n - 1] < (15 if formation.walls else target.bit_length() - 1):
        return
    for masked in _masked(board, tiles, ranked[:n]):
        seen = set()
        for destination in _ORIENTATIONS:
            turned = permute(masked, destination)
            if not space.is_inside(turned):
                continue
            stored = space.stored_form(turned)
            if stored not in seen:
                seen.add(stored)
                yield masked, destination


def _masked(board: int, tiles: list[int], largest: list[int]) -> Iterator[int]:
    """Yield the board with its largest tiles as F; several when some of equal ones must stay."""
    if not largest:
        yield board
        return
    sure = [i for i, tile in enumerate(tiles) if tile > largest[-1]]
    equal = [i for i, tile in enumerate(tiles) if tile == largest[-1]]
    for some in combinations(equal, len(largest) - len(sure)):
        yield board | sum(15 << 4 * i for i in (*sure, *some))
