"""What a table is good for, in a sentence; known at once, without an estimate."""

from tablebase.formation.formation import Formation


def purpose(formation: Formation, target: int) -> str:
    """Return in one sentence what a table is good for."""
    n_large, n_free = formation.n_large, 16 - formation.n_large
    if formation.walls:
        return f"Perfect play on a board of {n_free} cells, up to the first {target}."
    if n_large == 0:
        return f"Perfect play on the whole board, up to the first {target}."
    ladder = f"{2 * target}" if n_large == 1 else f"{2 * target} to {target << n_large}"
    tiles = "1 large tile" if n_large == 1 else f"{n_large} large tiles"
    return (
        f"Practice making a {target} beside {tiles} (such as {ladder})"
        f"{_standing(formation)}, with {n_free} free cells."
    )


def _standing(formation: Formation) -> str:
    if formation.n_movable == 0:
        return " that stay in place"
    if formation.n_movable == formation.n_large:
        return " wherever they stand"
    return f", {formation.n_movable} of which may move"
