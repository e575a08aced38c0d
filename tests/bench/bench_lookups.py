"""What lookups cost in games: ``python -m tests.bench.bench_lookups --tables DIR``.

    python -m tests.bench.bench_lookups --tables tables --start e1dcba9800000000 --games 4

Games of the main player start from a board, and every lookup is timed: of the position itself
(`rates`), and all lookups of one search for the positions ahead (`ahead`). Seconds are those of the
thread, as other programs may be running; with ``--cold`` every game starts with freshly opened
tables whose files are out of the system's memory, and wall time counts as well. Otherwise the
second half of the games is reported separately: tables are warm then.
"""

import argparse
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ai.dispatch.cached_table import CachedTable
from ai.dispatch.leaf_rates import LeafRates
from ai.match.players import MainPlayer
from engine.bitboard import cells, parse_board

Times = dict[str, list[tuple[float, float]]]


def timed(times: Times, name_of: Callable[[Any], str], asked: Callable[..., Any]) -> Any:
    """Return a method that notes how long each call took: of the thread, and on the wall."""

    def call(one: Any, *args: Any) -> Any:
        cpu, wall = time.thread_time(), time.perf_counter()
        try:
            return asked(one, *args)
        finally:
            took = time.thread_time() - cpu, time.perf_counter() - wall
            times[name_of(one)].append(took)

    return call


def forget_files(folder: Path) -> None:
    """Ask the system to forget what it keeps of the files in a folder."""
    for path in folder.rglob("*.tbl"):
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def line(name: str, times: list[tuple[float, float]]) -> str:
    """Return a line with the times of one kind of lookup."""
    cpu, wall = 1000 * np.array(times).T
    return (
        f"{name:<22} {cpu.size:>7,}  mean {cpu.mean():7.3f}  median {np.median(cpu):7.3f}  "
        f"p95 {np.quantile(cpu, 0.95):7.3f}  worst {cpu.max():8.3f} ms of CPU   "
        f"wall: mean {wall.mean():7.3f}  p95 {np.quantile(wall, 0.95):8.3f}"
    )


def main() -> None:
    """Play, and print the times of lookups."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, nargs="+", required=True)
    parser.add_argument("--start", nargs="+", default=["edcba90000000000"])
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--cold", action="store_true")
    args = parser.parse_args()
    times: Times = defaultdict(list)
    rates, ahead = CachedTable.rates, LeafRates.__call__
    player = MainPlayer(tables=args.tables)
    # After the player was made: loading compiled code does not count.
    CachedTable.rates = timed(times, lambda one: f"rates {one.name}", rates)  # type: ignore[method-assign]
    LeafRates.__call__ = timed(times, lambda _: "ahead", ahead)  # type: ignore[method-assign]
    for part in ("cold",) if args.cold else ("fresh", "warm"):
        sources: Counter[str] = Counter()
        times.clear()
        for start in args.start:
            board = cells(parse_board(start))
            for seed in range(args.games):
                if args.cold:
                    for folder in args.tables:
                        forget_files(folder)
                    player = MainPlayer(tables=args.tables)
                game = player.play(
                    seed + (part == "warm") * args.games, nodes=args.nodes, start=board
                )
                sources.update(game.sources)
        print(part, dict(sources))
        for name in sorted(times):
            print(line(name, times[name]))


if __name__ == "__main__":
    main()
