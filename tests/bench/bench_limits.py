"""Tables with and without limits: the savings, and the loss in their rates.

    python -m tests.bench.bench_limits L3 512 --limits "--most-equal 2" --limits "--small-sum 160"

Builds the whole table and one for each ``--limits``, rates as uint16. Games are then
played by the whole one, with its best moves and random new tiles. For the positions that come up,
10,000 by default, each limited table is checked: whether it knows a rate of any move, how far its
best rate is below the true one, and the loss of playing its best move. docs/benchmarks.md has the
lines.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np

from engine.bitboard import cells
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.probe.probes import Rates
from tablebase.probe.rate_profile import profile_starts
from tablebase.probe.reader import Tablebase
from tests.bench.bench_build import build


def positions_of_games(table: Tablebase, n: int) -> list[tuple[int, Rates]]:
    """Return positions of games that the table plays, with their rates."""
    found: list[tuple[int, Rates]] = []
    seed = 0
    goal = table.target.bit_length() - 1
    while len(found) < n:
        rng, seed = Rng(seed), seed + 1
        board = table.start_board(rng)
        while len(found) < n:
            rates = table.held_rates(board)
            known = {d: rate for d, rate in enumerate(rates or ()) if rate is not None}
            if rates is None or not known:
                break
            found.append((board, rates))
            after = move(board, max(known, key=known.__getitem__), table.formation.walls)
            if goal in cells(after):
                break
            board = spawn(after, rng, table.spawn4)[0]
    return found


def compare(limited: Tablebase, positions: list[tuple[int, Rates]]) -> str:
    """Return, in words, a limited table's rates of positions compared with the true ones."""
    lower: list[float] = []
    lost: list[float] = []
    for board, rates in positions:
        best = max(rate for rate in rates if rate is not None)
        told = limited.held_rates(board) or (None,) * 4
        known = {d: rate for d, rate in enumerate(told) if rate is not None}
        if known:
            chosen = max(known, key=known.__getitem__)
            lower.append(best - known[chosen])
            lost.append(best - (rates[chosen] or 0.0))
    return (
        f"knows {len(lower) / len(positions):.2%} of {len(positions):,} positions, rates lower by "
        f"{np.mean(lower):.5f} (worst {max(lower):.4f}); its moves lose {np.mean(lost):.6f} "
        f"(worst {max(lost):.4f})"
    )


def measure(pattern: str, target: int, folder: Path, options: list[str]) -> Tablebase:
    """Build a table, print its cost and the rate of a new game; return it, opened."""
    done = build(pattern, target, folder, *options)
    table = Tablebase.open(folder / f"{pattern}_{target}")
    starts = profile_starts(table)
    print(
        f"{pattern} {target} {' '.join(options)}: {done['boards']:,} boards, "
        f"{done['stored']:,} stored, {done['cpu_s']:.1f} CPU-s, "
        f"{done['peak_rss_bytes'] / 2**20:.0f} MiB, {done['bytes']:,} bytes; "
        f"best start {starts.best or 0:.6f}, worst {starts.worst or 0:.6f}",
        flush=True,
    )
    return table


def main() -> None:
    """Compare the tables that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pattern")
    parser.add_argument("target", type=int)
    parser.add_argument("--limits", action="append", default=[], help="options of build, one text")
    parser.add_argument("--rate", default="uint16")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, help="where to build (default: a temporary folder)")
    args = parser.parse_args()
    common = ["--threads", str(args.threads), "--rate", args.rate]
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        with measure(args.pattern, args.target, Path(name) / "whole", common) as whole:
            positions = positions_of_games(whole, args.positions)
        for i, limits in enumerate(args.limits):
            folder = Path(name) / f"limited{i}"
            with measure(args.pattern, args.target, folder, [*common, *limits.split()]) as limited:
                print(f"    {compare(limited, positions)}", flush=True)


if __name__ == "__main__":
    main()
