"""Whole builds, as processes: CPU and wall time, memory, bytes, and the seeds' exact rates.

    python -m tests.bench.bench_build [--runs 3] [--threads 2] [--exact] [PATTERN TARGET ...]

One build warms the compiler's cache first. ``--exact`` builds float64 tables and compares the rates
of their seeds with figures computed by another program (issue 2).
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from engine.bitboard import parse_board
from tablebase.reader import Tablebase

ROOT = Path(__file__).parents[2]
EXACT = {
    ("L3", 256): {"100000001fff2fff": 0.993780433463, "000000012fff1fff": 0.993763808100},
    ("442", 256): {"1000000021ffffff": 0.987891952472},
    ("3x3", 512): {"000f000f000fffff": 0.736774176978},
    ("2x4", 256): {"ffff00000000ffff": 0.869755862217},
}


def build(pattern: str, target: int, folder: Path, *options: str) -> dict[str, float]:
    """Build one table from nothing; return its "done" event."""
    shutil.rmtree(folder / f"{pattern}_{target}", ignore_errors=True)
    command = [sys.executable, str(ROOT / "main.py"), "build", pattern, str(target), "--json"]
    command += ["--out", str(folder), *options]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    done: dict[str, float] = json.loads(output.splitlines()[-1])
    return done


def time_builds(pattern: str, target: int, folder: Path, runs: int, threads: int) -> None:
    """Print medians over several builds."""
    done = [build(pattern, target, folder, "--threads", str(threads)) for _ in range(runs)]

    def median(name: str) -> float:
        return statistics.median(one[name] for one in done)

    print(
        f"{pattern} {target}, {threads} threads, median of {runs}: {median('cpu_s'):.1f} CPU-s, "
        f"{median('elapsed_s'):.1f} s, {median('peak_rss_bytes') / 2**20:.0f} MiB, "
        f"{done[0]['boards']:,} boards, {done[0]['stored']:,} stored, {done[0]['bytes']:,} bytes, "
        f"{done[0]['bytes'] / done[0]['stored']:.2f} bytes per board"
    )


def compare_seeds(pattern: str, target: int, folder: Path, rate: str) -> None:
    """Print how far the seeds' rates are from the known ones."""
    build(pattern, target, folder, "--rate", rate)
    with Tablebase.open(folder / f"{pattern}_{target}") as table:
        for seed, known in EXACT[pattern, target].items():
            found = table.rate_of(parse_board(seed))
            print(f"{pattern} {target} {rate} {seed} {found:.12f} off by {abs(found - known):.1e}")


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=["L3", "256"], metavar="PATTERN TARGET")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--exact", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build("2x4", 64, folder)
        if args.exact:
            for pattern, target in EXACT:
                for rate in ("float64", "uint32"):
                    compare_seeds(pattern, target, folder, rate)
            return
        for pattern, target in zip(args.tables[::2], map(int, args.tables[1::2]), strict=True):
            time_builds(pattern, target, folder, args.runs, args.threads)


if __name__ == "__main__":
    main()
