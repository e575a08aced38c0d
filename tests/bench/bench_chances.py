"""How well chances by search agree with tables: ``python -m tests.bench.bench_chances TABLES``.

Plays games by the AI (other ones than those the model was fitted to, unless their seed is given),
asks tables what positions are worth and the model, which does not see the tables, what it makes of
them: a reliability diagram, by table; and grades of all moves that the tables rate, by both.

    python -m tests.bench.bench_chances FOLDER --games 2000 --nodes 12000
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ai.chances.chance_search import ChanceSearch
from ai.dispatch.open_tables import OpenTables
from ai.train.chance_positions import Collector, Sample
from ai.train.chance_training import Calibration, calibration
from coach.grading.grade import GRADES, UINT32, judge
from coach.whole_game.rating import ALIKE


def _tell(name: str, found: Calibration) -> None:
    print(
        f"{name:12} {found.n:7,} positions  expected calibration error {found.expected_error:.2%}"
        f"  mean error {found.mean_error:.2%}"
    )
    for one in found.bins:
        print(f"{'':12} {one.n:7,}  said {one.said:6.1%}  true {one.true:6.1%}")


def _tell_grades(pairs: Sequence[tuple[int, int]]) -> None:
    table = np.zeros((len(GRADES), len(GRADES)), int)
    for exact, estimated in pairs:
        table[exact, estimated] += 1
    names = [grade.value[:9] for grade in GRADES]
    print(f"{'by tables':>12} " + " ".join(f"{name:>10}" for name in names) + "   by search")
    for name, row in zip(names, table, strict=True):
        print(f"{name:>12} " + " ".join(f"{n:10,}" for n in row))
    n = max(table.sum(), 1)
    near = sum(abs(one - other) <= 1 for one, other in pairs)
    print(f"{n:,} moves: the same grade {np.trace(table) / n:.1%}, at most one off {near / n:.1%}")


def main(argv: Sequence[str] | None = None) -> None:
    """Play, compare, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=99)
    args = parser.parse_args(argv)
    tables = OpenTables(args.tables)
    collector, search = Collector(tables.tables(), args.seed), ChanceSearch()
    by_table: dict[str, list[tuple[float, float]]] = {}
    grades: list[tuple[int, int]] = []
    same_best = n_best = 0
    for game in range(args.games):
        for sample in collector.play(game):
            if not sample.table:
                continue
            found = search.look(sample.cells, args.nodes, sample.goal)
            known = [one for one in range(4) if sample.rates[one] is not None]
            said = [found.chances[one] if one in known else None for one in range(4)]
            by_table.setdefault(sample.table, []).append(
                (max(one or 0.0 for one in said), max(one or 0.0 for one in sample.rates))
            )
            grades += _grades(sample, said)
            choice = max(known, key=lambda one: said[one] or 0.0)
            same_best += sample.rates[choice] == max(sample.rates[one] or 0.0 for one in known)
            n_best += 1
    everything = [pair for pairs in by_table.values() for pair in pairs]
    for name, pairs in [*sorted(by_table.items()), ("all", everything)]:
        both = np.array(pairs)
        _tell(name, calibration(both[:, 0], both[:, 1]))
    _tell_grades(grades)
    print(f"the best move of the table is that of search in {same_best / max(n_best, 1):.1%}")
    tables.close()


def _grades(sample: Sample, said: Sequence[float | None]) -> list[tuple[int, int]]:
    found = []
    for direction in range(4):
        exact = judge(sample.rates, direction, UINT32)
        estimated = judge(said, direction, ALIKE)
        if exact and estimated:
            found.append((GRADES.index(exact.grade), GRADES.index(estimated.grade)))
    return found


if __name__ == "__main__":
    main()
