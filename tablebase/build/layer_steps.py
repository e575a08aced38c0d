"""What the builder asks of whoever works through layers: this machine, or many.

`tablebase.build.passes.Layers` does it in this process; `tablebase.cluster` has other machines do
it. What the builder does not look into but only hands on is `Any`: bitmaps and values for the one,
references to them for the other.
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
    """How a layer is stored.

    Attributes
    ----------
    rate : str
        The name of a rate type.
    threshold : float
        Boards whose exact rate is not above it are not stored.
    level : int
        How hard blocks are compressed.
    is_kept : bool
        Whether it is stored at all; otherwise it is only counted what would be.
    """

    rate: str
    threshold: float
    level: int
    is_kept: bool


class SolvedLayer(Protocol):
    """The after-states of a layer with their values."""

    @property
    def values(self) -> F64:
        """Return the values in slot order, and a spare one."""


class LayerSteps(Protocol):
    """One formation and goal, layer by layer; what each does is told in `Layers`."""

    space: Space
    arrays: Arrays

    @property
    def other_cpu_s(self) -> float:
        """Return the seconds of a processor that other processes took."""

    def n_slots(self, layer: int) -> int: ...  # noqa: D102
    def n_words(self, layer: int) -> int: ...  # noqa: D102
    def seeds(self) -> U64: ...  # noqa: D102
    def spawn(self, layer: int, before: Sequence[U64 | None]) -> Any: ...  # noqa: D102
    def move(self, layer: int, pre: Any) -> U64: ...  # noqa: D102
    def followed(self, layer: int, after: U64) -> U64: ...  # noqa: D102
    def ended(self, layer: int, after: U64) -> Any: ...  # noqa: D102
    def restored(self, layer: int, after: U64, values: F64) -> Any: ...  # noqa: D102
    def rate_moves(self, layer: int, pre: Any, after: Any) -> Any: ...  # noqa: D102
    def rate_spawns(self, layer: int, after: U64, one_on: Any, two_on: Any) -> Any: ...  # noqa: D102
    def end_others(self, solved: Any, followed: U64) -> Any: ...  # noqa: D102
    def packing(  # noqa: D102
        self, layer: int, after: U64, solved: Any, how: Packing
    ) -> Callable[[], StoredLayer]: ...
