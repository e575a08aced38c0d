"""How often the AI makes the next 2048 beside large tiles: ``python -m tests.bench.bench_blocks``.

From 16384 on a game repeats the same task: make the next 2048 beside k large tiles that
are all different. Games start with these tiles in place on an otherwise empty board, and count as
won once another 2048 was made. Twenty minutes of them show what a hundred whole games can't.

    python -m tests.bench.bench_blocks --k 3 4 --starts 100 --nodes 3000
    python -m tests.bench.bench_blocks --weights old.json new.json      # arms on the same starts
    python -m tests.bench.bench_blocks --tables FOLDER                  # with tables
    python -m tests.bench.bench_blocks --shapes rows                    # as the network has them
    python -m tests.bench.bench_blocks --shapes squares                 # as the late one has them
    python -m tests.bench.bench_blocks --shapes rows --k 3 --blocks 2   # on to 32768
    python -m tests.bench.bench_blocks --k 1 2 3 4 5 --first 0.97       # and chances of whole games

All arms play the same starts with the same seeds; the table says how many each won, with a 95 %
interval (Wilson), and of two arms how many starts only one of them won. With ``--blocks 2`` a start
is won with the second 2048 more: from three large tiles that is what a 32768 takes, and tells as
well whether the first one was put where the second can be made. With ``--first``, the share of
games that make 16384, they become the chances of larger tiles (`ai.match.report`). Starts of even
number were used to tune weights, those of odd number never: ``--set untuned`` plays only the
latter; but `ai.evaluation.walls.SQUARE` was chosen by the first 100 of these. Budgets are nodes a
move, spread over the positions as in whole games; so the load of the machine does not matter, and
as many may be played side by side as there are cores (``--jobs``).
"""

import argparse
import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ai.dispatch.dispatcher import Dispatcher
from ai.dispatch.open_tables import OpenTables
from ai.evaluation.evaluation import DEFAULT_WEIGHTS, load_evaluation
from ai.match.report import BLOCK, FIRST, large_tiles, wilson
from ai.search.search import Search
from ai.search.time_management import effort
from engine.kernels.cells import slide_cells, spawn_in_cells

SHAPES = {
    1: (((0, 14),),),
    2: (((0, 14), (1, 13)), ((0, 13), (1, 14))),
    3: (((0, 14), (1, 13), (2, 12)), ((0, 14), (1, 13), (4, 12)), ((0, 13), (1, 14), (2, 12))),
    4: (
        ((0, 14), (1, 13), (4, 12), (5, 11)),
        ((0, 14), (1, 13), (2, 12), (4, 11)),
        ((0, 14), (1, 13), (4, 11), (5, 12)),
        ((0, 13), (1, 14), (2, 12), (4, 11)),
    ),
    5: (
        ((0, 15), (1, 14), (2, 13), (4, 12), (5, 11)),
        ((0, 15), (1, 14), (2, 13), (3, 12), (4, 11)),
    ),
}
"""Cells and exponents of the large tiles, by how many there are."""
ROWS = {
    1: (((1, 14),),),
    2: (((1, 14), (0, 13)), ((0, 14), (1, 13))),
    3: (((1, 14), (2, 13), (0, 12)), ((0, 14), (3, 13), (1, 12))),
    4: (((1, 14), (2, 13), (0, 12), (3, 11)),),
    5: (((1, 15), (2, 14), (0, 13), (3, 12), (7, 11)),),
}
"""The same where the network for whole games puts them, see `ai.evaluation.familiar_shapes`."""
SQUARES = {
    3: (((1, 14), (2, 13), (0, 12)),),
    4: (
        ((0, 14), (1, 13), (5, 12), (4, 11)),
        ((0, 14), (1, 13), (5, 12), (4, 11)),
        ((1, 14), (5, 13), (2, 12), (6, 11)),
    ),
    5: (
        ((0, 15), (1, 14), (5, 13), (4, 12), (2, 11)),
        ((0, 15), (1, 14), (5, 13), (4, 12), (8, 11)),
        ((1, 15), (5, 14), (2, 13), (6, 12), (10, 11)),
    ),
}
"""The same where search with the network for late games has them: of 80 games beside four large
tiles 46 had the first of these squares and 14 the other; the fifth came to these three places."""
_SETS = {"lines": SHAPES, "rows": ROWS, "squares": SQUARES}
_BLOCK = 11
_SPAWN4 = 0.1
_MAX_MOVES = 5000
_EARLY = 450
_SAMPLED = 16


