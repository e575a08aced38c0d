"""The size of a converted table, estimated from a few of its layers before anything is written.

Some layers are converted for a trial, in a temporary folder; the others shrink like their neighbors
among these. Layers that keep their content keep their size. How much a reduction to optimal play
saves shows only when all layers are converted in order, so then the estimate is an upper bound.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.platform.default_callbacks import never_cancelled
from tablebase.events import ConvertSize
from tablebase.maintain.convert import check_in_one_place, converted_manifest, is_nothing
from tablebase.maintain.convert_layer import ConvertPlan, LayerConverter, thins
from tablebase.probe.reader import Tablebase
from tablebase.store.codecs import find_level
from tablebase.store.folder_names import table_folder
from tablebase.store.layer_file import WrittenLayer
from tablebase.store.manifest import Manifest, load_finished

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
