"""Converting the layers of another program's table: boards into slots, rates into our types."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from engine.bitboard import format_board
from engine.platform.array_types import F64, I64, U64
from engine.platform.default_callbacks import never_cancelled
from engine.platform.language import tr
from engine.symmetry import canonical_many
from tablebase.errors import BuildCancelledError, BuildRefusedError, DamagedTableError
from tablebase.foreign.table import ReferenceTable
from tablebase.foreign.target import reached_many
from tablebase.kernels.bits import bitmap_words, build_index
from tablebase.kernels.optimal_replies import put_values, set_slots
from tablebase.kernels.unrank import slots_of_boards
from tablebase.memory.arrays import Arrays
from tablebase.rank.kernel_tables import Blocks
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space
from tablebase.store.layer_file import WrittenLayer, write_layer
from tablebase.store.rates import RateType, find_rate_type
from tablebase.store.stored_layer import encoded_rates


class ForeignLayerConverter:
    """Converts layers one by one.

    `folder` is the new table's, `rate` one of ``tablebase.store.rates.RATE_TYPES``; `generated` has
    the number of boards of each layer when it was generated, as far as known.
    """

    def __init__(
        self,
        source: ReferenceTable,
        folder: Path,
        rate: str,
        generated: Mapping[int, int],
        space: Space,
        arrays: Arrays,
    ) -> None:
        self._source, self._folder, self._generated = source, folder, generated
        self._rate: RateType = find_rate_type(rate)
        self._space, self._arrays = space, arrays
        self._tables = kernel_tables(space, slides=False, fours=False)

    def n_slots(self, layer: int) -> int:
        return self._space.n_slots(self._half_sum(layer))

    def _half_sum(self, layer: int) -> int:
        return self._source.formation.seed_half_sum + layer

    def convert(
        self, layer: int, is_cancelled: Callable[[], bool] = never_cancelled
    ) -> WrittenLayer:
        """Write one layer; return its record for the manifest.

        Boards that have reached the target are left out, since our tables know them by rule, and so
        are those whose rate is stored as 0.
        """
        arrays, n_slots = self._arrays, self.n_slots(layer)
        slots, rates, n_reached = self._open_boards(layer, is_cancelled)
        words = arrays.zeros(bitmap_words(n_slots), np.uint64)
        set_slots(words, slots)
        index = arrays.empty(2 * words.size, np.uint64)
        n = build_index(words, index)
        if n < slots.size and layer:  # seeds may be images of each other
            raise DamagedTableError(
                tr("{path} holds a board twice", path=self._source.found.layers[layer])
            )
        in_order = arrays.empty(n, np.float64)
        put_values(index, in_order, slots, rates)
        stored_bits, encoded = encoded_rates(words, in_order, self._rate, 0.0, arrays)
        generated = self._generated.get(layer, 0) - n_reached
        n_boards = max(generated, int(encoded.values.size))
        return write_layer(
            self._folder, layer, self._rate, n_slots, n_boards, stored_bits, encoded,
            new_array=arrays.empty,
        )  # fmt: skip

    def _open_boards(self, layer: int, is_cancelled: Callable[[], bool]) -> tuple[I64, F64, int]:
        """Return slots and rates of the boards below the target, and the number of the others."""
        source = self._source
        if layer not in source.found.layers:
            return np.zeros(0, np.int64), np.zeros(0), 0  # one of the last two, see check
        most = source.layer(layer).count()
        slots, values = self._arrays.empty(most, np.int64), self._arrays.empty(most, np.float64)
        blocks = self._space.blocks(self._half_sum(layer))
        n = n_reached = 0
        for boards, rates in source.records(layer):
            if is_cancelled():
                raise BuildCancelledError(tr("stopped; the same import resumes here"))
            reached = reached_many(source.formation, source.target.tile, boards)
            n_reached += int(reached.sum())
            boards, rates = boards[~reached], rates[~reached]
            if n + boards.size > most:
                raise DamagedTableError(
                    tr(
                        "{path} is damaged: it holds more than the {most} boards that its "
                        "streams promise",
                        path=source.found.layers[layer],
                        most=most,
                    )
                )
            part = slice(n, n + boards.size)
            slots[part], values[part] = self._slots(layer, blocks, boards), rates
            n += boards.size
        return slots[:n], values[:n], n_reached

    def _slots(self, layer: int, blocks: Blocks, boards: U64) -> I64:
        source = self._source
        canonical = canonical_many(boards, source.formation.symmetry)
        foreign = np.flatnonzero(canonical != boards)
        if layer and foreign.size:
            raise BuildRefusedError(
                tr(
                    "{path}: {board} is not in the form that {pattern} in patterns_config.json "
                    "gives it: the table was made with another symmetry",
                    path=source.found.layers[layer],
                    board=format_board(int(boards[foreign[0]])),
                    pattern=source.pattern,
                )
            )
        slots = slots_of_boards(self._tables, blocks, canonical, least=True)
        outside = np.flatnonzero(slots < 0)
        if outside.size:
            raise BuildRefusedError(
                tr(
                    "{path}: {board} and {count} others are outside of {pattern} by its "
                    "definition in patterns_config.json: the table was made with another one",
                    path=source.found.layers[layer],
                    board=format_board(int(boards[outside[0]])),
                    count=outside.size - 1,
                    pattern=source.pattern,
                )
            )
        if layer == source.n_layers - 1 or layer == source.n_layers - 2:
            self._refuse_longer(layer, boards)
        return slots

    def _refuse_longer(self, layer: int, boards: U64) -> None:
        if boards.size:
            raise BuildRefusedError(
                tr(
                    "{path}: {board} has a rate above 0 without having reached {target}, in one "
                    "of the last two layers: the table was made with other target cells or more "
                    "extra steps",
                    path=self._source.found.layers[layer],
                    board=format_board(int(boards[0])),
                    target=self._source.target,
                )
            )
