"""Looking boards up in a finished table.

What a table holds is exact. What it does not hold may be worth nothing, or may never have been
generated, for a person can type any board. A look-up never mixes the two up: 0 is the rate of a
board that is sure to come up from the formation's seeds and is not stored
(`tablebase.probe.comes_up`), or of one after which no move or no layer is left; of any other the
rate is unknown.

A table with limits (`tablebase.store.options`) knows lower bounds: what it leaves out counted as
lost when it was built, and is unknown here, never 0.
"""

from collections import OrderedDict
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine.bitboard import format_board
from engine.geometry import destinations, permute
from engine.language import tr
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.errors import DamagedTableError, MissingTableError, ProbeError
from tablebase.formation.formation import Formation, half_sum
from tablebase.probe.embed import Turns, turns_of, ways_to_fit
from tablebase.rank.kernel_tables import KernelTables
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import AT_TARGET, Space
from tablebase.store.block_cache import BlockCache
from tablebase.store.codecs import BlockReader
from tablebase.store.layer_file import CACHE_BYTES, LayerFile
from tablebase.store.layer_locations import as_folders, locate
from tablebase.store.manifest import IMPORT_NAME, Manifest, load_manifest
from tablebase.store.rates import find_rate_type
from tablebase.store.replace_table import settled

if TYPE_CHECKING:
    from tablebase.probe.comes_up import Provenance
    from tablebase.probe.recompute import Recomputation

_OPEN_FILES = 16
# A probe of a sparse table asks for a thousand boards of two layers: fewer files, more of each.
_OPEN_SPARSE_FILES = 8
# Up to so sparse a table knows thousands of boards in some 10 ms; at 12 it takes 2 s.
_QUICK_SPARSE = 4
_MOST_SEEDS = 1000  # from which it is worked out what follows
_SPAWNED = (1, 2)  # exponents: a 2, a 4
# A table up to this size is checked from end to end when it is opened; a larger one has its sizes
# compared then, and each block's checksum whenever the block is read.
_CHECK_AT_OPENING_BYTES = 64 << 20


