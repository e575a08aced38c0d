"""Shared parts of commands on lines of text: actions, tables that check lines, messages."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.platform.cli.arguments import file
from engine.platform.cli.console import Output, add_command, folders_of, note
from engine.platform.files.atomic_file import write_file, writing
from engine.platform.files.input_file import read_text
from engine.platform.language import tr, trn
from engine.spawn import is_same_spawn4

if TYPE_CHECKING:
    from coach.mistakes.checked_by_tables import Checked
    from coach.mistakes.mistake import TableKey
    from engine.platform.user_folders import UserFolders
    from tablebase.probe.reader import Tablebase


def run(args: argparse.Namespace) -> int:
    work: Any = args.work
    return int(work(args, Output(args.json), folders_of(args)))


def add_action(
    actions: Any, command: str, name: str, work: Any, summary: str
) -> argparse.ArgumentParser:
    parser = add_command(actions, name, run, summary)
    parser.set_defaults(command=command, work=work)
    return parser


def add_out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=file, metavar=tr("FILE"), help=tr("write them to FILE, as text")
    )


def write_lines(path: Path, text: str) -> None:
    with writing(path):
        write_file(path, [text.encode("utf-8")], durable=False)


def table_here(key: "TableKey", folders: "UserFolders") -> "Tablebase | None":
    from tablebase.errors import TableError
    from tablebase.library.opening import open_named

    try:
        table = open_named(folders, key.name)
    except TableError:
        return None
    if not is_same_spawn4(table.spawn4, key.spawn4):
        table.close()
        return None
    return table


def read_lines(
    path: Path, what: str, lines: Any, output: Output, folders: "UserFolders"
) -> "Checked[Any]":
    """Return the items in a file, checked by tables; `lines` is the module that reads them."""
    from engine.platform.files.checked_line import MAX_BYTES

    items = lines.read_text(read_text(path, what, MAX_BYTES))
    checked: Checked[Any] = lines.checked(items, lambda key: table_here(key, folders))
    for problem in checked.problems:
        note(tr("warning: {problem}", problem=problem))
        output.emit({"event": "problem", "message": problem})
    return checked


def report_imported(n_new: int, n_known: int, checked: "Checked[Any]", output: Output) -> None:
    event = {
        "event": "done",
        "new": n_new,
        "known": n_known,
        "unchecked": checked.n_unchecked,
        "problems": len(checked.problems),
    }
    output.report(event, tr("{new:,} new, {known:,} already here", new=n_new, known=n_known))
    if checked.n_unchecked:
        text = trn(
            "{n} couldn't be checked: its table isn't here",
            "{n:,} couldn't be checked: their tables aren't here",
            checked.n_unchecked,
        )
        output.show(text)
