"""Checking another program's table: everything that can be checked in its files.

They carry no checksums. So every record is checked: sizes, order, tile sums, rates; and sampled
rates are derived again from the two layers after them, as `tablebase.probe.verify` does for ours.
"""

from collections.abc import Callable

from engine.bitboard import format_board
from engine.platform.default_callbacks import ignore_progress, never_cancelled
from engine.platform.language import tr
from engine.spawn import Rng
from tablebase.errors import BuildCancelledError, TableError
from tablebase.foreign.boards import has_reached
from tablebase.foreign.plain_layer import PlainLayer
from tablebase.foreign.table import ReferenceTable
from tablebase.probe.verify import VerifyReport, derive_rate

# Stored values are truncated or rounded at every layer: two steps of their type near 1, plus the
# effect of a different order of float sums.
_TOLERANCE = {
    "uint32": 2.1 / 4e9,
    "uint64": 1e-14,
    "float32": 4 * 1.2e-7,
    "float64": 1e-14,
    "1-float32": 4 * 6e-8,
    "1-float64": 1e-14,
}
_SAMPLED_BYTES = 4096


def verify_reference(
    table: ReferenceTable,
    sample: int = 1000,
    on_progress: Callable[[int, int], None] = ignore_progress,
    is_cancelled: Callable[[], bool] = never_cancelled,
    seed: int = 2048,
) -> VerifyReport:
    """Check every record of a table, then derive `sample` of its rates again.

    Only plain layers are sampled, and none of a table that intentionally lacks boards.
    `on_progress` gets (work done, work in total) in bytes; a sampled board counts as 4 KiB.
    """
    report = VerifyReport()
    sample = 0 if table.config.is_thinned else sample
    total = table.found.bytes + _SAMPLED_BYTES * sample
    with table:
        for layer in range(table.n_layers):
            _check_layer(table, layer, report, is_cancelled)
            on_progress(report.bytes, total)
        if report.ok:
            _check_sample(table, report, sample, Rng(seed), is_cancelled)
    on_progress(total, total)
    return report


def _check_layer(
    table: ReferenceTable, layer: int, report: VerifyReport, is_cancelled: Callable[[], bool]
) -> None:
    if layer not in table.found.layers and layer >= table.n_layers - 2:
        return  # its content follows from the rules
    try:
        for _ in table.records(layer):
            if is_cancelled():
                raise BuildCancelledError(tr("stopped before everything was checked"))
        report.files += 1
        report.bytes += table.layer(layer).bytes
    except TableError as error:
        report.add(str(error))


def _check_sample(
    table: ReferenceTable,
    report: VerifyReport,
    sample: int,
    rng: Rng,
    is_cancelled: Callable[[], bool],
) -> None:
    """Draw layers uniformly, then records: every layer matters, not every record."""
    layers = [i for i in range(1, table.n_layers - 2) if _n_plain(table, i)]
    for _ in range(sample if layers else 0):
        if is_cancelled():
            raise BuildCancelledError(tr("stopped before everything was checked"))
        layer = layers[rng.below(len(layers))]
        board, raw = table.stored_board(layer, rng.next_u64() % _n_plain(table, layer))
        try:
            rate = float(table.stored_rate.decode(raw.reshape(1))[0])
            is_reached = has_reached(table.formation, table.target.tile, board)
            derived = 1.0 if is_reached else derive_rate(table, board)
        except TableError as error:
            report.add(str(error))
            return
        if abs(rate - derived) > _TOLERANCE[table.rate]:
            report.mismatches += 1
            report.add(
                tr(
                    "{name}, layer {layer}: {board} has {found!r}, derived {derived!r} by this "
                    "program's definition of {pattern}",
                    name=table.path.name,
                    layer=layer,
                    board=format_board(board),
                    found=rate,
                    derived=derived,
                    pattern=table.pattern,
                )
            )
        report.sampled += 1


def _n_plain(table: ReferenceTable, layer: int) -> int:
    opened = table.layer(layer)
    return opened.n if isinstance(opened, PlainLayer) else 0
