"""Shared parts of importing lines of text: the tables that check them, and the messages."""

from functools import partial
from typing import TYPE_CHECKING, Any

from engine.platform.cli.console import Output, note
from engine.platform.language import tr, trn
from tablebase.library.named_tables import known_formations, named_folders

if TYPE_CHECKING:
    from coach.mistakes.checked_by_tables import Checked
    from coach.mistakes.mistake import TableKey
    from engine.platform.user_folders import UserFolders
    from tablebase.probe.reader import Tablebase


def table_here(key: "TableKey", folders: "UserFolders") -> "Tablebase | None":
    from tablebase.errors import TableError
    from tablebase.library.opening import open_table

    try:
        table = open_table(named_folders(folders, key.name), partial(known_formations, folders))
    except TableError:
        return None
    if abs(table.spawn4 - key.spawn4) > 1e-12:
        table.close()
        return None
    return table


def report_problems(checked: "Checked[Any]", output: Output) -> None:
    for problem in checked.problems:
        note(tr("warning: {problem}", problem=problem))
        output.emit({"event": "problem", "message": problem})


def report_imported(n_new: int, n_known: int, checked: "Checked[Any]", output: Output) -> None:
    output.emit(
        {
            "event": "done",
            "new": n_new,
            "known": n_known,
            "unchecked": checked.n_unchecked,
            "problems": len(checked.problems),
        }
    )
    output.show(tr("{new:,} new, {known:,} already here", new=n_new, known=n_known))
    if checked.n_unchecked:
        output.show(
            trn(
                "{n} couldn't be checked: its table isn't here",
                "{n:,} couldn't be checked: their tables aren't here",
                checked.n_unchecked,
            )
        )
