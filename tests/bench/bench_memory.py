"""Builds within a memory limit: peaks of the process, and the same tables byte for byte.

    python -m tests.bench.bench_memory PATTERN TARGET [--limit 500M ...] [--rate TYPE] [--box 700M]

Builds the table without a limit and then within each limit given, each as a process of its own,
reads its memory from the system while it runs, and compares the files. Without ``--limit`` the
limit is a tenth of what the unlimited process takes at most. A build of a few boards shows what
Python and the compiled code take by themselves; the rest of a peak is arrays. Linux only.

With ``--box`` (as root, where memory has a control group of version 1) limited builds have so much
for everything, including files that the system caches: as on a machine with no more memory.
"""

import argparse
import hashlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.platform.cli.arguments import memory_size
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations
from tablebase.rank.space import Space

ROOT = Path(__file__).parents[2]
_LOOK_EVERY_S = 0.02
_KINDS = ("RssAnon", "RssFile", "RssShmem")
_BOX = Path("/sys/fs/cgroup/memory/bench_memory")


@dataclass(frozen=True)
class Peaks:
    """Peak memory of a process, in bytes: by the system's count, and its parts as polled."""

    whole: int
    anonymous: int
    mapped: int
    seconds: float
    cpu_s: float

    def __str__(self) -> str:
        """Return all peaks in one line, in millions of bytes."""
        return (
            f"peak {self.whole / 1e6:,.0f} MB (anonymous up to {self.anonymous / 1e6:,.0f}, mapped "
            f"files up to {self.mapped / 1e6:,.0f}) in {self.seconds:.0f} s, {self.cpu_s:.0f} of a "
            "processor"
        )


def run_watched(command: list[str], box: int | None = None) -> Peaks:
    """Run a process and return its peaks; CalledProcessError when it fails."""
    start, peaks, before = time.monotonic(), dict.fromkeys(("VmHWM", *_KINDS), 0), _children_s()
    if box:
        _BOX.mkdir(exist_ok=True)
        (_BOX / "memory.limit_in_bytes").write_text(str(box))
        join = 'echo $$ > "$0" && exec "$@"'
        command = ["sh", "-c", join, str(_BOX / "cgroup.procs"), *command]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            for name, size in _status(process.pid).items():
                peaks[name] = max(peaks.get(name, 0), size)
            time.sleep(_LOOK_EVERY_S)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    mapped = peaks["RssFile"] + peaks["RssShmem"]
    seconds = time.monotonic() - start
    return Peaks(peaks["VmHWM"], peaks["RssAnon"], mapped, seconds, _children_s() - before)


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _status(pid: int) -> dict[str, int]:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:  # it has just ended
        return {}
    pairs = (line.split() for line in lines if line.startswith(("VmHWM", "Rss")))
    return {name.rstrip(":"): int(size) * 1024 for name, size, _unit in pairs}


def build(
    name: str, target: int, parent: Path, options: Iterable[str], box: int | None = None
) -> Peaks:
    """Build a table from scratch."""
    shutil.rmtree(parent / f"{name}_{target}", ignore_errors=True)
    command = [sys.executable, str(ROOT / "main.py"), "build", name, str(target), "--json"]
    return run_watched([*command, "--out", str(parent), "--threads", "2", *options], box)


def digests(folder: Path) -> dict[str, str]:
    """Return a digest of each file of a table."""
    found = {}
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            found[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def describe(formation: Formation, target: int) -> None:
    """Print how large the largest layer is."""
    space = Space(formation, target, formation.n_layers(target))
    first = formation.seed_half_sum
    slots = max(space.n_slots(first + i) for i in range(space.n_layers))
    print(
        f"{formation.name} {target}: largest layer of {slots:,} slots, {slots / 8e6:,.0f} MB for "
        f"a bitmap and {slots / 4e6:,.0f} MB for an index; about five and four of them at a time, "
        "and the values"
    )


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pattern")
    parser.add_argument("target", type=int)
    parser.add_argument("--limit", type=memory_size, nargs="*", default=[])
    parser.add_argument("--box", type=memory_size)
    parser.add_argument("--rate", default="uint32")
    parser.add_argument("--folder", type=Path, help="where to build (default: a temporary folder)")
    args = parser.parse_args()
    describe(load_formations()[args.pattern], args.target)
    rate = ["--rate", args.rate]
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        parent = Path(name)
        build("2x4", 64, parent, rate)  # compiles whatever isn't compiled yet
        base = build("2x4", 64, parent, rate)
        print(f"2x4 64, hardly any arrays: {base}")
        free = build(args.pattern, args.target, parent, rate)
        arrays = free.whole - base.whole
        print(f"without a limit: {free}; arrays {arrays / 1e6:,.0f} MB", flush=True)
        table = parent / f"{args.pattern}_{args.target}"
        wanted = digests(table)
        for limit in args.limit or [free.whole // 10]:
            one = build(
                args.pattern, args.target, parent, [*rate, "--memory", str(limit)], args.box
            )
            same = digests(table) == wanted
            print(
                f"within {limit / 1e6:,.0f} MB: {one}; {free.whole / limit:.1f} times less than "
                f"without, and {arrays / max(limit - base.whole, 1):.1f} times less for arrays; "
                f"files are {'the same' if same else 'DIFFERENT'}",
                flush=True,
            )


if __name__ == "__main__":
    main()
