"""The options of tables and of their builds: all there is to say about each, in one place.

The parser of the command line, the window's form and settings, requests as JSON, the bodies of
HTTP, and the input of an estimate follow from the entries here; a test compares the Python API with
them. To add an option, add an entry to `Contents`, or to `BuildOptions` if it changes no answer,
and what it does.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from engine.platform.language import mark, tr
from engine.spawn import DEFAULT_SPAWN4
from tablebase.errors import BuildRefusedError
from tablebase.formation.extra_steps import FULL

if TYPE_CHECKING:
    from tablebase.kernels.board_limits import BoardLimits

Kind = Literal["share", "whole", "tile", "bytes", "choice", "switch", "folder", "length"]

_TYPES: dict[str, tuple[type, ...]] = {
    "share": (int, float),
    "choice": (str,),
    "switch": (bool,),
    "folder": (str,),
    "length": (str,),
}

RATES = ("uint32", "uint64", "uint16", "float32", "float64")
LEVELS = ("fast", "normal", "small")
MAX_THREADS = 256
MAX_SPARSE = 16
MIN_EQUAL, MAX_EQUAL = 2, 15  # without a pair there is never a larger tile
MAX_SMALL_SUM = 1 << 16  # more than fits on a board
LARGE_TILES = tuple(8 << i for i in range(11))  # below the largest target
DEFAULT_LARGE = 64
FIRST_PRUNED = FIRST_LIMITED = 2
FIRST_THINNED = 21
_NO_LIMIT = mark("No limit")


class NumberRange(NamedTuple):
    """The numbers from `low` to below `high`; without `low` itself if it is open."""

    low: float
    high: float
    is_open: bool = False

    def accepts(self, value: float) -> bool:
        return self.low <= value < self.high and not (self.is_open and value == self.low)


class TextPattern(NamedTuple):
    """The texts that a regular expression matches."""

    expression: str

    def accepts(self, value: str) -> bool:
        return re.fullmatch(self.expression, value, re.ASCII) is not None


class Offered(NamedTuple):
    """A value that the window offers: its name and its effect, both marked for translation."""

    value: int | str
    words: str
    note: str = ""


@dataclass(eq=False, repr=False)  # every start makes this class
class TableOption:
    """One option; all of its texts are marked constants."""

    default: Any  # a value that is not valid itself stands for none: what is used is found later
    kind: Kind
    values: NumberRange | TextPattern | Sequence[Any]  # `TableOptions.check` says which go together
    # "contents" for what a table holds, "limits" for what giant ones leave out, "manner" for what
    # changes no answer.
    group: str
    help: str
    title: str  # its name in the window
    note: str  # its effect in one sentence
    metavar: str = ""
    refusal: str = ""  # the message about another value, which it has as ``{name}``
    # The message about another ``{text}`` on the command line; by default that of the kind, which
    # calls it `noun`.
    word_refusal: str = ""
    bounds: Mapping[str, int] = field(default_factory=dict)  # the numbers in these texts, by name
    noun: str = ""
    offered: Sequence[Offered] = ()  # the choices of the window; none for a field or a switch
    lowest: str = ""  # what the window calls the lowest number
    expected: str = ""  # what the window expects in a field for text
    flag: str = ""  # its name on the command line and in HTTP, where it is another one
    wire_bounds: tuple[float, float] = (0, 0)  # in HTTP; the command that is started knows better
    is_for_programs: bool = True  # whether HTTP and the Python API have it
    name: str = ""

    def named(self, name: str) -> "TableOption":
        self.name = name
        return self

    @property
    def has_default(self) -> bool:
        """Whether the default is a value, and not the lack of one."""
        return self.accepts(self.default)

    def accepts(self, value: Any) -> bool:
        types = _TYPES.get(self.kind, (int,))
        is_of_type = isinstance(value, types) and (bool in types or not isinstance(value, bool))
        if not is_of_type or not isinstance(self.values, NumberRange | TextPattern):
            return is_of_type and value in self.values
        return self.values.accepts(value)

    def words(self, value: object) -> list[str]:
        flag = f"--{(self.flag or self.name).replace('_', '-')}"
        return [flag] if self.kind == "switch" else [flag, str(value)]


def option(default: Any, *args: Any, **texts: Any) -> Any:
    """Return the dataclass field of an option; the arguments are those of `TableOption`."""
    return field(default=default, metadata={"option": TableOption(default, *args, **texts)})


@dataclass(frozen=True)
class Contents:
    """What a table stores; two tables of one formation and target differ only in these.

    In a table with either limit, a board that is left out counts as lost for the boards before it,
    so all its rates are lower bounds. Layers 0 and 1 are kept whole.
    """

    spawn4: float = option(
        DEFAULT_SPAWN4,
        "share",
        NumberRange(0.0, 1.0, is_open=True),
        "contents",
        mark("chance that a new tile is a 4 (default: %(default)s)"),
        mark("Chance of a 4"),
        mark("In standard 2048 it is 10 %."),
        metavar="P",
        refusal=mark("spawn-4 rate {spawn4!r}: expected a number above 0 and below 1, such as 0.1"),
        word_refusal=mark("{text!r}: expected a number above 0 and below 1, such as 0.1"),
        wire_bounds=(0.001, 0.999),
    )
    rate: str = option(
        RATES[0],
        "choice",
        RATES,
        "contents",
        mark("how rates are stored (default: %(default)s, a 1/4e9 fixed point; uint16 is compact)"),
        mark("Rate precision"),
        mark("How many digits of each success rate a table stores."),
        offered=(
            Offered("uint32", mark("32-bit"), mark("The default: exact to about 10 digits.")),
            Offered(
                "uint16",
                mark("16-bit"),
                mark("Smaller. Off by 0.04 % at worst, usually less than 0.001 %."),
            ),
            Offered("uint64", mark("64-bit"), mark("Larger. Every digit that is computed.")),
            Offered(
                "float32",
                mark("32-bit floating point"),
                mark("Seven digits, however small the rate."),
            ),
            Offered(
                "float64",
                mark("64-bit floating point"),
                mark("Larger. Sixteen digits, however small the rate."),
            ),
        ),
    )
    # Layers 0 and 1 are kept whole, so that the table always has answers at the start.
    threshold: float = option(
        0.0,
        "share",
        NumberRange(0.0, 1.0),
        "contents",
        mark(
            "drop boards with a success rate of P or less (default: 0, which keeps every board "
            "that has a chance)"
        ),
        mark("Drop positions below"),
        mark("Positions with this chance or less are left out and count as lost."),
        metavar="P",
        refusal=mark("threshold {threshold!r}: expected a number from 0 to below 1, such as 0.05"),
        word_refusal=mark(
            "{text!r} is not a threshold: expected a number from 0 to below 1, such as 0.05"
        ),
        lowest=mark("Off"),
        wire_bounds=(0, 0.999),
    )
    # From layer `FIRST_THINNED` on.
    optimal_only: bool = option(
        False,
        "switch",
        (False, True),
        "contents",
        mark("store only boards that optimal play reaches"),
        mark("Only positions of best play"),
        mark("Leaves out positions that only a mistake can reach."),
        refusal=mark("optimal only {optimal_only!r}: expected True or False"),
    )
    # Of every `sparse` layers two consecutive ones are kept, and the last two; 1 keeps all.
    sparse: int = option(
        1,
        "whole",
        (1, *range(3, MAX_SPARSE + 1)),
        "contents",
        mark(
            "store 2 of every K layers and recompute the rest when needed: less disk, more time "
            "(1 stores all, or 3 to {most}; default: %(default)s)"
        ),
        mark("Sparse storage"),
        mark("Stores 2 of every N layers and recomputes the rest when needed."),
        metavar="K",
        refusal=mark(
            "sparse {sparse!r}: expected 1 (keep all layers) or a number from 3 to {most}"
        ),
        word_refusal=mark(
            "{text!r} is not a way to keep layers: expected 1 (store all layers) or a "
            "whole number from 3 to {most}"
        ),
        bounds={"most": MAX_SPARSE},
        offered=(Offered(1, mark("Off")), *(Offered(n, str(n)) for n in (3, 4, 6, 8))),
        wire_bounds=(1, 999),
    )
    # Boards with more equal large tiles than this are not expanded; 0 for no limit. F don't count.
    most_equal: int = option(
        0,
        "whole",
        (0, *range(MIN_EQUAL, MAX_EQUAL + 1)),
        "limits",
        mark(
            "limit on equal large tiles: leave out boards with more than K ({fewest} to {most}; "
            "default: no limit)"
        ),
        mark("Limit on equal large tiles"),
        mark(
            "For giant tables: leaves out positions with more of them (in other programs: "
            "advanced algorithm)."
        ),
        metavar="K",
        refusal=mark(
            "most equal {most_equal!r}: expected 0 (no limit) or a number from {fewest} to {most}"
        ),
        word_refusal=mark(
            "{text!r} is not a limit on equal tiles: expected a number from {fewest}, as a "
            "larger tile is made of two, to {most}, or 0 for no limit"
        ),
        bounds={"fewest": MIN_EQUAL, "most": MAX_EQUAL},
        offered=(Offered(0, _NO_LIMIT), *(Offered(n, str(n)) for n in (2, 3, 4))),
        wire_bounds=(0, 99),
    )
    # Nor are boards with a large tile whose other tiles add up to more than this; 0 for no limit,
    # else at least `large_from`: next to a large tile there must be room for the parts of another
    # one.
    small_sum: int = option(
        0,
        "whole",
        range(MAX_SMALL_SUM + 1),
        "limits",
        mark(
            "limit on the sum of small tiles: leave out boards with a large tile where the others "
            "add up to more than N; other programs call it STSL (default: no limit)"
        ),
        mark("Limit on the sum of small tiles"),
        mark(
            "For giant tables: leaves out positions with more than this beside a large tile (in "
            "other programs: STSL)."
        ),
        metavar="N",
        refusal=mark(
            "small sum {small_sum!r}: expected 0 (no limit) or from {least}, of which the "
            "next large tile is made, to {most}"
        ),
        bounds={"most": MAX_SMALL_SUM},
        noun=mark("the sum of small tiles"),
        offered=(
            Offered(0, _NO_LIMIT),
            *(Offered(n, str(n)) for n in (64, 96, 128, 192, 256, 384)),
        ),
        wire_bounds=(0, 1 << 20),
    )
    large_from: int = option(
        DEFAULT_LARGE,
        "tile",
        LARGE_TILES,
        "limits",
        mark(
            "the smallest tile that these limits count as large (default: %(default)s); F tiles "
            "don't count"
        ),
        mark("Large tiles from"),
        mark(
            "The smallest tile that these two limits count as large. It must be below the target."
        ),
        metavar=mark("TILE"),
        refusal=mark("large from {large_from!r}: expected a tile, 8, 16, 32 ... {most}"),
        bounds={"most": LARGE_TILES[-1]},
        offered=tuple(Offered(tile, str(tile)) for tile in (16, 32, 64, 128)),
        wire_bounds=(2, 1 << 17),
    )

    @property
    def is_limited(self) -> bool:
        """Whether boards beyond a limit are left out, so that rates are lower bounds."""
        return self.most_equal > 0 or self.small_sum > 0

    def is_written(self, name: str) -> bool:
        """Return whether an option is worth writing: limits are if there are any."""
        return self.is_limited or OPTIONS[name].group != "limits"


class TableOptions(Contents):
    """The options of a table, as they are written into its manifest."""

    def check(self, target: int | None = None) -> None:
        """Raise BuildRefusedError if no table, or none to this target, can have these options."""
        from tablebase.store.rates import find_rate_type  # not needed at the window's start

        find_rate_type(self.rate)
        for name in CONTENTS:
            if not OPTIONS[name].accepts(getattr(self, name)):
                raise self._refused(name)
        if self.sparse > 1 and (self.threshold > 0 or self.optimal_only):
            # Rates of layers that are not kept follow from the boards above: none may be missing.
            raise BuildRefusedError(
                tr(
                    "a sparse table needs all boards of the layers it keeps: "
                    "choose sparse 1, or threshold 0 and all boards"
                )
            )
        if 0 < self.small_sum < self.large_from:
            raise self._refused("small_sum")
        if self.large_from != DEFAULT_LARGE and not self.is_limited:
            raise BuildRefusedError(
                "large from {large_from} does nothing by itself: also limit the equal large "
                "tiles (most equal) or the sum of the others (small sum)",
                large_from=self.large_from,
            )
        if self.is_limited and target is not None and self.large_from >= target:
            raise BuildRefusedError(
                "large from {large_from}: there are no such tiles on the way to {target}, so "
                "there is nothing to limit; choose a smaller tile",
                large_from=self.large_from,
                target=target,
            )

    def check_chained(self) -> None:
        """Raise BuildRefusedError if no chained table can have these options."""
        if self.optimal_only or self.is_limited:
            raise BuildRefusedError(
                tr(
                    "a chained table holds all boards: it can't have limits, nor only positions of "
                    "best play"
                )
            )

    def _refused(self, name: str) -> BuildRefusedError:
        values = {name: getattr(self, name), "least": self.large_from, **OPTIONS[name].bounds}
        return BuildRefusedError(OPTIONS[name].refusal, **values)

    def limits(self) -> "BoardLimits | None":
        if not self.is_limited:
            return None
        from tablebase.kernels.board_limits import limits_of  # loads the compiler

        return limits_of(self.most_equal, self.small_sum, self.large_from)

    def layers_with_files(self, n_layers: int) -> list[int]:
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
        return self.optimal_only and layer >= FIRST_THINNED

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they are written into a manifest; equal options give equal data.

        Limits are included only if there are any, as manifests without them are older.
        """
        named = {name: getattr(self, name) for name in CONTENTS if self.is_written(name)}
        return {**named, "spawn4": float(self.spawn4), "threshold": float(self.threshold)}


