"""Moving layers of a finished table to another drive, while the table stays complete all the time.

A layer is copied to a ``.part`` file there, read again against its checksums, renamed and recorded
in ``elsewhere.json``; only then its original is deleted. If stopped at any moment, even by a power
cut, a layer is in one place or in two. The next run deletes duplicates and goes on.
"""

import os
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.platform.default_callbacks import ignore_progress, never_cancelled
from engine.platform.files.atomic_file import is_part_of, reason_of, unlink
from engine.platform.quantities import bytes_text
from tablebase.build.progress import Progress
from tablebase.build_files import explain
from tablebase.errors import (
    BuildCancelledError,
    BuildRefusedError,
    DiskFullError,
    MissingTableError,
    TableError,
    TableFormatError,
)
from tablebase.events import RelocateResult
from tablebase.store.build_lock import folder_lock
from tablebase.store.folder_names import table_folder
from tablebase.store.intact_layers import copy_layer, fault_of
from tablebase.store.layer_file import WrittenLayer
from tablebase.store.layer_locations import find_part, find_twin, is_same_folder, locate
from tablebase.store.manifest import Manifest, load_finished, load_manifest
from tablebase.store.parts_index import (
    PART_NAME,
    Elsewhere,
    PartRecord,
    belongs_elsewhere,
    load_elsewhere,
    load_part,
)
from tablebase.store.replace_table import finish_swap

_SPARE_BYTES = 1 << 20  # for the small files, and for directory entries


@dataclass(frozen=True)
class RelocatePlan:
    """The parameters of a move."""

    # The table's own folder, then any parts that ``elsewhere.json`` does not have, or has at an old
    # place.
    folders: Sequence[Path]
    to: Path  # a folder on the other drive, in which the part is made; or the table's own folder
    layers: range | None = None  # the layers to move; None for all
    # How much of the table the target may hold afterwards, in bytes, in whole layers from the first
    # one on; None for no limit.
    most_bytes: int | None = None


def relocate(
    plan: RelocatePlan,
    on_progress: Callable[[Progress], None] = ignore_progress,
    is_cancelled: Callable[[], bool] = never_cancelled,
) -> RelocateResult:
    """Move layers of a finished table, or resume an earlier run.

    Progress is reported after every few megabytes.

    Raises
    ------
    MissingTableError, TableFormatError, DamagedTableError
        There is no such table, or a file to be moved is away or not as it was written.
    BuildRefusedError
        A folder cannot take the layers, or a build of the table is running.
    BuildCancelledError, DiskFullError
        Stopped; the table is complete, and the next call goes on from there.
    """
    start = time.monotonic()
    home = Path(os.path.realpath(table_folder(plan.folders[0])))
    finish_swap(home)
    load_finished(home)
    with folder_lock(home):
        manifest = load_finished(home)
        try:
            return _Move(plan, home, manifest, on_progress, is_cancelled).run(start)
        except DiskFullError as error:
            what, _, _ = str(error).partition(";")
            raise DiskFullError(
                "{what}; the table is intact, and what was moved stays there: free some space "
                "and start the same command again",
                what=what,
            ) from error


