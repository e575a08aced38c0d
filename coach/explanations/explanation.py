"""The explanation of a mistake: facts, the chance after each new tile, and the refutation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coach.explanations.lines import Line, LineStep, costliest, follow, like, typical
from coach.explanations.mistake_facts import Pair, Weighed, find_facts
from coach.explanations.outcomes import Cancelled, after_move
from coach.explanations.source import Source
from coach.grading.grade import Rates
from engine.platform.errors import AppError
from engine.platform.language import tr

MAX_REFUTATION_LENGTH = 6
IN_SIGHT = 8
"""Moves of the lines in which merges are looked for."""

_HALF, _OFTEN = 0.5, 3.0


class NothingKnownError(AppError, LookupError):
    """No source knows the chances of the position."""


@dataclass(frozen=True)
class Explanation:
    """The explanation of why a move is worse than the best one, or that it isn't."""

    rates: Rates  # of all moves
    pair: Pair  # both moves, with all new tiles after each
    facts: tuple[Weighed, ...]  # sorted by share of the loss, largest first
    # The line after the move against its costliest tiles, until the difference shows; and the line
    # after the best move against its own, equally long.
    refutation: Line
    answer: Line
    source: str  # the name of a table; "" for search
    # Whether all chances are estimates, or lower bounds.
    is_estimate: bool
    is_bound: bool
    # Whether the move is worse, or better, than the other one by more than the source's tolerance.
    # Always False for lower bounds.
    is_mistake: bool
    is_better: bool


def explain(
    source: Source,
    cells: Sequence[int],
    played: int,
    best: int | None = None,
    cancelled: Cancelled = lambda: False,
    follows: bool = False,
) -> Explanation:
    """Return the explanation of why a move is worse than the best one.

    Parameters
    ----------
    best : int, optional
        The move to compare with: by default the source's best move, or the next best if that is
        `played` itself.
    cancelled : callable
        Called before each lookup.
    follows : bool
        Whether the position followed a fully known one, as in a rated game.

    Raises
    ------
    NothingKnownError
        The source doesn't know the position, or there is no other move.
    IllegalMoveError
        A move is illegal.
    ExplanationCancelledError
        The explanation was canceled.
    """
    here = source.look(cells, follows)
    best = _rival(here.rates, here.certain_best, played) if best is None else best
    if best == played:
        raise NothingKnownError(tr("a move can't be compared with itself: name another one"))
    after = after_move(source, cells, played, here, cancelled)
    after_best = after_move(source, cells, best, here, cancelled)
    best_line = follow(source, cells, best, typical, IN_SIGHT, here, cancelled)
    pair = Pair(
        tuple(cells),
        after,
        after_best,
        follow(source, cells, played, like(best_line), IN_SIGHT, here, cancelled),
        best_line,
    )
    refutation, answer = (
        follow(source, cells, one, costliest, MAX_REFUTATION_LENGTH, here, cancelled)
        for one in (played, best)
    )
    n = _shown_after(refutation, answer, pair.loss)
    worse, better = _compared(source, pair)
    return Explanation(
        here.rates,
        pair,
        find_facts(source, pair),
        refutation.up_to(n),
        answer.up_to(n),
        source.name,
        source.is_estimate,
        source.is_bound,
        worse,
        better,
    )


def _compared(source: Source, pair: Pair) -> tuple[bool, bool]:
    rate, other = pair.played.rate, pair.best.rate
    if rate is None or other is None:
        return rate is None, other is None and rate is not None
    if source.is_bound:
        return False, False
    return (
        pair.loss > 0.0 and not source.tolerance.same(rate, other),
        pair.loss < 0.0 and not source.tolerance.same(other, rate),
    )


def _rival(rates: Sequence[float | None], best: int | None, played: int) -> int:
    if best is None:
        raise NothingKnownError(
            tr("nobody knows how good this position is; choose a table that covers it, or search")
        )
    if best != played:
        return best
    others = [(rate, -one) for one, rate in enumerate(rates) if rate is not None and one != played]
    if not others:
        raise NothingKnownError(tr("there is no other move to compare with"))
    return -max(others)[1]


def _shown_after(refutation: Line, answer: Line, loss: float) -> int:
    """Return the number of moves until the difference shows.

    That is when the move has at most half the chance that the best one still has, or is behind by
    three times its mean loss; if that never happens, when it is furthest behind.
    """
    lefts = [(one.left, other.left) for one, other in _steps(refutation, answer)]
    known = [(i, p, b) for i, (p, b) in enumerate(lefts, 1) if p is not None and b is not None]
    for i, left, best_left in known:
        if left <= best_left * _HALF or best_left - left >= _OFTEN * loss > 0.0:
            return i
    return max(known, key=lambda one: one[2] - one[1])[0] if known else len(refutation.steps)


def _steps(refutation: Line, answer: Line) -> Iterator[tuple[LineStep, LineStep]]:
    """Yield the steps of two lines side by side; a shorter line repeats its last step."""
    if refutation.steps and answer.steps:
        for i in range(max(len(refutation.steps), len(answer.steps))):
            yield (
                refutation.steps[min(i, len(refutation.steps) - 1)],
                answer.steps[min(i, len(answer.steps) - 1)],
            )
