"""The program's entry point: runs one command, or opens the window if none is given."""

if __name__ == "__main__":
    from engine.platform.first_interrupts import end_at_once

    end_at_once()

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

if __name__ == "__main__":
    from engine.platform.interrupts import end_while_loading

    end_while_loading()

from ai.cli import add_commands as add_ai_commands
from coach.cli import add_commands as add_coach_commands
from endgame2048 import __version__
from engine.platform import language
from engine.platform.cli.chosen_language import chosen_language
from engine.platform.cli.console import (
    CommandParser,
    add_data_dir,
    keep_standard_files,
    run_command,
)
from engine.platform.cli.parser_words import VERSION
from engine.platform.language import tr
from engine.platform.project_files import APP_NAME
from gui.screensaver.switches import plain_arguments
from gui.shell.command import add_window, with_open
from gui.shell.desktop_command import add_desktop
from gui.shell.migrate import add_migrate
from gui.shell.picture_commands import add_picture_commands
from minigames.cli import add_commands as add_minigame_commands
from tablebase.cli import add_commands
from web.cli import add_commands as add_web_commands


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, or open the window if none is given; return the exit status."""
    keep_standard_files()
    # What takes a fifth of the start-up time and is of no use here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy would start threads for matrices
    gc.set_threshold(10_000, 20, 20)  # importing makes many objects, hardly any of them garbage
    words = plain_arguments(sys.argv[1:] if argv is None else argv, sys.argv[0])
    language.use(chosen_language(words, os.environ))
    return run_command(build_parser().parse_args(with_open(words)))


def build_parser() -> CommandParser:
    is_module = Path(sys.argv[0]).name == "__main__.py"
    parser = CommandParser(
        prog=f"python -m {APP_NAME}" if is_module else None,
        description=tr(
            "Perfect-play tablebases for 2048 endgames. Without a command, the window opens."
        ),
        epilog=tr("Each command has its own --help."),
    )
    parser.add_argument(
        "--version", action="version", version=f"{APP_NAME} {__version__}", help=tr(VERSION)
    )
    add_data_dir(parser)
    add_window(parser)
    commands = parser.add_subparsers(title=tr("commands"), metavar=tr("COMMAND"))
    add_commands(commands)
    add_coach_commands(commands)
    add_ai_commands(commands)
    add_minigame_commands(commands)
    add_web_commands(commands)
    add_picture_commands(commands)
    add_migrate(commands)
    add_desktop(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
