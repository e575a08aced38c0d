"""Formations and what tables keep, for somebody who has not read about either. No Qt."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation

_CATEGORIES = {
    "10 space": "10 free cells",
    "12 space": "12 free cells",
    "others": "Other shapes",
    "free": "Large tiles anywhere",
    "variant": "Smaller boards",
}
_GOOD_FOR = {
    "442": "Small and quick to build: a good first table.",
    "L3": "A block in the corner: a good second table, after 442.",
    "LL": "A block of four in the corner: earlier in a game than 442 and L3.",
    "444": "A row of four at the edge: earlier in a game than 442 and L3.",
    "L1": "As small as 44, with the large tiles around a corner.",
    "44": "The smallest of all, for a first look.",
}
_WHICH_ARRANGEMENTS = {
    "t": "a block in the corner, and a pair that may slide along the edge",
    "442t": "442, and what becomes of it when one of its tiles has to move",
    "L3t": "L3, and what becomes of it when tiles of it slide along the edge",
    "L3f": "L3, and most ways to leave it",
}
_ANYWHERE = (1 << 64) - 1


def category_title(category: str) -> str:
    """Return a category of formations as people read it; their own keep their names."""
    return _CATEGORIES.get(category, category)


def describe_formation(formation: "Formation") -> str:
    """Return where the large tiles are, what is free, and what a table of it is good for."""
    free = 16 - formation.n_large
    if formation.walls:
        return f"A board of {free} cells between walls."
    where = "anywhere" if formation.target_cells == _ANYWHERE else "on a marked cell"
    words = [
        f"{_large_tiles(formation)}, {free} free cells.",
        f"Reach the target {where}.",
        _GOOD_FOR.get(formation.name) or _allows_for(formation),
    ]
    return " ".join(filter(None, words))


def _large_tiles(formation: "Formation") -> str:
    n_large, n_moving = formation.n_large, formation.n_movable
    if n_moving == 0:
        return f"{n_large} large tiles stay in place"
    if n_moving == n_large:
        return f"{n_large} large tiles, anywhere on the board"
    return f"{n_large - n_moving} large tiles stay in place, {n_moving} may move"


def _allows_for(formation: "Formation") -> str:
    n_ways = len(formation.masks)
    if not n_ways:
        return "Covers every arrangement of the large tiles, so its tables are large."
    if n_ways == 1:
        return ""
    if which := _WHICH_ARRANGEMENTS.get(formation.name):
        return f"Covers {n_ways} arrangements of the large tiles: {which}."
    return (
        f"Covers {n_ways} arrangements of the large tiles, so play can go on after one has to move."
    )
