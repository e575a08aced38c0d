"""The boards that boards lead to, and the rates of all boards: by the rules alone, on arrays."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from brute_force import Rules
from brute_force_arrays import ArrayMoves, Boards, holds, means, spawned


class Expansion:
    """The boards that the boards of a formation lead to in one spawn and one move."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.moves = ArrayMoves(rules)

    def reached_after(self, twos_from: Boards, fours_from: Boards) -> Boards:
        """Return the reached after-states of a layer (canonical, ascending, each once).

        `twos_from` and `fours_from` are the boards one and two layers below that can still win.
        """
        found = [np.empty(0, np.uint64)]
        for boards, tile in ((twos_from, 1), (fours_from, 2)):
            for _, pres in spawned(self._close_to_target(boards), tile):
                for _, after in self.moves.each(pres):
                    found.append(self.moves.canonical(after[self.moves.has_reached(after)]))
        return np.unique(np.concatenate(found))

    def _close_to_target(self, boards: Boards) -> Boards:
        """Leave out boards that can't reach the target in one move: no pair of halves, no target.

        Halves are larger than anything that spawns, so the spawn cannot make up for either.
        """
        exponent = self.moves.exponent
        assert exponent >= 4
        halves = sum(holds(boards, cell, exponent - 1).astype(np.int8) for cell in range(16))
        whole = sum(holds(boards, cell, exponent).astype(np.int8) for cell in range(16))
        return boards[(halves >= 2) | (whole >= 1)]


class Everywhere:
    """The rates of all boards inside a formation, whether they come up or not.

    For formations of a few free cells.

    Parameters
    ----------
    rules : Rules
    most : int
        The largest exponent of a free cell.
    """

    def __init__(self, rules: Rules, most: int) -> None:
        self.rules = rules
        self._moves = ArrayMoves(rules)
        self._first = _half_sums(np.array(rules.seeds[:1], np.uint64))[0]
        boards = np.unique(self._moves.canonical(np.concatenate([*_all_boards(rules.masks, most)])))
        layers = _half_sums(boards) - self._first
        self._boards = [boards[layers == layer] for layer in range(rules.n_layers)]
        self._rates = [np.zeros(one.size) for one in self._boards]
        for layer in reversed(range(rules.n_layers)):
            self._solve(layer)

    def rate(self, after: int, layer: int) -> float:
        """Return the rate of an after-state inside the formation."""
        canonical = self._moves.canonical(np.array([after], np.uint64))
        at = np.searchsorted(self._boards[layer], canonical)
        assert (self._boards[layer][at] == canonical).all()
        return float(self._rates[layer][at][0])

    def best(self, pre: int, layer: int) -> float:
        """Return the greatest rate that a move leads to; 0 when there is none."""
        return float(self._best(np.array([pre], np.uint64), layer)[0])

    def is_inside(self, board: int) -> bool:
        """Return whether a board has all F of a mask."""
        return bool(self._moves.is_inside(np.array([board], np.uint64))[0])

    def _solve(self, layer: int) -> None:
        boards, rates = self._boards[layer], self._rates[layer]
        reached = self._moves.has_reached(boards)
        rates[reached] = 1.0
        if layer < self.rules.n_layers - 2:
            above = [(self._boards[k], self._rates[k]) for k in (layer + 1, layer + 2)]
            rates[~reached] = means(self._moves, boards[~reached], above)

    def _best(self, pres: Boards, layer: int) -> npt.NDArray[np.float64]:
        return self._moves.best(pres, self._boards[layer], self._rates[layer])


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
