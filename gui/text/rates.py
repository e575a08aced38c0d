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
    difference_figure,
    loss_figures,
    loss_text,
    match_text,
    points_figure,
    points_text,
    rate_text,
    rate_texts,
    short_rate_text,
)
from gui.text.lists import and_list
from gui.text.numbers import format_whole, moves_text

Rates = Sequence[float | None]

DIRECTION_NAMES = ("left", "right", "up", "down")
"""Names of icons and actions; what people read is in `coach.grading.names`."""
BAR_FLOOR = 1e-5  # a loss of 0.001 % is where the bar starts, so that 0.01 % is visible
BAR_FULL = 0.1
NO_MATCH = "\N{EN DASH}"
"""Stands for a missing match rate."""

_MINUS = mark("\N{MINUS SIGN}{points} {unit}")
NOT_IN_TABLE = mark("not in the table")
BREAKS = mark("breaks the formation")
_CANNOT_ARISE = mark(
    "This position can't arise from the table's start, so a missing rate isn't a loss."
)
_NOT_STORED = mark("This table doesn't store every rate, so a missing one isn't a loss.")
_LOWER_BOUNDS = mark("This table's rates are lower bounds, so a lower one, or none, isn't a loss.")


def format_rate(rate: float | None) -> str:
    """Return the figure of a single rate; "" for an illegal move."""
    return "" if rate is None else rate_text(rate)


def match_so_far(score: Score) -> str:
    """Return the match rate of the moves so far; a dash before the first one that counts."""
    return match_text(score.match_rate) if score.n_moves else NO_MATCH


def format_bound(rate: float | None) -> str:
    """Return the figure of a lower bound; "" for an illegal move."""
    return "" if rate is None else _bound(rate_text(rate))


def format_rates(
    rates: Rates, tolerance: Tolerance = UINT32, are_bounds: bool = False, decimals: int = 0
) -> list[str]:
    """Return the figures of the rates of a position, only as precise as they or others differ.

    Those that are as good as the best have its figure, others never, even if the user's rules
    count them as perfect. Lower bounds are marked.
    """
    figures = rate_texts(rates, tolerance.step(best_rate(rates) or 0), decimals)
    return [_bound(figure) for figure in figures] if are_bounds else figures


def format_beside(
    pairs: Iterable[Rates], tolerance: Tolerance = UINT32, decimals: int = 0
) -> Callable[[float | None], str]:
    """Return a function that formats the rates of several courses so that they differ."""
    figures: dict[float, str] = {}
    for pair in pairs:
        texts = rate_texts(pair, tolerance.step(best_rate(pair) or 0), decimals)
        for rate, figure in zip(pair, texts, strict=True):
            if rate is not None:
                figures[rate] = max(figures.get(rate, ""), figure, key=len)

    def figure_of(rate: float | None) -> str:
        return figures[rate] if rate in figures else format_rate(rate)

    return figure_of


def format_points(difference: float) -> str:
    """Return a difference of two rates in points with two significant digits: `1.2 points`."""
    return points_text(abs(difference))


def format_lost(judgement: Judgement) -> str:
    """Return the loss of a move: `1.2 points`, `everything`, or an upper limit if tiny."""
    if judgement.is_perfect:
        return tr("nothing")
    return loss_text(judgement.rate, judgement.best_rate)


def format_allowance(allowed: float) -> str:
    """Return the allowance for a perfect move: `within 0.01 pts`; "" for none.

    >>> format_allowance(0.0001), format_allowance(0.0)
    ('within 0.01 pts', '')
    """
    return tr("within {points} pts", points=f"{allowed * 100:g}") if allowed else ""


