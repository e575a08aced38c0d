"""Game after game, played by search: low CPU use, and none while another instance computes.

A lease lets only one of several screen savers compute: the newest alive. Systems start a screen
saver for each preview, and some forget to end the one before. Each instance has a stamp, larger
than those before it, and writes it to one file; an instance that finds a larger one of a live
process pauses. If the file is missing, damaged or of a dead process, the next instance to check
takes it, and from that the newest.

``{"version": 1, "stamp": 1742, "pid": 4711, "started": 1767225600.5, "key": "..."}``
"""

import json
import logging
import os
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import psutil
from msgspec import Struct, to_builtins
from PySide6.QtCore import QObject, QTimer, Signal

from ai.choice import CHOOSERS, Choice, ChooserKind
from engine.game import Game
from engine.platform.files.atomic_file import write_file
from engine.platform.files.json_struct import read_cached
from gui.play.auto_player import AutoPlayer
from gui.work.tasks import TaskRunner

PLAYER = "search"
THINKING_SHARE = 0.02  # share of the time between two moves: 4 ms at 5 moves per second
REST_MS = 5000  # time for which the end of a game is shown
_LOOK_MS = 1000  # between two checks whether the lease is free
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


class SaverGame(QObject):
    """Plays while it holds the lease; otherwise the last board stays."""

    began = Signal()
    moved = Signal(object)

    def __init__(
        self,
        tasks: TaskRunner,
        lease: Lease,
        speed: int,
        parent: QObject | None = None,
        new_seed: Callable[[], int] = lambda: secrets.randbits(63),
        kinds: Mapping[str, ChooserKind] = CHOOSERS,
    ) -> None:
        super().__init__(parent)
        self._lease, self._new_seed = lease, new_seed
        self.game = Game.new(new_seed())
        self._auto = AutoPlayer(tasks, self._position, self, kinds, share=THINKING_SHARE)
        self._auto.kind, self._auto.speed = PLAYER, speed
        self._auto.chosen.connect(self._play)
        self._auto.failed.connect(self._give_up)
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._play_or_pause)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._begin)

    @property
    def is_playing(self) -> bool:
        return self._auto.is_running

    def start(self) -> None:
        """Play, now or as soon as the lease is free."""
        self._look.start()
        self._play_or_pause()

    def close(self) -> None:
        self._look.stop()
        self._rest.stop()
        self._auto.stop()
        self._lease.release()

    def _position(self) -> tuple[int, ...] | None:
        return None if self.game.is_over else self.game.cells

    def _play_or_pause(self) -> None:
        if not self._lease.is_mine():
            self._auto.stop()
        elif not self._auto.is_running and not self._rest.isActive():
            self._auto.start()

    def _play(self, choice: Choice) -> None:
        if choice.direction is None:
            return
        result = self.game.move(choice.direction)
        if result is None:
            return
        self.moved.emit(result)
        if self.game.is_over:
            self._auto.stop()
            self._rest.start()

    def _begin(self) -> None:
        self.game = Game.new(self._new_seed())
        self.began.emit()
        self._play_or_pause()

    def _give_up(self, error: BaseException) -> None:
        _log.error("the screen saver's AI failed", exc_info=error)
        self.close()
