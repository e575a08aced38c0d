"""Turning a finished table into one of other options, without building it anew.

Layer by layer, from the first on: rates in a type that holds less, without boards of a low rate,
without boards that optimal play does not come to, without layers that follow from others. The new
table grows beside the original or in another folder, with a manifest of its own: stopped at any
moment, even by a power cut, the original is whole, and the next run goes on with what is there.
In the end the new table takes the original's place (see tablebase.swap).

From a type that holds rates as the solver has them (float64, uint64) files are the same, byte for
byte, as those of a table built with these options; so are those of a conversion that keeps the
type, unless there is a threshold: then what is stored decides instead of the exact rate, and levels
(uint16) stay what they were.
"""

import os
import shutil
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.wording import bytes_text
from tablebase.convert_layer import LayerConverter
from tablebase.errors import BuildCancelledError, BuildRefusedError, DiskFullError
from tablebase.layer_copy import copy_layer
from tablebase.locations import is_same_folder
from tablebase.options import TableOptions
from tablebase.progress import Progress
from tablebase.rates import find_rate_type
from tablebase.reader import Tablebase
from tablebase.store.atomic import explain
from tablebase.store.codecs import find_level
from tablebase.store.layer_file import WrittenLayer
from tablebase.store.lock import LOCK_NAME, folder_lock
from tablebase.store.manifest import MANIFEST_NAME, Manifest, OmittedLayer, load_manifest
from tablebase.store.whole_layers import whole_layers
from tablebase.swap import (
    RECORD_NAME,
    Conversion,
    check_unused,
    discard,
    finish_swap,
    load_conversion,
    new_folder,
    swap,
    tidy,
)

_HOLD_LESS = ("float64", "uint64", "uint32", "float32", "uint16")  # each less than the one before
_RECORD_EVERY_S = 0.5
_SPARE_BYTES = 1 << 20
_KEY_BYTES = 0.35  # of a stored board, about; the rest of it is its rate


@dataclass(frozen=True)
class ConvertPlan:
    """What to convert into what; None leaves something as it is.

    Attributes
    ----------
    folders : sequence of Path
        The table's own folder, then any parts on other drives that it does not know of.
    rate : str or None
        Rate type.
    threshold : float or None
    optimal_only : bool
    sparse : int or None
        See `TableOptions`.
    level : str or None
        How hard to compress. Files do not tell how they were, so any level has all layers written
        again; with None those that change are written fast.
    out : Path or None
        The new table becomes ``out/NAME``, and the original stays; None to replace it.
    threads : int
    """

    folders: Sequence[Path]
    rate: str | None = None
    threshold: float | None = None
    optimal_only: bool = False
    sparse: int | None = None
    level: str | None = None
    out: Path | None = None
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)

    def options(self, have: TableOptions) -> TableOptions:
        """Return the options of the new table."""
        return replace(
            have,
            rate=have.rate if self.rate is None else self.rate,
            threshold=have.threshold if self.threshold is None else float(self.threshold),
            optimal_only=have.optimal_only or self.optimal_only,
            sparse=have.sparse if self.sparse is None else self.sparse,
        )


@dataclass(frozen=True)
class ConvertResult:
    """The table as it is now, and what it was; `was_done` when there was nothing to do."""

    table: Path
    layers: int
    boards: int
    stored: int
    bytes: int
    stored_before: int
    bytes_before: int
    elapsed_s: float
    was_done: bool


def _ignore(_progress: Progress) -> None:
    pass


def _never() -> bool:
    return False


def convert(
    plan: ConvertPlan,
    on_progress: Callable[[Progress], None] = _ignore,
    is_cancelled: Callable[[], bool] = _never,
) -> ConvertResult:
    """Convert a finished table, or go on with that.

    Parameters
    ----------
    plan : ConvertPlan
    on_progress : callable
        Told after every layer.
    is_cancelled : callable
        Asked several times a layer; True stops with the original whole.

    Raises
    ------
    MissingTableError, TableFormatError, DamagedTableError
        There is no such table, or a layer is away or not what was written.
    BuildRefusedError
        The options ask for what the table does not hold, or a folder cannot be used.
    BuildCancelledError, DiskFullError
        Stopped; the original is whole, and the next call goes on from there.
    """
    start = time.monotonic()
    home = plan.folders[0].resolve()
    try:
        if plan.out is not None:
            return _convert_to(plan, home, plan.out, start, on_progress, is_cancelled)
        finish_swap(home)
        return _convert_in_place(plan, home, start, on_progress, is_cancelled)
    except DiskFullError as error:
        what, _, _ = str(error).partition(";")
        raise DiskFullError(
            f"{what}; the original is whole: free some space and start the same command again"
        ) from error


