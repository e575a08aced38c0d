"""Packs finished layers, writes them while solving goes on, and records them in the manifest.

Only some layers of a sparse table are written; the others are counted and recorded.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tablebase.build.layer_steps import LayerSteps, Packing, StoredLayer
from tablebase.build_files import sync_files
from tablebase.kernels.bits import U64
from tablebase.kernels.layer_boards import Solved
from tablebase.store.codecs import FAST
from tablebase.store.layer_file import WrittenLayer
from tablebase.store.manifest import Manifest, OmittedLayer

_RECORD_EVERY_S = 0.5
_MAX_WAITING = 2  # layers whose values wait in memory to be written

Finished = WrittenLayer | OmittedLayer


class TableWriter:
    """Packs, writes and records layers in order, on a thread of its own.

    Many small files are synced together: a layer counts only once the manifest names it, so its
    file need not be on the drive before. A context manager: leaving it records what is written,
    even when the build stops half way.
    """

    def __init__(self, folder: Path, manifest: Manifest, layers: LayerSteps, level: int) -> None:
        self._folder = folder
        self._level = level
        self._manifest = manifest
        self._layers = layers
        self._kept = frozenset(manifest.layers_with_files)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._waiting: list[Future[Finished]] = []
        self._written: list[Finished] = []  # not recorded yet; only the writer's thread adds to it
        self._last_record = time.monotonic()
        self._before = frozenset([*manifest.layers, *manifest.omitted])
        self.boards, self.bytes = manifest.boards, manifest.bytes

    def __enter__(self) -> "TableWriter":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        self._thread.shutdown(cancel_futures=kind is not None)
        if kind is not None:
            self._record()

    def write(self, layer: int, after: U64, solved: Solved) -> None:
        """An error of an earlier layer is raised here, such as DiskFullError."""
        while len(self._waiting) >= _MAX_WAITING:
            self._collect()
        if layer not in self._before:
            packing = self._layers.packing(layer, after, solved, self._packing(layer))
            self._waiting.append(self._thread.submit(self._write, packing))

    def wait(self) -> None:
        while self._waiting:
            self._collect()

    def record_all(self) -> None:
        self.wait()
        self._thread.submit(self._record).result()

    def finish(self) -> Manifest:
        self.record_all()
        return self._manifest

    def _packing(self, layer: int) -> Packing:
        options = self._manifest.options
        level = FAST if options.is_thinned(layer) else self._level  # soon replaced
        is_kept = layer in self._kept
        return Packing(self._manifest.rate, options.threshold_of(layer), level, is_kept)

    def _write(self, packing: Callable[[], StoredLayer]) -> Finished:
        packed = packing()
        if isinstance(packed, OmittedLayer):
            finished: Finished = packed
        else:
            room = self._layers.arrays.make_room
            finished = packed.write(self._folder, durable=False, make_room=room)
        self._written.append(finished)
        if time.monotonic() - self._last_record > _RECORD_EVERY_S:
            self._record()
        return finished

    def _collect(self) -> None:
        finished = self._waiting.pop(0).result()
        self.boards += finished.boards
        self.bytes += finished.bytes if isinstance(finished, WrittenLayer) else 0

    def _record(self) -> None:
        if self._written:
            files = [layer.file for layer in self._written if isinstance(layer, WrittenLayer)]
            sync_files([self._folder / name for name in files])
            self._manifest = self._manifest.with_layers(self._written)
            self._written = []
            self._manifest.save(self._folder)
        self._last_record = time.monotonic()
