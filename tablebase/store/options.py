"""The options of a table: what it stores, and in which form.

Threads, memory and compression change no answers, so they are not options.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from engine.platform.language import tr
from tablebase.errors import BuildRefusedError

if TYPE_CHECKING:
    from tablebase.kernels.board_limits import Limits

RATES = ("uint32", "uint64", "uint16", "float32", "float64")
LEVELS = ("fast", "normal", "small")
MAX_THREADS = 256
MAX_SPARSE = 16
MIN_EQUAL, MAX_EQUAL = 2, 15
MAX_SMALL_SUM = 1 << 16  # more than fits on a board
LARGE_TILES = tuple(8 << i for i in range(11))  # below the largest target
DEFAULT_LARGE = 64
FIRST_PRUNED = FIRST_LIMITED = 2
FIRST_THINNED = 21
_LIMITS = ("most_equal", "small_sum", "large_from")


@dataclass(frozen=True)
class TableOptions:
    """The options of a table; two tables of one formation and target differ only in these.

    Attributes
    ----------
    spawn4 : float
        Probability that a new tile is a 4, in (0, 1).
    rate : str
        One of ``tablebase.store.rates.RATE_TYPES``.
    threshold : float
        Boards with a rate at or below it are not stored, in [0, 1). Layers 0 and 1 are kept whole,
        so that the table always has answers at the start.
    optimal_only : bool
        Whether only boards reached by optimal play are stored, from layer `FIRST_THINNED` on.
    sparse : int
        Of every `sparse` layers two consecutive ones are kept, and the last two; 1 keeps all.
    most_equal : int
        Boards with more equal large tiles than this are not expanded, from `MIN_EQUAL` (without
        a pair there is never a larger tile) to `MAX_EQUAL`; 0 for no limit. F don't count.
    small_sum : int
        Nor are boards with a large tile whose other tiles add up to more than this; 0 for no limit,
        else at least `large_from`: next to a large tile there must be room for the parts of another
        one.
    large_from : int
        The least large tile for these two limits, one of `LARGE_TILES`, below the target.

    Notes
    -----
    In a table with either limit, a board that is left out counts as lost for the boards before it,
    so all its rates are lower bounds. Layers 0 and 1 are kept whole.
    """

    spawn4: float = 0.1
    rate: str = "uint32"
    threshold: float = 0.0
    optimal_only: bool = False
    sparse: int = 1
    most_equal: int = 0
    small_sum: int = 0
    large_from: int = DEFAULT_LARGE

    def check(self, target: int | None = None) -> None:
        """Raise BuildRefusedError if no table, or none to this target, can have these options."""
        from tablebase.store.rates import find_rate_type  # not needed at the window's start

        find_rate_type(self.rate)
        if not _is_number(self.spawn4) or not 0.0 < self.spawn4 < 1.0:
            raise BuildRefusedError(
                tr(
                    "spawn-4 rate {spawn4!r}: expected a number above 0 and below 1, such as 0.1",
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
        if not _is_whole(self.sparse) or not (self.sparse == 1 or 3 <= self.sparse <= MAX_SPARSE):
            raise BuildRefusedError(
                tr(
                    "sparse {sparse!r}: expected 1 (keep all layers) or a number from 3 to {most}",
                    sparse=self.sparse,
                    most=MAX_SPARSE,
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
        self._check_limits(target)

    def _check_limits(self, target: int | None) -> None:
        equal = 0, *range(MIN_EQUAL, MAX_EQUAL + 1)
        if not _is_whole(self.most_equal) or self.most_equal not in equal:
            raise BuildRefusedError(
                tr(
                    "most equal {most_equal!r}: expected 0 (no limit) or a number from {fewest} to "
                    "{most}",
                    most_equal=self.most_equal,
                    fewest=MIN_EQUAL,
                    most=MAX_EQUAL,
                )
            )
        if not _is_whole(self.large_from) or self.large_from not in LARGE_TILES:
            raise BuildRefusedError(
                tr(
                    "large from {large_from!r}: expected a tile, 8, 16, 32 ... {most}",
                    large_from=self.large_from,
                    most=LARGE_TILES[-1],
                )
            )
        is_sum = _is_whole(self.small_sum) and self.large_from <= self.small_sum <= MAX_SMALL_SUM
        if not is_sum and (self.small_sum != 0 or isinstance(self.small_sum, bool)):
            raise BuildRefusedError(
                tr(
                    "small sum {small_sum!r}: expected 0 (no limit) or from {least}, of which the "
                    "next large tile is made, to {most}",
                    small_sum=self.small_sum,
                    least=self.large_from,
                    most=MAX_SMALL_SUM,
                )
            )
        if self.large_from != DEFAULT_LARGE and not self.is_limited:
            raise BuildRefusedError(
                tr(
                    "large from {large_from} does nothing by itself: also limit the equal large "
                    "tiles (most equal) or the sum of the others (small sum)",
                    large_from=self.large_from,
                )
            )
        if self.is_limited and target is not None and self.large_from >= target:
            raise BuildRefusedError(
                tr(
                    "large from {large_from}: there are no such tiles on the way to {target}, so "
                    "there is nothing to limit; choose a smaller tile",
                    large_from=self.large_from,
                    target=target,
                )
            )

    @property
    def is_limited(self) -> bool:
        """Return whether boards beyond a limit are left out, so that rates are lower bounds."""
        return self.most_equal > 0 or self.small_sum > 0

    def limits(self) -> "Limits | None":
        """Return the limits in the form for kernels; None if there are none."""
        if not self.is_limited:
            return None
        from tablebase.kernels.board_limits import limits_of  # loads the compiler

        return limits_of(self.most_equal, self.small_sum, self.large_from)

    def kept_layers(self, n_layers: int) -> list[int]:
        """Return the layers that have a file, ascending.

        Every other layer is below two consecutive ones with files, or below layers that follow
        from such two.
        """
        last_two = n_layers - 2
        return [i for i in range(n_layers) if i % self.sparse in (0, 1) or i >= last_two]

    def threshold_of(self, layer: int) -> float:
        """Return the threshold of a layer: boards up to this rate are not stored."""
        return self.threshold if layer >= FIRST_PRUNED else 0.0

    def is_thinned(self, layer: int) -> bool:
        """Return whether a layer of the finished table holds only boards of optimal play."""
        return self.optimal_only and layer >= FIRST_THINNED

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they are written into a manifest; equal options give equal data.

        Limits are included only if there are any: manifests of other tables stay as they were
        before limits existed.
        """
        named = {**asdict(self), "spawn4": float(self.spawn4), "threshold": float(self.threshold)}
        return named if self.is_limited else {k: v for k, v in named.items() if k not in _LIMITS}


def parse_options(entry: Mapping[str, Any]) -> TableOptions:
    """Return the options from the output of `to_dict`.

    Raises
    ------
    TypeError
        A field is missing or unknown.
    BuildRefusedError
        A value is invalid for any table.
    """
    usual = TableOptions().to_dict().keys()
    if not isinstance(entry, dict) or entry.keys() not in (usual, usual | set(_LIMITS)):
        raise TypeError("the options are not those of this version")
    options = TableOptions(**entry)
    options.check()
    return options


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
