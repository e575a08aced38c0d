"""Converting the layers of another program's table: boards into slots, rates into our types."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import psutil

from engine.bitboard import format_board
from engine.symmetry import canonical_many
from engine.wording import bytes_text
from tablebase.errors import BuildCancelledError, BuildRefusedError, DamagedTableError
from tablebase.listing import slots_of_boards
from tablebase.rates import RateType, find_rate_type
from tablebase.reference.table import ReferenceTable
from tablebase.reference.target import reached_many
from tablebase.row_facts import kernel_tables
from tablebase.space import Space
from tablebase.store.layer_file import WrittenLayer, write_layer

U64 = npt.NDArray[np.uint64]
F64 = npt.NDArray[np.float64]


def _never() -> bool:
    return False


class LayerConverter:
    """Converts one layer after the other.

    Parameters
    ----------
    source : ReferenceTable
    folder : Path
        Of the new table.
    rate : str
        One of ``tablebase.rates.RATE_TYPES``.
    generated : mapping
        Boards that each layer had when it was generated, as far as that is known.
    """

    def __init__(
        self, source: ReferenceTable, folder: Path, rate: str, generated: Mapping[int, int]
    ) -> None:
        self._source, self._folder, self._generated = source, folder, generated
        self._rate: RateType = find_rate_type(rate)
        self.space = Space(self._source.formation, self._source.target, self._source.n_layers)
        self._tables = kernel_tables(self.space)

    def half_sum(self, layer: int) -> int:
        """Return half the tile sum of a layer's boards."""
        return self._source.formation.seed_half_sum + layer

    def convert(self, layer: int, is_cancelled: Callable[[], bool] = _never) -> WrittenLayer:
        """Write one layer; return what the manifest records of it.

        Boards that have reached the target are left out, for our tables know them by rule, and so
        are those whose rate is stored as 0.
        """
        n_slots = self.space.n_slots(self.half_sum(layer))
        slots, rates, n_reached = self._open_boards(layer, n_slots, is_cancelled)
        order = np.argsort(slots)
        slots, rates = slots[order], rates[order]
        again = np.flatnonzero(slots[1:] == slots[:-1])
        if again.size and layer:  # seeds may be images of each other
            raise DamagedTableError(f"{self._source.found.layers[layer]} holds a board twice")
        slots, rates = np.delete(slots, again), np.delete(rates, again)
        values = encode_rates(self._rate, rates)
        slots, values = slots[values != 0], values[values != 0]
        generated = self._generated.get(layer, 0) - n_reached
        n_boards = max(generated, int(values.size))
        words = bitmap_of(slots, n_slots)
        return write_layer(self._folder, layer, self._rate, n_slots, n_boards, words, values)

    def _open_boards(
        self, layer: int, n_slots: int, is_cancelled: Callable[[], bool]
    ) -> tuple[npt.NDArray[np.int64], F64, int]:
        """Return the slots of the boards that have not reached the target, their rates, and the
        number of the others."""
        source = self._source
        if layer not in source.found.layers:
            return np.zeros(0, np.int64), np.zeros(0), 0  # one of the last two, see check
        opened = source.layer(layer)
        _check_memory(opened.bytes // source.stored_rate.record.itemsize, n_slots)
        slots, kept, n_reached = [np.zeros(0, np.int64)], [np.zeros(0)], 0
        for boards, rates in source.records(layer):
            if is_cancelled():
                raise BuildCancelledError("stopped; the same import goes on from here")
            reached = reached_many(source.formation, source.target, boards)
            n_reached += int(reached.sum())
            boards, rates = boards[~reached], rates[~reached]
            slots.append(self._slots(layer, boards))
            kept.append(rates)
        return np.concatenate(slots), np.concatenate(kept), n_reached

    def _slots(self, layer: int, boards: U64) -> npt.NDArray[np.int64]:
        source = self._source
        canonical = canonical_many(boards, source.formation.symmetry)
        foreign = np.flatnonzero(canonical != boards)
        if layer and foreign.size:
            raise BuildRefusedError(
                f"{source.found.layers[layer]}: {format_board(int(boards[foreign[0]]))} is not in "
                f"the form that {source.pattern} in patterns_config.json gives it: the table was "
                "made with another symmetry"
            )
        blocks = self.space.blocks(self.half_sum(layer))
        slots = slots_of_boards(self._tables, blocks, canonical, least=True)
        outside = np.flatnonzero(slots < 0)
        if outside.size:
            raise BuildRefusedError(
                f"{source.found.layers[layer]}: {format_board(int(boards[outside[0]]))} and "
                f"{outside.size - 1} others lie outside of {source.pattern} by its definition in "
                "patterns_config.json: the table was made with another one"
            )
        if layer == source.n_layers - 1 or layer == source.n_layers - 2:
            self._refuse_longer(layer, boards)
        return slots

    def _refuse_longer(self, layer: int, boards: U64) -> None:
        if boards.size:
            raise BuildRefusedError(
                f"{self._source.found.layers[layer]}: {format_board(int(boards[0]))} has a rate "
                f"above 0 without having reached {self._source.target}, in one of the last two "
                "layers: the table was made with other target cells or more extra steps"
            )


def encode_rates(rate: RateType, rates: F64) -> npt.NDArray[np.generic]:
    """Return probabilities as a rate type stores them, to the nearest."""
    scaled = rates * rate.scale
    return (np.rint(scaled) if rate.is_rounded else scaled).astype(rate.dtype)


def bitmap_of(slots: npt.NDArray[np.int64], n_slots: int) -> U64:
    """Return the bitmap (uint64[ceil(n_slots / 64)]) of `slots`, which are ascending."""
    words = np.zeros(-(-n_slots // 64), np.uint64)
    if slots.size:
        i_word = slots >> 6
        first = np.flatnonzero(np.diff(i_word, prepend=-1))
        bits = np.uint64(1) << (slots & 63).astype(np.uint64)
        words[i_word[first]] = np.bitwise_or.reduceat(bits, first)
    return words


def _check_memory(n_records: int, n_slots: int) -> None:
    """Refuse a layer that cannot be held, instead of making the machine swap."""
    need, limit = 60 * n_records + n_slots // 4, psutil.virtual_memory().total
    if need > limit:
        raise BuildRefusedError(
            f"the largest layer needs about {bytes_text(need)} of memory to convert, more than the "
            f"{bytes_text(limit)} there are; the table can be used as it is, without importing it"
        )
