"""Building a table: expand forward, solve backward, finish; resumable at any moment.

Expanding keeps the after-states of every layer in ``work/``; solving goes from the last layer to
the first, writes one layer file after the other and keeps the exact values of the last two layers
every few seconds; a table of optimal play alone is thinned (see tablebase.build.prune), segment by
segment (see tablebase.build.segments); finishing marks the manifest complete and deletes ``work/``.
A restart reads the manifest and ``work/`` and goes on after the last intact result.
"""

import os
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

from engine.platform.default_callbacks import ignore_progress, never_cancelled
from engine.platform.files.atomic_file import remove_parts
from engine.platform.language import tr
from tablebase.build.layer_steps import LayerSteps
from tablebase.build.layers import Layers
from tablebase.build.progress import BuildResult, Progress, ProgressClock
from tablebase.build.prune import prune_table
from tablebase.build.scratch import F64, Scratch
from tablebase.build.segments import exact_layers, segments_of
from tablebase.build.worker_pool import LayerPool
from tablebase.build.writer import TableWriter
from tablebase.build_files import unlink
from tablebase.errors import BuildError, BuildRefusedError, DamagedTableError, MissingTableError
from tablebase.formation.formation import Formation, check_buildable
from tablebase.formation.goal import Goal, goal_of
from tablebase.kernels.bits import U64, count_ones
from tablebase.kernels.layer_boards import Solved
from tablebase.memory.arrays import Arrays
from tablebase.memory.limits import blocks_bytes, build_limit
from tablebase.rank.space import Space
from tablebase.store.build_lock import LOCK_NAME, folder_lock
from tablebase.store.codecs import find_level
from tablebase.store.intact_layers import whole_layers
from tablebase.store.layer_locations import locate
from tablebase.store.manifest import (
    IMPORT_NAME,
    Manifest,
    load_manifest,
    refuse_unreadable,
    unfinished_import_text,
)
from tablebase.store.options import FIRST_THINNED, TableOptions
from tablebase.store.parts_index import refuse_part
from tablebase.store.replace_table import finish_swap
from tablebase.store.work_folder import WORK_NAME, make_work_folder, remove_work

_KEEP_LIVE_EVERY_S = 5.0
_WRITING_SHARE = 3  # memory to write a layer while the next is solved, in times its values
_KEEP_LIVE_SHARE = 20  # keeping values takes at most a twentieth of the time


@dataclass(frozen=True)
class BuildPlan:
    """What to build, and with what."""

    formation: Formation
    target: Goal | int  # a bare number is the face value of a tile
    folder: Path  # the table's own folder
    # The options that determine the table's content.
    options: TableOptions = field(default_factory=TableOptions)
    # The result does not depend on it.
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    # The memory limit; working arrays that do not fit are mapped to files; None for most of the
    # machine's memory.
    memory_bytes: int | None = None
    # Whether all working files are compressed, not only large ones: this needs less of the drive
    # and a little more time.
    pack_scratch: bool = False
    # A folder for working files, perhaps on another drive; None for where an earlier start has left
    # them, at first the table's own folder.
    scratch: Path | None = None
    # How strongly the finished files are compressed: "fast", "normal" or "small".
    level: str = "fast"
    # The finished table in which this one continues at the target (see
    # tablebase.probe.continuation); it lies beside `folder`.
    then: Path | None = None

    def check(self) -> None:
        check_buildable(self.formation, self.target)
        self.options.check(goal_of(self.target).tile or None)
        find_level(self.level)
        if not 1 <= self.threads <= 256:
            raise BuildRefusedError(
                "{threads!r} threads: expected a number from 1 to 256", threads=self.threads
            )
        if self.then:
            self.options.check_chained()

    def new_manifest(self) -> Manifest:
        goal = goal_of(self.target)
        if self.then is None:
            return Manifest(self.formation, goal, self.options)
        from tablebase.probe.continuation import continuation_in

        return Manifest(self.formation, goal, self.options, then=continuation_in(self.then))


