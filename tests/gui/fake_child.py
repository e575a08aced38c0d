"""A child process that speaks like `build` and `verify`, for as long or as short as a test wants.

Usage: fake_child.py WHAT, one of
  build    three lines of progress, then done
  hang     a line of progress, then waits for "cancel" on stdin and exits with 3
  deaf     a line of progress, then waits for ever
  refuse   one line on stderr, exit status 2
  crash    ends by a signal
  silent   ends with 0 without saying that the table is done
  noise    build, with rubbish between the lines
  verify   progress, then a good report
  advise   seven tables to build, after one that is built and before one that is left out
  nothing  advice to build none
  converted  a table was converted
  size     a converted table will take 3 MB instead of 4 MB
  bad      progress, then a report of a problem, exit status 2
"""

import json
import os
import sys
import time


def say(**event: object) -> None:
    print(json.dumps(event), flush=True)


def progress(phase: object, layer: object, elapsed_s: float = 1.0, **more: object) -> None:
    fields = {"layers": 4, "boards": 1000, "bytes": 10, "elapsed_s": elapsed_s}
    times = {"eta_s": 4.0 - elapsed_s, "fraction": elapsed_s / 4}
    memory = dict.fromkeys(("rss_bytes", "peak_rss_bytes", "scratch_bytes"), 1000)
    say(event="progress", phase=phase, layer=layer, **{**fields, **times, **memory, **more})


def build() -> int:
    progress("expand", 1)
    progress("expand", 3, elapsed_s=2.0)
    progress("solve", 1, elapsed_s=3.0)
    counts = {"layers": 4, "boards": 3000, "stored": 2000, "bytes": 10}
    costs = {"elapsed_s": 3.0, "cpu_s": 3.0, "peak_rss_bytes": 1000, "was_complete": False}
    say(event="done", table="x", **counts, **costs)
    return 0


def hang() -> int:
    progress("expand", 1, done=1, total=4)
    for line in sys.stdin:
        if line.strip() == "cancel":
            break
    return 3


def noise() -> int:
    print("not json\n\n[1, 2]\n{broken", flush=True)
    progress(7, "x")  # of another version
    progress("expand", 0, eta_s=None)
    sys.stdout.write('{"event": "future", "value": "' + "x" * 100_000 + '"}\n')
    return build()


def advise() -> int:
    def table(pattern: str, target: int, verdict: str, **more: object) -> None:
        words = {"verdict": verdict, "purpose": "For this.", "reason": ""}
        costs = {"bytes": 10**9, "wall_s": 60.0, "memory_bytes": 10**9}
        say(**{"order": 0, "pattern": pattern, "target": target, **words, **costs, **more})

    table("442", 128, "built")
    for target in (64, 128, 256, 512, 1024, 2048, 4096):
        table("L3", target, "build")
    say(verdict="build", pattern=7, target="x")
    table("free12", 64, "left out", reason="needs more")
    return 0


def main(what: str) -> int:
    if what == "refuse":
        print("a hint\nerror: the disk is full", file=sys.stderr)
        return 2
    if what == "crash":
        os.abort()
    if what == "deaf":
        progress("expand", 1)
        time.sleep(600)
    if what in ("verify", "bad"):
        say(event="progress", done=5, total=10)
        problems = [] if what == "verify" else ["layer_0003 has another checksum"]
        counts = {"files": 3, "omitted": 0, "bytes": 10, "sampled": 1000, "mismatches": 0}
        say(event="done", table="x", ok=what == "verify", **counts, problems=problems)
        if what == "bad":
            print("error: the table is damaged", file=sys.stderr)
            return 2
    if what == "size":
        sizes = {"bytes": 3_000_000, "bytes_before": 4_000_000}
        say(event="size", table="x", **sizes, is_most=False, is_same=False)
    if what == "converted":
        counts = {"layers": 4, "boards": 3000, "stored": 2000, "bytes": 3_000_000}
        before = {"stored_before": 3000, "bytes_before": 4_000_000}
        say(event="done", table="x", **counts, **before, elapsed_s=1.0, was_done=False)
    runs = {"build": build, "hang": hang, "noise": noise, "advise": advise}
    return runs[what]() if what in runs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
