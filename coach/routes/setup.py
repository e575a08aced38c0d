"""What a route says about its runs: the start, the rules, the tiles."""

from coach.play.rules import ExamGoal
from coach.play.run import Run
from coach.play.setup import Kind, Setup, symmetries
from coach.play.tiles import draw_below, start_tile
from coach.routes.code import (
    GAME,
    Route,
    RouteCodeError,
    code_of,
    fingerprint_of,
    fours_of,
    read_code,
)
from engine.bitboard import N_CELLS, cells, from_cells
from engine.formats.replay import Cells
from engine.symmetry import transform
from tablebase.formation.formation import Formation
from tablebase.probe.table import Table

_START_BOARD, _TURN = range(2)  # numbers of a route's stream


def route_on(table: Table, seed: int, n_moves: int, is_corrected: bool) -> Route:
    """Return a route on a table; RouteCodeError if there are none on it."""
    fours = fours_of(table.spawn4)
    formation, _, target = table.name.rpartition("_")
    if fours is None:
        raise RouteCodeError(
            "no routes on a table with {share:g} % fours: expected a multiple of 0.1 %",
            share=100 * table.spawn4,
        )
    if formation.upper() == GAME:
        raise RouteCodeError(
            "no routes on a formation called {name}: rename it first", name=formation
        )
    return Route(
        formation.upper(),
        target,
        seed,
        n_moves,
        is_corrected,
        fours,
        fingerprint_of(table.formation),
    )


def start_of(route: Route, formation: Formation | None = None) -> Cells:
    """Return the 16 exponents of a route's first position; without a formation, of a whole game.

    RouteCodeError: the formation is not the one that the route was made for.
    """
    if formation is None:
        first = _with(start_tile(range(N_CELLS), route.seed, 0, route.fours), (0,) * N_CELLS)
        return _with(start_tile(_empty(first), route.seed, 1, route.fours), first)
    if fingerprint_of(formation) != route.fingerprint:
        raise RouteCodeError(
            "this route was made for another formation called {name}: one of you has changed it",
            name=route.formation,
        )
    at = draw_below(route.seed, _START_BOARD, len(formation.starts))
    board = tuple(cells(formation.starts[at]))
    board = _with(start_tile(_empty(board), route.seed, 0, route.fours), board)
    names = symmetries(formation.walls)
    turn = names[draw_below(route.seed, _TURN, len(names))]
    return tuple(cells(transform(from_cells(board), turn)))


def setup_of(route: Route, table: Table | None = None) -> Setup:
    """Return the setup of a run; without a table, of a whole game. Errors as of `start_of`."""
    start = start_of(route, table.formation if table else None)
    return Setup(
        table=table.name if table else "",
        target=table.target if table else 0,
        spawn4=route.spawn4,
        rate=table.rate if table else "",
        seed=route.seed,
        start=from_cells(start),
        walls=bool(table and table.formation.walls),
        goal=ExamGoal(route.n_moves),
        kind=Kind.ROUTE,
        is_corrected=route.is_corrected,
        code=code_of(route),
    )


def route_of(run: Run) -> Route:
    return read_code(run.setup.code)


def _empty(exponents: Cells) -> list[int]:
    return [cell for cell, exponent in enumerate(exponents) if not exponent]


def _with(tile: tuple[int, int], exponents: Cells) -> Cells:
    cell, exponent = tile
    return (*exponents[:cell], exponent, *exponents[cell + 1 :])
