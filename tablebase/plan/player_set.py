"""The tables that make an AI strongest within a given space on disk.

This differs from the tables that are best for practice (tablebase.plan.advise). A strong game fails
when five or six large tiles are in place and the next 2048 is to be made, so only tables for that
situation count; and each has to be built for the tile that it is used for, because using a table
for a larger target to make a smaller tile loses games. The order is by gain per space, with tables
that matter by themselves first: a game is a chain of such blocks, and `4421` to 1024 decides the
one that most games fail in.

Search with a network makes the easy targets as surely as a table, and needs none for them: only a
few tables help it, those of hard targets.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.platform.language import mark, tr
from engine.platform.quantities import bytes_text
from tablebase.formation.formation import Formation
from tablebase.plan.advise import LEFT_OUT, AdviceLimits, TableAdvice, why_too_large
from tablebase.plan.estimate import estimate
from tablebase.store.options import TableOptions

_RATE = "uint16"  # half the space, and its errors change no move that matters
_QUICK_SPARSE = 4  # the sparsest tables that still serve hundreds of boards of a search
_TRIES = 2_000_000


@dataclass(frozen=True)
class Entry:
    """A table and its use for an AI."""

    pattern: str
    target: int
    why: str  # one sentence, marked
    sparse: int = 1  # see `TableOptions`

    def options(self, spawn4: float) -> TableOptions:
        return TableOptions(spawn4=spawn4, rate=_RATE, sparse=self.sparse)


_MAX_ENDS = Entry("4421", 1024, mark("the last 1024 beside five large tiles: most games end there"))
_LAST_1024 = mark("the last 1024 beside six large tiles, on the way to 65536")

WANTED = (
    _MAX_ENDS,
    Entry("L3", 512, mark("the last 512 beside six large tiles, two rows of three")),
    Entry("442", 512, mark("the last 512 beside six large tiles where four of them fill a row")),
    Entry("L3", 256, mark("the last 256 beside six large tiles: a sure thing if played exactly")),
    Entry("442", 256, mark("the last 256 where four of six large tiles fill a row")),
    Entry("L3t", 512, mark("as L3 to 512, and one of the large tiles may move: it fits sooner")),
    Entry("t", 512, mark("the last 512 beside six large tiles away from the corner")),
    Entry("t", 256, mark("the last 256 beside six large tiles away from the corner")),
    Entry("4421", 512, mark("the last 512 beside five large tiles")),
    Entry(
        "4431", 1024, mark("the first 1024 beside four large tiles becomes exact"), _QUICK_SPARSE
    ),
    Entry("L3t", 1024, _LAST_1024),
    Entry("t", 1024, mark("as L3t to 1024, for large tiles away from the corner")),
    Entry(
        "4421", 2048, mark("the 2048 beside five large tiles, on the way to 65536"), _QUICK_SPARSE
    ),
)
"""The tables in the order in which space is best spent on them."""

SETS = {"ai": WANTED, "network-search": (_MAX_ENDS, Entry("L3", 1024, _LAST_1024))}
"""The tables by user: the usual AI, and search with a network."""


def advise_for_player(
    limits: AdviceLimits,
    formations: Mapping[str, Formation],
    built: Mapping[tuple[str, int], int],
    spawn4: float = 0.1,
    tables: Sequence[Entry] = WANTED,
) -> list[TableAdvice]:
    """Return the tables that are built, those to build, in order, and those left out and why.

    The space is for all tables of the set. `built` are the bytes of complete ones, whose options do
    not matter. The reason for each table is its `purpose`.
    """
    wanted = [table for table in tables if table.pattern in formations]
    advice = [
        TableAdvice(
            entry.pattern, entry.target, "built", tr(entry.why), options=entry.options(spawn4)
        )
        for entry in wanted
        if (entry.pattern, entry.target) in built
    ]
    names = {(entry.pattern, entry.target) for entry in wanted}
    disk = limits.disk_bytes - sum(n_bytes for name, n_bytes in built.items() if name in names)
    seconds, dropped = limits.seconds, list[TableAdvice]()
    for entry in wanted:
        if (entry.pattern, entry.target) in built:
            continue
        formation, options = formations[entry.pattern], entry.options(spawn4)
        cost = estimate(formation, entry.target, options, pilot_slots=0, tries=_TRIES)
        wall_s = cost.wall_s(limits.threads)
        reason = why_too_large(cost, wall_s, limits)
        if not reason and cost.bytes > disk:
            need, left = bytes_text(cost.bytes), bytes_text(max(disk, 0))
            reason = tr(
                "needs {need} of disk space, more than the {left} left", need=need, left=left
            )
        if not reason and wall_s > seconds:
            reason = tr("takes longer than the time that is left")
        verdict = LEFT_OUT if reason else "build"
        about = TableAdvice(
            pattern=entry.pattern,
            target=entry.target,
            verdict=verdict,
            purpose=tr(entry.why),
            reason=reason,
            cost=cost,
            wall_s=wall_s,
            options=entry.options(spawn4),
        )
        if reason:
            dropped.append(about)
            continue
        advice.append(about)
        disk, seconds = disk - cost.bytes, seconds - wall_s
    return [*advice, *dropped]
