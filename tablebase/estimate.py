"""What a table will cost, before it is built.

The number of slots of every layer is known exactly. How many of them hold a board that comes up
is known for the tables that were counted once (tablebase.known_costs), and for others from tables
for smaller targets that are built in memory within seconds; when all are too large for that, from
samples of the smallest (tablebase.ancestry). It is carried on to the wanted target by the trend
that all formations share. Another run of tests/bench/bench_estimate.py tells how well that does,
and what to put into the constants.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.geometry import destinations
from tablebase.ancestry import N_SAMPLES, sampled_share
from tablebase.errors import BuildRefusedError
from tablebase.formation import TARGETS, Formation, check_buildable, why_no_table
from tablebase.known_costs import Counted, Known, digest, load_known
from tablebase.memory import memory_needed
from tablebase.options import TableOptions
from tablebase.pilot import count_boards, layer_slots

USUAL = TableOptions()
PILOT_SLOTS = 300_000_000  # for all pilots together: five seconds of a processor
PILOT_THREADS = 2

# With every doubling of the target a smaller share of the slots comes up, and the share falls
# faster each time; so does the share of those boards whose rate is not zero.
SHARE_TREND, STEEPEST_SHARE_TREND, FIRST_SHARE_TREND = 0.87, 0.4, 1.0
STORED_TREND, STORED_SHARE = 0.92, 0.75
# Small tables hold many rates of exactly 1, which take no room. Rate types go against uint32.
BYTES_LIMIT, BYTES_TREND, BYTES_PER_STORED = 4.2, 0.5, 3.9
RATE_BYTES = {"uint16": 0.62, "uint32": 1.0, "uint64": 1.9, "float32": 0.86, "float64": 1.72}
CPU_S_PER_IMAGE, CPU_S_PER_SLOT, CPU_S_AT_LEAST = 1.4e-7, 2.5e-9, 1.0
SERIAL_SHARE = 0.1  # of the time, during which one thread works alone


@dataclass(frozen=True)
class Estimate:
    """What to expect of a build: boards that come up, and what they take.

    `source` is "counted" (such a table was built once), "pilots" (carried on from smaller ones) or
    "samples" (carried on from the smallest one, of which only some boards were tried). With
    `is_most` the table stores fewer boards and bytes: how many its options leave out is not known.
    """

    boards: int
    stored: int
    bytes: int
    memory_bytes: int
    cpu_s: float
    source: str = "pilots"
    is_most: bool = False

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
    target: int,
    options: TableOptions = USUAL,
    known: Known | None = None,
    pilot_slots: int = PILOT_SLOTS,
    n_samples: int = N_SAMPLES,
) -> Estimate:
    """Return what building a table will take, within a few tens of per cent.

    Takes a few seconds at most.

    Parameters
    ----------
    formation : Formation
    target : int
        Face value.
    options : TableOptions
        Which boards are stored, and how.
    known : mapping, optional
        Counts to go by, those that come with the program by default.
    pilot_slots : int
        Nothing is built in memory that has more slots; 0 for an answer at once.
    n_samples : int
        Where nothing is known and nothing may be built, so many boards are tried.

    Raises
    ------
    BuildRefusedError, FormationError
        Such a table cannot be built.
    """
    check_buildable(formation, target)
    options.check()
    if formation.why_not_buildable:
        raise BuildRefusedError(f"cannot build {formation.name!r}: {formation.why_not_buildable}")
    slots = layer_slots(formation, target)
    if known is None:
        shares, source = _usual_shares(formation, target, pilot_slots, n_samples)
    else:
        shares, source = _shares(formation, target, known, pilot_slots, n_samples)
    images = sum(slots) * shares.reached
    boards = images / _n_images(formation)
    stored = boards * shares.stored if target <= largest_tile(formation) else 0
    return Estimate(
        boards=round(boards),
        stored=round(stored),
        bytes=round(stored * shares.bytes * RATE_BYTES[options.rate] * _kept(options, slots)),
        memory_bytes=memory_for(formation, target),
        cpu_s=CPU_S_AT_LEAST + images * CPU_S_PER_IMAGE + sum(slots) * CPU_S_PER_SLOT,
        source=source,
        is_most=options.threshold > 0 or options.optimal_only,
    )


@lru_cache(maxsize=256)
def _usual_shares(
    formation: Formation, target: int, pilot_slots: int, n_samples: int
) -> tuple[_Shares, str]:
    """Return what takes seconds to find out and is the same for all options of a table."""
    return _shares(formation, target, load_known(), pilot_slots, n_samples)


def _shares(
    formation: Formation, target: int, known: Known, pilot_slots: int, n_samples: int
) -> tuple[_Shares, str]:
    """Return the shares for `target`, and where they come from."""
    counts = known.get(digest(formation), {})
    if target in counts:
        return _shares_of(formation, target, counts[target]), "counted"
    smaller = {t: counted for t, counted in counts.items() if t < target}
    return _carried_on(formation, target, smaller, pilot_slots, n_samples)


def _kept(options: TableOptions, slots: Sequence[int]) -> float:
    """Return the share of a table that is in the layers with a file."""
    return sum(slots[i] for i in options.kept_layers(len(slots))) / max(1, sum(slots))


def memory_for(formation: Formation, target: int) -> int:
    """Return the bytes of memory a build takes; that is known at once."""
    return memory_needed(max(layer_slots(formation, target)))


def largest_tile(formation: Formation) -> int:
    """Return the largest tile that fits: on n free cells 4, 4, 8, 16 ... add up to 2 ** (n + 1)."""
    return 2 << (16 - formation.n_large)


def _carried_on(
    formation: Formation,
    target: int,
    counts: dict[int, Counted],
    pilot_slots: int,
    n_samples: int,
) -> tuple[_Shares, str]:
    """Return the shares for `target` from those of smaller ones, or of itself if it is small."""
    targets = [t for t in TARGETS if t <= target and not why_no_table(formation, t)]
    for pilot in reversed(targets):  # the two largest that can be tried tell most
        if target in counts or len(counts) > 1:
            break
        if pilot not in counts:
            n_slots = sum(layer_slots(formation, pilot))
            if n_slots <= pilot_slots:
                pilot_slots -= n_slots
                counts[pilot] = count_boards(formation, pilot, PILOT_THREADS)
    points = [(t, _shares_of(formation, t, counts[t])) for t in targets if t in counts]
    if points:
        return _extrapolated(points, target), "pilots"
    first = targets[0]
    reached = sampled_share(formation, first, n_samples)
    shares = _Shares(reached, STORED_SHARE, BYTES_PER_STORED)
    return _extrapolated([(first, shares)], target), "samples"


def _extrapolated(points: list[tuple[int, _Shares]], target: int) -> _Shares:
    """Carry shares on to a larger target, one doubling at a time."""
    at, last = points[-1]
    trend = FIRST_SHARE_TREND / SHARE_TREND
    if len(points) > 1:
        before, shares = points[-2]
        doublings = _doublings(before, at)
        trend = min(1.0, (last.reached / shares.reached) ** (1 / doublings))
    reached, stored, n_bytes = last.reached, last.stored, last.bytes
    for _ in range(_doublings(at, target)):
        trend = max(STEEPEST_SHARE_TREND, trend * SHARE_TREND)
        reached *= trend
        stored *= STORED_TREND
        n_bytes += max(0.0, (BYTES_LIMIT - n_bytes) * BYTES_TREND)
    return _Shares(min(1.0, reached), stored, n_bytes)


def _doublings(low: int, high: int) -> int:
    return high.bit_length() - low.bit_length()


def _shares_of(formation: Formation, target: int, counted: Counted) -> _Shares:
    images = counted.boards * _n_images(formation)
    n_bytes = BYTES_PER_STORED
    if counted.bytes is not None and counted.stored:
        n_bytes = counted.bytes / counted.stored
    return _Shares(
        images / sum(layer_slots(formation, target)),
        counted.stored / max(1, counted.boards),
        n_bytes,
    )


def _n_images(formation: Formation) -> int:
    return len({tuple(image) for image in destinations(formation.symmetry)})
