"""``backup``: all of a person's data, in one file."""

import argparse
import time
from datetime import datetime
from typing import TYPE_CHECKING

from engine.platform.cli.arguments import file
from engine.platform.cli.console import DONE, Commands, Output, add_command, folders_of, note
from engine.platform.cli.control import CancelSwitch, add_stdin_control, cancellable
from engine.platform.cli.status_line import StatusLine, Ticker, bar
from engine.platform.files.atomic_file import check_writable
from engine.platform.language import tr, trn
from engine.platform.quantities import bytes_text

if TYPE_CHECKING:
    from coach.backup.archive import Watch


def add_to(commands: Commands) -> None:
    text = tr(
        "Settings, palettes, formations, mistakes, tests, reports, games and minigames. "
        "Tables are only listed, because they are too large. The window may be open meanwhile. "
        "The command restore brings everything back."
    )
    parser = add_command(commands, "backup", run, tr("save everything you made to one file"), text)
    parser.add_argument("file", metavar="FILE", type=file, help=tr("the file to write, a .zip"))
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    from coach.backup.archive import write_backup
    from coach.backup.manifest import tables_there
    from coach.backup.settings_file import folders_with_tables

    output, data_dir = Output(args.json), folders_of(args).data
    check_writable(args.file)
    line = StatusLine()
    with cancellable(args.stdin_control) as switch:
        tables = tables_there(folders_with_tables(data_dir))
        watch = watched(output, switch, line)
        try:
            done = write_backup(data_dir, args.file, datetime.now().astimezone(), tables, watch)
        finally:
            line.clear()
    event = {
        "event": "done",
        "file": str(done.path),
        "files": done.n_files,
        "bytes": done.n_bytes,
        "tables": len(tables),
        "problems": list(done.problems),
    }
    output.emit(event)
    for problem in done.problems:
        note(tr("warning: {problem}", problem=problem))
    text = trn(
        "{path}: {n} file, {size}; tables are not in it",
        "{path}: {n:,} files, {size}; tables are not in it",
        done.n_files,
        path=done.path,
        size=bytes_text(done.n_bytes),
    )
    output.show(text)
    return DONE


def watched(output: Output, switch: CancelSwitch, line: StatusLine) -> "Watch":
    from coach.backup.archive import Watch

    ticker = Ticker(0.2)

    def show(share: float) -> None:
        if not output.is_json:
            line.show("", bar(share))
        elif ticker.is_due("", time.monotonic()):
            output.emit({"event": "progress", "done": round(share, 4)})

    return Watch(show, switch.is_cancelled)
