"""Success rates as people read them: figures, losses, bars and sentences. No Qt.

A *rate* is a probability in [0, 1], None for a move that is illegal or leaves the formation; four
of them, in the order LEFT RIGHT UP DOWN, describe a position. The *loss* of a move is the part of
the best rate that it gives away, in [0, 1]; *points* are hundredths of probability.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coach.grading.grade import Judgement, Tolerance, judge
from coach.grading.unknown_rates import UnknownRates
from engine.wording import rate_text, scientific

Rates = Sequence[float | None]

DIRECTION_NAMES = ("left", "right", "up", "down")
BAR_FLOOR = 1e-5  # a loss of 0.001 % is where the bar starts, so that 0.01 % is visible
BAR_FULL = 0.1


NOT_IN_TABLE = "not in the table"
_DOES_NOT_COME_UP = (
    "This position does not come up from the table's start, so a missing rate is not a loss."
)
_NOT_KEPT = "This table does not keep every rate, so a missing one is not a loss."


def format_rate(rate: float | None) -> str:
    """Return the figure of a rate; nothing for a move that cannot be made."""
    return "" if rate is None else rate_text(rate)


def format_rate_short(rate: float) -> str:
    """Return a rate for running text: `99.38 %`."""
    if rate >= 1:
        return "100 %"
    if 0.0001 <= rate <= 0.9999:
        return f"{rate * 100:.2f} %"
    return format_rate(rate)


def format_points(difference: float) -> str:
    """Return a difference of two rates in points with two significant digits: `1.2 points`."""
    text = _points(difference)
    return f"{text} point" if float(text) == 1 else f"{text} points"


def format_lost(judgement: Judgement) -> str:
    """Return what a move gave away: `1.2 points`, or `everything`."""
    return format_points(judgement.points_lost) if judgement.rate > 0 else "everything"


def best_rate(rates: Rates) -> float | None:
    """Return the highest rate, None when no move is legal."""
    return max([rate for rate in rates if rate is not None], default=None)


def relative_loss(rate: float | None, best: float | None) -> float:
    """Return the part of the best rate that a move gives away; 0 for an illegal move."""
    if rate is None or best is None or best <= 0:
        return 0.0
    return min(1.0, max(0.0, (best - rate) / best))


def bar_fraction(loss: float) -> float:
    """Return how far the bar of a loss is filled: logarithmic, 0.001 % empty, 10 % full.

    Any loss at all shows a sliver, so that an empty bar means "as good as the best".
    """
    if loss <= 0:
        return 0.0
    span = math.log10(BAR_FULL / BAR_FLOOR)
    return min(1.0, max(0.03, math.log10(loss / BAR_FLOOR) / span))


def lead_of_best(rates: Rates) -> float:
    """Return how much the best move stands out, in [0, 1]: the bar of the next best.

    1 for an only move, 0 when another move is as good.
    """
    legal = sorted((rate for rate in rates if rate is not None), reverse=True)
    if len(legal) < 2:
        return float(len(legal))
    return bar_fraction(relative_loss(legal[1], legal[0]))


def describe_unknown(unknown_rates: UnknownRates | None) -> str:
    """Return why rates are missing; "" where none is."""
    if unknown_rates is None:
        return ""
    return _NOT_KEPT if unknown_rates.is_thinned else _DOES_NOT_COME_UP


def describe_rates(rates: Rates, unknown_rates: UnknownRates | None = None) -> str:
    """Return one sentence on the best move and one on the next best, or why rates are missing.

    Examples
    --------
    >>> describe_rates((0.99378, None, 0.98178, None))
    'Left keeps 99.38 %. Up gives away 1.2 points.'
    """
    legal = [
        (rate, name) for rate, name in zip(rates, DIRECTION_NAMES, strict=True) if rate is not None
    ]
    if unknown_rates:
        return describe_unknown(unknown_rates)
    if not legal:
        return "No move is left."
    best = max(legal)[0]
    if best <= 0:
        return "The table knows no way to the target from here."
    winners = [name for rate, name in legal if rate == best]
    verb = "keeps" if len(winners) == 1 else "keep"
    first = f"{_join(winners)} {verb} {format_rate_short(best)}."
    others = [(rate, name) for rate, name in legal if rate < best]
    if others:
        rate, name = max(others)
        if rate <= 0:
            return f"{first} {name.capitalize()} gives everything away."
        return f"{first} {name.capitalize()} gives away {format_points(best - rate)}."
    if len(legal) == 1:
        return f"{first} It is the only move."
    return f"{first} It makes no difference."


def describe_move(
    direction: int, rates: Rates, tolerance: Tolerance, unknown_rates: UnknownRates | None = None
) -> str:
    """Return what a played move kept or gave away: `Up gave away 1.2 points. Left was best.`

    Rates that `tolerance` takes for equal are equal here too.
    """
    judgement = judge(rates, direction, tolerance, unknown_rates)
    return describe_judged(direction, rates, judgement, unknown_rates)


def describe_judged(
    direction: int,
    rates: Rates,
    judgement: Judgement | None,
    unknown_rates: UnknownRates | None = None,
) -> str:
    """Return what `describe_move` does of a move that was judged already."""
    name = DIRECTION_NAMES[direction].capitalize()
    if unknown_rates and direction in unknown_rates.moves:
        return f"{name} is {NOT_IN_TABLE}."
    if rates[direction] is None:
        return f"{name} broke up the formation."
    if unknown_rates and judgement is None:
        kept = format_rate_short(rates[direction] or 0.0)
        return f"{name} kept {kept}. Another move may have kept more."
    if judgement is None:
        return f"{name}: nothing was left to lose."
    if judgement.is_forced:
        return f"{name} was the only move."
    winners = [DIRECTION_NAMES[one] for one in judgement.best]
    if judgement.is_perfect:
        what = "the best move" if len(winners) == 1 else "one of the best moves"
        return f"{name} was {what}."
    given = format_lost(judgement)
    verb = "was" if len(winners) == 1 else "were"
    return f"{name} gave away {given}. {_join(winners)} {verb} best."


def describe_loss(rate: float, best: float) -> str:
    """Return the caption beside a figure: `best`, or the points lost with a minus sign."""
    if rate >= best:
        return "best"
    return f"\N{MINUS SIGN}{_points(best - rate)} pts"


@dataclass(frozen=True)
class Scale:
    """How four numbers are shown and compared: rates of success, their estimates, or values."""

    figure: Callable[[float | None], str]
    loss: Callable[[float, float], str]
    bar: Callable[[float | None, float | None], float]
    sentence: Callable[[Rates], str]


def format_chance(chance: float | None) -> str:
    """Return a chance that is only estimated; nothing for an illegal move."""
    if chance is None:
        return ""
    if chance <= 0 or 0.0005 <= chance < 0.9995:
        return "0" if chance <= 0 else f"{100 * chance:.1f} %"
    return "< 0.1 %" if chance < 0.5 else "> 99.9 %"


def format_value(value: float | None) -> str:
    """Return what an evaluation says, in whole units; nothing for an illegal move."""
    if value is None:
        return ""
    return f"{value:,.0f}".replace("-", "\N{MINUS SIGN}").replace(",", "\N{THIN SPACE}")


def describe_value_loss(value: float, best: float) -> str:
    """Return the caption beside a value: `best`, or how much less it is."""
    return "best" if value >= best else f"\N{MINUS SIGN}{format_value(max(1, best - value))}"


def value_bar(value: float | None, best: float | None) -> float:
    """Return how far the bar of a value is filled: logarithmic, full at 10,000 less than best."""
    if value is None or best is None or value >= best:
        return 0.0
    return min(1.0, max(0.03, math.log10(best - value) / 4)) if best - value > 1 else 0.03


def _no_sentence(_rates: Rates) -> str:
    return ""


def _rate_bar(rate: float | None, best: float | None) -> float:
    return bar_fraction(relative_loss(rate, best))


def _points(difference: float) -> str:
    points = abs(difference) * 100
    if points == 0:
        return "0"
    if points < 1e-4:
        return scientific(points)
    decimals = max(0, 1 - math.floor(math.log10(points)))
    return f"{points:.{decimals}f}"


def _join(names: Sequence[str]) -> str:
    text = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return text[0].upper() + text[1:]


RATE_SCALE = Scale(format_rate, describe_loss, _rate_bar, describe_rates)
CHANCE_SCALE = Scale(format_chance, describe_loss, _rate_bar, _no_sentence)
VALUE_SCALE = Scale(format_value, describe_value_loss, value_bar, _no_sentence)
