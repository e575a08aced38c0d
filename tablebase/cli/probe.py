"""``probe``: the success rates of boards, one line each, so that programs can ask."""

import argparse
import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from engine.bitboard import DIRECTIONS, format_board, parse_board
from engine.errors import AppError, InvalidBoardError
from tablebase.cli.console import Commands, Output, add_command, folders_of, note
from tablebase.cli.text import digits_text

if TYPE_CHECKING:
    from tablebase.probe.reader import Probe, Tablebase

Answer = dict[str, Any]


def add_to(commands: Commands) -> None:
    """Add ``probe`` to the commands."""
    parser = add_command(
        commands,
        "probe",
        run,
        "look up the four success rates of boards",
        "A board is 16 hex digits, row by row from the top left, each the exponent of a tile, "
        "f for 32768 or a wall. Of several tables the first that can answer does. A rate that "
        "cannot be known from the table, as of a board that never comes up in it, is null and its "
        "move is listed as unknown.",
    )
    parser.add_argument(
        "table",
        metavar="TABLE",
        nargs="+",
        help="a table's folder, or its name such as 442_128; folders on other drives that the "
        f"table does not know of are joined to it by {os.pathsep!r}",
    )
    parser.add_argument(
        "--board",
        metavar="HEX",
        action="append",
        help="a board; may be given again (default: one a line on stdin)",
    )
    parser.add_argument(
        "--after",
        action="store_true",
        help="the boards are after-states, before the new tile: one rate each",
    )


def run(args: argparse.Namespace) -> int:
    """Answer every board; a mistake when none could be answered."""
    output = Output(args.json)
    with ExitStack() as stack:
        tables = open_tables(args, stack)
        answer = _answer_after if args.after else _answer_board
        n_boards, first_error = 0, ""
        n_answered = 0
        for text in _boards(args.board):
            reply = _reply(text, tables, answer)
            n_boards += 1
            n_answered += "error" not in reply
            first_error = first_error or reply.get("error", "")
            output.emit(reply)
            output.say(_line(reply))
    if n_answered:
        return 0
    if not n_boards:
        raise AppError("no board to look up: expected --board HEX, or one board a line on stdin")
    raise AppError(f"no board could be answered: {first_error}")


def open_tables(args: argparse.Namespace, stack: ExitStack) -> "list[Tablebase]":
    """Return the tables of the command line, open until `stack` closes."""
    from tablebase.library.opening import open_table

    folders = folders_of(args)
    tables = []
    for text in args.table:
        table = open_table(folders.find_folders(text))
        stack.callback(table.close)
        if table.warning:
            note(f"warning: {table.warning}")
        tables.append(table)
    return tables


def _boards(given: Sequence[str] | None) -> Iterable[str]:
    if given is not None:
        return given
    if sys.stdin is None:
        return ()
    if sys.stdin.isatty():
        note("one board a line, please; an end-of-file (Ctrl+D, on Windows Ctrl+Z) ends it")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")  # a reply must be good UTF-8 again
    return _lines()


def _lines() -> Iterator[str]:
    for line in sys.stdin:
        if line.strip():
            yield line.rstrip("\r\n")


def _reply(text: str, tables: "Sequence[Tablebase]", answer: Any) -> Answer:
    try:
        board = parse_board(text)
    except InvalidBoardError as error:
        return {"board": text, "error": str(error)}
    errors = []
    for table in tables:
        try:
            return {"board": format_board(board), "table": table.name, **answer(table, board)}
        except AppError as error:
            errors.append(str(error) if len(tables) == 1 else f"{table.name}: {error}")
    return {"board": format_board(board), "error": "; ".join(errors)}


def _answer_board(table: "Tablebase", board: int) -> Answer:
    probe: Probe = table.probe(board)
    answer: Answer = {
        **dict(zip(DIRECTIONS, probe.rates, strict=True)),
        "best": None if probe.best is None else DIRECTIONS[probe.best],
        "masked": format_board(probe.masked),
    }
    if probe.unknown:
        answer["unknown"] = [DIRECTIONS[one] for one in probe.unknown]
    return answer


def _answer_after(table: "Tablebase", board: int) -> Answer:
    rate = table.rate_of(board)
    return {"rate": rate} if rate is not None else {"rate": None, "unknown": True}


def _line(reply: Answer) -> str:
    if "error" in reply:
        return f"{reply['board']}  error: {reply['error']}"
    head = f"{reply['board']}  {reply['table']}"
    if "rate" in reply:
        return f"{head}  {_rate_text(reply['rate'], 'unknown' in reply)}"
    unknown = reply.get("unknown", ())
    rates = "  ".join(f"{name} {_rate_text(reply[name], name in unknown)}" for name in DIRECTIONS)
    masked = f"  masked {reply['masked']}" if reply["masked"] != reply["board"] else ""
    best = reply["best"] or ("unknown" if unknown else "none")
    return f"{head}  {rates}  best {best}{masked}"


def _rate_text(rate: float | None, is_unknown: bool) -> str:
    return "unknown" if is_unknown else digits_text(rate)
