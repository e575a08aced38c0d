"""``play --build-tables``: build the tables that make the player strongest before it plays."""

import argparse
import shutil
from typing import TYPE_CHECKING

from ai.errors import PlayError
from ai.match.match import NETWORK_SEARCH
from engine.platform.cli.arguments import disk_size
from engine.platform.cli.console import Output, folders_of, note
from engine.platform.cli.control import cancellable
from engine.platform.language import mark, tr
from engine.platform.quantities import bytes_text
from tablebase.library.build_table import build_table, done_event, done_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablebase.plan.advise import TableAdvice

# Working files of a build, packed bytes per board: most are deleted when it ends.
_SCRATCH_BYTES = 0.8


def add_options(parser: argparse.ArgumentParser, tables: argparse._MutuallyExclusiveGroup) -> None:
    text = tr(
        "first build, into the data folder, the missing ones of the tables that make the AI "
        "strongest (see advise --for ai and --for network-search); you can stop at any moment, "
        "and it resumes next time"
    )
    tables.add_argument("--build-tables", action="store_true", help=text)
    text = tr(
        "with --build-tables: disk space for these tables, such as 20GB (default: what is free)"
    )
    parser.add_argument("--disk", type=disk_size, metavar=tr("BYTES"), help=text)


def build_set(args: argparse.Namespace, output: Output) -> None:
    """Build the missing tables of the recommended set.

    Raises PlayError if the drive has no space for a single table, and BuildCancelledError, when
    finished work is kept and the next build resumes from there; BuildError as the builder does.
    """
    folders = folders_of(args)
    with cancellable() as switch:
        from tablebase.formation.patterns_file import load_formations
        from tablebase.library.advice import player_advice
        from tablebase.plan.known_costs import StoredCounts

        who = NETWORK_SEARCH if args.player == NETWORK_SEARCH else "ai"
        limits, advice = player_advice(folders, who, args.disk, args.spawn4)
        missing = [table for table in advice if table.verdict == "build"]
        if not missing and not any(table.verdict == "built" for table in advice):
            text = tr(
                "no table of the AI fits into {disk} of disk and {memory} of memory: "
                "give more, or play without --build-tables",
                disk=bytes_text(limits.disk_bytes),
                memory=bytes_text(limits.memory_bytes),
            )
            raise PlayError(text)
        folders.tables.mkdir(parents=True, exist_ok=True)
        check_room(missing, shutil.disk_usage(folders.tables).free)
        formations = load_formations(own=folders.patterns)
        for i, table in enumerate(missing, 1):
            message = tr(
                "table {n} of {all}: {pattern} {target}, {why}",
                n=i,
                all=len(missing),
                pattern=table.pattern,
                target=table.target,
                why=table.purpose,
            )
            note(message)
            result = build_table(
                formations[table.pattern],
                table.target,
                folders.tables,
                output,
                switch,
                options=table.options,
                pack_scratch=True,
                store=StoredCounts(folders.estimates),
            )
            output.emit(done_event(result))
            note(done_text(result))


def check_room(missing: "Sequence[TableAdvice]", free: int) -> None:
    """Raise PlayError when the tables and the working files of the largest one do not fit."""
    costs = [table.cost for table in missing if table.cost]
    # Files already written by an interrupted build are counted twice, to be on the safe side.
    need = sum(cost.bytes for cost in costs)
    need += int(max((cost.boards * _SCRATCH_BYTES for cost in costs), default=0))
    if need > free:
        text = mark(
            "building the AI's tables needs {need} of disk space there, working files "
            "included, but only {free} is free: free some space, or ask for fewer tables with "
            "--disk"
        )
        raise PlayError(text, need=bytes_text(need), free=bytes_text(free))
