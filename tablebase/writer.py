"""Writes finished layers beside the solver, and records them in the manifest.

Of a sparse table's layers only some are written; the others are counted and recorded.
"""

import time
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

from tablebase.bits import U64
from tablebase.layers import Layers, Solved
from tablebase.rates import find_rate_type
from tablebase.store.layer_file import WrittenLayer, write_layer
from tablebase.store.manifest import Manifest, OmittedLayer

_RECORD_EVERY_S = 0.5
_MOST_WAITING = 2  # layers whose values wait in memory to be written

Finished = WrittenLayer | OmittedLayer


class TableWriter:
    """Packs and writes layers on a thread of its own, in order.

    A context manager: leaving it records whatever is written, even when the build stops half way.
    """

    def __init__(self, folder: Path, manifest: Manifest, layers: Layers, level: int) -> None:
        self._folder = folder
        self._level = level
        self._manifest = manifest
        self._layers = layers
        self._rate = find_rate_type(manifest.rate)
        self._kept = frozenset(manifest.kept_layers)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._waiting: list[Future[Finished]] = []
        self._written: list[Finished] = []
        self._last_record = time.monotonic()
        self.boards = self.bytes = 0

    def __enter__(self) -> "TableWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._thread.shutdown(cancel_futures=error is not None)
        if error is not None:
            self._written += [f.result() for f in self._waiting if _succeeded(f)]
            self._record()

    def has_all(self, layers: Iterable[int]) -> bool:
        """Tell whether all these layers are recorded, and if so, count them as done."""
        recorded = [self._recorded(layer) for layer in layers]
        done = [one for one in recorded if one is not None]
        if len(done) < len(recorded):
            return False
        for one in done:
            self._count(one)
        return True

    def write(self, layer: int, after: U64, solved: Solved) -> None:
        """Have a layer written, or counted if it gets no file.

        An error of an earlier layer is raised here.

        Raises
        ------
        DiskFullError
        """
        while len(self._waiting) >= _MOST_WAITING:
            self._collect()
        recorded = self._recorded(layer)
        if recorded is not None:
            self._count(recorded)
            return
        self._waiting.append(self._thread.submit(self._write, layer, after, solved))
        if time.monotonic() - self._last_record > _RECORD_EVERY_S:
            self._record()

    def record_all(self) -> None:
        """Wait until all layers are written, and record them."""
        while self._waiting:
            self._collect()
        self._record()

    def finish(self) -> Manifest:
        """Wait for all layers; return the manifest that records them."""
        self.record_all()
        return self._manifest

    def _recorded(self, layer: int) -> Finished | None:
        return self._manifest.layers.get(layer) or self._manifest.omitted.get(layer)

    def _write(self, layer: int, after: U64, solved: Solved) -> Finished:
        if layer not in self._kept:
            return OmittedLayer(layer, *self._layers.counted(layer, after, solved, self._rate))
        threshold = self._manifest.options.threshold_of(layer)
        n_boards, words, encoded = self._layers.packed(layer, after, solved, self._rate, threshold)
        n_slots = self._layers.n_slots(layer)
        return write_layer(
            self._folder, layer, self._rate, n_slots, n_boards, words, encoded, self._level,
            new_array=self._layers.arrays.empty,
        )  # fmt: skip

    def _collect(self) -> None:
        written = self._waiting.pop(0).result()
        self._written.append(written)
        self._count(written)

    def _count(self, finished: Finished) -> None:
        self.boards += finished.boards
        self.bytes += finished.bytes if isinstance(finished, WrittenLayer) else 0

    def _record(self) -> None:
        self._last_record = time.monotonic()
        if self._written:
            self._manifest = self._manifest.with_layers(self._written)
            self._written = []
            self._manifest.save(self._folder)


def _succeeded(future: "Future[Finished]") -> bool:
    return future.done() and not future.cancelled() and future.exception() is None
