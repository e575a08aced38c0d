"""The work of a cluster's machines on cells: the steps of each pass, as pure functions.

Forward, `moved` finds the after-states that the pre-states of a cell lead to. Backward,
`rated_moves` finds these pre-states again with their values, and `rated_spawns` the values of the
after-states of a cell. All take the `BuildSpec` first, from which each process makes its tables
once, and return their processor seconds before the result.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.platform.errors import AppError
from engine.platform.language import tr
from engine.platform.project_files import PROJECT_ROOT
from tablebase.build.layer_steps import Packing, StoredLayer
from tablebase.build.layers import Layers
from tablebase.build.scratch import F64
from tablebase.build.worker_pool import LayerPool
from tablebase.cluster.after_parts import AfterPart, writable
from tablebase.cluster.cells import Cell, Cells
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.kernels.bits import U64, build_index, or_all
from tablebase.kernels.layer_boards import Solved
from tablebase.rank.space import Space
from tablebase.store.options import TableOptions

_ROOMS = ("build", "cluster", "formation", "kernels", "memory", "rank", "store")
_OF_ENGINE = (
    *("bitboard", "geometry", "moves", "symmetry", "kernels/*"),
    *("platform/array_types", "platform/jit"),
)
_CODE = (
    *(f"engine/{module}.py" for module in _OF_ENGINE),
    *(f"tablebase/{room}/*.py" for room in _ROOMS),
)


@dataclass(frozen=True)
class BuildSpec:
    """The parameters that all machines of a build need."""

    formation: Formation
    target: Goal | int
    n_layers: int
    options: TableOptions
    threads: int  # threads of one step
    n_cells: int  # number of cells that layers are cut into, if they can be
    program: str  # the `program_digest` where the build was started


class SolvedCell(NamedTuple):
    """The pre-states of a cell with their values."""

    bits: U64  # uint64[...]: their bitmap in slots of the cell
    values: F64  # float64[n + 1]: their values in slot order, and a spare one


class SolvedWhole(NamedTuple):
    """Pre-states of a layer with their values, in the form for kernels, without their places."""

    indexed: U64
    values: F64


class SpecLayers:
    """The layers of a build on one machine, and their cells."""

    def __init__(self, spec: BuildSpec) -> None:
        space = Space(spec.formation, spec.target, spec.n_layers)
        pool = LayerPool(spec.threads, lambda: False)
        limits, spawn4 = spec.options.limits(), spec.options.spawn4
        self.layers = Layers(space, spawn4, pool, limits=limits)
        self.cells = Cells(self.layers, spec.n_cells)

    def spawned(self, layer: int, number: int, before: Sequence[U64 | None]) -> U64:
        sources = [
            None
            if after is None
            else (self.cells.cell(layer - exponent, number).there, writable(after))
            for exponent, after in enumerate(before, start=1)
        ]
        return self.layers.spawn_from(sources, self.cells.cell(layer, number).own)

    def pre(self, layer: int, number: int, given: SolvedCell | SolvedWhole) -> Solved:
        if isinstance(given, SolvedWhole):
            places = self.layers.blocks(layer).places
            return Solved(writable(given.indexed), writable(given.values), places)
        places = self.cells.cell(layer, number).own.blocks.places
        return Solved(indexed(writable(given.bits)), writable(given.values), places)


def _timed(step: Callable[..., Any]) -> Callable[..., tuple[float, Any]]:
    """Return a step that returns its processor seconds before its result."""

    @wraps(step)
    def timed(*given: Any) -> tuple[float, Any]:
        began = time.process_time()
        result = step(*given)
        return time.process_time() - began, result

    return timed


@_timed
def moved(spec: BuildSpec, layer: int, number: int, *before: U64 | None) -> U64:
    """`before` are bitmaps of the after-states one and two layers before, of whole layers."""
    own = _layers_of(spec)
    pre = own.spawned(layer, number, before)
    return own.layers.move_from(layer, own.cells.cell(layer, number).leaving, pre)


@_timed
def merged(_spec: BuildSpec, first: U64, *others: U64) -> U64:
    whole = first.copy()
    for other in others:
        or_all(whole, writable(other)[None, :])
    return whole


@_timed
def rated_moves(
    spec: BuildSpec,
    layer: int,
    number: int,
    begun: SolvedCell | None,
    one_before: U64 | None,
    two_before: U64 | None,
    words: U64 | None,
    part: AfterPart | None,
) -> SolvedCell:
    """Return the pre-states of a cell with the values of their best moves to given after-states.

    Parameters
    ----------
    begun : SolvedCell or None
        The same pre-states with the values of moves to other parts of the after-states.
    one_before, two_before : uint64[...] or None
        Bitmaps of the after-states one and two layers before, of whole layers.
    words : uint64[...] or None
        Bitmap of the after-states of the layer; None if all pre-states are at the goal.
    part : AfterPart or None
        Values of some of them, or all.
    """
    own = _layers_of(spec)
    cell = own.cells.cell(layer, number)
    if begun is None:
        bits = own.spawned(layer, number, (one_before, two_before))
    else:
        bits = writable(begun.bits)
    pre = _unsolved(cell, bits)
    if words is None or part is None:
        pre.values[:-1] = 1.0
    else:
        blocks, n_slots = own.layers.whole(layer)
        after = part.solved(writable(words), blocks.places, n_slots)
        own.layers.fill_moves(cell.leaving, pre, after)
    if begun is not None:
        np.maximum(pre.values, begun.values, out=pre.values)
    return SolvedCell(bits, pre.values)


@_timed
def rated_spawns(
    spec: BuildSpec,
    layer: int,
    number: int,
    after: U64,
    one_on: SolvedCell | SolvedWhole,
    two_on: SolvedCell | SolvedWhole,
) -> F64:
    """Return the values of the after-states of a cell, and a spare one.

    `after` is the bitmap of the layer; the others are pre-states of the same cell one and two
    layers on, or all of these layers.
    """
    own = _layers_of(spec)
    cell = own.cells.cell(layer, number)
    solved = _unsolved(cell, cell.cut(writable(after)))
    ones, twos = own.pre(layer + 1, number, one_on), own.pre(layer + 2, number, two_on)
    own.layers.fill_spawns(cell.own, solved, ones, twos)
    return solved.values


@_timed
def stored(spec: BuildSpec, layer: int, after: U64, whole: AfterPart, how: Packing) -> StoredLayer:
    own = _layers_of(spec)
    after, values = writable(after), writable(whole.values)
    return own.layers.stored(layer, after, own.layers.restored(layer, after, values), how)


def indexed(bits: U64) -> U64:
    index = np.empty(2 * bits.size, np.uint64)
    build_index(bits, index)
    return index


def _unsolved(cell: Cell, bits: U64) -> Solved:
    index = np.empty(2 * bits.size, np.uint64)
    values = np.empty(int(build_index(bits, index)) + 1)
    values[-1] = 0.0
    return Solved(index, values, cell.own.blocks.places)


@cache
def program_digest(root: Path = PROJECT_ROOT) -> str:
    """Return a digest of the code that the result of a build depends on."""
    digest = hashlib.blake2b(digest_size=16)
    for pattern in _CODE:
        for path in sorted(root.glob(pattern)):
            digest.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r", b""))
    return digest.hexdigest()


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
