"""The two passes over layers whose cells lie on the machines of a cluster.

`SpreadLayers` takes the place of `tablebase.build.passes.Layers` in the builder, and leaves small
layers to that. What the builder only hands on of the others are references here: pre-states
(`SpreadBits`, `SpreadWindow`) stay on the machines that made them; after-states (`SpreadSolved`)
are put together on this one, and stay until they are packed, which another machine does. So what is
lost with a machine follows from what is here, by the steps of one layer. All steps of a pass over a
layer are handed out at once, each begins when what it needs is there.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from engine.language import tr
from tablebase.build.builder import BuildPlan
from tablebase.build.layer_steps import Packing, StoredLayer
from tablebase.build.layer_window import LayerWindow
from tablebase.build.passes import Layers
from tablebase.build.scratch import F64
from tablebase.cluster import cell_steps
from tablebase.cluster.cell_steps import BuildSpec, StepReport, program_digest, writable
from tablebase.cluster.cells import (
    Cell,
    CellRule,
    SolvedCell,
    SolvedPart,
    count_own,
    cut,
    laid_out,
    together,
)
from tablebase.cluster.connection import Cluster
from tablebase.errors import BuildCancelledError
from tablebase.kernels.bits import U64
from tablebase.kernels.layer_boards import Solved
from tablebase.rank.space import Space
from tablebase.store.options import TableOptions

Ref = Any
"""A reference to what lies somewhere in the cluster."""

_CELLS_PER_STEP = 2  # for each step that the cluster can do at a time: cells are of unequal effort
_LEAST_SLOTS = 1 << 22  # of a cell: less takes less time than to hand it out
_MOST_SLOTS = 1 << 27
_HERE_SLOTS = 1 << 24  # of a layer: up to here two machines take longer than one
_WHOLE_SHARE = 6  # a step takes up to three layers in one piece, and there is one for the next step
_KEPT_BITMAPS = 6
_PRE_STATES = 4  # for each after-state of a layer, at most about as many


@dataclass(frozen=True)
class SpreadBits:
    """The pre-states of a layer, not put together yet.

    Attributes
    ----------
    layer : int
    found : sequence of sequence of Ref
        What was scattered to each cell.
    sources : mapping of int to Scattered
        What they follow from, by its layer.
    """

    layer: int
    found: Sequence[Sequence[Ref]]
    sources: "dict[int, Scattered]"


@dataclass(frozen=True)
class Scattered:
    """What follows from the after-states of a layer, by new tiles.

    Attributes
    ----------
    after : Ref
        Their bitmap: while it lives, all can be made anew.
    exponents : sequence of int
        Of the new tiles.
    reports : sequence of Ref
        Of each cell.
    found : sequence of sequence of sequence of Ref
        By exponent, what was scattered to each cell.
    """

    after: Ref
    exponents: Sequence[int]
    reports: Sequence[Ref]
    found: Sequence[Sequence[Sequence[Ref]]]


@dataclass(frozen=True)
class SpreadSolved:
    """The after-states of a layer with their values, in cells or in one piece.

    `counts` is how many boards each cell has.
    """

    layer: int
    cells: Sequence[Ref]
    counts: Sequence[int]
    whole: Ref | None
    gather: Callable[["SpreadSolved"], F64]

    @cached_property
    def values(self) -> F64:
        """Return all values, and the spare one, on this machine."""
        return self.gather(self)


@dataclass(frozen=True)
class SpreadWindow:
    """The pre-states of a layer with their values, in cells and perhaps in one piece.

    `pre` and the references `after` are what they follow from.
    """

    layer: int
    cells: Sequence[Ref]
    whole: Ref | None
    pre: SpreadBits
    after: Sequence[Ref]


@dataclass
class SpreadLayers:
    """One formation and goal, layer by layer, as `tablebase.build.passes.Layers` has it.

    Parameters
    ----------
    cluster : Cluster
    local : Layers
        The same on this machine, for all that is not worth to be handed out.
    options : TableOptions
    threads : int
        Of each step.
    is_cancelled : callable
    whole_bytes : int, optional
        How much of a layer a machine takes in one piece; from what machines have for that if it
        isn't given.
    cell_slots : int, optional
        The least size of cells.
    here_slots : int, optional
        The most slots of a layer that is left to this machine.

    Attributes
    ----------
    other_cpu_s : float
        Seconds of a processor that other processes took.
    """

    cluster: Cluster
    local: Layers
    options: TableOptions
    threads: int
    is_cancelled: Callable[[], bool]
    whole_bytes: int = 0
    cell_slots: int = _LEAST_SLOTS
    here_slots: int = _HERE_SLOTS

    def __post_init__(self) -> None:
        self.space: Space = self.local.space
        self.arrays = self.local.arrays
        self.n_slots, self.n_words = self.local.n_slots, self.local.n_words
        self.half_sum, self.seeds = self.local.half_sum, self.local.seeds
        self.followed = self.local.followed
        at_once = max(self.cluster.n_processors // self.threads, 1)
        self.whole_bytes = self.whole_bytes or self.cluster.store_bytes // _WHOLE_SHARE
        most = max(min(_MOST_SLOTS, self.whole_bytes // 4), self.cell_slots)
        self._rule = CellRule(_CELLS_PER_STEP * at_once, self.cell_slots, most)
        space = self.space
        formation = replace(space.formation)  # without what it has found out about itself
        spec = (formation, space.target, space.n_layers, self.options, self.threads)
        self._spec = self.cluster.put(BuildSpec(*spec, self._rule, program_digest()))
        self._finished_s = 0.0
        self._reports: list[Ref] = []
        self._bitmaps: deque[tuple[U64, Ref]] = deque(maxlen=_KEPT_BITMAPS)
        self._known_cells: dict[int, list[Cell]] = {}
        self._known_scattered: dict[int, Scattered] = {}
        self._changed_windows: deque[tuple[Any, Any]] = deque(maxlen=2)

    @property
    def other_cpu_s(self) -> float:
        """Return how long processors of other processes were busy; waits for the last ones."""
        self._note(self._get(self._reports))
        self._reports = []
        return self._finished_s

    def is_here(self, layer: int) -> bool:
        """Tell whether a layer is left to this machine."""
        return self.n_slots(layer) <= self.here_slots

    def spawn(self, layer: int, before: Sequence[U64 | None]) -> SpreadBits | U64:
        """Return the pre-states of a layer from the after-states one and two layers before."""
        if self.is_here(layer):
            return self.local.spawn(layer, before)
        found: list[list[Ref]] = [[] for _ in self._cells(layer)]
        sources = {}
        for exponent, after in enumerate(before, start=1):
            if after is not None:
                source = layer - exponent
                sources[source] = scattered = self._scattered(source, after)
                parts = scattered.found[scattered.exponents.index(exponent)]
                for refs, more in zip(found, parts, strict=True):
                    refs += more
        return SpreadBits(layer, found, sources)

    def move(self, layer: int, pre: SpreadBits | U64) -> U64:
        """Return the after-states of a layer from its pre-states."""
        if not isinstance(pre, SpreadBits):
            return self.local.move(layer, pre)
        n = len(pre.found)
        calls = [
            self._call(cell_steps.moved, layer, k, *found, n_results=1 + n)
            for k, found in enumerate(pre.found)
        ]
        parts = [[refs[1 + k] for refs in calls] for k in range(n)]
        bits = self._get([self._call(cell_steps.merged, *some)[1] for some in parts])
        self._drain()
        firsts = [cell.words.start for cell in self._cells(layer)]
        return laid_out(self.n_slots(layer), zip(firsts, bits, strict=True))

    def ended(self, layer: int, after: U64) -> SpreadSolved | Solved:
        """Return the after-states of one of the last two layers: too late for a tile, or there."""
        if self.is_here(layer):
            return self.local.ended(layer, after)
        n = int(np.bitwise_count(after).sum())
        values = np.full(n + 1, self.space.goal.last_rate)
        values[-1] = 0.0
        return self.restored(layer, after, values)

    def restored(self, layer: int, after: U64, values: F64) -> SpreadSolved | Solved:
        """Return after-states whose values were kept; `values` has the spare one."""
        if self.is_here(layer):
            return self.local.restored(layer, after, values)
        cells, counts, done = list[SolvedCell](), self._counts(layer, after), 0
        for cell, n in zip(self._cells(layer), counts, strict=True):
            cells.append(SolvedCell(cell, cut(after, cell), values[done : done + n]))
            done += n
        return self._put(layer, cells, counts)

    def rate_moves(self, layer: int, pre: Any, after: Any) -> SpreadWindow | LayerWindow:
        """Return the pre-states of a layer with their values."""
        if self.is_here(layer):
            return self.local.rate_moves(layer, pre, after)
        cells = list[Ref]()
        if self.space.goal.is_reached_by(self.half_sum(layer)):
            for k, found in enumerate(pre.found):
                cells.append(self._call(cell_steps.certain, layer, k, *found)[1])
            kept: Sequence[Ref] = ()
        else:
            groups = [[after.whole]] if after.whole is not None else self._groups(after)
            for k, found in enumerate(pre.found):
                begun = None
                for group in groups:
                    given = (found if begun is None else ()), group
                    begun = self._call(
                        cell_steps.rated_moves, layer, k, begun, len(given[0]), *given[0], *given[1]
                    )[1]
                cells.append(begun)
            kept = [ref for group in groups for ref in group]
        whole = None
        if self.local.has_exchange or self._fits(layer, _PRE_STATES * sum(after.counts)):
            whole = self._call(cell_steps.whole_layer, layer, *cells)[1]
        self._drain()
        return SpreadWindow(layer, cells, whole, pre, kept)

    def rate_spawns(
        self,
        layer: int,
        after: U64,
        one_on: SpreadWindow | LayerWindow,
        two_on: SpreadWindow | LayerWindow,
    ) -> SpreadSolved | Solved:
        """Return the after-states of a layer with their values, from the pre-states further on.

        Nothing of what is spread lies on this machine until `end_others` has seen it.
        """
        if self.is_here(layer):
            windows = self._brought(one_on), self._brought(two_on)
            return self.local.rate_spawns(layer, after, *windows)
        ref, cells = self._bitmap(after), list[Ref]()
        for k in range(len(self._cells(layer))):
            ones, twos = (self._needed(one, layer, k) for one in (one_on, two_on))
            given = (layer, k, ref, len(ones), *ones, *twos)
            cells.append(self._call(cell_steps.rated_spawns, *given)[1])
        return SpreadSolved(layer, cells, self._counts(layer, after), None, self._values)

    def end_others(self, solved: SpreadSolved | Solved, followed: U64) -> SpreadSolved | Solved:
        """Return after-states worth nothing where they are not followed up."""
        if not isinstance(solved, SpreadSolved):
            return self.local.end_others(solved, followed)
        layer, cells = solved.layer, solved.cells
        if self.options.limits() is not None:
            ref = self._bitmap(followed)
            cells = [
                self._call(cell_steps.ended, layer, k, cell, ref)[1] for k, cell in enumerate(cells)
            ]
        if self._fits(layer, sum(solved.counts)):
            return self._put(layer, self._get(cells), solved.counts)
        return self._put(layer, map(self._one, cells), solved.counts)

    def packing(
        self, layer: int, after: U64, solved: SpreadSolved | Solved, how: Packing
    ) -> Callable[[], StoredLayer]:
        """Return what gives a layer as it is stored when it is called: from any thread."""
        if not isinstance(solved, SpreadSolved):
            return self.local.packing(layer, after, solved, how)
        if solved.whole is None:
            return lambda: self.local.stored(
                layer, after, self.local.restored(layer, after, solved.values), how
            )
        given = self._bitmap(after), solved.whole
        ref = self._call(cell_steps.stored, layer, *given, how, n_processors=1)[1]
        return partial(self._one, ref, given)

    def _one(self, ref: Ref, _needed: Any = None) -> Any:
        """Return what a reference stands for; `_needed` to make it anew is kept until then."""
        (found,) = self._get([ref])
        return found

    def _values(self, solved: SpreadSolved) -> F64:
        """Return the values of after-states and the spare one."""
        if solved.whole is not None:
            found: F64 = writable(self._one(solved.whole).values)[1:]
            return found
        values: F64 = self.arrays.empty(sum(solved.counts) + 1, np.float64)
        values[-1], done = 0.0, 0
        for ref, n in zip(solved.cells, solved.counts, strict=True):
            # One at a time: together they may be more than there is room.
            values[done : done + n] = self._one(ref).values
            done += n
        return values

    def _counts(self, layer: int, after: U64) -> list[int]:
        """Return how many boards each cell has."""
        return [count_own(after[cell.words], cell) for cell in self._cells(layer)]

    def _put(self, layer: int, cells: Iterable[SolvedCell], counts: Sequence[int]) -> SpreadSolved:
        """Return after-states that lie on this machine."""
        refs, whole = list[Ref](), None
        if self._fits(layer, sum(counts)):
            part = together(self.n_slots(layer), list(cells), are_all=True)
            whole = self.cluster.put(part)
        else:
            refs = [self.cluster.put(cell) for cell in cells]
        self._drain()
        return SpreadSolved(layer, refs, counts, whole, self._values)

    def _fits(self, layer: int, n_boards: int) -> bool:
        """Tell whether machines take a layer in one piece."""
        return 16 * self.n_words(layer) + 8 * n_boards <= self.whole_bytes

    def _groups(self, after: SpreadSolved) -> list[list[Ref]]:
        """Return the cells in groups that a machine can take in one piece, or of one cell."""
        groups, room = list[list[Ref]](), 0
        for ref, n, cell in zip(after.cells, after.counts, self._cells(after.layer), strict=True):
            n_bytes = 8 * n + (cell.end - cell.first) // 8
            if not groups or n_bytes > room:
                groups.append([])
                room = self.whole_bytes
            groups[-1].append(ref)
            room -= n_bytes
        return groups

    def _needed(self, window: SpreadWindow | LayerWindow, layer: int, number: int) -> list[Ref]:
        """Return the pre-states that the values of a cell of after-states follow from."""
        if isinstance(window, LayerWindow):
            return [self._changed(window, self._sent)]
        if window.whole is not None:
            return [window.whole]
        source = window.pre.sources[layer]
        (report,) = self._get([source.reports[number]])
        touched = report.touched[source.exponents.index(window.layer - layer)]
        return [window.cells[k] for k in touched]

    def _brought(self, window: SpreadWindow | LayerWindow) -> LayerWindow:
        """Return pre-states with their values on this machine."""
        if isinstance(window, LayerWindow):
            return window
        found: LayerWindow = self._changed(window, self._fetched)
        return found

    def _fetched(self, window: SpreadWindow) -> LayerWindow:
        if window.whole is not None:
            part = self._one(window.whole)
        else:
            cells = self._get(window.cells)
            part = together(self.n_slots(window.layer), cells, are_all=True)
        places, words = self.local.blocks(window.layer).places, part.indexed[::2].copy()
        found = LayerWindow(words, places, self.arrays)
        found.keep(~found.no_pieces(), to_write=True)
        found.solved.values[:-1] = part.values[1:-1]
        found.keep(found.no_pieces())
        return found

    def _sent(self, window: LayerWindow) -> Ref:
        window.keep(~window.no_pieces())
        ref = self.cluster.put(SolvedPart(window.solved.indexed, window.solved.values))
        window.keep(window.no_pieces())
        return ref

    def _changed(self, window: Any, change: Callable[[Any], Any]) -> Any:
        """Return pre-states in another form; it is asked for those of two layers in turn."""
        for known, found in self._changed_windows:
            if known is window:
                return found
        self._changed_windows.append((window, change(window)))
        return self._changed_windows[-1][1]

    def _scattered(self, layer: int, after: U64) -> Scattered:
        """Return what follows from the after-states of a layer by a new 2, and by a new 4.

        Both at once: the other one is asked for next, going up or down.
        """
        ref = self._bitmap(after)
        known = self._known_scattered.get(layer)
        if known is not None and known.after is ref:
            return known
        last = self.space.n_layers - 1
        exponents = [e for e in (1, 2) if layer + e <= last and not self.is_here(layer + e)]
        sizes = [len(self._cells(layer + exponent)) for exponent in exponents]
        calls = [
            self._call(
                cell_steps.spawned, layer, k, ref, tuple(exponents), n_results=1 + sum(sizes)
            )
            for k in range(len(self._cells(layer)))
        ]
        found, done = list[list[list[Ref]]](), 1
        for n in sizes:
            found.append([[refs[done + k] for refs in calls] for k in range(n)])
            done += n
        scattered = Scattered(ref, exponents, [refs[0] for refs in calls], found)
        self._known_scattered = {
            one: what for one, what in self._known_scattered.items() if abs(one - layer) == 1
        } | {layer: scattered}
        return scattered

    def _call(
        self,
        step: Callable[..., Any],
        *given: Any,
        n_results: int = 2,
        n_processors: int | None = None,
    ) -> list[Ref]:
        """Have a step done somewhere; return references to its report and its results."""
        n_processors = n_processors or self.threads
        task = self.cluster.task(step, n_results=n_results, n_processors=n_processors)
        refs: list[Ref] = task(self._spec, *given)
        self._reports.append(refs[0])
        return refs

    def _bitmap(self, words: U64) -> Ref:
        """Return a reference to a layer's bitmap, which is put there once."""
        for known, ref in self._bitmaps:
            if known is words:
                return ref
        ref = self.cluster.put(words)
        self._bitmaps.append((words, ref))
        return ref

    def _cells(self, layer: int) -> list[Cell]:
        if layer not in self._known_cells:
            self._known_cells[layer] = self._rule.cells(
                self.local.blocks(layer), self.n_slots(layer)
            )
        return self._known_cells[layer]

    def _get(self, refs: Sequence[Ref]) -> list[Any]:
        return self.cluster.get(refs, self._check)

    def _check(self) -> None:
        if self.is_cancelled():
            raise BuildCancelledError(tr("stopped; everything finished so far is kept"))

    def _drain(self) -> None:
        """Take note of what steps reported that are done."""
        done, self._reports = self.cluster.ready(self._reports)
        self._note(done)

    def _note(self, reports: Sequence[StepReport]) -> None:
        self._finished_s += sum(one.cpu_s for one in reports)


def spread_by(
    cluster: Cluster, **sizes: int
) -> Callable[[Layers, BuildPlan, Callable[[], bool]], SpreadLayers]:
    """Return what `tablebase.build.builder.build` has its layers spread by.

    `sizes` are `whole_bytes`, `cell_slots` and `here_slots` of `SpreadLayers`.
    """

    def spread(local: Layers, plan: BuildPlan, is_cancelled: Callable[[], bool]) -> SpreadLayers:
        return SpreadLayers(cluster, local, plan.options, plan.threads, is_cancelled, **sizes)

    return spread
