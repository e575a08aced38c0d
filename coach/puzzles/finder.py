"""Finding puzzles: in games that a table plays, among the user's mistakes and in analyzed games.

The table plays its best moves from its start boards, and now and then one that is nearly as good,
so that positions arise that people reach. All randomness comes from one seed: the same table and
seed give the same puzzles.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from datetime import date
from pathlib import Path

from coach.analysis.analyses import Analyses
from coach.grading.position import position_symmetry
from coach.grading.rated import read
from coach.mistakes.mistake import Mistake, TableKey
from coach.play.table_game import game_on
from coach.puzzles.puzzle import Puzzle, is_sharp, puzzle_of
from coach.record.user_database import UserDatabase
from coach.recordings.recording import open_recording
from engine.platform.errors import AppError
from engine.spawn import Rng
from tablebase.errors import ProbeError
from tablebase.probe.table import Table

MAX_POSITIONS = 200_000
"""Number of positions after which a search ends: minutes, enough to find some if a table has
puzzles."""

MAX_GAMES = 200
"""Of the latest analyses; older ones were looked through before."""

_MAX_HOPELESS = 1000  # games in a row lost at the start: then all will be
_APART = 8  # moves between two puzzles of one game, since neighbors look alike


class NoPuzzlesError(AppError):
    """Puzzles can't be found in this table."""


def find_puzzles(
    table: Table, seed: int, goes_on: Callable[[int], bool] = lambda _: True
) -> Iterator[Puzzle]:
    """Yield the puzzles of a table's games, each once, until `goes_on` or `MAX_POSITIONS` ends it.

    `goes_on` is called at every position with the number examined.

    Raises NoPuzzlesError: the table's rates are lower bounds: a gap between two of them proves
    nothing.
    """
    if table.is_limited:
        raise NoPuzzlesError(
            "the rates of {table} are lower bounds, so it can't tell which move is best "
            "everywhere; look for puzzles in a table without limits",
            table=table.name,
        )
    rng, seen = Rng(seed), set[int]()
    symmetry, key = position_symmetry(table.formation), TableKey(table.name, table.spawn4)
    n_positions = n_hopeless = 0
    while n_hopeless < _MAX_HOPELESS:
        before, last = n_positions, -_APART
        for number, (board, found) in enumerate(game_on(table, rng)):
            if n_positions >= MAX_POSITIONS or not goes_on(n_positions):
                return
            n_positions += 1
            if number - last < _APART:
                continue
            puzzle = puzzle_of(key, board, symmetry, found.rates)
            if puzzle and puzzle.board not in seen:
                seen.add(puzzle.board)
                last = number
                yield puzzle
        n_hopeless = n_hopeless + 1 if n_positions == before else 0


def daily_puzzle(
    table: Table, day: date, goes_on: Callable[[int], bool] = lambda _: True
) -> Puzzle | None:
    """Return the daily puzzle, the same for every copy of the table; None if there is none.

    Raises NoPuzzlesError as `find_puzzles`.
    """
    return next(find_puzzles(table, _DAILY + day.toordinal(), goes_on), None)


def among_mistakes(mistakes: Iterable[Mistake]) -> Iterator[Puzzle]:
    """Yield the mistakes that may be puzzles, by their known rates.

    A missing rate may be unknown: check with the table, see `as_the_table_says`.
    """
    for one in mistakes:
        if one.has_rates and (puzzle := puzzle_of(one.key, one.board, one.symmetry, one.rates)):
            yield puzzle


def confirmed(table: Table, puzzles: Iterable[Puzzle]) -> Iterator[Puzzle]:
    """Yield the candidates that belong to this table and are puzzles by its rates."""
    key = TableKey(table.name, table.spawn4)
    for puzzle in puzzles:
        if puzzle.key == key:
            with suppress(ProbeError):  # made on another table with that name
                if said := as_the_table_says(table, puzzle):
                    yield said


def as_the_table_says(table: Table, puzzle: Puzzle) -> Puzzle | None:
    """Return a puzzle with a table's own rates; None if it isn't a puzzle by those.

    ProbeError: the position is outside the table.
    """
    found = read(table, puzzle.board)
    if found.unknown_rates:
        return None
    return puzzle_of(puzzle.key, puzzle.board, puzzle.symmetry, found.rates)


_DAILY = 0x20_48_00_00_00_00  # seeds of days are far from those that people enter


def analyzed_parts(database: UserDatabase, table: str) -> list[Path]:
    """Return the recordings of the parts of analyzed games that a table covers, latest first."""
    if not database.is_there:  # don't create one just by looking
        return []
    with closing(Analyses(database)) as analyses:
        kept = analyses.latest(MAX_GAMES)
    parts = [one for analysis in kept for one in analysis.segments if one.table == table]
    return [one.rpl for one in parts if one.rpl]


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
