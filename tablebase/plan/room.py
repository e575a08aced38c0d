"""Whether a drive has room for a table and for what building it takes besides."""

from pathlib import Path

from engine.files.free_room import free_bytes
from engine.language import tr
from engine.wording import bytes_text
from tablebase.errors import BuildRefusedError
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.plan.advise import quick_cost
from tablebase.plan.exact_count import layer_slots
from tablebase.store.options import TableOptions

_MOST_BYTES_PER_SLOT = 2.5  # with room to spare: at most a third of the slots come up
_SURE = 0.7  # estimates may be off by a third


def check_room(
    formation: Formation, target: Goal | int, folder: Path, options: TableOptions
) -> None:
    """Refuse a new table that surely does not fit; takes seconds at most, mostly no time.

    Parameters
    ----------
    folder : Path
        Of the table, which need not exist.

    Raises
    ------
    BuildRefusedError
        Says how much it takes, and what would take less.
    """
    free = free_bytes(folder)
    if free is None or sum(layer_slots(formation, target)) * _MOST_BYTES_PER_SLOT <= free:
        return
    cost = quick_cost(formation, target, options=options)
    table = 0 if cost.is_most else cost.bytes  # how much its options leave out is not known
    if _SURE * (table + cost.scratch_bytes) <= free:
        return
    raise BuildRefusedError(
        tr(
            "{name} {target} takes about {table}, and {scratch} more until it is built, but "
            "{folder} has {free} free: free some, name another drive with --out, or store less "
            "with --sparse 4 or --rate uint16",
            name=formation.name,
            target=target,
            table=bytes_text(table),
            scratch=bytes_text(cost.scratch_bytes),
            folder=folder.parent,
            free=bytes_text(free),
        )
    )
