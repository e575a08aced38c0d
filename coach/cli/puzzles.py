"""``puzzles``: find them in a table, list and import them, and show the daily puzzle."""

import argparse
from contextlib import closing
from datetime import date, datetime, timezone
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from coach.cli.line_imports import (
    add_action,
    add_out,
    read_lines,
    report_imported,
    run,
    write_lines,
)
from engine.bitboard import DIRECTIONS, draw_board, format_board
from engine.platform.cli.arguments import file, sample_size, seed
from engine.platform.cli.console import CANCELLED, DONE, Commands, Output, add_command, note
from engine.platform.cli.control import add_stdin_control, cancellable
from engine.platform.errors import AppError
from engine.platform.files.atomic_file import check_writable
from engine.platform.language import tr, trn

if TYPE_CHECKING:
    from coach.puzzles.puzzle import Puzzle
    from coach.puzzles.puzzles import Puzzles
    from engine.platform.user_folders import UserFolders

_DEFAULT_COUNT = 50


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "puzzles",
        run,
        tr("find, list or import positions where the natural move is wrong"),
        tr(
            "A puzzle has one right move: each of the others is a mistake or worse, and the move "
            "that looks natural is one of them. As text, a puzzle is one line."
        ),
    )
    actions = parser.add_subparsers(title=tr("actions"), metavar=tr("ACTION"), required=True)
    add = partial(add_action, actions, "puzzles")
    _add_find(add)
    _add_daily(add)
    add_out(add("list", _list, tr("print your puzzles, one per line")))
    imported = add("import", _import, tr("add the puzzles in a file that your tables confirm"))
    imported.add_argument(
        "file", metavar=tr("FILE"), type=file, help=tr("lines such as 'puzzles list' prints")
    )


def _add_find(add: Any) -> None:
    parser = add("find", _find, tr("find puzzles in games that a table plays by itself"))
    _add_table(parser)
    text = tr("how many to look for (default: %(default)s)")
    parser.add_argument("--count", type=sample_size, default=_DEFAULT_COUNT, metavar="N", help=text)
    text = tr("the same seed finds the same puzzles (default: new ones)")
    parser.add_argument("--seed", type=seed, metavar="S", help=text)
    add_out(parser)
    add_stdin_control(parser)


def _add_daily(add: Any) -> None:
    parser = add(
        "daily", _daily, tr("the puzzle of the day: the same for everyone who has that table")
    )
    _add_table(parser)
    text = tr("year-month-day, such as 2026-11-23 (default: today)")
    parser.add_argument("--date", type=_date, metavar=tr("DATE"), help=text)


def _add_table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "table", metavar=tr("TABLE"), help=tr("a table's folder, or its name such as 442_128")
    )


def _find(args: argparse.Namespace, output: Output, folders: "UserFolders") -> int:
    if args.out:
        check_writable(args.out)
    with cancellable(args.stdin_control) as switch:
        from coach.mistakes.mistake import TableKey
        from coach.puzzles.finder import find_puzzles
        from coach.puzzles.puzzles import FROM_TABLE
        from coach.puzzles.text_line import to_text
        from tablebase.library.opening import open_named

        with open_named(folders, args.table) as table:
            search = find_puzzles(table, args.seed or 0, lambda _: not switch.is_cancelled())
            known = set()
            if not args.out and args.seed is None:
                with closing(_open_puzzles(folders)) as puzzles:
                    known = puzzles.boards(TableKey(table.name, table.spawn4))
            new = (puzzle for puzzle in search if puzzle.board not in known)
            puzzles_found = []
            for puzzle in islice(new, args.count):
                output.emit({"event": "puzzle", **_event(puzzle)})
                puzzles_found.append(puzzle)
    where = ""
    if args.out:
        write_lines(args.out, to_text(puzzles_found))
        where = tr("written to {path}", path=args.out)
    else:
        with closing(_open_puzzles(folders)) as puzzles:
            added = puzzles.add(puzzles_found, FROM_TABLE, _now())
        where = tr("{new:,} new, {known:,} already here", new=added.n_new, known=added.n_known)
        output.emit({"event": "kept", "new": added.n_new, "known": added.n_known})
    text = trn("{n} puzzle: {where}", "{n:,} puzzles: {where}", len(puzzles_found), where=where)
    output.show(text)
    event = {"event": "done", "puzzles": len(puzzles_found), "cancelled": switch.is_cancelled()}
    output.emit(event)
    if not switch.is_cancelled():
        return DONE
    note(tr("canceled: what was found is kept"))
    return CANCELLED


