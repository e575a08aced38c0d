"""Whether a table's answers about a board are true, even if no game has that board.

The truth comes from the brute-force solver: its rates of all boards (`Everywhere`), and its list of
all boards that the seeds lead to.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import brute_force
import brute_force_arrays
from after_states import Everywhere
from brute_force import Solution, spawned_boards

from engine.geometry import destinations, permute
from engine.moves import move
from tablebase.formation.formation import Formation, half_sum
from tablebase.probe.probes import Probe
from tablebase.probe.reader import Tablebase

MAX_EXPONENT = 6  # the largest exponent below a target of 64
UNIT = 1.01 / 4e9  # of a uint32 rate; one that follows from rounded ones is no further off
_ANY = (0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5)  # exponents of a random board

Rates = list[float | None]


def random_boards(formation: Formation, rng: random.Random, n: int) -> Iterator[int]:
    """Yield boards with the F of a mask and anything else."""
    for _ in range(n):
        board = rng.choice(formation.masks)
        for shift in range(0, 64, 4):
            if not board >> shift & 15:
                board |= rng.choice(_ANY) << shift
        yield board


def boards_that_come_up(solved: Solution, rng: random.Random, n: int) -> Iterator[tuple[int, int]]:
    """Yield positions of any layer that follow from the seeds, and their layers."""
    while n:
        layer, exponent = rng.randrange(len(solved.rates) - 4), rng.choice((1, 1, 2))
        alive = sorted(set(solved.rates[layer]) - solved.reached[layer])
        spawned = spawned_boards(rng.choice(alive), exponent) if alive else []
        if spawned:
            n -= 1
            yield rng.choice(spawned), layer + exponent


def layer_of(table: Tablebase, board: int) -> int:
    """Return the layer of a board; it need not be one of the table's."""
    return half_sum(board) - table.formation.seed_half_sum


@dataclass(frozen=True)
class Truth:
    """The truth about the boards of one formation, with their large tiles as F.

    Attributes
    ----------
    everywhere : Everywhere
    solved : Solution
    """

    everywhere: Everywhere
    solved: Solution

    def comes_up(self, board: int, layer: int) -> bool:
        """Return whether a position follows from the seeds, turned in any way."""
        befores = [
            (board & ~(15 << shift), layer - exponent)
            for shift in range(0, 64, 4)
            if (exponent := board >> shift & 15) in (1, 2) and layer >= exponent
        ]
        for before, earlier in befores:
            known = self.solved.rates[earlier].keys() - self.solved.reached[earlier]
            if any(permute(before, image) in known for image in destinations("full")):
                return True
        return False

    def rates(self, board: int, layer: int) -> list[tuple[int, Rates]]:
        """Return every way to turn a position into the formation, with its four rates."""
        walls = self.everywhere.rules.walls
        afters = [move(board, direction, walls) for direction in range(4)]
        ways = []
        for image in destinations("full"):
            turned = permute(board, image)
            if self.everywhere.is_inside(turned):
                to = [permute(after, image) if after != board else -1 for after in afters]
                ways.append((turned, [self._rate_after(after, layer) for after in to]))
        return ways

    def after_rates(self, after: int, layer: int) -> list[float]:
        """Return the rates of an after-state, one of every way to turn it into the formation."""
        turned = [permute(after, image) for image in destinations("full")]
        inside = filter(self.everywhere.is_inside, turned)
        return [self.everywhere.rate(one, layer) for one in inside]

    def faults(self, probe: Probe, layer: int) -> list[str]:
        """Return the faults of an answer, a line each.

        If a board fits the formation in several ways, the answer is one of them, by its best
        rate. An unknown rate need not be right, but it has to belong to a move.
        """
        ways = self.rates(probe.board, layer)
        meant = [rates for turned, rates in ways if turned == probe.masked]
        faults = []
        for direction, rate in enumerate(probe.rates):
            where, exact = f"{probe.board:016x} {direction}", [one[direction] for one in meant]
            if direction not in probe.unknown:
                if not any(are_close(rate, one) for one in exact):
                    faults.append(f"{where}: {rate}, not {exact}")
            elif rate is not None or all(rates[direction] is None for _, rates in ways):
                faults.append(f"{where}: called unknown, but it is {rate}, and no move")
        highest = max((rate for _, rates in ways for rate in rates if rate is not None), default=-1)
        is_certain = probe.best is not None or not probe.unknown
        if is_certain and abs(probe.best_rate - highest) > 2 * UNIT:
            faults.append(f"{probe.board:016x}: at most {probe.best_rate}, not {highest}")
        if probe.best is not None and probe.rates[probe.best] != probe.best_rate:
            faults.append(f"{probe.board:016x}: {probe.best} is not the best of {probe.rates}")
        return faults

    def _rate_after(self, after: int, layer: int) -> float | None:
        is_move = after >= 0 and self.everywhere.is_inside(after)
        return self.everywhere.rate(after, layer) if is_move else None


def are_close(rate: float | None, exact: float | None) -> bool:
    """Return whether a rate is right except for its rounding, or None as it should be."""
    if rate is None or exact is None:
        return rate is exact
    return abs(rate - exact) <= UNIT


def truth_of(rules: brute_force.Rules, solved: Solution | None = None) -> Truth:
    """Return the truth about a formation of few free cells and fixed masks."""
    return Truth(Everywhere(rules, MAX_EXPONENT), solved or brute_force_arrays.solve(rules))