Spread = Callable[[Layers, BuildPlan, Callable[[], bool]], LayerSteps]
"""Makes the steps through the layers from local layers, the plan and `is_cancelled`."""


def build(
    plan: BuildPlan,
    on_progress: Callable[[Progress], None] = ignore_progress,
    is_cancelled: Callable[[], bool] = never_cancelled,
    spread: "Spread | None" = None,
) -> BuildResult:
    """Build a table, or resume or finish it; return quickly if it is complete.

    Damaged layers are computed again, with all they depend on; the others stay as they are.
    For a large table only sizes and headers are compared (see tablebase.store.intact_layers).

    Parameters
    ----------
    on_progress : callable
        Called from this thread at every change of phase and at most a few times a second.
    is_cancelled : callable
        Asked several times a second, from any thread.
    spread : callable, optional
        Has other machines work through the layers (see tablebase.cluster); the bytes of the table
        do not depend on it.

    Raises
    ------
    BuildRefusedError
        Other parameters than the unfinished table's, another builder at work, too little memory.
    BuildCancelledError, DiskFullError
        Stopped; everything finished is kept and the next call goes on from there.
    """
    plan.check()
    if plan.then and spread:
        raise BuildRefusedError(tr("a chained table is built on one machine: leave out --cluster"))
    finish_swap(plan.folder)
    clock = ProgressClock(on_progress, plan.new_manifest().n_layers)
    manifest = _existing(plan)
    if manifest is not None and manifest.complete:
        if _leftovers(plan.folder) or (plan.folder / LOCK_NAME).exists():
            with suppress(BuildError), folder_lock(plan.folder):  # read-only, or in use
                _remove_leftovers(plan.folder)
        return clock.result(plan.folder, manifest, was_complete=True)
    with folder_lock(plan.folder):
        manifest = _existing(plan)
        was_complete = manifest is not None and manifest.complete
        if manifest is None or was_complete:
            _remove_leftovers(plan.folder)  # files there are no part of this build
        if manifest is None or not was_complete:
            new = plan.new_manifest()
            manifest = _build(plan, manifest or new, clock, is_cancelled, spread)
        return clock.result(plan.folder, manifest, was_complete=was_complete)


@dataclass(frozen=True)
class _Site:
    """The state shared by the steps of a build; `segments` are all segments, the lowest first."""

    plan: BuildPlan
    layers: LayerSteps
    scratch: Scratch
    clock: ProgressClock
    segments: Sequence[range]

    @property
    def level(self) -> int:
        return find_level(self.plan.level)

    def passed(self, segment: range) -> range:
        """Return the layers to solve for a segment, unless kept values make some unnecessary."""
        is_first = segment == self.segments[0]
        return range(segment.start, self.layers.space.n_layers if is_first else segment.stop)


