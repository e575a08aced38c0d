"""Which definition of its formation a table was made with: found out from its boards.

Its files record neither target cells nor seeds nor the number of layers, and these have changed
between versions: the target of L3 counted in two cells up to version 9.3 and everywhere in versions
10 and 11. A wrong definition answers boards as won that are lost. So a table is opened with the
definition that its boards fit: one in a patterns_config.json beside its files, that of the
formation of its name, those of other formations that differ only in target cells and steps, and
those of earlier versions that are known.

How rates are stored is found out as well, because the config can be lost or wrong: the last two
layers hold only boards that have reached the target, and each type has its own way to store their
rate of 1.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

import numpy as np

from tablebase.errors import TableError, TableFormatError
from tablebase.foreign.boards import check_boards, reached_many
from tablebase.foreign.find import ForeignTable
from tablebase.foreign.packed import open_layer
from tablebase.foreign.plain_layer import Records
from tablebase.foreign.rates import STORED_RATES, StoredRate
from tablebase.formation.formation import Formation
from tablebase.formation.goal import check_target
from tablebase.formation.patterns_file import (
    CONFIG_PATH,
    find_formation,
    load_formations,
    read_formations,
)

_LAYERS, _PIECES = 5, 4  # to look at, and pieces of each
_MAX_LAST_LAYERS = 16  # to look at for the type of rates, from the last one down
_EARLIER_CELLS = {"L3": (0x0000_0F00_F000_0000,), "4421": (0x00F0_0000,)}
_EARLIER_STEPS = 36  # of formations with ten free cells, up to version 8.3
_LL_CORNERS = 0x0000_00FF_0F00_0F00


def definitions_of(table: ForeignTable, formations: Mapping[str, Formation]) -> list[Formation]:
    """Return the definitions that a table may have, likeliest first, or raise FormationError."""
    path = table.folder / CONFIG_PATH.name
    beside = read_formations(path) if path.is_file() else {}
    check_target(table.target)
    usual = beside.get(table.pattern) or _named(table, formations)
    likely = _by_position(table, usual) if table.position else [usual]
    for formation in (*formations.values(), *load_formations().values()):
        if _is_alike(formation, usual):
            likely.append(replace(formation, name=usual.name, category=usual.category))
    earlier = _EARLIER_CELLS.get(table.pattern, ())
    likely += [replace(usual, target_cells=cells) for cells in earlier]
    fitting = [
        formation
        for formation in likely
        if max(table.layers, default=0) < formation.n_layers(table.target)
    ]
    return list(dict.fromkeys(fitting or likely))


def fitting_definition(
    table: ForeignTable, definitions: list[Formation], rate: StoredRate
) -> Formation:
    """Return the definition that the boards of a table fit, the first one if they don't tell.

    A look at a few boards of a few layers decides: those with the target in a target cell must have
    rate 1. With too few target cells that holds as well, so of those that fit, the one that most
    boards have reached is right. Raises TableFormatError if none fits.
    """
    n_reached = dict.fromkeys(definitions, 0)
    for layer in _layers_with_target(table, definitions[0]):
        for records in _specimens(table, layer, definitions[0], rate):
            boards = np.ascontiguousarray(records["board"])
            is_less = records["rate"] != rate.certain
            for formation in [*n_reached]:
                reached = reached_many(formation, table.target, boards)
                n_reached[formation] += int(reached.sum())
                if (reached & is_less).any():
                    del n_reached[formation]
    fitting = max(n_reached, key=n_reached.__getitem__, default=None)
    check_rate(table, fitting or definitions[0], rate)
    if fitting is None:
        raise TableFormatError(
            "{name} in {folder} was made with other target cells than {pattern} has here: copy "
            "patterns_config.json of the program that made it into that folder, and open it again",
            name=table.name,
            folder=table.folder,
            pattern=table.pattern,
        )
    return fitting


def _named(table: ForeignTable, formations: Mapping[str, Formation]) -> Formation:
    """Return the formation of the table's name; up to version 8.3, freeN was called freeNw."""
    name = table.pattern
    if name not in formations and name.startswith("free") and name.endswith("w"):
        name = name[:-1]
    return find_formation(name, formations)


