"""``advise``: which tables to build on this machine, in which order, and what they are good for."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from engine.platform.cli.arguments import amount_of_time, disk_size, memory_size
from engine.platform.cli.console import Commands, Output, add_command, folders_of
from engine.platform.cli.status_line import StatusLine, bar
from engine.platform.cli.text import columns
from engine.platform.errors import AppError
from engine.platform.language import tr
from engine.platform.quantities import bytes_text, span_text
from tablebase.library.arguments import add_content, add_option, content_of, tile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablebase.events import AdvisedTable
    from tablebase.formation.formation import Formation
    from tablebase.plan.advise import AdviceLimits, CostOf, TableAdvice
    from tablebase.plan.estimate import Estimate
    from tablebase.plan.known_costs import StoredCounts
    from tablebase.store.options import TableOptions

_DEFAULT_HOURS, _DEFAULT_HOURS_OF_PLACES = 12.0, 0.25
_WHO = ("practice", "ai", "network-search")


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "advise",
        run,
        tr("suggest which tables to build on this machine, in which order, and what for"),
        tr(
            "Complete tables in the data folder count as built. Costs are estimates. For an AI, "
            "the disk space covers the whole set, including what is already built, and `play "
            "--build-tables` builds it."
        ),
    )
    parser.add_argument(
        "--for",
        dest="who",
        choices=_WHO,
        default=_WHO[0],
        help=tr(
            "practice: tables worth practicing with (default); ai: those that make the AI "
            "strongest; network-search: the same for search with a network"
        ),
    )
    parser.add_argument(
        "--disk",
        type=disk_size,
        metavar=tr("BYTES"),
        help=tr(
            "disk space for all tables, such as 50GB (default: what is free where tables are built)"
        ),
    )
    parser.add_argument(
        "--memory",
        type=memory_size,
        metavar=tr("BYTES"),
        help=tr("memory for one build, such as 24GB (default: what is free now)"),
    )
    parser.add_argument(
        "--hours",
        type=amount_of_time,
        metavar="H",
        help=tr(
            "time for all builds together (default: {all}), or for comparing places (default: "
            "{chain})",
            all=f"{_DEFAULT_HOURS:g}",
            chain=f"{_DEFAULT_HOURS_OF_PLACES:g}",
        ),
    )
    parser.add_argument(
        "--chain",
        type=tile,
        metavar=tr("TILE"),
        help=tr(
            "compare all places in two rows for the two tiles that make TILE, such as 2048, by "
            "chained tables of smaller ones"
        ),
    )
    parser.add_argument(
        "--beside",
        type=int,
        choices=range(3, 8),  # with fewer, tables get too large
        default=4,
        metavar="N",
        help=tr("with --chain: large tiles beside them, from 3 to 7 (default: %(default)s)"),
    )
    add_option(parser, "threads", text=tr("threads (default: one per processor)"))
    add_content(parser)


def run(args: argparse.Namespace) -> int:
    if args.chain is not None:
        from tablebase.cli.advise_places import compare
        from tablebase.store.options import TableOptions

        is_plain = content_of(args) == TableOptions(spawn4=args.spawn4)
        if not is_plain or args.who != _WHO[0] or args.disk or args.memory:
            raise AppError(
                tr("--chain compares places: leave out --for, --disk, --memory and storage options")
            )
        return compare(args, (args.hours or _DEFAULT_HOURS_OF_PLACES) * 3600)
    from tablebase.formation.patterns_file import load_formations
    from tablebase.library.advice import limits_here, player_advice, practice_advice
    from tablebase.plan.known_costs import StoredCounts
    from tablebase.store.options import TableOptions

    output, folders = Output(args.json), folders_of(args)
    seconds = (args.hours or _DEFAULT_HOURS) * 3600
    if args.who != _WHO[0]:
        if content_of(args) != TableOptions(spawn4=args.spawn4):
            raise AppError(tr("the AI's tables have storage options of their own: leave these out"))
        limits, advice = player_advice(
            folders, args.who, args.disk, args.spawn4, seconds, args.memory, args.threads
        )
    else:
        limits = limits_here(folders, args.disk, seconds, args.memory, args.threads)
        formations = load_formations(own=folders.patterns)
        cost_of = _shown(limits, formations, content_of(args), StoredCounts(folders.estimates))
        advice = practice_advice(folders, limits, formations, cost_of)
    for i, table in enumerate(advice):
        output.emit(_event(i, table))
    output.show(
        tr(
            "With {disk} of disk, {memory} of memory, {time} and {threads} threads:",
            disk=bytes_text(limits.disk_bytes),
            memory=bytes_text(limits.memory_bytes),
            time=span_text(limits.seconds),
            threads=limits.threads,
        )
    )
    output.show(*_report(advice))
    return 0


def _shown(
    limits: "AdviceLimits",
    formations: "Mapping[str, Formation]",
    options: "TableOptions",
    store: "StoredCounts",
) -> "CostOf":
    """Return a function that estimates tables with progress on stderr; it takes half a minute."""
    from tablebase.plan.advise import quick_cost

    line, places = StatusLine(), {name: i for i, name in enumerate(formations)}

    def cost_of(formation: "Formation", target: int) -> "Estimate":
        share = places[formation.name] / len(places)
        line.show(
            "",
            tr(
                "estimating {pattern} {target}  {bar}",
                pattern=formation.name,
                target=target,
                bar=bar(share),
            ),
        )
        try:
            return quick_cost(formation, target, limits.memory_bytes, options, store=store)
        finally:
            line.clear()

    return cost_of


def _event(order: int, table: "TableAdvice") -> "AdvisedTable":
    from tablebase.events import AdvisedTable
    from tablebase.formation.goal import goal_of

    fields = {**asdict(table), "target": goal_of(table.target).json}
    cost = fields.pop("cost") or {}
    if fields["options"] is None:  # the options are those of the command line
        del fields["options"]
    return AdvisedTable(order=order, **fields, **cost)


def _report(advice: "Sequence[TableAdvice]") -> list[str]:
    from tablebase.plan.advise import LEFT_OUT

    to_build = [table for table in advice if table.verdict == "build"]
    lines = [""]
    for table in advice:
        if table.verdict == "built":
            lines.append(
                tr(
                    "there already  {pattern} {target}: {purpose}",
                    pattern=table.pattern,
                    target=table.target,
                    purpose=table.purpose,
                )
            )
    if not to_build:
        lines.append(tr("nothing to build: more disk space, memory or time is needed"))
    for i, table in enumerate(to_build, 1):
        sizes = {"size": bytes_text(table.bytes), "time": span_text(table.wall_s)}
        scratch = table.cost.scratch_bytes if table.cost else 0
        needs = tr(
            "{size}, {time}, {scratch} more until built", **sizes, scratch=bytes_text(scratch)
        )
        text = tr(
            "build {pattern} {target}  ({needs})",
            pattern=table.pattern,
            target=table.target,
            needs=needs,
        )
        lines += [f"{i:2}. {text}", f"    {table.purpose}"]
    if to_build:
        disk, time_s = sum(t.bytes for t in to_build), sum(t.wall_s for t in to_build)
        lines += [
            "",
            tr("together {size} and {time}", size=bytes_text(disk), time=span_text(time_s)),
            tr(
                "tables never counted before may take a third less or more, and half or double the "
                "time: `estimate` takes a closer look at one table"
            ),
        ]
    rows = [
        (f"{table.pattern} {table.target}", table.reason)
        for table in advice
        if table.verdict == LEFT_OUT
    ]
    return [*lines, "", columns((tr("left out"), tr("why")), rows, right=())] if rows else lines
