"""How many positions a second a table answers, and what machine code leaves to be asked alone.

python -m tests.bench.bench_many_probes TABLE_FOLDER [--boards 1000000] [--layers 20] [--rounds 5]

Positions come up: stored boards of some layers and a new tile on each, in random order. The cache
holds all that is asked for, so from the second round on the blocks are warm.
"""

import argparse
import statistics
import time
from pathlib import Path

import numpy as np

import endgame2048 as eg
from engine.spawn import Rng, spawn
from tablebase.probe.reader import Tablebase


def positions(path: Path, n: int, n_layers: int) -> np.ndarray:
    """Return positions (uint64[n]) of some layers, in random order."""
    chance, rng = np.random.default_rng(2048), Rng(2048)
    with Tablebase.open(path) as known:
        stored = [i for i, one in known.manifest.layers.items() if one.stored > n // n_layers]
        layers = stored[:: max(1, len(stored) // n_layers)][:n_layers]
    afters = []
    with eg.open_table(path) as table:
        for layer in layers:
            boards = table.boards(layer)
            afters.append(boards[chance.integers(0, boards.size, n // len(layers))])
    spawned = [spawn(board, rng)[0] for board in np.concatenate(afters).tolist()]
    return chance.permutation(np.array(spawned, np.uint64))


def main() -> None:
    """Print the figures of one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--boards", type=int, default=1_000_000)
    parser.add_argument("--layers", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    boards = positions(args.table, args.boards, args.layers)
    with eg.open_table(args.table, cache_bytes=8 << 30) as table:
        times = []
        for _ in range(1 + args.rounds):
            start, start_cpu = time.perf_counter(), time.process_time()
            answers = table.probe(boards)
            times.append((time.perf_counter() - start, time.process_time() - start_cpu))
        few = boards[:2000].tolist()
        start = time.perf_counter()
        for board in few:
            table.probe(board)
        alone = (time.perf_counter() - start) / len(few)
    with Tablebase.open(args.table) as known:
        left = 1 - known.many_probes(boards).is_told.mean()
    walls, cpus = ([1e-6 * boards.size / one[i] for one in times] for i in range(2))
    print(
        f"{args.table.name}: {boards.size:,} positions of {args.layers} layers, million a second: "
        f"first {walls[0]:.2f}, then median {statistics.median(walls[1:]):.2f} "
        f"({min(walls[1:]):.2f} to {max(walls[1:]):.2f}), by processor time "
        f"{statistics.median(cpus[1:]):.2f}; asked alone {1e6 * alone:.0f} us each; "
        f"{left:.2%} asked alone; best moves known of {(answers.best >= 0).mean():.2%}"
    )


if __name__ == "__main__":
    main()
