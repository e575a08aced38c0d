"""The formation of a chained table: the target counts only where the next formation goes on."""

from dataclasses import replace

from engine.geometry import destinations, permute
from engine.platform.language import tr
from tablebase.errors import FormationError
from tablebase.formation.formation import Formation, count_f
from tablebase.formation.goal import Goal

_SYMMETRIES = ("full", "diagonal", "horizontal", "identity")  # of square boards, the largest first
_MAX_NAME_LENGTH = 32


def chained(formation: Formation, goal: Goal, after: Formation, after_goal: Goal) -> Formation:
    """Return `formation` for a table to `goal` that continues in one of `after` to `after_goal`.

    Its target cells are those where the new tile, with the large ones, makes the large tiles of
    `after`, in any orientation. Its name says both. Raises FormationError if `after` cannot follow.
    """
    if not goal.tile or not after_goal.tile or goal.tile < after_goal.tile:
        raise _no_chain(
            formation, after, tr("the next target must be a tile no larger than the first")
        )
    if formation.walls or after.walls or formation.n_movable:
        raise _no_chain(formation, after, tr("its large tiles must stay where they are"))
    if after.n_large != formation.n_large + 1:
        raise _no_chain(formation, after, tr("it must have exactly one large tile more"))
    fixed = formation.fixed_mask
    cells = sum(
        cell
        for cell in (15 << shift for shift in range(0, 64, 4))
        if cell & ~fixed and _fits(after, fixed | cell)
    )
    if not cells:
        raise _no_chain(formation, after, tr("no new tile completes its large tiles"))
    own = set(destinations(formation.symmetry))  # of its large tiles at least
    symmetry = next(
        mode
        for mode in _SYMMETRIES
        if own.issuperset(destinations(mode))
        and all(permute(cells, destination) == cells for destination in destinations(mode))
    )
    name = f"{formation.name}then{after.name}"[:_MAX_NAME_LENGTH]
    return replace(formation, name=name, target_cells=cells, symmetry=symmetry)


def _fits(after: Formation, large: int) -> bool:
    return count_f(large) == after.n_large and any(
        after.is_inside(permute(large, destination)) for destination in destinations("full")
    )


def _no_chain(formation: Formation, after: Formation, why: str) -> FormationError:
    return FormationError(
        "{name!r} can't continue in {after!r}: {why}",
        name=formation.name,
        after=after.name,
        why=why,
    )
