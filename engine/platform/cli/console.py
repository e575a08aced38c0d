"""The parts shared by all commands: options, output, exit status.

Exit status: 0 success; 2 a mistake of the user, one line on stderr; 3 cancelled; 1 a bug, with its
traceback in the log.
"""

import argparse
import contextlib
import io
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from engine.platform.cli import parser_words
from engine.platform.cli.arguments import directory
from engine.platform.errors import AppError, CancelledError
from engine.platform.interrupts import raising_interrupts
from engine.platform.language import sentences, tr
from engine.platform.log import LogFile, start_log, stop_log
from engine.platform.surrogates import without_controls
from engine.platform.user_folders import UserFolders, user_folders

if TYPE_CHECKING:
    from msgspec import Struct

_ERROR = "error: "  # in every language: the window looks for it
DONE, BUG, MISTAKE, CANCELLED = range(4)

_LONG_S = 1.0  # successful commands below this time are not logged
Commands = Any  # the type of ArgumentParser.add_subparsers() is private
Run = Callable[[argparse.Namespace], int]
_logger = logging.getLogger(__name__)


class CommandParser(argparse.ArgumentParser):
    """A parser that takes only complete option names; a mistake is one line in our language."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", parser_words.HelpLayout)
        super().__init__(allow_abbrev=False, add_help=False, **options)
        self.add_argument("-h", "--help", action="help", help=tr(parser_words.HELP))

    def add_argument_group(self, title: str | None = None, *args: Any, **options: Any) -> Any:
        said = parser_words.title(title) if title else title
        return super().add_argument_group(said, *args, **options)

    def error(self, message: str) -> NoReturn:
        said = parser_words.message(message)
        text = tr("{message} (see {prog} --help)", message=said, prog=self.prog)
        note(f"{_ERROR}{text}")
        self.exit(MISTAKE)


def add_command(
    commands: Commands, name: str, run: Run, summary: str, more: str = ""
) -> argparse.ArgumentParser:
    sentence = tr("{text}.", text=summary[0].upper() + summary[1:])
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=summary, description=sentences(sentence, more)
    )
    parser.set_defaults(run=run, command=name)
    parser.add_argument(
        "--json",
        action="store_true",
        help=tr("write one JSON object per line to stdout, and nothing else"),
    )
    add_data_dir(parser, argparse.SUPPRESS)  # it may also be given before the command's name
    return parser


def add_data_dir(parser: argparse.ArgumentParser, default: Any = None) -> None:
    parser.add_argument(
        "--data-dir",
        type=directory,
        metavar=tr("DIR"),
        default=default,
        help=tr("keep settings, tables and logs in DIR instead of the platform's folders"),
    )


def folders_of(args: argparse.Namespace) -> UserFolders:
    return user_folders(args.data_dir)


def run_command(args: argparse.Namespace) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    log = start_log(folders_of(args).logs, args.command)
    began = time.monotonic()
    try:
        status = _status_of(args, log)
        elapsed_s = time.monotonic() - began
        if status or elapsed_s > _LONG_S:
            _logger.info("%s: exit status %d after %.1f s", args.command, status, elapsed_s)
    finally:
        stop_log(log)
    return status


class Output:
    """The output of a command's results."""

    def __init__(self, is_json: bool) -> None:
        self.is_json = is_json  # whether stdout gets one JSON object per line and nothing else

    def emit(self, event: "Mapping[str, Any] | Struct") -> None:
        """Write one JSON object, such as an event; nothing without ``--json``."""
        if not self.is_json:
            return
        if not isinstance(event, Mapping):
            from engine.platform.events import to_plain

            event = to_plain(event)
        _write(json.dumps(event))

    def show(self, *texts: str) -> None:
        for text in () if self.is_json else texts:
            _write(without_controls(text))

    def report(self, event: "Mapping[str, Any] | Struct", *texts: str) -> None:
        """Write the event with ``--json``, otherwise the texts."""
        self.emit(event)
        self.show(*texts)


def note(text: str) -> None:
    """Write a message for people to stderr, control characters escaped, also with ``--json``."""
    write_message(f"{without_controls(text)}\n")


def write_message(text: str) -> None:
    """Do nothing if it is impossible: the exit status must not depend on it."""
    if sys.stderr is None:  # closed before the start; print would use stdout instead
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):  # a full disk, a closed pipe, a closed file
        sys.stderr = None


def keep_standard_files() -> None:
    """Otherwise messages of libraries, which write to number 2, could go into a table."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)


def one_line(error: BaseException) -> str:
    return " ".join(str(error).splitlines()) or type(error).__name__


def _write(line: str) -> None:
    try:
        print(line, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        _leave_stdout()
        raise AppError("cannot write the output: {reason}", reason=error.strerror) from error


def _status_of(args: argparse.Namespace, log: LogFile) -> int:
    try:
        with raising_interrupts():
            status: int = args.run(args)
        if sys.stdout:  # the GUI script of Windows has none
            sys.stdout.flush()
    except CancelledError as error:
        note(tr("canceled: {why}", why=one_line(error)))
        return CANCELLED
    except AppError as error:
        _logger.info("%s refused: %s", args.command, error)
        note(f"{_ERROR}{one_line(error)}")
        return MISTAKE
    except KeyboardInterrupt:
        note(tr("canceled"))
        return CANCELLED
    except BrokenPipeError:
        _leave_stdout()
        return CANCELLED
    except Exception as error:  # the last resort: any other exception is a bug
        _logger.exception("a bug in %s", args.command)
        text = tr(
            "{name}: {error} (this is a bug: see {path})",
            name=type(error).__name__,
            error=one_line(error),
            path=log.path,
        )
        note(f"{_ERROR}{text}")
        return BUG
    return status


def _leave_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