class _Move:
    """One run of `relocate`, with the table's lock held."""

    def __init__(
        self,
        plan: RelocatePlan,
        home: Path,
        manifest: Manifest,
        on_progress: Callable[[Progress], None],
        is_cancelled: Callable[[], bool],
    ) -> None:
        self._home, self._manifest = home, manifest
        self._on_progress, self._is_cancelled = on_progress, is_cancelled
        parts = [find_part(folder, manifest).resolve() for folder in plan.folders[1:]]
        self._elsewhere = _record(home, manifest, parts)
        self._target = _find_target(plan.to, home, manifest, self._elsewhere)
        self._found = locate([home, *parts], manifest)
        self._found.check()
        there = [home, *self._found.parts]
        self._folders = [home]  # folders whose files we may delete
        for folder in self._elsewhere.folders:
            is_there = any(is_same_folder(folder, other) for other in there)
            if is_there and find_twin(folder, home, manifest) is None:
                self._folders.append(folder)
        self._layers = self._choose(plan)
        self._start, self._moved, self._bytes_moved = 0.0, 0, 0

    def run(self, start: float) -> RelocateResult:
        self._start = start
        self._check_room()
        self._prepare()
        for layer in self._layers:
            self._copy(layer)
            self._save(self._elsewhere.with_layers(self._target, [layer.layer]))
            self._delete_others(layer)
            self._moved += 1
            self._bytes_moved += layer.bytes
        self._tidy()
        elapsed_s = round(time.monotonic() - start, 4)
        return RelocateResult(self._home, self._target, self._moved, self._bytes_moved, elapsed_s)

    def _choose(self, plan: RelocatePlan) -> list[WrittenLayer]:
        if plan.layers is not None:
            _check_range(plan.layers, self._manifest)
        layers = [self._manifest.layers[i] for i in self._manifest.layers_with_files]
        held = [layer for layer in layers if self._is_at_target(layer)]
        asked = [
            layer
            for layer in layers
            if layer not in held and (plan.layers is None or layer.layer in plan.layers)
        ]
        if plan.most_bytes is None:
            chosen = asked
        else:
            chosen = _that_fit(asked, plan.most_bytes - sum(layer.bytes for layer in held))
            if asked and not chosen and not held:
                least = bytes_text(min(layer.bytes for layer in asked))
                raise BuildRefusedError(
                    "no layer fits into {size}: the smallest has {least}",
                    size=bytes_text(plan.most_bytes),
                    least=least,
                )
        for layer in chosen:
            self._found.path(layer.layer)  # refuses layers that are away
        return chosen

    def _is_at_target(self, layer: WrittenLayer) -> bool:
        place = self._elsewhere.place(layer.layer) or self._home
        return is_same_folder(place, self._target) and self._is_in(self._target, layer)

    def _is_in(self, folder: Path, layer: WrittenLayer) -> bool:
        try:
            return (folder / layer.file).stat().st_size == layer.bytes
        except OSError:
            return False

    def _check_room(self) -> None:
        place = next(p for p in (self._target, *self._target.parents) if p.is_dir())
        device = place.stat().st_dev
        missing = [layer for layer in self._layers if not self._is_in(self._target, layer)]
        far = [
            layer.bytes
            for layer in missing
            if self._found.path(layer.layer).stat().st_dev != device
        ]
        # On the same drive deleting each original makes room for the next copy.
        largest = max((layer.bytes for layer in missing), default=0)
        need = max(sum(far), largest) + _SPARE_BYTES
        free = shutil.disk_usage(place).free
        if missing and need > free:
            raise BuildRefusedError(
                "{folder} has {free} free, {need} are needed: free {lacking} more there, or "
                "move fewer layers",
                folder=place,
                free=bytes_text(free),
                need=bytes_text(need),
                lacking=bytes_text(need - free),
            )

    def _prepare(self) -> None:
        if self._target == self._home or not self._layers:
            return
        before = self._elsewhere
        self._save(before.with_folder(self._target))
        try:
            try:
                self._target.mkdir(exist_ok=True)
            except OSError as error:
                raise explain(error, self._target) from error
            PartRecord.of(self._manifest, self._home).save(self._target)
        except (BuildRefusedError, DiskFullError):
            self._save(before)
            raise
        if self._target not in self._folders:
            self._folders.append(self._target)

    def _copy(self, layer: WrittenLayer) -> None:
        target, rate = self._target / layer.file, self._manifest.rate
        self._report(layer, 0)
        if not (self._is_in(self._target, layer) and not fault_of(target, layer, rate)):
            source = self._found.path(layer.layer)
            if is_same_folder(source.parent, self._target):  # its size is right, its bytes are not
                raise BuildRefusedError(
                    "{why}; nothing was moved", why=fault_of(source, layer, rate)
                )
            copy_layer(source, target, layer, rate, lambda done: self._report(layer, done))

    def _report(self, layer: WrittenLayer, done: int) -> None:
        if self._is_cancelled():
            raise BuildCancelledError(
                "{moved} of {layers} layers were moved; the table is intact, and the same "
                "command resumes",
                moved=self._moved,
                layers=len(self._layers),
            )
        done += self._bytes_moved
        total = max(sum(written.bytes for written in self._layers), 1)
        elapsed_s = time.monotonic() - self._start
        boards = sum(written.boards for written in self._layers[: self._moved])
        self._on_progress(
            Progress(
                phase="relocate",
                layer=layer.layer,
                layers=self._manifest.n_layers,
                boards=boards,
                bytes=done,
                elapsed_s=elapsed_s,
                eta_s=elapsed_s * (total - done) / done if done else None,
                fraction=min(done / total, 1.0),
            )
        )

    def _save(self, elsewhere: Elsewhere) -> None:
        if elsewhere != self._elsewhere:
            elsewhere.save(self._home)
        self._elsewhere = elsewhere

    def _delete_others(self, layer: WrittenLayer) -> None:
        keep = self._elsewhere.place(layer.layer) or self._home
        for folder in self._folders:
            if not is_same_folder(folder, keep):
                _delete(folder / layer.file)

    def _tidy(self) -> None:
        """Delete leftovers of stopped runs: duplicate layers, partial files, empty parts."""
        for folder in self._folders:
            for path in folder.glob("*.part"):
                _delete(path)
        for layer in self._manifest.layers.values():
            copies = [folder for folder in self._folders if self._is_in(folder, layer)]
            keep = self._elsewhere.place(layer.layer) or self._home
            if len(copies) > 1 and not fault_of(keep / layer.file, layer, self._manifest.rate):
                self._delete_others(layer)
        record = self._elsewhere
        for folder, layers in record.folders.items():
            if not layers:
                if folder in self._folders:
                    _delete(folder / PART_NAME)
                    with suppress(OSError):  # other files in it stay, and so does the folder
                        folder.rmdir()
                record = record.without_folder(folder)
        record.save(self._home)  # also if unchanged: it may have been read in another form
        self._elsewhere = record


