"""The figures of the specification, written down again, and what a state says by them.

Nothing is asked of `parameters`.
"""

from collections.abc import Sequence
from functools import lru_cache

from minigames.board import FLOOR
from minigames.state import State
from tests.minigames import slow_rules

GAMES = [
    "blitzkrieg",
    "design_master_1",
    "design_master_2",
    "design_master_3",
    "design_master_4",
    "column_chaos",
    "mystery_merge_1",
    "mystery_merge_2",
    "gravity_twist_1",
    "gravity_twist_2",
    "ferris_wheel",
    "ice_age",
    "isolated_island",
    "shape_shifter",
    "tricky_tiles",
    "endless_factorization",
    "endless_explosions",
    "endless_giftbox",
    "endless_hybrid",
    "endless_air_raid",
]
OBJECT_GAMES = {
    "endless_explosions": (0,),
    "endless_factorization": (1,),
    "endless_giftbox": (2,),
    "endless_hybrid": (0, 1, 2),
}
PORTAL_GAMES = ("isolated_island", "endless_hybrid")
FOGGY = ("mystery_merge_1", "mystery_merge_2")
SCORED = (*OBJECT_GAMES, "endless_air_raid")
THINGS = ("bomb", "factorizer", "gift")
MOVES = ("left", "right", "up", "down")
SWAP_PERIOD = {False: 40, True: 30}
TURN_PERIOD = 20
FREEZE = {False: 80, True: 60}
CRATER_LIFE = {False: 60, True: 100}
MAX_PORTALS = {
    ("isolated_island", False): 2,
    ("isolated_island", True): 3,
    ("endless_hybrid", False): 2,
    ("endless_hybrid", True): 3,
}
RECTANGLE = {False: range(8, 14), True: range(6, 12)}
TILE_LEVELS = (1024, 2048, 4096, 8192)
LEVELS = {
    **{f"design_master_{i}": (256, 512, 1024, 2048) for i in (1, 2, 3, 4)},
    **dict.fromkeys(SCORED, (40_000, 100_000, 200_000, 300_000)),
    "endless_hybrid": (20_000, 50_000, 100_000, 150_000),
}


def fake_adversary(image: Sequence[int]) -> tuple[int, int]:
    """Answer any board somehow, the same one always the same."""
    empty = [cell for cell, tile in enumerate(image) if tile == 0]
    weight = sum(place * tile for place, tile in enumerate(image, start=1))
    return empty[weight % len(empty)], 1 + weight % 2


def adversary_of(game: str):
    return fake_adversary if game == "tricky_tiles" else None


def walls_of(state: State) -> list[bool]:
    return [kind != FLOOR for kind in state.terrain]


def thing_of(state: State) -> int:
    return state.number("object") if "object" in state.own else -1


def mark_of(state: State) -> int:
    return state.number("mark") if "mark" in state.own else -1


def reserved(state: State) -> set[int]:
    return {cell for cell in (thing_of(state), mark_of(state)) if cell >= 0}


def slow_legal(state: State) -> list[int]:
    return list(legal_of(state.tiles, state.terrain, state.n_columns, thing_of(state)))


@lru_cache(maxsize=4)
def legal_of(
    tiles: tuple[int, ...], terrain: tuple[int, ...], n_columns: int, thing: int
) -> list[int]:
    return slow_rules.legal(list(tiles), [kind != FLOOR for kind in terrain], n_columns, thing)


def block_of(state: State, cell: int) -> list[int] | None:
    """The four cells of a twist, clockwise."""
    row, column = divmod(cell, state.n_columns)
    if row + 1 >= state.n_rows or column + 1 >= state.n_columns:
        return None
    below = cell + state.n_columns
    return [cell, cell + 1, below + 1, below]