def _convert_in_place(
    plan: ConvertPlan,
    home: Path,
    start: float,
    on_progress: Callable[[Progress], None],
    is_cancelled: Callable[[], bool],
) -> ConvertResult:
    before = _checked(home, load_manifest(home))
    with ExitStack() as lock:
        lock.enter_context(folder_lock(home))
        before = _checked(home, load_manifest(home))
        earlier = tidy(home)
        wanted = _wanted(plan, before)
        is_done = earlier is not None and (earlier.options, earlier.level) == (
            wanted.options,
            plan.level or "",
        )
        if is_done or _is_nothing(plan, before, wanted):
            return _result(home, before, before, start, was_done=True)
        check_unused(home)
        with Tablebase(home, before, plan.folders[1:]) as table:
            if table.locations.parts or table.locations.away:
                raise BuildRefusedError(
                    f"layers of {before.name} lie in other folders: bring them back first "
                    f"(relocate --to {home}), or convert with --out"
                )
            conversion = _Conversion(plan, table, wanted, on_progress, is_cancelled)
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
    before = _checked(home, load_manifest(home))
    wanted = _wanted(plan, before)
    if _is_nothing(plan, before, wanted):
        return _result(home, before, before, start, was_done=True)
    target = out.resolve() / before.name
    if is_same_folder(target, home) or home in (target, *target.parents):
        raise BuildRefusedError(f"{out} is where the table itself lies: choose another folder")
    with Tablebase(home, before, plan.folders[1:]) as table:
        if table.locations.away:
            raise BuildRefusedError(table.locations.warning)
        with folder_lock(target):
            conversion = _Conversion(plan, table, wanted, on_progress, is_cancelled)
            found = _existing(target)
            if found and found.complete and found.options == wanted.options:
                was_done = load_conversion(target) is None
                (target / RECORD_NAME).unlink(missing_ok=True)
                return _result(target, found, before, start, was_done=was_done)
            if found and load_conversion(target) is None:
                raise BuildRefusedError(f"{target} holds another table: choose another folder")
            conversion.run(target, may_link=False)
            (target / RECORD_NAME).unlink()
    return _result(target, load_manifest(target), before, start, was_done=False)


def _existing(folder: Path) -> Manifest | None:
    return load_manifest(folder) if (folder / MANIFEST_NAME).exists() else None


def _checked(home: Path, manifest: Manifest) -> Manifest:
    if not manifest.complete:
        raise BuildRefusedError(
            f"the table in {home} is not finished: start the same build again, then convert it"
        )
    return manifest


def _wanted(plan: ConvertPlan, before: Manifest) -> Manifest:
    """Return the manifest of the new table without layers; refuse what would have to be made up."""
    have, options = before.options, plan.options(before.options)
    options.check()
    if plan.level is not None:
        find_level(plan.level)
    anew = f"build {before.name} anew in another folder, with these options"
    if _HOLD_LESS.index(options.rate) < _HOLD_LESS.index(have.rate):
        raise BuildRefusedError(
            f"rates of type {have.rate} hold less than {options.rate} would promise: {anew}"
        )
    if options.threshold < have.threshold:
        raise BuildRefusedError(
            f"boards of a rate up to {have.threshold:g} are not stored, so threshold "
            f"{options.threshold:g} cannot be had: {anew}"
        )
    n = before.n_layers
    if not set(options.kept_layers(n)) <= set(have.kept_layers(n)):
        raise BuildRefusedError(
            f"layers that sparse {options.sparse} keeps have no file (it is sparse "
            f"{have.sparse} now): {anew}"
        )
    return Manifest(before.formation, before.target, options)


def _is_nothing(plan: ConvertPlan, before: Manifest, wanted: Manifest) -> bool:
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
        elapsed_s=max(time.monotonic() - start, 0.0),
        was_done=was_done,
    )


