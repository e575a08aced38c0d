"""The command line of the window and of the screen saver. Qt is imported when one is opened."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.platform.cli.arguments import file
from engine.platform.cli.console import folders_of, note
from engine.platform.errors import AppError
from engine.platform.language import mark, tr
from tablebase.library.named_tables import named_folders

_WITH_VALUE = ("--data-dir", "--open", "--preview", "--table")


def add_window(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--table",
        metavar=tr("TABLE"),
        help=tr(
            "the table to practice: a folder, or a name like 442_128; add folders with layers that "
            "it doesn't know about after it, separated by {separator}",
            separator=repr(os.pathsep),
        ),
    )
    parser.add_argument(
        "--open",
        metavar=tr("FILE"),
        type=file,
        help=tr("open a recorded game in Review; FILE without --open does the same"),
    )
    parser.add_argument(
        "--settings", action="store_true", help=tr("open the window on its settings")
    )
    parser.add_argument(
        "--screensaver",
        action="store_true",
        help=tr("play on all screens until a key, a button or the mouse ends it"),
    )
    parser.add_argument(
        "--preview",
        type=_window_number,
        metavar="WID",
        help=tr("with --screensaver: show it in the window of that number instead"),
    )
    parser.set_defaults(run=open_window, command="window")


def with_open(words: Sequence[str]) -> list[str]:
    """Return the arguments with ``--open`` before a file in place of a command.

    The desktop passes a file this way when the user opens it. Commands have no dots or slashes.

    >>> with_open(["--data-dir", "d.d", "game.rpl"])
    ['--data-dir', 'd.d', '--open', 'game.rpl']
    >>> with_open(["analyze", "game.rpl"])
    ['analyze', 'game.rpl']
    """
    first = 0
    while first < len(words) and words[first].startswith("-"):
        first += 2 if words[first] in _WITH_VALUE else 1
    named = words[first : first + 1]
    is_file = any(Path(word).name != word or "." in word for word in named)
    return [*words[:first], *(["--open"] if is_file else []), *words[first:]]


def open_window(args: argparse.Namespace) -> int:
    if args.preview is not None and not args.screensaver:
        raise AppError(tr("--preview shows the screen saver: add --screensaver"))
    if lacks_display():
        raise AppError(tr("there is no display for the window: try the command demo, or --help"))
    try:
        return _show_screensaver(args) if args.screensaver else _show_window(args)
    except ImportError as error:
        if "PySide6" in str(error) or ".so" in str(error):
            text = tr("the window needs something that this system lacks: {error}", error=error)
            raise AppError(text) from error
        raise


def lacks_display() -> bool:
    displays = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform.startswith("linux") and not any(map(os.environ.get, displays))


def _show_screensaver(args: argparse.Namespace) -> int:
    from gui.screensaver.show import run

    return run(folders_of(args).data, args.preview)


def _show_window(args: argparse.Namespace) -> int:
    """Open the window, or have the one that owns the data folder show the request."""
    from gui.shell.single_window import OpenRequest, SingleWindow
    from gui.widgets.application import application, ui_scale

    folders = folders_of(args)
    request = OpenRequest(page="Settings" if args.settings else "")  # no text
    if args.table and not args.settings:
        table, *parts = named_folders(folders, args.table)
        request = OpenRequest(table, tuple(parts))
    if args.open:
        if not os.path.isfile(args.open):
            raise AppError("there is no file {path}", path=args.open)
        request = OpenRequest(file=args.open)
    with ui_scale(folders.data / "settings.json"):
        application()
    instance = SingleWindow(folders.data)
    if not instance.claim(request):
        note(tr("the window that has {folder} open shows it", folder=folders.data))
        return 0
    try:
        from gui.shell.app import run

        return run(folders.data, request, instance)
    finally:
        instance.release()


def _window_number(text: str) -> int:
    try:
        number = int(text, 0)
    except ValueError:
        number = 0
    if number <= 0:
        expected = mark("{text} is not a window: expected its number, like 1234 or 0x4d2")
        raise argparse.ArgumentTypeError(tr(expected, text=repr(text)))
    return number
