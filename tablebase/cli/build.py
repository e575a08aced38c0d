"""``build``: build a table, or resume an interrupted build."""

import argparse
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.platform.cli.arguments import directory
from engine.platform.cli.console import Commands, Output, add_command, folders_of, note
from engine.platform.cli.control import CancelSwitch, add_stdin_control, cancellable
from engine.platform.cli.status_line import StatusLine, bar
from engine.platform.language import tr
from engine.platform.quantities import bytes_text, count_text, span_text
from tablebase.cli.progress import reported, rounded
from tablebase.library.arguments import (
    add_cluster,
    add_content,
    add_extra_steps,
    add_memory,
    add_pattern_and_target,
    content_of,
    thread_count,
)
from tablebase.store.options import LEVELS

if TYPE_CHECKING:
    from tablebase.build.builder import Spread
    from tablebase.build.progress import BuildResult
    from tablebase.formation.formation import Formation
    from tablebase.formation.goal import Goal
    from tablebase.plan.exact_count import Watch
    from tablebase.plan.kept_counts import KeptCounts

_logger = logging.getLogger(__name__)


def add_to(commands: Commands) -> None:
    """Add ``build`` to the commands."""
    parser = add_command(
        commands,
        "build",
        run,
        tr("build a table, or resume or finish it"),
        tr(
            "You can stop it at any moment, and even a power cut does no harm: the same command "
            "resumes. A finished table is checked, and damaged parts are rebuilt."
        ),
    )
    add_pattern_and_target(parser)
    parser.add_argument(
        "--out",
        type=directory,
        metavar=tr("DIR"),
        help=tr("the table becomes DIR/PATTERN_TARGET (default: tables/ in the data folder)"),
    )
    add_content(parser)
    add_extra_steps(parser)
    parser.add_argument(
        "--level",
        choices=LEVELS,
        default=LEVELS[0],
        help=tr(
            "how hard the finished files are packed: smaller ones take longer to build and answer "
            "the same (default: %(default)s)"
        ),
    )
    parser.add_argument(
        "--pack-scratch",
        action="store_true",
        help=tr(
            "pack all working files, not only large ones: takes less disk space while building, "
            "and a little more time"
        ),
    )
    parser.add_argument(
        "--scratch",
        type=directory,
        metavar=tr("DIR"),
        help=tr(
            "where working files lie until the table is built, such as a folder on another drive "
            "(default: beside the table, or where they were before)"
        ),
    )
    parser.add_argument(
        "--threads",
        type=thread_count,
        metavar="N",
        help=tr("threads to use (default: all cores; 1 for each task of a cluster)"),
    )
    add_cluster(parser)
    add_memory(parser)
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    """Build a table; return the exit status."""
    output = Output(args.json)
    with cancellable(args.stdin_control) as switch:
        from tablebase.formation.extra_steps import with_extra_steps
        from tablebase.formation.goal import check_target
        from tablebase.formation.patterns_file import find_formation, load_formations
        from tablebase.plan.kept_counts import KeptCounts

        formation = find_formation(args.pattern, load_formations(own=folders_of(args).patterns))
        target = check_target(args.target)
        formation = with_extra_steps(formation, target, args.extra_steps)
        parent = args.out if args.out else folders_of(args).tables
        options: dict[str, Any] = {
            "options": content_of(args),
            "memory_bytes": args.memory,
            "pack_scratch": args.pack_scratch,
            "scratch": args.scratch,
            "level": args.level,
        }
        if args.threads or args.cluster:
            options["threads"] = args.threads or 1
        with spread_over(args.cluster) as spread:
            kept = KeptCounts(folders_of(args).estimates)
            result = build_table(
                formation, target, parent, output, switch, spread=spread, kept=kept, **options
            )
    output.emit(done_event(result))
    output.say(done_text(result))
    return 0


@contextmanager
def spread_over(address: str | None) -> "Iterator[Spread | None]":
    """Yield the function that lets the machines of a cluster build; None without an address."""
    if address is None:
        yield None
        return
    from tablebase.cluster.connection import connected_if_needed
    from tablebase.cluster.spread_layers import spread_by

    with connected_if_needed(address) as connect:
        yield spread_by(connect)


def build_table(
    formation: "Formation",
    target: "Goal | int",
    parent: Path,
    output: Output,
    switch: CancelSwitch,
    *,
    spread: "Spread | None" = None,
    kept: "KeptCounts | None" = None,
    **options: Any,
) -> "BuildResult":
    """Build ``parent/PATTERN_TARGET``, showing progress; return the result.

    Raises
    ------
    BuildCancelledError
        The work was cancelled, or nobody reads stdout any more.
    BuildError
        The builder refused, or the disk is full.
    """
    from tablebase.build.builder import BuildPlan, build
    from tablebase.plan.room import check_room
    from tablebase.store.manifest import MANIFEST_NAME
    from tablebase.store.options import TableOptions
    from tablebase.store.work_folder import lost_work_folder

    folder = parent / f"{formation.name}_{target}"
    if not (folder / MANIFEST_NAME).exists():
        content = options.get("options", TableOptions())
        besides = options.get("scratch"), options.get("memory_bytes")
        with _estimating(f"{formation.name} -> {target}", output, switch) as watch:
            check_room(
                formation, target, folder.absolute(), content, *besides, watch=watch, kept=kept
            )
    elif lost := lost_work_folder(folder):
        note(
            tr(
                "the working files in {folder} are gone, or their drive is missing: what they "
                "held is computed again",
                folder=lost,
            )
        )
    plan: BuildPlan = BuildPlan(formation, target, folder, **options)
    _logger.info("building %s with %s", plan.folder, options)
    title = f"{formation.name} -> {target}"
    with reported(output, title, switch, folder) as show:
        result = build(plan, show, switch.is_cancelled, spread)
    _logger.info("built %s", result)
    return result


@contextmanager
def _estimating(title: str, output: Output, switch: CancelSwitch) -> "Iterator[Watch]":
    """Yield a callback that shows the progress of an estimate, and ends it if cancelled."""
    from tablebase.errors import BuildCancelledError

    line = StatusLine(is_brief=True)

    def watch(share: float) -> None:
        if switch.is_cancelled():
            raise BuildCancelledError(tr("stopped; everything finished so far is kept"))
        if not output.is_json:
            line.show("", tr("{title}  {bar}  does it fit?", title=title, bar=bar(share)))

    try:
        yield watch
    finally:
        line.clear()


def done_event(result: "BuildResult", event: str = "done") -> dict[str, Any]:
    """Return the JSON object that ends a build."""
    return {"event": event, **rounded(asdict(result)), "table": str(result.table)}


def done_text(result: "BuildResult") -> str:
    """Return one line about a finished table."""
    counts = {
        "layers": result.layers,
        "boards": count_text(result.boards),
        "stored": count_text(result.stored),
        "size": bytes_text(result.bytes),
    }
    if result.was_complete:
        return tr(
            "{table}: complete already, {layers} layers, {boards} boards, {stored} of them "
            "stored, {size}",
            table=result.table,
            **counts,
        )
    return tr(
        "{table}: built in {time}, {layers} layers, {boards} boards, {stored} of them stored, "
        "{size}",
        table=result.table,
        time=span_text(result.elapsed_s, tenths=True),
        **counts,
    )
