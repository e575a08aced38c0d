"""How soon the engine answers when asked to stop.

python -m tests.bench.bench_engine [--times N] [--tables DIR ...]

Starts the command `engine`, lets it search one of some boards for a while, sends `stop`, and
measures the time until `bestmove` comes.
"""

import argparse
import os
import random
import subprocess
import time
from pathlib import Path

from tests import child

BOARDS = ("1234000011001000", "1120000000000000", "abc9876123001000", "1020304050607000")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--tables", type=Path, nargs="+", default=[])
    args = parser.parse_args()
    words = ["--tables", *args.tables] if args.tables else []
    process = subprocess.Popen(
        child.command("engine", *words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=child.environment(),
    )
    assert process.stdin
    assert process.stdout
    rng, times_ms = random.Random(0), []
    _tell(process, "isready")
    _until(process, "readyok")
    for i in range(args.times):
        _tell(process, f"board {BOARDS[i % len(BOARDS)]}\ngo")
        time.sleep(0.05 + 0.4 * rng.random())
        began = time.perf_counter()
        _tell(process, "stop")
        _until(process, "bestmove")
        times_ms.append(1000 * (time.perf_counter() - began))
    _tell(process, "quit")
    process.wait()
    times_ms.sort()
    half, most = times_ms[len(times_ms) // 2], times_ms[int(len(times_ms) * 0.99)]
    print(
        f"{len(times_ms)} times: half within {half:.1f} ms, 99 % within {most:.1f} ms, all within "
        f"{times_ms[-1]:.1f} ms; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )


def _tell(process: "subprocess.Popen[str]", line: str) -> None:
    assert process.stdin
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def _until(process: "subprocess.Popen[str]", word: str) -> None:
    assert process.stdout
    while not process.stdout.readline().startswith(word):
        pass


if __name__ == "__main__":
    main()
