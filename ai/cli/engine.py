"""``engine``: tables and search for other programs, line by line on stdin and stdout."""

import argparse
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.platform.cli.console import DONE, Commands, Output, add_command
from engine.platform.errors import AppError
from engine.platform.language import tr
from engine.platform.project_files import program_version
from tablebase.library.arguments import add_tables, table_folders_of

if TYPE_CHECKING:
    from ai.protocol.events import Event

_MAX_BYTES = 8192  # of a line
_SHORT_S = 0.0005


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "engine",
        run,
        tr("answer another program, line by line: boards in, moves out"),
        tr(
            "Like the engines of chess programs: board HEX, go nodes N or go ms T, stop, ponder, "
            "option NAME VALUE, isready, quit. docs/engine.md describes every line."
        ),
    )
    add_tables(parser)


def run(args: argparse.Namespace) -> int:
    from ai.protocol.events import text_of
    from ai.protocol.session import CommandError, ProtocolSession

    output, lock = Output(args.json), threading.Lock()
    unheard: list[AppError | OSError] = []

    def report(event: "Event") -> None:
        with lock:
            if unheard:
                return
            try:
                output.report(event, text_of(event))
            except (AppError, OSError) as error:  # nobody reads the output, so stop
                unheard.append(error)
                # The main thread may be waiting for a line that never comes. Elsewhere the next
                # line, or the end of stdin, ends it.
                if hasattr(signal, "pthread_kill"):
                    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    # With the default 5 ms, input such as stop would wait for the searching thread.
    sys.setswitchinterval(_SHORT_S)
    session = ProtocolSession(table_folders_of(args), report, program_version())
    try:
        session.greet()
        for line in _lines():
            if line is None:
                session.refuse(
                    CommandError("a line of more than {n} bytes is not a command", n=_MAX_BYTES)
                )
            elif not session.obey(line):
                session.quit()
                break
        session.finish()
    except KeyboardInterrupt:
        session.quit()  # a search still running at exit would crash
        if not unheard:
            raise
    for error in unheard:
        raise error
    return DONE


def _lines() -> Iterator[str | None]:
    """Yield the lines on stdin, None for one that is too long."""
    if sys.stdin is None:
        return
    is_rest = False  # rest of a line that was too long
    while data := sys.stdin.buffer.readline(_MAX_BYTES):
        is_whole = data.endswith(b"\n")
        if is_rest or not (is_whole or len(data) < _MAX_BYTES):
            if not is_rest:
                yield None
            is_rest = not is_whole
            continue
        yield data.decode("utf-8", "replace")
