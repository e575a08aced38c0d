"""Importing situations from text, checked by the local tables."""

from collections.abc import Callable

from coach.mistakes.checked_by_tables import Checked, checked_by_tables
from coach.mistakes.mistake import TableKey
from coach.situations.situation import Situation, situation_on
from engine.bitboard import cells
from engine.platform.files.checked_line import Reading
from tablebase.probe.table import Table


def checked(
    reading: Reading[Situation], open_table: Callable[[TableKey], Table | None]
) -> Checked[Situation]:
    """Return the situations of a text with the chances of the local tables; search's unchanged.

    For the parameters see `coach.mistakes.checked_by_tables`.
    """
    return checked_by_tables(
        reading,
        lambda one: TableKey(one.setup.table, one.setup.spawn4) if one.is_exact else None,
        open_table,
        lambda table, one: situation_on(table, tuple(cells(one.setup.start))),
    )
