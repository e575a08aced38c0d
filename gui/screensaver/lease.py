"""A lease that lets only one of several screen savers compute: the newest alive.

Systems start a screen saver for each preview, and some forget to end the one before. Each instance
has a stamp, larger than those before it, and writes it to one file; an instance that finds a larger
one of a live process pauses. If the file is missing, damaged or of a dead process, the next
instance to check takes it, and from that the newest. No Qt.

``{"version": 1, "stamp": 1742, "pid": 4711, "started": 1767225600.5, "key": "..."}``
"""

import json
import logging
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import psutil
from msgspec import Struct, to_builtins

from engine.platform.files.atomic_file import write_file
from engine.platform.files.json_struct import read_cached

_MAX_BYTES = 10_000
_SAME_START_S = 1.0  # a process with that pid and another start time is a different one
_log = logging.getLogger(__name__)


class Holder(Struct, frozen=True, forbid_unknown_fields=True):
    """The holder of the lease."""

    stamp: int  # larger for newer ones
    pid: int
    started: float  # start time of the process, in seconds since 1970, as pids are reused
    key: str  # distinguishes instances of one process
    version: Literal[1] = 1


class Lease:
    """One instance's claim."""

    def __init__(
        self,
        path: Path,
        now_ns: Callable[[], int] = time.time_ns,
        is_alive: Callable[[Holder], bool] | None = None,
    ) -> None:
        self._path, self._is_alive = path, is_alive or process_lives
        before = self._read()
        stamp = max(now_ns(), before.stamp + 1 if before else 0)
        started = psutil.Process().create_time()
        self._own = Holder(stamp, os.getpid(), started, secrets.token_hex(8))

    def is_mine(self) -> bool:
        """Return whether this instance may compute; take the lease unless a newer one holds it."""
        holder = self._read()
        if holder == self._own:
            return True
        if holder and holder.stamp >= self._own.stamp and self._is_alive(holder):
            return False
        self._write()
        return True

    def release(self) -> None:
        if self._read() == self._own:
            try:
                self._path.unlink()
            except OSError as error:
                _log.warning("lease of the screen saver: %s", error)

    def _read(self) -> Holder | None:
        return read_cached(self._path, Holder, _MAX_BYTES)

    def _write(self) -> None:
        text = json.dumps(to_builtins(self._own))
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_file(self._path, [text.encode("ascii")], durable=False)
        except OSError as error:  # if nothing can be written, each plays for itself
            _log.warning("lease of the screen saver: %s", error)


def process_lives(holder: Holder) -> bool:
    try:
        return abs(psutil.Process(holder.pid).create_time() - holder.started) < _SAME_START_S
    except psutil.AccessDenied:
        return True
    except psutil.Error:
        return False
