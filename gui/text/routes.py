"""Formatting results of routes. No Qt."""

from ai.choice import CHOOSERS
from coach.routes.result import RECEIVED, TABLE, YOU, RouteResult
from engine.platform.language import tr, trn
from gui.text.rates import lost_in_moves, match_text, points_lost


def figure_text(result: RouteResult) -> str:
    """Return the figure that compares results of a route: what was lost, or points."""
    if result.route.is_game or result.who == RECEIVED:  # which doesn't say what it lost
        return right_text(result)
    return lost_in_moves(result.points_lost, result.n_moves)


def right_text(result: RouteResult) -> str:
    """Return what is right of a result: moves, a match rate, or points."""
    if result.route.is_game:
        return trn("{n:,} point", "{n:,} points", result.points)
    if result.route.is_corrected:
        return tr("{n:,} of {of:,} correct", n=result.n_right, of=result.n_moves)
    return match_text(result.match_rate)


def short_figure(result: RouteResult) -> str:
    """Return `figure_text` without the moves."""
    if result.route.is_game or result.who == RECEIVED:
        return right_text(result)
    return points_lost(result.points_lost) or "0"


def who_text(who: str) -> str:
    names = {YOU: tr("You"), TABLE: tr("The table"), RECEIVED: tr("A friend")}
    if who in names:
        return names[who]
    return tr("The AI") if who in CHOOSERS else who
