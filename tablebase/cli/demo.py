"""``demo``: the whole program without a window, in less than a minute."""

import argparse
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.bitboard import DIRECTIONS, cells, draw_board, format_board
from engine.platform.cli.arguments import seed
from engine.platform.cli.console import Commands, Output, add_command, folders_of
from engine.platform.cli.control import CancelSwitch, cancellable
from engine.platform.cli.text import side_by_side
from engine.platform.language import tr, trn
from engine.platform.quantities import rate_text
from tablebase.cli.probe import direction_name
from tablebase.cli.verify import damage, report_event, report_text, verify_table
from tablebase.library.build_table import build_table, done_event, done_text

if TYPE_CHECKING:
    from engine.spawn import Rng
    from tablebase.probe.reader import Tablebase

PATTERN, TARGET = "442", 128
_SHOW_EVERY = 6


@dataclass(frozen=True)
class DemoTurn:
    """A best move, and its result."""

    number: int
    board: int
    direction: int
    rate: float
    after: int


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "demo",
        run,
        tr(
            "build the table {pattern} -> {target}, verify it and play a game by it, without "
            "a window",
            pattern=PATTERN,
            target=TARGET,
        ),
    )
    parser.add_argument(
        "--seed",
        type=seed,
        default=2048,
        metavar="S",
        help=tr("seed of the game (default: %(default)s)"),
    )


def run(args: argparse.Namespace) -> int:
    output = Output(args.json)
    with cancellable() as switch:
        from engine.spawn import Rng
        from tablebase.probe.reader import Tablebase

        folder = _prepare(folders_of(args).tables, output, switch)
        with Tablebase.open(folder) as table:
            _play(table, args.seed, Rng(args.seed), output)
    return 0


def _prepare(parent: Path, output: Output, switch: CancelSwitch) -> Path:
    from engine.platform.events import to_plain
    from tablebase.errors import TableError
    from tablebase.formation.patterns_file import find_formation, load_formations
    from tablebase.store.manifest import Manifest, load_manifest

    wanted = Manifest(find_formation(PATTERN, load_formations()), TARGET)
    with suppress(TableError):
        manifest = load_manifest(parent / wanted.name)
        if manifest.name == wanted.name:  # it will do, whatever its options are
            wanted = manifest
    output.show(
        tr(
            "The table {pattern} -> {target}: how likely a {target} is, from every board.",
            pattern=PATTERN,
            target=TARGET,
        )
    )
    built = build_table(wanted.formation, TARGET, parent, output, switch, options=wanted.options)
    output.report({**to_plain(done_event(built)), "event": "built"}, done_text(built))
    report = verify_table(built.table, 200, output, switch)
    output.emit({**to_plain(report_event(built.table, report)), "event": "verified"})
    if not report.ok:
        raise damage(built.table, report)
    output.show(report_text(built.table, report))
    return built.table


def _play(table: "Tablebase", seed: int, rng: "Rng", output: Output) -> None:
    start = table.start_board(rng)
    output.emit({"event": "start", "board": format_board(start), "seed": seed})
    output.show("", tr("A game from its start by best moves, seed {seed}:", seed=seed), "")
    last = None
    shown = [(tr("start"), draw_board(start))]
    for turn in turns(table, start, rng):
        output.emit(_event(turn))
        if turn.number % _SHOW_EVERY == 0:
            shown.append((_caption(turn), draw_board(turn.after)))
        last = turn
    is_won = last is not None and has_reached(table, last.after)
    final = last.after if last else start
    if last and last.number % _SHOW_EVERY:
        shown.append((_caption(last), draw_board(final)))
    output.show(side_by_side(shown))
    n_moves = last.number if last else 0
    output.emit({"event": "done", "won": is_won, "moves": n_moves, "final": format_board(final)})
    output.show("")
    if is_won:
        text = trn(
            "{target} reached after {n} move.",
            "{target} reached after {n} moves.",
            n_moves,
            target=TARGET,
        )
    else:
        text = trn(
            "No {target} after {n} move. That can happen.",
            "No {target} after {n} moves. That can happen.",
            n_moves,
            target=TARGET,
        )
    output.show(text)


def turns(table: "Tablebase", board: int, rng: "Rng") -> "Iterator[DemoTurn]":
    from engine.moves import move
    from engine.spawn import spawn

    for number in count(1):
        probe = table.probe(board)
        rate = None if probe.best is None else probe.rates[probe.best]
        if probe.best is None or not rate:
            return
        after = move(board, probe.best, table.formation.walls)
        yield DemoTurn(number, board, probe.best, rate, after)
        if has_reached(table, after):
            return
        board, _, _ = spawn(after, rng, table.spawn4)


def has_reached(table: "Tablebase", after: int) -> bool:
    target = table.target.tile.bit_length() - 1
    pairs = zip(cells(after), cells(table.formation.target_cells), strict=True)
    return any(exponent == target and counts for exponent, counts in pairs)


def _event(turn: DemoTurn) -> dict[str, Any]:
    return {
        "event": "move",
        "number": turn.number,
        "board": format_board(turn.board),
        "direction": DIRECTIONS[turn.direction],
        "rate": turn.rate,
        "after": format_board(turn.after),
    }


def _caption(turn: DemoTurn) -> str:
    return f"{turn.number}: {direction_name(turn.direction)}, {rate_text(turn.rate)}"
