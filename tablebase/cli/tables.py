"""``tables``: lists the tables, finished or not."""

import argparse
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from engine.platform.cli.arguments import directory
from engine.platform.cli.console import Commands, Output, add_command, folders_of, note
from engine.platform.cli.text import columns
from engine.platform.language import listed, mark, tr
from engine.platform.quantities import bytes_text, count_text
from tablebase.errors import MissingTableError
from tablebase.library.limits_text import chain_words, content_words, length_words
from tablebase.library.named_tables import known_formations

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo

_HEADS = (
    mark("table"),
    mark("state"),
    mark("layers"),
    mark("boards"),
    mark("stored"),
    mark("size"),
    "spawn4",
    mark("rate"),
    mark("keeps"),
    mark("folder"),
)
_STATES = {
    "complete": mark("complete"),
    "partial": mark("partial"),
    "damaged": mark("damaged"),
    "away": mark("away"),
    "part": mark("part"),
    "unread": mark("not readable"),
}
_FLUSH = range(2, 7)


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "tables",
        run,
        tr("list the tables you have"),
        tr(
            "State: complete, partial (build resumes it), damaged, away (a drive with some of its "
            "layers is not attached), part (layers of a table whose own folder is not in the "
            "list), not readable (made by another program, in a format that this one can't read)."
        ),
    )
    parser.add_argument(
        "folders",
        metavar=tr("DIR"),
        nargs="*",
        type=directory,
        help=tr("folders that contain tables (default: tables/ in the data folder)"),
    )


def run(args: argparse.Namespace) -> int:
    """Given folders must exist, the default one need not."""
    from tablebase.library.catalog import scan

    output = Output(args.json)
    for folder in args.folders:
        if not folder.is_dir():
            raise MissingTableError(
                "{folder} is not a folder: expected one that contains tables", folder=folder
            )
    folders = folders_of(args)
    own = folders.tables
    tables = scan(args.folders or [own], partial(known_formations, folders))
    for info in tables:
        output.emit(info.to_json())
    if tables:
        output.show(columns([*map(tr, _HEADS)], map(_row, tables), right=_FLUSH))
        for info in tables:
            if info.message:
                output.show(f"{info.name}: {info.message}")
    elif not args.json:
        places = ", ".join(map(str, args.folders or [own]))
        note(tr("no tables in {places}; the command build makes one", places=places))
    return 0


def _row(info: "TableInfo") -> Sequence[str]:
    is_done = info.layers_done == info.layers
    return (
        info.name,
        tr(_STATES.get(info.state, info.state)),
        str(info.layers) if is_done else f"{info.layers_done}/{info.layers}",
        count_text(info.boards),
        count_text(info.stored),
        bytes_text(info.bytes),
        str(info.spawn4),
        info.rate,
        _keeps(info),
        str(info.path.parent),
    )


def _keeps(info: "TableInfo") -> str:
    length, chain = length_words(info.extra_steps), chain_words(info.then)
    return listed([*content_words(info), *length, *chain]) or tr("all")
