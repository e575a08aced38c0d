"""Looking boards up in a finished table.

What a table holds is exact; `tablebase.probe.after_states` says what is known of all other boards.

A table with limits (`tablebase.store.options`) knows lower bounds: boards that it leaves out were
counted as lost when it was built, and are unknown here, never 0.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.bitboard import format_board
from engine.geometry import Destination, destinations, permute
from engine.platform.language import tr
from engine.spawn import Rng, spawn
from tablebase.errors import DamagedTableError, MissingTableError, ProbeError
from tablebase.formation.formation import Formation, half_sums
from tablebase.formation.generated_seeds import permuted
from tablebase.probe.after_states import AfterStates, StoredAfterStates
from tablebase.probe.continuation import ReachedRates
from tablebase.probe.embed import Embedding
from tablebase.probe.open_layers import OpenLayers
from tablebase.probe.probes import ManyRates, Probe, Rates, highest, large_tiles, surest
from tablebase.rank.space import Space
from tablebase.store.block_cache import BlockCache
from tablebase.store.layer_file import LayerFile
from tablebase.store.layer_locations import Locations, as_folders
from tablebase.store.manifest import (
    IMPORT_NAME,
    Continuation,
    Manifest,
    load_manifest,
    unfinished_text,
)
from tablebase.store.replace_table import finish_replacement

# A table at most this sparse looks up thousands of boards in some 10 ms; at 12 it takes 2 s.
_QUICK_SPARSE = 4
# A table up to this size is checked from end to end when it is opened; for a larger one only file
# sizes are compared then, and each block's checksum whenever the block is read.
_CHECK_AT_OPENING_BYTES = 64 << 20


class Tablebase:
    """A finished table, opened for lookups; one caller at a time.

    Layers of a sparse table that have no file are computed from those above by machine code, which
    is loaded at the first query for such a layer. `warning` says which layers cannot be read now.
    """

    next_table = ""  # the name of the table that a chained one continues in

    def __init__(self, path: Path, manifest: Manifest, more_folders: Sequence[Path] = ()) -> None:
        self.path = path
        self.manifest = manifest
        self.formation: Formation = manifest.formation
        self.name, self.pattern = manifest.name, manifest.formation.name
        self.target, self.spawn4, self.rate = manifest.goal, manifest.options.spawn4, manifest.rate
        self.n_layers, self.stored = manifest.n_layers, manifest.stored
        self.n_large = manifest.formation.n_large  # F on a board
        self.is_limited = manifest.options.is_limited  # whether rates are lower bounds
        # Whether `many_rates` takes only microseconds per board.
        self.is_quick = manifest.options.sparse <= _QUICK_SPARSE
        self._images = destinations(self.formation.symmetry)
        self._is_source_thinned = _is_source_thinned(path)
        self._space = space = Space(self.formation, self.target, self.n_layers)
        self._layers = OpenLayers([path, *more_folders], manifest, space)
        self._next_table = open_next(path, manifest.then) if manifest.then else None
        self.next_table = manifest.then.table if manifest.then else ""
        rates_of_reached = None
        if self._next_table:
            rates = self._next_table.computed_rates
            rates_of_reached = ReachedRates(rates, self.formation, self.target.tile)
        self.stored_states = StoredAfterStates(
            manifest, space, self._layers, self._is_source_thinned, rates_of_reached
        )
        self.after_states: AfterStates = self.stored_states
        self.embedding = Embedding(
            self.formation, self.target, self.n_layers, space.is_inside, space.stored_form
        )

    @classmethod
    def open(cls, path: Path | str | Sequence[Path | str]) -> "Tablebase":
        """Open the table in a folder, or in several: its own first.

        Folders on other drives that the table has recorded need not be named. If one of them is
        missing, the table still opens, and `locations.warning` says so.

        Raises MissingTableError: there is no table, or it is not finished. TableFormatError: it is
        another program's. DamagedTableError: it is not as it was written.
        """
        folder, *more_folders = as_folders(path)
        folder = finish_replacement(folder)
        manifest = load_manifest(folder)
        if not manifest.complete:
            raise MissingTableError(unfinished_text(folder, manifest))
        table = cls(folder, manifest, more_folders)
        try:
            table.locations.check()
            if manifest.bytes <= _CHECK_AT_OPENING_BYTES:
                for _ in table._layers.check():
                    pass
        except BaseException:
            table.close()
            raise
        return table

    @property
    def locations(self) -> Locations:
        return self._layers.locations

    @property
    def is_thinned(self) -> bool:
        """Return whether boards with a rate above zero may be missing, whose rates are unknown."""
        options = self.manifest.options
        leaves_out = options.threshold > 0 or options.optimal_only or options.is_limited
        return leaves_out or self._is_source_thinned

    @cached_property
    def is_cut_off(self) -> bool:
        """Whether boards left at the end count as lost: rates below 1 are close lower bounds."""
        return self.manifest.is_cut_off((self.path / IMPORT_NAME).exists())

    @property
    def warning(self) -> str:
        return self.locations.warning

    def __enter__(self) -> "Tablebase":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """The table can still be used and reopens them."""
        self._layers.close()
        if self._next_table:
            self._next_table.close()

    def keep_layers(self, cache: BlockCache) -> None:
        """Keep blocks that are read in a cache, which may serve other tables as well.

        For callers who play games by the table: they go through all its layers, again and again.
        Blocks are unpacked by machine code, which is loaded now. While the cache gives
        `only_cached`, queries that need more than it holds raise NotCachedError.
        """
        self._layers.keep(cache)
        if self._next_table:
            self._next_table.keep_layers(cache)

    def probe(self, board: int, comes_up: bool = False) -> Probe:
        """Return the success rates of the four moves of `board`.

        The player's large tiles are replaced by F where the formation has its own, and the board
        is turned or mirrored if it does not fit as it stands. Of several ways to fit it, the one
        with the highest rate counts, the first of equal ones: a table need not hold a position's
        mirror image.

        Parameters
        ----------
        comes_up : bool
            Whether the board is known to come up from the formation's seeds, for instance because
            it follows from one that does. Otherwise the table looks for a proof where it needs one.

        Raises ProbeError: the board does not fit the formation, or its tile sum lies outside the
        table. DamagedTableError: a file is not as it was written.
        """
        fits: list[tuple[int, Destination, Probe]] = []
        for masked, destination in self.embedding.ways(board):
            layer = self.embedding.layer_of(masked)
            if layer is None:
                continue
            probe = self._probe_fitted(board, masked, destination, layer, comes_up)
            fits.append((masked, destination, probe))
        if not fits:
            raise self._refusal(board)
        if len(fits) == 1:
            return fits[0][2]
        alike: dict[tuple[int, tuple[int, ...]], list[Probe]] = {}
        for masked, destination, probe in fits:
            alike.setdefault((masked, self.embedding.asked_for(destination)), []).append(probe)
        return highest([surest(probes) for probes in alike.values()])

    def places(self, board: int) -> list[int]:
        """Return the boards that `probe` looks up, one per way to fit; none where it refuses."""
        return [
            permute(masked, destination)
            for masked, destination in self.embedding.ways(board)
            if self.embedding.layer_of(masked) is not None
        ]

    def turns(self, masked: int) -> list[Destination]:
        return self.embedding.turns(masked)

    def get(self, board: int, comes_up: bool = False) -> Probe | None:
        try:
            return self.probe(board, comes_up)
        except ProbeError:
            return None

    def held_rates(self, board: int) -> Rates | None:
        """Return the success rates of the moves that the table holds; None where `probe` refuses.

        For callers who play by the table and just need a move: nothing is proved, which may take a
        hundred times as long. None for a move stands for a rate of 0 and for an unknown one alike;
        and in layers without a file, boards not stored in the layers above count as 0, so that
        rates of a board that does not come up may be too low, never too high. Of several ways to
        fit the board, the one with the highest rate counts.
        """
        best: Rates | None = None
        best_merit = -1.0, 0
        for masked, destination in self.embedding.ways(board):
            layer = self.embedding.layer_of(masked)
            if layer is None:
                continue
            afters = self.embedding.afters(masked, destination)
            rates = self.after_states.held(list(afters.values()), layer)
            held = dict(zip(afters, rates, strict=True))
            known_rates = [rate for rate in held.values() if rate is not None]
            # A mirror image may be held as well.
            merit = max(known_rates, default=-0.5), len(known_rates)
            if merit > best_merit:
                left, right, up, down = map(held.get, range(4))
                best, best_merit = (left, right, up, down), merit
        return best

    def rate_of(self, after: int, comes_up: bool = False) -> float | None:
        """Return the success rate of an after-state: 1 when it has reached the goal.

        None where it cannot be known from this table: the after-state is not stored, and nothing
        proves that it comes up, or the table leaves out boards of a rate above zero. ProbeError if
        it does not fit the formation, or its tile sum lies outside the table.
        """
        turned, layer = self._place_of(after)
        return self.after_states.rates([turned], layer, lambda: comes_up)[0]

    def rates_of(self, afters: Sequence[int], comes_up: bool = False) -> list[float | None]:
        """None also where `rate_of` raises ProbeError; in a sparse table faster than one by one."""
        by_layer: dict[int, dict[int, int]] = {}
        for i, after in enumerate(afters):
            with suppress(ProbeError):
                turned, layer = self._place_of(after)
                by_layer.setdefault(layer, {})[i] = turned
        found: list[float | None] = [None] * len(afters)
        for layer, boards in by_layer.items():
            rates = self.after_states.rates(list(boards.values()), layer, lambda: comes_up)
            for i, rate in zip(boards, rates, strict=True):
                found[i] = rate
        return found

    def many_rates(
        self, afters: npt.NDArray[np.uint64], best_way: bool = True
    ) -> npt.NDArray[np.float64]:
        """Return the rates of many after-states that are stored; NaN for all others.

        By machine code, and only for boards whose large tiles are F, in any orientation. Of a
        sparse table only layers with a file are looked up. Without `best_way` the first way to fit
        a board counts, as for `rates_of`.
        """
        return self._rates_by(self.stored_states.held_rates, afters, 0, best_way)

    def computed_rates(self, afters: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        """Return the rates of many after-states, whether they come up or not; NaN outside.

        Those that are not stored are computed from the boards of the next layers, so rates may be
        too low by some 1e-9, never too high. A board may have less than the table's first one.
        """
        least = -self.formation.seed_half_sum
        return self._rates_by(self.stored_states.computed_rates, afters, least)

    def _rates_by(
        self,
        look_up: Callable[[npt.NDArray[np.uint64], int], npt.NDArray[np.float64]],
        afters: npt.NDArray[np.uint64],
        first_layer: int,
        best_way: bool = True,
    ) -> npt.NDArray[np.float64]:
        rates = np.full(afters.size, np.nan)
        large = large_tiles(afters)
        for standing in np.unique(large).tolist():
            ways = self.turns(standing)
            if not ways:
                continue  # reject what does not fit before adding up sums
            alike = np.flatnonzero(large == standing)
            layers = half_sums(afters[alike]) - self.formation.seed_half_sum
            is_inside = (layers >= first_layer) & (layers < self.n_layers)
            alike, layers = alike[is_inside], layers[is_inside]
            for destination in ways if best_way else ways[:1]:
                turned = permuted(afters[alike], destination)
                for layer in np.unique(layers).tolist():
                    is_in = layers == layer
                    rates_there = look_up(turned[is_in], layer)
                    rates[alike[is_in]] = np.fmax(rates[alike[is_in]], rates_there)
        return rates

    def many_probes(
        self, boards: npt.NDArray[np.uint64], comes_up: bool = False, at_least: int = 1
    ) -> ManyRates:
        """A layer with fewer boards than `at_least` is skipped; `comes_up` is about all boards."""
        from tablebase.probe.many_probes import ManyProbes  # loads the compiler

        states = self.stored_states
        return ManyProbes(self.manifest, self.embedding, states, comes_up).probe(boards, at_least)

    def max_error(self, layer: int) -> float:
        """Rounding of sums comes on top: some 1e-16 for every layer that had to be computed."""
        if layer not in self.manifest.omitted:
            return self.layer_file(layer).max_error
        first = next(i for i in range(layer, self.n_layers) if i not in self.manifest.omitted)
        return max(self.layer_file(i).max_error for i in (first, first + 1))

    def start_board(self, rng: Rng) -> int:
        starts = self.formation.starts
        seed = starts[rng.below(len(starts))]
        return spawn(seed, rng, self.spawn4)[0]

    def layer_boards(self, layer: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.generic]]:
        """Return the stored boards of a layer with a file, canonical and ascending."""
        from tablebase.kernels.unrank import boards_of_layer  # loads the compiler

        file = self.layer_file(layer)
        blocks = [file.block(i) for i in range(file.n_blocks)]
        words = np.concatenate([np.zeros(0, np.uint64), *(words for words, _ in blocks)])
        values = np.concatenate([np.zeros(0, file.rate.dtype), *(values for _, values in blocks)])
        first = self.formation.seed_half_sum
        boards = boards_of_layer(self._space, self.stored_states.tables, first + layer, words)
        order = np.argsort(boards)
        return boards[order], values[order]

    def canonical(self, board: int) -> int:
        return min(permute(board, destination) for destination in self._images)

    def stored_board(self, layer: int, i_stored: int) -> tuple[int, np.generic]:
        file = self.layer_file(layer)
        i_block, before = file.block_of(i_stored)
        slots, values = file.slots_and_values(i_block)
        half = self.formation.seed_half_sum + layer
        return self._space.board(int(slots[i_stored - before]), half), values[i_stored - before]

    def layer_file(self, layer: int) -> LayerFile:
        """Raise like `OpenLayers.file`."""
        return self._layers.file(layer)

    def check_unchanged(self) -> None:
        self._layers.check_unchanged()

    def _place_of(self, after: int) -> tuple[int, int]:
        for masked, destination in self.embedding.ways(after):
            layer = self.embedding.layer_of(masked)
            if layer is not None:
                return permute(masked, destination), layer
        raise self._refusal(after)

    def _refusal(self, board: int) -> ProbeError:
        why = self.embedding.why_not(board)
        return ProbeError(
            tr(
                "{name} cannot answer for {board}: {why}",
                name=self.name,
                board=format_board(board),
                why=why,
            ),
            why,
        )

    def _probe_fitted(
        self, board: int, masked: int, destination: Destination, layer: int, comes_up: bool
    ) -> Probe:
        states = self.after_states
        afters = self.embedding.afters(masked, destination)
        pre = permute(masked, destination)
        is_sure = (lambda: True) if comes_up else cache(lambda: states.comes_up(pre, layer))
        rates = states.rates(list(afters.values()), layer, is_sure)
        by_direction = dict(zip(afters, rates, strict=True))
        left, right, up, down = map(by_direction.get, range(4))
        known = {direction: rate for direction, rate in by_direction.items() if rate is not None}
        unknown = tuple([direction for direction in by_direction if direction not in known])
        best = max(known, key=known.__getitem__, default=None)  # the first of equal ones
        if unknown and best is not None and known[best] < 1.0:
            is_kept = known[best] > 0.0 and states.keeps_best_of(pre, layer, is_sure)
            best = best if is_kept else None
        return Probe(board, self.name, (left, right, up, down), best, pre, unknown)


def open_next(folder: Path, then: Continuation) -> "Tablebase":
    """Open the table that follows the one in `folder`: it lies beside it.

    Raises MissingTableError: it is not there, not finished, or not the one that the table was built
    with.
    """
    path = folder.parent / then.table
    try:
        table = Tablebase.open(path)
    except MissingTableError as error:
        raise MissingTableError(
            "{folder} continues in {table}, which has to lie beside it: {error}",
            folder=folder,
            table=then.table,
            error=error,
        ) from error
    if table.manifest.identity != then.identity:
        table.close()
        raise MissingTableError(
            "{folder} was built to continue in another {table} than the one beside it: build "
            "{folder} again",
            folder=folder,
            table=then.table,
        )
    return table


def _is_source_thinned(folder: Path) -> bool:
    if not (folder / IMPORT_NAME).exists():
        return False
    from tablebase.store.origin import load_origin

    try:
        origin = load_origin(folder)
    except DamagedTableError:
        return True  # it cannot be known
    return origin is not None and origin.is_thinned
