"""Which tables to build on a machine, in which order, and what each is good for.

A table with n large tiles and target T practices making a T beside n larger tiles. In a game these
form a ladder: each twice the next, from 2 T on. The top of the ladder decides how much the table is
worth: many games get to 16384 or 32768, none beyond 131072. Of the tables that fit, those with the
highest worth per cost come first.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from math import inf, log2

from engine.platform.language import mark, tr
from engine.platform.quantities import bytes_text, span_text
from tablebase.formation.formation import Formation, buildable_targets
from tablebase.formation.goal import Goal, goal_of, largest_tile
from tablebase.plan.estimate import USUAL, Estimate, estimate, memory_for
from tablebase.plan.exact_count import Watch
from tablebase.plan.known_costs import StoredCounts
from tablebase.plan.purpose import purpose
from tablebase.store.options import TableOptions

# Worth of a ladder by the exponent of its largest tile.
_LADDER_WORTH = {11: 0.2, 12: 0.35, 13: 0.5, 14: 0.8, 15: 1.0, 16: 0.8, 17: 0.3}
# Worth of a board between walls, by the number of doublings from its target to the largest tile.
_WALLS_WORTH = {0: 0.1, 1: 0.3, 2: 0.6, 3: 0.5, 4: 0.3}
_SAME_FORMATION, _SAME_SIZE = 0.4, 0.7  # a second table of a kind is worth less
_WORTH_OF_FREEDOM = 0.06  # for every doubling of the number of arrangements of the large tiles
_MIN_WORTH = 0.3
_MIN_COST = 0.1  # share of the resources: a lower cost is no further advantage
_NEEDS_DISK = mark("needs {need} of disk space, more than the {limit} available")
_NEEDS_MEMORY = mark("needs {need} of memory, more than the {limit} available")
_NEEDS_TIME = mark("takes {need} to build, more than the {limit} available")
_TRIES = 4_000_000  # if nothing is known: two or three seconds, accurate to 20 %
_TRIES_OF_FREE = 8_000_000  # they need more for as many boards: five seconds


@dataclass(frozen=True)
class AdviceLimits:
    """The resources for all tables together; memory is for one table at a time."""

    disk_bytes: float
    memory_bytes: float
    seconds: float
    threads: int = 1


@dataclass(frozen=True)
class TableAdvice:
    """One table: whether to build it, and why or why not."""

    pattern: str
    # Sums are listed only if built; which one is worth building is a matter of taste.
    target: Goal | int
    verdict: str  # "build", in the order of the list; "built" already; "left out"
    purpose: str  # one sentence: what it practices
    reason: str = ""  # why it is left out; "" otherwise
    cost: Estimate | None = None  # None if it is built already
    wall_s: float = 0.0  # build time in seconds with the threads of the limits
    # The options to build it with; None if the caller chose them.
    options: TableOptions | None = None

    @property
    def bytes(self) -> int:
        return self.cost.bytes if self.cost else 0


LEFT_OUT = "left out"  # no text: a verdict, as the JSON has it
CostOf = Callable[[Formation, int], Estimate]


def quick_cost(
    formation: Formation,
    target: Goal | int,
    memory_bytes: float = inf,
    options: TableOptions = USUAL,
    watch: Watch | None = None,
    store: StoredCounts | None = None,
) -> Estimate:
    """Within seconds; if the memory is too small, only the estimate of memory."""
    memory = memory_for(formation, target)
    if memory > memory_bytes:
        return Estimate(0, 0, 0, memory, 0.0, "memory alone")  # no text
    tries = _TRIES_OF_FREE if formation.is_generated else _TRIES
    return estimate(
        formation, target, options, pilot_slots=0, tries=tries, watch=watch, store=store
    )


def advise(
    limits: AdviceLimits,
    formations: Mapping[str, Formation],
    already_built: Collection[tuple[str, Goal | int]] = (),
    cost_of: CostOf | None = None,
    options: TableOptions = USUAL,
    first: tuple[str, int] | None = None,
) -> list[TableAdvice]:
    """`already_built` are pairs of pattern and target of complete tables, which cost nothing.

    `first` leads the list if it fits: the next step for somebody with these tables.
    """

    def quickly(formation: Formation, target: int) -> Estimate:
        return quick_cost(formation, target, limits.memory_bytes, options)

    built = [
        TableAdvice(name, target, "built", purpose(formations[name], target))
        for name, target in sorted(
            already_built, key=lambda pair: (pair[0], goal_of(pair[1]).order)
        )
        if name in formations
    ]
    # A sum is a different practice: it does not reduce the worth of a table for a tile.
    have = {(name, tile) for name, target in already_built if (tile := goal_of(target).tile)}
    candidates, too_large = _candidates(limits, formations, have, cost_of or quickly)
    chosen, dropped = _choose(limits, formations, candidates, have, first)
    return [*built, *chosen, *dropped, *too_large]


def worth(formation: Formation, target: int) -> float:
    """Return the worth of a table, from 0 to about 2, without regard to its cost."""
    if target > largest_tile(formation):
        return 0.0
    if formation.walls:
        return _WALLS_WORTH.get(round(log2(largest_tile(formation) / target)), 0.0)
    top = target.bit_length() - 1 + formation.n_large
    freedom = log2(len(formation.arrangements))
    return _LADDER_WORTH.get(top, 0.0) * (1 + _WORTH_OF_FREEDOM * freedom)


def _candidates(
    limits: AdviceLimits,
    formations: Mapping[str, Formation],
    already_built: Collection[tuple[str, int]],
    cost_of: CostOf,
) -> tuple[list[TableAdvice], list[TableAdvice]]:
    fitting, too_large = [], []
    for formation in formations.values():
        for target in buildable_targets(formation):
            if worth(formation, target) == 0 or (formation.name, target) in already_built:
                continue
            table = _table(formation, target, cost_of(formation, target), limits)
            if table.verdict == LEFT_OUT:
                too_large.append(table)  # so are those for larger targets
                break
            fitting.append(table)
    return fitting, too_large


def _table(formation: Formation, target: int, cost: Estimate, limits: AdviceLimits) -> TableAdvice:
    wall_s = cost.wall_s(limits.threads)
    reason = why_too_large(cost, wall_s, limits)
    verdict = LEFT_OUT if reason else "build"
    words = purpose(formation, target)
    return TableAdvice(formation.name, target, verdict, words, reason, cost, wall_s)


def why_too_large(cost: Estimate, wall_s: float, limits: AdviceLimits) -> str:
    needs = (
        (cost.bytes, limits.disk_bytes, _NEEDS_DISK, bytes_text),
        (cost.memory_bytes, limits.memory_bytes, _NEEDS_MEMORY, bytes_text),
        (wall_s, limits.seconds, _NEEDS_TIME, span_text),
    )
    reasons = [
        tr(sentence, need=text(need), limit=text(limit))
        for need, limit, sentence, text in needs
        if need > limit
    ]
    if not reasons and cost.stored == 0:
        return tr("almost none of its boards would have a chance")
    return "; ".join(reasons)


def _choose(
    limits: AdviceLimits,
    formations: Mapping[str, Formation],
    candidates: list[TableAdvice],
    have: set[tuple[str, int]],
    first: tuple[str, int] | None,
) -> tuple[list[TableAdvice], list[TableAdvice]]:
    chosen: list[TableAdvice] = []
    left = list(candidates)
    disk, seconds = limits.disk_bytes, limits.seconds
    while True:
        fitting = [t for t in left if t.bytes <= disk and t.wall_s <= seconds]
        ranked = [(_value(t, formations, have, limits), -i, t) for i, t in enumerate(fitting)]
        ranked = [entry for entry in ranked if entry[0] > 0]
        leading = [] if chosen else [t for t in fitting if (t.pattern, t.target) == first]
        if not (ranked or leading):
            return chosen, _dropped(left, have, disk, seconds)
        best = leading[0] if leading else max(ranked)[2]
        chosen.append(best)
        left.remove(best)
        have.add((best.pattern, goal_of(best.target).tile))
        disk, seconds = disk - best.bytes, seconds - best.wall_s


def _value(
    table: TableAdvice,
    formations: Mapping[str, Formation],
    have: Collection[tuple[str, int]],
    limits: AdviceLimits,
) -> float:
    formation = formations[table.pattern]
    value = worth(formation, goal_of(table.target).tile)
    for name, target in have:
        if name == table.pattern:
            value *= _SAME_FORMATION
        elif target == table.target and name in formations:
            other = formations[name]
            same = (other.n_large, other.walls) == (formation.n_large, formation.walls)
            value *= _SAME_SIZE if same else 1.0
    if value < _MIN_WORTH:
        return 0.0
    shares = (table.bytes / limits.disk_bytes, table.wall_s / limits.seconds)
    return value / (_MIN_COST + max(shares))


def _dropped(
    left: list[TableAdvice], have: Collection[tuple[str, int]], disk: float, seconds: float
) -> list[TableAdvice]:
    patterns = {name for name, _ in have}
    dropped = []
    for table in reversed(left):  # the largest target of a formation
        if table.pattern in patterns:
            continue
        patterns.add(table.pattern)
        if table.bytes > disk:
            reason = tr(
                "needs {need} of disk space, more than the {left} left",
                need=bytes_text(table.bytes),
                left=bytes_text(disk),
            )
        elif table.wall_s > seconds:
            reason = tr(
                "takes {need} to build, more than the {left} left",
                need=span_text(table.wall_s),
                left=span_text(seconds),
            )
        else:
            reason = tr("adds little to the tables above")
        dropped.append(replace(table, verdict=LEFT_OUT, reason=reason))
    return dropped[::-1]
