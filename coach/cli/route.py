"""``route``: make a route, show what a code means, have the table or an AI play it."""

import argparse
import contextlib
import secrets
from collections.abc import Iterator
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai.choice import AI_NAMES, CHOOSERS, ai_name, key_of
from ai.thinking_time import ROUTE_MS
from coach.routes.code import LARGEST_SEED, MAX_MOVES, Route, code_of, read_code
from coach.routes.words import describe_route
from engine.bitboard import draw_cells
from engine.platform.cli.arguments import milliseconds
from engine.platform.cli.console import DONE, Commands, Output, add_command, folders_of
from engine.platform.errors import AppError
from engine.platform.language import mark, tr
from engine.saved_game import cells_to_text
from tablebase.errors import MissingTableError
from tablebase.library.named_tables import known_formations

if TYPE_CHECKING:
    from coach.play.run import Run
    from coach.routes.result import RouteResult
    from tablebase.probe.reader import Tablebase

_N_SHOWN = 12  # tiles
_ONLY_FOR = {"moves": "new", "uncorrected": "new", "ai": "play", "ms": "play"}  # no text


class RouteCommandError(AppError):
    """The arguments of a command do not fit together."""


def add_to(commands: Commands) -> None:
    text = tr(
        '"route new 442 512" makes a route on a table, "route new" one for a whole game. '
        '"route today 442 512" is the same for everyone today. "route show CODE" shows what a '
        'code means, and "route play CODE" has the table play it, or an AI with --ai.'
    )
    parser = add_command(
        commands,
        "route",
        run,
        tr("make, explain or play a route: the same new tiles for everyone who has the code"),
        text,
    )
    parser.add_argument(
        "what", choices=("new", "today", "show", "play"), help=tr("what to do; see above")
    )
    parser.add_argument(
        "words", nargs="*", metavar=tr("WORD"), help=tr("a formation and a target, or a code")
    )
    text = tr("end after N moves, up to {most} (default: at the target)", most=MAX_MOVES)
    parser.add_argument("--moves", type=int, metavar="N", help=text)
    text = tr("leave mistakes as they are; everyone still gets the same tiles")
    parser.add_argument("--uncorrected", action="store_true", help=text)
    text = tr("which AI plays, as hint --help lists them (default: %(const)s)")
    parser.add_argument(
        "--ai", nargs="?", type=ai_name, choices=AI_NAMES, const="search", metavar="AI", help=text
    )
    text = tr("milliseconds that the AI thinks about a move (default: {ms:g})", ms=ROUTE_MS)
    parser.add_argument("--ms", type=milliseconds(0.1, 10_000), metavar="T", help=text)
    text = tr("the folder of the table (default: by its name, in the data folder)")
    parser.add_argument("--table", type=Path, metavar=tr("DIR"), help=text)


def run(args: argparse.Namespace) -> int:
    output = Output(args.json)
    _check_options(args)
    if args.what in ("new", "today"):
        _make(args, output)
        return DONE
    if len(args.words) != 1:
        raise RouteCommandError("expected one code after {what}", what=args.what)
    route = read_code(args.words[0])
    (_show if args.what == "show" else _play)(args, route, output)
    return DONE


def _check_options(args: argparse.Namespace) -> None:
    for name, what in _ONLY_FOR.items():
        value = getattr(args, name)
        if value is not None and value is not False and args.what != what:
            text = mark("--{option} goes with route {what}, not with route {asked}: leave it out")
            raise RouteCommandError(text, option=name, what=what, asked=args.what)
    if args.ms is not None and not args.ai:
        text = tr("--ms says how long an AI thinks about a move: add --ai, or leave it out")
        raise RouteCommandError(text)


def _make(args: argparse.Namespace, output: Output) -> None:
    from coach.backup.settings_file import day_begins
    from coach.days import day_of
    from coach.routes.daily import daily_route
    from coach.routes.setup import route_on

    if len(args.words) not in (0, 2):
        text = tr("expected a formation and a target, such as 442 512, or nothing for a whole game")
        raise RouteCommandError(text)
    n_moves = args.moves or 0
    if not 0 <= n_moves <= MAX_MOVES:
        text = tr("--moves is {n}: expected 0 to {most}", n=n_moves, most=MAX_MOVES)
        raise RouteCommandError(text)
    seed = secrets.randbelow(LARGEST_SEED + 1)
    with _opened(args, "_".join(args.words)) as table:
        if args.what == "today":
            begins = day_begins(folders_of(args).data)
            route = daily_route(day_of(datetime.now(timezone.utc), begins), table)
        elif table:
            route = route_on(table, seed, n_moves, not args.uncorrected)
        else:
            route = Route("", "", seed, n_moves, is_corrected=False)
        _report(route, output)


