"""Quantities as people read them: bytes, counts, spans of time, success rates.

In English they are ASCII only.
"""

import math
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache

from engine.platform.language import in_force, mark, tr, trn

MIN_POINTS = 1e-3
"""Fewer points than this are no figure: the move is as good, or little was left to lose."""
GRADE_RATIOS = (0.999, 0.99, 0.975, 0.9, 0.75)
"""The shares of the best rate at which grades change; see `coach.grading.grade`."""
_NEAR = 1e-5  # closer to 0 or to 1 than this, a percentage shows two digits of how close
_TINY = 1e-10  # a percentage this small has too many zeros to count; tables rarely store it
_TENTH = 5e-4  # closer to 0 or to 1 than this, a match rate is rounded to neither
_SMALL = 1e-4  # closer to 0 or to 1 than this, a sentence says "less than" or "more than"
_LAST_BITS = 1e-12  # of a rate, so that the loss at a limit is the better grade's
_MAX_DIGITS = 20  # more than usual; a float has no more
_AS_GOOD_SHARE = 1e-3  # of the best rate, so that the last chances are not all alike
_THOUSANDS = ("", "K", "M", "G", "T", "P")
_MYRIADS = ("", "万", "亿", "万亿")  # no text
_SPANS = (
    (86400, mark("{amount} d")),
    (3600, mark("{amount} h")),
    (60, mark("{amount} min")),
    (1, mark("{amount} s")),
)
_MONTHS = (
    mark("Jan"),
    mark("Feb"),
    mark("Mar"),
    mark("Apr"),
    mark("May"),
    mark("Jun"),
    mark("Jul"),
    mark("Aug"),
    mark("Sep"),
    mark("Oct"),
    mark("Nov"),
    mark("Dec"),
)


def bytes_text(n_bytes: float) -> str:
    """Return a size in decimal units (1 kB = 1000 B), as for disks.

    >>> bytes_text(999), bytes_text(4_120_000)
    ('999 B', '4.12 MB')
    """
    return _scaled(n_bytes, ("B", "KB", "MB", "GB", "TB", "PB"))


def count_text(count: float) -> str:
    """Return a number in three digits; in Chinese, by units of ten thousand.

    >>> count_text(950), count_text(98_500_000)
    ('950', '98.5 M')
    """
    if in_force().startswith("zh"):
        return _scaled(count, _MYRIADS, 10_000).rstrip()
    return _scaled(count, _THOUSANDS).rstrip()


def span_text(seconds: float, tenths: bool = False) -> str:
    """Return a span of time in its two largest units; with `tenths`, a short one in tenths.

    >>> [span_text(s) for s in (0.3, 42, 200, 5000, 200_000)]
    ['less than 1 s', '42 s', '3 min 20 s', '1 h 23 min', '2 d 7 h']
    >>> span_text(0.3, tenths=True), span_text(42.2, tenths=True)
    ('0.3 s', '42 s')
    """
    if tenths and seconds < 9.95:
        return tr("{amount} s", amount=f"{seconds:.1f}")
    rest = round(seconds)
    parts: list[tuple[int, str]] = []
    for size, words in _SPANS:
        amount, rest = divmod(rest, size)
        if amount or parts:
            parts.append((amount, words))
    if not parts:
        return tr("less than 1 s")
    return " ".join(tr(words, amount=amount) for amount, words in parts[:2] if amount)


def rate_text(rate: float, digits: int = 0) -> str:
    """Return a success rate: precise where it matters, short elsewhere.

    It is 0 % or 100 % only if it is exactly that; extra digits distinguish it from another rate.

    >>> rate_text(0.99378), rate_text(0.99378, 2), rate_text(1.0), rate_text(0.0)
    ('99.38 %', '99.3780 %', '100 %', '0 %')
    >>> rate_text(0.99998), rate_text(1 - 6.3e-7), rate_text(4.1e-7)
    ('99.998 %', '99.999937 %', '0.000041 %')
    """
    if rate <= 0 or rate >= 1:
        return "0 %" if rate <= 0 else "100 %"
    if rate < _TINY:
        return f"{scientific(rate * 100, 1 + digits)} %"
    return f"{rate * 100:.{_decimals(min(rate, 1 - rate)) + digits}f} %"


def _decimals(rest: float) -> int:
    """Return the decimals of a percentage so far from 0 or 100 that it is rounded to neither."""
    return max(2, math.ceil(-math.log10(rest * 100) - 1e-9)) + (rest < _NEAR)


def as_good_within(best: float) -> float:
    """Return the loss up to which a move is as good as the best one, of rate `best`."""
    return min(MIN_POINTS / 100, _AS_GOOD_SHARE * best)


