"""The progress of a build, and when it will be done."""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from tablebase.store.manifest import Manifest

_MIN_PAUSE_S = 0.1
_TELLING_SHARE = 0.01  # share of the work below which the time taken says nothing yet
_EXPAND_SHARE = 0.35  # of the work per slot, the rest is solving; measured
_THIN_SHARE = 0.3  # extra work when layers are thinned


@dataclass(frozen=True)
class Progress:
    """One report: phase is "expand", "solve", "thin" or "finish"; layer counts from 0.

    Where layers are thinned, solving and thinning take turns (tablebase.build.segments).

    `boards` are the after-states found so far (expand) or finished (solve, thin), `bytes` the size
    of finished layer files. `eta_s` is None while too little is done for an estimate; `fraction` is
    of the whole build, including an earlier run's part. `layer_boards` are the after-states of each
    layer found so far, from the first one on, including an earlier run's; it grows while the build
    goes on.
    """

    phase: str
    layer: int
    layers: int
    boards: int
    bytes: int
    elapsed_s: float
    eta_s: float | None
    fraction: float
    layer_boards: Sequence[int] = ()


@dataclass(frozen=True)
class BuildResult:
    """A finished table and the cost of building it."""

    table: Path
    layers: int
    boards: int
    stored: int
    bytes: int
    elapsed_s: float
    cpu_s: float
    peak_rss_bytes: int
    was_complete: bool


class ProgressClock:
    """Turns finished layers into reports, each weighted by its number of slots."""

    def __init__(self, on_progress: Callable[[Progress], None], n_layers: int) -> None:
        self.other_cpu_s = 0.0
        self._cpu_before_s = _cpu_s()  # of this process, which may have built others
        self._on_progress = on_progress
        self._n_layers = n_layers
        self._weights: Sequence[int] = [1] * n_layers
        self._again: Sequence[int] = []
        self._thinned: Sequence[int] = []
        self._start = time.monotonic()
        self._last_report = 0.0
        self._phase = ""
        self._found = self._boards = self._bytes = 0
        self._done = self._skipped = 0.0
        self._layer_boards: list[int] = []

    def weigh(
        self, slots: Sequence[int], again: Sequence[int] = (), thinned: Sequence[int] = ()
    ) -> None:
        self._weights, self._again, self._thinned = slots, again, thinned

    def skip(self, phase: str, layer: int, boards: int) -> None:
        """Count a layer that an earlier run has finished; a layer already expanded counts once."""
        if phase == "expand":
            if layer < len(self._layer_boards):
                return
            self._found += boards
            self._layer_boards.append(boards)
        self._skipped += self._share(phase, layer)
        self._done += self._share(phase, layer)

    def advance(self, phase: str, layer: int, boards: int, n_bytes: int = 0) -> None:
        """Report a finished layer: `boards` of this layer (expand) or of all so far (others)."""
        self._done += self._share(phase, layer)
        if phase != "expand":
            self._boards, self._bytes = boards, n_bytes
        elif layer == len(self._layer_boards):
            self._found += boards
            self._layer_boards.append(boards)
        self.phase(phase, layer)

    def phase(self, phase: str, layer: int) -> None:
        """Report the state of the build, unless the last report was just a moment ago."""
        now = time.monotonic()
        if phase == self._phase and now - self._last_report < _MIN_PAUSE_S:
            return
        self._phase, self._last_report = phase, now
        elapsed = self._elapsed_s()
        done_now = self._done - self._skipped
        left = max(self._total() - self._done, 0.0)
        eta: float | None = 0.0
        if phase != "finish":
            eta = elapsed * left / done_now if done_now > _TELLING_SHARE * self._total() else None
        fraction = 1.0 if phase == "finish" else min(self._done / self._total(), 1.0)
        boards = self._found if phase == "expand" else self._boards
        self._on_progress(
            Progress(
                phase=phase,
                layer=layer,
                layers=self._n_layers,
                boards=boards,
                bytes=self._bytes,
                elapsed_s=elapsed,
                eta_s=eta,
                fraction=fraction,
                layer_boards=self._layer_boards,
            )
        )

    def result(self, folder: Path, manifest: Manifest, *, was_complete: bool) -> BuildResult:
        return BuildResult(
            table=folder,
            layers=manifest.n_layers,
            boards=manifest.boards,
            stored=manifest.stored,
            bytes=manifest.bytes,
            elapsed_s=self._elapsed_s(),
            cpu_s=_cpu_s() - self._cpu_before_s + self.other_cpu_s,
            peak_rss_bytes=peak_rss_bytes(),
            was_complete=was_complete,
        )

    def _elapsed_s(self) -> float:
        """Return the time since the start; clocks of some virtual machines go back on wake-up."""
        return max(time.monotonic() - self._start, 0.0)

    def _share(self, phase: str, layer: int) -> float:
        shares = {"expand": _EXPAND_SHARE, "solve": 1.0 - _EXPAND_SHARE, "thin": _THIN_SHARE}
        return shares[phase] * self._weights[layer]

    def _total(self) -> float:
        again = (1.0 - _EXPAND_SHARE) * sum(self._again)
        return sum(self._weights) + again + _THIN_SHARE * sum(self._thinned)


def peak_rss_bytes() -> int:
    if sys.platform == "win32":
        return int(psutil.Process().memory_info().peak_wset)
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak) if sys.platform == "darwin" else int(peak) * 1024


def _cpu_s() -> float:
    times = psutil.Process().cpu_times()
    return times.user + times.system
