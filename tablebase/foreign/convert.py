"""Converting another program's table into one of ours, layer by layer; resumable at any moment.

The layers are converted from the last one to the first; a layer counts as done once the manifest
records it. Facts that the source leaves open go into ``import.json`` beside the manifest: which
rates may be missing, and which files the layers came from, so that sources are never mixed.
"""

import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from engine.bitboard import format_board
from engine.platform.array_types import F64, I64, U64
from engine.platform.default_callbacks import ignore_progress, never_cancelled
from engine.platform.files.atomic_file import remove_parts
from engine.platform.language import tr
from engine.symmetry import canonical_many
from tablebase.build.builder import BuildPlan
from tablebase.build.progress import BuildResult, Progress, ProgressClock
from tablebase.errors import (
    BuildCancelledError,
    BuildError,
    BuildRefusedError,
    DamagedTableError,
    MissingTableError,
)
from tablebase.foreign.boards import reached_many
from tablebase.foreign.config import load_generated
from tablebase.foreign.find import ForeignTable
from tablebase.foreign.table import ReferenceTable
from tablebase.kernels.bits import bitmap_words, build_index
from tablebase.kernels.optimal_replies import put_values, set_slots
from tablebase.kernels.unrank import slots_of_boards
from tablebase.memory.arrays import Arrays
from tablebase.memory.limits import MIN_BYTES, allowed_memory, blocks_bytes
from tablebase.rank.kernel_tables import Blocks
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space
from tablebase.store.build_lock import LOCK_NAME, folder_lock
from tablebase.store.intact_layers import whole_layers
from tablebase.store.layer_file import WrittenLayer, pack_layer
from tablebase.store.layer_locations import locate
from tablebase.store.manifest import Manifest, load_manifest, refuse_unreadable
from tablebase.store.options import TableOptions
from tablebase.store.origin import Origin, load_origin
from tablebase.store.parts_index import refuse_part
from tablebase.store.rates import RATE_TYPES, find_rate_type
from tablebase.store.stored_layer import encoded_rates


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
        stats = self.source.found.folder / f"{self.source.found.name}_stats.txt"
        object.__setattr__(self, "generated", load_generated(stats))

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
                "{folder} holds the table to import: choose another folder for the new one",
                folder=self.folder,
            )
        missing = [i for i in range(source.n_layers - 2) if i not in source.found.layers]
        if missing:
            why = source.found.why_missing(missing[0])
            if len(missing) > 1:
                why = tr("{why} and {count} others", why=why, count=len(missing) - 1)
            raise MissingTableError(why)

    def unknowns(self) -> Iterator[str]:
        """Yield the facts that the source does not tell, in sentences."""
        source = self.source
        if source.config.spawn4 is None:
            yield tr(
                "the source doesn't say how often a 4 appears: assuming {spawn4}",
                spawn4=source.spawn4,
            )
        unknown = sum(i not in self.generated for i in range(source.n_layers - 2))
        if unknown:
            yield tr(
                "how many boards were generated is not recorded for {count} layers: those "
                "that are stored are counted instead",
                count=unknown,
            )
        if source.config.deletion_threshold > 0:
            yield tr(
                "boards of a rate of at most {threshold} were deleted from it: the new table "
                "gives them a rate of 0",
                threshold=source.config.deletion_threshold,
            )
        if source.config.optimal_branch_only:
            yield tr(
                "it has only boards after best moves: the new table gives all others a rate of 0"
            )
        yield tr(
            "the table doesn't record the definition of {pattern}: using one that its boards fit",
            pattern=source.pattern,
        )


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
    source = plan.source
    origin = Origin(source.rate, source.config.is_thinned, _files_crc(source.found))
    manifest = _existing(plan.folder, wanted, origin)
    if manifest is not None and manifest.complete:
        _tidy(plan.folder)
        return clock.result(plan.folder, manifest, was_complete=True)
    space = Space(source.formation, source.target, wanted.n_layers)
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
                layers = LayerConverter(plan, space, arrays)
                remove_parts(plan.folder)
                manifest = _convert(plan, manifest or wanted, layers, clock, is_cancelled)
        return clock.result(plan.folder, manifest, was_complete=was_complete)


class _ImportClock(ProgressClock):
    """A clock for work of a single phase."""

    def _share(self, _phase: str, layer: int) -> float:
        return float(self._weights[layer])


