"""What brute force says of chained tables: the rate of any board, and of those at the target."""

from collections.abc import Callable
from functools import cache

import brute_force

from engine.geometry import destinations, permute
from tablebase.formation.formation import Formation


def any_rate(rules: brute_force.Rules, solution: brute_force.Solution) -> Callable[[int], float]:
    """Return the rate of any after-state in a formation, whether it comes up there or not."""
    moves = brute_force.Moves(rules)
    known = {board: rate for layer in solution.rates for board, rate in layer.items()}
    first = sum(1 << cell - 1 for cell in brute_force.cells_of(rules.seeds[0]) if 0 < cell < 15)

    @cache
    def rate(after: int) -> float:
        if after in known:
            return known[after]
        layer = sum(1 << cell - 1 for cell in brute_force.cells_of(after) if 0 < cell < 15) - first
        if brute_force.has_reached(rules, after) or layer >= rules.n_layers - 2:
            return float(brute_force.has_reached(rules, after))
        twos, fours = (brute_force.spawned_boards(after, tile) for tile in (1, 2))
        total = (1 - rules.spawn4) * sum(map(best, twos)) + rules.spawn4 * sum(map(best, fours))
        return total / max(len(twos), 1)

    @cache
    def best(pre: int) -> float:
        return max(map(rate, moves(pre)), default=0.0)

    return lambda board: rate(moves.canonical(board))


def next_rates(
    formation: Formation, after: Formation, rate: Callable[[int], float]
) -> Callable[[int], float]:
    """Return the value of a board of `formation` with its 64, by the rates in `after`."""

    def value(board: int) -> float:
        values = [0.0]
        for shift in range(0, 64, 4):
            if formation.target_cells >> shift & 15 and board >> shift & 15 == 6:
                locked = board | 15 << shift
                turns = (permute(locked, turn) for turn in destinations("full"))
                values += [rate(turned) for turned in turns if after.is_inside(turned)]
        return max(values)

    return value