def _check_range(layers: range, manifest: Manifest) -> None:
    if not layers or layers[0] < 0 or layers[-1] >= manifest.n_layers:
        raise BuildRefusedError(
            "layers {first}-{last}: {name} has the layers 0-{most}",
            first=layers.start,
            last=layers.stop - 1,
            name=manifest.name,
            most=manifest.n_layers - 1,
        )


def _that_fit(layers: Sequence[WrittenLayer], room: int) -> list[WrittenLayer]:
    chosen = []
    for layer in layers:
        if layer.bytes <= room:
            chosen.append(layer)
            room -= layer.bytes
    return chosen


def _record(home: Path, manifest: Manifest, parts: Sequence[Path]) -> Elsewhere:
    """The given `parts` rebuild a record that is damaged, or names folders that have moved."""
    try:
        elsewhere = load_elsewhere(home, manifest)
    except TableError:
        if not parts:
            raise
        elsewhere = Elsewhere(manifest.identity)
    named = [(path.resolve() if path.is_dir() else path) for path in elsewhere.folders]
    elsewhere = Elsewhere(
        elsewhere.table, dict(zip(named, elsewhere.folders.values(), strict=True))
    )
    for part in parts:
        elsewhere = elsewhere.with_folder(part)
    for layer, path in locate([home, *parts], manifest).layers.items():
        place = elsewhere.place(layer) or home
        if not (place / path.name).is_file():
            elsewhere = elsewhere.with_layers(path.parent.resolve(), [layer])
    return elsewhere


def _delete(path: Path) -> None:
    try:
        unlink(path, missing_ok=True)
    except OSError as error:
        raise BuildRefusedError(
            "cannot delete {path}: {error}; it is no longer needed there, and the table is intact",
            path=path,
            error=reason_of(error, path),
        ) from error


def _find_target(to: Path, home: Path, manifest: Manifest, elsewhere: Elsewhere) -> Path:
    """The home, a part, or ``to/NAME``; BuildRefusedError says why it cannot be used."""
    if not to.is_dir():
        raise BuildRefusedError(
            "{to} is not a folder: expected one on the drive that is to take the layers", to=to
        )
    to = to.resolve()
    if is_same_folder(to, home) or is_same_folder(to / manifest.name, home):
        return home
    if any(is_same_folder(path, home) for path in to.parents):
        raise BuildRefusedError(
            "{to} is inside the table itself: choose a folder outside it", to=to
        )
    for folder in (to, to / manifest.name):
        for known_folder in elsewhere.folders:
            if is_same_folder(folder, known_folder):
                return _unless_twins(known_folder, home, manifest)
    target = to if _is_part(to, manifest) else to / manifest.name
    for path in (to, *to.parents):
        if path != target and _is_table(path):
            raise BuildRefusedError("{to} is inside a table: choose a folder outside it", to=to)
    if _is_part(target, manifest):
        _check_layers(target, home, manifest)
        return _unless_twins(target, home, manifest)
    if target.exists():
        _check_unused(target)
    return target


def _unless_twins(folder: Path, home: Path, manifest: Manifest) -> Path:
    twin = find_twin(folder, home, manifest)
    if twin is not None:
        raise belongs_elsewhere(folder, twin)
    return folder


def _check_layers(folder: Path, home: Path, manifest: Manifest) -> None:
    """Refuse a part that the table does not know if it holds layers of other bytes.

    They are those of the same table built or packed otherwise, whose home may just be away. Layers
    that were moved there from this very home are ours, damaged or not.
    """
    other = load_part(folder).home
    if is_same_folder(Path(other), home):
        return
    for layer in manifest.layers.values():
        path = folder / layer.file
        if path.exists() and fault_of(path, layer, manifest.rate, reads_blocks=False):
            raise belongs_elsewhere(folder, other)


def _is_part(folder: Path, manifest: Manifest) -> bool:
    try:
        return load_part(folder).table == manifest.identity
    except (FileNotFoundError, TableError):
        return False


def _is_table(folder: Path) -> bool:
    try:
        load_part(folder)
        return True
    except FileNotFoundError:
        pass
    except TableFormatError:
        return False
    except TableError:
        return True
    try:
        load_manifest(folder)
    except (MissingTableError, TableFormatError):
        return False
    except TableError:
        return True
    return True


def _check_unused(folder: Path) -> None:
    if not folder.is_dir():
        raise BuildRefusedError("{folder} is not a folder: choose another place", folder=folder)
    try:
        strangers = [path.name for path in folder.iterdir() if not is_part_of(path.name, PART_NAME)]
    except OSError as error:
        raise BuildRefusedError(
            "cannot use {folder}: {reason}", folder=folder, reason=error.strerror
        ) from error
    if strangers:
        raise BuildRefusedError(
            "{folder} holds other files, such as {file}: choose another folder",
            folder=folder,
            file=min(strangers),
        )
