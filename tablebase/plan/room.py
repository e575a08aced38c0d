"""Checks whether the drives have room for a table and for the working files of its build."""

from pathlib import Path
from typing import NoReturn

from engine.platform.files.free_room import free_bytes, is_same_drive
from engine.platform.language import mark, tr
from engine.platform.quantities import bytes_text
from tablebase.errors import BuildRefusedError
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.memory.limits import default_limit
from tablebase.plan.advise import quick_cost
from tablebase.plan.exact_count import Watch, layer_slots
from tablebase.plan.known_costs import StoredCounts
from tablebase.store.options import TableOptions

_MAX_BYTES_PER_SLOT = 2.5  # with a margin: at most a third of the slots come up
_SURE = 0.7  # estimates may be off by a third
_BOTH = mark(
    "{name} {target} takes about {table}, and {scratch} more until it is built, but {folder} has "
    "{free} free: free some, or name another drive with --out, or one for the working files alone "
    "with --scratch"
)
_TABLE = mark(
    "{name} {target} takes about {table}, but {folder} has {free} free: free some, or name another "
    "drive with --out"
)
_WORKING = mark(
    "the working files of {name} {target} take about {scratch} until it is built, but {folder} has "
    "{free} free: free some, or name another drive with --scratch"
)


def check_room(
    formation: Formation,
    target: Goal | int,
    folder: Path,
    options: TableOptions,
    scratch: Path | None = None,
    memory_bytes: int | None = None,
    watch: Watch | None = None,
    store: StoredCounts | None = None,
) -> None:
    """Refuse a new table that certainly does not fit; takes up to half a minute, usually no time.

    The table's folder need not exist. `watch` receives the progress, from 0 to 1, and ends the work
    by raising an exception; `store` keeps an estimate that takes seconds. BuildRefusedError says
    how much space the table takes, and what would take less.
    """
    scratch = (scratch or folder).absolute()
    free, free_scratch = free_bytes(folder), free_bytes(scratch)
    most = sum(layer_slots(formation, target)) * _MAX_BYTES_PER_SLOT
    if all(room is None or most <= room for room in (free, free_scratch)):
        return
    cost = quick_cost(formation, target, options=options, watch=watch, store=store)
    table = 0 if cost.is_most else cost.bytes  # how much its options leave out is unknown
    working = cost.scratch_within(memory_bytes or default_limit())

    def refuse(sentence: str, place: Path, free: int) -> NoReturn:
        refusal = tr(
            sentence,
            name=formation.name,
            target=target,
            table=bytes_text(table),
            scratch=bytes_text(working),
            folder=place,
            free=bytes_text(free),
        )
        less = "" if sentence == _WORKING else _ways_to_store_less(options)
        if less:
            refusal = tr("{refusal}; {options} stores less", refusal=refusal, options=less)
        raise BuildRefusedError(refusal)

    if is_same_drive(folder, scratch):
        if free is not None and _SURE * (table + working) > free:
            refuse(_BOTH, folder.parent, free)
        return
    if free is not None and _SURE * table > free:
        refuse(_TABLE, folder.parent, free)
    if free_scratch is not None and _SURE * working > free_scratch:
        refuse(_WORKING, scratch, free_scratch)


def _ways_to_store_less(options: TableOptions) -> str:
    sparse, rate = "--sparse 4", "--rate uint16"  # no text
    is_sparse_possible = not (options.sparse > 1 or options.threshold > 0 or options.optimal_only)
    if options.rate == "uint16":
        return sparse if is_sparse_possible else ""
    return tr("{first} or {last}", first=sparse, last=rate) if is_sparse_possible else rate
