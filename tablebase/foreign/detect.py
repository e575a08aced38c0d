"""How a table stores rates, detected from its files, because the config can be lost or wrong.

The last two layers hold only boards that have reached the target, and each type has its own way to
store their rate of 1.
"""

import numpy as np

from engine.platform.language import tr
from tablebase.errors import TableError, TableFormatError
from tablebase.foreign.find import ForeignTable
from tablebase.foreign.packed import open_layer
from tablebase.foreign.rates import STORED_RATES, StoredRate
from tablebase.foreign.shape import LayerShape
from tablebase.foreign.target import reached_many
from tablebase.formation.formation import Formation

_MAX_LAYERS = 16  # to check, from the last one down


def detect_rate(table: ForeignTable, formation: Formation) -> str:
    """Return the name of the rate type by which boards that have reached the target have rate 1.

    Raises TableFormatError if no layer shows it.
    """
    for layer in _last_layers(table):
        fitting = [
            rate.name for rate in STORED_RATES.values() if _fits(table, formation, layer, rate)
        ]
        if len(fitting) == 1:
            return fitting[0]
    raise TableFormatError(
        tr(
            "cannot tell how {name} in {folder} stores rates: expected a line such as "
            '"success_rate_dtype: uint32" in {file}',
            name=table.name,
            folder=table.folder,
            file=table.config_path.name,
        )
    )


def check_rate(table: ForeignTable, formation: Formation, rate: StoredRate) -> None:
    """Raise TableFormatError if boards that have reached the target are stored differently."""
    for layer in _last_layers(table):
        fits = _fits(table, formation, layer, rate)
        if fits is False:
            raise TableFormatError(
                tr(
                    "{path}: boards that have reached {target} do not have rate 1 when read as "
                    "{rate}: correct success_rate_dtype in {file}, or the target cells of "
                    "{pattern} in patterns_config.json",
                    path=table.layers[layer],
                    target=table.target,
                    rate=rate.name,
                    file=table.config_path.name,
                    pattern=table.pattern,
                )
            )
        if fits:
            return


def _last_layers(table: ForeignTable) -> list[int]:
    return sorted(table.layers, reverse=True)[:_MAX_LAYERS]


def _fits(table: ForeignTable, formation: Formation, layer: int, rate: StoredRate) -> bool | None:
    """Return whether the first boards of a layer fit a rate type; None if they do not show it."""
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
        LayerShape(formation, layer).check(boards, path)
    except TableError:
        return None
    reached = reached_many(formation, table.target, boards)
    return bool((records["rate"][reached] == rate.certain).all()) if reached.any() else None