def decimals_of(rates: Sequence[float | None]) -> int:
    """Return the decimals that percentages side by side need to show their differences."""
    return _precision(tuple(rates), None)[1]


def rate_texts(
    rates: Sequence[float | None], slack: float | None = None, decimals: int = 0
) -> list[str]:
    """Return rates to be shown side by side, just precise enough to show their differences.

    All percentages have the same number of decimals, so that what they differ by is seen at once,
    except those next to 0 or 100, which have their own.
    Those at most `slack` below the highest are as good and read the same; those further apart
    never read the same. "" for None. They have at least so many `decimals`, as others beside them.

    >>> rate_texts((0.99378, None, 0.98, 0.5)), rate_texts((0.99688, None, 0.996908, 0.98))
    (['99.38 %', '', '98.00 %', '50.00 %'], ['99.688 %', '', '99.691 %', '98.000 %'])
    >>> rate_texts((0.9997127, 0.9997126))
    ['99.97 %', '99.97 %']
    """
    shown, least, digits = _precision(tuple(rates), slack)
    decimals = max(decimals, least)
    return [
        ""
        if rate is None
        else rate_text(
            rate, digits if (rest := min(rate, 1 - rate)) < _NEAR else decimals - _decimals(rest)
        )
        for rate in shown
    ]


def loss_figures(rates: Sequence[float | None], slack: float | None = None) -> list[str]:
    """Return what each rate loses against the best, in points: the difference of what is shown.

    "" for the best, what is as good, and None; at most two significant digits.

    >>> loss_figures((0.99378, None, 0.98, 0.5)), loss_figures((0.9997127, 0.9997126, 0.99963))
    (['', '', '1.4', '49'], ['', '', '0.01'])
    """
    shown, decimals, _ = _precision(tuple(rates), slack)
    best = max([rate for rate in shown if rate is not None], default=0.0)
    return [
        "" if rate in (None, best) else difference_figure(rate or 0.0, best, decimals)
        for rate in shown
    ]


def difference_figure(rate: float, best: float, decimals: int) -> str:
    """Return how far two percentages are apart as they are shown, with so many decimals at most.

    Two digits, or more where these would be the loss of another grade.

    >>> difference_figure(0.9002, 1.0, 2), difference_figure(0.8996, 1.0, 2)
    ('10', '10.04')
    """
    points = round(round(best * 100, decimals) - round(rate * 100, decimals), decimals)
    if points < MIN_POINTS:
        return f"<{MIN_POINTS:g}"
    figure = points_figure(points / 100, decimals)
    for more in range(len(figure.partition(".")[2]) + 1, decimals + 1):
        if _n_grades_lost(float(figure) / 100, best) == _n_grades_lost(best - rate, best):
            break
        figure = f"{points:.{more}f}"
    return figure


def _n_grades_lost(loss: float, best: float) -> int:
    return sum(best - loss < ratio * best - _LAST_BITS for ratio in GRADE_RATIOS)


@lru_cache(maxsize=256)  # the figures of a position and its losses are asked for several times
def _precision(
    rates: tuple[float | None, ...], slack: float | None
) -> tuple[list[float | None], int, int]:
    """Return the rates to show, the decimals of percentages, and the digits more of the others."""
    best = max([rate for rate in rates if rate is not None], default=0.0)
    slack = as_good_within(best) if slack is None else slack
    shown = [best if rate and best - rate <= slack else rate for rate in rates]
    decimals = digits = 0
    for rate, more in _more_digits({rate for rate in shown if rate is not None}, slack).items():
        rest = min(rate, 1 - rate)
        if rest >= _NEAR:
            decimals = max(decimals, _decimals(rest) + more)
        elif rest > 0:
            digits = max(digits, more)
    return shown, decimals, digits


def _more_digits(rates: set[float], slack: float) -> dict[float, int]:
    """Return the digits with which each rate reads unlike those further away than `slack`."""
    more: dict[float, int] = {}
    for digits in range(_MAX_DIGITS):
        texts = [(rate, rate_text(rate, digits)) for rate in rates]
        for rate, text in texts:
            if rate not in more and not [
                other
                for other, same in texts
                if same == text and (abs(rate - other) > slack or (rate == 0) != (other == 0))
            ]:
                more[rate] = digits
        if len(more) == len(rates):
            return more
    return {**dict.fromkeys(rates, _MAX_DIGITS - 1), **more}


def percent_text(share: float, decimals: int = 0) -> str:
    """Return a share of a count, as a percentage.

    >>> percent_text(0.1), percent_text(0.01234, 2)
    ('10 %', '1.23 %')
    """
    return f"{share * 100:.{decimals}f} %"