def _build(
    plan: BuildPlan,
    manifest: Manifest,
    clock: ProgressClock,
    is_cancelled: Callable[[], bool],
    spread: Spread | None,
) -> Manifest:
    space = Space(plan.formation, plan.target, manifest.n_layers)
    limit = build_limit(space, plan.memory_bytes)
    held = 0 if limit is None else blocks_bytes(space)
    manifest.save(plan.folder)
    work = make_work_folder(plan.folder, plan.scratch)
    with (
        folder_lock(work),
        Arrays(work, limit, held) as arrays,
        LayerPool(plan.threads, is_cancelled, arrays) as pool,
        ExitStack() as stack,
    ):
        for place in (plan.folder, work):
            remove_parts(place)  # they would take up space until the end
        rates_of_reached = None
        if manifest.then:
            from tablebase.probe.continuation import ReachedRates
            from tablebase.probe.reader import open_next

            rates = stack.enter_context(open_next(plan.folder, manifest.then)).computed_rates
            rates_of_reached = ReachedRates(rates, plan.formation, space.goal.tile)
        layers = Layers(
            space,
            plan.options.spawn4,
            pool,
            arrays,
            limits=plan.options.limits(),
            rates_of_reached=rates_of_reached,
        )
        sizes = [layers.n_slots(i) for i in range(manifest.n_layers)]
        segments = segments_of(sizes, plan.options)
        scratch = Scratch(work, arrays, pack=plan.pack_scratch or len(segments) > 1)
        thinned = sizes[FIRST_THINNED:] if plan.options.optimal_only else ()
        clock.weigh(sizes, sizes[segments[0].stop :], thinned)
        steps: LayerSteps = spread(layers, plan, is_cancelled) if spread else layers
        site = _Site(plan, steps, scratch, clock, segments)
        for i, segment in enumerate(segments):
            later = [other for other in segments[i + 1 :] if not manifest.records(other)]
            manifest = _solved(site, manifest, segment, later)
            if plan.options.optimal_only:
                manifest = prune_table(plan.folder, manifest, layers, site.level, clock, segment)
                _drop_served(site, manifest, segment, later)
        clock.other_cpu_s = steps.other_cpu_s
    clock.phase("finish", manifest.n_layers - 1)
    _check_still_there(plan.folder, manifest)
    manifest = manifest.completed()
    manifest.save(plan.folder)
    _remove_leftovers(plan.folder)
    return manifest


def _check_still_there(folder: Path, manifest: Manifest) -> None:
    there = locate([folder], manifest).layers
    gone = [layer.file for i, layer in manifest.layers.items() if i not in there]
    if gone:
        raise BuildRefusedError(
            "{folder} was removed while building: start the same build again to recompute "
            "what is missing",
            folder=folder / gone[0],
        )


def _leftovers(folder: Path) -> list[Path]:
    """The files that a build leaves if it is stopped between its last two steps."""
    parts = (path for path in folder.glob("*.part") if not path.is_dir())
    return [*parts, *folder.glob(WORK_NAME)]


def _remove_leftovers(folder: Path) -> None:
    for path in _leftovers(folder):
        if path.name == WORK_NAME:
            remove_work(folder)
        else:
            unlink(path)


def _existing(plan: BuildPlan) -> Manifest | None:
    """Return the manifest to resume from, or None; refuse to mix two tables."""
    wanted = plan.new_manifest()
    try:
        manifest = load_manifest(plan.folder)
    except MissingTableError as error:
        refuse_unreadable(error)
        _refuse_import(plan.folder)
        refuse_part(plan.folder)
        return None
    except DamagedTableError as error:
        raise BuildRefusedError(
            "{error}; nothing was changed: delete {folder} to rebuild it",
            error=error,
            folder=plan.folder,
        ) from error
    differences = manifest.differences(wanted)
    if differences:
        raise BuildRefusedError(
            "{folder} holds {name} built with other parameters ({differences}): choose "
            "another folder or the same parameters",
            folder=plan.folder,
            name=manifest.name,
            differences="; ".join(differences),
        )
    there = locate([plan.folder], manifest)
    if there.away:  # computing them again would leave two copies of each
        raise BuildRefusedError(there.warning)
    whole = whole_layers(there.layers, manifest)
    complete = manifest.complete and len(whole) == len(manifest.layers)
    if not complete:
        _refuse_import(plan.folder)
    return replace(manifest, layers=whole, complete=complete)


def _refuse_import(folder: Path) -> None:
    if (folder / IMPORT_NAME).exists():
        raise BuildRefusedError(unfinished_import_text(folder))


