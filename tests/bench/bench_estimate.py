"""Estimates against what tables turn out to be; run by hand.

    python -m tests.bench.bench_estimate 442_128 L3_128 444_64           # build them, compare
    python -m tests.bench.bench_estimate --known tablebase/known_costs.json 442_512 L3_512
    python -m tests.bench.bench_estimate --tables DIR --known tablebase/known_costs.json

Every table is estimated twice: by what is known of smaller targets only (how well the trend does),
and without knowing anything (how well a formation of one's own is estimated). Then it is built and
the ratios estimate / truth are printed, with the constants that would have been right. With
``--known`` the counts are added to that file; with ``--tables`` nothing is built: the finished
tables in a folder are counted.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tablebase.builder import BuildPlan, build
from tablebase.estimate import CPU_S_PER_IMAGE, CPU_S_PER_SLOT, estimate
from tablebase.formation import load_formations
from tablebase.known_costs import Counted, digest, known_text, load_known
from tablebase.pilot import layer_slots
from tablebase.store.manifest import load_manifest

HEAD = (
    "table         source        boards  stored   bytes  memory     cpu | estimated in "
    "| B/stored  cpu-s  ns/board"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="PATTERN_TARGET")
    parser.add_argument("--tables", dest="folder", type=Path, help="count finished tables instead")
    parser.add_argument("--known", type=Path, help="add what was counted to this file")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    found = finished(args.folder) if args.folder else built(args.tables, args.threads)
    print(HEAD)
    known = load_known(args.known) if args.known else {}
    formations = load_formations()
    for name, target, counted, cpu_s, peak in found:
        compare(name, target, counted, cpu_s, peak)
        known.setdefault(digest(formations[name]), {})[target] = counted
        if args.known:  # at once: the next one may take hours
            names = {digest(formation): formation.name for formation in formations.values()}
            shipped = {key: counts for key, counts in known.items() if key in names}
            args.known.write_text(known_text(shipped, names), encoding="utf-8")


Found = tuple[str, int, Counted, float, int]


def built(tables: list[str], threads: int) -> Iterator[Found]:
    """Build each table in a folder that is thrown away."""
    formations = load_formations()
    for i, table in enumerate(["2x4_64", *tables]):
        name, target = table.split("_")
        began = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            plan = BuildPlan(formations[name], int(target), Path(folder) / table, threads=threads)
            result = build(plan)
        cpu_s = time.process_time() - began
        counted = Counted(result.boards, result.stored, result.bytes)
        if i > 0:  # the first one only warms the compiler's cache
            yield name, int(target), counted, cpu_s, result.peak_rss_bytes


def finished(folder: Path) -> Iterator[Found]:
    """Count the complete tables in a folder that are of the formations as they are now."""
    formations = load_formations()
    for path in sorted(folder.glob("*_*/manifest.json")):
        table = load_manifest(path.parent)
        formation = formations.get(table.formation.name)
        usual = table.spawn4 == 0.1 and table.rate == "uint32"
        if formation and digest(formation) == digest(table.formation) and table.complete and usual:
            counted = Counted(table.boards, table.stored, table.bytes)
            yield formation.name, table.target, counted, float("nan"), 0


def compare(name: str, target: int, truth: Counted, cpu_s: float, peak: int) -> None:
    """Print the ratios of two estimates to the truth."""
    formation = load_formations()[name]
    counts = load_known().get(digest(formation), {})
    smaller = {digest(formation): {t: c for t, c in counts.items() if t < target}}
    slots = sum(layer_slots(formation, target))
    for known in (smaller, {}):
        began = time.perf_counter()
        cost = estimate(formation, target, known=known)
        took = time.perf_counter() - began
        ratios = (
            cost.boards / truth.boards,
            cost.stored / max(1, truth.stored),
            cost.bytes / max(1, truth.bytes or 0),
            cost.memory_bytes / peak if peak else float("nan"),
            cost.cpu_s / cpu_s,
        )
        print(
            f"{name + '_' + str(target):13s} {cost.source:12s} "
            + " ".join(f"{ratio:7.2f}" for ratio in ratios)
            + f" | {took:9.1f} s  | {(truth.bytes or 0) / max(1, truth.stored):8.2f} {cpu_s:6.1f} "
            f"{1e9 * (cpu_s - slots * CPU_S_PER_SLOT) / truth.boards:9.0f}",
            flush=True,
        )
    print(
        f"{'':26s} slots {slots:.3g}, boards {truth.boards:.3g}; "
        f"now {CPU_S_PER_IMAGE * 1e9:.0f} ns an image and {CPU_S_PER_SLOT * 1e9:.1f} ns a slot"
    )


if __name__ == "__main__":
    main()
