"""Whole builds, as processes: CPU and wall time, memory, bytes, and the seeds' exact rates.

    python -m tests.bench.bench_build [--runs 3] [--threads 2] [--exact] [PATTERN TARGET ...]

One build of each kind warms the compiler's cache first. ``--bars`` builds the tables of `BARS`, and
prints which of them are met. ``--exact`` builds float64 tables and compares rates with figures that
other programs computed; only for the named tables, if any. ``--plot FILE`` draws time and memory of
growing targets.
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
from tablebase.probe.reader import Tablebase
from tests.bench.growth_plot import growth_svg

ROOT = Path(__file__).parents[2]
# Rates of after-states, computed by other programs.
EXACT = {
    ("L3", 256): {"100000001fff2fff": 0.993780433463, "000000012fff1fff": 0.993763808100},
    ("442", 256): {"1000000021ffffff": 0.987891952472},
    ("3x3", 512): {"000f000f000fffff": 0.736774176978},
    ("2x4", 256): {"ffff00000000ffff": 0.869755862217},
    ("44", 256): {"00001000ffffffff": 0.124852514447},
    ("t", 256): {"10000000f1fff2ff": 0.997997702604},
    ("t", 512): {"10000000f1fff2ff": 0.866399132829},
    ("442t", 256): {"1000000021ffffff": 0.99586310476},
    ("L3", 512): {"100000001fff2fff": 0.833630053166},
    ("3x4", 64): {"000000000000ffff": 1.0},
    ("free8", 128): {"00001222ffffffff": 0.8980154284},
}
SMALL = [("L3", 256), ("442", 256), ("3x3", 512), ("2x4", 256), ("44", 256)]

# Upper limits for a build: CPU-seconds and bytes (None: no limit).
BARS: dict[tuple[str, int], tuple[float, float | None]] = {
    ("L3", 256): (11, 310e6),
    ("L3", 512): (26, 720e6),
    ("442", 512): (9, 190e6),
    ("t", 512): (45, 950e6),
    ("3x3", 512): (3, None),
    ("442t", 256): (75, None),
    ("3x4", 64): (30, 420e6),
    ("free8", 128): (300, 1500e6),
}
START_CPU_S = 0.5  # imports and the first calls, for any table
GROWTH = [("L3", 9), ("442", 9), ("t", 9)]  # formations, and the exponent of the largest target


def build(pattern: str, target: int, folder: Path, *options: str) -> dict[str, float]:
    """Build one table from scratch; return its "done" event."""
    shutil.rmtree(folder / f"{pattern}_{target}", ignore_errors=True)
    command = [sys.executable, str(ROOT / "main.py"), "build", pattern, str(target), "--json"]
    command += ["--out", str(folder), *options]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    done: dict[str, float] = json.loads(output.splitlines()[-1])
    return done


def time_builds(
    pattern: str, target: int, folder: Path, runs: int, options: list[str]
) -> dict[str, float]:
    """Print and return medians over several builds."""
    done = [build(pattern, target, folder, *options) for _ in range(runs)]
    names = ("cpu_s", "elapsed_s", "peak_rss_bytes", "boards", "stored", "bytes")
    median = {name: statistics.median(one[name] for one in done) for name in names}
    print(
        f"{pattern} {target} {' '.join(options)}, median of {runs}: {median['cpu_s']:.1f} CPU-s, "
        f"{median['elapsed_s']:.1f} s, {median['peak_rss_bytes'] / 2**20:.0f} MiB, "
        f"{median['boards']:,.0f} boards, {median['stored']:,.0f} stored, "
        f"{median['bytes']:,.0f} bytes, {median['bytes'] / median['stored']:.2f} a board"
    )
    return median


def compare_bars(
    folder: Path, runs: int, options: list[str], tables: list[tuple[str, int]]
) -> None:
    """Print which bars are met."""
    for pattern, target in tables:
        cpu_s, n_bytes = BARS[pattern, target]
        median = time_builds(pattern, target, folder, runs, options)
        met = median["cpu_s"] <= cpu_s, n_bytes is None or median["bytes"] <= n_bytes
        words = ["met" if one else "MISSED" for one in met]
        print(f"    time, at most {cpu_s:g} CPU-s: {words[0]}; size: {words[1]}")
        for board, known in EXACT.get((pattern, target), {}).items():
            with Tablebase.open(folder / f"{pattern}_{target}") as table:
                found = table.rate_of(parse_board(board))
            print(f"    {board} {found:.12f} off by {abs(found - known):.1e}")
        shutil.rmtree(folder / f"{pattern}_{target}")


def compare_seeds(pattern: str, target: int, folder: Path, rate: str) -> None:
    """Print how far the seeds' rates are from the known ones."""
    build(pattern, target, folder, "--rate", rate)
    with Tablebase.open(folder / f"{pattern}_{target}") as table:
        for seed, known in EXACT[pattern, target].items():
            found = table.rate_of(parse_board(seed))
            print(f"{pattern} {target} {rate} {seed} {found:.12f} off by {abs(found - known):.1e}")


def plot_growth(folder: Path, path: Path, runs: int, options: list[str]) -> None:
    """Draw CPU time a board and peak memory of growing targets as an SVG file."""
    lines: dict[str, list[tuple[int, float, float]]] = {}
    for pattern, last in GROWTH:
        for target in (1 << exponent for exponent in range(6, last + 1)):
            one = time_builds(pattern, target, folder, runs, options)
            shutil.rmtree(folder / f"{pattern}_{target}")
            a_board = (one["cpu_s"] - START_CPU_S) / one["boards"] * 1e9
            lines.setdefault(pattern, []).append((target, a_board, one["peak_rss_bytes"] / 2**20))
    path.write_text(growth_svg(lines), encoding="utf-8")


def main() -> None:
    """Run the builds that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="PATTERN TARGET")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--bars", action="store_true")
    parser.add_argument("--plot", type=Path, metavar="FILE")
    parser.add_argument("--options", default="", help="more options of build, in one text")
    args = parser.parse_args()
    options = ["--threads", str(args.threads), *args.options.split()]
    tables = list(zip(args.tables[::2], map(int, args.tables[1::2]), strict=True))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build("2x4", 64, folder)
        build("L3t", 64, folder)  # F tiles that move need another compilation
        if args.exact:
            for pattern, target in tables or SMALL:
                for rate in ("float64", "uint32"):
                    compare_seeds(pattern, target, folder, rate)
        elif args.bars:
            compare_bars(folder, args.runs, options, tables or list(BARS))
        elif args.plot:
            plot_growth(folder, args.plot, args.runs, options)
        else:
            for pattern, target in tables or [("L3", 256)]:
                time_builds(pattern, target, folder, args.runs, options)


if __name__ == "__main__":
    main()
