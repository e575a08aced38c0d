"""Formatting success rates: figures, losses, bars and sentences. No Qt.

A *rate* is a probability in [0, 1], None for a move that is illegal or breaks the formation; four
of them, in the order LEFT RIGHT UP DOWN, describe a position. The *loss* of a move is the part of
the best rate that it loses, in [0, 1]; *points* are hundredths of probability.

Rates that grading counts as equal, by the `Tolerance` of their table, are equal here: they have the
same figure and star, and no sentence says that one of them loses anything.
"""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from coach.grading.grade import UINT32, Judgement, Score, Tolerance, judge
from coach.grading.names import move_title, move_word
from coach.grading.rated import UnknownRates
from engine.platform.language import mark, sentences, tr, trn
from engine.platform.quantities import (
    MIN_POINTS,
    at_least_text,
    bound_figure,
    loss_text,
    points_figure,
    points_text,
    rate_text,
    rate_texts,
    share_text,
    short_rate_text,
)
from gui.text.lists import and_list

Rates = Sequence[float | None]

DIRECTION_NAMES = ("left", "right", "up", "down")
"""Names of icons and actions; what people read is in `coach.grading.names`."""
BAR_FLOOR = 1e-5  # a loss of 0.001 % is where the bar starts, so that 0.01 % is visible
BAR_FULL = 0.1
_MIN_MATCH = 1e-6
NO_MATCH = "\N{EN DASH}"
"""Stands for a missing match rate."""

NOT_IN_TABLE = mark("not in the table")
BREAKS = mark("breaks the formation")
_CANNOT_ARISE = mark(
    "This position can't arise from the table's start, so a missing rate isn't a loss."
)
_NOT_STORED = mark("This table doesn't store every rate, so a missing one isn't a loss.")
_LOWER_BOUNDS = mark("This table's rates are lower bounds, so a lower one, or none, isn't a loss.")


def format_rate(rate: float | None) -> str:
    """Return the figure of a single rate; "" for an illegal move."""
    return "" if rate is None else _with_signs(rate_text(rate))


def match_text(rate: float) -> str:
    """Return a match rate: `97.3128 %`, `100 %` only for exactly 1.

    For a whole game, the product of tens of thousands of estimates is close to 0, and its exact
    value means nothing.

    Examples
    --------
    >>> match_text(1.0), match_text(1 - 3e-9), match_text(0.5), match_text(0.0), match_text(3e-7)
    ('100 %', '99.9999 %', '50.0000 %', '0 %', '< 0.0001 %')
    """
    if rate <= 0 or rate >= 1:
        return "0 %" if rate <= 0 else "100 %"
    if rate < _MIN_MATCH:
        return f"< {_MIN_MATCH * 100:.4f} %"
    return f"{min(rate * 100, 99.9999):.4f} %"


def match_so_far(score: Score) -> str:
    """Return the match rate of the moves so far; a dash before the first one that counts."""
    return match_text(score.match_rate) if score.n_moves else NO_MATCH


def format_bound(rate: float | None) -> str:
    """Return the figure of a lower bound; "" for an illegal move."""
    return "" if rate is None else _with_signs(bound_figure(rate_text(rate)))


def format_rates(
    rates: Rates, tolerance: Tolerance = UINT32, are_bounds: bool = False
) -> list[str]:
    """Return the figures of the rates of a position, only as precise as they differ.

    Rates that a table can't distinguish from the best get its figure; different rates never share a
    figure, even if the user's rules count both as perfect. Lower bounds are marked.
    """
    figures = rate_texts(rates, tolerance.step(best_rate(rates) or 0))
    return [_with_signs(bound_figure(figure) if are_bounds else figure) for figure in figures]


