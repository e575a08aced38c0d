"""``prepare``: compile everything that is otherwise compiled at first use."""

import argparse
import os
from contextlib import suppress

from engine.platform.cli.console import DONE, Commands, Output, add_command
from engine.platform.cli.control import add_stdin_control, cancellable
from engine.platform.language import tr

_MAX_JOBS = 2  # more would compile too much that others compile as well
_JOB_BYTES = 500_000_000


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "prepare",
        run,
        tr("compile all machine code now, so that nothing waits for it later"),
        tr(
            "The window does this in the background when needed. Compiled code is kept; a new "
            "version of the program only compiles what has changed."
        ),
    )
    parser.add_argument("--idle", action="store_true", help=tr("run at low priority"))
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    output = Output(args.json)
    if args.idle:
        _give_way()
    with cancellable(args.stdin_control) as switch:
        from ai.preparation import prepare
        from engine.platform.events import Done, Progress
        from engine.platform.prepared_mark import PreparedMark

        def show(done: int, total: int) -> None:
            output.report(Progress(done, total), tr("{done} of {total}", done=done, total=total))

        mark = PreparedMark.of_user()
        mark.begin()
        prepare(show, switch.is_cancelled, n_jobs())
        mark.set()
        output.emit(Done())
    return DONE


def n_jobs() -> int:
    import psutil

    by_memory = psutil.virtual_memory().available // _JOB_BYTES
    return max(1, min(os.cpu_count() or 1, by_memory, _MAX_JOBS))


def _give_way() -> None:
    with suppress(OSError, AttributeError, ImportError):
        if hasattr(os, "nice"):
            os.nice(15)
        else:
            import psutil

            psutil.Process().nice(psutil.IDLE_PRIORITY_CLASS)
