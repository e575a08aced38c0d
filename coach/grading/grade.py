"""Grading a move: one rule for grades, match rate, streak and loss, used everywhere.

The *ratio* of a move is its success rate divided by that of the best move; its *loss* is 1 minus
the ratio. The *match rate* of a game is the product of its ratios: the share of the initial success
rate that the player has kept, luck aside. A move that throws everything away has ratio 0, and so
has the game from there on.

Two rates are equal if they differ by no more than a tolerance: the step of the table's rate type,
since rounding may separate equal rates, and a loss that means nothing to people (`as_good_within`).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from engine.platform.quantities import GRADE_RATIOS, as_good_within

if TYPE_CHECKING:
    from coach.grading.rated import UnknownRates

Rates = Sequence[float | None]


class Grade(Enum):
    """The share of the success rate that a move kept, from best to worst."""

    PERFECT = "perfect"
    EXCELLENT = "excellent"
    GOOD = "good"
    INACCURATE = "inaccurate"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    DISASTER = "disaster"


GRADES = tuple(Grade)
FINE_GRADES = (Grade.PERFECT, Grade.EXCELLENT, Grade.GOOD)
"""Moves that no list of the worst has."""

MIN_RATIOS = tuple(zip((*GRADE_RATIOS, 0.0), GRADES[1:], strict=True))
"""From which ratio on a move that is not perfect has a grade."""

MIN_JUDGED_MOVES, MIN_WRONG_MOVES = 100, 5
"""Most moves of a person lose nothing and a few lose a lot."""
MIN_LISTED_MOVES = 5
"""Parts of a game with fewer judged moves are counted, not listed."""

_LAST_BIT = 1 + 1e-9  # so that a rate exactly at the limit counts as equal despite float rounding


@dataclass(frozen=True)
class Tolerance:
    """The difference up to which rates count as equal."""

    relative: float  # in units of the best rate
    absolute: float = 0.0  # the step of the type that stores them; 0 for floating point
    allowed: float = 0.0  # the loss that the user counts as perfect, in [0, 1]; figures show it

    @classmethod
    def of_type(cls, rate: str) -> "Tolerance":
        """Return the tolerance for the rates of a table that stores them as type `rate`.

        Types such as "1-float32" in other programs' tables, which store the rate minus 1, are
        equally precise.
        """
        from tablebase.store.rates import find_rate_type  # loads numpy, which is slow

        kind = find_rate_type(rate.removeprefix("1-"))
        return cls(kind.relative_slack, kind.step)

    @classmethod
    def of_best(cls, rates: Rates, best: Collection[int]) -> "Tolerance":
        """Return the tolerance under which exactly these moves count as best."""
        known = [rates[direction] or 0.0 for direction in best]
        return cls(0.0, max(known) - min(known) if known else 0.0)

    def same(self, rate: float, best: float) -> bool:
        return best - rate <= self.slack(best)

    def slack(self, best: float) -> float:
        """Return the amount by which a rate may be lower and still count as equal to the best."""
        return max(self.step(best), self.no_loss(best))

    def no_loss(self, best: float) -> float:
        """Return the loss up to which a move loses nothing: rounding, or what the user allows."""
        return max(self.relative * best, self.absolute, self.allowed * _LAST_BIT)

    def step(self, best: float) -> float:
        """Return the part of `slack` that means nothing, without the user's allowance."""
        return max(self.relative * best, self.absolute, as_good_within(best))

    def allowing(self, allowed: float) -> "Tolerance":
        """Return a tolerance that also counts rates lower by `allowed` as perfect."""
        return replace(self, allowed=allowed)


UINT32 = Tolerance(3e-10, 1.01 / 4e9)
"""For recordings, which store rates in units of 1 / 4e9."""


@dataclass(frozen=True)
class Judgement:
    """The verdict on a move; ratio 1 and loss 0, exactly, for one that loses nothing.

    One that is as good as the best is perfect; what little it loses counts in sums and products.
    """

    direction: int  # the move
    rate: float
    best_rate: float
    # All directions whose rates count as equal to the best; a rate of 0 never equals a positive
    # one.
    best: tuple[int, ...]
    ratio: float
    grade: Grade
    is_forced: bool  # whether there was no other move, as far as the table knows

    @property
    def loss(self) -> float:
        return 1.0 - self.ratio

    @property
    def points_lost(self) -> float:
        """Return the loss as a difference of two rates."""
        return 0.0 if self.ratio == 1.0 else self.best_rate - self.rate

    @property
    def is_perfect(self) -> bool:
        return self.grade is Grade.PERFECT


