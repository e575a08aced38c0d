"""The purpose of a table, in a sentence, and the next one to build; both without an estimate."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from engine.platform.language import tr, trn
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal, SumGoal, goal_of
from tablebase.plan.known_costs import Known, digest, load_known


def purpose(formation: Formation, target: Goal | int) -> str:
    n_large, n_free = formation.n_large, 16 - formation.n_large
    if isinstance(target, SumGoal):
        return _of_sum(formation, target, n_free)
    target = goal_of(target).tile
    if formation.walls:
        return tr(
            "Perfect play on a board of {cells} cells, up to the first {target}.",
            cells=n_free,
            target=target,
        )
    if n_large == 0:
        return tr("Perfect play on the full board, up to the first {target}.", target=target)
    if n_large == 1:
        return _beside_one(formation, target, n_free)
    values = {
        "target": target,
        "count": n_large,
        "first": 2 * target,
        "last": target << n_large,
        "cells": n_free,
    }
    if formation.n_movable == 0:
        return tr(
            "Practice making a {target} beside {count} large tiles (such as {first} to {last}) "
            "that stay in place, with {cells} free cells.",
            **values,
        )
    if formation.n_movable == n_large:
        return tr(
            "Practice making a {target} beside {count} large tiles (such as {first} to {last}) "
            "wherever they stand, with {cells} free cells.",
            **values,
        )
    return tr(
        "Practice making a {target} beside {count} large tiles (such as {first} to {last}), "
        "{moving} of which may move, with {cells} free cells.",
        moving=formation.n_movable,
        **values,
    )


def _of_sum(formation: Formation, goal: SumGoal, n_free: int) -> str:
    total, n_large = f"{goal.total:,}", formation.n_large
    if formation.walls:
        return tr(
            "Perfect play on a board of {cells} cells, up to a sum of {sum}.",
            cells=n_free,
            sum=total,
        )
    if n_large == 0:
        return tr("Perfect play on the full board, up to a sum of {sum}.", sum=total)
    return trn(
        "Practice reaching a sum of {sum} beside {n} large tile, with {cells} free cells.",
        "Practice reaching a sum of {sum} beside {n} large tiles, with {cells} free cells.",
        n_large,
        sum=total,
        cells=n_free,
    )


def _beside_one(formation: Formation, target: int, n_free: int) -> str:
    values = {"target": target, "tile": 2 * target, "cells": n_free}
    if formation.n_movable == 0:
        return tr(
            "Practice making a {target} beside 1 large tile (such as {tile}) that stays in place, "
            "with {cells} free cells.",
            **values,
        )
    return tr(
        "Practice making a {target} beside 1 large tile (such as {tile}) wherever it stands, "
        "with {cells} free cells.",
        **values,
    )


_MIN_TARGET = 128  # smaller ones end before there is anything to learn
_ROOM_FACTOR = 2.0  # a build needs scratch files too


@dataclass(frozen=True)
class NextTable:
    """A table that is worth building next."""

    pattern: str
    target: int
    n_bytes: int  # on disk, with the usual options
    purpose: str  # one sentence: what it practices


def next_table(
    formations: Mapping[str, Formation],
    built: Mapping[tuple[str, Goal | int], int],
    room_bytes: float = inf,
    known: Known | None = None,
) -> NextTable | None:
    """`built` are the boards of tables that exist or are being built, 0 if unknown."""
    known = load_known() if known is None else known
    steps: list[tuple[int, str, int, int]] = []
    largest = max(built.values(), default=0)
    for name, formation in formations.items():
        for target, counted in known.get(digest(formation), {}).items():
            if (name, target) in built:
                largest = max(largest, counted.boards)
            elif counted.bytes and counted.stored and not formation.walls:
                steps.append((counted.boards, name, target, counted.bytes))
    for boards, name, target, n_bytes in sorted(steps):
        fits = n_bytes * _ROOM_FACTOR <= room_bytes
        if boards > largest and target >= _MIN_TARGET and fits:
            return NextTable(name, target, n_bytes, purpose(formations[name], target))
    return None
