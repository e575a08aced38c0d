"""A child process that speaks like `analyze`, without any table.

Usage: analyze_child.py WHAT FILE...; WHAT is one of
  good     each file is analyzed, with one part; one whose name begins with "bad" is not
  whole    the same, judged as a whole game, which is this person's
  hang     progress of the first file, then waits for "cancel", tells that file and exits with 3
  refuse   one line on stderr, exit status 2
  crash    ends by a signal
"""

import json
import os
import sys
from pathlib import Path

KINDS = ("html", "json")


def say(**event: object) -> None:
    print(json.dumps(event), flush=True)


PHASE = {
    "first_move": 1, "last_move": 600, "large_tiles": [], "made": True, "judged": 500,
    "sources": {"search": 500, "": 100}, "points_lost": 0.015, "points_of_luck": -0.01,
    "first_chance": 0.99, "least_chance": 0.9,
}  # fmt: skip
GAME = {
    "judged": 1100, "by_search": 1070, "match_rate": 0.8, "points_lost": 0.05, "luck_log": 0.5,
    "grades": {"perfect": 1000, "mistake": 100}, "complete": True, "moments": [],
    "phases": [
        PHASE,
        {**PHASE, "first_move": 601, "last_move": 1234, "large_tiles": [2048], "made": False,
         "sources": {"search": 570, "44_64": 30}},
    ],
}  # fmt: skip


def analyzed(path: str, *, complete: bool = True, **more: object) -> None:
    segment = {
        "table": "44_64", "first_move": 11, "last_move": 40, "end": "reached", "judged": 30,
        "match_rate": 0.9876, "points_lost": 0.0123, "luck_log": -0.25, "start_rate": 0.99,
        "end_rate": 1.0, "grades": {"perfect": 27, "blunder": 3},
        "rpl": str(Path(path).with_suffix(".part.rpl")),
    }  # fmt: skip
    say(event="file", file=path, recorded_as="rpl", moves=1234, points=5678, largest_tile=512,
        covered=31, complete=complete, problems=[], segments=[segment], **more,
        reports={kind: str(Path(path).with_suffix(f".{kind}")) for kind in KINDS})  # fmt: skip


def main() -> int:
    what, *paths = sys.argv[1:]
    if what == "refuse":
        print("error: there is no table of that name", file=sys.stderr)
        return 2
    if what == "crash":
        os.kill(os.getpid(), 9)
    for path in paths:
        say(event="progress", file=path, done=64, total=128, covered=3)
        if what == "hang":
            for line in sys.stdin:
                if line.strip() == "cancel":
                    break
            analyzed(path, complete=False)
            return 3
        if Path(path).name.startswith("bad"):
            say(event="error", file=path, message="not a recorded game")
        elif what == "whole":
            analyzed(path, game=GAME)
            say(event="kept", file=path, mistakes=12, moves=1080)
        else:
            analyzed(path)
    say(event="done", files=len(paths), failed=0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
