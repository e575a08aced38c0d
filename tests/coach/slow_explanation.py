"""The measures of an explanation, by brute force: the rules on lists, all subsets, no program."""

from itertools import combinations

import oracle
from brute_force import board_of, cells_of

from tests.tablebase.exact_rates import Exact


def best_of(rates):
    return max((rate for rate in rates if rate is not None), default=0.0)


class SlowMove:
    """A move of a position and its new tiles: {(cell, exponent): (probability, chance)}."""

    def __init__(self, exact: Exact, board: int, layer: int, direction: int, spawn4=0.1):
        self.exact, self.layer, self.direction = exact, layer, direction
        self.before = cells_of(board)
        self.rate = exact.rates(board, layer)[direction]
        self.after = oracle.move(self.before, direction, walls=exact.moves.rules.walls)[0]
        empty = [cell for cell in range(16) if self.after[cell] == 0]
        self.tiles = {}
        for cell in empty:
            for exponent, share in ((1, 1 - spawn4), (2, spawn4)):
                rates = exact.rates(self.with_tile(cell, exponent), layer + exponent)
                self.tiles[cell, exponent] = (share / len(empty), best_of(rates))

    def with_tile(self, cell, exponent):
        return board_of([exponent if at == cell else one for at, one in enumerate(self.after)])

    @property
    def mean(self):
        return sum(probability * chance for probability, chance in self.tiles.values())

    @property
    def worst(self):
        return min(chance for _, chance in self.tiles.values())

    def cost(self, tile, chance):
        """Return the part of a chance that a tile takes away."""
        probability, left = self.tiles[tile]
        return probability * (chance - left)


def fewest_spoilers(played: SlowMove, best: SlowMove, most: float):
    """Return the least number of tiles, each worse than all of the best move, for so much loss.

    All subsets are tried, the small ones first; None when no subset does.
    """
    loss = best.mean - played.mean
    bad = [tile for tile, (_, left) in played.tiles.items() if left < best.worst]
    for n in range(1, len(bad) + 1):
        for chosen in combinations(bad, n):
            if sum(played.cost(one, best.mean) for one in chosen) >= most * loss:
                return n
    return None


def merges(before, direction, walls):
    """Return the exponents of the pairs that a move merges: found from the numbers of tiles."""
    after = oracle.move(before, direction, walls=walls)[0]
    made, pairs_below = [], 0
    for exponent in range(1, 15):
        missing = before.count(exponent) + pairs_below - after.count(exponent)
        pairs_below = missing // 2
        made += [exponent] * pairs_below
    return made
