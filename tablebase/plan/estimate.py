"""What a table will cost, before it is built.

The number of slots of every layer is known exactly. How many of them hold a board that comes up
is known for the tables that were counted once (tablebase.plan.known_costs); a small table is built
in memory and counted (tablebase.plan.exact_count), and a large one told from samples
(tablebase.plan.sampling). Where tables of the same formation for smaller targets were counted, and
where there is no time for samples, the trend that all formations share is carried on. Another run
of tests/bench/bench_estimate.py tells how well that does, and what to put into the constants.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.geometry import destinations
from engine.language import tr
from tablebase.build.segments import EXACT_BYTES, bytes_on_drive, segments_of
from tablebase.errors import BuildRefusedError
from tablebase.formation.formation import Formation, check_buildable, why_no_table
from tablebase.formation.goal import TARGETS, Goal
from tablebase.memory.limits import memory_needed
from tablebase.plan.exact_count import Watch, count_boards, layer_slots
from tablebase.plan.known_costs import Counted, Known, digest, load_known
from tablebase.plan.sampling import TRIES, sample, sample_watched
from tablebase.rank.orientation import orientation_of
from tablebase.rank.space import Space
from tablebase.store.options import TableOptions

USUAL = TableOptions()
PILOT_SLOTS = 70_000_000  # such a table is built in memory: some four seconds of a processor
PILOT_THREADS = 2

# With every doubling of the target a smaller share of the slots comes up, and the share falls
# faster each time; so does the share of those boards whose rate is not zero.
SHARE_TREND, STEEPEST_SHARE_TREND, FIRST_SHARE_TREND = 0.87, 0.4, 1.0
STORED_TREND = 0.92
# Small tables hold many rates of exactly 1, which take no room. Rate types go against uint32.
BYTES_LIMIT, BYTES_TREND, BYTES_PER_STORED = 4.1, 0.5, 3.7
RATE_BYTES = {"uint16": 0.62, "uint32": 1.0, "uint64": 1.9, "float32": 0.86, "float64": 1.72}
# Seconds of a processor: the bench prints what would have been right.
CPU_S_PER_IMAGE = {
    "locked": 6.5e-8,
    "symmetric": 6.0e-8,
    "oriented": 1.2e-7,
    "shifting": 7.0e-8,
    "free": 1.7e-7,
}
CPU_S_PER_SLOT, CPU_S_PER_LAYER, CPU_S_AT_LEAST = 2.5e-9, 3e-3, 0.3
SERIAL_SHARE = 0.1  # of the time, during which one thread works alone
# Working files: the bitmaps of all layers, of which the larger half is left when the largest layers
# are solved, and then the exact values of two of these.
BITMAP_BYTES_PER_IMAGE, SMALL_BITMAP_BYTES, LEFT_AT_LARGEST, PEAK = 0.34, 0.65, 0.7, 1.3
# Of a table of optimal play: bytes of thinned layers that are left (0.39 to 0.59 of eight tables),
# and its processor time, since most layers are solved twice, and then thinned.
MOST_LEFT, OPTIMAL_CPU = 0.6, 2.0
_PACKED_SLOTS = 8 * (8 << 20)  # smaller bitmaps are not packed, see tablebase.build.scratch


@dataclass(frozen=True)
class Estimate:
    """What to expect of a build: boards that come up, and what they take.

    `scratch_bytes` is what working files take besides, until the table is complete. `source` is
    "counted" (such a table was built once, or just now in memory), "extrapolated" (from
    smaller ones) or "samples" (some boards were tried). With `is_most` the table stores fewer
    boards and bytes: how many its options leave out is not known, of optimal play only about.
    """

    boards: int
    stored: int
    bytes: int
    memory_bytes: int
    cpu_s: float
    source: str = "extrapolated"
    is_most: bool = False
    scratch_bytes: int = 0

    def wall_s(self, threads: int) -> float:
        """Return the seconds a build takes with so many threads."""
        return self.cpu_s * (SERIAL_SHARE + (1 - SERIAL_SHARE) / max(1, threads))


@dataclass(frozen=True)
class _Shares:
    """Of the slots, those whose boards come up; of the boards, those stored; bytes of each."""

    reached: float
    stored: float
    bytes: float


def estimate(
    formation: Formation,
    target: Goal | int,
    options: TableOptions = USUAL,
    known: Known | None = None,
    pilot_slots: int = PILOT_SLOTS,
    tries: int = TRIES,
    watch: Watch | None = None,
) -> Estimate:
    """Return what building a table will take: boards and bytes within 30 %, time within double.

    Takes a few seconds at most.

    Parameters
    ----------
    formation : Formation
    target : Goal or int
        A bare number is the face value of a tile.
    options : TableOptions
        Which boards are stored, and how.
    known : mapping, optional
        Counts to go by, those that come with the program by default.
    pilot_slots : int
        Nothing is built in memory that has more slots.
    tries : int
        How much is sampled where the table is not known and too large to try. With less than the
        usual, tables of the same formation that are known are believed before samples.
    watch : callable, optional
        Is told how far it is, from 0 to 1, and ends the work by raising something. What was found
        so is not kept for the next call.

    Raises
    ------
    BuildRefusedError, FormationError
        Such a table cannot be built.
    """
    goal = check_buildable(formation, target)
    options.check()
    if formation.why_not_buildable:
        raise BuildRefusedError(
            tr(
                "cannot build {name!r}: {why}",
                name=formation.name,
                why=formation.why_not_buildable,
            )
        )
    slots = layer_slots(formation, goal)
    if known is None and watch is None:
        found, source = _usual_content(formation, goal, pilot_slots, tries)
    else:
        counts = load_known() if known is None else known
        found, source = _content(formation, goal, counts, pilot_slots, tries, watch)
    stored = found.stored if goal.is_within(formation) else 0
    whole = stored * _bytes_each(found) * RATE_BYTES[options.rate]
    n_bytes = round(whole * _kept(options, slots))
    cpu_s = _cpu_s(formation, slots, found.boards)
    scratch = _scratch_bytes(formation, slots, found.boards)
    if options.optimal_only:
        cpu_s *= OPTIMAL_CPU
        scratch = max(0, _most_at_once(formation, slots, found.boards, whole, options) - n_bytes)
    return Estimate(
        boards=found.boards,
        stored=stored,
        bytes=n_bytes,
        memory_bytes=memory_for(formation, goal),
        cpu_s=cpu_s,
        source=source,
        is_most=options.threshold > 0 or options.optimal_only,
        scratch_bytes=scratch,
    )


@lru_cache(maxsize=256)
def _usual_content(
    formation: Formation, target: Goal, pilot_slots: int, tries: int
) -> tuple[Counted, str]:
    """Return what takes seconds to find out and is the same for all options of a table."""
    return _content(formation, target, load_known(), pilot_slots, tries)


def _content(
    formation: Formation,
    target: Goal,
    known: Known,
    pilot_slots: int,
    tries: int,
    watch: Watch | None = None,
) -> tuple[Counted, str]:
    """Return what is in a table, and where that comes from."""
    counts = known.get(digest(formation), {})
    if target.tile in counts:
        return counts[target.tile], "counted"
    smaller = [(t, counts[t.tile]) for t in target.lesser if t.tile in counts]
    if sum(layer_slots(formation, target)) <= pilot_slots:
        return count_boards(formation, target, PILOT_THREADS, watch), "counted"
    # One doubling on from two counts the trend is as good as samples, and at once. In a hurry one
    # count has to do; but where all F are free the trend is another.
    is_near = len(smaller) > 1 and smaller[-1][0] == target.lesser[-1]
    is_hurried = tries < TRIES and not formation.is_generated
    if is_near or (smaller and is_hurried):
        return _carried_on(formation, smaller, target), "extrapolated"
    first = next((t for t in target.lesser if not why_no_table(formation, t)), None)
    if is_hurried and first is not None:  # the smallest is the quickest to sample
        points = [(first, _sampled(formation, first, tries, watch))]
        return _carried_on(formation, points, target), "samples"
    return _sampled(formation, target, tries, watch), "samples"


def _sampled(formation: Formation, target: Goal, tries: int, watch: Watch | None = None) -> Counted:
    if watch:
        found = sample_watched(formation, target, tries, watch=watch)
    else:
        found = sample(formation, target, tries)
    n_images = images_per_board(formation)
    parts = (found.images, found.stored, found.bytes)
    boards, stored, n_bytes = (round(part / n_images) for part in parts)
    return Counted(boards, stored, n_bytes)


def _scratch_bytes(formation: Formation, slots: Sequence[int], boards: int) -> int:
    """Return the most that working files take at once."""
    images = boards * images_per_board(formation) / turns_of(formation)
    is_packed = max(slots) >= _PACKED_SLOTS
    bitmaps = images * (BITMAP_BYTES_PER_IMAGE if is_packed else SMALL_BITMAP_BYTES)
    values = 2 * EXACT_BYTES * images * PEAK * max(slots) / max(1, sum(slots))
    return round(max(bitmaps, bitmaps * LEFT_AT_LARGEST + values))


def _most_at_once(
    formation: Formation, slots: Sequence[int], boards: int, whole: float, options: TableOptions
) -> int:
    """Return the most that a table of optimal play takes at once, its working files included.

    `whole` are the bytes of a table that keeps all boards.
    """
    images = max(1.0, boards * images_per_board(formation) / turns_of(formation))
    most = bytes_on_drive(slots, segments_of(slots, options), whole / images)
    return round(most * images / max(1, sum(slots)))


def _cpu_s(formation: Formation, slots: Sequence[int], boards: int) -> float:
    """Return the seconds a processor is busy with a build."""
    images = boards * images_per_board(formation) / turns_of(formation)
    each = CPU_S_PER_IMAGE[work_of(formation)]
    fixed = CPU_S_AT_LEAST + len(slots) * CPU_S_PER_LAYER
    return fixed + images * each + sum(slots) * CPU_S_PER_SLOT


def work_of(formation: Formation) -> str:
    """Return what kind of work a table is: the key of its `CPU_S_PER_IMAGE`."""
    is_symmetric = formation.symmetry != "identity"
    if formation.n_movable and not formation.walls:
        return "free" if is_symmetric else "shifting"
    if turns_of(formation) > 1:
        return "oriented"
    return "symmetric" if is_symmetric else "locked"


@lru_cache(maxsize=256)
def turns_of(formation: Formation) -> int:
    """Return how many images of a position are held as one (tablebase.rank.orientation)."""
    orientation = orientation_of(Space(formation, TARGETS[0], 1))
    return 1 if orientation is None else orientation.exchange.size


@lru_cache(maxsize=256)
def images_per_board(formation: Formation) -> float:
    """Return how many images of each board that counts can come up.

    An arrangement of F holds its boards with those of their images that lie in it.
    """
    if formation.symmetry == "identity":
        return 1.0
    if formation.walls:
        return len({tuple(image) for image in destinations(formation.symmetry)})
    space = Space(formation, TARGETS[0], 1)  # where the F stand does not depend on the target
    kept = [len(one.kept_by) for one in space.arrangements]
    return len(kept) / sum(1 / n for n in kept)


def _kept(options: TableOptions, slots: Sequence[int]) -> float:
    """Return the share of a table that is left in the layers with a file."""
    left = [MOST_LEFT if options.is_thinned(i) else 1.0 for i in range(len(slots))]
    return sum(slots[i] * left[i] for i in options.kept_layers(len(slots))) / max(1, sum(slots))


def memory_for(formation: Formation, target: Goal | int) -> int:
    """Return the bytes of memory a build takes; that is known at once."""
    return memory_needed(max(layer_slots(formation, target)))


def largest_tile(formation: Formation) -> int:
    """Return the largest tile that fits: on n free cells 4, 4, 8, 16 ... add up to 2 ** (n + 1)."""
    return 2 << (16 - formation.n_large)


def _carried_on(
    formation: Formation, points: Sequence[tuple[Goal, Counted]], target: Goal
) -> Counted:
    """Carry counts on to a larger target, one doubling at a time."""
    at, last = points[-1]
    reached, stored, n_bytes = _share(formation, at, last), _stored_share(last), _bytes_each(last)
    trend = FIRST_SHARE_TREND / SHARE_TREND
    if len(points) > 1:
        before, counted = points[-2]
        fall = reached / _share(formation, before, counted)
        trend = min(1.0, fall ** (1 / _doublings(before, at)))
    for _ in range(_doublings(at, target)):
        trend = max(STEEPEST_SHARE_TREND, trend * SHARE_TREND)
        reached *= trend
        stored *= STORED_TREND
        n_bytes += max(0.0, (BYTES_LIMIT - n_bytes) * BYTES_TREND)
    boards = min(1.0, reached) * sum(layer_slots(formation, target))
    return Counted(round(boards), round(boards * stored), round(boards * stored * n_bytes))


def _doublings(low: Goal, high: Goal) -> int:
    """Return how many times a goal is twice as much as the one before, up to another."""
    return len(high.lesser) - len(low.lesser)


def _share(formation: Formation, target: Goal, counted: Counted) -> float:
    """Return how many boards there are for every slot."""
    return counted.boards / sum(layer_slots(formation, target))


def _stored_share(counted: Counted) -> float:
    return counted.stored / max(1, counted.boards)


def _bytes_each(counted: Counted) -> float:
    if counted.bytes is None or not counted.stored:
        return BYTES_PER_STORED
    return counted.bytes / counted.stored
