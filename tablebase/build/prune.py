"""Reducing a solved table to optimal play: a forward pass over its layer files.

From layer `FIRST_THINNED` on each layer is read, reduced to the best replies to the pre-states that
the two layers before lead to, and written under another name; once the manifest records that, the
old file is deleted. The result for a layer depends on the files alone, so the pass can be stopped
at any moment: the next run continues after the last recorded layer. It runs segment by segment
(tablebase.build.segments), so that few layers are on the drive unthinned.
"""

import time
from contextlib import closing
from pathlib import Path

from tablebase.build.layers import Layers
from tablebase.build.progress import ProgressClock
from tablebase.build_files import unlink
from tablebase.kernels.bits import U64
from tablebase.memory.arrays import Arrays
from tablebase.store.layer_file import LayerFile, WrittenLayer, layer_name, pack_layer
from tablebase.store.manifest import Manifest
from tablebase.store.options import FIRST_THINNED
from tablebase.store.rates import find_rate_type
from tablebase.store.stored_layer import StoredLayer, read_stored

_RECORD_EVERY_S = 0.5


class BestReplies:
    """Thins layers in ascending order, each from the two before it."""

    def __init__(self, layers: Layers) -> None:
        self._layers = layers
        self._closed: dict[int, U64] = {}

    def _remember(self, layer: int, words: U64) -> None:
        two_before = {i: closed for i, closed in self._closed.items() if i == layer - 1}
        self._closed = {**two_before, layer: self._layers.images(layer, words)}

    def thinned(
        self, layer: int, stored: StoredLayer, folder: Path, manifest: Manifest
    ) -> StoredLayer:
        """Return the part of a layer that optimal play reaches; the folder has those before it."""
        arrays = self._layers.arrays
        for before in (layer - 2, layer - 1):
            if before not in self._closed:
                file = folder / manifest.layers[before].file
                self._remember(before, read_layer(file, arrays).words)
        pre = self._layers.spawn(layer, [self._closed[layer - 1], self._closed[layer - 2]])
        replies = self._layers.best_replies(layer, pre, stored.words, stored.rates)
        thinned = stored.reduced_to(replies, arrays)
        self._remember(layer, thinned.words)
        return thinned


def prune_table(
    folder: Path,
    manifest: Manifest,
    layers: Layers,
    level: int,
    clock: ProgressClock,
    segment: range,
) -> Manifest:
    """Thin the rest of a segment of layers; these and all layers before are recorded."""
    best, record = BestReplies(layers), _Record(folder, manifest)
    for layer in range(max(FIRST_THINNED, segment.start), segment.stop):
        if manifest.has_thinned(layer):
            unlink(folder / layer_name(layer))  # left by an earlier run
        else:
            stored = read_layer(folder / record.manifest.layers[layer].file, layers.arrays)
            thinned = best.thinned(layer, stored, folder, record.manifest)
            record.add(_write(folder, manifest, layers, layer, thinned, level))
        clock.advance("thin", layer, record.manifest.boards, record.manifest.bytes)
    record.save()
    return record.manifest


class _Record:
    """The layers thinned so far, in the manifest or about to be written into it."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self._last_s = time.monotonic()
        self._old: list[Path] = []

    def add(self, written: WrittenLayer) -> None:
        self._old.append(self.folder / layer_name(written.layer))
        self.manifest = self.manifest.with_layers([written])
        if time.monotonic() - self._last_s > _RECORD_EVERY_S:
            self.save()

    def save(self) -> None:
        if self._old:
            self.manifest.save(self.folder)
        for path in self._old:
            unlink(path)
        self._last_s, self._old = time.monotonic(), []


def read_layer(path: Path, arrays: Arrays) -> StoredLayer:
    with closing(LayerFile(path)) as file:
        return read_stored(file, arrays)


def _write(
    folder: Path, manifest: Manifest, layers: Layers, layer: int, thinned: StoredLayer, level: int
) -> WrittenLayer:
    rate, n_slots = find_rate_type(manifest.rate), layers.n_slots(layer)
    packed = pack_layer(
        layer, rate, n_slots, manifest.layers[layer].boards, thinned.words,
        thinned.encoded, level, is_thinned=True, max_error=thinned.max_error,
        new_array=layers.arrays.empty, make_room=layers.arrays.make_room,
    )  # fmt: skip
    return packed.write(folder, make_room=layers.arrays.make_room)
