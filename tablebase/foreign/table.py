"""A table of 2048EndgameTablebase, opened for lookups as it is.

Its files have no header, no checksum and no version; formation, target cells and number of layers
are not recorded. They are taken from patterns_config.json by the table's name, and the data are
compared with them as far as possible: board and layer must agree in tile sum and number of F, and a
board that has reached the target must be stored with rate 1.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

import numpy as np

from engine.bitboard import format_board
from engine.geometry import destinations
from engine.platform.array_types import F64, U64, Values
from engine.platform.language import tr
from tablebase.errors import (
    DamagedTableError,
    FormationError,
    MissingTableError,
    ProbeError,
    TableFormatError,
)
from tablebase.foreign.boards import check_boards, has_reached, reached_many
from tablebase.foreign.config import TableConfig, load_config
from tablebase.foreign.definition import definitions_of, detect_rate, fitting_definition
from tablebase.foreign.find import ForeignTable, find_table, find_tables
from tablebase.foreign.packed import CompressedLayer, open_layer
from tablebase.foreign.plain_layer import PlainLayer, Records, check_ascending, unsorted_error
from tablebase.foreign.rates import STORED_RATES
from tablebase.formation.formation import Formation
from tablebase.formation.goal import TileGoal
from tablebase.formation.patterns_file import load_formations
from tablebase.probe.after_states import AfterStates
from tablebase.probe.embed import Embedding
from tablebase.probe.probes import ManyRates
from tablebase.probe.reader import Tablebase
from tablebase.store.block_cache import BlockCache
from tablebase.store.foreign_files import what_is_in

StoredLayer = PlainLayer | CompressedLayer
_MAX_SEEDS = 1 << 20


class ReferenceTable(Tablebase):
    """A table of 2048EndgameTablebase, opened for lookups; one caller at a time.

    It works like `Tablebase`, and has the same attributes except `manifest`. The folder `path` may
    hold other tables as well; `spawn4` is 0.1 if the config does not say.
    """

    def __init__(
        self, files: ForeignTable, formation: Formation, config: TableConfig, rate: str
    ) -> None:
        self.path, self.found, self.config = files.folder, files, config
        self.rate = rate
        self.stored_rate = STORED_RATES[rate]
        self.formation = formation
        self.name, self.pattern, self.target = files.name, files.pattern, TileGoal(files.target)
        self.n_layers, self.n_large = formation.n_layers(files.target), formation.n_large
        # Tables of the advanced algorithm, which have limits, are not read.
        self.is_limited = self.is_quick = False
        self.spawn4 = 0.1 if config.spawn4 is None else config.spawn4
        self._images = destinations(formation.symmetry)
        self._opened: OrderedDict[int, StoredLayer] = OrderedDict()
        self._kept: BlockCache | None = None
        self.after_states = _FiledAfterStates(self)
        self.embedding = Embedding(
            formation, self.target, self.n_layers, self.is_inside, self.canonical
        )

    @classmethod
    def open(  # type: ignore[override]
        cls,
        path: Path | str,
        pattern: str | None = None,
        target: int | None = None,
        formations: Mapping[str, Formation] | None = None,
    ) -> "ReferenceTable":
        """Open the table in a folder, or at folder/PATTERN_TARGET if a folder holds several.

        `pattern` and `target` also select one of several; `formations` are those of
        patterns_config.json by default. Raises MissingTableError if there is no table or there are
        several, TableFormatError if its formation is unknown or has another number of layers, or
        its config has invalid values.
        """
        files = _choose(Path(path), pattern, target)
        by_name = load_formations() if formations is None else formations
        try:
            definitions = definitions_of(files, by_name)
        except FormationError as error:
            raise TableFormatError(
                "cannot read {name} in {folder}, a table of another program: {error}",
                name=files.name,
                folder=files.folder,
                error=error,
            ) from error
        usual = definitions[0]
        if max(files.layers) >= usual.n_layers(files.target):
            raise TableFormatError(
                "{path}: expected layers 0 to {last} of {name}: it was made with "
                "another definition of {pattern}; copy patterns_config.json of the program "
                "that made it into that folder",
                path=files.layers[max(files.layers)],
                last=usual.n_layers(files.target) - 1,
                name=files.name,
                pattern=files.pattern,
            )
        config = load_config(files.config_path)
        rate = config.rate or detect_rate(files, usual)
        formation = fitting_definition(files, definitions, STORED_RATES[rate])
        return cls(files, formation, config, rate)

    def assume_spawn4(self, spawn4: float) -> None:
        """Assume this probability of 4s; raise TableFormatError if the config says otherwise."""
        told = self.config.spawn4
        if told is not None and told != spawn4:
            raise TableFormatError(
                "{path} says that a 4 appears with probability {told}, not {spawn4}: "
                "leave the option out, or correct the file",
                path=self.found.config_path,
                told=told,
                spawn4=spawn4,
            )
        self.spawn4 = spawn4

    @cached_property
    def stored(self) -> int:  # type: ignore[override]
        return sum(self.layer(i).count() for i in sorted(self.found.layers))

    @property
    def is_thinned(self) -> bool:
        """Return whether boards with a rate above zero may be missing: a 0 then means nothing."""
        return self.config.is_thinned

    @cached_property
    def is_cut_off(self) -> bool:
        return not self.formation.is_full(self.target)

    @property
    def warning(self) -> str:
        """Return "": a missing layer is reported when it is needed."""
        return ""

    def many_rates(
        self,
        afters: U64,
        best_way: bool = True,  # noqa: ARG002
    ) -> F64:
        rates = self.rates_of(afters.tolist())
        return np.array([np.nan if rate is None else rate for rate in rates])

    def many_probes(
        self,
        boards: U64,
        comes_up: bool = False,  # noqa: ARG002
        at_least: int = 1,  # noqa: ARG002
    ) -> ManyRates:
        """Return unknown rates: machine code cannot read these tables."""
        return ManyRates(np.full((boards.size, 4), np.nan), np.zeros(boards.size, np.bool_))

    def keep_layers(self, cache: BlockCache) -> None:
        """Raise NotCachedError from now on while a cache gives only what it keeps: nothing.

        Lookups read the files, which takes longer.
        """
        self._kept = cache

    def is_inside(self, board: int) -> bool:
        fixed = self.formation.fixed_mask
        return board & fixed == fixed and self.formation.is_inside(board)

    def close(self) -> None:
        while self._opened:
            self._opened.popitem()[1].close()

    def layer(self, layer: int) -> StoredLayer:
        if self._kept:
            self._kept.look_elsewhere()
        if layer in self._opened:
            self._opened.move_to_end(layer)
            return self._opened[layer]
        if layer not in self.found.layers:
            raise MissingTableError(self.found.why_missing(layer))
        opened = open_layer(self.found.layers[layer], self.stored_rate)
        try:
            boards = opened.specimens()
            check_boards(self.formation, layer, boards, opened.path)
            if isinstance(opened, PlainLayer) and not opened.n and layer < self._last_with_boards:
                raise MissingTableError(
                    "{path} is empty although later layers hold boards: expected the layer's "
                    "records; the empty file may be all that is left of one that was moved "
                    "elsewhere",
                    path=opened.path,
                )
            if layer and boards.size == 2 and boards[0] > boards[1]:
                raise unsorted_error(opened.path, opened.count() - 1)
        except BaseException:
            opened.close()
            raise
        self._opened[layer] = opened
        if len(self._opened) > 16:
            self._opened.popitem(last=False)[1].close()
        return opened

    def layer_boards(self, layer: int) -> tuple[U64, Values]:
        """Return all boards of a layer, also at the target, ascending, and their stored values."""
        opened = self.layer(layer)
        records = np.concatenate([np.zeros(0, self.stored_rate.record), *opened.chunks()])
        if layer == 0:
            records = np.sort(records, order="board")
        return np.ascontiguousarray(records["board"]), np.ascontiguousarray(records["rate"])

    def records(self, layer: int) -> Iterator[tuple[U64, F64]]:
        """Yield the boards of a layer and their rates, in the files' order, every one checked.

        Raises TableFormatError or DamagedTableError if a board does not belong to that layer or is
        out of order, or a rate is invalid, or is not 1 although the target has been reached.
        """
        opened = self.layer(layer)
        first, last = 0, -1
        for chunk in opened.chunks():
            boards = np.ascontiguousarray(chunk["board"])
            check_boards(self.formation, layer, boards, opened.path)
            if layer and boards.size:
                check_ascending(boards, opened.path, first)
                if int(boards[0]) <= last:
                    raise unsorted_error(opened.path, first)
                last = int(boards[-1])
            first += boards.size
            rates = self._decode(chunk, opened.path)
            reached = reached_many(self.formation, self.target.tile, boards)
            wrong = np.flatnonzero(reached & (rates != 1.0))
            if wrong.size:
                raise self._other_target_cells(int(boards[wrong[0]]), rates[wrong[0]], layer)
            yield boards, rates

    def stored_board(self, layer: int, i_stored: int) -> tuple[int, np.generic]:
        """Return the `i_stored`-th record of a plain layer: board and stored value."""
        opened = self.layer(layer)
        if not isinstance(opened, PlainLayer):
            raise ProbeError(
                "{path} is compressed: its records cannot be counted off", path=opened.path
            )
        record = opened.read(i_stored, i_stored + 1)
        return int(record["board"][0]), record["rate"][0]

    @cached_property
    def _last_with_boards(self) -> int:
        layers = sorted(self.found.layers.items(), reverse=True)
        return next((i for i, path in layers if path.is_dir() or path.stat().st_size), -1)

    @cached_property
    def _seed_rates(self) -> dict[int, float]:
        """Return the rates of layer 0 by canonical board: the file has the seeds as written."""
        opened = self.layer(0)
        if opened.count() > _MAX_SEEDS:
            raise TableFormatError(
                "{path} has {count} records, expected a few seeds in layer 0",
                path=opened.path,
                count=opened.count(),
            )
        pairs = [
            pair for boards, rates in self.records(0) for pair in zip(boards, rates, strict=True)
        ]
        return {self.canonical(int(board)): float(rate) for board, rate in pairs}

    def record_of(self, after: int, layer: int) -> float | None:
        """Return the recorded rate of an after-state, in any orientation; None without a record."""
        board = self.canonical(after)
        is_reached = has_reached(self.formation, self.target.tile, board)
        if layer >= self.n_layers - 2 and layer not in self.found.layers:
            return float(is_reached)  # these two layers hold only boards that have reached it
        rate = self._find(board, layer)
        if is_reached and rate not in (None, 1.0):
            raise self._other_target_cells(board, rate, layer)
        return 1.0 if is_reached else rate

    def _other_target_cells(self, board: int, rate: float | None, layer: int) -> TableFormatError:
        return TableFormatError(
            "{path}: {board} has reached {target} by the definition of {pattern} in "
            "patterns_config.json, but its rate is {rate}: the table was made with other "
            "target cells",
            path=self.found.layers[layer],
            board=format_board(board),
            target=self.target,
            pattern=self.pattern,
            rate=rate,
        )

    def _find(self, board: int, layer: int) -> float | None:
        if layer == 0:
            return self._seed_rates.get(board)
        opened = self.layer(layer)
        raw = opened.find(board)
        if raw is None:
            return None
        record = np.zeros(1, self.stored_rate.record)
        record["board"], record["rate"] = board, raw
        return float(self._decode(record, opened.path)[0])

    def _decode(self, records: Records, path: Path) -> F64:
        rates = self.stored_rate.decode(records["rate"])
        wrong = np.flatnonzero(np.isnan(rates))
        if wrong.size:
            record = records[wrong[0]]
            raise DamagedTableError(
                "{path} is damaged: {board} has the value {value!r}, which is not a rate of "
                "type {rate}",
                path=path,
                board=format_board(int(record["board"])),
                value=record["rate"].item(),
                rate=self.rate,
            )
        return rates


class _FiledAfterStates(AfterStates):
    """The rates of after-states in the files of such a table, which has a file for each layer."""

    def __init__(self, table: ReferenceTable) -> None:
        super().__init__(table.formation, table.target, table.n_layers, table.is_inside)
        self._table = table

    def held(self, afters: list[int], layer: int) -> list[float | None]:
        return [self._table.record_of(after, layer) for after in afters]

    def is_stored(self, after: int, layer: int) -> bool:
        return self._table.record_of(after, layer) is not None

    def has_reached(self, after: int) -> bool:
        return has_reached(self._formation, self._table.found.target, self._table.canonical(after))

    def keeps_all(self, _layer: int) -> bool:
        return not self._table.is_thinned

    def keeps_best_of(self, pre: int, layer: int, _is_sure: Callable[[], bool]) -> bool:
        return self._table.is_thinned and self.is_any_stored(self.befores(pre, layer))


def _choose(path: Path, pattern: str | None, target: int | None) -> ForeignTable:
    if pattern is None and target is None:
        if files := find_table(path):
            return files
        if unread := what_is_in(path):
            raise MissingTableError(unread)
        raise MissingTableError(
            "no table of 2048EndgameTablebase in {path}: expected files such as L3_512_0.book, or "
            "L3_512_0.z for a compressed layer",
            path=path,
        )
    tables = find_tables(path)
    fitting = [t for t in tables if pattern in (None, t.pattern) and target in (None, t.target)]
    if len(fitting) == 1:
        return fitting[0]
    wanted = f"{'PATTERN' if pattern is None else pattern}_{'TARGET' if target is None else target}"
    names = ", ".join(table.name for table in fitting or tables) or tr("none at all")
    raise MissingTableError(
        "{path} does not hold just one table {wanted}, but {names}",
        path=path,
        wanted=wanted,
        names=names,
    )