def equal_to_best(rates: Rates, tolerance: Tolerance = UINT32) -> tuple[int, ...]:
    """Return the moves that grading counts as equal to the best one."""
    best = best_rate(rates)
    if best is None:
        return ()
    slack = tolerance.slack(best)
    rated = [(d, rate) for d, rate in enumerate(rates) if rate is not None]
    return tuple([d for d, rate in rated if best - rate <= slack and (rate > 0 or best <= 0)])


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
    rates: Rates, unknown_rates: UnknownRates | None = None, breaking: Collection[int] = ()
) -> str:
    """Return what the four figures don't say: why some are missing, or that there is no choice.

    Moves in `breaking` are legal but break the formation.
    """
    best = best_rate(rates)
    if unknown_rates and (unknown_rates.moves or best):
        return describe_unknown(unknown_rates)
    if best is None:
        return tr("Every move breaks the formation.") if breaking else tr("No moves left.")
    if best <= 0:
        return tr("The table knows no way to the target from here.")
    if len([rate for rate in rates if rate is not None]) > 1:
        return ""
    if breaking:
        return tr("Only one move keeps the formation.")
    return tr("There is only one move.")


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
    figure = loss_figures(rates, tolerance.step(judgement.best_rate))[direction]
    if judgement.is_perfect and figure:
        points = f"{tolerance.allowed * 100:g}"
        return tr("{move} was within {points} pts of the best move.", move=name, points=points)
    if judgement.is_perfect and len(judgement.best) == 1:
        return tr("{move} was the best move.", move=name)
    if judgement.is_perfect:
        return tr("{move} was one of the best moves.", move=name)
    lost = loss_text(judgement.rate, judgement.best_rate, figure)
    best = _join(judgement.best)
    second = trn("{moves} was best.", "{moves} were best.", len(judgement.best), moves=best)
    return sentences(tr("{move} lost {lost}.", move=name, lost=lost), second)


def describe_loss(rate: float, best: float) -> str:
    """Return the caption beside a figure: `best`, or the points lost with a minus sign."""
    return _caption(rate, loss_figures((rate, best))[0])


def _caption(rate: float, figure: str) -> str:
    if not figure:
        return tr("best")
    return tr("all lost") if rate <= 0 and figure.startswith("<") else _minus(figure)


def minus_points(lost: float) -> str:
    """Return a loss in points, abbreviated; "" if it is too small.

    >>> minus_points(0.0121), minus_points(3e-9)
    ('\N{MINUS SIGN}1.2 pts', '')
    """
    return _minus(points_figure(lost)) if lost * 100 >= MIN_POINTS else ""


def lost_figure(lost: float) -> str:
    """Return a loss in points without its unit; 0 if it is too small.

    >>> lost_figure(0.0121), lost_figure(3e-9)
    ('1.2', '0')
    """
    return points_figure(lost) if lost * 100 >= MIN_POINTS else "0"


def points_lost(lost: float) -> str:
    """Return a loss beside the word "Lost", which says the sign; "" if it is too small.

    >>> points_lost(0.0121), points_lost(3e-9)
    ('1.2 pts', '')
    """
    return _with_unit(points_figure(lost)) if lost * 100 >= MIN_POINTS else ""


POINT_TIP = mark(
    "A point is one percentage point of the chance to reach the target. Every move can lose some, "
    "so a whole run can lose more than 100."
)


def lost_in_moves(lost: float, n_moves: int) -> str:
    """Return what a run lost: `216 points lost in 35 moves`."""
    points, moves = format_points(lost), moves_text(n_moves)
    return tr("{points} lost in {moves}", points=points, moves=moves)


def _minus(figure: str) -> str:
    return _with_unit(figure) if figure.startswith("<") else _with_unit(figure, _MINUS)


def _with_unit(figure: str, text: str = mark("{points} {unit}")) -> str:
    return tr(text, points=figure, unit=tr("pts"))


def without_unit(loss: str) -> str:
    """Return the caption of a loss without its unit, where there is no room for that."""
    number, _, unit = loss.partition(" ")
    return number if unit in (tr("pts"), tr("{score} points", score="").strip()) else loss


