"""Tables built by machines of one processor each, and by as many threads: bytes and time.

    python -m tests.bench.bench_cluster [--runs 2] [--store 2048] [--lose LAYER] PATTERN TARGET ...

The machines are Ray's, all on this one: `ray.cluster_utils.Cluster`. Each has ``--store`` MiB for
objects; with less than layers need, objects are spilled and layers go through machines in cells.
``--lose`` kills a further machine when that layer is being solved. Every build is its own
process, as a user starts it; the CPU time of machines includes all of Ray's processes. Efficiency
is the time of the threads divided by that of the machines. Wall time is meaningful on an idle
machine; elsewhere the ratio of CPU times says more.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from ray.cluster_utils import Cluster as Machines

ROOT = Path(__file__).parent.parent.parent
TABLES = ("L3", "256", "free8", "64")


class Took(NamedTuple):
    """Seconds that a build took, by the clock, of processors, and of those outside of steps."""

    wall_s: float
    cpu_s: float
    other_s: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tables", nargs="*", default=TABLES, metavar="PATTERN TARGET")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--machines", type=int, default=2)
    parser.add_argument("--store", type=int, default=2048, metavar="MIB")
    parser.add_argument("--lose", type=int, metavar="LAYER")
    parser.add_argument("--options", default="", help="more for build, such as '--rate uint16'")
    parser.add_argument("--out", type=Path, help="where to build (default: a temporary folder)")
    args = parser.parse_args()
    os.environ["PYTHONPATH"] = str(ROOT)
    machine = {"num_cpus": 1, "object_store_memory": args.store << 20}
    machines = Machines(initialize_head=True, head_node_args=machine)
    for _ in range(args.machines - 1):
        machines.add_node(**machine)
    with tempfile.TemporaryDirectory(dir=args.out) as folder:
        for name, target in zip(args.tables[::2], args.tables[1::2], strict=True):
            for _ in range(args.runs):
                compare(machines, machine, [name, target], args, Path(folder))
    machines.shutdown()


def compare(
    machines: Any, machine: dict[str, int], table: list[str], args: Any, folder: Path
) -> None:
    one, other = folder / "threads", folder / "machines"
    more, n = args.options.split(), str(args.machines)
    threads = timed([*table, *more, "--threads", n, "--out", str(one)])
    print(f"{' '.join(table)}, {n} threads:  {threads.wall_s:.1f} s, {threads.cpu_s:.1f} CPU-s")
    lost = [] if args.lose is None else [machines.add_node(**machine)]

    def lose_one(progress: dict[str, Any]) -> None:
        if progress.get("phase") == "solve" and progress["layer"] <= (args.lose or 0) and lost:
            machines.remove_node(lost.pop(), allow_graceful=False)
            print(f"a machine lost at layer {progress['layer']}")

    address = ["--cluster", machines.address]
    spread = timed([*table, *more, *address, "--out", str(other)], lose_one)
    print(
        f"{' '.join(table)}, {n} machines: {spread.wall_s:.1f} s, {spread.cpu_s:.1f} CPU-s, of "
        f"them {spread.other_s:.1f} outside of steps"
    )
    print(
        f"efficiency: {threads.wall_s / spread.wall_s:.0%} of wall time, "
        f"{threads.cpu_s / spread.cpu_s:.0%} of CPU time; "
        f"bytes: {'the same' if are_same(one, other) else 'OTHER'}",
        flush=True,
    )
    shutil.rmtree(one)
    shutil.rmtree(other)


def timed(
    command: Sequence[str], on_progress: Callable[[dict[str, Any]], None] = lambda _progress: None
) -> Took:
    """Build; return the times, with all processes of the machines."""
    main_py = [sys.executable, str(ROOT / "main.py")]
    with Processors() as processors:
        began = time.monotonic()
        with subprocess.Popen(
            [*main_py, "build", *command, "--json"], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            told: dict[str, Any] = {}
            for line in process.stdout:
                told = json.loads(line)
                on_progress(told)
        wall_s = time.monotonic() - began
    assert told["event"] == "done", told
    return Took(wall_s, processors.busy_s, processors.busy_s - told["cpu_s"])


class Processors:
    """Counts the CPU time of all processes started by this one, directly or indirectly.

    It polls constantly: once a process has ended, its CPU time can't be read any more.
    """

    def __enter__(self) -> "Processors":
        self._known: dict[psutil.Process, float] = {}
        self._look()
        self._before = self._known.copy()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        self._look()
        self.busy_s = sum(took - self._before.get(one, 0.0) for one, took in self._known.items())

    def _watch(self) -> None:
        while not self._is_over.wait(0.2):
            self._look()

    def _look(self) -> None:
        for one in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                times = one.cpu_times()
                self._known[one] = times.user + times.system


def are_same(one: Path, other: Path) -> bool:
    names = sorted(str(path.relative_to(one)) for path in one.rglob("*.tbl"))
    return names == sorted(str(path.relative_to(other)) for path in other.rglob("*.tbl")) and all(
        (one / name).read_bytes() == (other / name).read_bytes() for name in names
    )


if __name__ == "__main__":
    main()
