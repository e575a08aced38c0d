"""Puzzles that came as text, checked by the tables that are here."""

from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass
from typing import Protocol

from coach.mistakes.mistake import TableKey
from coach.puzzles.finder import Table, as_the_table_says
from coach.puzzles.puzzle import Puzzle
from coach.puzzles.text_line import Reading
from engine.bitboard import DIRECTIONS
from engine.language import tr
from tablebase.errors import ProbeError


class OpenTable(Table, Protocol):
    """A table that is open."""

    def close(self) -> None:
        """Let go of the files."""


@dataclass(frozen=True)
class Checked:
    """What can be kept of a text.

    Attributes
    ----------
    puzzles : tuple of Puzzle
        With the rates of the tables here; those of others as they came.
    problems : tuple of str
        A sentence for each line that is left out.
    n_unchecked : int
        How many puzzles are of tables that are not here, or know lower bounds only.
    """

    puzzles: tuple[Puzzle, ...]
    problems: tuple[str, ...]
    n_unchecked: int


def checked(reading: Reading, open_table: Callable[[TableKey], OpenTable | None]) -> Checked:
    """Return the puzzles of a text as one's own tables have them.

    Parameters
    ----------
    reading : Reading
    open_table : callable
        Opens the table of that name and share of fours; None where it is not here.
    """
    by_table: dict[TableKey, list[tuple[int, Puzzle]]] = {}
    for number, puzzle in reading.puzzles:
        by_table.setdefault(puzzle.key, []).append((number, puzzle))
    kept: dict[int, Puzzle] = {}
    problems: dict[int, str] = {}
    n_unchecked = 0
    for key, puzzles in by_table.items():
        table = open_table(key)
        with closing(table) if table else nullcontext():
            if table is None or table.is_limited:  # lower bounds prove nothing, either way
                kept.update(puzzles)
                n_unchecked += len(puzzles)
                continue
            for number, puzzle in puzzles:
                said = _as_told(table, puzzle)
                if isinstance(said, str):
                    problems[number] = tr("line {number}: {problem}", number=number, problem=said)
                else:
                    kept[number] = said
    return Checked(
        tuple(kept[number] for number in sorted(kept)),
        (*reading.problems, *(problems[number] for number in sorted(problems))),
        n_unchecked,
    )


def _as_told(table: Table, puzzle: Puzzle) -> Puzzle | str:
    """Return a puzzle by the table's rates, or why it is none."""
    try:
        found = as_the_table_says(table, puzzle)
    except ProbeError as error:
        return str(error)
    if found is None or found.best != puzzle.best:
        return tr(
            "your {table} table doesn't say that {move} is the one right move",
            table=table.name,
            move=DIRECTIONS[puzzle.best],
        )
    return found
