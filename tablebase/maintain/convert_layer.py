"""What a conversion is to make of a table, and the conversion of one layer."""

import os
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from engine.geometry import destinations
from engine.platform.language import tr
from tablebase.build.layers import Layers
from tablebase.build.prune import BestReplies
from tablebase.build.worker_pool import LayerPool
from tablebase.errors import BuildCancelledError
from tablebase.kernels.bits import pack_rates
from tablebase.memory.arrays import Arrays
from tablebase.memory.limits import (
    MIN_BYTES,
    blocks_bytes,
    memory_limit,
    packing_needed,
    thinning_needed,
)
from tablebase.probe.reader import Tablebase
from tablebase.rank.space import Space
from tablebase.store.layer_file import WrittenLayer, pack_layer
from tablebase.store.manifest import Manifest
from tablebase.store.options import FIRST_THINNED, TableOptions
from tablebase.store.rates import find_rate_type
from tablebase.store.stored_layer import StoredLayer, decoded, encoded_rates, read_stored

_EXACT = 1e-15  # the largest error of a rate that is stored as solved


@dataclass(frozen=True)
class ConvertPlan:
    """The parameters of a conversion; None leaves an option unchanged."""

    # The table's own folder, then any parts on other drives that it has not recorded.
    folders: Sequence[Path]
    rate: str | None = None
    threshold: float | None = None
    optimal_only: bool = False
    sparse: int | None = None  # see `TableOptions`
    # Compression level. Files do not record theirs, so with any level all layers are rewritten;
    # with None only those that change, at a fast level.
    level: str | None = None
    # The new table becomes ``out/NAME``, and the original stays; None to replace it.
    out: Path | None = None
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    # The memory limit; working arrays that do not fit are mapped to files of the new table's
    # folder; None for most of the machine's memory.
    memory_bytes: int | None = None

    def options(self, have: TableOptions) -> TableOptions:
        return replace(
            have,
            rate=have.rate if self.rate is None else self.rate,
            threshold=have.threshold if self.threshold is None else float(self.threshold),
            optimal_only=have.optimal_only or self.optimal_only,
            sparse=have.sparse if self.sparse is None else self.sparse,
        )


class LayerConverter:
    """Converts the layers of a table in ascending order; a context manager.

    Large arrays are mapped in `folder`, which exists. BuildRefusedError: too little memory is
    allowed.
    """

    def __init__(
        self,
        plan: ConvertPlan,
        table: Tablebase,
        options: TableOptions,
        is_cancelled: Callable[[], bool],
        folder: Path,
    ) -> None:
        self._table, self._options = table, options
        self._rate = find_rate_type(options.rate)
        self._is_cancelled = is_cancelled
        self._stack = ExitStack()
        self.changed = self.changed_layers(table.manifest, options)
        self._best: BestReplies | None = None
        is_thinning = thins(table.manifest.options, options)
        space = Space(table.formation, table.target, table.n_layers) if is_thinning else None
        limit = _limit(table, self.changed, space, plan.memory_bytes)
        self._arrays = self._stack.enter_context(Arrays(folder, limit))
        if space:
            pool = self._stack.enter_context(LayerPool(plan.threads, is_cancelled, self._arrays))
            self._best = BestReplies(Layers(space, table.spawn4, pool, self._arrays))

    def __enter__(self) -> "LayerConverter":
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

    @staticmethod
    def changed_layers(before: Manifest, options: TableOptions) -> set[int]:
        have = before.options
        return {
            layer
            for layer in range(before.n_layers)
            if have.rate != options.rate
            or have.threshold_of(layer) != options.threshold_of(layer)
            or (options.is_thinned(layer) and thins(have, options))
        }

    def count(self, layer: int) -> int:
        return self._encoded(layer).rates.size

    def write(self, folder: Path, now: Manifest, layer: int, level: int) -> WrittenLayer:
        stored = self._encoded(layer)
        if self._best is not None and layer >= FIRST_THINNED:
            stored = self._best.thinned(layer, stored, folder, now)
        check_stop(self._is_cancelled)
        original = self._table.layer_file(layer)
        packed = pack_layer(
            layer, self._rate, original.n_slots, original.n_boards, stored.words,
            stored.encoded, level, is_thinned=self._options.is_thinned(layer),
            max_error=stored.max_error, new_array=self._arrays.empty,
            make_room=self._arrays.make_room,
        )  # fmt: skip
        return packed.write(folder, make_room=self._arrays.make_room)

    def _encoded(self, layer: int) -> StoredLayer:
        check_stop(self._is_cancelled)
        self._table.close()  # to drop cached blocks of other layers
        source = read_stored(self._table.layer_file(layer), self._arrays)
        check_stop(self._is_cancelled)
        threshold, have = self._options.threshold_of(layer), self._table.manifest.options
        if self._options.rate != have.rate:
            return self._reencoded(source, threshold)
        if threshold == have.threshold_of(layer):
            return source
        stored_bits = self._arrays.zeros(source.words.size, np.uint64)
        rates = self._arrays.empty(source.rates.size + 1, np.float64)
        words = source.words
        pack_rates(words, source.rates, threshold, 1.0, False, words, stored_bits, rates)
        return source.reduced_to(stored_bits, self._arrays)

    def _reencoded(self, source: StoredLayer, threshold: float) -> StoredLayer:
        words, encoded = encoded_rates(
            source.words, source.rates, self._rate, threshold, self._arrays
        )
        error = encoded.levels.max_error if encoded.levels else self._rate.max_error
        if source.max_error > _EXACT:
            error += source.max_error
        return StoredLayer(words, encoded, decoded(encoded, self._rate, self._arrays), error)


def check_stop(is_cancelled: Callable[[], bool]) -> None:
    """Raise BuildCancelledError, saying what is left of the conversion, if it is to stop."""
    if is_cancelled():
        raise BuildCancelledError(tr("the original is intact, and the same command resumes"))


def thins(have: TableOptions, options: TableOptions) -> bool:
    """Return whether layers are to be reduced to optimal play, or reduced once more."""
    return options.optimal_only and (not have.optimal_only or have.threshold != options.threshold)


def _limit(
    table: Tablebase, changed: Collection[int], space: Space | None, wanted: int | None
) -> int | None:
    recorded = [table.manifest.layers[i] for i in changed if i in table.manifest.layers]
    most_stored = max((layer.stored for layer in recorded), default=0)
    most_slots = max((table.layer_file(layer.layer).n_slots for layer in recorded), default=0)
    needed, least = packing_needed(most_slots, most_stored), MIN_BYTES
    if space:
        n_images = len(destinations(table.formation.symmetry))
        needed = thinning_needed(most_slots, most_stored, n_images)
        least += blocks_bytes(space)
    return memory_limit(tr("converting {table}", table=table.name), needed, wanted, least)
