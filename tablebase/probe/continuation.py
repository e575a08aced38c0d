"""Chained tables: what a board is worth that has reached the target, by the next table.

A table takes its target for a win, whatever board it leaves. A chained one says how the game goes
on: the new tile becomes one more large tile, and the next table, whose formation has it, rates what
remains. So its rates are the chance of the whole rest of the chain, for play that keeps to it.
What the next table does not hold is computed from what it holds (`Tablebase.computed_rates`).
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.geometry import destinations, permute
from engine.platform.array_types import F64, U64
from engine.platform.language import tr
from engine.spawn import is_same_spawn4
from tablebase.errors import BuildRefusedError, FormationError
from tablebase.formation.chain_name import chain_name
from tablebase.formation.formation import Formation, count_f
from tablebase.formation.goal import Goal
from tablebase.store.manifest import Continuation, Manifest, load_finished, load_manifest
from tablebase.store.origin import load_origin

_SYMMETRIES = ("full", "diagonal", "horizontal", "identity")  # of square boards, the largest first


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
    name = chain_name(formation.name, after.name)
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


class ReachedRates:
    """Rates boards of a formation that have reached the target, by what the next table computes."""

    def __init__(
        self, computed_rates: Callable[[U64], F64], formation: Formation, target: int
    ) -> None:
        self._computed_rates = computed_rates
        self._exponent = np.uint64(target.bit_length() - 1)
        self._cells = [
            np.uint64(shift)
            for shift in range(0, 64, 4)
            if (formation.target_cells & ~formation.fixed_mask) >> shift & 15
        ]

    def __call__(self, afters: U64) -> F64:
        best = np.zeros(afters.size)
        for shift in self._cells:
            holds = np.flatnonzero(afters >> shift & np.uint64(15) == self._exponent)
            if holds.size:
                locked = afters[holds] | np.uint64(15) << shift
                rates = self._computed_rates(locked)
                best[holds] = np.fmax(best[holds], rates)
        return best


def chained_to(formation: Formation, goal: Goal, folder: Path, spawn4: float) -> Formation:
    """Return the formation of a table that continues in the finished one in `folder`.

    Raises FormationError if that one is of another formation or target than can follow, and
    BuildRefusedError if it is of another game or does not hold all boards.
    """
    following = load_finished(folder)
    options, origin = following.options, load_origin(folder)
    if not is_same_spawn4(options.spawn4, spawn4):
        raise BuildRefusedError(
            "{table} is for games with {theirs:g} of new tiles as 4s, not {ours:g}: choose the "
            "same share, or another table to continue in",
            table=following.name,
            theirs=options.spawn4,
            ours=spawn4,
        )
    leaves_out = options.threshold > 0 or options.optimal_only or options.is_limited
    if leaves_out or (origin is not None and origin.is_thinned):
        raise BuildRefusedError(
            "{table} leaves out boards, so it can't rate all that may be handed over: choose a "
            "table that holds all boards",
            table=following.name,
        )
    return chained(formation, goal, following.formation, following.goal)


def tables_after(folder: Path, then: Continuation | None) -> Iterator[Manifest]:
    """Yield the manifests of the tables that the one in `folder` continues in, one after another.

    Raises MissingTableError if one of them is not there.
    """
    while then:
        manifest = load_manifest(folder.parent / then.table)
        yield manifest
        then = manifest.then


def continuation_in(folder: Path) -> Continuation:
    """Return how manifests refer to the finished table in a folder."""
    return Continuation(folder.name, load_finished(folder).identity)
