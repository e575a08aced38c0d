"""``excerpt``: the boards of a table that games come to most often, in one small file."""

import argparse
from pathlib import Path

from engine.language import tr, trn
from engine.wording import bytes_text, count_text
from tablebase.cli.console import Commands, Output, add_command, folders_of
from tablebase.cli.control import add_stdin_control, cancellable
from tablebase.cli.options import board_count, file, game_count
from tablebase.cli.progress import StatusLine

GAMES, MOST = 10_000, 1_000_000


def add_to(commands: Commands) -> None:
    """Add ``excerpt`` to the commands."""
    parser = add_command(
        commands,
        "excerpt",
        run,
        tr("write the boards of a table that games come to most often into one small file"),
        tr(
            "Plays many games by the table and keeps the boards they come to most often. The AI "
            "uses an excerpt where the table itself is missing: a few megabytes answer most "
            "questions that gigabytes do."
        ),
    )
    parser.add_argument(
        "table", metavar=tr("TABLE"), help=tr("a table's folder, or its name such as 442_128")
    )
    parser.add_argument(
        "--out", type=file, metavar=tr("FILE"), required=True, help=tr("the file to write")
    )
    parser.add_argument(
        "--games",
        type=game_count,
        default=GAMES,
        metavar="N",
        help=tr("games to play (default: %(default)s)"),
    )
    parser.add_argument(
        "--most",
        type=board_count,
        default=MOST,
        metavar="N",
        help=tr("boards to keep at most (default: %(default)s)"),
    )
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    """Play the games, and write the file."""
    from tablebase.errors import BuildCancelledError
    from tablebase.maintain.make_excerpt import Play, make_excerpt
    from tablebase.probe.excerpt import write_excerpt
    from tablebase.probe.reader import Tablebase
    from tablebase.store.block_cache import BlockCache

    output, line = Output(args.json), StatusLine()
    path = Path(args.out)
    with (
        cancellable(args.stdin_control) as switch,
        Tablebase.open(folders_of(args).find_folders(args.table)) as table,
    ):

        def tell(n_left: int) -> None:
            if switch.is_cancelled():
                raise BuildCancelledError(tr("stopped; nothing was written"))
            if not output.is_json:
                line.show("", trn("{n} layer left", "{n} layers left", n_left))

        table.keep_layers(BlockCache(1 << 30))
        try:
            excerpt = make_excerpt(table, Play(args.games), args.most, tell)
        finally:
            line.clear()
    write_excerpt(path, excerpt)
    n_bytes = path.stat().st_size
    output.emit({"event": "done", "file": str(path), "boards": len(excerpt), "bytes": n_bytes})
    output.say(
        tr(
            "{path}: {boards} boards of {table}, {size}",
            path=path,
            boards=count_text(len(excerpt)),
            table=excerpt.name,
            size=bytes_text(n_bytes),
        )
    )
    return 0
