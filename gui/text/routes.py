"""Formatting results of routes. No Qt."""

from ai.choice import CHOOSERS
from coach.routes.result import RECEIVED, TABLE, YOU, RouteResult
from engine.platform.language import tr, trn
from gui.text.rates import match_text


def figure_text(result: RouteResult) -> str:
    """Return the figure that compares results of a route: moves right, a match rate, or points."""
    if result.route.is_game:
        return trn("{n:,} point", "{n:,} points", result.points)
    if result.route.is_corrected:
        return tr("{n:,} of {of:,} right", n=result.n_right, of=result.n_moves)
    return match_text(result.match_rate)


def who_text(who: str) -> str:
    names = {YOU: tr("You"), TABLE: tr("The table"), RECEIVED: tr("A friend")}
    if who in names:
        return names[who]
    return tr("The AI") if who in CHOOSERS else who
