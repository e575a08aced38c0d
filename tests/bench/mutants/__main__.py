"""Try whether the tests notice small faults: ``python -m tests.bench.mutants --n 200 --jobs 2``.

Mutants are drawn at random, as many from each area. Each is judged by the tests that call the
function it is in, the quickest of the nearest test files first. Verdicts are kept in the work
folder: the same command resumes where it was stopped, ``--report`` only prints what is known.
The checkout is copied and never changed. Needs Linux or macOS.
"""

import argparse
import ast
import difflib
import json
import random
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from .areas import AREAS, files_of
from .nearby import Nearby
from .operators import Mutant, functions_of, is_python, mutants_of
from .workshop import Known, Verdict, Workshop

ROOT = Path(__file__).parents[3]
KILLED = ("killed", "timeout")
QUICK, NOT_SLOW = "not slow and not thorough", "not slow"
_NEAREST = 3


def main() -> int:
    """Judge the mutants that are missing; print the report."""
    args = _arguments()
    args.work.mkdir(parents=True, exist_ok=True)
    workshop = Workshop(ROOT, args.work, QUICK if args.quick else NOT_SLOW)
    drawn = draw(args.only or list(AREAS), args.n, args.seed, workshop.tree)
    log = Log(args.work / f"judged{'-quick' * args.quick}.jsonl", workshop.tree)
    if args.again:
        log.forget_survivors()
    missing = [(area, mutant) for area, mutant in drawn if log.find(mutant) is None]
    nearby = Nearby(workshop.tree)

    def judge(job: tuple[str, Mutant]) -> None:
        area, mutant = job
        verdict = Verdict("not run", 0.0)
        files = nearby.test_files(mutant.path, args.files)
        # The nearest files notice most mutants: then the calls of the others need not be known.
        for some in (files[:_NEAREST], files[_NEAREST:]):
            found = workshop.judge(mutant, choose(mutant, workshop, some, args.seconds))
            verdict = found.after(verdict)
            if verdict.result in KILLED:
                break
        log.add(area, mutant, verdict)
        where = f"{mutant.path}:{mutant.line}"
        print(f"{verdict.result:9} {verdict.seconds:5.1f} s  {where}  {mutant.kind}", flush=True)

    if not args.report:
        with ThreadPoolExecutor(args.jobs) as pool:
            for _ in pool.map(judge, missing):
                pass
    return report(drawn, log, workshop.tree)


def draw(areas: list[str], n: int, seed: int, tree: Path) -> list[tuple[str, Mutant]]:
    """Return `n` mutants, the areas in turn; a larger `n` starts with the same ones."""
    queues = []
    for area in areas:
        found: list[Mutant] = []
        for path in files_of(area, tree):
            source = (tree / path).read_text(encoding="utf-8")
            found += mutants_of(path.as_posix(), source)
        random.Random(f"{seed} {area}").shuffle(found)
        queues.append([(area, mutant) for mutant in found])
    turns = (one for turn in zip(*queues, strict=False) for one in turn)
    good = (
        one for one in turns if is_python(one[1], (tree / one[1].path).read_text(encoding="utf-8"))
    )
    return list(islice(good, n))


def choose(mutant: Mutant, workshop: Workshop, files: Sequence[str], most_s: float) -> list[Known]:
    """Return the tests for a mutant: those that call its function, as many as the time allows."""
    wanted = {f"{mutant.path}::{name}" for name in _users(mutant, workshop.tree)}
    ranked: list[tuple[float, int, Known]] = []
    for i, path in enumerate(files):
        for test in workshop.tests_of(path):
            if test.called & wanted:
                # The nearest files first, unless they take long.
                ranked.append((test.seconds * (1 + i), len(ranked), test))
    chosen, total = [], 0.0
    for _, _, test in sorted(ranked):
        if chosen and total + test.seconds > most_s:
            continue
        chosen.append(test)
        total += test.seconds
    return chosen


def _users(mutant: Mutant, tree: Path) -> list[str]:
    """Return the functions that depend on a mutant; "" stands for any function of the file."""
    if mutant.where != "(module)" and not mutant.names:
        return [mutant.where]
    source = (tree / mutant.path).read_text(encoding="utf-8")
    users = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
            if names & set(mutant.names):
                users.append(node.name)
    named = {
        name
        for _, _, name in functions_of(source)
        if name in users or name.rpartition(".")[2] in users
    }
    return sorted(named) or [""]


class Log:
    """The verdicts, one JSON object per line; those on changed files do not count."""

    def __init__(self, path: Path, tree: Path) -> None:
        self._path, self._tree, self._lock = path, tree, threading.Lock()
        self._known: dict[str, dict[str, Any]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                self._known[entry["id"]] = entry

    def find(self, mutant: Mutant) -> dict[str, Any] | None:
        """Return the verdict on a mutant."""
        return self._known.get(self._id(mutant))

    def add(self, area: str, mutant: Mutant, verdict: Verdict) -> None:
        """Keep a verdict."""
        entry = {"id": self._id(mutant), "area": area, **asdict(mutant), **asdict(verdict)}
        with self._lock:
            self._known[entry["id"]] = entry
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")

    def forget_survivors(self) -> None:
        """Have them judged again: the tests may know more by now."""
        self._known = {k: one for k, one in self._known.items() if one["result"] in KILLED}

    def _id(self, mutant: Mutant) -> str:
        size = (self._tree / mutant.path).stat().st_size
        return f"{mutant.key} {size}"


def report(drawn: list[tuple[str, Mutant]], log: Log, tree: Path) -> int:
    """Print the share killed per area, and every survivor with its difference."""
    counts: Counter[tuple[str, str]] = Counter()
    survivors = []
    for area, mutant in drawn:
        entry = log.find(mutant)
        result = entry["result"] if entry else "to do"
        counts[area, result] += 1
        if entry and result not in KILLED:
            survivors.append((area, mutant, result))
    for area, mutant, result in survivors:
        print(f"\n{result} [{area}] {mutant.path}:{mutant.line} {mutant.where}: {mutant.kind}")
        print(difference(mutant, tree))
    print(f"\n{'area':10} judged  killed")
    for area in (*AREAS, "all"):
        chosen = {k: v for k, v in counts.items() if area in (k[0], "all") and k[1] != "to do"}
        total = sum(chosen.values())
        killed = sum(v for k, v in chosen.items() if k[1] in KILLED)
        if total:
            print(f"{area:10} {total:6}  {killed:6}  {100 * killed / total:3.0f} %")
    return 0


def difference(mutant: Mutant, tree: Path) -> str:
    """Return the lines that a mutant changes."""
    source = (tree / mutant.path).read_text(encoding="utf-8")
    lines = difflib.unified_diff(
        source.splitlines(), mutant.apply(source).splitlines(), n=0, lineterm=""
    )
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.mutants", description=__doc__)
    parser.add_argument("--n", type=int, default=200, help="mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=AREAS, metavar="AREA", help=", ".join(AREAS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--files", type=int, default=12, help="nearest test files looked at")
    parser.add_argument("--seconds", type=float, default=40.0, help="of tests for each mutant")
    parser.add_argument("--report", action="store_true", help="judge nothing")
    parser.add_argument("--quick", action="store_true", help="only the tests of make test judge")
    parser.add_argument(
        "--again", action="store_true", help="judge survivors again, by the tests of now"
    )
    default = Path(tempfile.gettempdir()) / "endgame2048-mutants"
    parser.add_argument("--work", type=Path, default=default, help="kept from run to run")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
