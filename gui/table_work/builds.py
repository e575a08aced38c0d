"""The queue of builds and other changes of tables, as child processes: one at a time.

The queue is stored in a file (`gui.table_work.queue_file`): waiting and interrupted builds are
there again after a restart, paused.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QObject, Signal

from engine.platform.language import tr
from gui.table_work.queue_file import Failure, QueueFile, StoredQueue
from gui.table_work.requests import ConvertRequest, RelocateRequest, Request
from gui.work.tasks import CommandProcess

if TYPE_CHECKING:
    from tablebase.events import BuildDone, ConvertResult, LayerProgress, RelocateResult

    Result: TypeAlias = BuildDone | ConvertResult | RelocateResult

_FROM_THE_FIRST = ("expand", "convert", "relocate")  # phases that process the layers in their order

_MAX_SAMPLES = 360
_MAX_LAYERS = 1_000_000


class BuildHistory:
    """The data reported by a child process about its build, in order of time.

    Speeds and memory: one for each interval since this run began; NaN before the first known one.
    """

    def __init__(self) -> None:
        self.boards_by_layer: list[int] = []
        self.interval_s = 0.5  # duration of each sample
        self.speeds: list[float] = []
        self.memory_bytes: list[float] = []

    def add_layers(self, layer_boards: Sequence[int]) -> None:
        """Add `[first layer, boards ...]`; repeated layers, or ones after a gap, are ignored."""
        first, *boards = layer_boards
        if first == len(self.boards_by_layer) and first + len(boards) <= _MAX_LAYERS:
            self.boards_by_layer += boards

    def add_sample(self, elapsed_s: float, boards_per_s: float, rss_bytes: float) -> None:
        """Add a sample; after a pause, it also stands for the time in between."""
        place = int(elapsed_s / self.interval_s)
        while place >= _MAX_SAMPLES:
            self.speeds = _pairs(self.speeds, is_mean=True)
            self.memory_bytes = _pairs(self.memory_bytes, is_mean=False)
            self.interval_s *= 2
            place = int(elapsed_s / self.interval_s)
        _put(self.speeds, place, boards_per_s, is_most=False)
        _put(self.memory_bytes, place, rss_bytes, is_most=True)


def _put(values: list[float], place: int, value: float, *, is_most: bool) -> None:
    """Set the value of one interval: the latest of several, or the greatest."""
    known = value if value > 0 else values[-1] if values else math.nan
    if place >= len(values):
        values += [known] * (place + 1 - len(values))
    else:
        values[-1] = max(values[-1], known) if is_most and values[-1] == values[-1] else known


def _pairs(values: Sequence[float], *, is_mean: bool) -> list[float]:
    """Return the values merged in pairs: the mean, or the maximum, so that no peak is lost."""
    merged = []
    for at in range(0, len(values), 2):
        pair = [value for value in values[at : at + 2] if value == value]
        if not pair:
            merged.append(math.nan)
        else:
            merged.append(sum(pair) / len(pair) if is_mean else max(pair))
    return merged


@dataclass(frozen=True)
class BuildProgress:
    """The progress of a build; a time left of None is unknown."""

    phase: str = ""
    layer: int = 0  # 1 for the first in processing order, which is from the last when solving
    layers: int = 0
    boards: int = 0
    n_bytes: int = 0
    elapsed_s: float = 0.0
    eta_s: float | None = None
    fraction: float = 0.0  # of the whole build, never decreasing
    boards_per_s: float = 0.0
    rss_bytes: int = 0
    peak_rss_bytes: int = 0
    scratch_bytes: int = 0  # of working files on disk


class BuildProcess(CommandProcess):
    """A build in a child process, by the same command that a user can type."""

    progressed = Signal(object)  # BuildProgress

    def __init__(
        self, request: Request, command: Sequence[str] | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(command or request.command(), _events_of(request), parent)
        self.request = request
        self.progress = BuildProgress()
        self.result: Result | None = None  # the line that ends a build
        self.history = BuildHistory()
        self._speed = SpeedMeter()
        self.event_received.connect(self._on_event)

    def _on_event(self, event: "LayerProgress | Result") -> None:
        from tablebase.events import LayerProgress

        if not isinstance(event, LayerProgress):
            self.result = event
            return
        self.progress = now = read_progress(event, self.progress, self._speed)
        if event.layer_boards:
            self.history.add_layers(event.layer_boards)
        self.history.add_sample(now.elapsed_s, now.boards_per_s, now.rss_bytes)
        self.progressed.emit(now)


class SpeedMeter:
    """Boards per second over the last few seconds, from counts that restart in each phase."""

    def __init__(self, window_s: float = 4.0) -> None:
        self._window_s = window_s
        self._samples: deque[tuple[float, float]] = deque()
        self._phase = ""

    def measure(self, phase: str, seconds: float, count: float) -> float:
        """Return the speed after one more sample; 0 while there is too little data."""
        is_new = phase != self._phase or (self._samples and count < self._samples[-1][1])
        if is_new:
            self._samples.clear()
            self._phase = phase
        self._samples.append((seconds, count))
        while len(self._samples) > 2 and seconds - self._samples[0][0] > self._window_s:
            self._samples.popleft()
        first_s, first = self._samples[0]
        return (count - first) / (seconds - first_s) if seconds - first_s > 0.05 else 0.0


def read_progress(
    event: "LayerProgress", before: BuildProgress, speed: SpeedMeter
) -> BuildProgress:
    phase, layer = event.phase, event.layer
    # A build that has just begun reports 0 for "unknown yet".
    eta_s = event.eta_s or (0.0 if phase == "finish" else None)
    return BuildProgress(
        phase=phase,
        layer=layer + 1 if phase in _FROM_THE_FIRST else max(event.layers - layer, 0),
        layers=event.layers,
        boards=event.boards,
        n_bytes=event.bytes,
        elapsed_s=event.elapsed_s,
        eta_s=eta_s,
        fraction=min(1.0, max(before.fraction, event.fraction)),
        # The first count of a phase gives no speed: the last known one is kept until then.
        boards_per_s=speed.measure(phase, event.elapsed_s, event.boards) or before.boards_per_s,
        rss_bytes=event.rss_bytes,
        peak_rss_bytes=max(event.peak_rss_bytes, before.peak_rss_bytes),
        scratch_bytes=event.scratch_bytes,
    )


def _events_of(request: Request) -> Any:
    from tablebase.events import BuildEvent, ConvertEvent, RelocateEvent

    if isinstance(request, ConvertRequest):
        return ConvertEvent
    return RelocateEvent if isinstance(request, RelocateRequest) else BuildEvent


class Builds(QObject):
    """The queue of this window's builds and other changes of tables: one runs, the others wait.

    One at a time because a build already uses all processors and a lot of memory. The contents of
    the file wait, paused, until `start` or `resume`.
    """

    changed = Signal()  # a build started or ended, or the queue changed
    progressed = Signal(object)  # BuildProgress
    ended = Signal(object, int, str)  # Request, exit status (0 done, 3 canceled), error otherwise
    halted = Signal(object)  # Request: a build has stopped because of a pause, and waits again
    save_failed = Signal(str)  # the queue could not be written to its file; the text says why

    def __init__(
        self,
        command_of: Callable[[Request], Sequence[str]] = lambda request: request.command(),
        parent: QObject | None = None,
        file: QueueFile | None = None,
    ) -> None:
        super().__init__(parent)
        self._command_of, self._file = command_of, file
        self._process: BuildProcess | None = None
        self._is_halting = self._is_closed = False
        stored = file.load() if file else StoredQueue()
        self.problem = file.problem if file else ""
        self.waiting: list[Request] = list(stored.waiting)
        self.failed: list[Failure] = list(stored.failed)
        self.is_paused = bool(stored.waiting)
        self._is_paused_by_person = stored.is_paused
        self.last_result: Result | None = None
        self.last_seconds = 0.0
        self._spent_s: dict[Path, float] = dict(stored.spent_s)

    @property
    def current(self) -> Request | None:
        return self._process.request if self._process else None

    @property
    def progress(self) -> BuildProgress:
        return self._process.progress if self._process else BuildProgress()

    @property
    def history(self) -> BuildHistory:
        return self._process.history if self._process else BuildHistory()

    @property
    def is_cancelling(self) -> bool:
        return bool(self._process and self._process.is_cancelling)

    @property
    def requests(self) -> list[Request]:
        return [*([self.current] if self.current else []), *self.waiting]

    def tables(self) -> list[Path]:
        return [request.table for request in self.requests]

    def start(self) -> None:
        """Resume the queue left by an earlier session, unless the user had paused it."""
        if self.waiting and not self._is_paused_by_person:
            self.resume()

    def add(self, request: Request) -> None:
        self._forget_failure(request.table)
        if request.table not in self.tables():
            self.waiting.append(request)
        self._update_queue()

    def remove(self, request: Request) -> None:
        if request in self.waiting:
            self.waiting.remove(request)
            self._update_queue()

    def move(self, request: Request, by: int) -> None:
        """Move a waiting request up (`by` below 0) or down the queue."""
        if request in self.waiting:
            at = self.waiting.index(request)
            self.waiting.remove(request)
            self.waiting.insert(max(0, at + by), request)
            self._update_queue()

    def retry(self, failure: Failure) -> None:
        if failure in self.failed:
            self.add(failure.request)

    def dismiss(self, failure: Failure) -> None:
        if failure in self.failed:
            self.failed.remove(failure)
            self._update_queue()

    def pause(self) -> None:
        """Stop the running build, keeping its finished work, and start no other."""
        if not self.is_paused and self.requests:
            self.is_paused = self._is_halting = self._is_paused_by_person = True
            if self._process:
                self._process.cancel()
            self._update_queue()

    def resume(self) -> None:
        if self.is_paused:
            self.is_paused = self._is_paused_by_person = False
            self._update_queue()

    def cancel(self) -> None:
        """Cancel the running build; its finished work is kept for later."""
        if self._process:
            self._is_halting = False
            self._process.cancel()
            self.changed.emit()

    def close(self, timeout_ms: int = 10_000) -> None:
        """Stop everything; an unresponsive child is killed. The queue stays in its file."""
        if self._is_closed:
            return
        self._save()
        self._is_closed = True
        self.waiting.clear()
        if self._process:
            self._process.cancel()
            if not self._process.wait(timeout_ms):
                self._process.kill(2000)  # a build survives that: it resumes from its last layer
        if self._file:
            self._file.close()

    def _update_queue(self) -> None:
        """Start the next request, save the queue, and emit `changed`."""
        self._begin_next()
        self.changed.emit()

    def _begin_next(self) -> None:
        if not self.requests:
            # A request added to an empty queue starts at once.
            self.is_paused = self._is_paused_by_person = False
        if not self._process and self.waiting and not self.is_paused and not self._is_closed:
            self._begin(self.waiting.pop(0))
        self._save()

    def _begin(self, request: Request) -> None:
        process = BuildProcess(request, self._command_of(request), self)
        process.progressed.connect(self.progressed)
        process.finished.connect(self._on_end)
        self._process, self._is_halting = process, False
        process.start()

    def _save(self) -> None:
        if self._file and not self._is_closed:
            spent_s = {table: s for table, s in self._spent_s.items() if table in self.tables()}
            if self.current:
                before = self._spent_s.get(self.current.table, 0.0)
                spent_s[self.current.table] = before + self.progress.elapsed_s
            queue = StoredQueue(
                tuple(self.requests), tuple(self.failed), self._is_paused_by_person, spent_s
            )
            self._file.save(queue, self.save_failed.emit)

    def _forget_failure(self, table: Path) -> None:
        self.failed = [failure for failure in self.failed if failure.request.table != table]

    def _on_end(self, status: int, message: str) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        request = process.request
        if status == 0 and process.result is None:
            status, message = -1, tr("it ended without saying that the table is done")
        self.last_result = process.result if status == 0 else None
        spent_s = self._spent_s.pop(request.table, 0.0) + process.progress.elapsed_s
        self.last_seconds = spent_s if status == 0 else 0.0
        process.deleteLater()
        is_halted = status == 3 and self._is_halting and not self._is_closed
        if is_halted:
            self._spent_s[request.table] = spent_s
            self.waiting.insert(0, request)
        elif status not in (0, 3):
            self._forget_failure(request.table)
            self.failed.append(Failure(request, message))
        self._begin_next()
        if is_halted:
            self.halted.emit(request)
        else:
            self.ended.emit(request, status, message)
        self.changed.emit()