def _daily(args: argparse.Namespace, output: Output, folders: "UserFolders") -> int:
    from coach.backup.settings_file import day_begins
    from coach.days import day_of
    from coach.puzzles.finder import daily_puzzle
    from tablebase.library.opening import open_named

    day: date = args.date or day_of(_now(), day_begins(folders.data))
    with open_named(folders, args.table) as table:
        puzzle = daily_puzzle(table, day)
    if puzzle is None:
        raise AppError("no puzzle found in games of {table}", table=args.table)
    with closing(_open_puzzles(folders)) as puzzles:
        puzzles.keep_daily(day, puzzle, _now())
    output.emit({"event": "puzzle", "date": day.isoformat(), **_event(puzzle)})
    output.show(draw_board(puzzle.board, puzzle.walls))
    from coach.puzzles.text_line import to_line

    output.show(to_line(puzzle))
    return DONE


def _list(args: argparse.Namespace, output: Output, folders: "UserFolders") -> int:
    from coach.puzzles.text_line import to_line, to_text

    with closing(_open_puzzles(folders)) as puzzles:
        stored = list(puzzles.get(puzzles.ids()).values())
    if args.out:
        puzzles_text = to_text(entry.puzzle for entry in stored)
        write_lines(args.out, puzzles_text)
        text = trn("{n} puzzle: {where}", "{n:,} puzzles: {where}", len(stored), where=args.out)
        output.show(text)
    for entry in stored:
        if not args.out:
            output.show(to_line(entry.puzzle))
        rating = entry.rating
        event = {
            "event": "puzzle",
            **_event(entry.puzzle),
            "rating": round(rating.value),
            "deviation": round(rating.deviation),
            "origin": entry.origin,
            "right": entry.n_right,
            "wrong": entry.n_wrong,
        }
        output.emit(event)
    return DONE


def _import(args: argparse.Namespace, output: Output, folders: "UserFolders") -> int:
    from coach.puzzles import text_line
    from coach.puzzles.puzzles import FROM_TEXT

    imported = read_lines(args.file, tr("a file of puzzles"), text_line, output, folders)
    if not imported.kept:
        raise AppError("{path} has no puzzle that can be kept", path=args.file)
    with closing(_open_puzzles(folders)) as puzzles:
        added = puzzles.add(imported.kept, FROM_TEXT, _now())
    report_imported(added.n_new, added.n_known, imported, output)
    return DONE


def _event(puzzle: "Puzzle") -> dict[str, Any]:
    from coach.puzzles.rating import first_rating
    from coach.puzzles.text_line import to_line

    return {
        "table": puzzle.key.name,
        "spawn4": puzzle.key.spawn4,
        "board": format_board(puzzle.board),
        "rates": dict(zip(DIRECTIONS, puzzle.rates, strict=True)),
        "best": DIRECTIONS[puzzle.best],
        "natural": DIRECTIONS[puzzle.natural],
        "gap": puzzle.gap,
        "rating": round(first_rating(puzzle).value),
        "line": to_line(puzzle),
    }


def _open_puzzles(folders: "UserFolders") -> "Puzzles":
    from coach.old_files.opening import open_for_command
    from coach.puzzles.puzzles import Puzzles

    return Puzzles(open_for_command(folders.data))


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        message = tr("{text!r}: expected a date such as 2026-11-23", text=text)
        raise argparse.ArgumentTypeError(message) from None


def _now() -> datetime:
    return datetime.now(timezone.utc)
