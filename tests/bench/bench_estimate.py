"""Estimates compared with the finished tables; run by hand.

    python -m tests.bench.bench_estimate 442_128 L3_128 444_64           # build them, compare
    python -m tests.bench.bench_estimate --constants                     # the usual ones for times
    python -m tests.bench.bench_estimate --known tablebase/plan/known_costs.json 442_512 L3_512
    python -m tests.bench.bench_estimate --tables DIR --known tablebase/plan/known_costs.json
    python -m tests.bench.bench_estimate --sample tablebase/plan/sampled_costs.json   # an hour

Every table is estimated without knowing anything about its formation, then built, and the ratios
estimate / truth are printed; with ``--trend`` also estimates extrapolated from smaller targets. At
the end come the processor times that would have been right, ready for tablebase/plan/estimate.py:
run this when kernels have become faster, on an idle machine. With ``--known`` the counts are added
to that file; with ``--tables`` nothing is built: the finished tables in a folder are counted.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import median

from tablebase.build.builder import BuildPlan, build
from tablebase.formation.formation import Formation, buildable_targets
from tablebase.formation.patterns_file import load_formations
from tablebase.plan.advise import worth
from tablebase.plan.estimate import (
    CPU_S_PER_IMAGE,
    CPU_S_PER_LAYER,
    CPU_S_PER_SLOT,
    MIN_CPU_S,
    RATE_BYTES,
    USUAL,
    cpu_s_beyond_cache,
    estimate,
    images_per_board,
    memory_for,
    turns_of,
    work_of,
)
from tablebase.plan.exact_count import count_boards, layer_slots
from tablebase.plan.known_costs import Counted, Known, digest, load_known
from tablebase.plan.sampling import TRIES
from tablebase.store.manifest import load_manifest

HEAD = (
    "table         source        boards  stored   bytes  memory     cpu | estimated in "
    "| B/stored  cpu-s  ns/image"
)
# Of every kind of work some that take a minute together; free8 takes three by itself.
TABLES_FOR_TIMES = [
    "L3_128",
    "442_128",
    "442_256",
    "3x3_256",
    "3x3_512",
    "444_64",
    "t_64",
    "t_128",
    "L3t_64",
    "L3f_64",
    "free8_64",
]
ABOUT = (
    "Counted in tables that were built; "
    "bytes as with rates of uint32, reckoned where they were uint16 or sparse. "
    "Written by tests/bench/bench_estimate.py."
)
ABOUT_SAMPLES = (
    "Samples of large tables, where nothing was counted that tells more; bytes as with rates of "
    "uint32. Written by tests/bench/bench_estimate.py --sample."
)
MIN_TOLD_BY_S = 2.0
Found = tuple[str, int, Counted, float, int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="PATTERN_TARGET")
    parser.add_argument("--constants", action="store_true", help="build the usual tables")
    parser.add_argument("--tables", dest="folder", type=Path, help="count finished tables instead")
    parser.add_argument("--known", type=Path, help="add what was counted to this file")
    parser.add_argument("--trend", action="store_true", help="compare what smaller targets tell")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--sample", type=Path, metavar="FILE", help="add to it what advice has to sample"
    )
    args = parser.parse_args()
    if args.sample:
        add_samples(args.sample)
        return
    tables = [*args.tables, *(TABLES_FOR_TIMES if args.constants else ())]
    found = finished(args.folder) if args.folder else built(tables, args.threads)
    print(HEAD)
    known = load_known(args.known) if args.known else {}
    formations = load_formations()
    seconds: dict[str, list[float]] = {}
    for name, target, counted, cpu_s, peak in found:
        compare(formations[name], target, counted, cpu_s, peak, with_trend=args.trend)
        if cpu_s > MIN_TOLD_BY_S:  # neither a table in a moment nor one that was not built here
            each = seconds_per_image(formations[name], target, counted, cpu_s)
            seconds.setdefault(work_of(formations[name]), []).append(each)
        known.setdefault(digest(formations[name]), {})[target] = counted
        if args.known:  # at once: the next one may take hours
            names = {digest(formation): formation.name for formation in formations.values()}
            shipped = {key: counts for key, counts in known.items() if key in names}
            args.known.write_text(known_text(shipped, names), encoding="utf-8")
    right = {work: float(f"{median(each):.2g}") for work, each in seconds.items()}
    print(f"CPU_S_PER_IMAGE = {CPU_S_PER_IMAGE | right}")


def add_samples(path: Path) -> None:
    """Sample the tables that advice would sample, those with the least memory first."""
    sampled = {key: dict(counts) for key, counts in load_known(path).items()}
    formations = load_formations()
    names = {digest(formation): formation.name for formation in formations.values()}
    tables = [
        (memory_for(formation, target), formation.name, target)
        for formation in formations.values()
        for target in buildable_targets(formation)
        if worth(formation, target)
    ]
    for memory_bytes, name, target in sorted(tables):
        formation = formations[name]
        if target in sampled.get(digest(formation), {}):
            continue
        began = time.process_time()
        cost = estimate(formation, target, known=load_known())
        if cost.source == "samples":
            found = Counted(cost.boards, cost.stored, cost.bytes)
            sampled.setdefault(digest(formation), {})[target] = found
            path.write_text(known_text(sampled, names, ABOUT_SAMPLES), encoding="utf-8")
            took = time.process_time() - began
            print(f"{name}_{target} {memory_bytes / 1e9:.1f} GB {took:.0f} s", flush=True)


def known_text(known: Known, names: Mapping[str, str], about: str = ABOUT) -> str:
    """Return the text of a file of costs; `names` says what each digest is called."""
    entries = [
        {
            "formation": names[key],
            "digest": key,
            "target": target,
            "boards": counted.boards,
            "stored": counted.stored,
            "bytes": counted.bytes,
        }
        for key in sorted(known, key=lambda key: names[key])
        for target, counted in sorted(known[key].items())
    ]
    lines = ",\n".join("    " + json.dumps(entry) for entry in entries)
    return f'{{\n  "about": {json.dumps(about)},\n  "tables": [\n{lines}\n  ]\n}}\n'


def built(tables: list[str], threads: int) -> Iterator[Found]:
    """Build each table in a folder that is thrown away."""
    formations = load_formations()
    for table in tables:
        name, target = table.split("_")
        warm_up(formations[name], threads)
        began = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            plan = BuildPlan(formations[name], int(target), Path(folder) / table, threads=threads)
            result = build(plan)
        cpu_s = time.process_time() - began
        counted = Counted(result.boards, result.stored, result.bytes)
        yield name, int(target), counted, cpu_s, result.peak_rss_bytes


@cache
def warm_up(formation: Formation, threads: int) -> None:
    """Fill the compiler's cache, or load it, with what tables of this kind need."""
    if formation.n_movable and not formation.walls:
        count_boards(load_formations()["L3t"], 64, threads)
    with tempfile.TemporaryDirectory() as folder:
        build(BuildPlan(load_formations()["2x4"], 64, Path(folder) / "2x4_64", threads=threads))


