"""What a table will cost, before it is built.

The number of slots of every layer is known exactly. How many of them are reached is measured on
tables for smaller targets, expanded in memory within seconds, and carried on to the wanted target
by their trend. Constants are medians over L3, 442, 444, LL, 2x4, 3x3 tables on a 2-core machine.
"""

from dataclasses import dataclass

from engine.geometry import destinations
from tablebase.bits import U64, count_ones
from tablebase.builder import memory_needed
from tablebase.crew import Crew
from tablebase.errors import BuildRefusedError
from tablebase.formation import TARGETS, Formation, check_target
from tablebase.layers import Layers
from tablebase.rates import find_rate_type
from tablebase.space import Space

_PILOT_SLOTS = 300_000_000
_STORED_SHARE = 0.8
_TYPICAL_SHARE = 0.1  # of slots that are reached, when not even one layer can be tried
_TREND = 0.88  # twice the target: the share of slots reached falls, and falls faster each time
_KEY_BYTES = 0.35
_VALUE_BYTES = {"uint16": 2.0, "uint32": 3.5, "uint64": 6.0, "float32": 2.9, "float64": 6.5}
_CPU_S_PER_BOARD, _CPU_S_PER_SLOT, _CPU_S_AT_LEAST = 1.1e-7, 5e-9, 1.5


@dataclass(frozen=True)
class Estimate:
    """What to expect of a build: boards that come up, and what they take."""

    boards: int
    stored: int
    bytes: int
    memory_bytes: int
    cpu_s: float


def estimate(formation: Formation, target: int, rate: str = "uint32") -> Estimate:
    """Return what building a table will take, within a few tens of per cent.

    Takes a few seconds at most.

    Raises
    ------
    BuildRefusedError, FormationError
        Such a table cannot be built.
    """
    check_target(target)
    find_rate_type(rate)
    if formation.why_not_buildable:
        raise BuildRefusedError(f"cannot build {formation.name!r}: {formation.why_not_buildable}")
    slots = _slots(formation, target)
    total = sum(slots)
    n_images = len({tuple(image) for image in destinations(formation.symmetry)})
    reached = total * _reached_share(formation, target)
    boards = int(reached / n_images)
    stored = int(boards * _STORED_SHARE)
    return Estimate(
        boards=boards,
        stored=stored,
        bytes=int(stored * (_KEY_BYTES + _VALUE_BYTES[rate])),
        memory_bytes=memory_needed(max(slots)),
        cpu_s=_CPU_S_AT_LEAST + reached * _CPU_S_PER_BOARD + total * _CPU_S_PER_SLOT,
    )


def _space(formation: Formation, target: int) -> Space:
    n_layers = formation.n_layers(target)
    if n_layers < 3:
        raise BuildRefusedError(f"{formation.name!r} has no table for target {target}")
    return Space(formation, target, n_layers)


def _slots(formation: Formation, target: int) -> list[int]:
    space = _space(formation, target)
    return [space.n_slots(formation.seed_half_sum + i) for i in range(space.n_layers)]


def _reached_share(formation: Formation, target: int) -> float:
    """Return the share of the slots that hold a board that can come up."""
    pilots = [t for t in TARGETS if t <= target and formation.n_layers(t) >= 3]
    shares: list[float] = []
    budget = _PILOT_SLOTS
    for pilot in pilots:
        budget -= sum(_slots(formation, pilot))
        if budget < 0:
            break
        shares.append(_expand_pilot(formation, pilot))
    if not shares:  # even the smallest table is large: its first layers have to do
        shares.append(_expand_pilot(formation, pilots[0]))
    share = shares[-1]
    trend = min(share / shares[-2], 1.0) if len(shares) > 1 else _TREND
    for _ in range(len(pilots) - len(shares)):
        trend *= _TREND
        share *= trend
    return share


def _expand_pilot(formation: Formation, target: int) -> float:
    """Expand a small table in memory; return the share reached of as much as fits."""
    space = _space(formation, target)
    reached = slots = 0
    before: list[U64 | None] = [None, None]
    with Crew(1, lambda: False) as crew:
        layers = Layers(space, 0.1, crew)
        for layer in range(space.n_layers):
            if slots + layers.n_slots(layer) > _PILOT_SLOTS:
                break
            slots += layers.n_slots(layer)
            after = layers.move(layer, layers.spawn(layer, before)) if layer else layers.seeds()
            reached += count_ones(after)
            before = [after, before[0]]
    return reached / slots if slots else _TYPICAL_SHARE
