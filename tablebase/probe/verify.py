"""Checking a finished table: every checksum, and sampled rates derived by independent code.

The second part shares no code with the builder: moves are made on plain lists, expectations with
Python's floats, and only the rates of the next two layers come from the table.

In a sparse table the sampled boards are in layers with a file. Where the next two have none, the
table computes their rates from those further above, as it does for a probe: so samples tie every
pair of stored layers to the next one. The counts of boards that the manifest records for layers
without a file are not checked.
A table with a threshold lacks boards with a rate from 0 to the threshold, so the rates derived from
the others are two bounds. A table of optimal play alone has all that a stored board's rate depends
on. Boards beyond limits counted 0 when the table was built, and do so here: that its lower bounds
follow from each other is checked as strictly as rates are.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from engine.bitboard import cells, format_board, from_cells
from engine.platform.default_callbacks import ignore_progress, never_cancelled
from engine.platform.language import tr
from engine.spawn import Rng
from tablebase.errors import (
    BuildCancelledError,
    ChangedTableError,
    DamagedTableError,
    MissingTableError,
    TableError,
)
from tablebase.formation.formation import half_sum
from tablebase.probe.reader import Tablebase
from tablebase.store.build_lock import is_locked
from tablebase.store.layer_locations import as_folders
from tablebase.store.manifest import load_manifest
from tablebase.store.options import FIRST_PRUNED
from tablebase.store.rates import find_rate_type
from tablebase.store.replace_table import finish_replacement

_LINES = {
    0: [[4 * r + c for c in range(4)] for r in range(4)],
    1: [[4 * r + c for c in (3, 2, 1, 0)] for r in range(4)],
    2: [[4 * r + c for r in range(4)] for c in range(4)],
    3: [[4 * r + c for r in (3, 2, 1, 0)] for c in range(4)],
}


@dataclass
class VerifyReport:
    """The findings of `verify`; `omitted` counts the layers of a sparse table without a file."""

    files: int = 0
    omitted: int = 0
    bytes: int = 0
    sampled: int = 0
    mismatches: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.problems

    def add(self, problem: str) -> None:
        if len(self.problems) < 20:
            self.problems.append(problem)


def verify(
    path: Path | str | Sequence[Path | str],
    sample: int = 1000,
    on_progress: Callable[[int, int], None] = ignore_progress,
    is_cancelled: Callable[[], bool] = never_cancelled,
    seed: int = 2048,
) -> VerifyReport:
    """Compare all checksums of a table, then re-derive `sample` of its rates.

    Parameters
    ----------
    path : Path
        The table's folder, or its folders, its own first.
    sample : int
        How many stored boards, drawn uniformly by a generator seeded with `seed`.
    on_progress : callable
        Gets (work done, work in total) now and then, in bytes; a sampled board counts as 4 KiB.

    Raises
    ------
    MissingTableError, TableFormatError
        There is no table of ours to verify, or a drive with layers of it is not attached.
    BuildCancelledError
    ChangedTableError
        It was converted meanwhile, or a problem may be the work of a program that is changing it.
    """
    folder, *more_folders = as_folders(path)
    folder = finish_replacement(folder)
    report = VerifyReport()
    try:
        manifest = load_manifest(folder)
    except DamagedTableError as error:
        report.add(str(error))
        return report
    report.omitted = len(manifest.omitted)
    table = Tablebase(folder, manifest, more_folders)
    if table.locations.away:
        raise MissingTableError(table.locations.warning)
    total = manifest.bytes + 4096 * sample
    try:
        _check_files(table, report, lambda done: on_progress(done, total), is_cancelled)
        if report.ok and manifest.complete:
            done = manifest.bytes
            _check_sample(
                table, report, sample, Rng(seed), lambda i: on_progress(done + 4096 * i, total),
                is_cancelled,
            )  # fmt: skip
        if not report.ok:
            _check_quiet(table, folder)
    finally:
        table.close()
    on_progress(total, total)
    return report


def _check_quiet(table: Tablebase, folder: Path) -> None:
    table.check_unchanged()
    if is_locked(folder):
        raise ChangedTableError(
            "{folder} is being changed: wait until that is done, and verify it again", folder=folder
        )


def derive_rate(table: Tablebase, after: int) -> float:
    """With a threshold it is the lower bound: boards that are not stored count 0."""
    return _derive(table, after, 0.0)


def derive_bounds(table: Tablebase, after: int) -> tuple[float, float]:
    """The bounds differ where boards were left out: each may be as good as the threshold."""
    least = _derive(table, after, 0.0)
    threshold = table.manifest.options.threshold
    return least, _derive(table, after, threshold) if threshold > 0 else least


def _derive(table: Tablebase, after: int, absent: float) -> float:
    """`absent` is the rate of boards that are not stored."""
    board = cells(after)
    empty = [cell for cell in range(16) if board[cell] == 0]
    total = 0.0
    for exponent, chance in ((1, 1.0 - table.spawn4), (2, table.spawn4)):
        if table.target.is_reached_by(half_sum(after) + exponent):
            total += chance * len(empty)
            continue
        spawned = []
        for cell in empty:
            board[cell] = exponent
            spawned.append(_moves(table, board))
            board[cell] = 0
        total += chance * sum(_best_rates(table, spawned, absent))
    return total / len(empty) if empty else 0.0


def _best_rates(table: Tablebase, choices: Sequence[Sequence[int]], absent: float) -> list[float]:
    distinct = list(dict.fromkeys(after for choice in choices for after in choice))
    probed = table.rates_of(distinct, comes_up=True)
    rates = {
        after: _rate_or(table, after, rate, absent)
        for after, rate in zip(distinct, probed, strict=True)
    }
    return [max((rates[after] for after in choice), default=0.0) for choice in choices]


def _rate_or(table: Tablebase, after: int, rate: float | None, absent: float) -> float:
    if rate:
        return rate
    layer = half_sum(after) - table.formation.seed_half_sum
    return absent if FIRST_PRUNED <= layer < table.n_layers - 2 else 0.0


def _moves(table: Tablebase, board: list[int]) -> list[int]:
    masks = [cells(mask) for mask in table.formation.masks or (0,)]
    afters = (_move(board, direction, table.formation.walls) for direction in range(4))
    return [
        from_cells(after)
        for after in afters
        if after != board and any(_holds_all(after, mask) for mask in masks)
    ]


def _holds_all(board: list[int], mask: list[int]) -> bool:
    return all(tile == 15 for tile, wanted in zip(board, mask, strict=True) if wanted)


def _move(board: list[int], direction: int, walls: bool) -> list[int]:
    moved = board.copy()
    for line in _LINES[direction]:
        slid = _slide([board[cell] for cell in line], walls)
        for cell, tile in zip(line, slid, strict=True):
            moved[cell] = tile
    return moved


def _slide(line: list[int], walls: bool) -> list[int]:
    """Pack a line towards its start; equal neighbors merge once, F never; walls stay."""
    if walls and 15 in line:
        wall = line.index(15)
        return [*_slide(line[:wall], False), 15, *_slide(line[wall + 1 :], walls)]
    packed: list[int] = []
    may_merge = False
    for tile in filter(None, line):
        if may_merge and packed[-1] == tile != 15:
            packed[-1] += 1
            may_merge = False
        else:
            packed.append(tile)
            may_merge = True
    return packed + [0] * (len(line) - len(packed))


def _check_files(
    table: Tablebase,
    report: VerifyReport,
    on_progress: Callable[[int], None],
    is_cancelled: Callable[[], bool],
) -> None:
    for layer in sorted(table.manifest.layers):
        recorded = table.manifest.layers[layer]
        try:
            for _ in table.layer_file(layer).check_blocks():
                if is_cancelled():
                    raise BuildCancelledError(tr("stopped before everything was checked"))
            report.files += 1
            report.bytes += recorded.bytes
        except OSError as error:
            report.add(
                tr("cannot read {file}: {reason}", file=recorded.file, reason=error.strerror)
            )
        except ChangedTableError:
            raise
        except TableError as error:
            report.add(str(error))
        on_progress(report.bytes)
    if not table.manifest.complete:
        done = table.manifest.n_done
        report.add(
            tr(
                "the table is not finished: {done} of {layers} layers",
                done=done,
                layers=table.n_layers,
            )
        )


def _check_sample(
    table: Tablebase,
    report: VerifyReport,
    sample: int,
    rng: Rng,
    on_progress: Callable[[int], None],
    is_cancelled: Callable[[], bool],
) -> None:
    rate = find_rate_type(table.rate)
    layers = sorted(table.manifest.layers)
    ends = list(accumulate(table.manifest.layers[layer].stored for layer in layers))
    total = ends[-1]
    for i in range(min(sample, total)):
        if is_cancelled():
            raise BuildCancelledError(tr("stopped before everything was checked"))
        picked = rng.below(total) if total < 2**32 else rng.next_u64() % total
        i_layer = bisect_right(ends, picked)
        layer = layers[i_layer]
        first = ends[i_layer] - table.manifest.layers[layer].stored
        board, stored = table.stored_board(layer, picked - first)
        stored_rate, (least, most) = rate.decode(stored), derive_bounds(table, board)
        tolerance = _tolerance(table, layer)
        if not least - tolerance <= stored_rate <= most + tolerance:
            report.mismatches += 1
            derived = (
                repr(least)
                if least == most
                else tr("between {least!r} and {most!r}", least=least, most=most)
            )
            report.add(
                tr(
                    "layer {layer}: {board} has {found!r}, derived {derived}",
                    layer=layer,
                    board=format_board(board),
                    found=stored_rate,
                    derived=derived,
                )
            )
        report.sampled += 1
        on_progress(i)


def _tolerance(table: Tablebase, layer: int) -> float:
    """Return the largest difference allowed between a stored rate and the one derived.

    Both sides are rounded once; the derived one is a mean, so no worse than its worst term. A
    little more is allowed for the sums behind rates that a sparse table computes.
    """
    own, *further = (table.max_error(i) for i in range(layer, min(layer + 3, table.n_layers)))
    n_sums = table.manifest.options.sparse
    return 1.01 * (own + max(further, default=0.0)) + n_sums * 1e-15
