"""The tables that a table to build may continue in when its target is reached."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from engine.spawn import is_same_spawn4
from tablebase.errors import FormationError
from tablebase.formation.chain_name import first_name
from tablebase.formation.goal import goal_of

if TYPE_CHECKING:
    from gui.table_work.requests import BuildRequest
    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo


def next_tables(
    request: "BuildRequest", tables: "Iterable[TableInfo]", formations: "Mapping[str, Formation]"
) -> "list[TableInfo]":
    """Return the finished tables in the same folder whose formation goes on where this one ends."""
    first = formations[request.pattern]
    fitting = []
    for table in tables:
        after = formations.get(first_name(table.pattern, table.then))
        is_whole = not (table.optimal_only or table.is_limited or table.threshold > 0)
        is_beside = table.path.parent == request.folder and not table.origin
        is_same_game = is_same_spawn4(table.spawn4, request.spawn4)
        if table.state != "complete" or not (after and is_whole and is_beside and is_same_game):
            continue
        if after.n_large != first.n_large + 1:
            continue
        from tablebase.probe.continuation import chained  # loads msgspec

        try:
            chained(first, goal_of(request.target), after, goal_of(table.target))
        except FormationError:
            continue
        fitting.append(table)
    return fitting
