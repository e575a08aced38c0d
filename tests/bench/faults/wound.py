"""How a child process is hurt from inside: it dies, its disk fails, its clock jumps.

Every operation that changes the disk is counted: opening to write, each write that reaches the
system, fsync, replace, unlink and so on. Whatever the program uses to write ends in one of these.
A wounded command line is ``python -m tests.bench.faults.wound WOUND-AS-JSON ARGUMENTS OF main.py``.
"""

import builtins
import io
import itertools
import json
import os
import random
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

_OPERATIONS = (
    *("replace", "rename", "unlink", "remove", "rmdir", "mkdir", "fsync"),
    *("link", "symlink", "truncate", "ftruncate", "sendfile"),
)
_OPTIONAL = ("copy_file_range", "posix_fallocate")
NEVER = 1 << 60


@dataclass(frozen=True)
class Wound:
    """What happens to a process; the default is nothing.

    Attributes
    ----------
    at : int
        The number of the operation, from 0, that is hit.
    how : str
        "die": killed before the operation; "tear": killed when a write is half done; "power":
        killed, and whatever was not waited for to reach the drive is spoiled; "fail": the
        operation raises OSError(`error`), and with `lasting` every later one too.
    pause_s, pause_at : float, str
        Sleep before each operation of that name ("" for all): to widen narrow windows.
    file_limit : int or None
        No file may grow beyond this.
    keep_values : bool
        Keep exact values after every layer, as a large build does every few seconds.
    streams : bool
        Map every array of a build to a file, and go through it in small pieces, as a build does
        whose tables are far larger than its memory.
    clock_seed : int or None
        Both clocks jump by hours or years at random calls.
    spoil : str
        The folder in which "power" spoils files; counts go to the file `tell` when it is given.
    """

    at: int = NEVER
    how: str = "die"
    error: int = 0
    lasting: bool = True
    pause_s: float = 0.0
    pause_at: str = ""
    file_limit: int | None = None
    keep_values: bool = False
    streams: bool = False
    clock_seed: int | None = None
    spoil: str = ""
    tell: str = ""


