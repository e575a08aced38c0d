"""A conversion that is killed at every single write, each in a process of its own.

Run as ``python convert_kills.py ORIGINAL SCRATCH``, where forking is safe: no test runner, no
threads. Writes one JSON line a kill: at which write, and what is wrong with the table afterwards.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from relocate_kills import die_at, fault, in_child, tree

from tablebase import swap
from tablebase.convert import ConvertPlan, convert
from tablebase.store.manifest import load_manifest

Plan = dict[str, Any]


def whole_tables(original: Path, folders: list[Path], end: dict[str, bytes] | None) -> list[str]:
    """Return what each of some folders is: "old", "new" or ""."""
    kinds = []
    for folder in folders:
        kind = ""
        if folder.is_dir() and not fault(original, folder):
            kind = "old"
        elif folder.is_dir() and end is not None:
            files = tree(folder)
            kind = "new" if all(files.get(name) == data for name, data in end.items()) else ""
        kinds.append(kind)
    return kinds


def kills(original: Path, scratch: Path, options: Plan, *, step: int, may_exchange: bool) -> None:
    """Kill a conversion at its first, second, ... write; print what each kill left."""
    expected: dict[str, bytes] | None = None
    real_exchange = swap._exchange
    for write in (-1, *range(0, 10_000, step)):
        shutil.rmtree(scratch, ignore_errors=True)
        home = scratch / "tables" / original.name
        shutil.copytree(original, home, copy_function=os.link)  # no file is written to in place
        (home / "notes.txt").write_text("mine")
        to_out = {"out": scratch / "out"} if options.get("out") else {}
        plan = ConvertPlan([home], **{**options, **to_out}, threads=1)
        target = scratch / "out" / original.name if to_out else home

        def work(write: int = write, plan: ConvertPlan = plan) -> None:
            done = die_at(write)

            def exchange(one: Path, other: Path) -> bool:
                if not may_exchange:
                    return False
                if len(done) == write:
                    os._exit(86)
                done.append("exchange")
                return real_exchange(one, other)

            swap._exchange = exchange  # type: ignore[assignment]
            convert(plan)

        status = in_child(work)
        places = [home, *(home.with_name(home.name + s) for s in (".converting", ".replaced"))]
        kinds = whole_tables(original, places, expected)
        wrong = ""
        if status != 0 or write < 0:
            is_there = kinds[0] or (not may_exchange and any(kinds))
            wrong = "" if is_there or write < 0 else f"no whole table: {kinds}"
            if to_out and fault(original, home):
                wrong = "the original was touched"
        convert(plan)
        end = tree(target)
        if expected is None:
            expected = end
        if end != expected or not load_manifest(target).complete:
            names = sorted(set(end) ^ set(expected)) or "other bytes"
            wrong = wrong or f"another end after the next run: {names}"
        left = sorted(path.name for path in home.parent.iterdir())
        if left != [home.name]:
            wrong = wrong or f"left behind: {left}"
        if (home / "notes.txt").read_text() != "mine":
            wrong = wrong or "the user's file is gone"
        print(json.dumps({"write": write, "status": status, "wrong": wrong}), flush=True)
        if status == 0 and write >= 0:
            return


def main() -> None:
    original, scratch = map(Path, sys.argv[1:])
    os.fsync = lambda _: None  # killed processes lose nothing that was written
    run: Callable[..., None] = kills
    run(original, scratch, {"sparse": 8}, step=1, may_exchange=True)
    run(original, scratch, {"sparse": 8}, step=1, may_exchange=False)
    run(original, scratch, {"threshold": 0.3, "optimal_only": True}, step=11, may_exchange=True)
    run(original, scratch, {"rate": "uint16", "out": True}, step=11, may_exchange=True)


if __name__ == "__main__":
    main()
