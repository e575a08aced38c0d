"""The rates of a player's board by brute force, in any orientation."""

import math
import random
from collections.abc import Iterator
from itertools import combinations

import brute_force
import numpy as np
import numpy.typing as npt
import pytest
from brute_force import Moves, Solution, board_of, cells_of, has_reached, spawned_boards

from tablebase.probe.probes import Probe

UNIT = 0.5001 / 4e9  # of a uint32 rate
Rates = tuple[float | None, ...]

SQUARE = brute_force.SOURCES["full"]
STANDING = list(range(16))
TURNS = ((1, 4), (4, -1), (-1, -4), (-4, 1))  # where a step to the right and one down go


def turned(board: int, sources: list[int]) -> int:
    cells = cells_of(board)
    return board_of([cells[cell] for cell in sources])


def turned_rates(rates: Rates, sources: list[int]) -> Rates:
    """The rates of ``turned(board, sources)``: each of its directions is one of the board's."""
    steps = {-1: 0, 1: 1, -4: 2, 4: 3}  # from cell to cell: left, right, up, down
    moves = ((1, 0), (0, 1), (4, 0), (0, 4))  # the same directions, each from one cell to another
    return tuple(rates[steps[sources[end] - sources[start]]] for start, end in moves)


def large_cells(board: int) -> list[int]:
    return [cell for cell, tile in enumerate(cells_of(board)) if tile == 15]


def sum_of(board: int) -> int:
    return sum(1 << tile for tile in cells_of(board) if 0 < tile < 15)


class Exact:
    """The four rates of a board by brute force.

    `absent` is the rate of after-states that do not come up: 0 when the caller of a table vouches
    that a board comes up, NaN when only what is known counts.
    """

    def __init__(self, solved: Solution, rules: brute_force.Rules, absent: float = 0.0) -> None:
        self.solved = solved
        self.moves = Moves(rules)
        self.absent = absent

    def rates(self, board: int, layer: int) -> Rates:
        """Left, right, up, down; None when nothing moves or the formation is left."""
        return tuple(
            self._rate_of(after, layer) if after != board and self.moves.is_inside(after) else None
            for after in self.moves.slides(board)
        )

    def _rate_of(self, after: int, layer: int) -> float:
        if has_reached(self.moves.rules, after):
            return 1.0
        is_last = layer >= self.moves.rules.n_layers - 2  # there all others have lost
        absent = 0.0 if is_last else self.absent
        return self.solved.rates[layer].get(self.moves.canonical(after), absent)

    def views(self, board: int, layer: int) -> Iterator[Rates]:
        """The rates of `board` by way of each of its images that has its f in the right cells."""
        for sources in self._ways(board):
            back = [sources.index(cell) for cell in range(16)]
            yield turned_rates(self.rates(turned(board, sources), layer), back)

    def after_rate(self, after: int, layer: int) -> float:
        """The best rate of an after-state by way of any of its images; 0 when none fits."""
        images = [turned(after, sources) for sources in self._ways(after)]
        return max((self._rate_of(image, layer) for image in images), default=0)

    def _ways(self, board: int) -> list[list[int]]:
        """How to turn a board: if it fits as it stands, only into images that are the same game."""
        ways = [sources for sources in SQUARE if self._fits(turned(board, sources))]
        return [one for one in ways if self._is_same_game(one)] if STANDING in ways else ways

    def _is_same_game(self, sources: list[int]) -> bool:
        rules = self.moves.rules
        masks = {turned(mask, sources) for mask in rules.masks}
        same_target = turned(rules.target_cells, sources) == rules.target_cells
        return same_target and masks == set(rules.masks)

    def _fits(self, image: int) -> bool:
        if self.moves.rules.walls:
            return large_cells(image) == large_cells(self.moves.rules.seeds[0])
        return self.moves.is_inside(image)

    def player_views(self, board: int) -> Iterator[Rates]:
        """The rates of a player's board by way of all choices of its large tiles, and all views.

        As many tiles as the formation has f are large: none of the others is larger than one of
        them, and they are at least the target.
        """
        rules, tiles = self.moves.rules, cells_of(board)
        n_large, first_sum = len(large_cells(rules.seeds[0])), sum_of(rules.seeds[0])
        enough = [cell for cell in range(16) if 1 << tiles[cell] >= rules.target]
        choices: list[tuple[int, int]] = []
        for chosen in combinations(enough, n_large):
            large = [tiles[cell] for cell in chosen]
            small = [tile for cell, tile in enumerate(tiles) if cell not in chosen]
            if min(large) < max(small) or 15 in small:
                continue
            masked = board_of([15 if c in chosen else tile for c, tile in enumerate(tiles)])
            layer = (sum_of(masked) - first_sum) // 2
            if 0 <= layer < rules.n_layers:
                choices.append((masked, layer))
        standing = [choice for choice in choices if self._fits(choice[0])]
        for masked, layer in standing or choices:
            yield from self.views(masked, layer)

    def positions(self, rng: random.Random, n: int) -> Iterator[tuple[int, int]]:
        """Pre-states (and their layers) one spawn after boards that are expanded."""
        for _ in range(n):
            layer = rng.randrange(len(self.solved.rates) - 2)
            boards = list(self.solved.stored(layer)) or [0]
            board, tile = rng.choice(boards), rng.choice((1, 1, 2))
            if board:
                yield rng.choice(spawned_boards(board, tile)), layer + tile


