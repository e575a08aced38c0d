"""``relocate``: move layers of a table to another drive, or back."""

import argparse
import logging
import re
from typing import TYPE_CHECKING

from engine.platform.cli.arguments import ArgumentRefusedError, directory, memory_size
from engine.platform.cli.console import Commands, Output, add_command, folders_of
from engine.platform.cli.control import add_stdin_control, cancellable
from engine.platform.language import tr
from engine.platform.quantities import bytes_text, span_text
from tablebase.library.arguments import add_table
from tablebase.library.build_report import reported
from tablebase.library.named_tables import named_folders

if TYPE_CHECKING:
    from tablebase.events import RelocateResult

_logger = logging.getLogger(__name__)


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "relocate",
        run,
        tr("move layers of a table to another drive, or back"),
        tr(
            "The table stays usable all the time and knows where its layers are. You can stop at "
            "any time: the same command resumes."
        ),
    )
    add_table(parser)
    parser.add_argument(
        "--to",
        type=directory,
        metavar=tr("DIR"),
        required=True,
        help=tr(
            "a folder on the other drive: the layers go to DIR/TABLE; the table's own folder "
            "brings them back"
        ),
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--layers", type=layer_range, metavar="A-B", help=tr("the layers to move, such as 0-99")
    )
    which.add_argument(
        "--bytes",
        type=memory_size,
        metavar="N",
        help=tr(
            "move layers, starting with the first, as long as DIR holds at most N bytes, such as "
            "500G"
        ),
    )
    which.add_argument("--all", action="store_true", help=tr("move all layers (the default)"))
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    output = Output(args.json)
    with cancellable(args.stdin_control) as switch:
        from tablebase.maintain.relocate import RelocatePlan, relocate

        folders = named_folders(folders_of(args), args.table)
        plan = RelocatePlan(folders, args.to, args.layers, args.bytes)
        _logger.info("moving %s", plan)
        with reported(output, folders[0].name, switch) as show:
            result = relocate(plan, show, switch.is_cancelled)
        _logger.info("moved %s", result)
    output.report(result, _done_text(result))
    return 0


def layer_range(text: str) -> range:
    match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", text, re.ASCII)
    if match:
        first, last = int(match[1]), int(match[2] or match[1])
        if first <= last:
            return range(first, last + 1)
    raise ArgumentRefusedError(
        "{text!r} is not a range of layers: expected A-B, such as 0-99", text=text
    )


def _done_text(result: "RelocateResult") -> str:
    if not result.layers:
        return tr("{table}: nothing to move to {to}", table=result.table, to=result.to)
    return tr(
        "{table}: {layers} layers, {size}, moved to {to} in {time}",
        table=result.table,
        layers=result.layers,
        size=bytes_text(result.bytes),
        to=result.to,
        time=span_text(result.elapsed_s, tenths=True),
    )
