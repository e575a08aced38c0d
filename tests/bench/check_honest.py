"""Whether a table ever gives a wrong figure: random boards against brute force.

    python -m tests.bench.check_honest [--boards 20000] [--seed 1]

The boards are of five formations; half of them never come up. Each is looked up in tables with
all layers, with one pair of 4 and of 16, without boards of a low rate, and of optimal play only:
its four moves (again with the promise that it comes up, if it does), and its rate as an
after-state, one by one and many at once. Exits with 1 if any figure is wrong. `missed` are boards
that come up without a proof found; with the promise, the table has to know them.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "tablebase")]  # where the solver's twins are

import numpy as np  # noqa: E402
from honesty import Truth, are_close, boards_that_come_up, layer_of, random_boards, truth_of  # noqa: E402
from small_formations import TINY, rules_of  # noqa: E402

from tablebase.build.builder import BuildPlan, build  # noqa: E402
from tablebase.formation.formation import Formation, half_sum  # noqa: E402
from tablebase.probe.reader import Tablebase  # noqa: E402
from tablebase.store.options import TableOptions  # noqa: E402

TARGET = 64
NAMES = ("tinymirror", "tinyangle", "tinyshift", "tinypair", "tinyends")
OPTIONS = {
    "dense": TableOptions(),
    "sparse 4": TableOptions(sparse=4),
    "sparse 16": TableOptions(sparse=16),
    "threshold": TableOptions(threshold=0.3),
    "optimal only": TableOptions(optimal_only=True),
}
HEADER = ("known", "unknown", "wrong", "missed")


def boards_of(formation: Formation, truth: Truth, n: int, seed: int) -> dict[int, bool]:
    """Return n boards and whether they come up: the first half of them does not."""
    rng, boards = random.Random(seed), {}
    while len(boards) < n // 2:
        for board in random_boards(formation, rng, n):
            layer = half_sum(board) - formation.seed_half_sum
            is_in = 0 <= layer < formation.n_layers(TARGET)
            if is_in and len(boards) < n // 2 and not truth.comes_up(board, layer):
                boards[board] = False
    while len(boards) < n:
        boards |= {
            board: True for board, _ in boards_that_come_up(truth.solved, rng, n - len(boards))
        }
    return boards


class Check:
    """Counts the answers of one table for some boards, by kind.

    `known` and `unknown` are figures; `missed` are boards that come up and have unknown moves,
    although the table lacks none; `faults` are described in full.
    """

    def __init__(self, table: Tablebase, truth: Truth) -> None:
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self._table, self._truth = table, truth

    def position(self, board: int, comes_up: bool) -> None:
        """Check the four moves of a position."""
        layer = layer_of(self._table, board)
        for is_told in (False, True) if comes_up else (False,):
            probe = self._table.probe(board, comes_up=is_told)
            self._add(self._truth.faults(probe, layer))
            self.counts["known"] += sum(rate is not None for rate in probe.rates)
            self.counts["unknown"] += len(probe.unknown)
            is_missed = comes_up and bool(probe.unknown) and not self._table.is_thinned
            self.counts["missed"] += is_missed
            if is_missed and is_told:
                self._add([f"{board:016x}: unknown, although it is told to come up"])

    def after_states(self, afters: list[int]) -> None:
        """Check the rates of after-states by `rates_of`, `rate_of` and `many_rates`."""
        together = self._table.rates_of(afters)
        many = self._table.many_rates(np.array(afters, np.uint64)).tolist()
        for i, after in enumerate(afters):
            exact = self._truth.after_rates(after, layer_of(self._table, after))
            fast = None if np.isnan(many[i]) else many[i]
            for rate in (together[i], fast):
                if rate is not None and not any(are_close(rate, one) for one in exact):
                    self._add([f"{after:016x} as an after-state: {rate}, not {exact}"])
                self.counts["known" if rate is not None else "unknown"] += 1
        for i in range(0, len(afters), 50):
            if self._table.rate_of(afters[i]) != together[i]:
                self._add([f"{afters[i]:016x} as an after-state: another rate alone"])

    def _add(self, faults: list[str]) -> None:
        self.faults += faults
        self.counts["wrong"] += len(faults)


def check_formation(name: str, n: int, seed: int, folder: Path) -> bool:
    """Check all options of a formation; print a line each, return whether all is right."""
    formation = TINY[name]
    truth = truth_of(rules_of(formation, TARGET))
    boards = boards_of(formation, truth, n, seed)
    is_right = True
    for title, options in OPTIONS.items():
        path = folder / title / f"{name}_{TARGET}"
        build(BuildPlan(formation, TARGET, path, options, threads=2))
        start = time.perf_counter()
        with Tablebase.open(path) as table:
            check = Check(table, truth)
            for board, comes_up in boards.items():
                check.position(board, comes_up)
            check.after_states(list(boards))
        seconds = time.perf_counter() - start
        counts = "".join(f"{check.counts[column]:9,}" for column in HEADER)
        print(f"{name:11} {title:13}{len(boards):8,}{counts}{seconds:8.0f} s", flush=True)
        for fault in check.faults[:5]:
            print(f"  {fault}")
        is_right &= not check.faults
    return is_right


def main() -> None:
    """Print what every table knows, and its wrong figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    columns = "".join(f"{column:>9}" for column in HEADER)
    print(f"{'formation':11} {'table':13}{'boards':>8}{columns}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        n = args.boards // len(NAMES)
        right = [check_formation(name, n, args.seed, Path(folder)) for name in NAMES]
    sys.exit(not all(right))


if __name__ == "__main__":
    main()
