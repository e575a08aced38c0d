"""``play``: any number of games without a window, and their statistics."""

import argparse
import sys
import time
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai.baselines.ladder import LADDER, ladder_text, measured_text
from ai.cli import build_set
from ai.errors import PlayError
from ai.match.match import PLAYERS, Match
from ai.standings import by_strength, cells_of, heads
from ai.thinking_time import MATCH_MS
from engine.platform.cli.arguments import (
    ArgumentRefusedError,
    check_apart,
    count,
    file,
    milliseconds,
)
from engine.platform.cli.console import DONE, Commands, Output, add_command, folders_of, note
from engine.platform.cli.text import columns
from engine.platform.errors import AppError
from engine.platform.files.input_file import read_lines
from engine.platform.language import mark, tr
from engine.platform.quantities import clauses
from tablebase.cluster.connection import connected
from tablebase.library.arguments import add_cluster, add_option, check_table_folders
from tablebase.library.named_tables import named_folder

if TYPE_CHECKING:
    from ai.game_result import GameResult

_MAX_BYTES = 64 << 20  # bytes of a script: millions of lines
_seed = count((1 << 63) - 1, mark("{text!r}: expected a whole number from 0 on"), least=0)


def add_to(commands: Commands) -> None:
    text = tr(
        "The same seed gives every AI the same new tiles. With --csv every finished game is "
        "kept, and the command resumes where it stopped."
    )
    parser = add_command(commands, "play", run, tr("let an AI play games without a window"), text)
    in_file = tr("FILE")
    text = clauses(f"{name}: {tr(about)}" for name, about in PLAYERS.items())
    parser.add_argument("--player", choices=PLAYERS, default="main", help=text)
    text = tr("list the AIs with their published scores and those we measured")
    parser.add_argument("--list-players", action="store_true", help=text)
    parser.add_argument(
        "--games", type=count(10_000_000), default=1, metavar="N", help=tr("how many (default: 1)")
    )
    text = tr("seed of the first game; the next one has S + 1, and so on (default: 1)")
    parser.add_argument("--seed", type=_seed, default=1, metavar="S", help=text)
    budget = parser.add_mutually_exclusive_group()
    text = tr("CPU milliseconds a move, on average (default: {ms:g})", ms=MATCH_MS)
    budget.add_argument("--ms", type=milliseconds(0.001, 1e7), metavar="T", help=text)
    text = tr(
        "how many positions to search for each move instead: the same seed then gives the same game"
    )
    budget.add_argument("--nodes", type=count(10**12), metavar="N", help=text)
    text = tr("games at a time (default: 1)")
    parser.add_argument("--jobs", type=count(256), default=1, metavar="J", help=text)
    add_cluster(parser)
    parser.add_argument(
        "--start", type=_board, metavar="HEX", help=tr("a board to start from instead of two tiles")
    )
    add_option(parser, "spawn4")
    text = tr("another evaluation: a .json, or a .net as train export writes it")
    parser.add_argument("--weights", type=file, metavar=in_file, help=text)
    tables = parser.add_mutually_exclusive_group()
    text = tr("folders with tables to use, or tables (default: the tables in the data folder)")
    tables.add_argument("--tables", nargs="+", metavar=tr("DIR"), help=text)
    tables.add_argument("--no-tables", action="store_true", help=tr("search decides all moves"))
    build_set.add_options(parser, tables)
    parser.add_argument("--csv", type=file, metavar=in_file, help=tr("keep the games in FILE"))
    text = tr(
        "write what each move cost to FILE: moves evaluated, cache hits, milliseconds (not "
        "for main; one job)"
    )
    parser.add_argument("--moves-csv", type=file, metavar=in_file, help=text)
    text = tr("course: boards of any size, one undo, games played by a script (default: standard)")
    parser.add_argument("--rules", choices=("standard", "course"), default="standard", help=text)
    text = tr(
        "with --rules course: the commands, one per line ('new ROWS COLUMNS SEED' first, then "
        "left, right, up, down, undo, show); - reads them from stdin"
    )
    parser.add_argument("--script", type=file, metavar=in_file, help=text)


def run(args: argparse.Namespace) -> int:
    if args.list_players:
        return _list_players(Output(args.json))
    if args.rules == "course":
        return _play_script(args)
    if args.script:
        raise PlayError(tr("--script plays by --rules course alone: add that, or leave it out"))
    from ai.match.match import play_all, play_over
    from ai.match.results_file import ResultsFile, move_log, row_of

    output = Output(args.json)
    if args.disk and not args.build_tables:
        raise PlayError(tr("--disk says how much to build: add --build-tables, or leave it out"))
    if args.build_tables:
        if args.player in LADDER:
            text = tr("{name} doesn't use tables: leave --build-tables out", name=args.player)
            raise PlayError(text)
        build_set.build_set(args, output)
    match = _match_of(args)
    seeds = range(args.seed, args.seed + args.games)
    results = ResultsFile(args.csv, match) if args.csv else None
    done = dict(results.rows) if results else {}
    waiting = [seed for seed in seeds if seed not in done]
    finished = [done[seed] for seed in seeds if seed in done]
    if finished:
        text = mark("{n} of {all} games are in {path} already")
        note(tr(text, n=len(finished), all=args.games, path=args.csv))
    for row in finished:
        output.emit(_event(row))
    progress = _Progress(len(waiting))
    with ExitStack() as stack:
        if args.cluster:
            games = play_over(stack.enter_context(connected(args.cluster)), match, waiting)
        else:
            on_move = stack.enter_context(move_log(args.moves_csv, done))
            games = play_all(match, waiting, args.jobs, on_move)
        for game in games:
            row = row_of(match, game)
            if results:
                row = results.add(row)
            finished.append(row)
            output.emit(_event(row))
            progress.report(game)
    if not output.is_json:
        from ai.match.report import report

        title = match.player
        if match.player not in LADDER:
            text = mark("{name}, {budget} a move")
            title = tr(text, name=match.player, budget=match.budget_text)
        output.show(report(finished, title))
        sys.stdout.flush()
    return DONE