def _solved(site: _Site, manifest: Manifest, segment: range, later: Sequence[range]) -> Manifest:
    """Return the manifest that records the layers of a segment; `later` are not solved yet."""
    clock, n = site.clock, manifest.n_layers
    if manifest.records(segment):
        for i in segment:
            clock.skip("expand", i, manifest.boards_of(i))
        for i in site.passed(segment):
            clock.skip("solve", i, 0)
        return manifest
    with TableWriter(site.plan.folder, manifest, site.layers, site.level) as writer:
        # The exact values to resume from: of a layer above the first, and of the next.
        live = site.scratch.load_live(
            lambda i: i > segment.start and manifest.records(range(i, segment.stop))
        )
        n_needed = live[0] + 2 if live and not later else n
        _expand(site, range(max(segment.start - 1, 0), n_needed))
        for i in range(n_needed, n):
            clock.skip("expand", i, manifest.boards_of(i))
        _solve(site, writer, segment, later, live)
        return writer.finish()


def _drop_served(site: _Site, manifest: Manifest, segment: range, later: Sequence[range]) -> None:
    """Remove the working files that no later segment needs; it may be half solved already."""
    for layer in range(segment.stop - 1):
        site.scratch.drop_bits(layer)
    half_solved = {i for other in later for i in other if manifest.records([i])}
    site.scratch.drop_live(half_solved | exact_layers(later, manifest.n_layers))


def _expand(site: _Site, needed: range) -> None:
    """Keep the bitmaps of the needed layers, starting with the first missing one."""
    layers, scratch = site.layers, site.scratch

    def count(layer: int) -> int | None:
        return scratch.count_bits(layer, layers.n_words(layer))

    first = needed.start
    while first < needed.stop and (n_boards := count(first)) is not None:
        site.clock.skip("expand", first, n_boards)
        first += 1
    if first == needed.stop:
        return
    while any(count(i) is None for i in (first - 1, first - 2) if i >= 0):
        first -= 1  # layers no longer needed may lack bitmaps
    before = [  # the expanded after-states one and two layers before
        layers.followed(i, _bits(scratch, layers, i)) if i >= 0 else None
        for i in (first - 1, first - 2)
    ]
    try:
        for layer in range(first, needed.stop):
            after = (
                layers.seeds() if layer == 0 else layers.move(layer, _pre(layers, layer, before))
            )
            n_boards = _count(layers.arrays, after)
            scratch.save_bits(layer, after, n_boards)
            before = [layers.followed(layer, after), before[0]]
            site.clock.advance("expand", layer, n_boards)
    finally:
        scratch.flush()


def _pre(layers: LayerSteps, layer: int, before: Sequence[U64 | None]) -> Any:
    """The last layer but one is not expanded: what follows comes too late, or is certain."""
    is_last = layer == layers.space.n_layers - 1
    return layers.spawn(layer, [None if is_last else before[0], before[1]])


class _AfterStates:
    """The bitmaps of the three layers needed to solve one, the last one first; read once."""

    def __init__(self, layers: LayerSteps, scratch: Scratch) -> None:
        self._layers, self._scratch = layers, scratch
        self._known: dict[int, U64] = {}
        self._followed: dict[int, U64] = {}

    def of(self, layer: int) -> U64:
        if layer not in self._known:
            self._known[layer] = _bits(self._scratch, self._layers, layer)
        return self._known[layer]

    def followed(self, layer: int) -> U64:
        if layer not in self._followed:
            self._followed[layer] = self._layers.followed(layer, self.of(layer))
        return self._followed[layer]

    def refuse(self, layer: int) -> NoReturn:
        self._scratch.drop_live()
        _refuse_changed(self._scratch, layer)

    def pre(self, layer: int) -> Any:
        before = [self.followed(i) if i >= 0 else None for i in (layer - 1, layer - 2)]
        self._known.pop(layer, None)
        self._followed.pop(layer, None)
        return _pre(self._layers, layer, before)


_Live = tuple[int, F64, F64]


