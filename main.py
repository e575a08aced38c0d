"""The program's door: runs one command, or opens the window when none is named."""

import argparse
import os
import sys
from collections.abc import Sequence

from ai.cli import add_commands as add_ai_commands
from engine.errors import AppError
from tablebase.cli import add_commands
from tablebase.cli.console import CommandParser, add_data_dir, folders_of, run_command


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, or open the window when none is named; return the exit status."""
    return run_command(build_parser().parse_args(argv))


def build_parser() -> CommandParser:
    """Return the parser of the whole command line."""
    parser = CommandParser(
        description="Perfect-play tablebases for 2048 endgames. Without a command: the window.",
        epilog="Each command has its own --help.",
    )
    add_data_dir(parser)
    parser.add_argument(
        "--table",
        metavar="TABLE",
        help="the table to practise: a folder, or a name like 442_128; folders with layers that it "
        f"does not know of are joined to it by {os.pathsep!r}",
    )
    parser.set_defaults(run=open_window, command="window")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    add_commands(commands)
    add_ai_commands(commands)
    return parser


def open_window(args: argparse.Namespace) -> int:
    """Open the window; return the exit status when it is closed."""
    if _lacks_display():
        raise AppError("there is no display for the window: try the command demo, or --help")
    try:
        from gui.app import run
    except ImportError as error:
        if "PySide6" in str(error) or ".so" in str(error):
            raise AppError(f"the window needs what this system lacks: {error}") from error
        raise
    folders = folders_of(args)
    if not args.table:
        return run(folders.data)
    table, *parts = folders.find_folders(args.table)
    return run(folders.data, table, parts)


def _lacks_display() -> bool:
    displays = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform.startswith("linux") and not any(map(os.environ.get, displays))


if __name__ == "__main__":
    sys.exit(main())