def _list_players(output: Output) -> int:
    own = "main"
    output.show(columns(heads(), map(cells_of, by_strength()), right=(2, 3, 4)), "")
    output.show(tr("AIs by name:"), f"{own}: {tr(PLAYERS[own])}")
    output.show(ladder_text())
    for name, about in PLAYERS.items():
        figures = {}
        if name in LADDER:
            figures = {"reported": LADDER[name].reported, "measured": measured_text(name)}
        output.emit({"player": name, "about": about, **figures})
    for standing in by_strength() if output.is_json else ():
        output.emit({"standing": standing.title, **asdict(standing)})
    return DONE


def _match_of(args: argparse.Namespace) -> Match:
    if args.cluster and (args.jobs > 1 or args.moves_csv):
        text = tr("a cluster plays a game on each processor: leave --jobs and --moves-csv out")
        raise PlayError(text)
    ms = None if args.nodes else args.ms or MATCH_MS
    if args.player in LADDER:
        if args.nodes or args.ms:
            raise PlayError("{name} has no --ms or --nodes: leave them out", name=args.player)
        ms = None
    if args.moves_csv and (args.player not in LADDER or args.jobs > 1):
        raise PlayError(tr("--moves-csv works with one job and any AI but main"))
    check_apart(weights=args.weights, csv=args.csv, moves_csv=args.moves_csv)
    if args.tables and args.player in LADDER:
        raise PlayError("{name} doesn't use tables: leave --tables out", name=args.player)
    folders, names = _tables_of(args) if args.player not in LADDER else ((), ())
    return Match(args.player, ms, args.nodes, args.start, args.spawn4, args.weights, folders, names)


def _tables_of(args: argparse.Namespace) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    if args.no_tables:
        return (), ()
    folders = folders_of(args)
    places = tuple(named_folder(folders, text) for text in args.tables or ()) or (folders.tables,)
    if args.tables:
        check_table_folders(places)
    from ai.dispatch.open_tables import OpenTables

    open_tables = OpenTables(places, args.spawn4)
    names = tuple(table.name for table in open_tables.tables())
    open_tables.close()
    for warning in open_tables.warnings:
        note(tr("warning: {problem}", problem=warning))
    if args.tables and not names:
        note(tr("warning: no table that can be used is there yet: search decides all moves"))
    return places, names


def _event(row: dict[str, str]) -> dict[str, Any]:
    from ai.match.results_file import source_ms_of, sources_of

    return {
        "seed": int(row["seed"]),
        "score": int(row["score"]),
        "max_tile": int(row["max_tile"]),
        "moves": int(row["moves"]),
        "final": row["final"],
        "ms_per_move": float(row["ms_per_move"]),
        "sources": sources_of(row),
        "source_ms": source_ms_of(row),
    }


class _Progress:
    """One line on stderr for each finished game."""

    def __init__(self, n_games: int) -> None:
        self._n_games, self._n_done, self._points = n_games, 0, 0
        self._began = time.monotonic()

    def report(self, game: "GameResult") -> None:
        self._n_done += 1
        self._points += game.score
        elapsed_s = time.monotonic() - self._began
        left_s = elapsed_s / self._n_done * (self._n_games - self._n_done)
        text = tr(
            "game {n} of {all}: seed {seed}, score {score:,}, largest tile {tile}, "
            "{moves:,} moves; mean so far {mean:,.0f}; about {minutes:.0f} min left",
            n=self._n_done,
            all=self._n_games,
            seed=game.seed,
            score=game.score,
            tile=1 << game.max_exponent,
            moves=game.moves,
            mean=self._points / self._n_done,
            minutes=left_s / 60,
        )
        note(text)


def _board(text: str) -> tuple[int, ...]:
    from engine.formats.board_text import read_board

    try:
        board = read_board(text).cells
    except AppError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if not any(board):
        raise ArgumentRefusedError("the board is empty: expected one with a tile")
    return board


def _play_script(args: argparse.Namespace) -> int:
    from engine.course_script import play_script, read_script

    if args.script is None:
        raise PlayError(tr("--rules course plays a script: name one with --script FILE"))
    output = Output(args.json)
    lines = read_lines(args.script, tr("a script"), _MAX_BYTES, PlayError)
    for answer in play_script(read_script(lines)):
        event = {
            "line": answer.command.line,
            "command": answer.command.name,
            "changed": answer.is_changed,
            "step": answer.n_steps,
            "score": answer.score,
            "state": answer.state,
            "board": answer.rows,
        }
        output.report(event, answer.text)
    return DONE
