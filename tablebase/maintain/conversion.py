"""One run of a conversion: from the original's layers to a complete new table."""

import os
import shutil
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from engine.platform.files.atomic_file import remove_parts, unlink
from engine.platform.quantities import bytes_text
from tablebase.build.progress import Progress
from tablebase.build_files import explain
from tablebase.errors import BuildCancelledError, BuildRefusedError
from tablebase.maintain.convert_layer import ConvertPlan, LayerConverter, check_stop
from tablebase.probe.reader import Tablebase
from tablebase.store.build_lock import LOCK_NAME
from tablebase.store.checked_json import read_limited
from tablebase.store.codecs import find_level
from tablebase.store.intact_layers import copy_layer, whole_layers
from tablebase.store.layer_file import WrittenLayer
from tablebase.store.manifest import MANIFEST_NAME, Manifest, OmittedLayer, load_manifest
from tablebase.store.origin import load_origin
from tablebase.store.rates import find_rate_type
from tablebase.store.replace_table import Conversion, discard, load_conversion

_SPARE_BYTES = 1 << 20
_KEY_BYTES = 0.35  # per stored board, approximately; the rest is its rate


class ConversionRun:
    """The work of `tablebase.maintain.convert`, layer by layer; the original stays as it is.

    Without a `level` changed layers are written fast, and other files are reused. `record` is the
    target, as a folder records it until its table is complete.
    """

    def __init__(
        self,
        plan: ConvertPlan,
        table: Tablebase,
        wanted: Manifest,
        on_progress: Callable[[Progress], None],
        is_cancelled: Callable[[], bool],
    ) -> None:
        self._table, self._before, self._now = table, table.manifest, wanted
        self._plan, self._level = plan, find_level(plan.level or "fast")
        self._writes_all = plan.level is not None
        source = f"{zlib.crc32(read_limited(table.path / MANIFEST_NAME)):08x}"
        self.record = Conversion(source, wanted.options, plan.level or "")
        self._origin = load_origin(table.path)
        self._on_progress, self._is_cancelled = on_progress, is_cancelled
        self._start = self._last_record = time.monotonic()
        self._done_bytes = 0

    def run(self, folder: Path, *, may_link: bool) -> None:
        self._folder = folder
        if load_conversion(folder) == self.record:
            remove_parts(folder)
            self._take_up()
            self._check_room(may_link)
        else:
            self._check_room(may_link)
            self._begin()
        if self._origin is not None:  # at any moment the new table says that boards may be missing
            self._origin.save(folder)
        try:
            self._convert_all(may_link)
        except BuildCancelledError:
            self._now.save(folder)
            raise
        self._now = self._now.completed()
        self._now.save(folder)

    def _take_up(self) -> None:
        manifest = existing_manifest(self._folder)
        if manifest is not None:
            paths = {i: self._folder / layer.file for i, layer in manifest.layers.items()}
            whole = whole_layers({i: p for i, p in paths.items() if p.exists()}, manifest)
            self._now = replace(self._now, layers=whole, omitted=manifest.omitted)

    def _begin(self) -> None:
        try:
            if self._folder.exists() and not (
                self._folder.is_dir()
                and all(path.name == LOCK_NAME for path in self._folder.iterdir())
            ):
                discard(self._folder)
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise explain(error, self._folder) from error
        self.record.save(self._folder)

    def _convert_all(self, may_link: bool) -> None:
        layers_with_files = set(self._now.layers_with_files)
        self._done_bytes = sum(self._bytes_of(i) for i in self._now.layers)
        skipped = self._done_bytes
        with LayerConverter(
            self._plan, self._table, self._now.options, self._is_cancelled, self._folder
        ) as converter:  # fmt: skip
            for layer in range(self._now.n_layers):
                if layer not in self._now.layers and layer not in self._now.omitted:
                    self._report(layer, skipped)
                    self._add(self._convert(converter, layer, layer in layers_with_files, may_link))
                    self._done_bytes += self._bytes_of(layer)
        self._report(self._now.n_layers - 1, skipped)

    def _convert(
        self, converter: LayerConverter, layer: int, is_kept: bool, may_link: bool
    ) -> WrittenLayer | OmittedLayer:
        recorded = self._before.layers.get(layer)
        if recorded is None:
            return self._before.omitted[layer]
        if layer not in converter.changed and not (is_kept and self._writes_all):
            if is_kept:
                self._reuse_file(recorded, may_link)
                return recorded
            return OmittedLayer(layer, recorded.boards, recorded.stored)
        if is_kept:
            return converter.write(self._folder, self._now, layer, self._level)
        return OmittedLayer(layer, recorded.boards, converter.count(layer))

    def _reuse_file(self, recorded: WrittenLayer, may_link: bool) -> None:
        source, target = self._table.locations.path(recorded.layer), self._folder / recorded.file
        if may_link:
            with suppress(OSError):
                unlink(target, missing_ok=True)
                os.link(source, target)
                return
        rate = self._before.rate
        copy_layer(source, target, recorded, rate, lambda _done: check_stop(self._is_cancelled))

    def _add(self, layer: WrittenLayer | OmittedLayer) -> None:
        self._now = self._now.with_layers([layer])
        if time.monotonic() - self._last_record > 0.5:
            self._now.save(self._folder)
            self._last_record = time.monotonic()

    def _bytes_of(self, layer: int) -> int:
        recorded = self._before.layers.get(layer)
        return recorded.bytes if recorded else 0

    def _check_room(self, may_link: bool) -> None:
        """Refuse to begin without enough space; the size of the new files is an estimate."""
        have, want = (find_rate_type(m.rate).dtype.itemsize for m in (self._before, self._now))
        converter_changes = LayerConverter.changed_layers(self._before, self._now.options)
        need = 0.0
        for layer in set(self._now.layers_with_files) - set(self._now.layers):
            recorded = self._before.layers[layer]
            if layer in converter_changes or self._writes_all:
                keys = min(_KEY_BYTES * recorded.stored, recorded.bytes)
                need += 1.1 * (keys + (recorded.bytes - keys) * min(want / have, 1.0))
            elif not may_link:
                need += recorded.bytes
        place = next(p for p in (self._folder, *self._folder.parents) if p.is_dir())
        free = shutil.disk_usage(place).free
        if need + _SPARE_BYTES > free:
            raise BuildRefusedError(
                "{folder} has {free} free, about {need} are needed: free some space there, or "
                "convert into a folder on another drive (--out)",
                folder=place,
                free=bytes_text(free),
                need=bytes_text(int(need) + _SPARE_BYTES),
            )

    def _report(self, layer: int, skipped: int) -> None:
        check_stop(self._is_cancelled)
        done, total = self._done_bytes, max(self._before.bytes, 1)
        elapsed_s = max(time.monotonic() - self._start, 0.0)
        new = done - skipped
        self._on_progress(
            Progress(
                phase="convert",
                layer=layer,
                layers=self._now.n_layers,
                boards=self._now.boards,
                bytes=self._now.bytes,
                elapsed_s=elapsed_s,
                eta_s=elapsed_s * (total - done) / new if new > 0 else None,
                fraction=min(done / total, 1.0),
            )
        )


def existing_manifest(folder: Path) -> Manifest | None:
    return load_manifest(folder) if (folder / MANIFEST_NAME).exists() else None
