"""The recursion of brute_force on whole arrays of boards: the same definition, for more boards.

Nothing here comes from the program. The tables of lines and images are those of brute_force, and
its solver, board by board, is what this one is compared with, bit by bit.
"""

from collections.abc import Iterator
from functools import cache

import brute_force
import numpy as np
import numpy.typing as npt
from brute_force import WALL, Rules, Solution

Boards = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]
Rates = npt.NDArray[np.float64]


class ArrayMoves:
    """The moves of a formation and what is asked about its boards, for arrays."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        moves = brute_force.Moves(rules)
        self._slides = [_as_arrays(t) for t in (moves.left, moves.right, moves.up, moves.down)]
        self._transpose = _images_of("diagonal")[1]
        self._images = _images_of(rules.symmetry)
        self.exponent = rules.target.bit_length() - 1

    def each(self, boards: Boards) -> Iterator[tuple[Flags, Boards]]:
        """For each direction: which boards have a legal move that stays inside, and the results."""
        turned = _look_up(self._transpose, boards)
        for slide, lines in zip(self._slides, (boards, boards, turned, turned), strict=True):
            after = _look_up(slide, lines)
            counts = (after != boards) & self.is_inside(after)
            yield counts, after[counts]

    def is_inside(self, boards: Boards) -> Flags:
        inside = np.full(boards.shape, not self.rules.masks)
        for mask in self.rules.masks:
            inside |= boards & np.uint64(mask) == np.uint64(mask)
        return inside

    def has_reached(self, boards: Boards) -> Flags:
        reached = np.zeros(boards.shape, bool)
        for cell, counts in enumerate(brute_force.cells_of(self.rules.target_cells)):
            if counts:
                reached |= holds(boards, cell, self.exponent)
        return reached

    def canonical(self, boards: Boards) -> Boards:
        return np.minimum.reduce([_look_up(image, boards) for image in self._images])

    def is_beyond(self, boards: Boards) -> Flags:
        """Return a flag for each board: whether the limits leave it out."""
        rules = self.rules
        equal, has_large = np.zeros((2, boards.size), bool)
        small = np.zeros(boards.size, np.int64)
        if not rules.most_equal and not rules.small_sum:
            return equal
        tiles = boards[:, None] >> np.arange(0, 64, 4, dtype=np.uint64) & np.uint64(15)
        for exponent in range(1, WALL):
            count = np.count_nonzero(tiles == np.uint64(exponent), axis=1)
            if 2**exponent < rules.large_from:
                small += count << exponent
            else:
                has_large |= count > 0
                equal |= count > rules.most_equal
        too_many = equal & (rules.most_equal > 0)
        return too_many | (has_large & (rules.small_sum > 0) & (small > rules.small_sum))

    def best(self, pres: Boards, afters: Boards, rates: Rates) -> Rates:
        """Return the greatest rate that a move leads to; 0 when there is none.

        `afters` are the canonical boards of a layer, ascending, with their `rates`.
        """
        best = np.zeros(pres.size)
        for counts, moved in self.each(pres):
            canonical = self.canonical(moved)
            at = np.searchsorted(afters, canonical)
            assert (afters[at] == canonical).all()
            best[counts] = np.maximum(best[counts], rates[at])
        return best


def holds(boards: Boards, cell: int, exponent: int) -> Flags:
    return (boards >> np.uint64(60 - 4 * cell)) & np.uint64(15) == np.uint64(exponent)


def spawned(boards: Boards, tile: int) -> Iterator[tuple[Flags, Boards]]:
    """For each cell: in which boards it is empty, and these with `tile` (an exponent) in it.

    The last cell comes first, as in brute_force: sums add up in this order.
    """
    for cell in reversed(range(16)):
        empty = holds(boards, cell, 0)
        yield empty, boards[empty] | np.uint64(tile << (60 - 4 * cell))


def expand(moves: ArrayMoves) -> list[Boards]:
    """Return every layer's canonical after-states, reached ones included, ascending."""
    rules = moves.rules
    n = rules.n_layers
    seeds = np.array(rules.seeds, np.uint64)
    layers: list[Boards] = [np.unique(moves.canonical(seeds))]
    for i in range(1, n):
        found = [np.empty(0, np.uint64)]
        for below, tile in ((i - 1, 1), (i - 2, 2)):
            if 0 <= below < n - 2:
                boards = layers[below]
                alive = boards[~_ends(moves, below, boards)]
                pres = [pre for _, pre in spawned(alive, tile)]
                for _, moved in moves.each(np.unique(np.concatenate(pres))):
                    found.append(np.unique(moves.canonical(moved)))
        layers.append(np.unique(np.concatenate(found)))
    return layers


