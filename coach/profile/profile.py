"""The profile computed from facts: where most is lost, in time, and compared with the AI.

Losses are differences of chances, so they can be added: a point is one percent of chance to reach
the next goal, whichever table or search rates it. Figures are per 1,000 moves with a choice. The
shares of any cut add up to the whole.

Most moves lose nothing and a few lose a lot, so small samples mislead. A figure is shown if there
are enough moves (`coach.grading.grade`); its interval is the 95 % normal approximation.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from enum import Enum

from coach.days import day_of
from coach.grading.grade import are_enough
from coach.profile.facts import Fact
from coach.profile.judged_moves import BAD_TILE
from coach.profile.position import MoveKind, Phase

PER = 1000
"""Moves that figures are for."""

N_WEEKS = 12
_PART, _STEP = 100, 25  # moves of a part of the course, and from one to the next
_MIN_MOVES = 30  # of a first, rough course
_MIN_PARTS, _MAX_PARTS = 4, 60


class Cut(Enum):
    """The criterion by which moves are divided."""

    PHASE = "phase"
    FORMATION = "formation"
    KIND = "kind"
    PACE = "pace"
    LUCK = "luck"


class Pace(Enum):
    """The speed of a move, by thirds of the person's own times."""

    QUICK = "quick"
    MIDDLING = "middling"
    SLOW = "slow"
    UNKNOWN = "unknown"


class Luck(Enum):
    """The luck of the tiles before a move."""

    BAD = "after bad luck"  # no text
    OTHER = "otherwise"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Share:
    """A subset of the moves."""

    key: str = ""  # what they have in common; "" for all moves
    n: int = 0
    n_wrong: int = 0  # moves that lost something
    # The sum of their losses, and of the squares.
    lost: float = 0.0
    squares: float = 0.0

    @property
    def rate(self) -> float:
        """The loss per 1,000 moves, in chances; 0 if there are none."""
        return PER * self.lost / self.n if self.n else 0.0

    @property
    def margin(self) -> float:
        return PER * 1.96 * math.sqrt(self.variance)

    @property
    def variance(self) -> float:
        """The variance of the mean of their losses."""
        if self.n < 2:
            return 0.0
        mean = self.lost / self.n
        return max(0.0, self.squares / self.n - mean * mean) / (self.n - 1)

    @property
    def has_enough(self) -> bool:
        return are_enough(self.n, self.n_wrong)

    def less(self, other: "Share") -> "Share":
        return Share(
            "",
            self.n - other.n,
            self.n_wrong - other.n_wrong,
            max(0.0, self.lost - other.lost),
            max(0.0, self.squares - other.squares),
        )


@dataclass(frozen=True)
class Span:
    """The moves of a week, starting on Monday, or consecutive moves wherever they began."""

    begins: date
    share: Share
    first: int = 1  # the number of the first of consecutive moves


@dataclass(frozen=True)
class BesideAi:
    """The same positions, played by the person and by the AI; a table would lose nothing."""

    own: Share
    ai: Share


@dataclass(frozen=True)
class Profile:
    """A person's profile."""

    whole: Share  # all moves
    n_games: int
    # Shares in the order of phases, kinds and so on; formations by name.
    cuts: dict[Cut, tuple[Share, ...]]
    weeks: tuple[Span, ...]  # the last weeks, ascending, including those without moves
    parts: tuple[Span, ...]  # means of the last moves, from the first to the latest
    beside_ai: BesideAi
    # A move below the first is quick, from the second on slow; None if no times are known.
    quick_ms: int | None
    slow_ms: int | None

    def share(self, cut: Cut, key: str) -> Share:
        """Return a share of a cut; an empty one if there is none."""
        return next((one for one in self.cuts[cut] if one.key == key), Share(key))


