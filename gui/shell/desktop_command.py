"""The command ``desktop``: adds the program to the desktop if pip installed it."""

import argparse
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from engine.platform.cli.console import Commands, Output, add_command
from engine.platform.errors import AppError
from engine.platform.files.atomic_file import write_file, writing
from engine.platform.language import mark, tr
from engine.platform.project_files import own_command

_ELSEWHERE = {
    "win32": mark(
        "desktop is for Linux: on Windows, make a link to the program, or install its package"
    ),
    "darwin": mark(
        "desktop is for Linux: on macOS, move the application of the package to Applications"
    ),
}
_CACHES = (
    ("update-mime-database", "mime", ()),  # no text
    ("update-desktop-database", "applications", ("-q",)),  # no text
    ("gtk-update-icon-cache", "icons/hicolor", ("-q", "-t", "-f")),  # no text
)


def add_desktop(commands: Commands) -> None:
    parser = add_command(
        commands,
        "desktop",
        _run,
        tr("add the program to the desktop's menu, or remove it (Linux)"),
        tr("Recorded games (.rpl, .rec, .vrs) then open with it."),
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--install",
        action="store_true",
        help=tr(
            "add its menu entry, icons and file types; run this again after the program has moved"
        ),
    )
    what.add_argument("--remove", action="store_true", help=tr("remove all of these"))


def _run(args: argparse.Namespace) -> int:
    if text := _ELSEWHERE.get(sys.platform):
        raise AppError(tr(text))
    share = _share()
    output = Output(args.json)
    if args.install:
        install(share)
        output.show(tr("the program is in the desktop's menu now: see {folder}", folder=share))
    else:
        n_files = remove(share)
        none = tr("the program was not in the desktop's menu")
        output.show(tr("the program is no longer in the desktop's menu") if n_files else none)
    output.emit({"event": "installed" if args.install else "removed", "folder": str(share)})
    return 0


def install(share: Path) -> None:
    """Write all files of the desktop into a folder ``share``, its entry last; raise WriteError."""
    from gui.shell.desktop_files import desktop_files

    for name, content in desktop_files(own_command()).items():
        path = share / name
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, [content])
    _refresh_caches(share)


def remove(share: Path) -> int:
    """Delete the files of `install`, and then empty folders; return the number of files."""
    from gui.shell.desktop_files import desktop_paths

    paths = [share / name for name in reversed(desktop_paths()) if (share / name).is_file()]
    for path in paths:
        with writing(path):
            path.unlink()
    if paths:
        _refresh_caches(share)
    for path in paths:
        for folder in list(path.relative_to(share).parents)[:-1]:
            with suppress(OSError):  # others have files there
                (share / folder).rmdir()
    return len(paths)


def _share() -> Path:
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    return named if named.is_absolute() else Path.home() / ".local" / "share"


def _refresh_caches(share: Path) -> None:
    """Have the desktop reread the folder, if it has programs for that."""
    for program, folder, options in _CACHES:
        if (share / folder).is_dir() and (path := shutil.which(program)):
            with suppress(OSError, subprocess.TimeoutExpired):
                command, none = [path, *options, str(share / folder)], subprocess.DEVNULL
                subprocess.run(
                    command, stdin=none, stdout=none, stderr=none, timeout=60, check=False
                )
