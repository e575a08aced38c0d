"""Rotating logs: the actions of the program, and the traceback of every bug.

Each command has a file of its own, ``logs/build.log`` and so on, because the window and the builds
that it starts write at the same time, and two programs cannot rotate one file.
"""

import io
import logging
import logging.handlers
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from engine.platform.files.atomic_file import behind_links
from engine.platform.files.input_file import open_at_once

_MAX_BYTES = 1_000_000
_logger = logging.getLogger(__name__)
_FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"  # no text


class LogFile(logging.handlers.RotatingFileHandler):
    """A log that is created on first write and never gets in the program's way.

    Failing to write a log, on a full disk for instance, is no reason to stop the program. Through a
    link, it is what the link leads to that is written and rotated: a file, or /dev/null.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(
            behind_links(path),
            maxBytes=_MAX_BYTES,
            backupCount=3,
            encoding="utf-8",
            errors="backslashreplace",  # names of files that are no text
            delay=True,
        )
        self.setFormatter(logging.Formatter(_FORMAT))

    @property
    def path(self) -> Path:
        return Path(self.baseFilename)

    def _open(self) -> io.TextIOWrapper:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return open(self.path, "a", encoding=self.encoding, errors=self.errors, opener=open_at_once)

    def doRollover(self) -> None:  # noqa: N802
        """Start a new file; go on in the old one when another program holds it (Windows)."""
        try:
            super().doRollover()
        except OSError:
            self.stream = self._open()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Do nothing: there is nowhere left to report it."""


def start_log(folder: Path, name: str) -> LogFile:
    """Log from level INFO on, and exceptions in threads and slots that none catches."""
    log = LogFile(folder / f"{name}.log")
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    root.addHandler(log)
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda args: _log_uncaught(
        args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
    )
    return log


def current_log() -> Path | None:
    handlers = logging.getLogger().handlers
    return next((handler.path for handler in handlers if isinstance(handler, LogFile)), None)


def stop_log(log: LogFile) -> None:
    """Close a log, so that a program that calls `main` twice does not log every line twice."""
    sys.excepthook, threading.excepthook = sys.__excepthook__, threading.__excepthook__
    logging.getLogger().removeHandler(log)
    with suppress(OSError):
        log.close()


def _log_uncaught(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    _logger.critical("uncaught", exc_info=(kind, error, traceback))
    if sys.stderr:
        sys.__excepthook__(kind, error, traceback)
