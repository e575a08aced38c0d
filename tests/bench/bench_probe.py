"""How long a look-up takes: the first one after opening a table, then the median of many.

python -m tests.bench.bench_probe TABLE_FOLDER [--boards 1000]
"""

import argparse
import statistics
import time
from pathlib import Path

from engine.spawn import Rng, spawn
from tablebase.reader import Tablebase


def stored_positions(path: Path, n: int) -> list[int]:
    """Return stored boards of random layers with a new tile on each."""
    rng, boards = Rng(2048), []
    with Tablebase.open(path) as table:
        layers = [one for one in table.manifest.layers.values() if one.stored]
        for _ in range(n):
            layer = layers[rng.below(len(layers) - 2)]
            board, _value = table.stored_board(layer.layer, rng.below(layer.stored))
            boards.append(spawn(board, rng)[0])
    return boards


def main() -> None:
    """Print both figures in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--boards", type=int, default=1000)
    args = parser.parse_args()
    times_ms = []
    boards = stored_positions(args.table, args.boards)
    with Tablebase.open(args.table) as table:
        for board in boards:
            start = time.perf_counter()
            table.get(board)
            times_ms.append(1000 * (time.perf_counter() - start))
    print(f"{args.table.name}: first look-up {times_ms[0]:.1f} ms, median of the others ", end="")
    print(f"{statistics.median(times_ms[1:]):.2f} ms, slowest {max(times_ms[1:]):.2f} ms")


if __name__ == "__main__":
    main()
