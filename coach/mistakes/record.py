"""A mistake in the form of files and other programs, and its conversion to one of ours.

Importing the same file twice changes nothing: attempts and answers are identified by game, move and
time, and of a count without attempts only the excess over ours is added.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from coach.grading.grade import GRADES, Grade, Rates, grade_of
from coach.grading.position import canonical_turn
from coach.mistakes.mistake import Attempt, TableKey, microseconds
from coach.mistakes.mistakes import Mistakes
from engine.moves import move

NO_RATES: Rates = (None,) * 4

# Sums of the same losses may differ in the last digits; 1e-9 is below the resolution of any table.
_TAKE_MORE = """
UPDATE mistake SET
    unlisted = unlisted + max(0, :count - count),
    unlisted_loss = unlisted_loss + iif(:loss > total_loss + 1e-9, :loss - total_loss, 0),
    unlisted_worst = iif(:worst > worst_loss, :worst, unlisted_worst),
    unlisted_grade = iif(:grade > grade, :grade, unlisted_grade),
    unlisted_first = iif(first IS NULL OR :first < first, :first, unlisted_first),
    unlisted_last = iif(last IS NULL OR :last > last, :last, unlisted_last)
WHERE id = :id
"""


@dataclass(frozen=True)
class Answer:
    """An answer in a drill; see `Attempt` for the fields."""

    when: datetime
    direction: int
    is_right: bool
    seconds: float | None
    was_new: bool


@dataclass(frozen=True)
class Record:
    """A mistake in any orientation; see `Mistake`.

    `count`, `total_loss`, `worst_loss`, `first` and `last` are over all attempts; `attempts` and
    `answers` are the individually known ones. `card` is the scheduler's, "" for none.
    """

    key: TableKey
    board: int
    best: tuple[int, ...]
    count: int
    total_loss: float
    worst_loss: float
    symmetry: str = "full"
    rates: Rates = NO_RATES
    first: datetime | None = None
    last: datetime | None = None
    attempts: tuple[Attempt, ...] = ()
    answers: tuple[Answer, ...] = ()
    tags: tuple[str, ...] = ()
    run: int = 0
    card: str = ""
    due: datetime | None = None
    retired: datetime | None = None
    grade: Grade = field(default=Grade.EXCELLENT)


@dataclass(frozen=True)
class Imported:
    """The numbers of new and of already known items of a file."""

    n_new: int
    n_known: int


def worst_grade(loss: float) -> Grade:
    return grade_of(max(0.0, 1.0 - loss))


def legal_directions(board: int, walls: bool) -> tuple[int, ...]:
    return tuple(one for one in range(4) if move(board, one, walls) != board)


def add_records(mistakes: Mistakes, records: Iterable[Record]) -> Imported:
    """File records: all of them or, on an error, none."""
    n_new = n_known = 0
    with mistakes.writing():
        touched = []
        for record in records:
            mistake_id, is_new = _add(mistakes, record)
            touched.append(mistake_id)
            n_new += is_new
            n_known += not is_new
        mistakes.refresh(dict.fromkeys(touched))
    return Imported(n_new, n_known)


def _add(mistakes: Mistakes, record: Record) -> tuple[int, bool]:
    db, turn = mistakes.connection, canonical_turn(record.board, record.symmetry)
    mistake_id, is_new = mistakes.find_or_add(
        record.key,
        turn.board,
        record.symmetry,
        [turn.directions[one] for one in record.best],
        run=record.run,
        card=record.card or None,
        retired=_stored(record.retired),
    )
    _add_rates(mistakes, mistake_id, turn.moved(record.rates))
    _add_history(mistakes, mistake_id, record, turn.directions)
    _add_unlisted(mistakes, mistake_id, record)
    due = _stored(record.due) or 0  # 0: at once
    db.execute("UPDATE mistake SET due = coalesce(due, ?) WHERE id = ?", (due, mistake_id))
    return mistake_id, is_new


def _add_rates(mistakes: Mistakes, mistake_id: int, rates: Rates) -> None:
    """Add rates if there are none; those of our own tables are kept."""
    if any(rate is not None for rate in rates):
        mistakes.connection.execute(
            "UPDATE mistake SET rate_left = ?, rate_right = ?, rate_up = ?, rate_down = ? "
            "WHERE id = ? AND coalesce(rate_left, rate_right, rate_up, rate_down) IS NULL",
            (*rates, mistake_id),
        )


def _add_history(
    mistakes: Mistakes, mistake_id: int, record: Record, directions: Sequence[int]
) -> None:
    db = mistakes.connection
    turned = [
        Attempt(a.when, directions[a.direction], a.loss, a.grade, a.source, a.move)
        for a in record.attempts
    ]
    mistakes.add_attempts(mistake_id, turned)
    answers = [
        (
            mistake_id,
            microseconds(a.when),
            directions[a.direction],
            a.is_right,
            a.seconds,
            a.was_new,
        )
        for a in record.answers
    ]
    db.executemany(
        "INSERT OR IGNORE INTO mistake_answer "
        "(mistake_id, at, direction, is_right, seconds, was_new) VALUES (?, ?, ?, ?, ?, ?)",
        answers,
    )
    tags = [(mistake_id, tag) for tag in record.tags]
    db.executemany("INSERT OR IGNORE INTO mistake_tag VALUES (?, ?)", tags)


def _add_unlisted(mistakes: Mistakes, mistake_id: int, record: Record) -> None:
    """Add the excess of the record's sums over ours, which include attempts just added."""
    mistakes.refresh([mistake_id])
    first, last = _stored(record.first), _stored(record.last)
    mistakes.connection.execute(
        _TAKE_MORE,
        {
            "id": mistake_id,
            "count": record.count,
            "loss": record.total_loss,
            "worst": record.worst_loss,
            "grade": GRADES.index(record.grade),
            "first": first,
            "last": last,
        },
    )


def _stored(when: datetime | None) -> int | None:
    return None if when is None else microseconds(when)
