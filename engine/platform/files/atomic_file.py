"""Files that exist whole or not at all, and retries while other programs have them open.

A file is written under a name of its own, ``settings.json.00003f9cd2e4.part``, which no other
writer shares, and replaces the target in one step. A process that is killed leaves such a file
behind; so the name begins with the number of the process, eight hexadecimal digits. The owner of a
folder deletes leftovers there (`remove_parts`); elsewhere the next durable write of the same file
deletes those whose process is gone, or that are an hour old: its number may be in use again.

Only files are replaced. A link stays a link, and the file it leads to is replaced; devices, pipes,
sockets and folders are refused, also behind a link.

Windows cannot rename or delete a file that any program has open, and an indexer or a virus scanner
opens each new one for a moment. So operations that fail for that reason are retried for a little
over a second.
"""

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from engine.platform.errors import DriveFullError, WriteError
from engine.platform.language import tr


class NotAFileError(OSError):
    """The name stands for a device, a pipe or a socket, or for a link where none may be."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, tr("it is not a file"), str(path))


T = TypeVar("T")
Sleep = Callable[[float], object]

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
# Access denied, sharing violation, lock violation, folder not empty (its files go when closed).
_IN_USE = (5, 32, 33, 145)
_PAUSES_S = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64)
_MAX_STEM_LENGTH = 40  # characters of the name kept in a part's name: at most four bytes each
_PART = re.compile(r"\.([0-9a-f]{8})[0-9a-f]{4}\.part\Z")
_LEFT_S = 3600.0  # no write of one file takes this long
_MAX_WINDOWS_PATH_LENGTH = 259


def write_file(
    path: Path,
    pieces: Iterable[bytes | memoryview],
    *,
    durable: bool = True,
    sleep: Sleep = time.sleep,
) -> int:
    """Write a file, in an existing folder, so that a crash leaves the old one or the new one.

    A `durable` one is waited for until it is on the drive, so that a power cut cannot undo it.
    After OSError an older file is unchanged, and no part of the new one is left.
    """
    size = 0
    with replacing(path, durable=durable, sleep=sleep) as part, part.open("xb") as file:
        for piece in pieces:
            size += file.write(piece)  # buffered: continues after a short write
    return size


@contextmanager
def replacing(path: Path, *, durable: bool = True, sleep: Sleep = time.sleep) -> Iterator[Path]:
    """Yield a path to write to, which replaces `path` at the end and is deleted on an error."""
    path = _real_file(path)
    if durable:  # first: a large leftover may be what fills the drive
        remove_leftovers(path.parent, path.name)
    part = _part_of(path)
    try:
        yield part
        if durable:
            sync_file(part)
        replace(part, path, sleep)
        if durable:
            sync_folder(path.parent)
    except (Exception, KeyboardInterrupt):
        with suppress(OSError):  # report the first error
            part.unlink()
        raise


def _part_of(path: Path) -> Path:
    stem = f"{path.name[:_MAX_STEM_LENGTH]}.{os.getpid():08x}"  # no text
    while True:
        part = path.with_name(f"{stem}{os.urandom(2).hex()}.part")
        if not os.path.lexists(part):  # it may be left by an earlier process of that number
            return part


def _real_file(path: Path) -> Path:
    """It need not exist; raise OSError for a folder, a device, a pipe or a socket."""
    real = behind_links(path)
    try:
        mode = real.stat().st_mode
    except FileNotFoundError:
        return real
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise NotAFileError(path)
    return real


def behind_links(path: Path) -> Path:
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def is_part_of(name: str, target: str) -> bool:
    """Return whether `name` is that of an unfinished `target`.

    >>> is_part_of("a.json.0123456789ab.part", "a.json"), is_part_of("a.json.part", "a.json")
    (True, True)
    >>> is_part_of("b.json.0123456789ab.part", "a.json"), is_part_of("a.json", "a.json")
    (False, False)
    """
    stem = target[:_MAX_STEM_LENGTH]
    is_ours = name.startswith(stem) and _PART.fullmatch(name, len(stem)) is not None
    return is_ours or name == f"{target}.part"  # the former name


def replace(source: Path, target: Path, sleep: Sleep = time.sleep) -> None:
    """Replace a file by another one, with retries; raise OSError, such as NotAFileError."""
    real = _real_file(target)
    with_retries(lambda: os.replace(source, real), sleep)


def rename(source: Path, target: Path, sleep: Sleep = time.sleep) -> None:
    with_retries(lambda: os.rename(source, target), sleep)


def unlink(path: Path, *, missing_ok: bool = False, sleep: Sleep = time.sleep) -> None:
    with_retries(lambda: path.unlink(missing_ok=missing_ok), sleep)


def remove_parts(folder: Path) -> None:
    """Delete files left by killed writers, in a folder to which nobody else is writing."""
    for path in folder.glob("*.part"):
        with suppress(OSError):  # it takes up space and does no other harm
            unlink(path, missing_ok=True)


def with_retries(action: Callable[[], T], sleep: Sleep = time.sleep) -> T:
    """Retry while Windows says that a file is in use, up to 1.3 seconds; raise the last OSError."""
    for pause_s in _PAUSES_S:
        try:
            return action()
        except OSError as error:
            if not is_in_use(error):
                raise
        sleep(pause_s)
    return action()


def is_in_use(error: OSError) -> bool:
    if getattr(error, "winerror", None) in _IN_USE:
        return True
    # Opening a file sets no `winerror`.
    return sys.platform == "win32" and error.errno == errno.EACCES


def is_full(error: OSError) -> bool:
    return error.errno in _FULL


def reason_of(error: OSError, path: Path) -> str:
    """Return why an operation on the file at `path` failed, and what to do.

    Long names get no prefix that makes Windows accept them: SQLite, dialogs and messages would show
    and compare names that differ from the user's.
    """
    if sys.platform == "win32" and len(str(path)) > _MAX_WINDOWS_PATH_LENGTH:
        return tr(
            "its name has {n} characters, and Windows takes {most}; "
            "choose a folder with a shorter name, or allow long paths",
            n=len(str(path)),
            most=_MAX_WINDOWS_PATH_LENGTH,
        )
    if is_in_use(error):
        return tr("it is protected, or another program has it open; close it there and try again")
    return _words_of_system(error)


def _words_of_system(error: OSError) -> str:
    return error.strerror or str(error)


def write_error(error: OSError, path: Path) -> WriteError:
    if is_full(error):
        return DriveFullError(
            "the drive is full: cannot write {path}; free some space, or choose another folder",
            path=path,
        )
    if isinstance(error, NotAFileError):
        return WriteError(
            "cannot write {path}: it is a device, a pipe or a socket; choose another name",
            path=path,
        )
    reason = reason_of(error, path)
    if reason != _words_of_system(error):  # our own texts say what to do
        return WriteError("cannot write {path}: {reason}", path=path, reason=reason)
    return WriteError(
        "cannot write {path}: {reason}; choose another folder", path=path, reason=reason
    )


@contextmanager
def writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise write_error(error, path) from error


def check_writable(*paths: Path) -> None:
    """Raise WriteError before long work if a file could not be written after it."""
    for path in paths:
        try:
            part = _part_of(_real_file(path))
            part.open("xb").close()
            part.unlink()
        except OSError as error:
            raise write_error(error, path) from error


def sync_file(path: Path) -> None:
    """Wait until the written content of a file is on the drive; raise OSError."""
    descriptor = os.open(path, os.O_RDWR)  # Windows cannot sync a file opened for reading
    try:
        _sync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Wait until the names of the files in a folder are on the drive; raise OSError."""
    if os.name != "posix":  # Windows has no such call; a rename there is journaled
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _sync(descriptor)
    finally:
        os.close(descriptor)


def _sync(descriptor: int) -> None:
    """Wait for the drive itself: fsync on macOS leaves everything in the drive's cache."""
    if sys.platform == "darwin":
        import fcntl

        with suppress(OSError):  # a network drive, for instance, supports only fsync
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def remove_leftovers(folder: Path, target: str = "") -> None:
    """Unlike `remove_parts`, it spares what living processes are writing."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if is_part_of(entry.name, target) if target else _PART.search(entry.name):
                with suppress(OSError):  # another one may be faster
                    if not _is_in_work(entry):
                        os.unlink(entry)


def _is_in_work(part: "os.DirEntry[str]") -> bool:
    if time.time() - part.stat().st_mtime > _LEFT_S:
        return False
    import psutil  # takes 10 ms, and leftovers are rare

    match = _PART.search(part.name)
    try:
        return not match or psutil.pid_exists(int(match[1], 16))
    except OverflowError:  # no system has such numbers
        return False
