"""``import``: convert a table of 2048EndgameTablebase, or resume an interrupted import."""

import argparse
import logging

from engine.platform.cli.arguments import directory
from engine.platform.cli.console import Commands, Output, add_command, folders_of, note
from engine.platform.cli.control import add_stdin_control, cancellable
from engine.platform.language import tr
from tablebase.library.arguments import add_option, add_out, tile
from tablebase.library.build_report import reported
from tablebase.library.build_table import done_event, done_text
from tablebase.library.named_tables import known_formations

_logger = logging.getLogger(__name__)


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "import",
        run,
        tr("import a table made by 2048EndgameTablebase"),
        tr(
            "You can stop at any time: the same command resumes. The original files are only read. "
            "The commands probe and verify can also use such a table directly."
        ),
    )
    parser.add_argument(
        "source",
        metavar=tr("SOURCE"),
        type=directory,
        help=tr("the folder with its .book files or .z folders"),
    )
    parser.add_argument(
        "--pattern", metavar="P", help=tr("its formation, if there are several tables")
    )
    parser.add_argument(
        "--target", metavar="T", type=tile, help=tr("its target, if there are several")
    )
    add_out(parser)
    for name, text in (
        ("rate", tr("how rates are stored (default: as in the source)")),
        ("spawn4", tr("how often a new tile is a 4, if the source doesn't say (default: 0.1)")),
    ):
        add_option(parser, name, text=text, is_left_open=True)
    add_option(parser, "memory_bytes")
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    output = Output(args.json)
    with cancellable(args.stdin_control) as switch:
        from msgspec.structs import replace

        from tablebase.foreign.convert import ImportPlan, import_table
        from tablebase.foreign.table import ReferenceTable

        folders = folders_of(args)
        source = ReferenceTable.open(
            args.source, args.pattern, args.target, known_formations(folders)
        )
        with source:
            if args.spawn4 is not None:
                source.assume_spawn4(args.spawn4)
            parent = args.out if args.out else folders.tables
            plan = ImportPlan(source, parent / source.name, args.rate or "", args.memory)
            _logger.info("importing %s from %s into %s", source.name, source.path, plan.folder)
            title = tr("{table} from {path}", table=source.name, path=source.path)
            with reported(output, title, switch) as show:
                result = import_table(plan, show, switch.is_cancelled)
            _logger.info("imported %s", result)
            unknowns = list(plan.unknowns())
    output.emit(replace(done_event(result), notes=unknowns))
    for unknown in unknowns:
        if not output.is_json:
            note(tr("note: {text}", text=unknown))
    output.show(done_text(result))
    return 0
