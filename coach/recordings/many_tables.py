"""Rating a recorded game by a table, or by several: each position by the best that covers it.

Of the tables that cover a position, the best one is the one

* whose rates leave a chance,
* which knows the most of the four rates,
* whose target is the largest, as it looks furthest ahead,
* which locks the fewest large tiles, as it knows the most continuations.

A table rates no move after its target is reached, as in an analysis.

Rates of two tables are chances of different events. Each move is judged by a single table, and no
luck is computed where another table takes over.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from coach.grading.formation_cells import has_reached
from coach.grading.grade import Tolerance
from coach.grading.rated import Rated, read
from coach.recordings.recording import FILE, MANY_TABLES, Rater, Recording, end_rate_of
from engine.platform.default_callbacks import ignore_progress, never_cancelled
from tablebase.errors import ProbeError, TableError
from tablebase.formation.goal import goal_of
from tablebase.probe.table import Table

_REPORT_EVERY = 64  # positions
Progress = Callable[[int, int], None]


@dataclass
class _TableState:
    """A table and its state while rating a game."""

    table: Table
    rater: Rater
    is_known: bool = False  # whether the next position follows one that this table knows fully
    is_readable: bool = True  # whether it can be read and is still queried


def rate_by(
    table: Table,
    recording: Recording,
    progress: Progress = ignore_progress,
    cancelled: Callable[[], bool] = never_cancelled,
) -> Recording | None:
    """Return the recording with the rates of a table, which masks large tiles; None if canceled.

    Positions outside the table have no rates. Raises TableError if it cannot be read.
    """

    def fail(error: TableError) -> None:
        raise error

    best = _best_answers([table], recording, progress, cancelled, fail)
    if best is None:
        return None
    rates = tuple(found and found[1].rates for found in best)
    doubts = [(i, found[1].unknown_rates) for i, found in enumerate(best) if found]
    rated = replace(
        recording,
        rates=rates,
        doubts={i: unknown for i, unknown in doubts if unknown},
        tolerance=_tolerance_of(table, recording),
        raters=(),
        table=table.name,
        source=table.name,
        end_rate=end_rate_of(recording, rates),
    )
    return rated.judge_all()


def rate_by_many(
    tables: Sequence[Table],
    recording: Recording,
    progress: Progress = ignore_progress,
    cancelled: Callable[[], bool] = never_cancelled,
    broken: Callable[[TableError], None] = ignore_progress,
) -> Recording | None:
    """Return the recording with the rates of several tables; None if canceled.

    Positions that none of them covers keep the rates from the file. `broken` is called with the
    reason why a table cannot be read; the others are still used.
    """
    best = _best_answers(tables, recording, progress, cancelled, broken)
    if best is None:
        return None
    rates = [
        rates if recording.rater_at(i) == FILE else None for i, rates in enumerate(recording.rates)
    ]
    raters: list[Rater | None] = [None] * len(best)
    doubts = {}
    for i, found in enumerate(best):
        if found:
            raters[i], rates[i] = found[0], found[1].rates
            if found[1].unknown_rates:
                doubts[i] = found[1].unknown_rates
    rated = replace(
        recording,
        rates=tuple(rates),
        raters=tuple(raters),
        doubts=doubts,
        source=MANY_TABLES,
        end_rate=end_rate_of(recording, rates),
    )
    return rated.judge_all()


def _best_answers(
    tables: Sequence[Table],
    recording: Recording,
    progress: Progress,
    cancelled: Callable[[], bool],
    broken: Callable[[TableError], None],
) -> list[tuple[Rater, Rated] | None] | None:
    """Return the best answer for each position, and whose it is; None if canceled."""
    states = [
        _TableState(table, Rater(table.name, _tolerance_of(table, recording))) for table in tables
    ]
    n, moves = len(recording.boards), recording.replay.moves
    best: list[tuple[Rater, Rated] | None] = []
    for i, board in enumerate(recording.boards):
        if i % _REPORT_EVERY == 0:
            if cancelled():
                return None
            progress(i, n)
        is_followed = i + 1 < n and i + 1 not in recording.gaps
        direction = moves[i].direction if is_followed else None
        answers = [
            (state, answer)
            for state in states
            if state.is_readable and (answer := _ask(state, board, direction, broken))
        ]
        state, answer = max(answers, key=_worth, default=(None, None))
        best.append((state.rater, answer) if state and answer else None)
    progress(n, n)
    return best


def _tolerance_of(table: Table, recording: Recording) -> Tolerance:
    return Tolerance.of_type(table.rate).allowing(recording.tolerance.allowed)


def _ask(
    state: _TableState, board: int, direction: int | None, broken: Callable[[TableError], None]
) -> Rated | None:
    table = state.table
    is_over = direction is not None and has_reached(board, table.target, table.formation)
    try:
        answer = None if is_over else read(table, board, state.is_known)
    except ProbeError:
        answer = None
    except TableError as error:
        state.is_readable = False
        broken(error)
        return None
    state.is_known = (
        direction is not None
        and answer is not None
        and answer.unknown_rates is None
        and answer.rates[direction] is not None
    )
    return answer


def _worth(answered: tuple[_TableState, Rated]) -> tuple[bool, bool, bool, int, int]:
    """Return the sort key by which the better of two answers is chosen, see above."""
    state, answer = answered
    return (
        answer.best_rate > 0,
        answer.is_best_known,
        answer.unknown_rates is None,
        goal_of(state.table.target).tile,
        -state.table.n_large,
    )