def solve(rules: Rules) -> Solution:
    """Return the solution of ``brute_force.solve``, equal to the last bit."""
    moves = ArrayMoves(rules)
    layers = expand(moves)
    rates = [np.zeros(boards.size) for boards in layers]
    for i in reversed(range(rules.n_layers)):
        boards = layers[i]
        rates[i][moves.has_reached(boards)] = 1.0
        if i < rules.n_layers - 2:
            goes_on = ~_ends(moves, i, boards)
            above = [(layers[k], rates[k]) for k in (i + 1, i + 2)]
            rates[i][goes_on] = means(moves, boards[goes_on], above)
    solution = Solution([], [])
    for boards, of_boards in zip(layers, rates, strict=True):
        solution.rates.append(dict(zip(boards.tolist(), of_boards.tolist(), strict=True)))
        solution.reached.append(set(boards[moves.has_reached(boards)].tolist()))
    return solution


def _ends(moves: ArrayMoves, layer: int, boards: Boards) -> Flags:
    ends = moves.has_reached(boards)
    return ends | moves.is_beyond(boards) if layer >= 2 else ends


def means(moves: ArrayMoves, boards: Boards, above: list[tuple[Boards, Rates]]) -> Rates:
    """Return the mean over the empty cells of boards that are followed.

    `above` are the boards and rates of the next layer and of the one after it.
    """
    spawn4 = moves.rules.spawn4
    total, n_empty = np.zeros(boards.size), np.zeros(boards.size)
    after_two, after_four = (
        _best_of_spawned(moves, boards, tile, *layer) for tile, layer in enumerate(above, 1)
    )
    for (empty, best_2), (_, best_4) in zip(after_two, after_four, strict=True):
        n_empty += empty
        total[empty] += (1 - spawn4) * best_2 + spawn4 * best_4
    mean = total / np.maximum(n_empty, 1)
    raw_one = moves.rules.raw_one
    return mean if raw_one is None else np.floor(mean * raw_one) / raw_one


def _best_of_spawned(
    moves: ArrayMoves, boards: Boards, tile: int, afters: Boards, rates: Rates
) -> Iterator[tuple[Flags, Rates]]:
    """For each cell: in which boards it is empty, and the best rates with `tile` in it."""
    flags, pres = zip(*spawned(boards, tile), strict=True)
    different, which = np.unique(np.concatenate(pres), return_inverse=True)
    best = moves.best(different, afters, rates)[which]
    return zip(flags, np.split(best, np.cumsum([one.size for one in pres])[:-1]), strict=True)


@cache
def _images_of(symmetry: str) -> list[list[Boards]]:
    return [_as_arrays(image) for image in brute_force.images_of(symmetry)]


def _as_arrays(tables: brute_force.Image) -> list[Boards]:
    return [np.array(table, np.uint64) for table in tables]


def _look_up(tables: list[Boards], boards: Boards) -> Boards:
    rows = [(boards >> np.uint64(shift)) & np.uint64(0xFFFF) for shift in (48, 32, 16, 0)]
    t0, t1, t2, t3 = (table[row] for table, row in zip(tables, rows, strict=True))
    return t0 | t1 | t2 | t3
