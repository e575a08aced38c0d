"""How often the AI makes the next 2048 beside large tiles: ``python -m tests.bench.bench_blocks``.

From 16384 on a game is the same task again and again: make the next 2048 beside k large tiles that
are all different. Games start with these tiles in place on an otherwise empty board, and count as
won once another 2048 was made. Twenty minutes of them tell what a hundred whole games cannot.

    python -m tests.bench.bench_blocks --k 3 4 --starts 100 --nodes 3000
    python -m tests.bench.bench_blocks --weights old.json new.json      # arms on the same starts

All arms play the same starts with the same seeds; the table says how many each won, with a 95 %
interval (Wilson), and of two arms how many starts only one of them won. Starts of even number were
used to tune weights, those of odd number never: ``--set untuned`` plays only the latter.
"""

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ai.evaluation.evaluation import DEFAULT_WEIGHTS, load_evaluation
from ai.search.search import Search
from engine.kernels.cells import slide_cells, spawn_in_cells

SHAPES = {
    3: (((0, 14), (1, 13), (2, 12)), ((0, 14), (1, 13), (4, 12)), ((0, 13), (1, 14), (2, 12))),
    4: (
        ((0, 14), (1, 13), (4, 12), (5, 11)),
        ((0, 14), (1, 13), (2, 12), (4, 11)),
        ((0, 14), (1, 13), (4, 11), (5, 12)),
        ((0, 13), (1, 14), (2, 12), (4, 11)),
    ),
    5: (
        ((0, 14), (1, 13), (2, 12), (4, 10), (5, 11)),
        ((0, 14), (1, 13), (2, 12), (3, 11), (4, 10)),
    ),
}
"""Cells and exponents of the large tiles, by how many there are. Beside five the block is 1024."""
_SPAWN4 = 0.1
_MOST_MOVES = 5000
_Z = 1.96


def block_of(k: int) -> int:
    """Return the exponent of the tile to be made beside k large ones."""
    return 11 if k < 5 else 10


def play_block(search: Search, k: int, start: int, nodes: int) -> tuple[bool, int]:
    """Play one start; return whether the tile was made, and after how many moves it ended."""
    shape = SHAPES[k][start % len(SHAPES[k])]
    cells, state = np.zeros(16, np.uint8), np.array([1000 * k + start], np.uint64)
    for cell, exponent in shape:
        cells[cell] = exponent
    target = large_sum(cells, k) + (1 << block_of(k))
    spawn_in_cells(cells, state, _SPAWN4)
    spawn_in_cells(cells, state, _SPAWN4)
    search.forget()
    for n_moves in range(_MOST_MOVES):
        if large_sum(cells, k) >= target:
            return True, n_moves
        answer = search.by_nodes(cells.tolist(), nodes)
        if answer.direction is None:
            return False, n_moves
        slide_cells(cells, answer.direction)
        spawn_in_cells(cells, state, _SPAWN4)
    return False, _MOST_MOVES


def large_sum(cells: np.ndarray, k: int) -> int:
    """Return the sum of the tiles that are at least as large as the block, in face value."""
    return sum(1 << int(tile) for tile in cells if tile >= block_of(k))


def interval(won: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson, 1927)."""
    share, z2 = won / n, _Z * _Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return middle - half, middle + half


def main(argv: Sequence[str] | None = None) -> None:
    """Play, and print a line for each number of large tiles and arm."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, nargs="+", default=[DEFAULT_WEIGHTS])
    parser.add_argument("--k", type=int, nargs="+", default=[3, 4], choices=sorted(SHAPES))
    parser.add_argument("--starts", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--set", choices=["all", "tuned", "untuned"], default="all")
    args = parser.parse_args(argv)
    step = 1 if args.set == "all" else 2
    starts = range(args.set == "untuned", args.starts * step, step)
    for k in args.k:
        results = {}
        for path in args.weights:
            search = Search(load_evaluation(path))
            games = [play_block(search, k, start, args.nodes) for start in starts]
            wins = results[path.name] = [is_won for is_won, _ in games]
            low, high = interval(sum(wins), len(wins))
            early = sum(not is_won and moves < 450 for is_won, moves in games)
            print(
                f"k = {k}  {path.name:24}  {sum(wins)} of {len(wins)}"
                f"  {sum(wins) / len(wins):.3f} ({low:.3f} to {high:.3f})"
                f"  lost before move 450: {early}",
                flush=True,
            )
        for first, second in zip(results, list(results)[1:], strict=False):
            pairs = list(zip(results[first], results[second], strict=True))
            print(
                f"       only {first}: {sum(a and not b for a, b in pairs)}, "
                f"only {second}: {sum(b and not a for a, b in pairs)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
