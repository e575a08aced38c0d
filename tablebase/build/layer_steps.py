"""The interface between the builder and whatever works through layers: this machine, or many.

`tablebase.build.layers.Layers` does it in this process; `tablebase.cluster` has other machines do
it. Values that the builder only passes on without looking into them are `Any`: bitmaps and values
in the one case, references to them in the other.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from tablebase.build.scratch import F64
from tablebase.kernels.bits import U64
from tablebase.memory.arrays import Arrays
from tablebase.rank.space import Space
from tablebase.store.layer_file import PackedLayer
from tablebase.store.manifest import OmittedLayer

StoredLayer = PackedLayer | OmittedLayer


class Packing(NamedTuple):
    """How a layer is stored."""

    rate: str  # the name of a rate type
    threshold: float  # boards whose exact rate is at or below it are not stored
    level: int  # the compression level of blocks
    is_kept: bool  # whether the layer is stored at all; otherwise its boards are only counted


class LayerSteps(Protocol):
    """One formation and goal, layer by layer; the methods are described in `Layers`."""

    space: Space
    arrays: Arrays

    @property
    def other_cpu_s(self) -> float: ...

    def n_slots(self, layer: int) -> int: ...
    def n_words(self, layer: int) -> int: ...
    def seeds(self) -> U64: ...
    def spawn(self, layer: int, before: Sequence[U64 | None]) -> Any: ...
    def move(self, layer: int, pre: Any) -> U64: ...
    def followed(self, layer: int, after: U64) -> U64: ...
    def ended(self, layer: int, after: U64) -> Any: ...
    def restored(self, layer: int, after: U64, values: F64) -> Any: ...
    def rate_moves(self, layer: int, pre: Any, after: Any) -> Any: ...
    def rate_spawns(self, layer: int, after: U64, one_on: Any, two_on: Any) -> Any: ...
    def end_others(self, solved: Any, followed: U64) -> Any: ...
    def packing(
        self, layer: int, after: U64, solved: Any, how: Packing
    ) -> Callable[[], StoredLayer]: ...
