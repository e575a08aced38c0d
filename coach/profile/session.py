"""Ten-minute trainings: due mistakes, the costliest ones, and puzzles, at the person's own pace.

Nothing is random: the same facts give the same session, and positions answered today are not
repeated, so the next session differs.
"""

import statistics
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from coach.days import Today
from coach.mistakes.drill import Drill
from coach.mistakes.mistake import Mistake
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.query import Query
from coach.profile.advice import Advice
from coach.profile.position import Position
from coach.profile.profile import Cut
from coach.puzzles.puzzles import Puzzles

SECONDS = 600
"""Length of a session."""

POSITION_S, PUZZLE_S = 12.0, 25.0
"""What an answer takes of whom nothing is known."""

LOOKING_S = 4.0
"""For looking at what was right, each time."""

_MIN_ANSWERS, _LATEST, _MAX_S = 10, 100, 60.0
_MAX_EACH = 120  # of each kind: more never fit into ten minutes
_DUE, _WORST, _PUZZLES = 0.4, 0.4, 0.2
_GAME = 0.6  # for a session after a game


@dataclass(frozen=True)
class Session:
    """The content of a training session, in this order."""

    game: tuple[int, ...]  # mistakes of the game that the session is about
    due: tuple[int, ...]  # due mistakes
    worst: tuple[int, ...]  # mistakes of the kind that costs most
    puzzles: tuple[int, ...]
    seconds: float  # estimated duration
    advice: Advice | None = None  # the recommendation behind `worst`

    @property
    def mistakes(self) -> tuple[int, ...]:
        return (*self.game, *self.due, *self.worst)

    @property
    def n(self) -> int:
        return len(self.mistakes) + len(self.puzzles)


@dataclass(frozen=True)
class Candidates:
    """The candidates for a session, highest priority first."""

    game: Sequence[int] = ()
    due: Sequence[int] = ()
    worst: Sequence[int] = ()
    puzzles: Sequence[int] = ()
    # Time per position and per puzzle.
    position_s: float = POSITION_S + LOOKING_S
    puzzle_s: float = PUZZLE_S + LOOKING_S


def session_of(found: Candidates, advice: Advice | None = None) -> Session:
    """Return a session of about `SECONDS`, never longer.

    Each kind gets a share of the time, a game the largest; unused time goes to the others. A
    mistake in two kinds is asked once.
    """
    rest = 1 - _GAME if found.game else 1.0
    asked: set[int] = set()
    kinds = (
        _Kind(found.game, found.position_s, _GAME if found.game else 0.0, asked),
        _Kind(found.due, found.position_s, _DUE * rest, asked),
        _Kind(found.worst, found.position_s, _WORST * rest, asked),
        _Kind(found.puzzles, found.puzzle_s, _PUZZLES * rest, set()),
    )
    game, due, worst, solved = _shared_out(kinds)
    takes = (len(game) + len(due) + len(worst)) * found.position_s + len(solved) * found.puzzle_s
    return Session(game, due, worst, solved, takes, advice)


@dataclass(frozen=True)
class _Kind:
    """A kind of item: candidate ids, time per item, share of the time, and the ids taken."""

    ids: Sequence[int]
    each_s: float
    part: float
    taken: set[int]


def _shared_out(kinds: Sequence[_Kind]) -> list[tuple[int, ...]]:
    """Return the ids taken of each kind.

    First each gets its share of the time; then the rest goes to the first that can use it.
    """
    chosen: list[list[int]] = [[] for _ in kinds]
    left = float(SECONDS)
    for is_rest in (False, True):
        for kind, ids in zip(kinds, chosen, strict=True):
            room = left if is_rest else min(left, kind.part * SECONDS)
            new = [one for one in dict.fromkeys(kind.ids) if one not in kind.taken]
            new = new[: max(0, int(room // kind.each_s))]  # float rounding may give less than 0
            ids += new
            kind.taken.update(new)
            left -= len(new) * kind.each_s
    return [tuple(ids) for ids in chosen]


def mistake_candidates(
    mistakes: Mistakes, today: Today, drill: Drill, advice: Advice | None, game: Sequence[int] = ()
) -> Candidates:
    """Return the candidates for a session from the database of mistakes.

    Without advice on what costs most, mistakes rank by loss alone. Those of `game`, just reviewed,
    are included even if answered today.
    """
    answered = mistakes.answered_since(today.began)
    due: list[int] = []
    n_new = 0
    for _ in range(min(_MAX_EACH, drill.count_due(today))):
        one = drill.next_due(today, more_new=-n_new, without=due)
        if one is not None:
            due.append(one)
            n_new += mistakes.get([one])[one].is_new
    ids = mistakes.ids(Query(state="learning", sort="loss"))[:1000]  # no more are looked through
    known = mistakes.get(ids)
    worst = [
        one
        for one in ids
        if one in known and one not in answered and (not advice or is_about(advice, known[one]))
    ]
    each = _typical_seconds(mistakes.latest_seconds(_LATEST), POSITION_S) + LOOKING_S
    return Candidates(game[:_MAX_EACH], due, worst[:_MAX_EACH], (), each)


def with_puzzles(found: Candidates, puzzles: Puzzles, today: Today) -> Candidates:
    each = _typical_seconds(puzzles.latest_seconds(_LATEST), PUZZLE_S) + LOOKING_S
    near = puzzles.near(today.now, _MAX_EACH)
    return replace(found, puzzles=near, puzzle_s=each)


def is_about(advice: Advice, mistake: Mistake) -> bool:
    walls = mistake.symmetry != "full"
    position = Position(mistake.key.name, mistake.board, mistake.rates, mistake.best, walls)
    kinds: dict[Cut, Callable[[], str]] = {
        Cut.PHASE: lambda: position.phase.value,
        Cut.FORMATION: lambda: position.formation,
        Cut.KIND: lambda: position.kind.value,
    }
    return kinds[advice.cut]() == advice.share.key


def _typical_seconds(seconds: Collection[float], otherwise: float) -> float:
    """Return the median time of the latest answers, ignoring pauses."""
    if len(seconds) < _MIN_ANSWERS:
        return otherwise
    return max(1.0, min(_MAX_S, statistics.median(seconds)))
