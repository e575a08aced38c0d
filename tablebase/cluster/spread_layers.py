"""The two passes over layers whose cells are on the machines of a cluster.

`SpreadLayers` replaces `tablebase.build.layers.Layers` in the builder, and leaves small layers to
that. Data that the builder only passes on are references here: pre-states are not even listed
before they are moved (`SpreadBits`), and with their values they stay, in cells, on the machines
that made them (`SpreadWindow`). After-states are put together on this machine, and other machines
get the ones for looking up moves. So data lost with a machine follow from data here, by one step.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from tablebase.build.builder import BuildPlan
from tablebase.build.layer_steps import Packing, StoredLayer
from tablebase.build.layer_window import LayerWindow
from tablebase.build.layers import Layers
from tablebase.build.scratch import F64
from tablebase.build.worker_pool import check_stop
from tablebase.cluster import cell_steps
from tablebase.cluster.after_parts import parts_of, whole_part, writable
from tablebase.cluster.cell_steps import BuildSpec, SolvedWhole, program_digest
from tablebase.cluster.cells import Cells
from tablebase.cluster.connection import Cluster
from tablebase.kernels.bits import U64, count_ones, empty_bitmap, or_all
from tablebase.kernels.layer_boards import Solved
from tablebase.rank.space import Space
from tablebase.store.options import TableOptions

Ref = Any
"""A reference to data somewhere in the cluster."""

_HERE_BOARDS = 1 << 22  # of a layer: up to here two machines take longer than one
_HERE_BOARDS_DIAGONAL = 1 << 23  # boards take half the time; in cells, column moves are tried too
_FEW_STEPS = 4  # at a time: with fewer, this machine alone is faster for all of these layers
_PACKED_HERE = 1 << 20  # boards of a layer: larger ones are packed by any idle machine
_MAX_SLOTS = 1 << 27  # of a cell
_WHOLE_SHARE = 6  # a step takes up to three layers in one piece, and the next step has one ready
_MERGED_AT_ONCE = 8  # bitmaps: with more cells, machines merge them before this one does


@dataclass(frozen=True)
class SpreadBits:
    """The pre-states of a layer, not computed yet: the after-states one and two layers before."""

    layer: int
    before: Sequence[Ref | None]


@dataclass(frozen=True)
class SpreadWindow:
    """The pre-states of a layer with their values, in cells; `needed` has their sources."""

    layer: int
    cells: Sequence[Ref]
    needed: Sequence[Ref]


@dataclass
class SpreadLayers:
    """One formation and goal, layer by layer, like `tablebase.build.layers.Layers`.

    Parameters
    ----------
    connect : callable
        Returns the connection to the cluster, the same every time. It isn't called before a layer
        is larger than those that always stay here.
    local : Layers
        The same on this machine, for work that is not worth distributing.
    threads : int
        Threads of each step.
    whole_bytes : int, optional
        Size of the part of a layer that a machine takes in one piece; by default computed from the
        machines' memory for that.
    here_boards : int, optional
        The largest number of after-states of a layer that is left to this machine; by default the
        number up to which others would hardly save time.
    n_cells : int, optional
        The least number of cells; by default one for each step that the cluster can do at a time.
    """

    connect: Callable[[], Cluster]
    local: Layers
    options: TableOptions
    threads: int
    is_cancelled: Callable[[], bool]
    whole_bytes: int = 0
    here_boards: int | None = None
    n_cells: int = 0

    def __post_init__(self) -> None:
        self.space: Space = self.local.space
        self.arrays = self.local.arrays
        self.n_slots, self.n_words = self.local.n_slots, self.local.n_words
        self.half_sum, self.seeds = self.local.half_sum, self.local.seeds
        self.followed, self.ended = self.local.followed, self.local.ended
        self.restored, self.end_others = self.local.restored, self.local.end_others
        usual = _HERE_BOARDS_DIAGONAL if self.local.is_diagonal else _HERE_BOARDS
        self._min_here = usual if self.here_boards is None else self.here_boards
        self._packed_here = min(self._min_here, _PACKED_HERE)
        self._finished_s = 0.0
        self._reports: list[Ref] = []
        self._bitmaps: deque[tuple[U64, Ref]] = deque(maxlen=6)
        self._sent_values: deque[tuple[F64, Ref]] = deque(maxlen=2)
        self._sent_words: deque[tuple[F64, Ref]] = deque(maxlen=2)
        self._windows: deque[tuple[Any, Any]] = deque(maxlen=2)

    @cached_property
    def _at_once(self) -> int:
        return max(self.connect().n_processors // self.threads, 1)

    @cached_property
    def _whole_bytes(self) -> int:
        return self.whole_bytes or self.connect().store_bytes // _WHOLE_SHARE

    @cached_property
    def _n_cells(self) -> int:
        max_slots = max(min(_MAX_SLOTS, self._whole_bytes), 1)
        largest = max(self.n_slots(layer) for layer in range(self.space.n_layers))
        return max(self.n_cells or self._at_once, -(-largest // max_slots))

    @cached_property
    def _cells(self) -> Cells:
        return Cells(self.local, self._n_cells)

    @cached_property
    def _spec(self) -> Ref:
        space = self.space
        formation = replace(space.formation)  # without its cached properties
        spec = (formation, space.target, space.n_layers, self.options, self.threads)
        return self.connect().put(BuildSpec(*spec, self._n_cells, program_digest()))

    @cached_property
    def _max_here(self) -> int:
        if not self.local.is_cuttable or self._cells.n == 1:
            return sys.maxsize
        if self.here_boards is None and self.local.is_diagonal:
            has_room = not self.arrays.is_limited  # there is memory for all of them
            return sys.maxsize if self._at_once < _FEW_STEPS and has_room else self._min_here
        return self._min_here

    def _is_here(self, after: U64) -> bool:
        n_boards = int(count_ones(after))
        return n_boards <= self._min_here or n_boards <= self._max_here

    @property
    def other_cpu_s(self) -> float:
        """Wait for the last ones."""
        if self._reports:
            self._note(self._get(self._reports))
            self._reports = []
        return self._finished_s

    def spawn(self, layer: int, before: Sequence[U64 | None]) -> SpreadBits | U64:
        if all(words is None or self._is_here(words) for words in before):
            return self.local.spawn(layer, before)
        return SpreadBits(
            layer, [None if words is None else self._bitmap(words) for words in before]
        )

    def move(self, layer: int, pre: SpreadBits | U64) -> U64:
        if not isinstance(pre, SpreadBits):
            return self.local.move(layer, pre)
        refs = [
            self._call(cell_steps.moved, layer, k, *pre.before, place=k)
            for k in range(self._cells.n)
        ]
        n = _MERGED_AT_ONCE
        while len(refs) > n:
            parts = [refs[i : i + n] for i in range(0, len(refs), n)]
            refs = [self._call(cell_steps.merged, *part) for part in parts]
        whole: U64 = self._value(refs[0]).copy()
        for ref in refs[1:]:
            or_all(whole, writable(self._value(ref))[None, :])
        self._drain()
        return whole

    def rate_moves(
        self, layer: int, pre: SpreadBits | U64, after: Solved
    ) -> SpreadWindow | LayerWindow:
        if not isinstance(pre, SpreadBits):
            return self.local.rate_moves(layer, pre, after)
        words: Ref | None = None
        parts: list[Ref | None] = [None]
        if not self.space.goal.is_reached_by(self.half_sum(layer)):
            words, parts = self._words_of(after), list(self._parts(layer, after))
        cells = list[Ref]()
        for k in range(self._cells.n):
            cell: Ref | None = None
            for part in parts:
                given = (None, None) if cell is not None else pre.before
                cell = self._call(
                    cell_steps.rated_moves, layer, k, cell, *given, words, part, place=k
                )
            cells.append(cell)
        self._drain()
        return SpreadWindow(layer, cells, [*pre.before, words, *parts])

    def rate_spawns(
        self,
        layer: int,
        after: U64,
        one_on: SpreadWindow | LayerWindow,
        two_on: SpreadWindow | LayerWindow,
    ) -> Solved:
        if self._is_here(after):
            windows = self._brought(one_on), self._brought(two_on)
            return self.local.rate_spawns(layer, after, *windows)
        ref, n = self._bitmap(after), self._cells.n
        ones, twos = (
            [_shared(self._windows, window, partial(self._put_whole, window))] * n
            if isinstance(window, LayerWindow)
            else window.cells
            for window in (one_on, two_on)
        )
        calls = [
            self._call(cell_steps.rated_spawns, layer, k, ref, ones[k], twos[k], place=k)
            for k in range(n)
        ]
        solved = self.local.unsolved(layer, after)
        for k, call in enumerate(calls):
            self._cells.cell(layer, k).put_values(solved, writable(self._value(call)))
        self._sent_words.append((solved.values, ref))
        self._drain()
        return solved

    def packing(
        self, layer: int, after: U64, solved: Solved, how: Packing
    ) -> Callable[[], StoredLayer]:
        if solved.values.size <= self._packed_here or not self._fits(solved):
            return self.local.packing(layer, after, solved, how)
        given = self._bitmap(after), self._whole_part(layer, solved)
        ref = self._call(cell_steps.stored, layer, *given, how, n_processors=1)
        return partial(self._value, ref, given)

    def _value(self, ref: Ref, _needed: Any = None) -> Any:
        """Return the value of a reference; `_needed`, to recompute it, is kept until then."""
        (value,) = self._get([ref])
        return value

    def _fits(self, after: Solved) -> bool:
        return after.indexed.nbytes + after.values.nbytes <= self._whole_bytes

    def _parts(self, layer: int, after: Solved) -> Iterator[Ref]:
        if self._fits(after):
            yield self._whole_part(layer, after)
        else:
            for part in parts_of(after, self.local.whole(layer), self._whole_bytes):
                yield self.connect().put(part)

    def _whole_part(self, layer: int, after: Solved) -> Ref:
        return _shared(
            self._sent_values,
            after.values,
            lambda: self.connect().put(whole_part(after, self.n_slots(layer))),
        )

    def _words_of(self, after: Solved) -> Ref:
        for values, ref in self._sent_words:
            if values is after.values:
                return ref
        return self.connect().put(after.indexed[::2].copy())

    def _brought(self, window: SpreadWindow | LayerWindow) -> LayerWindow:
        if isinstance(window, LayerWindow):
            return window
        fetched: LayerWindow = _shared(self._windows, window, partial(self._fetch, window))
        return fetched

    def _fetch(self, window: SpreadWindow) -> LayerWindow:
        layer = window.layer
        words, cells = empty_bitmap(self.n_slots(layer)), self._get(window.cells)
        for k, cell in enumerate(cells):
            self._cells.cell(layer, k).add_to(words, writable(cell.bits))
        whole = LayerWindow(words, self.local.blocks(layer).places, self.arrays)
        whole.keep(~whole.no_pieces(), to_write=True)
        for k, cell in enumerate(cells):
            self._cells.cell(layer, k).put_values(whole.solved, writable(cell.values))
        whole.keep(whole.no_pieces())
        return whole

    def _put_whole(self, window: LayerWindow) -> Ref:
        window.keep(~window.no_pieces())
        ref = self.connect().put(SolvedWhole(window.solved.indexed, window.solved.values))
        window.keep(window.no_pieces())
        return ref

    def _call(
        self,
        step: Callable[..., Any],
        *given: Any,
        place: int | None = None,
        n_processors: int | None = None,
    ) -> Ref:
        """Start a step anywhere, or where the cell `place` is; return a reference to its result."""
        n_processors = n_processors or self.threads
        task = self.connect().task(step, n_results=2, n_processors=n_processors, place=place)
        report, result = task(self._spec, *given)
        self._reports.append(report)
        return result

    def _bitmap(self, words: U64) -> Ref:
        return _shared(self._bitmaps, words, lambda: self.connect().put(words))

    def _get(self, refs: Sequence[Ref]) -> list[Any]:
        return self.connect().get(refs, partial(check_stop, self.is_cancelled))

    def _drain(self) -> None:
        done, self._reports = self.connect().ready(self._reports)
        self._note(done)

    def _note(self, reports: Sequence[float]) -> None:
        self._finished_s += sum(reports)


def _shared(recent: deque[tuple[Any, Any]], data: Any, make: Callable[[], Any]) -> Any:
    """Return what was made of some data, kept for the few layers that are used in turn."""
    for known, made in recent:
        if known is data:
            return made
    recent.append((data, make()))
    return recent[-1][1]


def spread_by(
    connect: Callable[[], Cluster], **sizes: int
) -> Callable[[Layers, BuildPlan, Callable[[], bool]], SpreadLayers]:
    """`sizes` are `whole_bytes`, `here_boards` and `n_cells` of `SpreadLayers`."""

    def spread(local: Layers, plan: BuildPlan, is_cancelled: Callable[[], bool]) -> SpreadLayers:
        return SpreadLayers(connect, local, plan.options, plan.threads, is_cancelled, **sizes)

    return spread