@dataclass(frozen=True)
class BuildOptions(Contents):
    """The options of a build: what the table stores, its length, and how it is made."""

    extra_steps: str = option(
        "",
        "length",
        TextPattern(rf"{FULL}|-?\d{{1,5}}"),
        "contents",
        mark(
            "layers beyond half the target; boards left in the last two count as lost. full: as "
            "many as it takes until no board is left, for exact rates, which may take several "
            "times the space (default: what the formation says, mostly 48)"
        ),
        mark("Extra layers"),
        mark("How many layers a table has after the target's own sum. With all, rates are exact."),
        metavar="N",
        word_refusal=mark(
            "{text!r} is not a number of extra steps: expected one such as 100, or full"
        ),
        offered=(
            Offered("", mark("Usual")),
            *(Offered(n, n) for n in ("96", "192")),
            Offered(FULL, mark("All")),
        ),
        wire_bounds=(-99_999, 99_999),
    )
    level: str = option(
        LEVELS[0],
        "choice",
        LEVELS,
        "manner",
        mark(
            "how hard the finished files are packed: smaller ones take longer to build and answer "
            "the same (default: %(default)s)"
        ),
        mark("Compression"),
        mark("How hard the files of a table are compressed; the rates in them are the same."),
        offered=(
            Offered("fast", mark("Fast"), mark("The default.")),
            Offered(
                "normal", mark("Normal"), mark("Somewhat smaller, slower to build. Same results.")
            ),
            Offered(
                "small",
                mark("Small"),
                mark("As small as possible, much slower to build. Same results."),
            ),
        ),
    )
    pack_scratch: bool = option(
        False,
        "switch",
        (False, True),
        "manner",
        mark(
            "pack all working files, not only large ones: takes less disk space while building, "
            "and a little more time"
        ),
        mark("Compress working files"),
        mark(
            "Large ones are always compressed. Takes less disk space while building, but a little "
            "longer."
        ),
        is_for_programs=False,
    )
    scratch: str = option(
        "",
        "folder",
        TextPattern("(?s).+"),
        "manner",
        mark(
            "where working files go until the table is built, such as a folder on another drive "
            "(default: beside the table, or where they were before)"
        ),
        mark("Working files in"),
        mark("May be on another drive. Leave it empty to keep them beside the table."),
        metavar=mark("DIR"),
        expected=mark("a folder; empty: beside the table"),
        is_for_programs=False,
    )
    threads: int = option(
        0,
        "whole",
        range(1, MAX_THREADS + 1),
        "manner",
        mark("threads to use (default: all cores; 1 for each task of a cluster)"),
        mark("Threads"),
        mark("How many processors a build uses at once."),
        metavar="N",
        noun="threads",
        lowest=mark("All"),
        wire_bounds=(1, MAX_THREADS),
    )
    memory_bytes: int = option(
        0,
        "bytes",
        range(1, (1 << 62) + 1),
        "manner",
        mark("memory limit, such as 4G (default: what the machine can spare)"),
        mark("Memory limit"),
        mark("How much memory a build may use. What doesn't fit is computed piece by piece."),
        metavar=mark("BYTES"),
        lowest=mark("All free"),
        flag="memory",
        wire_bounds=(1, 1 << 50),
    )

    @property
    def contents(self) -> TableOptions:
        return TableOptions(**{name: getattr(self, name) for name in CONTENTS})


OPTIONS: Mapping[str, TableOption] = MappingProxyType(
    {each.name: each.metadata["option"].named(each.name) for each in fields(BuildOptions)}
)
"""Every option by its name, in the order of the command line."""
CONTENTS = tuple(each.name for each in fields(Contents))
"""The names of those that a manifest has."""


def parse_options(entry: Mapping[str, Any]) -> TableOptions:
    """Return the options from the output of `to_dict`; raise TypeError or BuildRefusedError."""
    limited = [name for name in CONTENTS if OPTIONS[name].group == "limits"]
    usual = [name for name in CONTENTS if name not in limited]
    if not isinstance(entry, dict) or entry.keys() not in (set(usual), {*CONTENTS}):
        raise TypeError("the options are not those of this version")
    options = TableOptions(**entry)
    options.check()
    return options
