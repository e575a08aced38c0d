"""Routes in words, for the window and the command line. No Qt."""

from functools import cache

from coach.routes.code import Route
from engine.platform.language import tr, trn
from tablebase.formation.patterns_file import load_formations


def length_text(route: Route) -> str:
    """Return the length of a route: `100 moves`, `up to 100 moves`, `to the target`."""
    if route.n_moves and not route.is_game:  # the target may come sooner
        return trn("up to {n} move", "up to {n:,} moves", route.n_moves)
    if route.n_moves:
        return trn("{n} move", "{n:,} moves", route.n_moves)
    return tr("to its end") if route.is_game else tr("to the target")


def route_title(route: Route) -> str:
    """Return the title of a route: `442 → 512`, `Whole game`."""
    goal = route.goal
    if goal is None:
        return tr("Whole game")
    formation = _spelling().get(route.formation, route.formation)
    return f"{formation} \N{RIGHTWARDS ARROW} {goal.words()}"


def describe_route(route: Route) -> str:
    """Return a route in a line: `442 → 512, up to 100 moves, mistakes corrected`."""
    title, length = route_title(route), length_text(route)
    if route.is_game:
        return tr("{route}, {length}", route=title, length=length)
    rule = tr("mistakes corrected") if route.is_corrected else tr("nothing corrected")
    return tr("{route}, {length}, {rule}", route=title, length=length, rule=rule)


@cache
def _spelling() -> dict[str, str]:
    """Return the spelling of formations by their capitals in codes: 2x4, L3t, free9."""
    return {name.upper(): name for name in load_formations()}
