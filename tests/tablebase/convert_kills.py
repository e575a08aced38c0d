"""A conversion killed at its writes, each in its own process.

All writes of the end, where folders are renamed and deleted, and some of the many before.

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

from tablebase.maintain.convert import ConvertPlan, convert
from tablebase.store import replace_table as swap
from tablebase.store.manifest import load_manifest
from tablebase.store.origin import Origin, load_origin

ORIGIN = Origin("uint32", True, "0123abcd")

Plan = dict[str, Any]


def whole_tables(original: Path, folders: list[Path], end: dict[str, bytes] | None) -> list[str]:
    """Return the state of each folder: "old", "new" or ""."""
    kinds = []
    for folder in folders:
        kind = ""
        if folder.is_dir() and not fault(original, folder):
            kind = "old"
        elif folder.is_dir() and end is not None:
            files = tree(folder)
            own = {name: data for name, data in end.items() if name != "notes.txt"}  # moves last
            kind = "new" if all(files.get(name) == data for name, data in own.items()) else ""
        kinds.append(kind)
    return kinds


def kills(original: Path, scratch: Path, options: Plan, *, last: int, may_exchange: bool) -> None:
    """Kill a conversion at some writes, and at each of the `last`; print what each kill left."""
    expected: dict[str, bytes] | None = None
    real_exchange = swap._exchange  # noqa: SLF001, of a system that cannot do it
    writes, counter = [-1], scratch / "writes"
    for write in writes:
        shutil.rmtree(scratch, ignore_errors=True)
        home = scratch / "tables" / original.name
        shutil.copytree(original, home, copy_function=os.link)  # no file is written to in place
        (home / "notes.txt").write_text("mine")
        ORIGIN.save(home)
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

            swap._exchange = exchange  # type: ignore[assignment]  # noqa: SLF001
            convert(plan)
            if write < 0:
                counter.write_bytes(b"%d" % len(done))

        status = in_child(work)
        if write < 0:
            n = int(counter.read_text())
            writes += sorted({*range(0, n, 17), *range(max(n - last, 0), n + 1)})
        places = [home, *(home.with_name(home.name + s) for s in (".converting", ".replaced"))]
        swap.finish_replacement(home)  # as any program that looks for the table does
        kinds = whole_tables(original, places, expected)
        wrong = ""
        if status != 0 or write < 0:
            wrong = "" if kinds[0] or write < 0 else f"no whole table: {kinds}"
            if to_out and fault(original, home):
                wrong = "the original was touched"
            if kinds[0] and load_origin(home) != ORIGIN:
                wrong = "it does not say that it was imported"
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


def main() -> None:
    original, scratch = map(Path, sys.argv[1:])
    os.fsync = lambda _: None  # killed processes lose nothing that was written
    run: Callable[..., None] = kills
    run(original, scratch, {"sparse": 16}, last=40, may_exchange=True)
    run(original, scratch, {"sparse": 16}, last=40, may_exchange=False)
    run(original, scratch, {"threshold": 0.3, "optimal_only": True}, last=5, may_exchange=True)
    run(original, scratch, {"rate": "uint16", "out": True}, last=5, may_exchange=True)


if __name__ == "__main__":
    main()
