"""Names that stand for something other than a file, as somebody may give them to a program."""

import os
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def make_device(path: Path) -> None:
    """Make a device like /dev/zero, or skip the test where this user may make none."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except (OSError, AttributeError):
        pytest.skip("this user may make no devices")


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # names of sockets are short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


KINDS: dict[str, Callable[[Path], None]] = {
    "device": make_device,
    "pipe": make_pipe,
    "socket": make_socket,
}


@contextmanager
def unchanged(folder: Path) -> Iterator[None]:
    """Check that nothing in a folder is made, removed, replaced or written meanwhile."""
    before = _contents(folder)
    yield
    assert _contents(folder) == before


def _contents(folder: Path) -> dict[str, tuple[int, int, int, str]]:
    found = {}
    for path in folder.rglob("*"):
        seen = path.lstat()
        link = os.readlink(path) if path.is_symlink() else ""
        size = 0 if stat.S_ISDIR(seen.st_mode) else seen.st_size
        found[path.relative_to(folder).as_posix()] = (seen.st_mode, seen.st_ino, size, link)
    return found