def _report(route: Route, output: Output) -> None:
    code = code_of(route)
    event = {
        "code": code,
        "table": None if route.is_game else route.table,
        "moves": route.n_moves,
        "corrected": route.is_corrected,
        "spawn4": route.spawn4,
    }
    output.report(event, code, f"  {describe_route(route)}")


def _show(args: argparse.Namespace, route: Route, output: Output) -> None:
    from coach.play.tiles import route_tile
    from coach.routes.setup import start_of

    with _opened(args, "" if route.is_game else route.table, route) as table:
        start = start_of(route, table.formation if table else None)
        walls = bool(table and table.formation.walls)
    values = [1 << route_tile([0], route.seed, k, route.fours)[1] for k in range(_N_SHOWN)]
    _report(route, output)
    output.report({"start": cells_to_text(start), "tiles": values}, "", draw_cells(start, walls))
    output.show("", tr("The first new tiles: {values}…", values=" ".join(map(str, values))))


def _play(args: argparse.Namespace, route: Route, output: Output) -> None:
    from coach.grading.rated import check_exact
    from coach.play.run import Run
    from coach.routes.play import play
    from coach.routes.result import TABLE, line_of, result_of
    from coach.routes.setup import setup_of

    if route.is_game and not args.ai:
        raise RouteCommandError(tr("no table can play a whole game: add --ai"))
    with _opened(args, "" if route.is_game else route.table, route) as table:
        if table:
            check_exact(table)
        route_run = Run(setup_of(route, table), datetime.now(timezone.utc))
        choose = None
        if args.ai:
            chooser = CHOOSERS[key_of(args.ai)].make([folders_of(args).tables], route.spawn4)
            ms = args.ms or ROUTE_MS
            choose = lambda cells: chooser.choose(cells, ms)  # noqa: E731
        play(route_run, table, choose)
    result = result_of(route_run, key_of(args.ai) if args.ai else TABLE)
    output.emit(_figures(route_run, result))
    output.show(draw_cells(route_run.cells, route_run.setup.walls), "", line_of(result))


def _figures(route_run: "Run", result: "RouteResult") -> dict[str, Any]:
    figures: dict[str, Any] = {
        "code": code_of(result.route),
        "who": result.who,
        "moves": result.n_moves,
        "points": result.points,
        "end": result.outcome,
        "board": cells_to_text(route_run.cells),
    }
    if result.route.is_game:
        return figures
    judged = {
        "match_rate": result.match_rate,
        "mistakes": result.n_mistakes,
        "points_lost": result.points_lost,
    }
    return {**figures, **judged}


@contextlib.contextmanager
def _opened(
    args: argparse.Namespace, name: str, route: Route | None = None
) -> "Iterator[Tablebase | None]":
    from tablebase.library.catalog import scan
    from tablebase.library.opening import open_table

    if not name:
        if args.table is not None:
            raise RouteCommandError(tr("a whole game is played without a table: leave out --table"))
        yield None
        return
    folder, folders = args.table, folders_of(args)
    if folder is None:
        there = scan([folders.tables], partial(known_formations, folders))
        infos = [info for info in there if info.state != "partial"]
        fitting = [
            info.path
            for info in infos
            if (route.is_on(info.name, info.spawn4) if route else info.name == name)
        ]
        if not fitting:
            formation, _, target = name.rpartition("_")
            text = mark(
                "no table {name} here: build it with build {formation} {target}, or name its "
                "folder with --table"
            )
            raise MissingTableError(text, name=name, formation=formation, target=target)
        folder = fitting[0]
    with open_table(folder, partial(known_formations, folders)) as table:
        if route and not route.is_on(table.name, table.spawn4):
            raise RouteCommandError(
                "the route is on {wanted}, not on {name}", wanted=route.table, name=table.name
            )
        yield table
