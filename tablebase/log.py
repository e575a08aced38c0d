"""Rotating logs: what was done, and the traceback of every bug.

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

_MAX_BYTES = 1_000_000
_N_OLD_FILES = 3
_logger = logging.getLogger(__name__)
_FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"  # no text


class LogFile(logging.handlers.RotatingFileHandler):
    """A log that is created when first written to, and never in the way of the program.

    A log that cannot be written, on a full disk for instance, is not worth failing for.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(
            path, maxBytes=_MAX_BYTES, backupCount=_N_OLD_FILES, encoding="utf-8", delay=True
        )
        self.setFormatter(logging.Formatter(_FORMAT))

    @property
    def path(self) -> Path:
        """Return the file."""
        return Path(self.baseFilename)

    def _open(self) -> io.TextIOWrapper:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return super()._open()

    def doRollover(self) -> None:  # noqa: N802
        """Start a new file; go on in the old one when another program holds it (Windows)."""
        try:
            super().doRollover()
        except OSError:
            self.stream = self._open()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Do nothing: there is nowhere left to complain."""


def start_log(folder: Path, name: str) -> LogFile:
    """Let everything of level INFO and above go to ``folder/name.log``; return that log.

    So do exceptions that nobody catches, in a thread or in a slot of the window.
    """
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
    """Return the file that the log of this process goes to, None if it goes to none."""
    handlers = logging.getLogger().handlers
    return next((one.path for one in handlers if isinstance(one, LogFile)), None)


def stop_log(log: LogFile) -> None:
    """Close a log; a program that calls `main` twice does not write everything twice."""
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
