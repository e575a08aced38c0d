"""One spawn and one move on whole arrays of boards, with nothing from the program.

The tables of lines and images are the brute-force solver's, so that this is the same definition
applied to more boards.
"""

from collections.abc import Iterator

import brute_force
import numpy as np
import numpy.typing as npt

Boards = npt.NDArray[np.uint64]


class Expansion:
    """What the boards of a formation lead to in one spawn and one move."""

    def __init__(self, rules: brute_force.Rules) -> None:
        self.rules = rules
        moves = brute_force.Moves(rules)
        self._slides = [_as_arrays(t) for t in (moves.left, moves.right, moves.up, moves.down)]
        self._transpose = _as_arrays(brute_force.image_tables(brute_force.SOURCES["diagonal"][1]))
        sources = brute_force.SOURCES[rules.symmetry]
        self._images = [_as_arrays(brute_force.image_tables(image)) for image in sources]
        self._exponent = rules.target.bit_length() - 1

    def reached_after(self, twos_from: Boards, fours_from: Boards) -> Boards:
        """Return the reached after-states of a layer (canonical, ascending, each once).

        `twos_from` and `fours_from` are the boards one and two layers below that can still win.
        """
        found = [np.empty(0, np.uint64)]
        for boards, tile in ((twos_from, 1), (fours_from, 2)):
            for spawned in _spawned(self._close_to_target(boards), tile):
                for after in self._moves(spawned):
                    found.append(self._canonical(after[self._has_reached(after)]))
        return np.unique(np.concatenate(found))

    def _close_to_target(self, boards: Boards) -> Boards:
        """Leave out what cannot reach the target in one move: no pair of halves, no target yet.

        Halves are larger than anything that spawns, so the spawn cannot make up for either.
        """
        assert self._exponent >= 4
        halves = sum(_holds(boards, cell, self._exponent - 1).astype(np.int8) for cell in range(16))
        whole = sum(_holds(boards, cell, self._exponent).astype(np.int8) for cell in range(16))
        return boards[(halves >= 2) | (whole >= 1)]

    def _moves(self, boards: Boards) -> Iterator[Boards]:
        turned = _look_up(self._transpose, boards)
        for slide, lines in zip(self._slides, (boards, boards, turned, turned), strict=True):
            after = _look_up(slide, lines)
            yield after[(after != boards) & self._is_inside(after)]

    def _is_inside(self, boards: Boards) -> npt.NDArray[np.bool_]:
        inside = np.full(boards.shape, not self.rules.masks)
        for mask in self.rules.masks:
            inside |= boards & np.uint64(mask) == np.uint64(mask)
        return inside

    def _has_reached(self, boards: Boards) -> npt.NDArray[np.bool_]:
        reached = np.zeros(boards.shape, bool)
        for cell, counts in enumerate(brute_force.cells_of(self.rules.target_cells)):
            if counts:
                reached |= _holds(boards, cell, self._exponent)
        return reached

    def _canonical(self, boards: Boards) -> Boards:
        return np.minimum.reduce([_look_up(image, boards) for image in self._images])


def _as_arrays(tables: brute_force.Image) -> list[Boards]:
    return [np.array(table, np.uint64) for table in tables]


def _look_up(tables: list[Boards], boards: Boards) -> Boards:
    rows = [(boards >> np.uint64(shift)) & np.uint64(0xFFFF) for shift in (48, 32, 16, 0)]
    t0, t1, t2, t3 = (table[row] for table, row in zip(tables, rows, strict=True))
    return t0 | t1 | t2 | t3


def _holds(boards: Boards, cell: int, exponent: int) -> npt.NDArray[np.bool_]:
    return (boards >> np.uint64(60 - 4 * cell)) & np.uint64(15) == np.uint64(exponent)


def _spawned(boards: Boards, tile: int) -> Iterator[Boards]:
    for cell in range(16):
        empty = boards[_holds(boards, cell, 0)]
        yield empty | np.uint64(tile << (60 - 4 * cell))


class Everywhere(Expansion):
    """The rates of all boards there are inside a formation, whether anybody comes to them or not.

    For formations of a few free cells.

    Parameters
    ----------
    rules : Rules
    most : int
        The largest exponent of a free cell.
    """

    def __init__(self, rules: brute_force.Rules, most: int) -> None:
        super().__init__(rules)
        self._first = _half_sums(np.array(rules.seeds[:1], np.uint64))[0]
        boards = np.unique(self._canonical(np.concatenate([*_all_boards(rules.masks, most)])))
        layers = _half_sums(boards) - self._first
        self._boards = [boards[layers == layer] for layer in range(rules.n_layers)]
        self._rates = [np.zeros(one.size) for one in self._boards]
        for layer in reversed(range(rules.n_layers)):
            self._solve(layer)

    def rate(self, after: int, layer: int) -> float:
        """Return the rate of an after-state inside the formation."""
        return float(self._rates_of(np.array([after], np.uint64), layer)[0])

    def best(self, pre: int, layer: int) -> float:
        """Return the greatest rate that a move leads to; 0 when there is none."""
        return float(self._best(np.array([pre], np.uint64), layer)[0])

    def is_inside(self, board: int) -> bool:
        """Tell whether all F of a mask are there."""
        return bool(self._is_inside(np.array([board], np.uint64))[0])

    def _solve(self, layer: int) -> None:
        boards, rates = self._boards[layer], self._rates[layer]
        reached = self._has_reached(boards)
        rates[reached] = 1.0
        if layer >= self.rules.n_layers - 2:
            return
        alive = boards[~reached]
        total, n_empty = np.zeros(alive.size), np.zeros(alive.size)
        for cell in range(16):
            empty = _holds(alive, cell, 0)
            n_empty += empty
            for tile, chance in ((1, 1 - self.rules.spawn4), (2, self.rules.spawn4)):
                spawned = alive[empty] | np.uint64(tile << (60 - 4 * cell))
                total[empty] += chance * self._best(spawned, layer + tile)
        rates[~reached] = total / np.maximum(n_empty, 1)

    def _best(self, boards: Boards, layer: int) -> npt.NDArray[np.float64]:
        best, turned = np.zeros(boards.size), _look_up(self._transpose, boards)
        for slide, lines in zip(self._slides, (boards, boards, turned, turned), strict=True):
            after = _look_up(slide, lines)
            counts = (after != boards) & self._is_inside(after)
            best[counts] = np.maximum(best[counts], self._rates_of(after[counts], layer))
        return best

    def _rates_of(self, afters: Boards, layer: int) -> npt.NDArray[np.float64]:
        canonical = self._canonical(afters)
        at = np.searchsorted(self._boards[layer], canonical)
        assert (self._boards[layer][at] == canonical).all()
        return self._rates[layer][at]


def _all_boards(masks: tuple[int, ...], most: int) -> Iterator[Boards]:
    for mask in masks:
        boards = np.array([mask], np.uint64)
        for shift in range(0, 64, 4):
            if not mask >> shift & 15:
                tiles = np.arange(most + 1, dtype=np.uint64) << np.uint64(shift)
                boards = (boards[:, None] | tiles).ravel()
        yield boards


def _half_sums(boards: Boards) -> npt.NDArray[np.int64]:
    total = np.zeros(boards.size, np.int64)
    for cell in range(16):
        tile = (boards >> np.uint64(60 - 4 * cell) & np.uint64(15)).astype(np.int64)
        total += np.where((tile == 0) | (tile == 15), 0, 1 << np.maximum(tile - 1, 0))
    return total
