"""The settings of new tables: their contents, their build and their folder."""

import os

from engine.platform.language import mark
from gui.settings_model.setting import (
    Folder,
    Folders,
    Kind,
    Name,
    Number,
    OneOf,
    Remark,
    Setting,
    Shown,
    Switch,
    Values,
    is_above,
    is_not,
)
from tablebase.store.option import NumberRange, TableOption
from tablebase.store.options import DEFAULT_LARGE, DEFAULT_SPAWN4, OPTIONS

_TILES = tuple(1 << exponent for exponent in range(1, 17))
_TABLES = mark("Tables")
_SMALLEST_SHARE = 0.0001
_KEEPS = mark("What new tables keep")
_BUILDS = mark("How tables are built")
_FOLDERS = mark("Folders")
_ADVICE = mark("What to build")
LIMIT_WARNING = mark(
    "Positions left out count as lost, so all success rates of the table are lower bounds: only "
    "for tables too large to build in full."
)

_NOT_SPARSE = Remark(
    mark("Not available for a sparse table."),
    lambda value, values: not value and values("build.sparse") > 1,
)


def _leaves_out(values: Values) -> bool:
    return bool(values("build.threshold") or values("build.optimal_only"))


_WARNINGS = {
    "rate": (
        Remark(
            mark(
                "Too coarse to tell very small losses apart: it saves space, but isn't for a "
                "table you practice with."
            ),
            lambda value, _: bool(value == "uint16"),
        ),
    ),
    "spawn4": (
        Remark(
            mark("The standard game has 10 %: this table's success rates don't apply to it."),
            is_not(DEFAULT_SPAWN4),
        ),
    ),
    "threshold": (
        Remark(
            mark(
                "Practice and Review have no rates for positions that are left out. It saves "
                "space, but isn't for a table you practice with."
            ),
            is_above(0),
        ),
    ),
    "optimal_only": (
        Remark(
            mark("There are no rates after a mistake: good for reference, but not for practice."),
            is_not(False),
        ),
    ),
    "sparse": (
        Remark(
            mark("A sparse table needs every position, so leave nothing out first."),
            lambda value, values: value > 1 and _leaves_out(values),
        ),
        Remark(mark("Lookups get slower the more layers are left out."), is_above(1)),
    ),
    "most_equal": (Remark(LIMIT_WARNING, is_above(0)),),
    "small_sum": (
        Remark(
            mark(
                "Choose at least the tile that counts as large: less than that can't make "
                "another one."
            ),
            lambda value, values: bool(0 < value < values("build.large_from")),
        ),
        Remark(LIMIT_WARNING, is_above(0)),
    ),
    "large_from": (
        Remark(
            mark("Has no effect without one of the two limits."),
            lambda value, values: (
                value != DEFAULT_LARGE
                and not values("build.most_equal")
                and not values("build.small_sum")
            ),
        ),
    ),
    "extra_steps": (Remark(mark("Takes several times the space."), is_not("")),),
    "threads": (
        Remark(
            mark("This computer has fewer processors, so it gets no faster."),
            lambda value, _: bool(value > (os.cpu_count() or value)),
        ),
    ),
    "memory_bytes": (
        Remark(
            mark("Less than 1 GB is enough for small tables only."),
            lambda value, _: bool(0 < value < 1e9),
        ),
    ),
}
_LOCKS = {
    "threshold": (
        Remark(
            mark(
                "Not available for a sparse table, which needs all positions of the layers it "
                "keeps."
            ),
            _NOT_SPARSE.applies,
        ),
    ),
    "optimal_only": (_NOT_SPARSE,),
    "sparse": (
        Remark(
            mark("Not available while positions are left out."),
            lambda value, values: value == 1 and _leaves_out(values),
        ),
    ),
}


def _setting_of(option: TableOption) -> Setting:
    return Setting(
        f"build.{option.name}",
        _kind_of(option),
        option.default,
        "tables",
        _BUILDS if option.group == "manner" else _KEEPS,
        option.title,
        option.note,
        warnings=_WARNINGS.get(option.name, ()),
        locks=_LOCKS.get(option.name, ()),
    )


def _kind_of(option: TableOption) -> Kind:
    if option.offered:
        choices = tuple(Shown(*offered) for offered in option.offered)
        return OneOf(choices, is_menu=option.kind == "choice" and len(choices) > 3)
    if option.kind == "switch":
        return Switch()
    if option.kind == "folder":
        return Folder(option.expected)
    if isinstance(option.values, NumberRange):
        low, high = option.values.low, option.values.high
        if option.values.is_open:
            low, high = low + _SMALLEST_SHARE, high - _SMALLEST_SHARE
        return Number(low, high, factor=100, unit=" %", decimals=2, lowest=option.lowest)
    assert isinstance(option.values, range)
    if option.kind == "bytes":
        return Number(
            0,
            option.values[-1],
            is_whole=True,
            factor=1e-9,
            unit=" GB",
            decimals=1,
            lowest=option.lowest,
        )
    return Number(0, option.values[-1], is_whole=True, lowest=option.lowest)


BUILD_SETTINGS = (
    *(_setting_of(OPTIONS[name]) for name in ("rate", *(n for n in OPTIONS if n != "rate"))),
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
