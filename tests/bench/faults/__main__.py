"""Run the campaign: ``python -m tests.bench.faults [--kills 200] [--only NAME ...]``.

With ``--kills 100 --full 25 --mutations 4000 --steps 50`` it takes about 20 minutes on two cores.
"""

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tablebase.build.builder import build

from .campaign import Campaign
from .children import ROOT
from .subjects import (
    Subject,
    build_subject,
    import_subject,
    other_subjects,
    small_import,
    small_subject,
    write_reference,
)
from .tally import Tally
from .wound import Wound

Scenario = Callable[[Campaign, Tally], None]
SCENARIOS = {  # name: module and function
    "kills": "kills.random_kills",
    "phases": "kills.kills_at_phases",
    "steps": "kills.kills_at_every_step",
    "streams": "kills.kills_while_streaming",
    "cancel": "kills.cancelled",
    "limits": "full_disks.small_files",
    "failures": "full_disks.failing_steps",
    "drive": "full_disks.small_drive",
    "rivals": "rivals.rivals",
    "clocks": "clocks.clocks",
    "locked": "folders.locked_folders",
    "vanishing": "folders.vanishing_folders",
    "in-the-way": "folders.things_in_the_way",
    "mutations": "damage.mutated_files",
    "layers": "hostile.hostile_layers",
    "references": "hostile.hostile_references",
    "saves": "hostile.hostile_saves",
    "beside": "hostile.beside",
    "calendar": "calendars.calendars",
    "chains": "chains.chains",
}


def main() -> int:
    """Run the scenarios asked for; return 1 when anything was wrong."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        campaign = _campaign(options, Path(folder))
        table, started = [], time.monotonic()
        for name in options.only or SCENARIOS:
            began, tally = time.monotonic(), Tally(name)
            _scenario(name)(campaign, tally)
            seconds = time.monotonic() - began
            print(tally.text(seconds), flush=True)
            table.append((name, len(tally.problems), sum(tally.counts.values()), seconds))
    n_wrong = sum(row[1] for row in table)
    table.append(("all", n_wrong, sum(row[2] for row in table), time.monotonic() - started))
    print(f"\n{'scenario':<14} {'wrong':>6} {'counted':>9} {'seconds':>8}   seed {options.seed}")
    for row in table:
        print(f"{row[0]:<14} {row[1]:>6} {row[2]:>9,} {row[3]:>8.0f}")
    print(f"{n_wrong} wrong (zero = good)")
    return 1 if n_wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="at random moments")
    parser.add_argument("--full", type=int, default=50, help="stops by a full disk")
    parser.add_argument("--mutations", type=int, default=5000, help="mutated files")
    parser.add_argument("--steps", type=int, default=400, help="of single steps, per kind")
    parser.add_argument("--only", nargs="+", choices=SCENARIOS, metavar="NAME")
    parser.add_argument("--seed", type=int, default=2048)
    parser.add_argument(
        "--table", nargs=2, action="append", metavar=("PATTERN", "TARGET"), help="to be built"
    )
    parser.add_argument(
        "--reference", type=Path, metavar="DIR", help="to import, instead of one made for this"
    )
    return parser.parse_args()


def _campaign(options: argparse.Namespace, folder: Path) -> Campaign:
    tables = options.table or [("2x4", 64), ("44", 64), ("442", 64)]
    builds = [build_subject(pattern, int(target)) for pattern, target in tables]
    small = small_subject()
    assert small.plan
    build_folder = _warm_up(small, builds[0], folder / "warm")
    small_folder = small.plan(folder / "warm").folder
    reference = options.reference or write_reference(build_folder, folder / "reference")
    small_reference = write_reference(small_folder, folder / "small-reference")
    verbs = _listed_commands()
    others = [*other_subjects(build_folder), import_subject(reference)]
    small_others = [*other_subjects(small_folder, "small "), small_import(small_reference)]
    return Campaign(
        folder=folder,
        kills=options.kills,
        full=options.full,
        mutations=options.mutations,
        seed=options.seed,
        steps=options.steps,
        small=small,
        subjects=[*builds, *(one for one in others if one.verb in verbs)],
        small_others=[one for one in small_others if one.verb in verbs],
        references=[small_reference],
    )


def _warm_up(small: Subject, subject: Subject, room: Path) -> Path:
    """Load and compile everything that forks shall inherit; return a finished table."""
    assert small.plan
    assert subject.plan
    small.start(room, Wound(at=110, keep_values=True)).wait()
    build(small.plan(room))
    return build(subject.plan(room)).table


def _listed_commands() -> set[str]:
    """Return the commands that main.py has; say which of ours it has not."""
    words = [sys.executable, "main.py", "--help"]
    text = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    listed = {verb for verb in ("relocate", "convert", "import") if f"\n    {verb} " in text}
    for verb in sorted({"relocate", "convert", "import"} - listed):
        print(f"{'(skipped)':<14} {verb}: main.py --help does not list it")
    return listed


def _scenario(name: str) -> Scenario:
    module, _, function = SCENARIOS[name].partition(".")
    found: Scenario = getattr(importlib.import_module(f".{module}", __package__), function)
    return found


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main())