def format_beside(
    pairs: Iterable[Rates], tolerance: Tolerance = UINT32
) -> Callable[[float | None], str]:
    """Return a function that formats the rates of several courses so that they differ."""
    figures: dict[float, str] = {}
    for pair in pairs:
        texts = rate_texts(pair, tolerance.step(best_rate(pair) or 0))
        for rate, figure in zip(pair, texts, strict=True):
            if rate is not None:
                figures[rate] = max(figures.get(rate, ""), figure, key=len)

    def figure_of(rate: float | None) -> str:
        return _with_signs(figures[rate]) if rate in figures else format_rate(rate)

    return figure_of


def format_points(difference: float) -> str:
    """Return a difference of two rates in points with two significant digits: `1.2 points`."""
    return points_text(abs(difference))


def format_lost(judgement: Judgement) -> str:
    """Return the loss of a move: `1.2 points`, `everything`, or an upper limit if tiny."""
    if judgement.is_perfect:
        return tr("nothing")
    lost = loss_text(judgement.rate, judgement.best_rate)
    return lost or format_points(judgement.points_lost)


def format_allowance(allowed: float) -> str:
    """Return the allowance for a perfect move: `within 0.01 pts`; "" for none.

    Examples
    --------
    >>> format_allowance(0.0001), format_allowance(0.0)
    ('within 0.01 pts', '')
    """
    return tr("within {points} pts", points=_allowed_points(allowed)) if allowed else ""


def _allowed_points(allowed: float) -> str:
    return f"{allowed * 100:g}"


def equal_to_best(rates: Rates, tolerance: Tolerance = UINT32) -> tuple[int, ...]:
    """Return the moves that grading counts as equal to the best one."""
    best = best_rate(rates)
    if best is None:
        return ()
    slack = tolerance.slack(best)
    rated = [(d, rate) for d, rate in enumerate(rates) if rate is not None]
    return tuple([d for d, rate in rated if best - rate <= slack and (rate > 0 or best <= 0)])


def is_only_allowed(rate: float, best: float, tolerance: Tolerance) -> bool:
    """Return whether a move below the best only counts as perfect by the user's allowance."""
    return best - rate > tolerance.step(best)


def best_rate(rates: Rates) -> float | None:
    """Return the highest rate; None if no move is legal."""
    return max([rate for rate in rates if rate is not None], default=None)


def relative_loss(rate: float | None, best: float | None) -> float:
    """Return the share of the best rate that a move loses; 0 for an illegal move."""
    if rate is None or best is None or best <= 0:
        return 0.0
    return min(1.0, max(0.0, (best - rate) / best))


def bar_fraction(loss: float) -> float:
    """Return the fill of the bar of a loss: logarithmic, 0.001 % empty, 10 % full.

    Any loss at all shows a sliver, so that an empty bar means "as good as the best".
    """
    if loss <= 0:
        return 0.0
    span = math.log10(BAR_FULL / BAR_FLOOR)
    return min(1.0, max(0.03, math.log10(loss / BAR_FLOOR) / span))


def margin_of_best(rates: Rates, tolerance: Tolerance = UINT32) -> float:
    """Return the margin of the best move, in [0, 1]: the bar of the next best.

    1 for an only move, 0 when another move is as good.
    """
    legal = sorted((rate for rate in rates if rate is not None), reverse=True)
    if len(legal) < 2:
        return float(len(legal))
    if tolerance.same(legal[1], legal[0]):
        return 0.0
    return bar_fraction(relative_loss(legal[1], legal[0]))


def describe_unknown(unknown_rates: UnknownRates | None) -> str:
    """Return the reason why rates are missing; "" if none is."""
    if unknown_rates is None:
        return ""
    if unknown_rates.is_limited:
        return tr(_LOWER_BOUNDS)
    return tr(_NOT_STORED if unknown_rates.is_thinned else _CANNOT_ARISE)