class Arm(NamedTuple):
    """A player to compare."""

    weights: Path
    tables: tuple[Path, ...]
    nodes: int
    jobs: int
    blocks: int
    shapes: dict[int, tuple[tuple[tuple[int, int], ...], ...]]


class Sample(NamedTuple):
    """The AI's value of a position on the way, and whether it is a chance."""

    k: int
    start: int
    n_moves: int
    rest: int
    source: str
    value: float
    is_chance: bool


class Block(NamedTuple):
    """The outcome of a start."""

    is_won: bool
    n_made: int
    n_moves: int
    sources: Counter[str]
    samples: list[Sample]


class _Player:
    """One arm, in one process."""

    def __init__(self, arm: Arm) -> None:
        self._nodes, self._blocks, self._shapes = arm.nodes, arm.blocks, arm.shapes
        self._search = Search(load_evaluation(arm.weights))
        self._dispatcher = Dispatcher(OpenTables(arm.tables), self._search)

    def play(self, k: int, start: int) -> Block:
        """Play one start."""
        shape = self._shapes[k][start // 2 % len(self._shapes[k])]
        cells, state = np.zeros(16, np.uint8), np.array([1000 * k + start], np.uint64)
        for cell, exponent in shape:
            cells[cell] = exponent
        first, n_made = _large_sum(cells), 0
        spawn_in_cells(cells, state, _SPAWN4)
        spawn_in_cells(cells, state, _SPAWN4)
        self._search.forget()
        sources: Counter[str] = Counter()
        samples: list[Sample] = []
        for n_moves in range(_MAX_MOVES):
            n_made = _large_sum(cells) - first >> _BLOCK
            if n_made >= self._blocks:
                return Block(True, n_made, n_moves, sources, samples)
            nodes = max(1, int(self._nodes * effort(cells)))
            decision = self._dispatcher.choose(
                cells.tolist(),
                lambda board, known, nodes=nodes: self._search.by_nodes(board, nodes, known),
            )
            if decision.direction is None:
                return Block(False, n_made, n_moves, sources, samples)
            sources[decision.source] += 1
            if n_moves % _SAMPLED == 0:
                value = max(one for one in decision.values if one is not None)
                rest = sum(1 << int(tile) for tile in cells if 0 < tile < _BLOCK)
                is_chance = decision.is_chance or decision.nodes == 0
                source = decision.source
                samples.append(Sample(k, start, n_moves, rest, source, value, is_chance))
            slide_cells(cells, decision.direction)
            spawn_in_cells(cells, state, _SPAWN4)
        return Block(False, n_made, _MAX_MOVES, sources, samples)


def _large_sum(cells: np.ndarray) -> int:
    """Return the sum of the tiles that are at least as large as the block, in face value."""
    return sum(1 << int(tile) for tile in cells if tile >= _BLOCK)


def _play_some(arm: Arm, k: int, starts: Sequence[int]) -> list[Block]:
    player = _Player(arm)
    return [player.play(k, start) for start in starts]


def play_arm(arm: Arm, k: int, starts: Sequence[int]) -> list[Block]:
    """Play all starts of an arm, in several processes."""
    if arm.jobs == 1:
        return _play_some(arm, k, starts)
    parts = [starts[i :: arm.jobs] for i in range(arm.jobs)]
    with ProcessPoolExecutor(arm.jobs) as pool:
        found = list(pool.map(partial(_play_some, arm, k), parts))
    return [found[i % arm.jobs][i // arm.jobs] for i in range(len(starts))]


def _share(won: int, n: int) -> str:
    low, high = wilson(won, n)
    return f"{won} of {n}  {won / n:.3f} ({low:.3f} to {high:.3f})"


def _tell(k: int, name: str, arm: Arm, starts: Sequence[int], blocks: list[Block]) -> None:
    won = sum(block.is_won for block in blocks)
    early = sum(not block.is_won and block.n_moves < _EARLY for block in blocks)
    print(f"k = {k}  {name:20}  {_share(won, len(blocks))}  lost before move {_EARLY}: {early}")
    for block in range(1, arm.blocks):
        made = sum(one.n_made >= block for one in blocks)
        print(f"         2048 number {block} of {arm.blocks:31}  {_share(made, len(blocks))}")
    for i, shape in enumerate(arm.shapes[k]):
        of_shape = [
            block.is_won
            for start, block in zip(starts, blocks, strict=True)
            if start // 2 % len(arm.shapes[k]) == i
        ]
        places = " ".join(f"{cell}:{1 << exponent}" for cell, exponent in shape)
        print(f"         {places:44}  {_share(sum(of_shape), len(of_shape))}")
    sources: Counter[str] = sum((block.sources for block in blocks), Counter())
    n_moves = sum(sources.values())
    told = ", ".join(f"{name} {100 * n / n_moves:.1f} %" for name, n in sources.most_common(8))
    print(f"         moves by {told}", flush=True)


def chance_of_tile(tile: int, chance_of_first: float, chances: Mapping[int, float]) -> float:
    """Return the chance of a tile from 16384 on.

    Parameters
    ----------
    tile : int
        Such as 32768.
    chance_of_first : float
        Of 16384.
    chances : mapping of int to float
        p(k) by k.
    """
    chance = chance_of_first
    for block in range(FIRST, tile // BLOCK):
        chance *= chances[large_tiles(block)]
    return chance


def _tell_milestones(name: str, first: float, chances: dict[int, float]) -> None:
    for tile, most in ((32768, 4), (65536, 5)):
        if set(range(1, most + 1)) <= set(chances):
            print(f"{name:20}  {tile}: {chance_of_tile(tile, first, chances):.3f}", flush=True)


def _write(path: Path, name: str, blocks: list[Block]) -> None:
    with path.open("a", encoding="utf-8", newline="") as file:
        for block in blocks:
            csv.writer(file).writerows((name, *one, int(block.is_won)) for one in block.samples)


def main(argv: Sequence[str] | None = None) -> None:
    """Play, and print a line for each number of large tiles and arm."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, nargs="+", default=[DEFAULT_WEIGHTS])
    parser.add_argument("--tables", type=Path, nargs="+", default=[])
    parser.add_argument("--k", type=int, nargs="+", default=[3, 4])
    parser.add_argument("--starts", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--set", choices=["all", "tuned", "untuned"], default="all")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--shapes", choices=list(_SETS), default="lines", help="where they stand")
    parser.add_argument("--blocks", type=int, default=1, help="how many 2048 to make")
    parser.add_argument("--first", type=float, help="the share of games that make 16384")
    parser.add_argument("--samples", type=Path, help="a CSV file of values and what came of them")
    args = parser.parse_args(argv)
    shapes = _SETS[args.shapes]
    if set(args.k) - set(shapes):
        parser.error(f"--shapes {args.shapes} has starts for k = {', '.join(map(str, shapes))}")
    step = 1 if args.set == "all" else 2
    starts = range(args.set == "untuned", args.starts * step, step)
    chances: dict[str, dict[int, float]] = {}
    for k in args.k:
        results: dict[str, list[Block]] = {}
        for path in args.weights:
            arm = Arm(path, tuple(args.tables), args.nodes, args.jobs, args.blocks, shapes)
            results[path.stem] = play_arm(arm, k, starts)
            _tell(k, path.stem, arm, starts, results[path.stem])
            won = sum(block.is_won for block in results[path.stem])
            chances.setdefault(path.stem, {})[k] = won / len(starts)
            if args.samples:
                _write(args.samples, path.stem, results[path.stem])
        for first, second in zip(results, list(results)[1:], strict=False):
            pairs = list(zip(results[first], results[second], strict=True))
            print(
                f"       only {first}: {sum(a.is_won and not b.is_won for a, b in pairs)}, "
                f"only {second}: {sum(b.is_won and not a.is_won for a, b in pairs)}",
                flush=True,
            )
    for name, found in chances.items() if args.first else ():
        _tell_milestones(name, args.first, found)


if __name__ == "__main__":
    main()