def judge(
    rates: Rates, direction: int, tolerance: Tolerance, unknown_rates: "UnknownRates | None" = None
) -> Judgement | None:
    """Return the verdict on a move, by the rates of the position before it.

    None if the move can't be judged: it is illegal or leaves the formation, nothing was left to
    lose, or another move may be better: one without a rate, or, if rates are lower bounds, any
    other move, unless this one is forced or sure to succeed.
    """
    legal = [(one, rate) for one, rate in enumerate(rates) if rate is not None]
    rate = rates[direction]
    is_forced = len(legal) == 1 and not (unknown_rates and unknown_rates.moves)
    if unknown_rates and not unknown_rates.is_best_known:
        is_certain = unknown_rates.is_limited and (rate == 1.0 or is_forced)
        if not is_certain:
            return None
    if rate is None or (best_rate := max([one[1] for one in legal])) <= 0.0:
        return None
    slack = tolerance.slack(best_rate)
    best = tuple([one for one, its in legal if its > 0.0 and best_rate - its <= slack])
    is_perfect = direction in best
    is_lossless = is_perfect and best_rate - rate <= tolerance.no_loss(best_rate)
    ratio = 1.0 if is_lossless else rate / best_rate
    grade = Grade.PERFECT if is_perfect else grade_of(ratio)
    return Judgement(direction, rate, best_rate, best, ratio, grade, is_forced)


def grade_of(ratio: float) -> Grade:
    return next(grade for least, grade in MIN_RATIOS if ratio >= least)


def worth_of_answer(
    rates: Rates, best: Collection[int], direction: int
) -> tuple[float | None, Grade | None]:
    """Return the loss and grade of an answer, given the right ones; None if its rate is unknown."""
    if direction in best:
        return 0.0, Grade.PERFECT
    rate = rates[direction]
    best_rate = max((known for known in rates if known is not None), default=0.0)
    if rate is None or best_rate <= 0:
        return None, None
    ratio = min(1.0, rate / best_rate)
    return 1.0 - ratio, grade_of(ratio)


@dataclass(frozen=True)
class Score:
    """The score of a game so far: `add` returns the next one and keeps the old one for undo."""

    match_rate: float = 1.0  # the product of all ratios
    # Perfect moves in a row: current and longest.
    combo: int = 0
    longest_combo: int = 0
    counts: tuple[int, ...] = (0,) * len(GRADES)  # moves by grade, in the order of `GRADES`
    n_forced: int = 0  # forced moves, counted here only if they are left out of the score
    largest_loss: float = 0.0
    leaves_out_forced: bool = False  # whether forced moves, which nobody can get wrong, are ignored

    @property
    def n_moves(self) -> int:
        return sum(self.counts)

    @property
    def perfect_share(self) -> float:
        return self.count(Grade.PERFECT) / max(1, self.n_moves)

    def count(self, grade: Grade) -> int:
        return self.counts[GRADES.index(grade)]

    def add(self, judgement: Judgement | None) -> "Score":
        """Return the score after one more move; a move that could not be judged changes nothing."""
        if judgement is None:
            return self
        if judgement.is_forced and self.leaves_out_forced:
            return replace(self, n_forced=self.n_forced + 1)
        at = GRADES.index(judgement.grade)
        combo = self.combo + 1 if judgement.is_perfect else 0
        return replace(
            self,
            match_rate=self.match_rate * judgement.ratio,
            combo=combo,
            longest_combo=max(self.longest_combo, combo),
            counts=(*self.counts[:at], self.counts[at] + 1, *self.counts[at + 1 :]),
            largest_loss=max(self.largest_loss, judgement.loss),
        )


def are_enough(n: int, n_wrong: int) -> bool:
    """Return whether `n` moves, `n_wrong` of them with a loss, are enough to estimate the loss."""
    return n >= MIN_JUDGED_MOVES and n_wrong >= MIN_WRONG_MOVES
