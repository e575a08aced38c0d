"""``estimate``: what a table would cost, before building it."""

import argparse
import os
import shutil
from dataclasses import asdict
from pathlib import Path

from engine.wording import bytes_text, count_text, span_text
from tablebase.cli.console import Commands, Output, add_command, folders_of
from tablebase.cli.options import add_pattern_and_target, add_rate, directory


def add_to(commands: Commands) -> None:
    """Add ``estimate`` to the commands."""
    parser = add_command(
        commands,
        "estimate",
        run,
        "tell boards, bytes on disk, memory and time to expect, before building",
    )
    add_pattern_and_target(parser)
    add_rate(parser)
    parser.add_argument(
        "--out",
        type=directory,
        metavar="DIR",
        help="where it would be built (default: tables/ in the data folder)",
    )


def run(args: argparse.Namespace) -> int:
    """Tell what a table would cost, and what this machine has."""
    import psutil

    from tablebase.estimate import estimate
    from tablebase.formation import check_target, find_formation, load_formations

    output = Output(args.json)
    formation = find_formation(args.pattern, load_formations(own=folders_of(args).patterns))
    cost = estimate(formation, check_target(args.target), args.rate)
    parent = (args.out or folders_of(args).tables).absolute()
    disk_free, memory_free = _free_bytes(parent), psutil.virtual_memory().available
    output.emit(
        {
            "pattern": formation.name,
            "target": args.target,
            "rate": args.rate,
            **asdict(cost),
            "free_disk_bytes": disk_free,
            "free_memory_bytes": memory_free,
        }
    )
    output.say(f"{formation.name} -> {args.target}, rates as {args.rate}")
    output.say(f"  boards  {count_text(cost.boards)}")
    output.say(f"  disk    {_need(cost.bytes, disk_free)}")
    output.say(f"  memory  {_need(cost.memory_bytes, memory_free)}")
    threads = os.cpu_count() or 1
    alone, together = (span_text(cost.cpu_s / n, tenths=True) for n in (1, threads))
    output.say(f"  time    {alone} of one processor, {together} with all {threads}")
    return 0


def _need(n_bytes: float, free: float) -> str:
    remark = "" if n_bytes <= free else ": too much for this machine"
    return f"{bytes_text(n_bytes)} of {bytes_text(free)} free{remark}"


def _free_bytes(folder: Path) -> int:
    """Return the free room where `folder` is or will be."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    return shutil.disk_usage(there).free