@dataclass(frozen=True)
class Scale:
    """The display scale of four numbers: success rates, their estimates, or values."""

    figure: Callable[[float | None], str]
    loss: Callable[[float, float], str]  # the caption of a move that is not the best
    bar: Callable[[float | None, float | None], float]
    is_graded: bool = False  # then figures, captions and stars go by what grading calls equal
    decimals: int = 0  # at least, as what is said beside them

    def figures(self, rates: Rates, tolerance: Tolerance, are_bounds: bool = False) -> list[str]:
        """Return the four figures; those of lower bounds are marked."""
        if self.is_graded:
            return format_rates(rates, tolerance, are_bounds, self.decimals)
        return [self.figure(rate) for rate in rates]

    def winners(
        self, rates: Rates, tolerance: Tolerance, are_bounds: bool = False
    ) -> tuple[int, ...]:
        """Return the moves to mark as the best; of lower bounds those that are sure to succeed."""
        best = best_rate(rates)
        if are_bounds:
            return tuple([d for d, rate in enumerate(rates) if rate == 1.0])
        if self.is_graded:
            return equal_to_best(rates, tolerance) if best else ()  # of zeros none is best
        legal = [(d, rate) for d, rate in enumerate(rates) if rate is not None]
        shown = self.figure  # values have none
        return tuple([d for d, rate in legal if (shown(rate) or rate) == (shown(best) or best)])

    def losses(
        self,
        rates: Rates,
        tolerance: Tolerance,
        are_bounds: bool = False,
        winners: Collection[int] | None = None,
    ) -> list[str]:
        """Return the captions beside the figures: `best`, `−1.2 pts`.

        Of two lower bounds the lower one may stand for more. `winners` are those of these rates.
        """
        best = best_rate(rates) or 0.0
        if winners is None:
            winners = self.winners(rates, tolerance, are_bounds)
        points = loss_figures(rates, tolerance.step(best))

        def caption(direction: int, rate: float | None) -> str:
            if direction in winners and not (self.is_graded and points[direction]):
                return tr("best")  # not if only the user's rules count it as perfect
            if rate is None or are_bounds or (self.is_graded and best <= 0):
                return ""
            return _caption(rate, points[direction]) if self.is_graded else self.loss(rate, best)

        return [caption(direction, rate) for direction, rate in enumerate(rates)]


def format_chance(chance: float | None) -> str:
    """Return an estimated chance; "" for an illegal move."""
    if chance is None or chance <= 0:
        return "" if chance is None else "0"
    return match_text(min(chance, 0.9999))  # never sure


def describe_chance_loss(chance: float, best: float) -> str:
    return _caption(chance, difference_figure(chance, best, 1))


def value_bar(value: float | None, best: float | None) -> float:
    """Return the fill of the bar of a value: logarithmic, full at 10,000 below the best."""
    if value is None or best is None or value >= best:
        return 0.0
    return min(1.0, max(0.03, math.log10(best - value) / 4)) if best - value > 1 else 0.03


def _rate_bar(rate: float | None, best: float | None) -> float:
    return bar_fraction(relative_loss(rate, best))


def _bound(figure: str) -> str:
    return bound_figure(figure).replace(">= ", "\N{GREATER-THAN OR EQUAL TO}\N{NO-BREAK SPACE}")


def _join(directions: Sequence[int]) -> str:
    return and_list([move_title(directions[0]), *map(move_word, directions[1:])])


def describe_points_lost(value: float, best: float) -> str:
    """Return the caption of a value in points of the score; "" if it is less than one lower."""
    if best - value < 1:
        return ""
    return "\N{MINUS SIGN}" + tr("{score} points", score=format_whole(int(best - value)))


RATE_SCALE = Scale(format_rate, describe_loss, _rate_bar, is_graded=True)
CHANCE_SCALE = Scale(format_chance, describe_chance_loss, _rate_bar)
POINT_SCALE = Scale(lambda _: "", describe_points_lost, value_bar)
"""For points of the score: what a move loses. A network's sum forecasts no score of a search."""
VALUE_SCALE = Scale(lambda _: "", lambda *_: "", value_bar)
"""For values without a unit: bars alone."""
