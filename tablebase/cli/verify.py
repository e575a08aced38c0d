"""``verify``: check that a table is as it was built."""

import argparse
import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.cli.arguments import sample_size
from engine.platform.cli.console import Commands, Output, add_command, folders_of
from engine.platform.cli.control import CancelSwitch, add_stdin_control, cancellable
from engine.platform.language import mark, tr, trn
from engine.platform.quantities import bytes_text
from tablebase.errors import DamagedTableError
from tablebase.library.arguments import add_table
from tablebase.library.build_report import counted
from tablebase.library.named_tables import known_formations, named_folders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tablebase.events import VerifyDone
    from tablebase.formation.formation import Formation
    from tablebase.probe.verify import VerifyReport

_logger = logging.getLogger(__name__)
SAMPLE = 1000
# Translators: words that "... delete it and build it again" and its like have in common, and "...:
# start the same build again to compute it anew" and its like.
_REMEDIES = mark("build it again"), mark("start the same build again")


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "verify",
        run,
        tr("check a table"),
        tr("Compares all files with their checksums, then recomputes N rates in a different way."),
    )
    add_table(parser)
    parser.add_argument(
        "--sample",
        type=sample_size,
        default=SAMPLE,
        metavar="N",
        help=tr("rates to recompute (default: %(default)s)"),
    )
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    output = Output(args.json)
    folders = folders_of(args)
    table, *more_folders = named_folders(folders, args.table)
    output.show(*_remarks(table))
    with cancellable(args.stdin_control) as switch:
        report = verify_table(
            table, args.sample, output, switch, more_folders, partial(known_formations, folders)
        )
    output.report(report_event(table, report), *report.problems)
    if not report.ok:
        raise damage(table, report)
    output.show(report_text(table, report))
    return 0


def verify_table(
    table: Path,
    sample: int,
    output: Output,
    switch: CancelSwitch,
    more_folders: Sequence[Path] = (),
    formations: "Callable[[], Mapping[str, Formation]] | None" = None,
) -> "VerifyReport":
    verify = _verifier([table, *more_folders], formations)
    _logger.info("verifying %s, %d values", table, sample)
    with counted(output, switch, mark("verifying {table}  {bar}"), table.name, 0.5) as show:
        report = verify(sample, show, switch.is_cancelled)
    _logger.info("verified: %s", report)
    return report


def _verifier(
    folders: list[Path], formations: "Callable[[], Mapping[str, Formation]] | None"
) -> "Callable[..., VerifyReport]":
    from tablebase.library.opening import is_foreign

    table = folders[0]
    if is_foreign(table):
        from tablebase.foreign.check import verify_reference
        from tablebase.foreign.table import ReferenceTable

        by_name = formations() if formations else None
        return partial(verify_reference, ReferenceTable.open(table, formations=by_name))
    from tablebase.probe.verify import verify
    from tablebase.store.origin import load_origin

    origin = load_origin(table)
    if origin is not None and origin.is_thinned:
        return lambda _sample, *more: verify(folders, 0, *more)
    return partial(verify, folders)


def _remarks(table: Path) -> "Iterator[str]":
    from tablebase.library.opening import is_foreign
    from tablebase.store.origin import load_origin

    if is_foreign(table):
        yield (
            tr(
                "{table} is a table of another program, without checksums: record sizes, order, "
                "tile sums and rates are checked",
                table=table,
            )
        )
    elif _is_limited(table):
        yield tr(
            "{table} has limits: its rates are lower bounds, so this checks only that they follow "
            "from each other",
            table=table,
        )
    elif (origin := load_origin(table)) is not None and origin.is_thinned:
        yield tr(
            "{table} was imported without some of its boards: no values are derived again",
            table=table,
        )


def _is_limited(table: Path) -> bool:
    """False for an unreadable table, reported elsewhere."""
    from tablebase.errors import TableError
    from tablebase.store.manifest import load_manifest

    try:
        return load_manifest(table).options.is_limited
    except TableError:
        return False


def damage(table: Path, report: "VerifyReport") -> DamagedTableError:
    problems = "; ".join(report.problems[:3]) or trn(
        "{n} wrong value", "{n} wrong values", report.mismatches
    )
    from tablebase.library.opening import is_foreign

    unfinished = "" if is_foreign(table) else _unfinished(table)
    if unfinished and len(report.problems) == 1:  # nothing else is wrong with it
        return DamagedTableError(unfinished)
    has_remedy = any(tr(remedy) in problems for remedy in _REMEDIES)
    if unfinished or has_remedy or is_foreign(table):
        return DamagedTableError("{table} is damaged: {problems}", table=table, problems=problems)
    return DamagedTableError(
        "{table} is damaged: {problems}; delete it and build it again",
        table=table,
        problems=problems,
    )


def _unfinished(table: Path) -> str:
    from tablebase.errors import TableError
    from tablebase.store.manifest import load_manifest, unfinished_text

    try:
        manifest = load_manifest(table)
    except TableError:
        return ""
    return "" if manifest.complete else unfinished_text(table, manifest)


def report_event(table: Path, report: "VerifyReport") -> "VerifyDone":
    from tablebase.events import VerifyDone

    return VerifyDone(table, report.ok, **vars(report))


def report_text(table: Path, report: "VerifyReport") -> str:
    counts = {"files": report.files, "size": bytes_text(report.bytes), "count": report.sampled}
    if report.omitted:
        return tr(
            "{table} is sound: {files} files, {size}, {count} values derived again; "
            "{omitted} more layers follow from them",
            table=table,
            omitted=report.omitted,
            **counts,
        )
    return tr(
        "{table} is sound: {files} files, {size}, {count} values derived again",
        table=table,
        **counts,
    )