def known_best(rates: Rates) -> float:
    """The highest of the rates that are known, -1 without any."""
    known = (rate for rate in rates if rate is not None and not math.isnan(rate))
    return max(known, default=-1.0)


def ends_in_one(moves: Moves, masked: int) -> bool:
    """Whether after some move of a board no move is left, whatever tile comes."""
    return any(
        not any(moves(spawned) for tile in (1, 2) for spawned in spawned_boards(after, tile))
        for after in moves(masked)
    )


def assert_honest(probe: Probe, ways: list[Rates], moves: Moves | None = None) -> None:
    """Check an answer of a whole table, which finds a proof of all that comes up.

    Parameters
    ----------
    probe : Probe
    ways : list of tuple
        The rates of every way to look at the board, NaN for what does not come up.
    moves : Moves, optional
        Of the formation: a move that ends the game is known to be worth 0, come up or not.
    """
    for direction, rate in enumerate(probe.rates):
        exact = [way[direction] for way in ways]
        if direction in probe.unknown:
            assert rate is None
            # NaN, or lost: test_against_brute_force counts the lost ones that lack a proof
            assert any(one is not None and not one > 0 for one in exact), (probe, ways)
        elif rate is None:
            assert None in exact, (probe, ways)
        else:
            close = [one for one in exact if one is not None and abs(rate - one) <= UNIT]
            is_over = rate == 0.0 and moves is not None and ends_in_one(moves, probe.masked)
            assert close or is_over, (probe, ways)
    highest = max(map(known_best, ways))
    if probe.best is None:
        assert probe.unknown or highest < 0
    else:
        assert probe.rates[probe.best] == pytest.approx(highest, abs=1e-9)
        assert highest == 1.0 or not probe.unknown


def assert_stored(got: npt.NDArray[np.float64], want: list[float]) -> None:
    """Check rates of stored boards, NaN for all others; no board of rate 0 is stored."""
    assert np.array_equal(np.isnan(got), np.array(want) <= UNIT), "what is stored"
    assert got[~np.isnan(got)] == pytest.approx([one for one in want if one > UNIT], abs=UNIT)


def is_close(got: Rates, want: Rates) -> bool:
    return all(
        rate is expected if None in (rate, expected) else abs(rate - expected) <= UNIT
        for rate, expected in zip(got, want, strict=True)
    )