class LayerConverter:
    """Converts the layers of a plan one by one: boards into slots, rates into our types."""

    def __init__(self, plan: ImportPlan, space: Space, arrays: Arrays) -> None:
        self._source, self._folder, self._generated = plan.source, plan.folder, plan.generated
        self._rate = find_rate_type(plan.rate)
        self._space, self._arrays = space, arrays
        self._tables = kernel_tables(space, slides=False, fours=False)

    def n_slots(self, layer: int) -> int:
        return self._space.n_slots(self._half_sum(layer))

    def _half_sum(self, layer: int) -> int:
        return self._source.formation.seed_half_sum + layer

    def convert(self, layer: int, is_cancelled: Callable[[], bool]) -> WrittenLayer:
        """Write one layer; return its record for the manifest.

        Boards that have reached the target are left out, since our tables know them by rule, and so
        are those whose rate is stored as 0.
        """
        arrays, n_slots = self._arrays, self.n_slots(layer)
        slots, rates, n_reached = self._open_boards(layer, is_cancelled)
        words = arrays.zeros(bitmap_words(n_slots), np.uint64)
        set_slots(words, slots)
        index = arrays.empty(2 * words.size, np.uint64)
        n = build_index(words, index)
        if n < slots.size and layer:  # seeds may be images of each other
            raise DamagedTableError(
                "{path} holds a board twice", path=self._source.found.layers[layer]
            )
        in_order = arrays.empty(n, np.float64)
        put_values(index, in_order, slots, rates)
        stored_bits, encoded = encoded_rates(words, in_order, self._rate, 0.0, arrays)
        generated = self._generated.get(layer, 0) - n_reached
        n_boards = max(generated, int(encoded.values.size))
        packed = pack_layer(
            layer, self._rate, n_slots, n_boards, stored_bits, encoded, new_array=arrays.empty
        )
        return packed.write(self._folder)

    def _open_boards(self, layer: int, is_cancelled: Callable[[], bool]) -> tuple[I64, F64, int]:
        """Return slots and rates of the boards below the target, and the number of the others."""
        source = self._source
        if layer not in source.found.layers:
            return np.zeros(0, np.int64), np.zeros(0), 0  # one of the last two, see check
        most = source.layer(layer).count()
        slots, values = self._arrays.empty(most, np.int64), self._arrays.empty(most, np.float64)
        blocks = self._space.blocks(self._half_sum(layer))
        n = n_reached = 0
        for boards, rates in source.records(layer):
            if is_cancelled():
                raise BuildCancelledError(tr("stopped; the same import resumes here"))
            reached = reached_many(source.formation, source.target.tile, boards)
            n_reached += int(reached.sum())
            boards, rates = boards[~reached], rates[~reached]
            if n + boards.size > most:
                raise DamagedTableError(
                    "{path} is damaged: it holds more than the {most} boards that its "
                    "streams promise",
                    path=source.found.layers[layer],
                    most=most,
                )
            part = slice(n, n + boards.size)
            slots[part], values[part] = self._slots(layer, blocks, boards), rates
            n += boards.size
        return slots[:n], values[:n], n_reached

    def _slots(self, layer: int, blocks: Blocks, boards: U64) -> I64:
        source = self._source
        canonical = canonical_many(boards, source.formation.symmetry)
        foreign = np.flatnonzero(canonical != boards)
        if layer and foreign.size:
            raise BuildRefusedError(
                "{path}: {board} is not in the form that {pattern} in patterns_config.json "
                "gives it: the table was made with another symmetry",
                path=source.found.layers[layer],
                board=format_board(int(boards[foreign[0]])),
                pattern=source.pattern,
            )
        slots = slots_of_boards(self._tables, blocks, canonical, least=True)
        outside = np.flatnonzero(slots < 0)
        if outside.size:
            raise BuildRefusedError(
                "{path}: {board} and {count} others are outside of {pattern} by its "
                "definition in patterns_config.json: the table was made with another one",
                path=source.found.layers[layer],
                board=format_board(int(boards[outside[0]])),
                count=outside.size - 1,
                pattern=source.pattern,
            )
        if layer == source.n_layers - 1 or layer == source.n_layers - 2:
            self._refuse_longer(layer, boards)
        return slots

    def _refuse_longer(self, layer: int, boards: U64) -> None:
        if boards.size:
            raise BuildRefusedError(
                "{path}: {board} has a rate above 0 without having reached {target}, in one of the "
                "last two layers: the table was made with other target cells or more extra steps",
                path=self._source.found.layers[layer],
                board=format_board(int(boards[0])),
                target=self._source.target,
            )


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
            "{error}; nothing was changed: delete {folder} to import it again",
            error=error,
            folder=folder,
        ) from error
    earlier = load_origin(folder)
    if earlier is None:
        raise BuildRefusedError(
            "{folder} holds {name}, which was built, not imported: choose another folder",
            folder=folder,
            name=manifest.name,
        )
    differences = manifest.differences(wanted)
    if earlier != origin:
        differences.append(tr("its source has other files"))
    if differences:
        raise BuildRefusedError(
            "{folder} holds {name} imported otherwise ({differences}): choose another folder "
            "or the same source and parameters",
            folder=folder,
            name=manifest.name,
            differences="; ".join(differences),
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
    layers: LayerConverter,
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
            if time.monotonic() - last_record > 0.5:
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


def _files_crc(table: ForeignTable) -> str:
    crc = 0
    for layer in sorted(table.layers):
        path = table.layers[layer]
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            crc = zlib.crc32(f"{file.name} {file.stat().st_size}\n".encode(), crc)
    return f"{crc:08x}"
