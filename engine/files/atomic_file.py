"""Files that are there whole or not at all, and patience with whoever else has them open.

A file is written under a name of its own, ``settings.json.3f9c0a71d2e4.part``, which no other
writer shares, and takes its place in one step. A process that is killed leaves such a file behind.
Whoever owns a folder deletes them there (`remove_parts`); elsewhere the next durable write of the
same file deletes those that are an hour older than itself.

Windows renames and deletes no file that anybody has open, and an indexer or a virus scanner opens
each new one for a moment. So what fails for that reason is tried again for a little over a second.
"""

import errno
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from engine.errors import DriveFullError, WriteError
from engine.language import tr

T = TypeVar("T")
Sleep = Callable[[float], object]

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
# Access denied, sharing violation, lock violation, folder not empty (its files go when closed).
_IN_USE = (5, 32, 33, 145)
_PAUSES_S = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64)
_LONGEST_STEM = 40  # characters of the name that a part's name begins with: four bytes at most each
_PART = re.compile(r"\.[0-9a-f]{12}\.part")
_LEFT_S = 3600.0  # nobody writes one file for so long
_LONGEST_WINDOWS_PATH = 259


def write_file(
    path: Path,
    pieces: Iterable[bytes | memoryview],
    *,
    durable: bool = True,
    sleep: Sleep = time.sleep,
) -> int:
    """Write a file so that a crash leaves the old one or the new one, never half.

    Parameters
    ----------
    path : Path
        Where, in a folder that exists.
    pieces : iterable of bytes
        Written one after the other.
    durable : bool
        Whether to wait until the drive holds it, so that a power cut cannot take it away again.
    sleep : callable
        Waits for some seconds; see `patiently`.

    Returns
    -------
    int
        Bytes written.

    Raises
    ------
    OSError
        It could not be written: an older file stays as it was, and nothing is left of the new one.
    """
    size = 0
    with replacing(path, durable=durable, sleep=sleep) as part, part.open("xb") as file:
        for piece in pieces:
            size += file.write(piece)  # buffered: goes on after a short write
    return size


@contextmanager
def replacing(path: Path, *, durable: bool = True, sleep: Sleep = time.sleep) -> Iterator[Path]:
    """Give a path to write to; that file takes the place of `path` at the end.

    On an error it is deleted. Parameters and errors are those of `write_file`.
    """
    part = path.with_name(f"{path.name[:_LONGEST_STEM]}.{os.urandom(6).hex()}.part")
    try:
        yield part
        if durable:
            sync_file(part)
        replace(part, path, sleep)
        if durable:
            sync_folder(path.parent)
    except (Exception, KeyboardInterrupt):
        with suppress(OSError):  # the trouble to tell is the first one
            part.unlink()
        raise
    if durable:
        _remove_leftovers(path)


def is_part_of(name: str, target: str) -> bool:
    """Tell whether a file's name is that of an unfinished `target`.

    Examples
    --------
    >>> is_part_of("a.json.0123456789ab.part", "a.json"), is_part_of("a.json.part", "a.json")
    (True, True)
    >>> is_part_of("b.json.0123456789ab.part", "a.json"), is_part_of("a.json", "a.json")
    (False, False)
    """
    stem = target[:_LONGEST_STEM]
    is_ours = name.startswith(stem) and _PART.fullmatch(name, len(stem)) is not None
    return is_ours or name == f"{target}.part"  # as they were called before


def replace(source: Path, target: Path, sleep: Sleep = time.sleep) -> None:
    """Let a file take the place of another one, patiently; raise OSError."""
    patiently(lambda: os.replace(source, target), sleep)


def rename(source: Path, target: Path, sleep: Sleep = time.sleep) -> None:
    """Rename a file or folder, patiently; raise OSError."""
    patiently(lambda: os.rename(source, target), sleep)


def unlink(path: Path, *, missing_ok: bool = False, sleep: Sleep = time.sleep) -> None:
    """Delete a file, patiently; raise OSError."""
    patiently(lambda: path.unlink(missing_ok=missing_ok), sleep)