Rates = tuple[float | None, float | None, float | None, float | None]
"""Success rates after LEFT, RIGHT, UP, DOWN."""


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
        Success rates after LEFT, RIGHT, UP, DOWN; None for a move that is illegal, leaves the
        formation, or is unknown.
    best : int or None
        The direction of the highest rate, the first of equal ones; None without a legal move, and
        where an unknown one may be better.
    masked : int
        The board as looked up: its large tiles replaced by F, and turned.
    unknown : tuple of int
        The directions that are possible, but whose value cannot be known from this table.
    """

    board: int
    table: str
    rates: Rates
    best: int | None
    masked: int
    unknown: tuple[int, ...] = ()

    @property
    def best_rate(self) -> float:
        """Return the highest rate that is known, -1 without any."""
        return max((rate for rate in self.rates if rate is not None), default=-1.0)


class Tablebase:
    """A finished table, opened for look-ups; one caller at a time.

    Attributes
    ----------
    path : Path
    name, pattern : str
        Such as "L3_256" and "L3".
    target : Goal
    n_layers, stored : int
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
    _is_source_thinned = False  # whether it was imported from a table that lacks boards
    _kept: BlockCache | None = None  # of all layers; None when only those are kept that are open

    def __init__(self, path: Path, manifest: Manifest, more_folders: Sequence[Path] = ()) -> None:
        self.path = path
        self.manifest = manifest
        self._folders = [path, *more_folders]
        self.locations = locate(self._folders, manifest)
        self.formation: Formation = manifest.formation
        self.name, self.pattern = manifest.name, manifest.formation.name
        self.target, self.spawn4, self.rate = manifest.goal, manifest.spawn4, manifest.rate
        self.n_layers, self.stored = manifest.n_layers, manifest.stored
        self._omitted = manifest.omitted
        self._files: OrderedDict[int, LayerFile] = OrderedDict()
        self._unpack = BlockReader()
        self._images = destinations(self.formation.symmetry)
        self._rate_type = find_rate_type(manifest.rate)
        self._key = object()  # of its layers, in a cache for many tables

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
                tr(
                    "the table in {folder} is not finished ({done} of {layers} layers): start "
                    "the same build again to go on with it",
                    folder=folder,
                    done=manifest.n_done,
                    layers=manifest.n_layers,
                )
            )
        table = cls(folder, manifest, more_folders)
        try:
            table._is_source_thinned = _is_source_thinned(folder)
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
        """Tell whether boards of a rate above zero may be missing, which then are unknown."""
        options = self.manifest.options
        leaves_out = options.threshold > 0 or options.optimal_only or options.is_limited
        return leaves_out or self._is_source_thinned

    @property
    def is_limited(self) -> bool:
        """Tell whether the rates are lower bounds, as boards beyond limits count as lost."""
        return self.manifest.options.is_limited

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

    def keep_layers(self, cache: BlockCache) -> None:
        """Keep what is asked for in a cache, which may serve other tables as well.

        For who plays games by the table: they come through all its layers, again and again. Blocks
        are unpacked by machine code, which is loaded now.
        """
        self.close()
        self._kept = cache
        self._unpack_quickly()

    def probe(self, board: int, comes_up: bool = False) -> Probe:
        """Return the success rates of the four moves of `board`.

        The player's large tiles are replaced by F where the formation has its own, and the board
        is turned or mirrored, as far as that is needed. Of several ways to fit it, the one with the
        highest rate counts, the first of equal ones: a table need not hold a position's mirror
        image.

        Parameters
        ----------
        board : int
        comes_up : bool
            Whether the board is known to come up from the formation's seeds, as one that follows
            another one that does. Otherwise the table looks for a proof where it needs one.

        Raises
        ------
        ProbeError
            The board does not fit the formation, or its tile sum lies outside the table.
        DamagedTableError
            A file is not what was written.
        """
        found: list[tuple[int, Sequence[int], Probe]] = []
        why = tr("it is not inside the formation in any orientation")
        for masked, destination in self._fits(board):
            layer = self._layer_of(masked)
            if layer is None:
                why = self._sum_outside(masked)
                continue
            probe = self._probe_fitted(board, masked, destination, layer, comes_up)
            found.append((masked, destination, probe))
        if not found:
            raise ProbeError(
                tr(
                    "{name} cannot answer for {board}: {why}",
                    name=self.name,
                    board=format_board(board),
                    why=why,
                ),
                why,
            )
        if len(found) == 1:
            return found[0][2]
        alike: dict[tuple[int, tuple[int, ...]], list[Probe]] = {}
        for masked, destination, probe in found:
            alike.setdefault((masked, self._game_of(destination)), []).append(probe)
        return _highest([_surest(probes) for probes in alike.values()])

    def turns(self, masked: int) -> list[Sequence[int]]:
        """Return how to turn a board whose large tiles are F into the formation: destinations."""
        return turns_of(masked, self._space, self._turns)

    def get(self, board: int, comes_up: bool = False) -> Probe | None:
        """Return what `probe` does; None where it raises ProbeError."""
        try:
            return self.probe(board, comes_up)
        except ProbeError:
            return None

    def held_rates(self, board: int) -> Rates | None:
        """Return the success rates of the four moves, as far as the table holds them.

        For who plays by the table, and has a move to make: nothing is proved, which may take a
        hundred times as long. None for a move stands for a rate of 0 and for an unknown one alike;
        and in layers without a file what is not stored above counts as 0, so that rates of a board
        that does not come up may be too low, never too high. Of several ways to fit the board the
        one with the highest rate counts.

        Returns
        -------
        tuple of four float or None, or None
            None where `probe` raises ProbeError.

        Raises
        ------
        DamagedTableError
            A file is not what was written.
        """
        best: Rates | None = None
        best_merit = -1.0, 0
        for masked, destination in self._fits(board):
            layer = self._layer_of(masked)
            if layer is None:
                continue
            afters = self._afters(masked, destination)
            held = dict(zip(afters, self._held(list(afters.values()), layer), strict=True))
            known = [rate for rate in held.values() if rate is not None]
            merit = max(known, default=-0.5), len(known)  # a mirror image may be held as well
            if merit > best_merit:
                left, right, up, down = map(held.get, range(4))
                best, best_merit = (left, right, up, down), merit
        return best

    def rate_of(self, after: int, comes_up: bool = False) -> float | None:
        """Return the success rate of an after-state: 1 when it has reached the goal.

        None where it cannot be known from this table: the after-state is not stored, and nothing
        proves that it comes up, or the table leaves out boards of a rate above zero.

        Raises
        ------
        ProbeError
            It does not fit the formation, or its tile sum lies outside the table.
        """
        turned, layer = self._place_of(after)
        return self._rates([turned], layer, lambda: comes_up)[0]

    def rates_of(self, afters: Sequence[int], comes_up: bool = False) -> list[float | None]:
        """Return what `rate_of` does of each after-state; None also where it raises ProbeError.

        For a sparse table that is much faster than one at a time.

        Parameters
        ----------
        afters : sequence of int
        comes_up : bool
            Whether all of them are known to come up.
        """
        by_layer: dict[int, dict[int, int]] = {}
        for i, after in enumerate(afters):
            with suppress(ProbeError):
                turned, layer = self._place_of(after)
                by_layer.setdefault(layer, {})[i] = turned
        found: list[float | None] = [None] * len(afters)
        for layer, boards in by_layer.items():
            rates = self._rates(list(boards.values()), layer, lambda: comes_up)
            for i, rate in zip(boards, rates, strict=True):
                found[i] = rate
        return found

    def many_rates(
        self, afters: npt.NDArray[np.uint64], best_way: bool = True
    ) -> npt.NDArray[np.float64]:
        """Return the rates of many after-states that are stored, NaN for all others.

        By machine code, and only for boards whose large tiles are F, in any orientation. Of a
        sparse table it tells the layers that have a file.

        Parameters
        ----------
        afters : uint64[n]
        best_way : bool
            Whether of several ways to fit a board the highest rate counts, or that of the first
            way, as for `rates_of`.
        """
        from tablebase.probe.bulk_rates import rates_of_many

        def first_turn(masked: int) -> list[Sequence[int]]:
            return self.turns(masked)[:1]

        turns = self.turns if best_way else first_turn
        first = self.formation.seed_half_sum
        return rates_of_many(afters, first, self.n_layers, turns, self._held_rates)

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
        from tablebase.kernels.unrank import boards_of_layer  # loads the compiler

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
        if self._kept and (kept := self._kept.get((self._key, layer))):
            closed: LayerFile = kept
            return closed
        if layer in self._omitted:
            raise MissingTableError(
                tr(
                    "{name} is sparse, its layer {layer} has no file: single boards of it can be "
                    "looked up; build the table without sparse to list them all",
                    name=self.name,
                    layer=layer,
                )
            )
        path = self._path(layer)
        recorded = self.manifest.layers[layer]
        most_open = _OPEN_SPARSE_FILES if self._kept or self.manifest.omitted else _OPEN_FILES
        cache = self._kept or CACHE_BYTES * _OPEN_FILES // most_open
        file = LayerFile(path, cache, self._unpack)
        n_slots = self._space.n_slots(self.formation.seed_half_sum + layer)
        found = file.layer, file.crc, file.rate.name, file.n_slots, file.n_boards, file.stored
        wanted = layer, recorded.crc, self.rate, n_slots, recorded.boards, recorded.stored
        if found != wanted:
            file.close()
            raise DamagedTableError(
                tr(
                    "{path} is not the file that the manifest records: delete this file and start "
                    "the same build again",
                    path=file.path,
                )
            )
        self._files[layer] = file
        if self._kept:
            self._kept.keep((self._key, layer), file, file.n_bytes)
        if len(self._files) > most_open:
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
    def _tables(self) -> KernelTables:
        return kernel_tables(self._space, slides=False)

    def _game_of(self, destination: Sequence[int]) -> tuple[int, ...]:
        """Return what the formation asks for, on the player's side of a way to turn the board.

        That is where the target counts and where the large tiles may be: ways to fit a board that
        ask for the same make it worth the same.
        """
        key = tuple(destination)
        if key not in self._games:
            back = [destination.index(cell) for cell in range(16)]
            masks = sorted(permute(mask, back) for mask in self.formation.masks)
            self._games[key] = (permute(self.formation.target_cells, back), *masks)
        return self._games[key]

    @cached_property
    def _games(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        return {}

    def _fits(self, board: int) -> Iterator[tuple[int, Sequence[int]]]:
        return ways_to_fit(board, self.formation, self.target, self._space, self._turns)

    @cached_property
    def _turns(self) -> Turns:
        return {}

    @cached_property
    def _recomputation(self) -> "Recomputation":
        from tablebase.probe.recompute import Recomputation  # loads the compiler

        self._unpack_quickly()
        return Recomputation(
            *(self._space, self._tables, self.spawn4, self._omitted, self.layer_file),
            self.manifest.options.limits(),
        )

    def _unpack_quickly(self) -> None:
        """Have machine code unpack the blocks of files that are opened from now on."""
        from tablebase.store.quick_reader import QuickReader  # loads the compiler

        self._unpack = QuickReader()

    @cached_property
    def _provenance(self) -> "Provenance":
        from tablebase.kernels.single_boards import rules_of
        from tablebase.probe.comes_up import Provenance  # loads the compiler

        rules = rules_of(self.formation, self.target)
        return Provenance(rules, self._are_held, lambda layer: layer not in self._omitted)

    def _place_of(self, after: int) -> tuple[int, int]:
        """Return an after-state turned into the formation, and its layer; or raise ProbeError."""
        why = tr("it is not inside the formation in any orientation")
        for masked, destination in self._fits(after):
            layer = self._layer_of(masked)
            if layer is not None:
                return permute(masked, destination), layer
            why = self._sum_outside(masked)
            break
        raise ProbeError(
            tr(
                "{name} cannot answer for {board}: {why}",
                name=self.name,
                board=format_board(after),
                why=why,
            ),
            why,
        )

    def _probe_fitted(
        self, board: int, masked: int, destination: Sequence[int], layer: int, comes_up: bool
    ) -> Probe:
        afters = self._afters(masked, destination)
        pre = permute(masked, destination)
        is_sure = _yes if comes_up else cache(lambda: self._comes_up(pre, layer))
        found = dict(zip(afters, self._rates(list(afters.values()), layer, is_sure), strict=True))
        left, right, up, down = map(found.get, range(4))
        known = {one: rate for one, rate in found.items() if rate is not None}
        unknown = tuple([one for one in found if one not in known])
        best = max(known, key=known.__getitem__, default=None)  # the first of equal ones
        if unknown and best is not None and known[best] < 1.0:
            is_kept = known[best] > 0.0 and self._keeps_best_of(pre, layer, is_sure)
            best = best if is_kept else None
        return Probe(board, self.name, (left, right, up, down), best, pre, unknown)

    def _layer_of(self, masked: int) -> int | None:
        """Return the layer of a board whose large tiles are F, None if the table has none for it.

        Beyond the last one all is the same when any sum from one on is the goal.
        """
        half = half_sum(masked)
        layer = half - self.formation.seed_half_sum
        if self.target.is_reached_by(half):
            layer = self.n_layers - 1
        return layer if 0 <= layer < self.n_layers else None

    def _afters(self, masked: int, destination: Sequence[int]) -> dict[int, int]:
        """Return the after-states that stay in the formation, turned into it, by direction."""
        afters = {}
        for direction in range(4):
            after = move(masked, direction, self.formation.walls)
            turned = permute(after, destination)
            if after != masked and self._space.is_inside(turned):
                afters[direction] = turned
        return afters

    def _held(self, afters: list[int], layer: int) -> list[float | None]:
        """Return the rates of after-states that are turned into the formation, None if not held."""
        if layer not in self._omitted:
            return [self._rate_or_target(after, layer) for after in afters]
        rates: list[float | None] = [1.0] * len(afters)
        left = [i for i, after in enumerate(afters) if not self._space.reached(after)]
        if left:
            boards = np.array([afters[i] for i in left], np.uint64)
            found = self._recomputation.rates(boards, layer)
            for i, rate in zip(left, found.tolist(), strict=True):
                rates[i] = rate or None
        return rates

    def _rates(
        self, afters: list[int], layer: int, come_up: Callable[[], bool]
    ) -> list[float | None]:
        """Return the rates of after-states that are turned into the formation, None if unknown.

        `come_up` tells whether all of them are sure to come up; it is asked where that matters.
        """
        if layer in self._omitted and not self.is_limited:
            return self._recomputed_rates(afters, layer, come_up)
        # What limits leave out counts 0 in any case: no proof that a board comes up would help.
        rates = self._held(afters, layer)
        for i, after in enumerate(afters):
            if rates[i] is None and self._is_worthless(after, layer, come_up):
                rates[i] = 0.0
        return rates

    def _recomputed_rates(
        self, afters: list[int], layer: int, come_up: Callable[[], bool]
    ) -> list[float | None]:
        """Return the rates of after-states of a layer without a file, None if unknown.

        What follows from a board that comes up is stored, or worth nothing; of any other board what
        is stored may be a part only.
        """
        rates: list[float | None] = [
            1.0 if self._space.reached(after) else None for after in afters
        ]
        sure = [
            i
            for i, after in enumerate(afters)
            if rates[i] is None and (come_up() or self._provenance.proves([(after, layer)]))
        ]
        if sure:
            boards = np.array([afters[i] for i in sure], np.uint64)
            for i, rate in zip(
                sure, self._recomputation.rates(boards, layer).tolist(), strict=True
            ):
                rates[i] = rate
        return rates

    def _is_worthless(self, after: int, layer: int, come_up: Callable[[], bool]) -> bool:
        """Tell whether an after-state that is not stored is sure to have rate 0."""
        if layer >= self.n_layers - 2:
            return True  # the last two layers are the end: who has not reached the target has lost
        if not self._keeps_all(layer):
            return self._ends_with_next_tile(after)
        return come_up() or self._ends_with_next_tile(after) or self._is_proved([(after, layer)])

    def _ends_with_next_tile(self, after: int) -> bool:
        """Tell whether an after-state is lost: no tile is enough, and after none a move is left."""
        if self.target.is_reached_by(half_sum(after) + _SPAWNED[-1]):
            return False
        return not any(
            moved != spawned and self._space.is_inside(moved)
            for shift in range(0, 64, 4)
            if not after >> shift & 15
            for spawned in (after | tile << shift for tile in _SPAWNED)
            for direction in range(4)
            for moved in (move(spawned, direction, self.formation.walls),)
        )

    def _keeps_all(self, layer: int) -> bool:
        """Tell whether every board of a rate above zero is stored in a layer."""
        options = self.manifest.options
        leaves_out = self._is_source_thinned or self.is_limited or options.is_thinned(layer)
        return not leaves_out and options.threshold_of(layer) == 0.0

    def _comes_up(self, pre: int, layer: int) -> bool:
        """Tell whether a position, turned into the formation, is sure to come up.

        It does when it is a board that comes up with a new tile, a 2 or a 4.
        """
        befores = self._befores(pre, layer)
        return self._is_any_stored(befores) or self._is_proved(befores)

    def _keeps_best_of(self, pre: int, layer: int, is_sure: Callable[[], bool]) -> bool:
        """Tell whether the best move of a position is stored, although others are left out.

        With a threshold, what is left out is worth less. With optimal play only, the best replies
        to what is stored are stored. With limits, what is left out may be worth anything.
        """
        if self.is_limited:
            return False
        if self._is_source_thinned or self.manifest.options.is_thinned(layer):
            return self._is_any_stored(self._befores(pre, layer))
        return not self._keeps_all(layer) and is_sure()

    def _befores(self, pre: int, layer: int) -> list[tuple[int, int]]:
        """Return the after-states that may have become a position, with their layers."""
        befores = [
            (pre & ~(15 << shift), layer - (pre >> shift & 15))
            for shift in range(0, 64, 4)
            if pre >> shift & 15 in _SPAWNED
        ]
        # Who has reached the goal, or is sure of it, plays on no more: what is there now was there
        # before.
        return [one for one in befores if one[1] >= 0 and not self._has_reached(one[0])]

    def _is_any_stored(self, afters: list[tuple[int, int]]) -> bool:
        return any(
            layer not in self._omitted and self._stored_rate(after, layer) is not None
            for after, layer in afters
        )

    def _is_proved(self, afters: list[tuple[int, int]]) -> bool:
        """Tell whether one of some after-states, each with its layer, is sure to come up."""
        return self._provenance.proves(afters)

    def _has_reached(self, after: int) -> bool:
        """Tell whether an after-state, turned into the formation, has reached the goal."""
        return self._space.reached(after)

    def _rate_or_target(self, after: int, layer: int) -> float | None:
        """Return 1 where an after-state has reached the goal, else its rate as stored."""
        slot = self._space.find(after, self.formation.seed_half_sum + layer)
        return 1.0 if slot == AT_TARGET else self._rate_in(slot, layer)

    def _stored_rate(self, after: int, layer: int) -> float | None:
        """Return the rate of an after-state as stored; None when it is not."""
        slot = self._space.find(after, self.formation.seed_half_sum + layer)
        return None if slot == AT_TARGET else self._rate_in(slot, layer)

    def _rate_in(self, slot: int | None, layer: int) -> float | None:
        """Return the rate stored in a slot; None when there is none."""
        if slot is None:
            return None
        stored = self.layer_file(layer).value(slot)
        return None if stored is None else self._rate_type.decode(stored)

    def _held_rates(self, boards: npt.NDArray[np.uint64], layer: int) -> npt.NDArray[np.float64]:
        """Return the rates of after-states inside the formation; NaN where none is stored."""
        if layer in self._omitted:
            return np.full(boards.size, np.nan)
        return self._recomputation.held_rates(boards, layer)

    def _are_held(self, boards: npt.NDArray[np.uint64], layer: int) -> npt.NDArray[np.bool_]:
        """Tell which after-states of a layer are stored, or follow from the seeds at once."""
        held = self._held_rates(boards, layer) > 0.0
        if layer < 2:
            held |= self._recomputation.are_alike(boards, self._first_boards[layer], layer)
        return held

    @cached_property
    def _first_boards(self) -> tuple[list[int], list[int]]:
        """Return the seeds, and the after-states that follow from them by a 2 and a move.

        Of formations whose many seeds are generated only the first ones: what is stored tells more.
        """
        seeds = list(self.formation.seeds[:_MOST_SEEDS])
        spawned = {
            seed | 1 << shift
            for seed in seeds
            for shift in range(0, 64, 4)
            if not seed >> shift & 15 and not self._has_reached(seed)
        }
        moved = {
            after
            for board in spawned
            for direction in range(4)
            if (after := move(board, direction, self.formation.walls)) != board
        }
        return seeds, sorted(filter(self._space.is_inside, moved))

    def _sum_outside(self, masked: int) -> str:
        first, last = self.formation.seed_half_sum, self.n_layers - 1
        return tr(
            "its tiles other than F add up to {sum}, the table covers {least} to {most}",
            sum=2 * half_sum(masked),
            least=2 * first,
            most=2 * (first + last),
        )


def _yes() -> bool:
    return True


def _surest(probes: Sequence[Probe]) -> Probe:
    """Return the answer that leaves least unknown, of a position and images that are worth as much.

    A table need not hold all of them.
    """
    return max(probes, key=lambda probe: (-len(probe.unknown), probe.best_rate))


def _highest(probes: Sequence[Probe]) -> Probe:
    """Return the answer of the highest rate, of ways to fit a board that differ in their worth.

    What is unknown of any of them may be better, so it is unknown of the board.
    """
    best = max(probes, key=lambda probe: probe.best_rate)
    others = {one for probe in probes for one in probe.unknown} - set(best.unknown)
    unsure = [one for one in others if best.rates[one] != 1.0]
    if not unsure:
        return best
    left, right, up, down = (None if i in unsure else rate for i, rate in enumerate(best.rates))
    is_certain = best.best is not None and best.rates[best.best] == 1.0
    return replace(
        best,
        rates=(left, right, up, down),
        best=best.best if is_certain else None,
        unknown=tuple(sorted((*best.unknown, *unsure))),
    )


def _is_source_thinned(folder: Path) -> bool:
    """Tell whether a table was imported from one that lacks boards of a rate above zero."""
    if not (folder / IMPORT_NAME).exists():
        return False
    from tablebase.store.origin import load_origin

    try:
        origin = load_origin(folder)
    except DamagedTableError:
        return True  # it cannot be known
    return origin is not None and origin.is_thinned
