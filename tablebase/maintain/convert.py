"""Converting a finished table to other options, without rebuilding it.

Layer by layer, from the first on: to a less precise rate type, without boards of a low rate,
without boards that optimal play does not reach, without layers that follow from others. The new
table grows beside the original or in another folder, with a manifest of its own: if stopped at any
moment, even by a power cut, the original is intact, and the next run resumes from the existing
files. At the end the new table replaces the original (see tablebase.store.replace_table).

From a type that holds the solver's exact rates (float64, uint64) files are the same, byte for byte,
as those of a table built with these options, unless the original already holds optimal play alone;
so are those of a conversion that keeps the type, unless there is a threshold: then the stored rate
decides instead of the exact rate, and levels (uint16) stay as they were.

The new size is estimated from some layers that are converted for a trial, in a temporary folder;
the others shrink like their neighbors among these. Layers that keep their content keep their size.
How much a reduction to optimal play saves shows only when all layers are converted in order, so
then the estimate is an upper bound.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.platform.default_callbacks import ignore_progress, never_cancelled
from engine.platform.language import tr
from tablebase.build.progress import Progress
from tablebase.build_files import unlink
from tablebase.errors import BuildRefusedError, DiskFullError
from tablebase.events import ConvertResult, ConvertSize
from tablebase.maintain.conversion import ConversionRun, existing_manifest
from tablebase.maintain.convert_layer import ConvertPlan, LayerConverter, thins
from tablebase.probe.reader import Tablebase
from tablebase.store.build_lock import folder_lock
from tablebase.store.codecs import find_level
from tablebase.store.folder_names import table_folder
from tablebase.store.layer_file import WrittenLayer
from tablebase.store.layer_locations import is_same_folder
from tablebase.store.manifest import Manifest, load_finished, load_manifest
from tablebase.store.origin import load_origin
from tablebase.store.replace_table import (
    RECORD_NAME,
    check_unused,
    finish_swap,
    load_conversion,
    new_folder,
    swap,
    tidy,
)

_HOLD_LESS = ("float64", "uint64", "uint32", "float32", "uint16")  # from precise to less precise


def convert(
    plan: ConvertPlan,
    on_progress: Callable[[Progress], None] = ignore_progress,
    is_cancelled: Callable[[], bool] = never_cancelled,
) -> ConvertResult:
    """Convert a finished table, or resume a conversion.

    `is_cancelled` is asked several times per layer.

    Raises
    ------
    MissingTableError, TableFormatError, DamagedTableError
        There is no such table, or a layer is away or not as it was written.
    BuildRefusedError
        The options need data that the table does not hold, or a folder cannot be used.
    BuildCancelledError, DiskFullError
        Stopped; the original is intact, and the next call goes on from there.
    """
    start = time.monotonic()
    home = Path(os.path.realpath(table_folder(plan.folders[0])))
    try:
        if plan.out is not None:
            return _convert_to(plan, home, plan.out, start, on_progress, is_cancelled)
        finish_swap(home)
        return _convert_in_place(plan, home, start, on_progress, is_cancelled)
    except DiskFullError as error:
        what, _, _ = str(error).partition(";")
        raise DiskFullError(
            "{what}; the original is intact: free some space and start the same command again",
            what=what,
        ) from error


def _convert_in_place(
    plan: ConvertPlan,
    home: Path,
    start: float,
    on_progress: Callable[[Progress], None],
    is_cancelled: Callable[[], bool],
) -> ConvertResult:
    load_finished(home)
    with ExitStack() as lock:
        lock.enter_context(folder_lock(home))
        before = load_finished(home)
        earlier = tidy(home)
        wanted = converted_manifest(plan, before)
        done = (wanted.options, plan.level or "")
        is_done = earlier is not None and (earlier.options, earlier.level) == done
        if is_done or is_nothing(plan, before, wanted):
            return _result(home, before, before, start, was_done=True)
        check_unused(home)
        with Tablebase(home, before, plan.folders[1:]) as table:
            check_in_one_place(table)
            conversion = ConversionRun(plan, table, wanted, on_progress, is_cancelled)
            conversion.run(new_folder(home), may_link=True)
        if os.name == "nt":
            lock.close()  # a folder with an open file cannot be renamed there
        swap(home)
    with folder_lock(home):
        tidy(home)
    return _result(home, load_manifest(home), before, start, was_done=False)


def _convert_to(
    plan: ConvertPlan,
    home: Path,
    out: Path,
    start: float,
    on_progress: Callable[[Progress], None],
    is_cancelled: Callable[[], bool],
) -> ConvertResult:
    before = load_finished(home)
    wanted = converted_manifest(plan, before)
    if is_nothing(plan, before, wanted):
        return _result(home, before, before, start, was_done=True)
    target = Path(os.path.realpath(out)) / before.name
    if is_same_folder(target, home) or home in (target, *target.parents):
        raise BuildRefusedError("{out} is the table's own folder: choose another one", out=out)
    with Tablebase(home, before, plan.folders[1:]) as table:
        if table.locations.away:
            raise BuildRefusedError(table.locations.warning)
        with folder_lock(target):
            conversion = ConversionRun(plan, table, wanted, on_progress, is_cancelled)
            existing, record = existing_manifest(target), load_conversion(target)
            if existing and existing.complete and record == conversion.record:
                unlink(target / RECORD_NAME)
                return _result(target, existing, before, start, was_done=False)
            if existing and record is None:
                _check_same(existing, wanted, target, home)
                if plan.level is None:
                    return _result(target, existing, before, start, was_done=True)
                raise BuildRefusedError(
                    "{target} already holds this table, but its files do not record their "
                    "level: choose another folder, or recompress that one (convert {target} "
                    "--level {level})",
                    target=target,
                    level=plan.level,
                )
            conversion.run(target, may_link=False)
            unlink(target / RECORD_NAME)
    return _result(target, load_manifest(target), before, start, was_done=False)


def _check_same(existing: Manifest, wanted: Manifest, target: Path, home: Path) -> None:
    """Refuse to take the table in `target` for the result if it is another one, or unfinished."""
    is_same = existing.complete and existing.identity == wanted.identity
    if not (is_same and load_origin(target) == load_origin(home)):
        raise BuildRefusedError(
            "{target} holds another table: choose another folder", target=target
        )


def check_in_one_place(table: Tablebase) -> None:
    if table.locations.parts or table.locations.away:
        raise BuildRefusedError(
            "layers of {name} are in other folders: bring them back first (relocate --to "
            "{path}), or convert with --out",
            name=table.name,
            path=table.path,
        )


def converted_manifest(plan: ConvertPlan, before: Manifest) -> Manifest:
    have, options = before.options, plan.options(before.options)
    options.check()
    if before.then:
        options.check_chained()
    if plan.level is not None:
        find_level(plan.level)
    remedy = tr("rebuild {name} in another folder with these options", name=before.name)
    if _HOLD_LESS.index(options.rate) < _HOLD_LESS.index(have.rate):
        raise BuildRefusedError(
            "rates of type {rate} hold less than {wanted} would promise: {anew}",
            rate=have.rate,
            wanted=options.rate,
            anew=remedy,
        )
    if options.threshold < have.threshold:
        raise BuildRefusedError(
            "boards of a rate up to {threshold:g} are not stored, so threshold {wanted:g} is "
            "not possible: {anew}",
            threshold=have.threshold,
            wanted=options.threshold,
            anew=remedy,
        )
    n = before.n_layers
    if not set(options.layers_with_files(n)) <= set(have.layers_with_files(n)):
        raise BuildRefusedError(
            "layers that sparse {sparse} keeps have no file (it is sparse {now} now): {anew}",
            sparse=options.sparse,
            now=have.sparse,
            anew=remedy,
        )
    return Manifest(before.formation, before.target, options, then=before.then)


def is_nothing(plan: ConvertPlan, before: Manifest, wanted: Manifest) -> bool:
    return plan.level is None and wanted.options == before.options


def _result(
    folder: Path, now: Manifest, before: Manifest, start: float, *, was_done: bool
) -> ConvertResult:
    return ConvertResult(
        table=folder,
        layers=now.n_layers,
        boards=now.boards,
        stored=now.stored,
        bytes=now.bytes,
        stored_before=before.stored,
        bytes_before=before.bytes,
        elapsed_s=round(max(time.monotonic() - start, 0.0), 4),
        was_done=was_done,
    )


_TRIALS = 12
_MAX_STORED = 1_000_000  # boards of a trial layer: a fraction of a second


def predict(plan: ConvertPlan, is_cancelled: Callable[[], bool] = never_cancelled) -> ConvertSize:
    home = Path(os.path.realpath(table_folder(plan.folders[0])))
    before = load_finished(home)
    wanted = converted_manifest(plan, before)
    if is_nothing(plan, before, wanted):
        return ConvertSize(home, before.bytes, before.bytes, is_most=False, is_same=True)
    with Tablebase(home, before, plan.folders[1:]) as table:
        if plan.out is None:
            check_in_one_place(table)
        layers = [before.layers[i] for i in wanted.layers_with_files]
        changed = LayerConverter.changed_layers(before, wanted.options)
        rewritten = [layer for layer in layers if layer.layer in changed or plan.level is not None]
        shrink = _tried(plan, table, wanted, chosen_for_trial(rewritten), is_cancelled)
    n_bytes = sum(layer.bytes for layer in layers) - sum(layer.bytes for layer in rewritten)
    points = list(shrink), list(shrink.values())
    n_bytes += round(sum(layer.bytes * np.interp(layer.layer, *points) for layer in rewritten))
    is_most = thins(before.options, wanted.options)
    return ConvertSize(home, n_bytes, before.bytes, is_most, is_same=False)


def chosen_for_trial(layers: Sequence[WrittenLayer]) -> list[WrittenLayer]:
    """Return some layers that are quick to convert, each representing as many bytes."""
    quick = [layer for layer in layers if 0 < layer.stored <= _MAX_STORED]
    if not quick:
        quick = sorted(layers, key=lambda layer: layer.stored)[-1:]
    total = sum(layer.bytes for layer in quick)
    chosen: list[WrittenLayer] = []
    passed = 0
    for layer in quick:
        passed += layer.bytes
        if passed * _TRIALS >= total * len(chosen):
            chosen.append(layer)
    return chosen


def _tried(
    plan: ConvertPlan,
    table: Tablebase,
    wanted: Manifest,
    layers: Iterable[WrittenLayer],
    is_cancelled: Callable[[], bool],
) -> dict[int, float]:
    options = replace(wanted.options, optimal_only=table.manifest.options.optimal_only)
    level = find_level(plan.level or "fast")
    shrink = {}
    with (
        tempfile.TemporaryDirectory(prefix="endgame2048-") as name,
        LayerConverter(plan, table, options, is_cancelled, Path(name)) as converter,
    ):
        for layer in layers:
            written = converter.write(Path(name), wanted, layer.layer, level)
            (Path(name) / written.file).unlink()
            shrink[layer.layer] = written.bytes / layer.bytes
    return shrink
