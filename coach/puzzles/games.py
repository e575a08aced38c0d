"""Puzzles in the user's own games: positions with one right move where a mistake was played.

Mistakes in tests are in the database of mistakes; these come from analyzed games.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from coach.analysis.analyses import Analyses
from coach.grading.position import position_symmetry
from coach.grading.rated import read
from coach.mistakes.mistake import TableKey
from coach.puzzles.puzzle import Puzzle, is_sharp, puzzle_of
from coach.recordings.recording import open_recording
from engine.platform.errors import AppError
from tablebase.errors import ProbeError
from tablebase.probe.table import Table

MAX_GAMES = 200
"""Of the latest analyses; older ones were looked through before."""


def analyzed_parts(database: Path, table: str) -> list[Path]:
    """Return the recordings of the parts of analyzed games that a table covers, latest first.

    Parameters
    ----------
    database : Path
        Database of analyses; it need not exist.
    table : str
        The table's name.

    Raises
    ------
    DatabaseError
        It cannot be read.
    """
    if not database.exists():  # don't create one just by looking
        return []
    with closing(Analyses(database)) as analyses:
        kept = analyses.latest(MAX_GAMES)
    parts = [one for analysis in kept for one in analysis.segments if one.table == table]
    return [one.recording for one in parts if one.recording]


def among_games(table: Table, recordings: Iterable[Path]) -> Iterator[Puzzle]:
    """Yield the puzzles where recorded games went wrong, by a table's rates.

    A recording that can no longer be read is skipped.
    """
    key, symmetry = TableKey(table.name, table.spawn4), position_symmetry(table.formation)
    for path in recordings:
        for board in _went_wrong(path):
            try:
                masked = table.probe(board).masked
                found = read(table, masked)
            except ProbeError:
                continue  # part of the game is outside the table
            if not found.unknown_rates and (
                puzzle := puzzle_of(key, masked, symmetry, found.rates)
            ):
                yield puzzle


def _went_wrong(path: Path) -> Iterator[int]:
    """Yield the positions of a game with one right move, where another one was played."""
    try:
        recording = open_recording(path)
    except AppError:
        return
    for i, judgement in enumerate(recording.judgements):
        rates = recording.rates[i]
        if judgement and not judgement.is_perfect and rates and is_sharp(rates):
            yield recording.boards[i]