def profile_of(
    facts: Sequence[Fact], today: date, begins: int, zone: tzinfo | None = None
) -> Profile:
    """Return the profile computed from facts, up to the week of `today`.

    A day begins at the hour `begins`, in the computer's time zone without another.
    """
    quick, slow = _pace_limits(facts)

    def pace(fact: Fact) -> str:
        if fact.ms is None or quick is None or slow is None:
            return Pace.UNKNOWN.value
        if fact.ms < quick:
            return Pace.QUICK.value
        return (Pace.SLOW if fact.ms >= slow else Pace.MIDDLING).value

    keys: dict[Cut, Callable[[Fact], str]] = {
        Cut.PHASE: lambda fact: fact.phase.value,
        Cut.FORMATION: lambda fact: fact.formation,
        Cut.KIND: lambda fact: fact.kind.value,
        Cut.PACE: pace,
        Cut.LUCK: _luck,
    }
    orders: dict[Cut, Sequence[Enum]] = {
        Cut.PHASE: tuple(Phase),
        Cut.KIND: tuple(MoveKind),
        Cut.PACE: tuple(Pace),
        Cut.LUCK: tuple(Luck),
    }
    cuts = {cut: _divided(facts, key, orders.get(cut)) for cut, key in keys.items()}
    asked = [fact for fact in facts if fact.ai_lost is not None]
    return Profile(
        whole=_summed("", (fact.lost for fact in facts)),
        n_games=len({fact.game for fact in facts}),
        cuts=cuts,
        weeks=_weeks(facts, today, begins, zone),
        parts=_parts(facts, begins, zone),
        beside_ai=BesideAi(
            _summed("", (fact.lost for fact in asked)),
            _summed("", (fact.ai_lost or 0.0 for fact in asked)),
        ),
        quick_ms=quick,
        slow_ms=slow,
    )


def _summed(key: str, losses: Iterable[float]) -> Share:
    found = list(losses)
    return Share(
        key,
        len(found),
        sum(one > 0 for one in found),
        math.fsum(found),
        math.fsum(one * one for one in found),
    )


def _divided(
    facts: Sequence[Fact], key: Callable[[Fact], str], order: Sequence[Enum] | None
) -> tuple[Share, ...]:
    """Return the non-empty shares in the given order, or by name without one."""
    losses: dict[str, list[float]] = {}
    for fact in facts:
        losses.setdefault(key(fact), []).append(fact.lost)
    names = sorted(losses) if order is None else [str(one.value) for one in order]
    return tuple(_summed(name, losses[name]) for name in names if name in losses)


def _luck(fact: Fact) -> str:
    if fact.luck is None:
        return Luck.UNKNOWN.value
    return (Luck.BAD if fact.luck <= BAD_TILE else Luck.OTHER).value


def _pace_limits(facts: Sequence[Fact]) -> tuple[int | None, int | None]:
    """Return the times that divide the timed moves into thirds."""
    times = sorted(fact.ms for fact in facts if fact.ms is not None)
    if not times:
        return None, None
    return times[len(times) // 3], times[2 * len(times) // 3]


def _weeks(
    facts: Sequence[Fact], today: date, begins: int, zone: tzinfo | None
) -> tuple[Span, ...]:
    losses: dict[date, list[float]] = {}
    for fact in facts:
        losses.setdefault(_monday(day_of(fact.played, begins, zone)), []).append(fact.lost)
    last = _monday(today)
    mondays = [last - timedelta(weeks=ago) for ago in range(N_WEEKS - 1, -1, -1)]
    return tuple(Span(one, _summed("", losses.get(one, ()))) for one in mondays)


def _parts(facts: Sequence[Fact], begins: int, zone: tzinfo | None) -> tuple[Span, ...]:
    ordered = sorted(facts, key=lambda fact: (fact.played, fact.game))
    n = len(ordered)
    if n < _MIN_MOVES:
        return ()
    step = max(min(_STEP, n // _MIN_PARTS), n // _MAX_PARTS)
    size = max(step, min(_PART, n - (_MIN_PARTS - 1) * step))
    return tuple(
        Span(
            day_of(ordered[end - size].played, begins, zone),
            _summed("", (fact.lost for fact in ordered[end - size : end])),
            end - size + 1,
        )
        for end in reversed(range(n, size - 1, -step))
    )


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
