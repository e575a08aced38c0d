"""``verify``: check that a table is what was built."""

import argparse
import logging
import os
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.wording import bytes_text
from tablebase.cli.console import Commands, Output, add_command, folders_of
from tablebase.cli.control import CancelSwitch, add_stdin_control, cancellable
from tablebase.cli.options import sample_size
from tablebase.cli.progress import StatusLine, Ticker, bar
from tablebase.errors import DamagedTableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablebase.probe.verify import VerifyReport

_logger = logging.getLogger(__name__)
SAMPLE = 1000


def add_to(commands: Commands) -> None:
    """Add ``verify`` to the commands."""
    parser = add_command(
        commands,
        "verify",
        run,
        "check a table",
        "Reads all files against their checksums, then derives N values again by an independent "
        "path.",
    )
    parser.add_argument(
        "table",
        metavar="TABLE",
        help="a table's folder, or its name such as 442_128; folders on other drives that the "
        f"table does not know of are joined to it by {os.pathsep!r}",
    )
    parser.add_argument(
        "--sample",
        type=sample_size,
        default=SAMPLE,
        metavar="N",
        help="values to derive again (default: %(default)s)",
    )
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    """Verify a table; a mistake when it is not sound."""
    output = Output(args.json)
    table, *more_folders = folders_of(args).find_folders(args.table)
    for remark in _remarks(table):
        output.say(remark)
    with cancellable(args.stdin_control) as switch:
        report = verify_table(table, args.sample, output, switch, more_folders)
    output.emit(report_event(table, report))
    for problem in report.problems:
        output.say(problem)
    if not report.ok:
        raise damage(table, report)
    output.say(report_text(table, report))
    return 0


def verify_table(
    table: Path,
    sample: int,
    output: Output,
    switch: CancelSwitch,
    more_folders: Sequence[Path] = (),
) -> "VerifyReport":
    """Verify a table of any kind, telling how far it is; return what was found."""
    verify = _verifier([table, *more_folders])
    ticker, line = Ticker(0.5), StatusLine()

    def show(done: int, total: int) -> None:
        try:
            if not output.is_json:
                line.show("", f"verifying {table.name}  {bar(done / max(total, 1))}")
            elif ticker.is_due("", time.monotonic()):
                output.emit({"event": "progress", "done": done, "total": total})
        except OSError:  # nobody reads any more
            switch.cancel()

    _logger.info("verifying %s, %d values", table, sample)
    try:
        report = verify(sample, show, switch.is_cancelled)
    finally:
        line.clear()
    _logger.info("verified: %s", report)
    return report


def _verifier(folders: list[Path]) -> "Callable[..., VerifyReport]":
    """Return what verifies the table in these folders; it takes all but the folders."""
    from tablebase.library.opening import is_foreign

    table = folders[0]
    if is_foreign(table):
        from tablebase.foreign.check import verify_reference
        from tablebase.foreign.table import ReferenceTable

        return partial(verify_reference, ReferenceTable.open(table))
    from tablebase.probe.verify import verify
    from tablebase.store.origin import load_origin

    origin = load_origin(table)
    if origin is not None and origin.is_thinned:
        return lambda _sample, *more: verify(folders, 0, *more)
    return partial(verify, folders)


def _remarks(table: Path) -> "Iterator[str]":
    """Yield what is particular to a table that another program made."""
    from tablebase.library.opening import is_foreign
    from tablebase.store.origin import load_origin

    if is_foreign(table):
        yield (
            f"{table} is a table of another program, without checksums: record sizes, order, tile "
            "sums and rates are checked"
        )
    elif (origin := load_origin(table)) is not None and origin.is_thinned:
        yield f"{table} was imported without some of its boards: no values are derived again"


def damage(table: Path, report: "VerifyReport") -> DamagedTableError:
    """Return the error that says what is wrong with a table."""
    problems = "; ".join(report.problems[:3]) or f"{report.mismatches} wrong values"
    from tablebase.library.opening import is_foreign

    advice = "; delete it and build it again"
    if "build it again" in problems or is_foreign(table):
        advice = ""
    return DamagedTableError(f"{table} is damaged: {problems}{advice}")


def report_event(table: Path, report: "VerifyReport", event: str = "done") -> dict[str, Any]:
    """Return the JSON object that ends a verification."""
    return {"event": event, "table": str(table), "ok": report.ok, **asdict(report)}


def report_text(table: Path, report: "VerifyReport") -> str:
    """Return one line about a sound table."""
    omitted = f"; {report.omitted} more layers follow from them" if report.omitted else ""
    return (
        f"{table} is sound: {report.files} files, {bytes_text(report.bytes)}, "
        f"{report.sampled} values derived again{omitted}"
    )
