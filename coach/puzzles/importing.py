"""Importing puzzles from text, checked by the local tables."""

from collections.abc import Callable

from coach.mistakes.checked_by_tables import Checked, checked_by_tables
from coach.mistakes.mistake import TableKey
from coach.puzzles.finder import as_the_table_says
from coach.puzzles.puzzle import Puzzle
from coach.puzzles.text_line import PuzzleTextError
from engine.bitboard import DIRECTIONS
from engine.platform.files.checked_line import Reading
from engine.platform.language import tr
from tablebase.probe.table import Table


def checked(
    reading: Reading[Puzzle], open_table: Callable[[TableKey], Table | None]
) -> Checked[Puzzle]:
    """Return the puzzles of a text with the rates of the local tables.

    For the parameters see `coach.mistakes.checked_by_tables`.
    """

    def proving(key: TableKey) -> Table | None:
        table = open_table(key)
        if table and table.is_limited:  # lower bounds prove nothing either way
            table.close()
            return None
        return table

    return checked_by_tables(reading, lambda puzzle: puzzle.key, proving, _as_told)


def _as_told(table: Table, puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with the table's rates; raise PuzzleTextError if it isn't one."""
    found = as_the_table_says(table, puzzle)
    if found is None or found.best != puzzle.best:
        raise PuzzleTextError(
            tr(
                "your {table} table doesn't say that {move} is the one right move",
                table=table.name,
                move=DIRECTIONS[puzzle.best],
            )
        )
    return found
