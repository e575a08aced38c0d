"""The next table to build, a step up in size: instant, while full advice takes half a minute.

Only tables that were built once and counted are steps (`tablebase.plan.known_costs`), so their
stated size is exact, and no kernel has to be loaded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.plan.known_costs import Known, digest, load_known
from tablebase.plan.purpose import purpose

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