def remove_parts(folder: Path) -> None:
    """Delete what killed writers have left in a folder that nobody else writes to now."""
    for path in folder.glob("*.part"):
        with suppress(OSError):  # it takes room and does no other harm
            unlink(path, missing_ok=True)


def patiently(action: Callable[[], T], sleep: Sleep = time.sleep) -> T:
    """Return what `action` returns; try again while Windows says that a file is in use.

    Parameters
    ----------
    action : callable
        Opens, renames or deletes; changes nothing when it fails.
    sleep : callable
        Waits for some seconds; called up to seven times, for 1.3 seconds together.

    Raises
    ------
    OSError
        What `action` raised last.
    """
    for pause_s in _PAUSES_S:
        try:
            return action()
        except OSError as error:
            if not is_in_use(error):
                raise
        sleep(pause_s)
    return action()


def is_in_use(error: OSError) -> bool:
    """Tell whether the reason may be that somebody else has the file open."""
    if getattr(error, "winerror", None) in _IN_USE:
        return True
    # Opening a file sets no `winerror`.
    return sys.platform == "win32" and error.errno == errno.EACCES


def is_full(error: OSError) -> bool:
    """Tell whether the reason is that a drive, or what a user may have of it, is full."""
    return error.errno in _FULL


def reason_of(error: OSError, path: Path) -> str:
    """Return in words why nothing could be done to the file at `path`, and what to do.

    Long names get no prefix that lets Windows take them: SQLite, dialogs and messages would show
    and compare other names than the user's.
    """
    if sys.platform == "win32" and len(str(path)) > _LONGEST_WINDOWS_PATH:
        return tr(
            "its name has {n} characters, and Windows takes {most}; "
            "choose a folder with a shorter name, or allow long paths",
            n=len(str(path)),
            most=_LONGEST_WINDOWS_PATH,
        )
    if is_in_use(error):
        return tr("it is protected, or another program has it open; close it there and try again")
    return _words_of_system(error)


def _words_of_system(error: OSError) -> str:
    return error.strerror or str(error)


def write_error(error: OSError, path: Path) -> WriteError:
    """Return what to tell somebody who wanted to save something at `path`."""
    if is_full(error):
        return DriveFullError(
            tr(
                "the drive is full: cannot write {path}; free some space, or choose another folder",
                path=path,
            )
        )
    reason = reason_of(error, path)
    if reason != _words_of_system(error):  # ours say what to do
        return WriteError(tr("cannot write {path}: {reason}", path=path, reason=reason))
    return WriteError(
        tr("cannot write {path}: {reason}; choose another folder", path=path, reason=reason)
    )


def check_writable(*paths: Path) -> None:
    """Raise WriteError when one of these files could not be written.

    For who asks before long work instead of after it. Nothing is there afterwards that was not.
    """
    for path in paths:
        part = path.with_name(f"{path.name[:_LONGEST_STEM]}.{os.urandom(6).hex()}.part")
        try:
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
            part.open("xb").close()
            part.unlink()
        except OSError as error:
            raise write_error(error, path) from error


def sync_file(path: Path) -> None:
    """Wait until the drive holds what was written to a file; raise OSError."""
    descriptor = os.open(path, os.O_RDWR)  # Windows syncs none that is only read
    try:
        _sync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Wait until the drive holds the names of the files in a folder; raise OSError."""
    if os.name != "posix":  # Windows has no such call; a rename there is journaled
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _sync(descriptor)
    finally:
        os.close(descriptor)


def _sync(descriptor: int) -> None:
    """Wait for the drive itself: what macOS calls fsync leaves everything in the drive's cache."""
    if sys.platform == "darwin":
        import fcntl

        with suppress(OSError):  # a network drive, say, has only the other call
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def _remove_leftovers(path: Path) -> None:
    """Delete what killed processes have left of the file just written."""
    with suppress(OSError), os.scandir(path.parent) as entries:
        newest = path.stat().st_mtime - _LEFT_S
        for entry in entries:
            if is_part_of(entry.name, path.name) and entry.stat().st_mtime < newest:
                os.unlink(entry)
