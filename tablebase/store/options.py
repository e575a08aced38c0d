"""What a table keeps, and in which form: the choices that its files depend on.

Threads, memory and compression change no answer, so they are none of them.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from engine.language import tr
from tablebase.errors import BuildRefusedError
from tablebase.store.rates import find_rate_type

MOST_SPARSE = 16
FIRST_PRUNED = 2
FIRST_THINNED = 21


@dataclass(frozen=True)
class TableOptions:
    """The options of a table; two tables of one formation and target differ in nothing else.

    Attributes
    ----------
    spawn4 : float
        Probability that a new tile is a 4, in (0, 1).
    rate : str
        One of ``tablebase.store.rates.RATE_TYPES``.
    threshold : float
        Boards of a rate at or below it are not stored, in [0, 1). Layers 0 and 1 are kept whole,
        so that the table always answers at the start.
    optimal_only : bool
        Whether only boards are stored that optimal play comes to, from layer `FIRST_THINNED` on.
    sparse : int
        Two consecutive layers out of every so many are kept, and the last two; 1 keeps all.
    """

    spawn4: float = 0.1
    rate: str = "uint32"
    threshold: float = 0.0
    optimal_only: bool = False
    sparse: int = 1

    def check(self) -> None:
        """Raise BuildRefusedError when no table can have these options."""
        find_rate_type(self.rate)
        if not _is_number(self.spawn4) or not 0.0 < self.spawn4 < 1.0:
            raise BuildRefusedError(
                tr(
                    "spawn-4 rate {spawn4!r}: expected a number between 0 and 1, such as 0.1",
                    spawn4=self.spawn4,
                )
            )
        if not _is_number(self.threshold) or not 0.0 <= self.threshold < 1.0:
            raise BuildRefusedError(
                tr(
                    "threshold {threshold!r}: expected a number from 0 to below 1, such as 0.05",
                    threshold=self.threshold,
                )
            )
        if not isinstance(self.optimal_only, bool):
            raise BuildRefusedError(
                tr(
                    "optimal only {optimal_only!r}: expected True or False",
                    optimal_only=self.optimal_only,
                )
            )
        if not _is_whole(self.sparse) or not (self.sparse == 1 or 3 <= self.sparse <= MOST_SPARSE):
            raise BuildRefusedError(
                tr(
                    "sparse {sparse!r}: expected 1 (keep all layers) or a number from 3 to {most}",
                    sparse=self.sparse,
                    most=MOST_SPARSE,
                )
            )
        if self.sparse > 1 and (self.threshold > 0 or self.optimal_only):
            # Rates of layers that are not kept follow from the boards above: none may be missing.
            raise BuildRefusedError(
                tr(
                    "a sparse table needs all boards of the layers it keeps: "
                    "choose sparse 1, or threshold 0 and all boards"
                )
            )

    def kept_layers(self, n_layers: int) -> list[int]:
        """Return the layers that have a file, ascending.

        Every other layer lies below two consecutive ones that have, or below layers that follow
        from such two.
        """
        last_two = n_layers - 2
        return [i for i in range(n_layers) if i % self.sparse in (0, 1) or i >= last_two]

    def threshold_of(self, layer: int) -> float:
        """Return the rate up to which boards of a layer are not stored."""
        return self.threshold if layer >= FIRST_PRUNED else 0.0

    def is_thinned(self, layer: int) -> bool:
        """Tell whether a layer of the finished table holds optimal play only."""
        return self.optimal_only and layer >= FIRST_THINNED

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they are written into a manifest, equal ones in equal form."""
        return {**asdict(self), "spawn4": float(self.spawn4), "threshold": float(self.threshold)}


def parse_options(entry: Mapping[str, Any]) -> TableOptions:
    """Return the options that `to_dict` wrote.

    Raises
    ------
    TypeError
        A field is missing or unknown.
    BuildRefusedError
        A value that no table can have.
    """
    if not isinstance(entry, dict) or entry.keys() != asdict(TableOptions()).keys():
        raise TypeError("the options are not those of this version")
    options = TableOptions(**entry)
    options.check()
    return options


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