def _solve(
    site: _Site, writer: TableWriter, segment: range, later: Sequence[range], live: _Live | None
) -> None:
    """Write the layer files of a segment, from the last layer to the first.

    Solving begins above the segment, at the lowest layer with values to resume from, at worst at
    the last layer of all. On the way the values that `later` segments need are kept.
    """
    layers, clock, n = site.layers, site.clock, site.layers.space.n_layers
    top, after_states = n, _AfterStates(layers, site.scratch)
    one_on: Any = None  # pre-states with their values, wherever they are stored
    two_on: Any = None
    if live is not None:
        top, values, next_values = live
        two_on = _solve_moves_again(layers, after_states, top + 1, next_values)
        one_on = _solve_moves_again(layers, after_states, top, values)
    for layer in reversed(site.passed(segment)):
        if layer >= top:
            clock.skip("solve", layer, 0)
    keeper = _LiveKeeper(site.scratch, writer, 0 if later else n, exact_layers(later, n))
    for layer in range(top - 1, segment.start - 1, -1):
        after = after_states.of(layer)
        if one_on is None or two_on is None or layer >= n - 2:
            solved = layers.ended(layer, after)
        else:
            solved = layers.rate_spawns(layer, after, one_on, two_on)
            solved = layers.end_others(solved, after_states.followed(layer))
        two_on = None
        if layer in segment:
            writer.write(layer, after, solved)
            if not layers.arrays.has_room(_WRITING_SHARE * solved.values.nbytes):
                writer.wait()  # it uses memory that solving needs more
        if layer > segment.start:
            keeper.see(layer, solved)
            one_on, two_on = layers.rate_moves(layer, after_states.pre(layer), solved), one_on
        del solved  # the next layer's values may reuse this memory
        clock.advance("solve", layer, writer.boards, writer.bytes)


class _LiveKeeper:
    """Keeps the exact values of two layers every few seconds, and removes files no longer needed.

    The values of the layers `always` stay, and so do bitmaps from layer `top` on.
    """

    def __init__(
        self, scratch: Scratch, writer: TableWriter, top: int, always: Collection[int]
    ) -> None:
        self._scratch, self._writer = scratch, writer
        self._top, self._always = top, always
        self._due = time.monotonic() + _KEEP_LIVE_EVERY_S
        self._is_second, self._took = False, 0.0

    def see(self, layer: int, solved: Solved) -> None:
        """Keep a layer's values if it is time, or if those of the next layer were just kept."""
        if self._is_second or time.monotonic() >= self._due:
            self._keep(layer, solved)
        elif layer in self._always:
            self._scratch.save_live(layer, solved.values)

    def _keep(self, layer: int, solved: Solved) -> None:
        self._writer.record_all()  # resuming from here must not leave out a layer
        start = time.monotonic()
        self._scratch.save_live(layer, solved.values)
        if self._is_second:
            self._scratch.drop_live({layer, layer + 1, *self._always})
            for later in range(layer + 2, self._top):
                self._scratch.drop_bits(later)
            self._top = min(self._top, layer + 2)
        now = time.monotonic()
        self._took = now - start + self._took * self._is_second
        self._is_second = not self._is_second
        self._due = now + _KEEP_LIVE_EVERY_S + self._took * _KEEP_LIVE_SHARE


def _solve_moves_again(
    layers: LayerSteps, after_states: _AfterStates, layer: int, values: F64
) -> Any:
    words = after_states.of(layer)
    if values.size != _count(layers.arrays, words) + 1:
        after_states.refuse(layer)
    after = layers.restored(layer, words, values)
    return layers.rate_moves(layer, after_states.pre(layer), after)


def _count(arrays: Arrays, words: U64) -> int:
    return sum(int(count_ones(words[part])) for part in arrays.steps(words.size))


def _bits(scratch: Scratch, layers: LayerSteps, layer: int) -> U64:
    words = scratch.load_bits(layer, layers.n_words(layer))
    if words is None:
        _refuse_changed(scratch, layer)
    return words


def _refuse_changed(scratch: Scratch, layer: int) -> NoReturn:
    scratch.drop_bits(layer)  # or it would count as intact the next time
    raise BuildRefusedError(
        "the working file of layer {layer} in {folder} was changed while building: start the "
        "same build again to recompute it",
        layer=layer,
        folder=scratch.folder,
    )