def _by_position(table: ForeignTable, usual: Formation) -> list[Formation]:
    """Return the definitions that a position stands for; the usual one where that is unknown."""
    position = int(table.position)
    formation = usual
    if table.pattern == "L3":
        cells = 0xF << (40 - 4 * position) if position <= 10 else usual.target_cells
        formation = replace(usual, target_cells=cells if position else _EARLIER_CELLS["L3"][0])
    elif table.pattern == "LL" and position == 0:
        formation = replace(usual, target_cells=_LL_CORNERS)
    elif table.pattern == "LL" and position == 1:
        formation = replace(usual, target_cells=0xF00, symmetry="identity")
    fewer = replace(formation, extra_steps=min(formation.extra_steps, _EARLIER_STEPS))
    return [fewer, formation] if table.layers and usual.category == "10 space" else [formation]


def _is_alike(formation: Formation, usual: Formation) -> bool:
    """Return whether the boards of two formations are the same, except for reaching the target."""
    changed = replace(
        formation,
        name=usual.name,
        category=usual.category,
        target_cells=usual.target_cells,
        extra_steps=usual.extra_steps,
        seeds=usual.seeds,
    )
    is_start_alike = (formation.n_large, formation.seed_half_sum) == (
        usual.n_large,
        usual.seed_half_sum,
    )
    return is_start_alike and changed == usual


def _layers_with_target(table: ForeignTable, usual: Formation) -> list[int]:
    """Return some layers, evenly spread, whose boards may hold the target or less than it.

    In the last two every stored board has reached it.
    """
    first = max(table.target // 2 - usual.seed_half_sum, 0) + 1
    there = [i for i in sorted(table.layers) if first <= i < usual.n_layers(table.target) - 2]
    step = max(-(-len(there) // _LAYERS), 1)
    return there[::step]


def _specimens(
    table: ForeignTable, layer: int, usual: Formation, rate: StoredRate
) -> Iterator[Records]:
    """Yield some pieces of a layer; none of a damaged one, which is reported when it is used."""
    path = table.layers[layer]
    with suppress(TableError):
        opened = open_layer(path, rate)
        try:
            for records in opened.pieces(_PIECES):
                check_boards(usual, layer, np.ascontiguousarray(records["board"]), path)
                yield records
        finally:
            opened.close()


def detect_rate(table: ForeignTable, formation: Formation) -> str:
    """Return the type by which boards at the target have rate 1; or raise TableFormatError."""
    for layer in _last_layers(table):
        fitting = [
            rate.name for rate in STORED_RATES.values() if _fits(table, formation, layer, rate)
        ]
        if len(fitting) == 1:
            return fitting[0]
    raise TableFormatError(
        "cannot tell how {name} in {folder} stores rates: expected a line such as "
        '"success_rate_dtype: uint32" in {file}',
        name=table.name,
        folder=table.folder,
        file=table.config_path.name,
    )


def check_rate(table: ForeignTable, formation: Formation, rate: StoredRate) -> None:
    for layer in _last_layers(table):
        fits = _fits(table, formation, layer, rate)
        if fits is False:
            raise TableFormatError(
                "{path}: boards that have reached {target} do not have rate 1 when read as "
                "{rate}: correct success_rate_dtype in {file}, or the target cells of "
                "{pattern} in patterns_config.json",
                path=table.layers[layer],
                target=table.target,
                rate=rate.name,
                file=table.config_path.name,
                pattern=table.pattern,
            )
        if fits:
            return


def _last_layers(table: ForeignTable) -> list[int]:
    return sorted(table.layers, reverse=True)[:_MAX_LAST_LAYERS]


def _fits(table: ForeignTable, formation: Formation, layer: int, rate: StoredRate) -> bool | None:
    path = table.layers[layer]
    try:
        opened = open_layer(path, rate)
        try:
            records = next(opened.chunks(), None)
        finally:
            opened.close()
        if records is None:
            return None
        boards = np.ascontiguousarray(records["board"])
        check_boards(formation, layer, boards, path)
    except TableError:
        return None
    reached = reached_many(formation, table.target, boards)
    return bool((records["rate"][reached] == rate.certain).all()) if reached.any() else None
