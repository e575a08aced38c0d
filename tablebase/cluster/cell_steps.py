"""What machines of a cluster do with cells: the two half-steps of each pass, as pure functions.

Forward, `spawned` and `moved` scatter the boards that follow from those of a cell over the cells of
another layer, and `merged` collects what came for one. Backward, `rated_spawns` and `rated_moves`
fill the values of a cell; what they need of others is given to them. All begin with the
`BuildSpec`, of which each process makes its tables once, and return a `StepReport` first.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from engine.errors import AppError
from engine.language import tr
from tablebase.build.layer_steps import Packing, StoredLayer
from tablebase.build.passes import Layers
from tablebase.build.worker_pool import LayerPool
from tablebase.cluster.cells import (
    Cell,
    CellRule,
    SolvedCell,
    SolvedPart,
    count_own,
    cut,
    laid_out,
    together,
    unsolved,
    with_places,
)
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.kernels.bits import U64
from tablebase.kernels.board_limits import end_others
from tablebase.kernels.layer_boards import Solved
from tablebase.rank.space import Space
from tablebase.store.options import TableOptions

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


@dataclass(frozen=True)
class BuildSpec:
    """What all machines of a build have to know.

    Attributes
    ----------
    formation : Formation
    target : Goal or int
    n_layers : int
    options : TableOptions
    threads : int
        Of one step.
    rule : CellRule
    program : str
        What `program_digest` says where the build was started.
    """

    formation: Formation
    target: Goal | int
    n_layers: int
    options: TableOptions
    threads: int
    rule: CellRule
    program: str


class StepReport(NamedTuple):
    """What a step took, and what the one who planned it may want to know.

    Attributes
    ----------
    cpu_s : float
        Seconds of a processor.
    touched : tuple of tuple of int
        The cells that anything was scattered to, of each of the other layers.
    """

    cpu_s: float
    touched: tuple[tuple[int, ...], ...] = ()


class SpecLayers:
    """The layers of a build on one machine, and their cells."""

    def __init__(self, spec: BuildSpec) -> None:
        space = Space(spec.formation, spec.target, spec.n_layers)
        pool = LayerPool(spec.threads, lambda: False)
        limits, spawn4 = spec.options.limits(), spec.options.spawn4
        self.layers = Layers(space, spawn4, pool, limits=limits)
        self.cells: Callable[[int], list[Cell]] = lru_cache(maxsize=8)(self._cells)
        self._rule = spec.rule

    def cell(self, layer: int, number: int) -> Cell:
        """Return a cell of a layer by its number."""
        return self.cells(layer)[number]

    def n_slots(self, layer: int) -> int:
        """Return the slots of a layer."""
        return self.layers.n_slots(layer)

    def solved(self, layer: int, given: Sequence[SolvedCell | SolvedPart]) -> Solved:
        """Return boards of a layer that were given, in one part or in cells in their order."""
        cells = [one for one in given if isinstance(one, SolvedCell)]
        parts = [one for one in given if isinstance(one, SolvedPart)]
        part = parts[0] if parts else together(self.n_slots(layer), cells)
        part = SolvedPart(writable(part.indexed), writable(part.values))
        return with_places(part, self.layers.blocks(layer).places)

    def _cells(self, layer: int) -> list[Cell]:
        return self._rule.cells(self.layers.blocks(layer), self.n_slots(layer))


def spawned(
    spec: BuildSpec, layer: int, number: int, after: U64, exponents: Sequence[int]
) -> tuple[Any, ...]:
    """Scatter the pre-states that follow from the after-states of a cell.

    Parameters
    ----------
    spec : BuildSpec
    layer, number : int
        Of the cell.
    after : uint64[...]
        Bitmap of its whole layer.
    exponents : sequence of int
        1 for a new 2, 2 for a new 4; also how many layers further the pre-states lie.

    Returns
    -------
    report : StepReport
    bits : uint64[...]
        One for each cell of the other layers, of one after the other.
    """
    began, own = time.process_time(), _layers_of(spec)
    band, after = own.cell(layer, number).band, writable(after)
    touched, parts = list[tuple[int, ...]](), list[U64]()
    for exponent in exponents:
        before = [after if one == exponent else None for one in (1, 2)]
        found = own.layers.spawn(layer + exponent, before, band)
        some = [cut(found, cell) for cell in own.cells(layer + exponent)]
        touched.append(tuple(k for k, part in enumerate(some) if part.size))
        parts += some
    return StepReport(time.process_time() - began, tuple(touched)), *parts


def moved(spec: BuildSpec, layer: int, number: int, *found: U64) -> tuple[Any, ...]:
    """Scatter the after-states that follow from the pre-states of a cell.

    Parameters
    ----------
    spec : BuildSpec
    layer, number : int
        Of the cell.
    *found : uint64[...]
        What was scattered to it.

    Returns
    -------
    report : StepReport
    bits : uint64[...]
        One for each cell of the layer.
    """
    began, own = time.process_time(), _layers_of(spec)
    cell = own.cell(layer, number)
    words = laid_out(own.n_slots(layer), ((cell.words.start, bits) for bits in found))
    after = own.layers.move_band(layer, words, cell.band)
    parts = [cut(after, one) for one in own.cells(layer)]
    return StepReport(time.process_time() - began), *parts


def merged(_spec: BuildSpec, *found: U64) -> tuple[StepReport, U64]:
    """Return the bits of one cell that were found from several others."""
    began = time.process_time()
    bits = _merged(found)
    return StepReport(time.process_time() - began), bits


def _merged(found: Sequence[U64]) -> U64:
    some = [one for one in found if one.size]
    return np.bitwise_or.reduce(some) if some else np.zeros(0, np.uint64)


def rated_spawns(
    spec: BuildSpec,
    layer: int,
    number: int,
    after: U64,
    n_one_on: int,
    *given: SolvedCell | SolvedPart,
) -> tuple[StepReport, SolvedCell]:
    """Return the after-states of a cell with their values.

    Parameters
    ----------
    spec : BuildSpec
    layer, number : int
        Of the cell.
    after : uint64[...]
        Bitmap of its whole layer.
    n_one_on : int
    *given : SolvedCell or SolvedPart
        Pre-states with their values: `n_one_on` of the next layer, the others of the one after it.
    """
    began, own = time.process_time(), _layers_of(spec)
    cell = own.cell(layer, number)
    bits = cut(after, cell)
    whole = unsolved(own.n_slots(layer), cell, bits)
    if bits.size:
        one_on = own.solved(layer + 1, given[:n_one_on])
        two_on = own.solved(layer + 2, given[n_one_on:])
        solved = with_places(whole, own.layers.blocks(layer).places)
        own.layers.fill_spawns(layer, solved, one_on, two_on, cell.band)
    return _solved_cell(cell, bits, whole, began)


def rated_moves(
    spec: BuildSpec,
    layer: int,
    number: int,
    begun: SolvedCell | None,
    n_found: int,
    *given: Any,
) -> tuple[StepReport, SolvedCell]:
    """Return the pre-states of a cell with the values of their best moves to given after-states.

    Parameters
    ----------
    spec : BuildSpec
    layer, number : int
        Of the cell.
    begun : SolvedCell or None
        The boards with the values of moves to others of the after-states.
    n_found : int
    *given : uint64[...], SolvedCell or SolvedPart
        The first `n_found` are what was scattered to the cell, where nothing is begun; the others
        are after-states of the same layer with their values.
    """
    began, own = time.process_time(), _layers_of(spec)
    cell = own.cell(layer, number)
    bits = _merged(given[:n_found]) if begun is None else begun.bits
    part = unsolved(own.n_slots(layer), cell, bits)
    if bits.size:
        pre = with_places(part, own.layers.blocks(layer).places)
        own.layers.fill_moves(layer, pre, own.solved(layer, given[n_found:]), cell.band)
        if begun is not None:
            np.maximum(part.values[1:-1], begun.values, out=part.values[1:-1])
    return _solved_cell(cell, bits, part, began)


def certain(spec: BuildSpec, layer: int, number: int, *found: U64) -> tuple[StepReport, SolvedCell]:
    """Return the boards that were scattered to a cell, all of them with the value 1."""
    cell, bits = _layers_of(spec).cell(layer, number), _merged(found)
    return StepReport(0.0), SolvedCell(cell, bits, np.ones(count_own(bits, cell)))


def ended(
    spec: BuildSpec, layer: int, number: int, solved: SolvedCell, followed: U64
) -> tuple[StepReport, SolvedCell]:
    """Return the after-states of a cell, worth nothing where they are not followed up.

    `followed` is the bitmap of their layer that has the others.
    """
    began, own = time.process_time(), _layers_of(spec)
    whole = unsolved(own.n_slots(layer), solved.cell, solved.bits)
    whole.values[1:-1] = solved.values
    end_others(whole.indexed, writable(followed), whole.values)
    return _solved_cell(own.cell(layer, number), solved.bits, whole, began)


def whole_layer(spec: BuildSpec, layer: int, *cells: SolvedCell) -> tuple[StepReport, SolvedPart]:
    """Return all pre-states of a layer in one part, given by its cells in their order.

    Where they have values of moves along the rows alone, they get those of all moves.
    """
    began, own = time.process_time(), _layers_of(spec)
    whole = together(own.n_slots(layer), cells, are_all=True)
    if own.layers.has_exchange:
        own.layers.exchange(layer, with_places(whole, own.layers.blocks(layer).places))
    return StepReport(time.process_time() - began), whole


def stored(
    spec: BuildSpec, layer: int, after: U64, whole: SolvedPart, how: Packing
) -> tuple[StepReport, StoredLayer]:
    """Return a layer as it is stored, given by the bitmap of its after-states and their values."""
    began, own = time.process_time(), _layers_of(spec)
    after, values = writable(after), writable(whole.values)[1:]
    found = own.layers.stored(layer, after, own.layers.restored(layer, after, values), how)
    return StepReport(time.process_time() - began), found


@cache
def program_digest() -> str:
    """Return a digest of the code that what is built depends on."""
    folder, digest = Path(__file__).parent.parent, hashlib.blake2b(digest_size=16)
    for room in ("build", "cluster", "formation", "kernels", "rank", "store"):
        for path in sorted((folder / room).glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r", b""))
    return digest.hexdigest()


def writable(array: _Array) -> _Array:
    """Return an array in shared memory as one that could be written to, which nobody does.

    Kernels would be compiled once more for arrays of the other kind.
    """
    if array.flags.writeable or not array.size:
        return array.copy() if not array.flags.writeable else array
    view = _View(array)
    found: _Array = np.asarray(view)  # type: ignore[assignment]
    return found


class _View:
    """An array's memory without the mark that it must not be written to."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._array = array  # lives as long as what is made of this
        place, _ = array.__array_interface__["data"]
        self.__array_interface__ = {**array.__array_interface__, "data": (place, False)}


@lru_cache(maxsize=1)
def _layers_of(spec: BuildSpec) -> SpecLayers:
    if spec.program != program_digest():
        raise AppError(
            tr(
                "the machines of the cluster have different versions of this program: install "
                "the same one on all of them"
            )
        )
    return SpecLayers(spec)


def _solved_cell(
    cell: Cell, bits: U64, part: SolvedPart, began: float
) -> tuple[StepReport, SolvedCell]:
    values = part.values[1:-1]
    return StepReport(time.process_time() - began), SolvedCell(cell, bits, values)
