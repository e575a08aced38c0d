"""``convert``: convert a finished table into a smaller one, without rebuilding it."""

import argparse
import logging
from typing import TYPE_CHECKING

from engine.platform.cli.arguments import directory
from engine.platform.cli.console import Commands, Output, add_command, folders_of
from engine.platform.cli.control import CancelSwitch, add_stdin_control, cancellable
from engine.platform.language import tr
from engine.platform.quantities import bytes_text, count_text, span_text
from tablebase.library.arguments import add_option
from tablebase.library.build_report import reported
from tablebase.library.named_tables import named_folders

if TYPE_CHECKING:
    from tablebase.events import ConvertResult, ConvertSize
    from tablebase.maintain.convert import ConvertPlan

_logger = logging.getLogger(__name__)


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "convert",
        run,
        tr("turn a finished table into a smaller one, without rebuilding it"),
        tr(
            "Options you leave out stay as they are. The new table is written beside the original "
            "and replaces it at the end. You can stop at any time: the original stays intact, and "
            "the same command resumes."
        ),
    )
    parser.add_argument(
        "table", metavar=tr("TABLE"), help=tr("a table's folder, or its name such as 442_128")
    )
    for name, text in (
        ("rate", tr("how rates are stored: a type with fewer digits than now")),
        ("threshold", tr("drop boards whose success rate is P or less")),
        ("optimal_only", tr("keep only boards that best play can reach")),
        ("sparse", tr("keep 2 of every K layers and recompute the rest when needed")),
        ("level", tr("recompress all files at this level; smaller files take longer to write")),
    ):
        add_option(parser, name, text=text, is_left_open=True)
    parser.add_argument(
        "--out",
        type=directory,
        metavar=tr("DIR"),
        help=tr("the new table becomes DIR/TABLE, and the original stays (default: replace it)"),
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help=tr("write nothing, only estimate the size of the new table"),
    )
    add_option(parser, "threads", text=tr("threads to use (default: all cores)"))
    add_option(parser, "memory_bytes")
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    output = Output(args.json)
    with cancellable(args.stdin_control) as switch:
        from tablebase.maintain.convert import ConvertPlan, convert

        folders = named_folders(folders_of(args), args.table)
        names = ("rate", "threshold", "optimal_only", "sparse", "level", "out")
        options = {name: getattr(args, name) for name in names}
        options["memory_bytes"] = args.memory
        if args.threads:
            options["threads"] = args.threads
        plan = ConvertPlan(folders, **options)
        if args.dry_run:
            return _report_size(plan, output, switch)
        _logger.info("converting %s", plan)
        with reported(output, folders[0].name, switch) as show:
            result = convert(plan, show, switch.is_cancelled)
        _logger.info("converted %s", result)
    output.report(result, _done_text(result))
    return 0


def _report_size(plan: "ConvertPlan", output: Output, switch: CancelSwitch) -> int:
    from tablebase.maintain.convert import predict

    size = predict(plan, switch.is_cancelled)
    output.report(size, _size_text(size))
    return 0


def _size_text(size: "ConvertSize") -> str:
    if size.is_same:
        return tr("{table}: nothing to do, already converted", table=size.table)
    sizes = {"size": bytes_text(size.bytes), "before": bytes_text(size.bytes_before)}
    if size.is_most:
        return tr(
            "{table}: would take at most {size} instead of {before}", table=size.table, **sizes
        )
    return tr("{table}: would take about {size} instead of {before}", table=size.table, **sizes)


def _done_text(result: "ConvertResult") -> str:
    if result.was_done:
        return tr("{table}: nothing to do, already converted", table=result.table)
    return tr(
        "{table}: converted in {time}, {stored} of {stored_before} boards stored, "
        "{size} instead of {before}",
        table=result.table,
        time=span_text(result.elapsed_s, tenths=True),
        stored=count_text(result.stored),
        stored_before=count_text(result.stored_before),
        size=bytes_text(result.bytes),
        before=bytes_text(result.bytes_before),
    )