class _Conversion:
    """One run, from the original's layers to a complete new table."""

    def __init__(
        self,
        plan: ConvertPlan,
        table: Tablebase,
        wanted: Manifest,
        on_progress: Callable[[Progress], None],
        is_cancelled: Callable[[], bool],
    ) -> None:
        self._table, self._before, self._now = table, table.manifest, wanted
        self._level, self._writes_all = find_level(plan.level or "fast"), plan.level is not None
        source = f"{zlib.crc32((table.path / MANIFEST_NAME).read_bytes()):08x}"
        self._record = Conversion(source, wanted.options, plan.level or "")
        self._threads = plan.threads
        self._on_progress, self._is_cancelled = on_progress, is_cancelled
        self._start = self._last_record = time.monotonic()
        self._done_bytes = 0

    def run(self, folder: Path, *, may_link: bool) -> None:
        """Make the new table in `folder`, which may hold a part of it; complete at the end."""
        self._folder = folder
        if load_conversion(folder) == self._record:
            self._take_up()
            self._check_room(may_link)
        else:
            self._check_room(may_link)
            self._begin()
        try:
            self._convert_all(may_link)
        except BuildCancelledError:
            self._now.save(folder)
            raise
        self._now = self._now.completed()
        self._now.save(folder)

    def _take_up(self) -> None:
        """Go on with what lies in the folder."""
        found = _existing(self._folder)
        if found is not None:
            paths = {i: self._folder / one.file for i, one in found.layers.items()}
            whole = whole_layers({i: p for i, p in paths.items() if p.exists()}, found)
            self._now = replace(self._now, layers=whole, omitted=found.omitted)

    def _begin(self) -> None:
        """Make the folder, in the place of one for another conversion."""
        if self._folder.exists() and not _is_fresh(self._folder):
            discard(self._folder)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise explain(error, self._folder) from error
        self._record.save(self._folder)

    def _convert_all(self, may_link: bool) -> None:
        kept = set(self._now.kept_layers)
        self._done_bytes = sum(self._bytes_of(i) for i in self._now.layers)
        skipped = self._done_bytes
        with LayerConverter(
            self._table, self._now.options, self._threads, self._is_cancelled
        ) as converter:
            for layer in range(self._now.n_layers):
                if layer not in self._now.layers and layer not in self._now.omitted:
                    self._tell(layer, skipped)
                    self._add(self._convert(converter, layer, layer in kept, may_link))
                    self._done_bytes += self._bytes_of(layer)
        self._tell(self._now.n_layers - 1, skipped)

    def _convert(
        self, converter: LayerConverter, layer: int, is_kept: bool, may_link: bool
    ) -> WrittenLayer | OmittedLayer:
        recorded = self._before.layers.get(layer)
        if recorded is None:
            return self._before.omitted[layer]
        if not converter.changes(layer) and not (is_kept and self._writes_all):
            if is_kept:
                self._take_over(recorded, may_link)
                return recorded
            return OmittedLayer(layer, recorded.boards, recorded.stored)
        if is_kept:
            return converter.write(self._folder, self._now, layer, self._level)
        return OmittedLayer(layer, recorded.boards, converter.count(layer))

    def _take_over(self, recorded: WrittenLayer, may_link: bool) -> None:
        """Have a file of the original in the new table: by a second name if that can be."""
        source, target = self._table.locations.path(recorded.layer), self._folder / recorded.file
        if may_link:
            with suppress(OSError):
                target.unlink(missing_ok=True)
                os.link(source, target)
                return
        copy_layer(source, target, recorded, self._before.rate, self._check_stop)

    def _check_stop(self, _done: int) -> None:
        if self._is_cancelled():
            raise BuildCancelledError(
                "the original is whole, and the same command goes on from there"
            )

    def _add(self, one: WrittenLayer | OmittedLayer) -> None:
        self._now = self._now.with_layers([one])
        if time.monotonic() - self._last_record > _RECORD_EVERY_S:
            self._now.save(self._folder)
            self._last_record = time.monotonic()

    def _bytes_of(self, layer: int) -> int:
        recorded = self._before.layers.get(layer)
        return recorded.bytes if recorded else 0

    def _check_room(self, may_link: bool) -> None:
        """Refuse to begin what cannot end; how small the new files become is a guess."""
        have, want = (find_rate_type(m.rate).dtype.itemsize for m in (self._before, self._now))
        converter_changes = LayerConverter.changed_layers(self._before, self._now.options)
        need = 0.0
        for layer in set(self._now.kept_layers) - set(self._now.layers):
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
                f"{place} has {bytes_text(free)} free, about "
                f"{bytes_text(int(need) + _SPARE_BYTES)} are needed: free some space there, or "
                "convert into a folder on another drive (--out)"
            )

    def _tell(self, layer: int, skipped: int) -> None:
        """Report how far this is; raise BuildCancelledError when it is to stop."""
        self._check_stop(0)
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


def _is_fresh(folder: Path) -> bool:
    """Tell whether nothing but a lock lies in a folder."""
    return folder.is_dir() and all(path.name == LOCK_NAME for path in folder.iterdir())
