"""The settings of new tables: their contents, their build and their folder."""

import os

from engine.platform.language import mark
from gui.settings_model.setting import (
    Folder,
    Folders,
    Name,
    Number,
    OneOf,
    Remark,
    Setting,
    Shown,
    Switch,
    is_above,
    is_not,
)
from tablebase.formation.extra_steps import FULL
from tablebase.store.options import DEFAULT_LARGE

SPARSE_CHOICES = (1, 3, 4, 6, 8)
"""Offered layer counts of which a table stores two; 1 for all."""
EQUAL_CHOICES = (0, 2, 3, 4)
"""Offered limits on the number of equal large tiles; 0 for any number."""
SUM_CHOICES = (0, 64, 96, 128, 192, 256, 384)
"""Offered limits on the sum of smaller tiles beside large ones; 0 for any."""
LARGE_CHOICES = (16, 32, 64, 128)
"""From which tile on these two can call a tile large."""
STEPS_CHOICES = ("", "96", "192", FULL)
"""Offered lengths of a table: "" as usual for the formation."""
_NO_LIMIT = mark("No limit")
_TILES = tuple(1 << exponent for exponent in range(1, 17))
_DEFAULT_SPAWN4 = 0.1
_TABLES = mark("Tables")
_KEEPS = mark("What new tables keep")
_BUILDS = mark("How tables are built")
_FOLDERS = mark("Folders")
_ADVICE = mark("What to build")
_LIMIT_WARNING = mark(
    "Positions left out count as lost, so all success rates of the table are lower bounds: only "
    "for tables too large to build in full."
)

