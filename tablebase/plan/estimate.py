"""The cost of a table, before it is built.

The number of slots of every layer is known exactly. How many of them hold a board that comes up is
known for the tables that were counted once (tablebase.plan.known_costs); a table of few slots or
boards is built in memory and counted (tablebase.plan.exact_count), and a large one is estimated
from samples (tablebase.plan.sampling); the samples that advice needs come with the program. If
tables of the same formation were counted up to half the target, the trend that all formations share
is extrapolated; between a smaller and a greater target that were counted, it gives the curvature of
the share. How much limits leave out is always estimated from samples. What took seconds can be kept
for the next run (tablebase.plan.known_costs). A run of tests/bench/bench_estimate.py shows how
accurate estimates are, and how to set the constants.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import exp, log, log2

from msgspec.structs import astuple

from engine.geometry import destinations
from tablebase.build.segments import EXACT_BYTES, bytes_on_drive, segments_of
from tablebase.formation.drawing import ALL_CELLS
from tablebase.formation.formation import Formation, check_buildable
from tablebase.formation.goal import TARGETS, Goal, goal_of
from tablebase.kernels.board_limits import BoardLimits
from tablebase.memory.limits import memory_held, memory_needed
from tablebase.plan.exact_count import Watch, count_boards, count_few, layer_slots
from tablebase.plan.known_costs import (
    SAMPLED_PATH,
    Counted,
    Known,
    StoredCounts,
    digest,
    load_known,
)
from tablebase.plan.sampling import TRIES, Sampled, sample, sample_watched
from tablebase.rank.orientation import is_transposed, orientation_of
from tablebase.rank.space import Space
from tablebase.store.options import TableOptions
from tablebase.store.rates import RATE_TYPES

USUAL = TableOptions()
PILOT_SLOTS = 70_000_000  # up to here tables are built in memory: some four processor seconds
PILOT_BOARDS = 110_000_000  # or up to here, if nothing else is known: some ten processor seconds
PILOT_THREADS, COUNT_SHARE = 2, 0.3  # of the time, if samples have to follow
# If the target counts in some cells only and samples find a chance for fewer of the boards, the way
# there is narrow and they miss many: nine of ten for 512 in one cell in the middle of 442.
SURE_SHARE = 0.5

# With every doubling of the target a smaller share of the slots comes up, and the share falls
# faster each time; so does the share of those boards whose rate is not zero.
SHARE_TREND, STEEPEST_SHARE_TREND, FIRST_SHARE_TREND = 0.87, 0.4, 1.0
STORED_TREND = 0.92
# Small tables have many rates of exactly 1, which take no space. Rate types are relative to uint32.
BYTES_LIMIT, BYTES_TREND, BYTES_PER_STORED = 4.1, 0.5, 3.7
RATE_BYTES = {"uint16": 0.62, "uint32": 1.0, "uint64": 1.9, "float32": 0.86, "float64": 1.72}
# Processor seconds: the bench prints the correct values.
CPU_S_PER_IMAGE = {
    "locked": 8.0e-8,
    "symmetric": 8.4e-8,
    "oriented": 1.8e-7,
    "shifting": 9.5e-8,
    "free": 1.85e-7,
}
CPU_S_PER_SLOT, CPU_S_PER_LAYER, MIN_CPU_S = 3e-10, 3e-3, 0.3
# Layers with more slots don't fit into the processor's cache: extra time for every doubling.
CPU_S_PER_DOUBLING, CACHED_SLOTS = 1.3e-8, 1.2e8
CPU_S_PER_LEVEL_RATE = 4e-8  # per board stored with levels, which must be chosen
SERIAL_SHARE = 0.1  # of the time, only one thread works
# Working files: the bitmaps of all layers, and the exact values of two (8 bytes each), which aren't
# the largest ones while all bitmaps are still there.
BITMAP_BYTES_PER_IMAGE, SMALL_BITMAP_BYTES, LIVE_LAYERS = 0.29, 0.72, 1.0
# With less memory, values of two layers before a move are in files (8 bytes each, and an index of
# 2 bits per slot), and so are the messages between parts of a layer (LL: 7.9 bytes for each). There
# are 1.68 (free9 to 128) to 1.95 (LL to 128) of them per board after a move. The memory is an
# overestimate.
STREAMED_LAYERS, MESSAGE_BYTES, BEFORE_MOVE, MEMORY_TAKEN = 2, 8, 1.8, 0.8
# For a table of optimal play: bytes of thinned layers that remain (0.39 to 0.59 for eight tables),
# and its processor time, since most layers are solved twice, and then thinned.
MAX_LEFT, OPTIMAL_CPU = 0.6, 2.0
CHAINED_CPU = 1.4  # 4421 to 128 took 27.7 CPU-s alone, 38.2 chained to L3
_PACKED_SLOTS = 8 * (8 << 20)  # smaller bitmaps are not packed, see tablebase.build.scratch


@dataclass(frozen=True)
class Estimate:
    """The expected cost of a build: boards that come up, and the resources they take.

    `scratch_bytes` is the additional size of working files until the table is complete. `source` is
    "counted" (such a table was built once, or just now in memory), "trend" (from other tables of
    the formation) or "samples" (some boards were tried). With `is_most` the table stores fewer
    boards and bytes: how many its options leave out is unknown, or for optimal play only roughly
    known, or samples did not tell how many have a chance. `stream_bytes` is the size of further
    files if memory is limited (`scratch_within`).
    """

    boards: int
    stored: int
    bytes: int
    memory_bytes: int
    cpu_s: float
    source: str = "trend"
    is_most: bool = False
    scratch_bytes: int = 0
    stream_bytes: int = 0

    def scratch_within(self, memory_bytes: int | None) -> int:
        """Data that do not fit in memory are in files, too; None for any memory."""
        if not memory_bytes or self.memory_bytes <= memory_bytes:
            return self.scratch_bytes
        mapped = round(MEMORY_TAKEN * self.memory_bytes) - memory_bytes
        return self.scratch_bytes + max(self.stream_bytes, mapped)

    def wall_s(self, threads: int) -> float:
        return self.cpu_s * (SERIAL_SHARE + (1 - SERIAL_SHARE) / max(1, threads))


def estimate(
    formation: Formation,
    target: Goal | int,
    options: TableOptions = USUAL,
    known: Known | None = None,
    pilot_slots: int = PILOT_SLOTS,
    tries: int = TRIES,
    watch: Watch | None = None,
    store: StoredCounts | None = None,
    *,
    is_chained: bool = False,
) -> Estimate:
    """Return the cost of building a table, within 20 %, time within a factor of 1.3.

    Takes a few seconds; if samples of a very large table are needed, up to 20.

    Parameters
    ----------
    known : mapping, optional
        Known counts, by default those that come with the program. Its samples are used with its
        counts only.
    pilot_slots : int
        Tables with more slots, and with more boards in proportion, are not built in memory.
    tries : int
        The number of samples if the table is not known and too large to build in memory. With fewer
        than usual, a count for half the target is preferred to samples.
    watch : callable, optional
        Receives the progress, from 0 to 1, and ends the work by raising an exception.
    store : StoredCounts, optional
        Where to find and keep what takes seconds.
    is_chained : bool
        Whether another table says what boards at the target are worth.

    Raises BuildRefusedError, FormationError: the table cannot be built.
    """
    goal = check_buildable(formation, target)
    options.check()
    slots = layer_slots(formation, goal)
    question = _Question(formation, goal, pilot_slots, tries, store, watch)
    if known is not None:
        counted, source = _content(question, known, {})
    elif watch is None:
        counted, source = _default_content(question)
    else:
        counted, source = _content(question, load_known(), load_known(SAMPLED_PATH))
    is_narrow = formation.target_cells | formation.fixed_mask != ALL_CELLS
    is_unsure = counted.is_sampled and is_narrow and counted.stored < SURE_SHARE * counted.boards
    if is_unsure:  # samples just drawn do not tell how many boards have a chance
        counted = Counted(counted.boards, counted.boards)
    limits = options.limits()
    if limits:
        counted, source = _limited(counted, question, limits, options), "samples"
    stored, images = counted.stored, counted.boards * images_per_board(formation)
    if not is_chained:  # such a table is held with all images
        images /= turns_of(formation)
    whole = stored * _bytes_each(counted) * RATE_BYTES[options.rate]
    share = _share_with_file(options, slots)
    n_bytes = round(whole * share)
    levels = stored * share if RATE_TYPES[options.rate].has_levels else 0.0
    cpu_s = _cpu_s(formation, slots, images, levels)
    scratch = _scratch_bytes(slots, images)
    if is_chained:
        cpu_s *= CHAINED_CPU
    if options.optimal_only:
        cpu_s *= OPTIMAL_CPU
        peak = _most_at_once(slots, max(1.0, images), whole, options)
        scratch = max(0, peak - n_bytes)
    return Estimate(
        boards=counted.boards,
        stored=stored,
        bytes=n_bytes,
        memory_bytes=memory_held(max(slots), images / max(1, sum(slots))),
        cpu_s=cpu_s,
        source=source,
        is_most=is_unsure or options.threshold > 0 or options.optimal_only or options.is_limited,
        scratch_bytes=scratch,
        stream_bytes=_stream_bytes(formation, slots, images),
    )


@dataclass(frozen=True)
class _Question:
    """The table to count or to sample, and how much work that may take; see `estimate`."""

    formation: Formation
    goal: Goal
    pilot_slots: int
    tries: int
    store: StoredCounts | None
    watch: Watch | None

    def once(self, how: object, find: Callable[[], Counted]) -> Counted:
        if self.store is None:
            return find()
        return self.store.once(self.formation, self.goal, how, find)

    def samples(self, watch: Watch | None) -> Sampled:
        if watch:
            return sample_watched(self.formation, self.goal, self.tries, watch=watch)
        return sample(self.formation, self.goal, self.tries)


@lru_cache(maxsize=256)
def _default_content(question: _Question) -> tuple[Counted, str]:
    """It takes seconds and is the same for all options of a table."""
    return _content(question, load_known(), load_known(SAMPLED_PATH))


def _content(question: _Question, known: Known, sampled: Known) -> tuple[Counted, str]:
    formation, target, pilot_slots = question.formation, question.goal, question.pilot_slots
    counts = known.get(digest(formation), {})
    if target.tile in counts:
        return counts[target.tile], "counted"
    smaller = [(t, counts[t.tile]) for t in target.lesser if t.tile in counts]
    if sum(layer_slots(formation, target)) <= pilot_slots:
        count = partial(count_boards, formation, target, PILOT_THREADS, question.watch)
        return question.once("all", count), "counted"  # no text
    greater = [(goal_of(t), counts[t]) for t in sorted(counts) if target in goal_of(t).lesser]
    if smaller and greater:
        return _between(formation, smaller[-1], greater[0], target), "trend"
    # One doubling beyond two counts the trend is as good as samples, and instant. In a hurry one
    # count has to do; but if all F are free the trend is different.
    is_hurried = question.tries < TRIES and not formation.is_generated
    is_near = bool(smaller) and smaller[-1][0] == target.lesser[-1]
    if is_near and len(smaller) > 1:
        return _carried_on(formation, smaller, target), "trend"
    samples = sampled.get(digest(formation), {})
    if target.tile in samples:
        return samples[target.tile], "samples"
    if is_near and is_hurried:
        return _carried_on(formation, smaller, target), "trend"
    most_boards = pilot_slots * PILOT_BOARDS // PILOT_SLOTS
    find = partial(_counted_or_sampled, question, most_boards)
    counted = question.once((most_boards, question.tries), find)
    return counted, "samples" if counted.is_sampled else "counted"


def _counted_or_sampled(question: _Question, most_boards: int) -> Counted:
    """Count a table of few boards: samples would miss some ways to a chance in one certain cell."""
    formation, watch = question.formation, question.watch
    if most_boards:
        first = _part_of(watch, 0.0, COUNT_SHARE)
        counted = count_few(formation, question.goal, most_boards, PILOT_THREADS, first)
        if counted:
            return counted
        watch = _part_of(watch, COUNT_SHARE, 1.0)
    sampled = question.samples(watch)
    n_images = images_per_board(formation)
    parts = (sampled.images, sampled.stored, sampled.bytes)
    boards, stored, n_bytes = (round(part / n_images) for part in parts)
    return Counted(boards, stored, n_bytes, is_sampled=True)


def _part_of(watch: Watch | None, start: float, end: float) -> Watch | None:
    if watch is None:
        return None
    whole = watch  # never None from here on
    return lambda done: whole(start + (end - start) * done)


def _limited(
    counted: Counted, question: _Question, limits: BoardLimits, options: TableOptions
) -> Counted:
    """Boards within limits that follow from others only are left out as well: unknown how many."""

    def draw() -> Counted:
        share = question.samples(question.watch).share_within(limits)
        n_bytes = None if counted.bytes is None else round(share * counted.bytes)
        return Counted(round(share * counted.boards), round(share * counted.stored), n_bytes)

    given = (options.most_equal, options.small_sum, options.large_from)
    return question.once((question.tries, astuple(counted), given), draw)


def _scratch_bytes(slots: Sequence[int], images: float) -> int:
    packed = sum(n for n in slots if n >= _PACKED_SLOTS) / max(1, sum(slots))
    each = packed * BITMAP_BYTES_PER_IMAGE + (1 - packed) * SMALL_BITMAP_BYTES
    values = LIVE_LAYERS * EXACT_BYTES * images * max(slots) / max(1, sum(slots))
    return round(images * each + values)


def _stream_bytes(formation: Formation, slots: Sequence[int], images: float) -> int:
    largest = BEFORE_MOVE * images * max(slots) / max(1, sum(slots))
    space = Space(formation, TARGETS[0], 1)
    messages = MESSAGE_BYTES * largest if turns_of(formation) == 1 and is_transposed(space) else 0
    return round(STREAMED_LAYERS * (8 * largest + max(slots) / 4) + messages)


def _most_at_once(slots: Sequence[int], images: float, whole: float, options: TableOptions) -> int:
    """`whole` is the size of a table that keeps all boards."""
    most = bytes_on_drive(slots, segments_of(slots, options), whole / images)
    return round(most * images / max(1, sum(slots)))


def _cpu_s(formation: Formation, slots: Sequence[int], images: float, levels: float) -> float:
    each = CPU_S_PER_IMAGE[work_of(formation)] + cpu_s_beyond_cache(max(slots))
    fixed = MIN_CPU_S + len(slots) * CPU_S_PER_LAYER + levels * CPU_S_PER_LEVEL_RATE
    return fixed + images * each + sum(slots) * CPU_S_PER_SLOT


def cpu_s_beyond_cache(most_slots: int) -> float:
    return CPU_S_PER_DOUBLING * max(0.0, log2(most_slots / CACHED_SLOTS))


def work_of(formation: Formation) -> str:
    is_symmetric = formation.symmetry != "identity"
    if formation.n_movable and not formation.walls:
        return "free" if is_symmetric else "shifting"
    if turns_of(formation) > 1:
        return "oriented"
    return "symmetric" if is_symmetric else "locked"


@lru_cache(maxsize=256)
def turns_of(formation: Formation) -> int:
    """The number of images of a position held as one (tablebase.rank.orientation)."""
    orientation = orientation_of(Space(formation, TARGETS[0], 1))
    return 1 if orientation is None else orientation.exchange.size


@lru_cache(maxsize=256)
def images_per_board(formation: Formation) -> float:
    """An arrangement of F holds its boards together with those images that are in it."""
    if formation.symmetry == "identity":
        return 1.0
    if formation.walls:
        return len({tuple(image) for image in destinations(formation.symmetry)})
    space = Space(formation, TARGETS[0], 1)  # the cells of F do not depend on the target
    kept_by = [len(arrangement.kept_by) for arrangement in space.arrangements]
    return len(kept_by) / sum(1 / n for n in kept_by)


def _share_with_file(options: TableOptions, slots: Sequence[int]) -> float:
    left = [MAX_LEFT if options.is_thinned(i) else 1.0 for i in range(len(slots))]
    return sum(slots[i] * left[i] for i in options.layers_with_files(len(slots))) / max(
        1, sum(slots)
    )


def memory_for(formation: Formation, target: Goal | int) -> int:
    return memory_needed(max(layer_slots(formation, target)))


def _carried_on(
    formation: Formation, points: Sequence[tuple[Goal, Counted]], target: Goal
) -> Counted:
    at, last = points[-1]
    reached, stored, n_bytes = _share(formation, at, last), _stored_share(last), _bytes_each(last)
    trend = FIRST_SHARE_TREND / SHARE_TREND
    if len(points) > 1:
        before, counted = points[-2]
        fall = reached / _share(formation, before, counted)
        trend = min(1.0, fall ** (1 / _doublings(before, at)))
    reached *= max(STEEPEST_SHARE_TREND, trend * SHARE_TREND)
    stored *= STORED_TREND
    n_bytes += max(0.0, (BYTES_LIMIT - n_bytes) * BYTES_TREND)
    boards = min(1.0, reached) * sum(layer_slots(formation, target))
    return Counted(round(boards), round(boards * stored), round(boards * stored * n_bytes))


def _between(
    formation: Formation, low: tuple[Goal, Counted], high: tuple[Goal, Counted], target: Goal
) -> Counted:
    """Return the content of a table, interpolated between a smaller and a greater target.

    From target to target the share falls by a factor, and this factor by `SHARE_TREND`: its
    logarithm is a parabola, of which two points and the curvature are known. For counted tables of
    10 to 12 free cells the result is 0.98 to 1.09 of the true count.
    """
    (lesser, below), (greater, above) = low, high
    n_all, n_up = _doublings(lesser, greater), _doublings(lesser, target)
    at = n_up / n_all
    ends = log(_share(formation, lesser, below)), log(_share(formation, greater, above))
    bend = -log(SHARE_TREND) / 2 * n_up * (n_all - n_up)
    reached = min(1.0, exp((1 - at) * ends[0] + at * ends[1] + bend))
    stored = (1 - at) * _stored_share(below) + at * _stored_share(above)
    n_bytes = (1 - at) * _bytes_each(below) + at * _bytes_each(above)
    boards = reached * sum(layer_slots(formation, target))
    return Counted(round(boards), round(boards * stored), round(boards * stored * n_bytes))


def _doublings(low: Goal, high: Goal) -> int:
    return len(high.lesser) - len(low.lesser)


def _share(formation: Formation, target: Goal, counted: Counted) -> float:
    return counted.boards / sum(layer_slots(formation, target))


def _stored_share(counted: Counted) -> float:
    return counted.stored / max(1, counted.boards)


def _bytes_each(counted: Counted) -> float:
    if counted.bytes is None or not counted.stored:
        return BYTES_PER_STORED
    return counted.bytes / counted.stored
