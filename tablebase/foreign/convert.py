"""Converting another program's table into one of ours, layer by layer; resumable at any moment.

The layers are converted from the last one to the first; a layer counts as done once the manifest
records it. Facts that the source leaves open go into ``import.json`` beside the manifest: which
rates may be missing, and which files the layers came from, so that sources are never mixed.
"""

import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.platform.default_callbacks import ignore_progress, never_cancelled
from engine.platform.files.atomic_file import remove_parts
from engine.platform.language import tr
from tablebase.build.builder import BuildPlan
from tablebase.build.progress import BuildResult, Progress, ProgressClock
from tablebase.errors import (
    BuildCancelledError,
    BuildError,
    BuildRefusedError,
    DamagedTableError,
    MissingTableError,
)
from tablebase.foreign.config import load_generated
from tablebase.foreign.find import ForeignTable
from tablebase.foreign.layer_converter import ForeignLayerConverter
from tablebase.foreign.table import ReferenceTable
from tablebase.memory.arrays import Arrays
from tablebase.memory.limits import MIN_BYTES, allowed_memory, blocks_bytes
from tablebase.rank.space import Space
from tablebase.store.build_lock import LOCK_NAME, folder_lock
from tablebase.store.intact_layers import whole_layers
from tablebase.store.layer_file import WrittenLayer
from tablebase.store.layer_locations import locate
from tablebase.store.manifest import Manifest, load_manifest, refuse_unreadable
from tablebase.store.options import TableOptions
from tablebase.store.origin import Origin, load_origin
from tablebase.store.parts_index import refuse_part
from tablebase.store.rates import RATE_TYPES

_RECORD_EVERY_S = 0.5


@dataclass(frozen=True)
class ImportPlan:
    """The parameters of an import."""

    source: ReferenceTable
    folder: Path  # the new table's own folder
    rate: str = ""  # one of ``tablebase.store.rates.RATE_TYPES``
    # The memory limit; working arrays that do not fit are mapped to files of the new table's
    # folder; None for most of the machine's memory.
    memory_bytes: int | None = None
    generated: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", self.rate or rate_type_for(self.source.rate))
        object.__setattr__(self, "generated", load_generated(self.source.found.stats_path))

    def new_manifest(self) -> Manifest:
        source = self.source
        options = TableOptions(source.spawn4, self.rate)
        plan = BuildPlan(source.formation, source.target, self.folder, options)
        plan.check()
        return plan.new_manifest()

    def check(self) -> None:
        source = self.source
        if self.folder.exists() and source.path.exists() and self.folder.samefile(source.path):
            raise BuildRefusedError(
                tr(
                    "{folder} holds the table to import: choose another folder for the new one",
                    folder=self.folder,
                )
            )
        missing = [i for i in range(source.n_layers - 2) if i not in source.found.layers]
        if missing:
            why = source.found.why_missing(missing[0])
            if len(missing) > 1:
                why = tr("{why} and {count} others", why=why, count=len(missing) - 1)
            raise MissingTableError(why)

    def unknowns(self) -> list[str]:
        """Return the facts that the source does not tell, in sentences."""
        source, remarks = self.source, []
        if source.config.spawn4 is None:
            remarks.append(
                tr(
                    "the source doesn't say how often a 4 appears: assuming {spawn4}",
                    spawn4=source.spawn4,
                )
            )
        unknown = sum(i not in self.generated for i in range(source.n_layers - 2))
        if unknown:
            remarks.append(
                tr(
                    "how many boards were generated is not recorded for {count} layers: those "
                    "that are stored are counted instead",
                    count=unknown,
                )
            )
        if source.config.deletion_threshold > 0:
            remarks.append(
                tr(
                    "boards of a rate of at most {threshold} were deleted from it: the new table "
                    "gives them a rate of 0",
                    threshold=source.config.deletion_threshold,
                )
            )
        if source.config.optimal_branch_only:
            remarks.append(
                tr(
                    "it has only boards after best moves: the new table gives all others a rate "
                    "of 0"
                )
            )
        remarks.append(
            tr(
                "the table doesn't record the definition of {pattern}: using one that its boards "
                "fit",
                pattern=source.pattern,
            )
        )
        return remarks


def rate_type_for(stored: str) -> str:
    """Return our rate type that loses the least precision of one of theirs."""
    return stored if stored in RATE_TYPES else "float64"