def short_rate_text(rate: float) -> str:
    """Return a rate for running text.

    >>> short_rate_text(0.99378), short_rate_text(1 - 3.2e-9), short_rate_text(0.0)
    ('99.38 %', 'more than 99.99 %', '0 %')
    """
    if rate <= 0 or rate >= 1:
        return rate_text(rate)
    if rate < _SMALL:
        return tr("less than {rate}", rate=rate_text(_SMALL))
    if rate > 1 - _SMALL:
        return tr("more than {rate}", rate=rate_text(1 - _SMALL))
    return f"{rate * 100:.2f} %"


def bound_figure(figure: str) -> str:
    """Return the figure of a rate that is a lower bound; "100 %" and "" stay unchanged.

    >>> bound_figure("85.30 %"), bound_figure("100 %"), bound_figure("")
    ('>= 85.30 %', '100 %', '')
    """
    return figure if figure in ("", rate_text(1.0)) else f">= {figure}"


def at_least_text(rate: float) -> str:
    """Return a lower bound of a rate for running text.

    >>> at_least_text(0.853), at_least_text(4.1e-7), at_least_text(1.0)
    ('at least 85.30 %', 'at least 0.000041 %', '100 %')
    """
    return rate_text(rate) if rate >= 1 else tr("at least {rate}", rate=rate_text(rate))


def points_text(difference: float) -> str:
    """Return a difference of two rates in points, hundredths of probability.

    >>> [points_text(one) for one in (0.0121, 0.01, -0.00068, 3e-9, 0)]
    ['1.2 points', '1.0 point', '-0.068 points', 'under 0.001 points', '0 points']
    """
    points = abs(difference) * 100
    if points == 0:
        return tr("0 points")
    return _in_points(points_figure(difference) if points >= MIN_POINTS else f"<{MIN_POINTS:g}")


def _in_points(figure: str) -> str:
    if figure.startswith("<"):
        return tr("under {points} points", points=figure[1:])
    is_one = abs(float(figure)) == 1
    return trn("{points} point", "{points} points", 1 if is_one else 2, points=figure)


def points_figure(difference: float, decimals: int = _MAX_DIGITS) -> str:
    """Return a difference of two rates in points, in two digits and without the unit.

    >>> points_figure(0.0121), points_figure(-0.00068), points_figure(1 - 0.9)
    ('1.2', '-0.068', '10')
    """
    points = abs(difference) * 100
    rounded = float(f"{points:.1e}")  # 9.999 is 10 in two digits
    least = max(0, 1 - math.floor(math.log10(rounded))) if points else 0
    return f"{'-' if difference < 0 else ''}{points:.{min(decimals, least)}f}"


def loss_text(rate: float, best: float, figure: str | None = None) -> str:
    """Return the loss of a move against the best one; "" if it is as good.

    `figure` is that of `loss_figures` for all moves.

    >>> loss_text(0.98, 0.9931), loss_text(0.0, 0.5), loss_text(4e-8, 4e-7)
    ('1.3 points', 'everything', 'under 0.001 points')
    """
    if rate <= 0:
        return tr("everything")
    figure = loss_figures((rate, best))[0] if figure is None else figure
    return figure and _in_points(figure)


def match_text(rate: float) -> str:
    """Return a match rate: `97.3 %`, `0 %` and `100 %` only for exactly that.

    >>> match_text(1.0), match_text(1 - 3e-9), match_text(0.5), match_text(0.0), match_text(3e-7)
    ('100 %', '> 99.9 %', '50.0 %', '0 %', '< 0.1 %')
    """
    if rate <= 0 or rate >= 1 or _TENTH <= rate < 1 - _TENTH:
        return rate_text(rate) if rate <= 0 or rate >= 1 else f"{rate * 100:.1f} %"
    return "< 0.1 %" if rate < 0.5 else "> 99.9 %"


def scientific(value: float, decimals: int = 1) -> str:
    """Return a number in scientific notation, by default with two digits.

    >>> scientific(3.2e-9)
    '3.2e-9'
    """
    mantissa, exponent = f"{value:.{decimals}e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def day_text(day: date) -> str:
    """Return a day of this year as text.

    >>> day_text(date(2048, 5, 9))
    'May 9'
    """
    return tr("{month} {day}", month=tr(_MONTHS[day.month - 1]), day=day.day)


def clauses(texts: Iterable[str]) -> str:
    """Return clauses of a sentence joined by semicolons.

    >>> clauses(["this is one", "this is another"])
    'this is one; this is another'
    """
    return tr("{first}; {next}", first="", next="").join(filter(None, texts))


def _scaled(value: float, units: tuple[str, ...], step: int = 1000) -> str:
    at = 0
    while value >= step - 0.5 and at < len(units) - 1:
        value /= step
        at += 1
    digits = 0 if at == 0 or value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:.{digits}f} {units[at]}"
