"""``restore``: replace the current data by a backup, now or when the window next starts."""

import argparse
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.cli.console import DONE, Commands, Output, add_command, folders_of
from engine.platform.cli.control import add_stdin_control, cancellable
from engine.platform.cli.status_line import StatusLine
from engine.platform.errors import AppError
from engine.platform.files.file_lock import FileLock
from engine.platform.language import mark, tr
from engine.platform.quantities import bytes_text
from engine.platform.user_folders import WINDOW_LOCK

if TYPE_CHECKING:
    from coach.backup.opening import Replaced


def add_to(commands: Commands) -> None:
    text = tr(
        "What you have now is backed up first, in the folder backups. If the window is open, "
        "nothing changes until it starts the next time."
    )
    parser = add_command(commands, "restore", run, tr("restore a backup"), text)
    parser.add_argument("file", metavar="FILE", type=Path, help=tr("a backup"))
    parser.add_argument(
        "--dry-run", action="store_true", help=tr("only list what would be replaced")
    )
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    from coach.backup.opening import comparison, read_backup
    from coach.backup.restoring import finish, has_begun, stage
    from coach.cli.backup import watched

    output, data_dir = Output(args.json), folders_of(args).data
    line = StatusLine()
    with cancellable(args.stdin_control) as switch:
        backup = read_backup(args.file)
        rows = comparison(backup, data_dir)
        event = {
            "event": "backup",
            "made": backup.manifest.made,
            "program": backup.manifest.program,
            "kinds": [
                {"kind": row.key, "bytes_here": row.before, "bytes": row.after} for row in rows
            ],
            "tables": [table.name for table in backup.manifest.tables],
        }
        output.report(event, tr("Backup of {made}:", made=backup.manifest.made.replace("T", " ")))
        for row in rows:
            output.show(f"  {row_text(row)}")
        if args.dry_run:
            return DONE
        data_dir.mkdir(parents=True, exist_ok=True)
        lock = FileLock(data_dir / WINDOW_LOCK)
        is_alone = lock.take()
        try:
            if is_alone and has_begun(data_dir):  # one that only waits is replaced
                finish(data_dir, datetime.now())
            stage(backup, data_dir, watched(output, switch, line))
            done = finish(data_dir, datetime.now()) if is_alone else None
        finally:
            line.clear()
            lock.remove()
    if done and done.problem:
        raise AppError("nothing was restored: {problem}", problem=done.problem)
    if done is None:
        output.emit({"event": "done", "restored": False, "when": "at_next_start"})
        output.show(tr("The window is open: the backup will be restored the next time it starts."))
        return DONE
    previous = str(done.previous) if done.previous else None
    output.emit({"event": "done", "restored": True, "previous": previous})
    output.show(tr("Restored. What was here before: {path}", path=previous))
    return DONE


def row_text(row: "Replaced") -> str:
    text = mark("{what}: {before} here, {after} in the backup")
    return tr(text, what=tr(row.title), before=bytes_text(row.before), after=bytes_text(row.after))
