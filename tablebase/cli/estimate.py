"""``estimate``: the cost of a table, before building it."""

import argparse
import os
from dataclasses import asdict
from typing import TYPE_CHECKING

from engine.platform.cli.arguments import directory
from engine.platform.cli.console import Commands, Output, add_command, folders_of
from engine.platform.files.free_room import free_bytes
from engine.platform.language import tr
from engine.platform.quantities import bytes_text, count_text, span_text
from tablebase.library.arguments import (
    add_content,
    add_option,
    add_pattern_and_target,
    add_then,
    content_of,
    continued,
)
from tablebase.library.limits_text import chain_size_text

if TYPE_CHECKING:
    from tablebase.store.manifest import Manifest


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "estimate",
        run,
        tr("estimate boards, disk space, memory and time before you build"),
    )
    add_pattern_and_target(parser)
    add_content(parser)
    add_then(parser)
    add_option(parser, "extra_steps")
    parser.add_argument(
        "--out",
        type=directory,
        metavar=tr("DIR"),
        help=tr("where it would be built (default: tables/ in the data folder)"),
    )
    add_option(parser, "memory_bytes")
    add_option(parser, "threads", text=tr("threads (default: one per processor)"))


def run(args: argparse.Namespace) -> int:
    import psutil

    from tablebase.formation.extra_steps import with_extra_steps
    from tablebase.formation.formation import check_buildable
    from tablebase.formation.goal import check_target
    from tablebase.formation.patterns_file import find_formation, load_formations
    from tablebase.memory.limits import build_limit, default_limit
    from tablebase.plan.estimate import estimate
    from tablebase.plan.known_costs import StoredCounts
    from tablebase.probe.continuation import continuation_in, tables_after
    from tablebase.rank.space import Space

    output = Output(args.json)
    threads = args.threads or os.cpu_count() or 1
    formation = find_formation(args.pattern, load_formations(own=folders_of(args).patterns))
    options, target = content_of(args), check_target(args.target)
    options.check(target.tile or None)
    formation = with_extra_steps(formation, target, args.extra_steps)
    parent = (args.out or folders_of(args).tables).absolute()
    after: list[Manifest] = []
    if args.then:
        formation, then = continued(args, formation, target, parent)
        after = list(tables_after(then, continuation_in(then)))
    check_buildable(formation, target)
    if args.memory:  # a build refuses a limit below what cannot be in files
        build_limit(Space(formation, target, target.n_layers(formation)), args.memory)
    store = StoredCounts(folders_of(args).estimates)
    cost = estimate(formation, target, options, store=store, is_chained=bool(after))
    limit = args.memory or default_limit()
    scratch = cost.scratch_within(limit)
    disk_free, memory_free = free_bytes(parent) or 0, psutil.virtual_memory().available
    output.emit(
        {
            "pattern": formation.name,
            "target": args.target.json,
            **options.to_dict(),
            "extra_steps": formation.extra_steps if target.tile else None,
            "then": args.then or "",
            **asdict(cost),
            "scratch_bytes": scratch,
            "threads": threads,
            "wall_s": cost.wall_s(threads),
            "free_disk_bytes": disk_free,
            "free_memory_bytes": memory_free,
            "memory_limit_bytes": limit,
        }
    )
    output.show(
        tr(
            "{name} -> {target}, rates as {rate}",
            name=formation.name,
            target=args.target,
            rate=args.rate,
        )
    )
    output.show(tr("  boards  {count}", count=count_text(cost.boards)))
    disk = _size(cost.bytes, disk_free)
    output.show(
        tr("  disk    at most {need}", need=disk)
        if cost.is_most
        else tr("  disk    {need}", need=disk)
    )
    if after:
        output.show(" " * 10 + chain_size_text(cost.bytes, after))
    working = tr(
        "          {size} more for working files, until it is built", size=bytes_text(scratch)
    )
    if cost.bytes + scratch > disk_free:
        working = tr("{line}: too much for this drive", line=working)
    output.show(working, tr("  memory  {need}", need=_size(cost.memory_bytes, memory_free)))
    if cost.memory_bytes > limit:
        output.show(
            tr(
                "          within a limit of {limit} the rest goes to disk, which takes longer",
                limit=bytes_text(limit),
            )
        )
    alone, together = (span_text(cost.wall_s(n), tenths=True) for n in (1, threads))
    output.show(
        tr("  time    {alone} with one thread", alone=alone)
        if threads == 1
        else tr(
            "  time    {alone} with one thread, {together} with {threads}",
            alone=alone,
            together=together,
            threads=threads,
        )
    )
    if cost.stored == 0:
        output.show(
            tr("  none of its boards has a chance: the target never comes to a cell that counts")
        )
    elif cost.source == "samples" and cost.stored == cost.boards:
        output.show(tr("  from samples: they don't tell how many boards will be stored"))
    elif cost.source == "samples":
        output.show(tr("  from samples: boards and disk may be off by a third"))
    return 0


def _size(n_bytes: float, free: float) -> str:
    return tr("{size} of {free} free", size=bytes_text(n_bytes), free=bytes_text(free))