def describe_rates(
    rates: Rates,
    unknown_rates: UnknownRates | None = None,
    tolerance: Tolerance = UINT32,
    breaking: Collection[int] = (),
) -> str:
    """Return one sentence on the best move and one on the next best, or why rates are missing.

    Moves in `breaking` are legal but break the formation.

    Examples
    --------
    >>> describe_rates((0.99378, None, 0.98178, None))
    'Left keeps 99.38 %. Up loses 1.2 points.'
    """
    best = best_rate(rates)
    if unknown_rates and (unknown_rates.moves or best):
        return describe_unknown(unknown_rates)
    if best is None:
        return tr("Every move breaks the formation.") if breaking else tr("No move is left.")
    if best <= 0:
        return tr("The table knows no way to the target from here.")
    equal = equal_to_best(rates, tolerance)
    winners = tuple([d for d in equal if best - (rates[d] or 0.0) <= tolerance.step(best)])
    rate_shown, n = short_rate_text(best), len(winners)
    first = trn(
        "{moves} keeps {rate}.", "{moves} keep {rate}.", n, moves=_join(winners), rate=rate_shown
    )
    if near := [d for d in equal if d not in winners]:
        second = trn(
            "{moves} is within {points} pts of that.",
            "{moves} are within {points} pts of that.",
            len(near),
            moves=_join(near),
            points=_allowed_points(tolerance.allowed),
        )
        first = sentences(first, second)
    others = [(rate, d) for d, rate in enumerate(rates) if rate is not None and d not in equal]
    if others:
        rate, direction = max(others, key=lambda rated: (rated[0], -rated[1]))
        name, lost = move_title(direction), loss_text(rate, best)
        if lost:
            return sentences(first, tr("{move} loses {lost}.", move=name, lost=lost))
        return sentences(first, tr("{move} is about equal.", move=name))
    if near:
        return first
    if len(winners) > 1:
        return sentences(first, tr("It makes no difference."))
    if breaking:
        return sentences(first, tr("It is the only move that keeps the formation."))
    return sentences(first, tr("It is the only move."))


def describe_move(
    direction: int, rates: Rates, tolerance: Tolerance, unknown_rates: UnknownRates | None = None
) -> str:
    """Return the sentences on what a played move kept or lost: `Up lost 1.2 points. Left was best.`

    Rates that `tolerance` takes for equal are equal here too.
    """
    judgement = judge(rates, direction, tolerance, unknown_rates)
    return describe_judged(direction, rates, judgement, unknown_rates, tolerance=tolerance)


def describe_judged(
    direction: int,
    rates: Rates,
    judgement: Judgement | None,
    unknown_rates: UnknownRates | None = None,
    breaking: Collection[int] = (),
    tolerance: Tolerance = UINT32,
) -> str:
    """Return the text of `describe_move` for an already judged move."""
    name = move_title(direction)
    if unknown_rates and direction in unknown_rates.moves:
        return tr("{move} is not in the table.", move=name)
    if rates[direction] is None:
        return tr("{move} broke the formation.", move=name)
    if unknown_rates and judgement is None:
        rate = rates[direction] or 0.0
        share = at_least_text(rate) if unknown_rates.is_limited else short_rate_text(rate)
        return tr("{move} kept {rate}. Another move may have kept more.", move=name, rate=share)
    if judgement is None:
        return tr("{move}: nothing was left to lose.", move=name)
    if judgement.is_forced and breaking:
        return tr("{move} was the only move that kept the formation.", move=name)
    if judgement.is_forced:
        return tr("{move} was the only move.", move=name)
    if judgement.is_perfect:
        return _describe_perfect(name, judgement, tolerance)
    lost = loss_text(judgement.rate, judgement.best_rate)
    if lost:
        first = tr("{move} lost {lost}.", move=name, lost=lost)
    else:
        first = tr("{move} was about equal.", move=name)
    best = _join(judgement.best)
    second = trn("{moves} was best.", "{moves} were best.", len(judgement.best), moves=best)
    return sentences(first, second)