BUILD_SETTINGS = (
    Setting(
        "build.rate",
        OneOf(
            (
                Shown("uint32", mark("32-bit"), mark("The default: exact to about 10 digits.")),
                Shown(
                    "uint16",
                    mark("16-bit"),
                    mark(
                        "About 60 % of the size. Off by 0.04 % at worst, usually less than 0.001 %."
                    ),
                ),
                Shown(
                    "uint64",
                    mark("64-bit"),
                    mark("Every digit that is computed. Almost twice the size."),
                ),
                Shown(
                    "float32",
                    mark("32-bit floating point"),
                    mark(
                        "Seven digits, however small the rate. A little smaller than the default."
                    ),
                ),
                Shown(
                    "float64",
                    mark("64-bit floating point"),
                    mark("Sixteen digits, however small the rate. 1.7 times the size."),
                ),
            ),
            is_menu=True,
        ),
        "uint32",
        "tables",
        _KEEPS,
        mark("Precision of the rates"),
        mark("How many digits of each success rate a table stores."),
        warnings=(
            Remark(
                mark(
                    "Too coarse to tell very small losses apart: it saves space, but isn't for a "
                    "table you practice with."
                ),
                lambda value, _: bool(value == "uint16"),
            ),
        ),
    ),
    Setting(
        "build.spawn4",
        Number(0.0001, 0.9999, factor=100, unit=" %", decimals=2),
        _DEFAULT_SPAWN4,
        "tables",
        _KEEPS,
        mark("New tile is a 4"),
        mark("How often a new tile is a 4 in the game that tables are computed for."),
        warnings=(
            Remark(
                mark("The standard game has 10 %: this table's success rates don't apply to it."),
                is_not(_DEFAULT_SPAWN4),
            ),
        ),
    ),
    Setting(
        "build.threshold",
        Number(0.0, 1.0, factor=100, unit=" %", decimals=2, lowest=mark("Nothing")),
        0.0,
        "tables",
        _KEEPS,
        mark("Leave out chances up to"),
        mark("Positions with this chance or less are left out and count as lost."),
        warnings=(
            Remark(
                mark(
                    "Practice and Review have no rates for positions that are left out. It saves "
                    "space, but isn't for a table you practice with."
                ),
                is_above(0),
            ),
        ),
        locks=(
            Remark(
                mark(
                    "Not available for a sparse table, which needs all positions of the layers it "
                    "keeps."
                ),
                lambda value, values: not value and values("build.sparse") > 1,
            ),
        ),
    ),
    Setting(
        "build.optimal_only",
        Switch(),
        False,
        "tables",
        _KEEPS,
        mark("Only positions of best play"),
        mark("Leaves out positions that only a mistake can reach."),
        warnings=(
            Remark(
                mark(
                    "There are no rates after a mistake: good for reference, but not for practice."
                ),
                is_not(False),
            ),
        ),
        locks=(
            Remark(
                mark("Not available for a sparse table."),
                lambda value, values: not value and values("build.sparse") > 1,
            ),
        ),
    ),
    Setting(
        "build.sparse",
        OneOf(
            (
                Shown(1, mark("Off")),
                *(Shown(sparse, str(sparse)) for sparse in SPARSE_CHOICES[1:]),
            )
        ),
        1,
        "tables",
        _KEEPS,
        mark("Sparse storage"),
        mark("Stores two of every so many layers; lookups recompute the others."),
        warnings=(
            Remark(
                mark("A sparse table needs every position, so leave nothing out first."),
                lambda value, values: bool(
                    value > 1 and (values("build.threshold") or values("build.optimal_only"))
                ),
            ),
            Remark(mark("Lookups get slower the more layers are left out."), is_above(1)),
        ),
        locks=(
            Remark(
                mark("Not available while positions are left out."),
                lambda value, values: bool(
                    value == 1 and (values("build.threshold") or values("build.optimal_only"))
                ),
            ),
        ),
    ),
    Setting(
        "build.most_equal",
        OneOf(tuple(Shown(n, str(n) if n else _NO_LIMIT) for n in EQUAL_CHOICES)),
        0,
        "tables",
        _KEEPS,
        mark("Equal large tiles"),
        mark(
            "For giant tables: leaves out positions with more equal large tiles (in other "
            "programs: advanced algorithm)."
        ),
        warnings=(Remark(_LIMIT_WARNING, is_above(0)),),
    ),
    Setting(
        "build.small_sum",
        OneOf(tuple(Shown(n, str(n) if n else _NO_LIMIT) for n in SUM_CHOICES)),
        0,
        "tables",
        _KEEPS,
        mark("Sum of small tiles"),
        mark(
            "For giant tables: leaves out positions with more than this beside a large tile (in "
            "other programs: STSL)."
        ),
        warnings=(
            Remark(
                mark(
                    "Choose at least the tile that counts as large: less than that can't make "
                    "another one."
                ),
                lambda value, values: bool(0 < value < values("build.large_from")),
            ),
            Remark(_LIMIT_WARNING, is_above(0)),
        ),
    ),
    Setting(
        "build.large_from",
        OneOf(tuple(Shown(tile, str(tile)) for tile in LARGE_CHOICES)),
        DEFAULT_LARGE,
        "tables",
        _KEEPS,
        mark("Large tiles from"),
        mark(
            "The smallest tile that these two limits count as large. It must be below the target."
        ),
        warnings=(
            Remark(
                mark("Has no effect without one of the two limits."),
                lambda value, values: (
                    value != DEFAULT_LARGE
                    and not values("build.most_equal")
                    and not values("build.small_sum")
                ),
            ),
        ),
    ),
    Setting(
        "build.extra_steps",
        OneOf(
            (
                Shown("", mark("Usual")),
                *(Shown(steps, steps) for steps in STEPS_CHOICES[1:-1]),
                Shown(FULL, mark("All")),
            )
        ),
        "",
        "tables",
        _KEEPS,
        mark("Extra layers"),
        mark("How many layers a table has after the target's own sum. With all, rates are exact."),
        warnings=(Remark(mark("Takes several times the space."), is_not("")),),
    ),
    Setting(
        "build.level",
        OneOf(
            (
                Shown("fast", mark("Fast"), mark("The default.")),
                Shown(
                    "normal",
                    mark("Normal"),
                    mark("Somewhat smaller, slower to build. Same results."),
                ),
                Shown(
                    "small",
                    mark("Small"),
                    mark("As small as possible, much slower to build. Same results."),
                ),
            )
        ),
        "fast",
        "tables",
        _BUILDS,
        mark("Compression"),
        mark("How hard the files of a table are compressed; the rates in them are the same."),
    ),
    Setting(
        "build.pack_scratch",
        Switch(),
        False,
        "tables",
        _BUILDS,
        mark("Compress working files"),
        mark("Large ones always are. Takes less disk space while building, but a little longer."),
    ),
    Setting(
        "build.scratch",
        Folder(mark("a folder; empty: beside the table")),
        "",
        "tables",
        _BUILDS,
        mark("Working files in"),
        mark("May be on another drive. Leave it empty to keep them beside the table."),
    ),
    Setting(
        "build.threads",
        Number(0, 256, is_whole=True, lowest=mark("All")),
        0,
        "tables",
        _BUILDS,
        mark("Threads"),
        mark("How many processors a build uses at once."),
        warnings=(
            Remark(
                mark("This computer has fewer processors, so it gets no faster."),
                lambda value, _: bool(value > (os.cpu_count() or value)),
            ),
        ),
    ),
    Setting(
        "build.memory_bytes",
        Number(
            *(0, 1 << 62),
            is_whole=True,
            factor=1e-9,
            unit=" GB",
            decimals=1,
            lowest=mark("All free"),
        ),
        0,
        "tables",
        _BUILDS,
        mark("Memory limit"),
        mark("How much memory a build may use. What doesn't fit is computed piece by piece."),
        warnings=(
            Remark(
                mark("Less than 1 GB is enough for small tables only."),
                lambda value, _: bool(0 < value < 1e9),
            ),
        ),
    ),
    Setting(
        "build.resume_at_start",
        Switch(),
        False,
        "tables",
        _BUILDS,
        mark("Resume builds at start"),
        mark(
            "Queued builds resume when the program starts. Otherwise, a button offers to resume "
            "them."
        ),
    ),
    Setting(
        "build.notify",
        Switch(),
        True,
        "tables",
        _BUILDS,
        mark("Notify when a table is done"),
        mark("A system notification when another window is in front."),
    ),
    Setting(
        "build.folder",
        Folder(mark("a folder; empty: tables/ in the data folder")),
        "",
        "tables",
        _FOLDERS,
        mark("Build tables in"),
        mark("Where new tables go; a local SSD is best. Leave it empty for your data folder."),
    ),
    Setting(
        "table_folders",
        Folders(),
        [],
        "tables",
        _FOLDERS,
        mark("Folders with tables"),
        mark("Other folders that have tables."),
    ),
    Setting(
        "advice.disk_gb",
        Number(0, 1_000_000, unit=" GB", lowest=mark("All free")),
        0,
        "tables",
        _ADVICE,
        mark("Disk space for new tables"),
        mark("The Tables page suggests tables that fit in this space."),
    ),
    Setting(
        "advice.memory_gb",
        Number(0, 4096, unit=" GB", lowest=mark("All free")),
        0,
        "tables",
        _ADVICE,
        mark("Memory for new tables"),
        mark("The Tables page suggests tables that you can build with this much memory."),
    ),
    Setting(
        "advice.hours",
        Number(0.5, 1000, unit=mark(" h"), decimals=1),
        12,
        "tables",
        _ADVICE,
        mark("Time for new tables"),
        mark("The Tables page suggests tables that you can build in this time."),
    ),
    Setting(
        "build.pattern",
        Name(mark("the name of a formation")),
        "442",
        "tables",
        _KEEPS,
        mark("Formation"),
        mark("Which cells the large tiles stay in. Your last choice is remembered."),
        page=_TABLES,
    ),
    Setting(
        "build.target",
        OneOf(tuple(Shown(tile, str(tile)) for tile in _TILES), is_menu=True),
        128,
        "tables",
        _KEEPS,
        mark("Target tile"),
        mark("The tile to reach. Your last choice is remembered."),
        page=_TABLES,
    ),
    Setting(
        "build.goal",
        OneOf((Shown("tile", mark("A tile")), Shown("sum", mark("A sum")))),
        "tile",
        "tables",
        _KEEPS,
        mark("Goal"),
        mark("Whether the target is a tile, or a sum of all tiles except the large ones."),
        page=_TABLES,
    ),
    Setting(
        "build.sum",
        Number(4, 32_758, is_whole=True),
        500,
        "tables",
        _KEEPS,
        mark("Sum of the tiles"),
        mark("The sum to reach. Your last choice is remembered."),
        page=_TABLES,
    ),
)