class _Disk:
    """Counts operations and strikes at the chosen one."""

    def __init__(self, wound: Wound) -> None:
        self.wound = wound
        self.counter = itertools.count()
        self.seen = 0
        self.unsynced: set[tuple[int, int]] = set()

    def is_struck(self, name: str) -> bool:
        """Count an operation; return whether it is the one to strike (or a later one)."""
        wound = self.wound
        if wound.pause_s and wound.pause_at in ("", name):
            time.sleep(wound.pause_s)
        number = next(self.counter)
        self.seen = number + 1
        return number == wound.at or (wound.how == "fail" and wound.lasting and number > wound.at)

    def before(self, name: str) -> None:
        """Count an operation, and strike."""
        if self.is_struck(name):
            self.strike()

    def strike(self) -> None:
        """Die, or raise what the operation shall fail with."""
        if self.wound.how == "fail":
            raise OSError(self.wound.error, os.strerror(self.wound.error))
        if self.wound.how == "power":
            self._spoil()
        os.kill(os.getpid(), signal.SIGKILL)
        threading.Event().wait()  # the signal may reach another thread first

    def _spoil(self) -> None:
        """Do to files that were not waited for what a power cut may do: cut them, zero them."""
        rng = random.Random(self.wound.at)
        for folder, _, names in os.walk(self.wound.spoil):
            for name in names:
                path = os.path.join(folder, name)
                status = os.stat(path)
                if (status.st_dev, status.st_ino) not in self.unsynced:
                    continue
                descriptor = _real_os_open(path, os.O_RDWR)
                keep = rng.choice([0, status.st_size // 2, max(status.st_size - 1, 0)])
                _real_ftruncate(descriptor, keep)
                if rng.random() < 0.5:
                    _real_ftruncate(descriptor, status.st_size)
                os.close(descriptor)


_real_os_open, _real_ftruncate = os.open, os.ftruncate


def inflict(wound: Wound) -> Callable[[], None]:
    """Hurt this process from now on; return what to call when it has survived."""
    if wound.file_limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (wound.file_limit, wound.file_limit))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if wound.keep_values:
        _keep_values()
    if wound.streams:
        _stream()
    if wound.clock_seed is not None:
        _unsteady_clocks(wound.clock_seed)
    disk = _Disk(wound)
    _guard(disk)

    def survived() -> None:
        if wound.tell:
            disk.wound = Wound()
            Path(wound.tell).write_text(str(disk.seen))

    return survived


def _keep_values() -> None:
    from tablebase.build import builder

    _change(builder, _KEEP_LIVE_EVERY_S=0, _KEEP_LIVE_SHARE=0)


def _stream() -> None:
    from tablebase.build import builder, layer_window
    from tablebase.memory import arrays

    _change(builder, build_limit=lambda _space, _wanted: 1 << 30)  # room for Python, not for these
    _change(arrays, room_in_memory=lambda *_: 0, _ALWAYS_IN_MEMORY=0, _STREAM_SHARE=1 << 16)
    _change(layer_window, _PIECE_SHIFT=9)


def _change(module: Any, **values: Any) -> None:
    """Give names of a module other values; each must exist."""
    for name, value in values.items():
        if not hasattr(module, name):
            raise AttributeError(f"{module.__name__} has no {name} any more: adapt the campaign")
        setattr(module, name, value)


def _unsteady_clocks(seed: int) -> None:
    rng, real = random.Random(seed), {name: getattr(time, name) for name in ("time", "monotonic")}
    offset = dict.fromkeys(real, 0.0)

    def unsteady(name: str) -> Callable[[], float]:
        def now() -> float:
            if rng.random() < 0.1:
                offset[name] = rng.choice([-1, 1]) * rng.choice([0, 1e-3, 3600, 3e7, 3e9])
            return float(real[name]() + offset[name])

        return now

    for name in real:
        setattr(time, name, unsteady(name))


def _guard(disk: _Disk) -> None:
    def guarded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            disk.before(name)
            result = function(*args, **kwargs)
            if name == "fsync":
                status = os.fstat(args[0])
                disk.unsynced.discard((status.st_dev, status.st_ino))
            return result

        return call

    for name in (*_OPERATIONS, *(name for name in _OPTIONAL if hasattr(os, name))):
        setattr(os, name, guarded(name, getattr(os, name)))

    real_open, real_os_open = io.open, os.open

    class Raw(io.FileIO):
        def write(self, data: Any) -> Any:
            struck = disk.is_struck("write")
            if struck and disk.wound.how == "tear":
                super().write(bytes(data)[: len(bytes(data)) // 2])
            if struck:
                disk.strike()
            status = os.fstat(self.fileno())
            disk.unsynced.add((status.st_dev, status.st_ino))
            return super().write(data)

    def guarded_open(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        """Opening to write makes an entry in the folder, so it needs room too."""
        if isinstance(file, int) or not set(mode) & set("wax+"):
            return real_open(file, mode, *args, **kwargs)
        disk.before("open")
        if "b" in mode and "+" not in mode:
            return io.BufferedWriter(Raw(os.fspath(file), mode.replace("b", "")))
        return real_open(file, mode, *args, **kwargs)

    def guarded_os_open(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            disk.before("open")
        return real_os_open(path, flags, *args, **kwargs)

    os.open = guarded_os_open  # type: ignore[assignment]
    io.open = guarded_open  # type: ignore[assignment]  # pathlib's
    builtins.open = guarded_open  # type: ignore[assignment]


def words(wound: Wound) -> list[str]:
    """Return the start of the command line that runs main.py wounded."""
    changed = {key: value for key, value in asdict(wound).items() if value != getattr(Wound, key)}
    return [sys.executable, "-m", f"{__package__}.wound", json.dumps(changed)]


if __name__ == "__main__":
    from main import main

    _survived = inflict(Wound(**json.loads(sys.argv[1])))
    _status = main(sys.argv[2:])
    _survived()
    sys.exit(_status)
