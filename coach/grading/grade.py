"""How good a move was: one rule for grades, match rate, combo and loss, used everywhere.

The *ratio* of a move is its success rate by that of the best one, its *loss* what is missing to 1.
The *match rate* of a game is the product of its ratios: the share of the success that the start
promised which the player has kept, bad luck apart. A move that throws everything away has ratio 0,
and so has the game from there on.

Two rates are the same when they differ by no more than a tolerance: relative to the best, and at
least the step in which the table's type stores rates, for what is equal may be rounded apart.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coach.grading.unknown_rates import UnknownRates

Rates = Sequence[float | None]


class Grade(Enum):
    """How much of the success rate a move kept, from best to worst."""

    PERFECT = "perfect"
    EXCELLENT = "excellent"
    GOOD = "good"
    INACCURATE = "inaccurate"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    DISASTER = "disaster"


GRADES = tuple(Grade)

LEAST_RATIOS = (
    (0.999, Grade.EXCELLENT),
    (0.99, Grade.GOOD),
    (0.975, Grade.INACCURATE),
    (0.9, Grade.MISTAKE),
    (0.75, Grade.BLUNDER),
    (0.0, Grade.DISASTER),
)
"""From which ratio on a move that is not perfect has a grade."""

_LAST_BIT = 1 + 1e-9  # so that what is just so much lower is, whatever floats make of it


@dataclass(frozen=True)
class Tolerance:
    """By how much rates may differ that count as equal.

    Attributes
    ----------
    relative : float
        In units of the best rate.
    absolute : float
        A step of the type that stores them, 0 for floating point.
    allowed : float
        What a person lets count as perfect besides, in [0, 1]; figures still tell it apart.
    """

    relative: float
    absolute: float = 0.0
    allowed: float = 0.0

    @classmethod
    def of_type(cls, rate: str) -> "Tolerance":
        """Return the tolerance for the rates of a table that stores them as type `rate`.

        What other programs' tables call "1-float32" and so on, the rate less 1, is as exact.
        """
        from tablebase.store.rates import find_rate_type  # numpy, which the window starts without

        kind = find_rate_type(rate.removeprefix("1-"))
        return cls(kind.relative_slack, kind.step)

    @classmethod
    def of_best(cls, rates: Rates, best: Collection[int]) -> "Tolerance":
        """Return the tolerance by which just these moves were taken for the best."""
        known = [rates[direction] or 0.0 for direction in best]
        return cls(0.0, max(known) - min(known) if known else 0.0)

    def same(self, rate: float, best: float) -> bool:
        """Tell whether a rate counts as equal to the best one."""
        return best - rate <= self.slack(best)

    def slack(self, best: float) -> float:
        """Return by how much a rate may be lower that counts as equal to the best one."""
        return max(self.relative * best, self.absolute, self.allowed * _LAST_BIT)

    def step(self, best: float) -> float:
        """Return the part of `slack` that a table cannot tell apart: what nobody chose."""
        return max(self.relative * best, self.absolute)

    def allowing(self, allowed: float) -> "Tolerance":
        """Return a tolerance by which rates lower by so much count as perfect as well."""
        return replace(self, allowed=allowed)


UINT32 = Tolerance(3e-10, 1.01 / 4e9)
"""For recordings, which store rates in units of 1 / 4e9."""


@dataclass(frozen=True)
class Judgement:
    """What a move was worth.

    Attributes
    ----------
    direction : int
        The move.
    rate, best_rate : float
    best : tuple of int
        All directions whose rates count as equal to the best one; nothing is equal to a chance.
    ratio, loss : float
        In [0, 1]; 1 and 0 for a perfect move, exactly.
    grade : Grade
    is_forced : bool
        There was no other move, as far as the table knows.
    """

    direction: int
    rate: float
    best_rate: float
    best: tuple[int, ...]
    ratio: float
    grade: Grade
    is_forced: bool

    @property
    def loss(self) -> float:
        """Return the part of the best rate that was given away."""
        return 1.0 - self.ratio

    @property
    def points_lost(self) -> float:
        """Return what was given away, as a difference of two rates; 0 for a perfect move."""
        return 0.0 if self.is_perfect else self.best_rate - self.rate

    @property
    def is_perfect(self) -> bool:
        """Tell whether nothing was given away."""
        return self.grade is Grade.PERFECT


def judge(
    rates: Rates, direction: int, tolerance: Tolerance, unknown_rates: "UnknownRates | None" = None
) -> Judgement | None:
    """Return what a move was worth.

    Parameters
    ----------
    rates : sequence of four float or None
        Of the position before the move, by direction.
    direction : int
    tolerance : Tolerance
    unknown_rates : UnknownRates, optional
        Moves that are possible although they have no rate.

    Returns
    -------
    Judgement or None
        None where nothing can be judged: the move is illegal or leaves the formation, nothing was
        left to lose, or another move may be better: one without a rate, or any where rates are
        lower bounds and the move is not the only one and not sure to succeed.
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
    ratio = 1.0 if is_perfect else rate / best_rate
    grade = Grade.PERFECT if is_perfect else grade_of(ratio)
    return Judgement(direction, rate, best_rate, best, ratio, grade, is_forced)


def grade_of(ratio: float) -> Grade:
    """Return the grade of a move that is not perfect."""
    return next(grade for least, grade in LEAST_RATIOS if ratio >= least)


@dataclass(frozen=True)
class Score:
    """A game so far, move by move: `add` gives the next one, the old one stays for undo.

    Attributes
    ----------
    match_rate : float
        The product of all ratios.
    combo, longest_combo : int
        Perfect moves in a row: now, and at most.
    counts : tuple of int
        Moves by grade, in the order of `GRADES`.
    n_forced : int
        Forced moves, counted here only when they are left out.
    largest_loss : float
    leaves_out_forced : bool
        Whether forced moves, which nobody can get wrong, count for nothing.
    """

    match_rate: float = 1.0
    combo: int = 0
    longest_combo: int = 0
    counts: tuple[int, ...] = (0,) * len(GRADES)
    n_forced: int = 0
    largest_loss: float = 0.0
    leaves_out_forced: bool = False

    @property
    def n_moves(self) -> int:
        """Return the number of moves judged."""
        return sum(self.counts)

    def count(self, grade: Grade) -> int:
        """Return the number of moves of a grade."""
        return self.counts[GRADES.index(grade)]

    def add(self, judgement: Judgement | None) -> "Score":
        """Return the score after one more move; one that could not be judged changes nothing."""
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
