"""Looking boards up in a finished table."""

from collections import OrderedDict
from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine.bitboard import format_board
from engine.geometry import destinations, permute
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.errors import DamagedTableError, MissingTableError, ProbeError
from tablebase.fitting import Turns, turns_of, ways_to_fit
from tablebase.formation import Formation, half_sum
from tablebase.locations import as_folders, locate
from tablebase.rates import find_rate_type
from tablebase.row_facts import kernel_tables
from tablebase.space import Space
from tablebase.store.layer_file import CACHE_BYTES, LayerFile
from tablebase.store.manifest import Manifest, load_manifest
from tablebase.swap import settled
from tablebase.tables import Tables

if TYPE_CHECKING:
    from tablebase.recompute import Recomputation

_OPEN_FILES = 16
# A probe of a sparse table asks for a thousand boards of two layers: fewer files, more of each.
_OPEN_SPARSE_FILES = 8
# Up to so sparse a table knows thousands of boards in some 10 ms; at 12 it takes 2 s.
_QUICK_SPARSE = 4
# A table up to this size is checked from end to end when it is opened; a larger one has its sizes
# compared then, and each block's checksum whenever the block is read.
_CHECK_AT_OPENING_BYTES = 64 << 20


@dataclass(frozen=True)
class Probe:
    """What a table knows of a board.

    Attributes
    ----------
    board : int
        As asked for.
    table : str
        Name of the table that answered.
    rates : tuple of four float or None
        Success rates after LEFT, RIGHT, UP, DOWN; None for a move that is illegal or leaves the
        formation.
    best : int or None
        The direction of the highest rate, the first of equal ones; None without a legal move.
    masked : int
        The board as looked up: its large tiles replaced by F, and turned.
    """

    board: int
    table: str
    rates: tuple[float | None, float | None, float | None, float | None]
    best: int | None
    masked: int

    @property
    def best_rate(self) -> float:
        """Return the highest rate, -1 without a legal move."""
        return max((rate for rate in self.rates if rate is not None), default=-1.0)


