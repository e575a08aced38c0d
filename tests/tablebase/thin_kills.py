"""A build of optimal play only, killed at writes of its last pass, each in its own process.

Run as ``python thin_kills.py SCRATCH``, where forking is safe: no test runner, no threads. Writes
one JSON line a kill: at which write, and what is wrong after the next run.
"""

import json
import os
import shutil
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from relocate_kills import die_at, in_child, tree
from small_formations import TINY

from tablebase.build import prune as thin
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildCancelledError
from tablebase.store.manifest import load_manifest
from tablebase.store.options import TableOptions


def main() -> None:
    scratch = Path(sys.argv[1])
    os.fsync = lambda _: None  # killed processes lose nothing that was written
    options = TableOptions(rate="uint16", optimal_only=True)
    whole = BuildPlan(TINY["tinymirror"], 64, scratch / "whole", options, threads=1)
    build(whole)
    expected = tree(whole.folder)
    solved = replace(whole, folder=scratch / "solved")
    with suppress(BuildCancelledError):
        build(solved, is_cancelled=lambda: any(solved.folder.glob("*-best.tbl")))
    for every_s in (0.0, 3600.0):  # recorded after each layer, or all at the end
        thin._RECORD_EVERY_S = every_s  # noqa: SLF001, a constant of seconds
        plan = replace(whole, folder=scratch / "killed")
        for write in range(0, 10_000, 41):
            shutil.rmtree(plan.folder, ignore_errors=True)
            shutil.copytree(solved.folder, plan.folder, copy_function=os.link)

            def work(write: int = write, plan: BuildPlan = plan) -> None:
                die_at(write)
                build(plan)

            status = in_child(work)
            is_complete = load_manifest(plan.folder).complete
            wrong = "" if status or is_complete else "it ended without being complete"
            if is_complete and any(
                tree(plan.folder).get(name) != expected[name] for name in expected
            ):
                wrong = "it calls itself complete"
            build(plan)
            if tree(plan.folder) != expected:
                wrong = wrong or "another end after the next run"
            print(json.dumps({"write": write, "status": status, "wrong": wrong}), flush=True)
            if status == 0:
                break


if __name__ == "__main__":
    main()
