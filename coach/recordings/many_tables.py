"""Rating a recorded game by several tables: each position by the best that covers it.

Of the tables that cover a position, the best one is the one

* whose rates leave a chance,
* which knows the most of the four rates,
* whose target is the largest, as it looks furthest ahead,
* which locks the fewest large tiles, as it knows the most continuations.

Rates of two tables are chances of different events. Each move is judged by a single table, and no
luck is computed where another table takes over.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from coach.grading.grade import Tolerance
from coach.grading.rated import Rated, UnknownRates, read
from coach.recordings.recording import (
    FILE,
    MANY_TABLES,
    Rater,
    Recording,
    end_rate_of,
)
from engine.formats.replay import Rates
from tablebase.errors import ProbeError, TableError
from tablebase.formation.goal import goal_of
from tablebase.probe.table import Table

_REPORT_EVERY = 64  # positions


@dataclass
class _TableState:
    """A table and its state while rating a game."""

    table: Table
    rater: Rater
    is_known: bool = False  # whether the next position follows one that this table knows fully
    is_readable: bool = True  # whether it can be read and is still queried


def rate_by_many(
    tables: Sequence[Table],
    recording: Recording,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
    cancelled: Callable[[], bool] = lambda: False,
    broken: Callable[[TableError], None] = lambda _error: None,
) -> Recording | None:
    """Return the recording with the rates of several tables; None if canceled.

    Positions that none of them covers keep the rates from the file. `broken` is called with the
    reason why a table cannot be read; the others are still used.
    """
    allowed = recording.tolerance.allowed
    asked = [
        _TableState(one, Rater(one.name, Tolerance.of_type(one.rate).allowing(allowed)))
        for one in tables
    ]
    n, moves = len(recording.boards), recording.replay.moves
    rates: list[Rates | None] = []
    raters: list[Rater | None] = []
    doubts: dict[int, UnknownRates] = {}
    for i, board in enumerate(recording.boards):
        if i % _REPORT_EVERY == 0:
            if cancelled():
                return None
            progress(i, n)
        is_followed = i + 1 < n and i + 1 not in recording.gaps
        direction = moves[i].direction if is_followed else None
        answers = [
            (one, answer)
            for one in asked
            if one.is_readable and (answer := _ask(one, board, direction, broken))
        ]
        if answers:
            best, answer = max(answers, key=_worth)
            rates.append(answer.rates)
            raters.append(best.rater)
            if answer.unknown_rates:
                doubts[i] = answer.unknown_rates
        else:
            is_from_file = recording.rater_at(i) == FILE
            rates.append(recording.rates[i] if is_from_file else None)
            raters.append(None)
    progress(n, n)
    rated = replace(
        recording,
        rates=tuple(rates),
        raters=tuple(raters),
        doubts=doubts,
        source=MANY_TABLES,
        end_rate=end_rate_of(recording, rates),
    )
    return rated.judge_all()


def _ask(
    one: _TableState, board: int, direction: int | None, broken: Callable[[TableError], None]
) -> Rated | None:
    try:
        answer = read(one.table, board, one.is_known)
    except ProbeError:
        one.is_known = False
        return None
    except TableError as error:
        one.is_readable = False
        broken(error)
        return None
    one.is_known = (
        direction is not None
        and answer.unknown_rates is None
        and answer.rates[direction] is not None
    )
    return answer


def _worth(found: tuple[_TableState, Rated]) -> tuple[bool, bool, bool, int, int]:
    """Return the sort key by which the better of two answers is chosen, see above."""
    one, answer = found
    can_win = answer.best_rate > 0
    return (
        can_win,
        answer.is_best_known,
        answer.unknown_rates is None,
        goal_of(one.table.target).tile,
        -one.table.n_large,
    )