def import_table(
    plan: ImportPlan,
    on_progress: Callable[[Progress], None] = ignore_progress,
    is_cancelled: Callable[[], bool] = never_cancelled,
) -> BuildResult:
    """Convert a table, or resume; return at once if it is complete.

    `on_progress` is called after a layer, at most a few times a second; the phase is "import".
    Raises BuildRefusedError if the folder holds something else, a board of the source cannot be
    stored, or memory is too small; a TableError if the source is incomplete or invalid; and
    BuildCancelledError or DiskFullError, after which the next call goes on from the finished
    layers.
    """
    plan.check()
    wanted = plan.new_manifest()
    clock = _ImportClock(on_progress, wanted.n_layers)
    origin = _origin_of(plan.source)
    manifest = _existing(plan.folder, wanted, origin)
    if manifest is not None and manifest.complete:
        _tidy(plan.folder)
        return clock.result(plan.folder, manifest, was_complete=True)
    space = Space(plan.source.formation, plan.source.target, wanted.n_layers)
    what, least = tr("importing {table}", table=wanted.name), MIN_BYTES + blocks_bytes(space)
    limit = allowed_memory(what, plan.memory_bytes, least)
    with folder_lock(plan.folder):
        manifest = _existing(plan.folder, wanted, origin)
        was_complete = manifest is not None and manifest.complete
        if manifest is None or not was_complete:
            if manifest is None:
                origin.save(plan.folder)  # first, so that an import is never taken for a build
                wanted.save(plan.folder)
            with Arrays(plan.folder, limit) as arrays:
                layers = ForeignLayerConverter(
                    plan.source, plan.folder, plan.rate, plan.generated, space, arrays
                )
                remove_parts(plan.folder)
                manifest = _convert(plan, manifest or wanted, layers, clock, is_cancelled)
        return clock.result(plan.folder, manifest, was_complete=was_complete)


class _ImportClock(ProgressClock):
    """A clock for work of a single phase."""

    def _share(self, _phase: str, layer: int) -> float:
        return float(self._weights[layer])


def _existing(folder: Path, wanted: Manifest, origin: Origin) -> Manifest | None:
    """Return the manifest to resume from, or None; refuse to mix two tables."""
    try:
        manifest = load_manifest(folder)
    except MissingTableError as error:
        refuse_unreadable(error)
        refuse_part(folder)
        return None
    except DamagedTableError as error:
        raise BuildRefusedError(
            tr(
                "{error}; nothing was changed: delete {folder} to import it again",
                error=error,
                folder=folder,
            )
        ) from error
    earlier = load_origin(folder)
    if earlier is None:
        raise BuildRefusedError(
            tr(
                "{folder} holds {name}, which was built, not imported: choose another folder",
                folder=folder,
                name=manifest.name,
            )
        )
    differences = manifest.differences(wanted)
    if earlier != origin:
        differences.append(tr("its source has other files"))
    if differences:
        raise BuildRefusedError(
            tr(
                "{folder} holds {name} imported otherwise ({differences}): choose another folder "
                "or the same source and parameters",
                folder=folder,
                name=manifest.name,
                differences="; ".join(differences),
            )
        )
    there = locate([folder], manifest)
    if there.away:  # converting them again would leave two copies of each
        raise BuildRefusedError(there.warning)
    whole = whole_layers(there.layers, manifest)
    return replace(
        manifest, layers=whole, complete=manifest.complete and len(whole) == manifest.n_layers
    )


def _convert(
    plan: ImportPlan,
    manifest: Manifest,
    layers: ForeignLayerConverter,
    clock: ProgressClock,
    is_cancelled: Callable[[], bool],
) -> Manifest:
    n = manifest.n_layers
    clock.weigh([1 + layers.n_slots(i) for i in range(n)])
    boards, n_bytes = manifest.boards, manifest.bytes
    written: list[WrittenLayer] = []
    last_record = time.monotonic()
    try:
        for layer in reversed(range(n)):
            if layer in manifest.layers:
                clock.skip("import", layer, 0)
                continue
            if is_cancelled():
                raise BuildCancelledError(tr("stopped; the same import resumes here"))
            converted = layers.convert(layer, is_cancelled)
            written.append(converted)
            boards, n_bytes = boards + converted.boards, n_bytes + converted.bytes
            if time.monotonic() - last_record > _RECORD_EVERY_S:
                manifest, written = _recorded(plan.folder, manifest, written)
                last_record = time.monotonic()
            clock.advance("import", layer, boards, n_bytes)
    finally:
        manifest, written = _recorded(plan.folder, manifest, written)
    manifest = manifest.completed()
    manifest.save(plan.folder)
    remove_parts(plan.folder)
    return manifest


def _tidy(folder: Path) -> None:
    """Remove files left by a run that was killed at its very end, unless the folder is in use."""
    if (folder / LOCK_NAME).exists() or any(folder.glob("*.part")):
        with suppress(BuildError), folder_lock(folder):
            remove_parts(folder)


def _recorded(
    folder: Path, manifest: Manifest, written: list[WrittenLayer]
) -> tuple[Manifest, list[WrittenLayer]]:
    if written:
        manifest = manifest.with_layers(written)
        manifest.save(folder)
    return manifest, []


def _origin_of(source: ReferenceTable) -> Origin:
    return Origin(source.rate, source.config.is_thinned, _files_crc(source.found))


def _files_crc(table: ForeignTable) -> str:
    crc = 0
    for layer in sorted(table.layers):
        path = table.layers[layer]
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            crc = zlib.crc32(f"{file.name} {file.stat().st_size}\n".encode(), crc)
    return f"{crc:08x}"
