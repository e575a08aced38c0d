"""How long a lookup takes: the first one after opening a table, then the median of many.

python -m tests.bench.bench_probe TABLE_FOLDER [--boards 1000]

Two ways to ask: boards of random layers, and a game played by the table, as a player does. For a
sparse table, layers with and without a file are reported separately.
"""

import argparse
import statistics
import time
from pathlib import Path

from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.formation.formation import half_sum
from tablebase.probe.reader import Tablebase


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


def positions_of_games(path: Path, n: int) -> list[int]:
    """Return the positions of games that a table plays, the target not yet reached."""
    rng, boards = Rng(2048), []
    with Tablebase.open(path) as table:
        board = table.start_board(rng)
        while len(boards) < n:
            probe = table.get(board)
            if probe is None or probe.best is None or probe.best_rate in (0.0, 1.0):
                board = table.start_board(rng)
                continue
            boards.append(board)
            board = spawn(move(board, probe.best, table.formation.walls), rng)[0]
    return boards


def show_times(path: Path, boards: list[int], what: str) -> None:
    """Print, in milliseconds, the first lookup of each kind and the median of the others."""
    times_ms: dict[bool, list[float]] = {False: [], True: []}
    with Tablebase.open(path) as table:
        omitted = table.manifest.omitted
        for board in boards:
            layer = half_sum(board) - table.formation.seed_half_sum
            start = time.perf_counter()
            table.get(board)
            times_ms[layer in omitted].append(1000 * (time.perf_counter() - start))
    for is_omitted, times in times_ms.items():
        if len(times) > 1:
            kind = "without a file" if is_omitted else "with a file"
            print(
                f"{path.name}, {what}, layers {kind}: first lookup {times[0]:.1f} ms, median of "
                f"{len(times) - 1} others {statistics.median(times[1:]):.2f} ms, "
                f"slowest {max(times[1:]):.2f} ms"
            )


def main() -> None:
    """Print the figures of one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--boards", type=int, default=1000)
    args = parser.parse_args()
    # Twice the same boards: the second time the machine has the files and the compiler's work.
    for what, boards in (
        ("a game", positions_of_games(args.table, args.boards)),
        ("random boards", stored_positions(args.table, args.boards)),
    ):
        show_times(args.table, boards, what)


if __name__ == "__main__":
    main()
