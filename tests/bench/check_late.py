"""Whether rates late in a table are right: searched to the end by rules without tables.

    python -m tests.bench.check_late FOLDER [--boards 200] [--positions 200000] [--seed 1]

Boards are drawn from every layer with a file, as many of each, the last layers first, until so many
were searched. From each, every new tile and every move is tried to the end, by the rules of
tests/brute_force.py alone, unless that takes more than so many positions: then the board is left
out, and a layer with several left out ends the search, as earlier layers take even longer. The
rates of boards on the way are compared as well, including those with no chance.
Exits with 1 when any rate is wrong. Not for tables that lead to a sum, nor for those with limits or
without some of their boards.
"""

import argparse
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS)]

from brute_force import Moves, Rules, has_reached, spawned_boards  # noqa: E402
from small_formations import rules_of  # noqa: E402

from tablebase.formation.formation import half_sum  # noqa: E402
from tablebase.probe.reader import Tablebase  # noqa: E402

_OF_A_LAYER = 30
_LEFT_OUT = 3  # of a layer, before it ends the search
_ON_THE_WAY = 100
_SUMS = 1e-12  # both sides add in another order


class TooManyError(Exception):
    """A search has seen as many positions as it may."""


class Search:
    """The rates of after-states, by trying everything; it remembers what it has tried.

    Parameters
    ----------
    rules : Rules
    moves : Moves
        Of these rules.
    seed_half_sum : int
        Of layer 0.
    most : int
        Positions to try.
    """

    def __init__(self, rules: Rules, moves: Moves, seed_half_sum: int, most: int) -> None:
        self.rates: dict[int, float] = {}
        self._rules, self._moves, self._first = rules, moves, seed_half_sum
        self._best: dict[int, float] = {}
        self._left = most

    def rate(self, board: int) -> float:
        """Return the rate of a canonical after-state; raise TooManyError."""
        if has_reached(self._rules, board):
            return 1.0
        if board not in self.rates:
            layer = half_sum(board) - self._first
            self.rates[board] = 0.0 if layer >= self._rules.n_layers - 2 else self._mean(board)
        return self.rates[board]

    def _mean(self, board: int) -> float:
        spawn4 = self._rules.spawn4
        twos, fours = spawned_boards(board, 1), spawned_boards(board, 2)
        total = (1 - spawn4) * sum(map(self._greatest, twos))
        total += spawn4 * sum(map(self._greatest, fours))
        return total / len(twos) if twos else 0.0

    def _greatest(self, pre: int) -> float:
        if pre not in self._best:
            self._left -= 1
            if self._left < 0:
                raise TooManyError
            afters = self._moves(pre)
            is_sure = any(has_reached(self._rules, after) for after in afters)
            self._best[pre] = 1.0 if is_sure else max(map(self.rate, afters), default=0.0)
        return self._best[pre]


@dataclass
class Report:
    """The findings: how many boards in which layers, how many left out, and the faults."""

    searched: int = 0
    on_the_way: int = 0
    left_out: int = 0
    layers: list[int] = field(default_factory=list)
    worst: float = 0.0
    wrong: list[str] = field(default_factory=list)


def check_late(table: Tablebase, n: int, most: int, seed: int) -> Report:
    """Search n boards of the last layers of a table, each among so many positions at most."""
    report, rng = Report(), random.Random(seed)
    rules = rules_of(table.formation, table.target.tile, spawn4=table.spawn4)
    moves = Moves(rules)
    for layer in sorted(table.manifest.layers, reverse=True):
        stored = table.manifest.layers[layer].stored
        n_left_out = 0
        for i in rng.sample(range(stored), min(_OF_A_LAYER, stored)):
            search = Search(rules, moves, table.formation.seed_half_sum, most)
            board = moves.canonical(table.stored_board(layer, i)[0])
            try:
                search.rate(board)
            except TooManyError:
                n_left_out += 1
                if n_left_out == _LEFT_OUT:
                    break
                continue
            _compare(table, search.rates, board, rng, report)
            report.layers.append(layer)
        report.left_out += n_left_out
        if report.searched >= n or n_left_out == _LEFT_OUT:
            break
    return report


def _compare(
    table: Tablebase, rates: dict[int, float], board: int, rng: random.Random, report: Report
) -> None:
    """Compare the rate of a board, and of some others that a search has met."""
    others = [other for other in rates if other != board]
    some = [board, *rng.sample(others, min(_ON_THE_WAY, len(others)))]
    found = table.rates_of(some, comes_up=True)
    for one, told in zip(some, found, strict=True):
        layer = half_sum(one) - table.formation.seed_half_sum
        distance = abs((told or 0.0) - rates[one])
        report.worst = max(report.worst, distance)
        if told is None or distance > 1.01 * table.max_error(layer) + _SUMS:
            report.wrong.append(f"layer {layer}: {one:016x} has {told}, found {rates[one]}")
    report.searched += 1
    report.on_the_way += len(some) - 1


def main() -> None:
    """Print the findings of the search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    start = time.perf_counter()
    with Tablebase.open(args.table) as table:
        report = check_late(table, args.boards, args.positions, args.seed)
        of = table.n_layers
    where = f"{min(report.layers)} to {max(report.layers)}" if report.layers else "none"
    print(
        f"{args.table.name}: {report.searched:,} boards of layers {where} of {of}, "
        f"{report.on_the_way:,} more on the way, {report.left_out:,} left out; {len(report.wrong)} "
        f"wrong, greatest difference {report.worst:.2e}; {time.perf_counter() - start:.0f} s"
    )
    for one in report.wrong[:5]:
        print(f"  {one}")
    sys.exit(bool(report.wrong))


if __name__ == "__main__":
    main()
