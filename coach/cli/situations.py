"""``situations``: list them, show their statistics, export them as lines of text."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING, Any

from coach.cli.line_imports import (
    add_action,
    add_out,
    read_lines,
    report_imported,
    run,
    write_lines,
)
from engine.bitboard import draw_board, format_board
from engine.platform.cli.arguments import file
from engine.platform.cli.console import DONE, Commands, Output, add_command, note
from engine.platform.errors import AppError
from engine.platform.language import mark, tr, trn
from engine.platform.quantities import day_text, points_text

if TYPE_CHECKING:
    from coach.situations.situations import Attempt, Situations, StoredSituation
    from engine.platform.user_folders import UserFolders


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "situations",
        run,
        tr("list, show, import or export positions that you play again and again"),
        tr(
            "You play situations in the window. Here you list them with your results and pass them "
            "on: as text, a situation is one line, without its attempts."
        ),
    )
    actions = parser.add_subparsers(title=tr("actions"), metavar=tr("ACTION"), required=True)
    add = partial(add_action, actions, "situations")
    add("list", _list, tr("print your situations, one per line"))
    show = add("show", _show, tr("show a situation and all attempts at it"))
    show.add_argument(
        "number", metavar=tr("NUMBER"), type=int, help=tr("as 'situations list' prints it")
    )
    export = add("export", _export, tr("print situations as lines of text"))
    text = tr("as 'situations list' prints them (default: all)")
    export.add_argument("numbers", metavar=tr("NUMBER"), type=int, nargs="*", help=text)
    add_out(export)
    imported = add("import", _import, tr("add the situations in a file, checked with your tables"))
    imported.add_argument(
        "file", metavar=tr("FILE"), type=file, help=tr("lines such as 'situations export' prints")
    )


def _list(_args: argparse.Namespace, output: Output, folders: "UserFolders") -> int:
    from coach.situations.text import chance_text, goal_text, interval_text, reached_text

    for entry in _stored(folders):
        statistics = entry.statistics
        result = tr("not played yet")
        if statistics.n:
            text = mark("reached {reached} ({interval})")
            result = tr(text, reached=reached_text(statistics), interval=interval_text(statistics))
        message = tr(
            "{number}. {goal}, {board}: {result}; best play {chance}; {n:,} to play",
            number=entry.number,
            goal=goal_text(entry.situation),
            board=format_board(entry.situation.setup.start),
            result=result,
            chance=chance_text(entry.situation),
            n=entry.n_left,
        )
        output.show(message)
        output.emit(_event(entry))
    return DONE


def _show(args: argparse.Namespace, output: Output, folders: "UserFolders") -> int:
    (entry,) = _numbered(_stored(folders), [args.number])
    output.show(*_lines(entry))
    event = {**_event(entry), "attempts": [_attempt_event(attempt) for attempt in entry.attempts]}
    output.emit(event)
    return DONE


def _export(args: argparse.Namespace, output: Output, folders: "UserFolders") -> int:
    from coach.situations.text_line import to_line, to_text

    entries = _stored(folders)
    chosen = _numbered(entries, args.numbers) if args.numbers else entries
    if args.out:
        write_lines(args.out, to_text(entry.situation for entry in chosen))
        text = trn(
            "{n} situation: {where}",
            "{n:,} situations: {where}",
            len(chosen),
            where=tr("written to {path}", path=args.out),
        )
        output.show(text)
    for entry in chosen:
        if not args.out:
            output.show(to_line(entry.situation))
        output.emit(_event(entry))
    return DONE


def _import(args: argparse.Namespace, output: Output, folders: "UserFolders") -> int:
    from coach.situations import text_line

    imported = read_lines(args.file, tr("a file of situations"), text_line, output, folders)
    if not imported.kept:
        raise AppError("{path} has no situation that can be kept", path=args.file)
    with closing(_open(folders)) as situations:
        n_new, n_known = situations.add(imported.kept, datetime.now(timezone.utc))
    report_imported(n_new, n_known, imported, output)
    return DONE


def _open(folders: "UserFolders") -> "Situations":
    from coach.old_files.opening import open_for_command
    from coach.situations.situations import Situations

    return Situations(open_for_command(folders.data))


def _stored(folders: "UserFolders") -> "list[StoredSituation]":
    from coach.old_files.opening import open_for_command

    if not open_for_command(folders.data).is_there:
        note(tr("there are no situations yet: play one in the window, or import some"))
        return []
    with closing(_open(folders)) as situations:
        return situations.all()


def _numbered(
    entries: "Sequence[StoredSituation]", numbers: Sequence[int]
) -> "list[StoredSituation]":
    by_number = {entry.number: entry for entry in entries}
    for number in numbers:
        if number not in by_number:
            raise AppError(
                "no situation {number}: 'situations list' prints those there are", number=number
            )
    return [by_number[number] for number in numbers]


def _lines(entry: "StoredSituation") -> Iterator[str]:
    from coach.situations.text import (
        chance_text,
        end_text,
        goal_text,
        interval_text,
        lost_text,
        reached_text,
    )
    from coach.situations.text_line import to_line

    setup, statistics = entry.situation.setup, entry.statistics
    yield goal_text(entry.situation)
    yield ""
    yield draw_board(setup.start, setup.walls)
    yield ""
    yield tr("with best play: {chance}", chance=chance_text(entry.situation))
    yield tr("reached: {reached}", reached=reached_text(statistics))
    if interval := interval_text(statistics):
        yield tr("in the long run, likely {interval}", interval=interval)
    if lost := lost_text(statistics):
        yield tr("{points} lost per move on average", points=lost)
    yield tr("to play: {n:,}", n=entry.n_left)
    yield ""
    for number, attempt in enumerate(entry.attempts, 1):
        yield tr(
            "{number:,}. {day}: {end}, {moves}, {lost} lost",
            number=number,
            day=day_text(attempt.started.astimezone().date()),
            end=end_text(attempt),
            moves=trn("{n} move", "{n:,} moves", attempt.n_moves),
            lost=points_text(attempt.points_lost),
        )
    if entry.attempts:
        yield ""
    yield to_line(entry.situation)


def _event(entry: "StoredSituation") -> dict[str, Any]:
    from coach.situations.text_line import to_line

    setup, statistics = entry.situation.setup, entry.statistics
    return {
        "event": "situation",
        "number": entry.number,
        "table": setup.table,
        "target": str(setup.target),
        "spawn4": setup.spawn4,
        "board": format_board(setup.start),
        "chance": entry.situation.chance,
        "exact": entry.situation.is_exact,
        "counted": statistics.n,
        "reached": statistics.n_reached,
        "low": statistics.low,
        "high": statistics.high,
        "lost_per_move": statistics.lost_per_move,
        "to_play": entry.n_left,
        "asked": entry.asked.isoformat(),
        "line": to_line(entry.situation),
    }


def _attempt_event(attempt: "Attempt") -> dict[str, Any]:
    return {
        "started": attempt.started.isoformat(),
        "end": attempt.outcome,
        "moves": attempt.n_moves,
        "points_lost": attempt.points_lost,
        "match_rate": attempt.match_rate,
        "played_ms": attempt.played_ms,
        "seed": attempt.seed,
    }