def _describe_perfect(name: str, judgement: Judgement, tolerance: Tolerance) -> str:
    if is_only_allowed(judgement.rate, judgement.best_rate, tolerance):
        points = _allowed_points(tolerance.allowed)
        return tr("{move} was within {points} pts of the best move.", move=name, points=points)
    if len(judgement.best) == 1:
        return tr("{move} was the best move.", move=name)
    return tr("{move} was one of the best moves.", move=name)


def describe_loss(rate: float, best: float) -> str:
    """Return the caption beside a figure: `best`, or the points lost with a minus sign."""
    if rate >= best:
        return tr("best")
    if points := minus_points(best - rate):
        return points
    if not loss_text(rate, best):
        return tr("about equal")
    return tr("all lost") if rate <= 0 else f"\N{MINUS SIGN}{share_text(rate, best)}"


def minus_points(lost: float) -> str:
    """Return a loss in points, abbreviated; "" if it is too small.

    Examples
    --------
    >>> minus_points(0.0121), minus_points(3e-9)
    ('\N{MINUS SIGN}1.2 pts', '')
    """
    if lost * 100 < MIN_POINTS:
        return ""
    return tr("\N{MINUS SIGN}{points} {unit}", points=points_figure(lost), unit=tr("pts"))


def without_unit(loss: str) -> str:
    """Return a caption of `describe_loss` without its unit, where there is no room for that."""
    number, _, unit = loss.partition(" ")
    return number if unit == tr("pts") else loss


@dataclass(frozen=True)
class Scale:
    """The display scale of four numbers: success rates, their estimates, or values."""

    figure: Callable[[float | None], str]
    loss: Callable[[float, float], str]
    bar: Callable[[float | None, float | None], float]
    is_graded: bool = False  # then figures, stars and the sentence go by what grading calls equal

    def figures(self, rates: Rates, tolerance: Tolerance, are_bounds: bool = False) -> list[str]:
        """Return the four figures; those of lower bounds are marked."""
        if self.is_graded:
            return format_rates(rates, tolerance, are_bounds)
        return [self.figure(rate) for rate in rates]

    def winners(
        self, rates: Rates, tolerance: Tolerance, are_bounds: bool = False
    ) -> tuple[int, ...]:
        """Return the moves to mark as the best; of lower bounds those that are sure to succeed."""
        if are_bounds:
            return tuple([d for d, rate in enumerate(rates) if rate == 1.0])
        if not self.is_graded:
            return equal_to_best(rates, Tolerance(0.0))
        return equal_to_best(rates, tolerance) if best_rate(rates) else ()  # of zeros none is best


def format_chance(chance: float | None) -> str:
    """Return an estimated chance; "" for an illegal move."""
    if chance is None:
        return ""
    if chance <= 0 or 0.0005 <= chance < 0.9995:
        return "0" if chance <= 0 else f"{100 * chance:.1f} %"
    return "< 0.1 %" if chance < 0.5 else "> 99.9 %"


def value_bar(value: float | None, best: float | None) -> float:
    """Return the fill of the bar of a value: logarithmic, full at 10,000 below the best."""
    if value is None or best is None or value >= best:
        return 0.0
    return min(1.0, max(0.03, math.log10(best - value) / 4)) if best - value > 1 else 0.03


def _rate_bar(rate: float | None, best: float | None) -> float:
    return bar_fraction(relative_loss(rate, best))


def _with_signs(text: str) -> str:
    text = text.replace(" - ", " \N{MINUS SIGN} ")
    return text.replace(">= ", "\N{GREATER-THAN OR EQUAL TO}\N{NO-BREAK SPACE}")


def _join(directions: Sequence[int]) -> str:
    return and_list([move_title(directions[0]), *map(move_word, directions[1:])])


RATE_SCALE = Scale(format_rate, describe_loss, _rate_bar, is_graded=True)
CHANCE_SCALE = Scale(format_chance, describe_loss, _rate_bar)
VALUE_SCALE = Scale(lambda _: "", lambda *_: "", value_bar)
"""For values without a unit: bars alone."""
