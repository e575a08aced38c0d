"""``probe``: the success rates of boards, one line each, so that programs can ask."""

import argparse
import io
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from engine.bitboard import DIRECTIONS
from engine.platform.cli.console import Commands, Output, add_command, folders_of, note
from engine.platform.errors import AppError
from engine.platform.language import listed, mark, tr
from engine.platform.quantities import as_good_within, bound_figure, rate_text, rate_texts
from tablebase.library.arguments import add_table
from tablebase.library.limits_text import CHAINED, CUT_OFF

if TYPE_CHECKING:
    from tablebase.probe.answers import Answer, Slack
    from tablebase.probe.reader import Tablebase

_DIRECTIONS = (mark("left"), mark("right"), mark("up"), mark("down"))


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "probe",
        run,
        tr("look up the four success rates of boards"),
        tr(
            "A board is 16 hex digits, row by row from the top left, each the exponent of a tile, "
            "f for 32768 or a wall. Of several tables, the first that covers the board answers. A "
            "rate that the table can't know, such as that of a board that it leaves out, is "
            "null, and its move is listed as unknown. The rates of a table with limits are lower "
            'bounds: ">=" goes before them, and "at_least" in JSON is true. If boards are left in '
            "the last layers of a table, which count as lost, a note says so once, and with rates "
            'below 1, "cut_off" in JSON is true.'
        ),
    )
    add_table(parser, "+")
    parser.add_argument(
        "--board",
        metavar="HEX",
        action="append",
        help=tr("a board; may be repeated (default: one per line on stdin)"),
    )
    parser.add_argument(
        "--after",
        action="store_true",
        help=tr("the boards are after-states, before the new tile: one rate each"),
    )


def run(args: argparse.Namespace) -> int:
    from tablebase.probe.answers import look_up

    output = Output(args.json)
    with ExitStack() as stack:
        tables = open_tables(args, stack)
        n_boards, first_error = 0, ""
        n_answered = 0
        for text in _boards(args.board):
            reply, slack = look_up(text, tables, args.after)
            n_boards += 1
            n_answered += "error" not in reply
            first_error = first_error or reply.get("error", "")
            output.report(reply, _line(reply, slack))
    if n_answered:
        return 0
    if not n_boards:
        raise AppError(
            tr("no board to look up: expected --board HEX, or one board a line on stdin")
        )
    raise AppError("no board could be looked up: {why}", why=first_error)


def open_tables(args: argparse.Namespace, stack: ExitStack) -> "list[Tablebase]":
    from tablebase.library.opening import open_named

    folders = folders_of(args)
    tables = []
    for text in args.table:
        table = open_named(folders, text)
        stack.callback(table.close)
        if table.warning:
            note(tr("warning: {text}", text=table.warning))
        if table.is_cut_off and not args.json:
            note(f"{table.name}: {tr(CUT_OFF)}")
        if table.next_table and not args.json:
            note(f"{table.name}: {tr(CHAINED, table=table.next_table)}")
        tables.append(table)
    return tables


def _boards(given: Sequence[str] | None) -> Iterable[str]:
    if given is not None:
        return given
    if sys.stdin is None:
        return ()
    if sys.stdin.isatty():
        note(tr("one board a line, please; an end-of-file (Ctrl+D, on Windows Ctrl+Z) ends it"))
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")  # a reply must be valid UTF-8 again
    return (line.rstrip("\r\n") for line in sys.stdin if line.strip())


def direction_name(direction: int) -> str:
    return tr(_DIRECTIONS[direction])


def _marked(figure: str, reply: "Answer") -> str:
    return bound_figure(figure) if "at_least" in reply else figure


def _line(reply: "Answer", slack: "Slack") -> str:
    if "error" in reply:
        return tr("{board}  error: {why}", board=reply["board"], why=reply["error"])
    head = f"{reply['board']}  {reply['table']}"
    if "rate" in reply:
        rate = reply["rate"]
        return f"{head}  {tr('unknown') if rate is None else _marked(rate_text(rate), reply)}"
    unknown, four = reply.get("unknown", ()), [reply[name] for name in DIRECTIONS]
    best_rate = max([rate for rate in four if rate is not None], default=0.0)
    within = max(slack(best_rate), as_good_within(best_rate))
    names = dict(zip(DIRECTIONS, map(direction_name, range(4)), strict=True))
    figures = zip(DIRECTIONS, rate_texts(four, within), strict=True)
    rates = "  ".join(
        f"{names[name]} {_marked(figure, reply) or (tr('unknown') if name in unknown else '-')}"
        for name, figure in figures
    )
    best = names[reply["best"]] if reply["best"] else tr("unknown") if unknown else tr("none")
    if reply["best"] and best_rate > 0:  # all moves that are equal to it
        least = best_rate - within
        pairs = zip(DIRECTIONS, four, strict=True)
        best = listed(names[name] for name, rate in pairs if rate and rate >= least)
    text = tr("{head}  {rates}  best {moves}", head=head, rates=rates, moves=best)
    if reply["masked"] == reply["board"]:
        return text
    return tr("{line}  masked {board}", line=text, board=reply["masked"])