def finished(folder: Path) -> Iterator[Found]:
    """Count the complete tables in a folder that are of the formations as they are now.

    Rates may be of 16 bits: bytes are what those of 32 would take, as estimates take it.
    """
    formations = load_formations()
    for path in sorted(folder.glob("*_*/manifest.json")):
        table = load_manifest(path.parent)
        formation = formations.get(table.formation.name)
        plain = replace(table.options, rate=USUAL.rate)
        if not (table.complete and plain == USUAL and isinstance(table.target, int)):
            continue
        if formation and digest(formation) == digest(table.formation):
            n_bytes = round(table.bytes / RATE_BYTES[table.rate])
            counted = Counted(table.boards, table.stored, n_bytes)
            yield formation.name, table.target, counted, float("nan"), 0


def seconds_per_image(formation: Formation, target: int, truth: Counted, cpu_s: float) -> float:
    """Return the `CPU_S_PER_IMAGE` that would have been right for one table."""
    slots = layer_slots(formation, target)
    fixed = MIN_CPU_S + sum(slots) * CPU_S_PER_SLOT + len(slots) * CPU_S_PER_LAYER
    each = (cpu_s - fixed) / (truth.boards * images_per_board(formation) / turns_of(formation))
    return each - cpu_s_beyond_cache(max(slots))


def compare(
    formation: Formation, target: int, truth: Counted, cpu_s: float, peak: int, *, with_trend: bool
) -> None:
    """Print the ratios of estimates to the truth."""
    counts = load_known().get(digest(formation), {})
    smaller = {t: counted for t, counted in counts.items() if t < target}
    ways: list[tuple[Known, int]] = [({}, TRIES)]
    if with_trend and smaller:
        ways.append(({digest(formation): smaller}, 1))
    for known, tries in ways:
        began = time.process_time()
        cost = estimate(formation, target, known=known, tries=tries)
        took = time.process_time() - began
        ratios = (
            cost.boards / truth.boards,
            cost.stored / max(1, truth.stored),
            cost.bytes / max(1, truth.bytes or 0),
            cost.memory_bytes / peak if peak else float("nan"),
            cost.cpu_s / cpu_s,
        )
        each = seconds_per_image(formation, target, truth, cpu_s)
        print(
            f"{formation.name + '_' + str(target):13s} {cost.source:12s} "
            + " ".join(f"{ratio:7.2f}" for ratio in ratios)
            + f" | {took:7.1f} cpu-s | {(truth.bytes or 0) / max(1, truth.stored):8.2f} "
            f"{cpu_s:6.1f} {1e9 * each:9.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