class Tablebase:
    """A finished table, opened for look-ups; one caller at a time.

    Attributes
    ----------
    path : Path
    name, pattern : str
        Such as "L3_256" and "L3".
    target, n_layers, stored : int
    formation : Formation
    spawn4 : float
    rate : str
        The rate type.
    locations : Locations
        Where its layers are; its `warning` says which of them cannot be read now.

    Notes
    -----
    Layers of a sparse table that have no file are computed from those above by machine code, which
    is loaded when the first board of one is asked for.
    """

    _omitted: Container[int] = ()  # layers without a file
    _kept_bytes = 0  # of each layer; 0 when only some are kept, and those open

    def __init__(self, path: Path, manifest: Manifest, more_folders: Sequence[Path] = ()) -> None:
        self.path = path
        self.manifest = manifest
        self._folders = [path, *more_folders]
        self.locations = locate(self._folders, manifest)
        self.formation: Formation = manifest.formation
        self.name, self.pattern = manifest.name, manifest.formation.name
        self.target, self.spawn4, self.rate = manifest.target, manifest.spawn4, manifest.rate
        self.n_layers, self.stored = manifest.n_layers, manifest.stored
        self._omitted = manifest.omitted
        self._files: OrderedDict[int, LayerFile] = OrderedDict()
        self._images = destinations(self.formation.symmetry)
        self._rate_type = find_rate_type(manifest.rate)

    @classmethod
    def open(cls, path: Path | str | Sequence[Path | str]) -> "Tablebase":
        """Open the table in a folder, or in several: its own one first.

        Folders on other drives that the table knows of need not be named. When one of them is not
        there, the table opens all the same, and `locations.warning` says so.

        Raises
        ------
        MissingTableError
            There is none, or it is not finished.
        TableFormatError, DamagedTableError
            It is another program's, or not what was written.
        """
        folder, *more_folders = as_folders(path)
        folder = settled(folder)
        manifest = load_manifest(folder)
        if not manifest.complete:
            raise MissingTableError(
                f"the table in {folder} is not finished ({manifest.n_done} of "
                f"{manifest.n_layers} layers): start the same build again to go on with it"
            )
        table = cls(folder, manifest, more_folders)
        try:
            table.locations.check()
            if manifest.bytes <= _CHECK_AT_OPENING_BYTES:
                for _ in table.check_files():
                    pass
        except BaseException:
            table.close()
            raise
        return table

    @property
    def n_large(self) -> int:
        """Return the number of large tiles, F, on a board."""
        return self.formation.n_large

    @property
    def is_thinned(self) -> bool:
        """Tell whether boards of a rate above zero may be missing, so that a 0 may mean nothing."""
        options = self.manifest.options
        return options.threshold > 0 or options.optimal_only

    @property
    def is_quick(self) -> bool:
        """Tell whether `many_rates` takes but microseconds a board."""
        return self.manifest.options.sparse <= _QUICK_SPARSE

    @property
    def warning(self) -> str:
        """Return which layers cannot be read now and why, "" when all can."""
        return self.locations.warning

    def __enter__(self) -> "Tablebase":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all files; the table can still be used and opens them again."""
        while self._files:
            self._files.popitem()[1].close()

    def keep_layers(self, cache_bytes: int) -> None:
        """Keep all layers that are asked for, in so many bytes together, but none of them open.

        For who plays games by the table: they come through all its layers, again and again.
        """
        self.close()
        self._kept_bytes = cache_bytes // self.n_layers

    def probe(self, board: int) -> Probe:
        """Return the success rates of the four moves of `board`.

        The player's large tiles are replaced by F where the formation has its own, and the board
        is turned or mirrored, as far as that is needed. Of several ways to fit it, the one with the
        highest rate counts, the first of equal ones: a table need not hold a position's mirror
        image.

        Raises
        ------
        ProbeError
            The board does not fit the formation, or its tile sum lies outside the table.
        DamagedTableError
            A file is not what was written.
        """
        best: Probe | None = None
        why = "it is not inside the formation in any orientation"
        for masked, destination in self._fits(board):
            layer = half_sum(masked) - self.formation.seed_half_sum
            if not 0 <= layer < self.n_layers:
                why = self._sum_outside(masked)
                continue
            probe = self._probe_fitted(board, masked, destination, layer)
            if best is None or probe.best_rate > best.best_rate:
                best = probe
        if best is None:
            raise ProbeError(f"{self.name} cannot answer for {format_board(board)}: {why}")
        return best

    def turns(self, masked: int) -> list[list[int]]:
        """Return how to turn a board whose large tiles are F into the formation: destinations."""
        return turns_of(masked, self._space, self._turns)

    def get(self, board: int) -> Probe | None:
        """Return what `probe` does; None where it raises ProbeError."""
        try:
            return self.probe(board)
        except ProbeError:
            return None

    def rate_of(self, after: int) -> float:
        """Return the success rate of an after-state: 1 when it has reached the target.

        Raises
        ------
        ProbeError
            It does not fit the formation, or its tile sum lies outside the table.
        """
        turned, layer = self._place_of(after)
        return self._rates([turned], layer)[0]

    def rates_of(self, afters: Sequence[int]) -> list[float | None]:
        """Return what `rate_of` does of each after-state; None where it raises ProbeError.

        For a sparse table that is much faster than one at a time.
        """
        by_layer: dict[int, dict[int, int]] = {}
        for i, after in enumerate(afters):
            with suppress(ProbeError):
                turned, layer = self._place_of(after)
                by_layer.setdefault(layer, {})[i] = turned
        found: list[float | None] = [None] * len(afters)
        for layer, boards in by_layer.items():
            rates = self._rates(list(boards.values()), layer)
            for i, rate in zip(boards, rates, strict=True):
                found[i] = rate
        return found

    def many_rates(self, afters: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        """Return what `rate_of` does of many after-states, 0 where it raises ProbeError.

        By machine code, and only for boards whose large tiles are F, in any orientation; of several
        ways to fit one the highest rate counts.
        """
        from tablebase.bulk_rates import rates_of_many

        first, layer_rates = self.formation.seed_half_sum, self._recomputation.rates
        return rates_of_many(afters, first, self.n_layers, self.turns, layer_rates)

    def max_error(self, layer: int) -> float:
        """Return the largest difference between a rate of a layer and what the table answers.

        But for the rounding of sums: some 1e-16 for every layer that had to be computed.
        """
        if layer not in self._omitted:
            return self.layer_file(layer).max_error
        first = next(i for i in range(layer, self.n_layers) if i not in self._omitted)
        return max(self.layer_file(i).max_error for i in (first, first + 1))

    def start_board(self, rng: Rng) -> int:
        """Return a board to start from: one of the formation's seeds and a new tile."""
        seed = self.formation.seeds[rng.below(len(self.formation.seeds))]
        return spawn(seed, rng, self.spawn4)[0]

    def layer_boards(self, layer: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.generic]]:
        """Return the stored boards of a layer, canonical, ascending, and their stored values.

        For tests and exports; it unpacks the whole layer and needs the compiler. Of a sparse table
        only layers with a file can be listed.
        """
        from tablebase.listing import boards_of_layer  # loads the compiler

        file = self.layer_file(layer)
        blocks = [file.block(i) for i in range(file.n_blocks)]
        words = np.concatenate([np.zeros(0, np.uint64), *(words for words, _ in blocks)])
        values = np.concatenate([np.zeros(0, file.rate.dtype), *(values for _, values in blocks)])
        first = self.formation.seed_half_sum
        boards = boards_of_layer(self._space, self._tables, first + layer, words)
        order = np.argsort(boards)
        return boards[order], values[order]

    def canonical(self, board: int) -> int:
        """Return the least of the board's images under the formation's symmetry."""
        return min(permute(board, destination) for destination in self._images)

    def stored_board(self, layer: int, i_stored: int) -> tuple[int, np.generic]:
        """Return the `i_stored`-th stored board of a layer and its stored value."""
        file = self.layer_file(layer)
        i_block, before = file.block_of(i_stored)
        slots, values = file.slots_and_values(i_block)
        half = self.formation.seed_half_sum + layer
        return self._space.board(int(slots[i_stored - before]), half), values[i_stored - before]

    def layer_file(self, layer: int) -> LayerFile:
        """Return the opened file of a layer; its header is checked against the manifest.

        Raises
        ------
        MissingTableError
            The table is sparse and has no file of this layer, or it cannot be opened now.
        DamagedTableError
            It is not what was written.
        """
        if layer in self._files:
            self._files.move_to_end(layer)
            return self._files[layer]
        if layer in self._omitted:
            raise MissingTableError(
                f"{self.name} is sparse, its layer {layer} has no file: single boards of it can be "
                "looked up; build the table without sparse to list them all"
            )
        path = self._path(layer)
        recorded = self.manifest.layers[layer]
        most_open = _OPEN_SPARSE_FILES if self.manifest.omitted else _OPEN_FILES
        file = LayerFile(path, self._kept_bytes or CACHE_BYTES * _OPEN_FILES // most_open)
        n_slots = self._space.n_slots(self.formation.seed_half_sum + layer)
        found = file.layer, file.crc, file.rate.name, file.n_slots, file.n_boards, file.stored
        wanted = layer, recorded.crc, self.rate, n_slots, recorded.boards, recorded.stored
        if found != wanted:
            file.close()
            raise DamagedTableError(
                f"{file.path} is not the file that the manifest records: "
                "delete this file and start the same build again"
            )
        self._files[layer] = file
        if self._kept_bytes:
            file.close()
        elif len(self._files) > most_open:
            self._files.popitem(last=False)[1].close()
        return file

    def check_files(self) -> Iterator[int]:
        """Compare every checksum of the table; yield the bytes checked, bit by bit."""
        for layer in sorted(self.locations.layers):
            yield from self.layer_file(layer).check_blocks()

    def _path(self, layer: int) -> Path:
        """Return the file of a layer; look again when it was moved, or its drive has come back."""
        known = self.locations.layers.get(layer)
        if known is None or not known.exists():
            self.locations = locate(self._folders, self.manifest)
        return self.locations.path(layer)

    @cached_property
    def _space(self) -> Space:
        return Space(self.formation, self.target, self.n_layers)

    @cached_property
    def _tables(self) -> Tables:
        return kernel_tables(self._space, slides=False)

    def _fits(self, board: int) -> Iterator[tuple[int, list[int]]]:
        return ways_to_fit(board, self.formation, self.target, self._space, self._turns)

    @cached_property
    def _turns(self) -> Turns:
        return {}

    @cached_property
    def _recomputation(self) -> "Recomputation":
        from tablebase.recompute import Recomputation  # loads the compiler

        return Recomputation(self._space, self._tables, self.spawn4, self._omitted, self.layer_file)

    def _place_of(self, after: int) -> tuple[int, int]:
        """Return an after-state turned into the formation, and its layer; or raise ProbeError."""
        why = "it is not inside the formation in any orientation"
        for masked, destination in self._fits(after):
            layer = half_sum(masked) - self.formation.seed_half_sum
            if 0 <= layer < self.n_layers:
                return permute(masked, destination), layer
            why = self._sum_outside(masked)
            break
        raise ProbeError(f"{self.name} cannot answer for {format_board(after)}: {why}")

    def _probe_fitted(self, board: int, masked: int, destination: list[int], layer: int) -> Probe:
        afters = {}
        for direction in range(4):
            after = move(masked, direction, self.formation.walls)
            turned = permute(after, destination)
            if after != masked and self._space.is_inside(turned):
                afters[direction] = turned
        known = dict(zip(afters, self._rates(list(afters.values()), layer), strict=True))
        left, right, up, down = (known.get(direction) for direction in range(4))
        best = max(known, key=lambda direction: (known[direction], -direction), default=None)
        rates = (left, right, up, down)
        return Probe(board, self.name, rates, best, permute(masked, destination))

    def _rates(self, afters: list[int], layer: int) -> list[float]:
        """Return the rates of after-states that are turned into the formation."""
        if layer in self._omitted and not all(map(self._space.reached, afters)):
            boards = np.array(afters, np.uint64)
            return self._recomputation.rates(boards, layer).tolist()
        return [
            1.0 if self._space.reached(one) else self._stored_rate(one, layer) for one in afters
        ]

    def _stored_rate(self, after: int, layer: int) -> float:
        half = self.formation.seed_half_sum + layer
        slot = self._space.slot(self._space.stored_form(after), half)
        if slot is None:
            return 0.0
        stored = self.layer_file(layer).value(slot)
        return 0.0 if stored is None else self._rate_type.decode(stored)

    def _sum_outside(self, masked: int) -> str:
        first, last = self.formation.seed_half_sum, self.n_layers - 1
        return (
            f"its tiles other than F add up to {2 * half_sum(masked)}, the table covers "
            f"{2 * first} to {2 * (first + last)}"
        )
