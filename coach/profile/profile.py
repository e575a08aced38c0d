"""What the facts add up to: where most is lost, week by week, and beside the AI.

Losses are differences of chances, so they can be added: a point is a hundredth of the chance to
reach the next goal, whichever table or search knows it. Figures are per 1,000 moves in which there
was a choice. Any cut adds up to the whole.

Most moves lose nothing and a few lose much, so small samples mislead. A figure is told where there
are enough moves (`coach.grading.enough`); its interval is that of the normal approximation at 95 %.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from enum import Enum

from coach.grading.enough import are_enough
from coach.profile.facts import Fact
from coach.profile.judged_moves import BAD_TILE
from coach.profile.position import MoveKind, Phase

PER = 1000
"""Moves that figures are for."""

N_WEEKS = 12
_SIGMAS = 1.96


class Cut(Enum):
    """By what moves are divided."""

    PHASE = "phase"
    FORMATION = "formation"
    KIND = "kind"
    PACE = "pace"
    LUCK = "luck"


class Pace(Enum):
    """How long a move took, by the person's own thirds."""

    QUICK = "quick"
    MIDDLING = "middling"
    SLOW = "slow"
    UNKNOWN = "unknown"


class Luck(Enum):
    """What the tiles before a move did."""

    BAD = "after bad luck"  # no text
    OTHER = "otherwise"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Share:
    """Some of the moves.

    Attributes
    ----------
    key : str
        What they have in common; "" of all moves.
    n : int
    n_wrong : int
        Those that lost something.
    lost, squares : float
        The sum of what they lost, and of its squares.
    """

    key: str = ""
    n: int = 0
    n_wrong: int = 0
    lost: float = 0.0
    squares: float = 0.0

    @property
    def rate(self) -> float:
        """What 1,000 of them lose, in chances; 0 where there is none."""
        return PER * self.lost / self.n if self.n else 0.0

    @property
    def margin(self) -> float:
        """Half the width of the interval around `rate`."""
        return PER * _SIGMAS * math.sqrt(self.variance)

    @property
    def variance(self) -> float:
        """The variance of the mean of their losses."""
        if self.n < 2:
            return 0.0
        mean = self.lost / self.n
        return max(0.0, self.squares / self.n - mean * mean) / (self.n - 1)

    @property
    def is_told(self) -> bool:
        """Whether there are enough of them to say something."""
        return are_enough(self.n, self.n_wrong)

    def less(self, other: "Share") -> "Share":
        """Return the moves without some of them."""
        return Share(
            "",
            self.n - other.n,
            self.n_wrong - other.n_wrong,
            max(0.0, self.lost - other.lost),
            max(0.0, self.squares - other.squares),
        )


@dataclass(frozen=True)
class Week:
    """A week, from Monday on."""

    monday: date
    share: Share


@dataclass(frozen=True)
class BesideAi:
    """The same positions, played by the person and by the AI; a table loses nothing there."""

    own: Share
    ai: Share


@dataclass(frozen=True)
class Profile:
    """What the facts add up to.

    Attributes
    ----------
    whole : Share
        All moves.
    n_games : int
    cuts : dict of Cut to tuple of Share
        In the order of phases, kinds and so on; formations by name.
    weeks : tuple of Week
        The last ones, ascending, those without moves too.
    beside_ai : BesideAi
    quick_ms, slow_ms : int or None
        Below the first a move is quick, from the second on slow; None where no times are known.
    """

    whole: Share
    n_games: int
    cuts: dict[Cut, tuple[Share, ...]]
    weeks: tuple[Week, ...]
    beside_ai: BesideAi
    quick_ms: int | None
    slow_ms: int | None

    def share(self, cut: Cut, key: str) -> Share:
        """Return a part of a cut; an empty one where there is none."""
        return next((one for one in self.cuts[cut] if one.key == key), Share(key))


def profile_of(facts: Sequence[Fact], today: date, zone: tzinfo | None = None) -> Profile:
    """Return what facts add up to.

    Parameters
    ----------
    facts : sequence of Fact
    today : date
        The last week is the one with this day.
    zone : tzinfo, optional
        Where weeks begin on Monday at midnight; None where the computer is.
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
        weeks=_weeks(facts, today, zone),
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
    """Return the parts that there are moves of, in order; by name where none is given."""
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


def _weeks(facts: Sequence[Fact], today: date, zone: tzinfo | None) -> tuple[Week, ...]:
    losses: dict[date, list[float]] = {}
    for fact in facts:
        losses.setdefault(_monday(fact.played.astimezone(zone).date()), []).append(fact.lost)
    last = _monday(today)
    mondays = [last - timedelta(weeks=ago) for ago in range(N_WEEKS - 1, -1, -1)]
    return tuple(Week(one, _summed("", losses.get(one, ()))) for one in mondays)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
