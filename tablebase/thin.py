"""Reducing a solved table to optimal play: a forward pass over its layer files.

From layer `FIRST_THINNED` on each layer is read, reduced to the best replies to whatever the two
layers before lead to, and written under another name; when the manifest records that, the old file
is deleted. What a layer is reduced to depends on the files alone, so the pass can be stopped at any
moment: the next run goes on after the last layer that is recorded.
"""

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tablebase.best import mark_kept
from tablebase.bits import U64, empty_bitmap
from tablebase.layers import Layers
from tablebase.options import FIRST_THINNED
from tablebase.progress import ProgressClock
from tablebase.rates import F64, Encoded, find_rate_type
from tablebase.store.layer_file import LayerFile, WrittenLayer, layer_name, write_layer
from tablebase.store.manifest import Manifest

_RECORD_EVERY_S = 0.5


@dataclass(frozen=True)
class StoredLayer:
    """The content of one layer file.

    Attributes
    ----------
    words : uint64[...]
        Bitmap of the stored boards.
    encoded : Encoded
        Their rates as they are stored.
    rates : float64[n]
        Their rates.
    max_error : float
        Largest difference between a rate and what is stored for it.
    """

    words: U64
    encoded: Encoded
    rates: F64
    max_error: float

    def reduced_to(self, kept: U64) -> "StoredLayer":
        """Return the layer with those boards alone that are ones of a bitmap."""
        marks = np.empty(self.rates.size, np.bool_)
        mark_kept(self.words, kept, marks)
        encoded = Encoded(self.encoded.values[marks], self.encoded.levels)
        return StoredLayer(self.words & kept, encoded, self.rates[marks], self.max_error)


def read_stored(file: LayerFile) -> StoredLayer:
    """Return the content of a layer file; every checksum is compared."""
    words = empty_bitmap(file.n_slots)
    stored = np.empty(file.stored, np.float64 if file.levels else file.rate.dtype)
    at = done = 0
    for i in range(file.n_blocks):
        bitmap, values = file.block(i)
        part = min(bitmap.size, words.size - 2 - at)
        words[at : at + part] = bitmap[:part]
        stored[done : done + values.size] = values
        at, done = at + part, done + values.size
    rates = file.rate.decode_many(stored)
    if file.levels:
        stored = np.searchsorted(file.levels.rates(), rates).astype(file.rate.dtype)
    return StoredLayer(words, Encoded(stored, file.levels), rates, file.max_error)


class BestReplies:
    """Thins layers in ascending order, each from the two before it."""

    def __init__(self, layers: Layers) -> None:
        self._layers = layers
        self._closed: dict[int, U64] = {}

    def remember(self, layer: int, words: U64) -> None:
        """Take note of which boards of a layer are stored in the end."""
        two_before = {i: one for i, one in self._closed.items() if i == layer - 1}
        self._closed = {**two_before, layer: self._layers.images(layer, words)}

    def knows(self, layer: int) -> bool:
        """Tell whether `remember` was called for a layer, and not for later ones since."""
        return layer in self._closed

    def thinned(self, layer: int, stored: StoredLayer) -> StoredLayer:
        """Return what optimal play comes to of a layer, and remember it."""
        pre = self._layers.spawn(layer, [self._closed[layer - 1], self._closed[layer - 2]])
        kept = self._layers.best_replies(layer, pre, stored.words, stored.rates)
        thinned = stored.reduced_to(kept)
        self.remember(layer, thinned.words)
        return thinned


def thin_table(
    folder: Path, manifest: Manifest, layers: Layers, level: int, clock: ProgressClock
) -> Manifest:
    """Thin what is not thinned yet of a table whose layers are all recorded.

    Parameters
    ----------
    folder : Path
    manifest : Manifest
        Of the table; it is saved whenever something is done.
    layers : Layers
    level : int
        How hard to compress.
    clock : ProgressClock
        Told of every layer.

    Returns
    -------
    Manifest
        That records the thinned layers.
    """
    best, record = BestReplies(layers), _Record(folder, manifest)
    for layer in range(FIRST_THINNED, manifest.n_layers):
        if manifest.has_thinned(layer):
            (folder / layer_name(layer)).unlink(missing_ok=True)  # stopped before it was deleted
        else:
            for before in (layer - 2, layer - 1):
                if not best.knows(before):
                    best.remember(before, _read(record, before).words)
            thinned = best.thinned(layer, _read(record, layer))
            record.add(_write(folder, manifest, layers, layer, thinned, level))
        clock.advance("thin", layer, record.manifest.boards, record.manifest.bytes)
    record.save()
    return record.manifest


class _Record:
    """Which layers are thinned already, in the manifest or about to be written into it."""

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
            path.unlink(missing_ok=True)
        self._last_s, self._old = time.monotonic(), []


def _read(record: _Record, layer: int) -> StoredLayer:
    file = LayerFile(record.folder / record.manifest.layers[layer].file)
    try:
        return read_stored(file)
    finally:
        file.close()


def _write(
    folder: Path, manifest: Manifest, layers: Layers, layer: int, thinned: StoredLayer, level: int
) -> WrittenLayer:
    rate, n_slots = find_rate_type(manifest.rate), layers.n_slots(layer)
    return write_layer(
        folder, layer, rate, n_slots, manifest.layers[layer].boards, thinned.words,
        thinned.encoded, level, is_thinned=True, max_error=thinned.max_error,
    )  # fmt: skip
