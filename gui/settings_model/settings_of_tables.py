"""The settings of new tables: their contents, their build and their folder."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.platform.language import mark
from engine.spawn import DEFAULT_SPAWN4
from gui.settings_model.setting import (
    Folder,
    Folders,
    Kind,
    Name,
    Number,
    OneOf,
    Place,
    Remarks,
    Setting,
    Shown,
    Switch,
    Values,
    is_above,
    is_not,
)
from tablebase.store.options import DEFAULT_LARGE, OPTIONS, NumberRange, TableOption

_TILES = tuple(1 << exponent for exponent in range(1, 17))
_TABLES = mark("Tables")
_SMALLEST_SHARE = 0.0001
_KEEPS = Place("tables", mark("What new tables keep"))
_BUILDS = Place("tables", mark("How tables are built"))
_FOLDERS = Place("tables", mark("Folders"))
_ADVICE = Place("tables", mark("What to build"))
LIMIT_WARNING = mark(
    "Positions left out count as lost, so all success rates of the table are lower bounds: only "
    "for tables too large to build in full."
)

_NOT_SPARSE = mark("Not available for a sparse table.")
_NEEDS_ALL = mark(
    "Not available for a sparse table, which needs all positions of the layers it keeps."
)


def _leaves_out(values: Values) -> bool:
    return bool(values("build.threshold") or values("build.optimal_only"))


def _is_sparse(value: Any, values: Values) -> bool:
    return not value and values("build.sparse") > 1


def _is_unlimited(values: Values) -> bool:
    return not values("build.most_equal") and not values("build.small_sum")


_WARNINGS: Mapping[str, Remarks] = {
    "rate": {
        mark(
            "Too coarse to tell very small losses apart: it saves space, but isn't for a "
            "table you practice with."
        ): lambda value, _: bool(value == "uint16")
    },
    "spawn4": {
        mark("The standard game has 10 %: this table's success rates don't apply to it."): is_not(
            DEFAULT_SPAWN4
        )
    },
    "threshold": {
        mark(
            "Practice and Review have no rates for positions that are left out. It saves "
            "space, but isn't for a table you practice with."
        ): is_above(0)
    },
    "optimal_only": {
        mark(
            "There are no rates after a mistake: good for reference, but not for practice."
        ): is_not(False)
    },
    "sparse": {
        mark(
            "A sparse table needs every position, so leave nothing out first."
        ): lambda value, values: value > 1 and _leaves_out(values),
        mark("Lookups get slower the more layers are left out."): is_above(1),
    },
    "most_equal": {LIMIT_WARNING: is_above(0)},
    "small_sum": {
        mark(
            "Choose at least the tile that counts as large: less than that can't make another one."
        ): lambda value, values: bool(0 < value < values("build.large_from")),
        LIMIT_WARNING: is_above(0),
    },
    "large_from": {
        mark("Has no effect without one of the two limits."): lambda value, values: (
            value != DEFAULT_LARGE and _is_unlimited(values)
        )
    },
    "extra_steps": {mark("Takes several times the space."): is_not("")},
    "threads": {
        mark("This computer has fewer processors, so it gets no faster."): lambda value, _: bool(
            value > (os.cpu_count() or value)
        )
    },
    "memory_bytes": {
        mark("Less than 1 GB is enough for small tables only."): lambda value, _: bool(
            0 < value < 1e9
        )
    },
}
_LOCKS: Mapping[str, Remarks] = {
    "threshold": {_NEEDS_ALL: _is_sparse},
    "optimal_only": {_NOT_SPARSE: _is_sparse},
    "sparse": {
        mark("Not available while positions are left out."): lambda value, values: (
            value == 1 and _leaves_out(values)
        )
    },
}

_FORMER_NAMES = {
    "rate": mark("precision of the rates"),
    "spawn4": mark("fours, spawn of 4, new tile is a 4"),
    "threshold": mark("leave out chances up to"),
}


def _setting_of(option: TableOption) -> Setting:
    return Setting(
        f"build.{option.name}",
        option.default,
        _BUILDS if option.group == "manner" else _KEEPS,
        option.title,
        option.note,
        kind=_kind_of(option),
        warnings=_WARNINGS.get(option.name, {}),
        locks=_LOCKS.get(option.name, {}),
        also=_FORMER_NAMES.get(option.name, ""),
        is_clear=option.name in ("rate", "threads"),
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
            low += _SMALLEST_SHARE
        high -= _SMALLEST_SHARE  # which itself is no value
        return Number(low, high, factor=100, unit=" %", decimals=2, lowest=option.lowest)
    assert isinstance(option.values, range)
    number = Number(0, option.values[-1], is_whole=True, lowest=option.lowest)
    is_size = option.kind == "bytes"
    return replace(number, factor=1e-9, unit=" GB", decimals=1) if is_size else number


BUILD_SETTINGS = (
    *(_setting_of(OPTIONS[name]) for name in ("rate", *(n for n in OPTIONS if n != "rate"))),
    Setting(
        "build.resume_at_start",
        False,
        _BUILDS,
        mark("Resume builds at start"),
        mark(
            "Queued builds resume when the program starts. Otherwise, a button offers to resume "
            "them."
        ),
    ),
    Setting(
        "build.notify",
        True,
        _BUILDS,
        mark("Notify when a table is done"),
        mark("A system notification when another window is in front."),
    ),
    Setting(
        "build.folder",
        "",
        _FOLDERS,
        mark("Build tables in"),
        mark("Where new tables go; a local SSD is best. Leave it empty for your data folder."),
        kind=Folder(mark("a folder; empty: tables/ in the data folder")),
    ),
    Setting(
        "table_folders",
        [],
        _FOLDERS,
        mark("Folders with tables"),
        mark("Other folders that have tables."),
        kind=Folders(),
    ),
    Setting(
        "advice.disk_gb",
        0,
        _ADVICE,
        mark("Disk space for new tables"),
        mark("The Tables page suggests tables that fit in this space."),
        kind=Number(0, 1_000_000, unit=" GB", lowest=mark("All free")),
    ),
    Setting(
        "advice.memory_gb",
        0,
        _ADVICE,
        mark("Memory for new tables"),
        mark("The Tables page suggests tables that you can build with this much memory."),
        kind=Number(0, 4096, unit=" GB", lowest=mark("All free")),
    ),
    Setting(
        "advice.hours",
        12,
        _ADVICE,
        mark("Time for new tables"),
        mark("The Tables page suggests tables that you can build in this time."),
        kind=Number(0.5, 1000, unit=mark(" h"), decimals=1),
    ),
    Setting(
        "build.pattern",
        "442",
        _KEEPS,
        mark("Formation"),
        mark("Which cells the large tiles stay in. Your last choice is remembered."),
        kind=Name(mark("the name of a formation")),
        page=_TABLES,
    ),
    Setting(
        "build.target",
        128,
        _KEEPS,
        mark("Target tile"),
        mark("The tile to reach. Your last choice is remembered."),
        kind=OneOf(tuple(Shown(tile, str(tile)) for tile in _TILES), is_menu=True),
        page=_TABLES,
    ),
    Setting(
        "build.goal",
        "tile",
        _KEEPS,
        mark("Goal"),
        mark("Whether the target is a tile, or a sum of all tiles except the large ones."),
        kind=OneOf((Shown("tile", mark("A tile")), Shown("sum", mark("A sum")))),
        page=_TABLES,
    ),
    Setting(
        "build.sum",
        500,
        _KEEPS,
        mark("Sum of the tiles"),
        mark("The sum to reach. Your last choice is remembered."),
        kind=Number(4, 32_758, is_whole=True),
        page=_TABLES,
    ),
)
