"""How well chances by search agree with tables: ``python -m tests.bench.bench_chances TABLES``.

Plays games by the AI (other than those the model was fitted to, unless their seed is given). Looks
up the rates of positions in tables and asks the model, which doesn't see the tables, for its own: a
reliability diagram, by table; and grades of all moves that the tables rate, by both. Where the goal
makes a 32768 or more, its chance is also compared with the outcomes of the games.

    python -m tests.bench.bench_chances FOLDER --positions 20000 --kept found.jsonl --svg it.svg

With --kept the findings on each game are kept, and the same command resumes where it was stopped.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ai.chances.chance_search import ChanceSearch
from ai.dispatch.open_tables import OpenTables
from ai.train.chance_positions import Collector, Sample
from ai.train.chance_training import Calibration, calibration
from coach.grading.grade import GRADES, UINT32, judge
from coach.whole_game.rating import ALIKE
from tests.bench.reliability_plot import reliability_svg

_LARGE = 15  # 32768
_MAX_GRADED = 5000  # positions

Finding = Mapping[str, Any]
"""A position: the source of its true rate, the model's rate, the true rate, grades by both."""


def _findings(
    samples: Sequence[Sample], search: ChanceSearch, nodes: int
) -> Iterator[dict[str, Any]]:
    """Yield the findings on the positions of a game whose true rates are known."""
    for sample in samples:
        tile = sample.goal.leads_to(sample.cells)
        if not sample.table and (tile < _LARGE or sample.outcome is None):
            continue
        found = search.look(sample.cells, nodes, sample.goal)
        if not sample.table:
            yield {"of": "", "tile": tile, "said": found.best, "true": sample.outcome}
            continue
        known = [one for one in range(4) if sample.rates[one] is not None]
        said = [found.chances[one] if one in known else None for one in range(4)]
        true = max(one or 0.0 for one in sample.rates)
        choice = max(known, key=lambda one: said[one] or 0.0)
        yield {
            "of": sample.table,
            "tile": tile,
            "said": max(one or 0.0 for one in said),
            "true": true,
            "same": sample.rates[choice] == true,
            "grades": _grades(sample, said),
        }


def _grades(sample: Sample, said: Sequence[float | None]) -> list[tuple[int, int]]:
    found = []
    for direction in range(4):
        exact = judge(sample.rates, direction, UINT32)
        estimated = judge(said, direction, ALIKE)
        if exact and estimated:
            found.append((GRADES.index(exact.grade), GRADES.index(estimated.grade)))
    return found


def _games(path: Path | None) -> list[list[Finding]]:
    """Return the findings on the games so far."""
    if path is None or not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def _calibration(found: Sequence[Finding]) -> Calibration:
    both = np.array([(one["said"], one["true"]) for one in found], np.float64)
    return calibration(both[:, 0], both[:, 1])


def _tell(name: str, found: Sequence[Finding]) -> None:
    if not found:
        return
    all_of_it = _calibration(found)
    print(
        f"{name:16} {all_of_it.n:7,} positions  expected calibration error "
        f"{all_of_it.expected_error:.2%}  mean error {all_of_it.mean_error:.2%}"
    )
    for one in all_of_it.bins:
        print(f"{'':16} {one.n:7,}  said {one.said:6.1%}  true {one.true:6.1%}")


def _tell_grades(found: Sequence[Finding]) -> None:
    table = np.zeros((len(GRADES), len(GRADES)), int)
    for one in found:
        for exact, estimated in one["grades"]:
            table[exact, estimated] += 1
    names = [grade.value[:9] for grade in GRADES]
    print(f"{'by tables':>12} " + " ".join(f"{name:>10}" for name in names) + "   by search")
    for name, row in zip(names, table, strict=True):
        print(f"{name:>12} " + " ".join(f"{n:10,}" for n in row))
    n = max(table.sum(), 1)
    steps = np.abs(np.subtract.outer(range(len(GRADES)), range(len(GRADES))))
    print(
        f"{n:,} moves in {len(found):,} positions: the same grade {np.trace(table) / n:.1%}, "
        f"at most one off {table[steps <= 1].sum() / n:.1%}"
    )
    bad, good = table[4:].sum(), table[:2].sum()
    print(f"mistakes or worse told as inaccurate or worse: {table[4:, 3:].sum() / max(bad, 1):.1%}")
    print(f"perfect or excellent told as mistakes or worse: {table[:2, 4:].sum() / good:.1%}")
    same = sum(one["same"] for one in found) / max(len(found), 1)
    print(f"the best move of the table is that of search in {same:.1%}")


def main(argv: Sequence[str] | None = None) -> None:
    """Play, compare, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--nodes", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=99)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--svg", type=Path)
    args = parser.parse_args(argv)
    tables = OpenTables(args.tables)
    collector, search = Collector(tables.tables(), args.seed), ChanceSearch()
    games = _games(args.kept)
    n_exact = sum(bool(one["of"]) for game in games for one in game)
    while n_exact < args.positions:
        game = [*_findings(collector.play(len(games)), search, args.nodes)]
        games.append(game)
        n_exact += sum(bool(one["of"]) for one in game)
        if args.kept:
            with args.kept.open("a", encoding="ascii") as file:
                file.write(json.dumps(game) + "\n")
    tables.close()
    everything = [one for game in games for one in game]
    exact = [one for one in everything if one["of"]]
    print(f"{len(games):,} games")
    for name in sorted({one["of"] for one in exact}):
        _tell(name, [one for one in exact if one["of"] == name])
    _tell("all", exact)
    for tile in sorted({one["tile"] for one in everything if one["tile"] >= _LARGE}):
        large = [one for one in everything if one["tile"] == tile]
        _tell(f"{1 << tile}, tables", [one for one in large if one["of"]])
        _tell(f"{1 << tile}, outcomes", [one for one in large if not one["of"]])
    graded = np.random.default_rng(args.seed).permutation(len(exact))[:_MAX_GRADED]
    _tell_grades([exact[i] for i in graded])
    if args.svg:
        args.svg.write_text(reliability_svg(_calibration(exact).bins), encoding="utf-8")


if __name__ == "__main__":
    main()
