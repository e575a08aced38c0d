"""One JSON object in a file of the program's own, which survives crashes and damage.

It is read once and written on a thread of its own, atomically. A damaged file, or something that is
not a file, is set aside and reported. One that can't be read now, or can't be set aside, may hold
all that the user has: it is reported, and not written in this session.
"""

import json
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from engine.platform.files.atomic_file import write_file
from engine.platform.files.damaged_file import is_transient, set_aside
from engine.platform.files.input_file import read_limited
from engine.platform.language import sentences, tr

_log = logging.getLogger(__name__)


class FileTexts(NamedTuple):
    """Messages about a file, marked; ``{what}`` is its noun, ``{why}`` the reason."""

    # It cannot be read now; it was damaged and is now at ``{path}``; it is damaged and cannot be
    # renamed; it could not be written.
    unreadable: str
    damaged: str
    fixed: str
    unwritten: str
    left_alone: str  # the consequence of the first and the third, appended to them


class JsonFile:
    """A JSON object, and the file that stores it.

    Parameters
    ----------
    noun : str
        Its content, marked, for the messages.
    is_durable : bool
        Whether writing waits for the drive.
    is_read_only : bool
        Whether the file belongs to another process, and is neither written nor set aside.

    Attributes
    ----------
    problem : str
        The problem with the file, for the window to show; "" if none.
    has_failed : bool
        Whether the last write failed.
    """

    def __init__(
        self,
        path: Path,
        texts: FileTexts,
        noun: str = "",
        *,
        is_durable: bool = True,
        is_read_only: bool = False,
    ) -> None:
        self.problem, self.has_failed = "", False
        self._path, self._texts, self._noun = path, texts, noun
        self._is_durable, self._is_read_only = is_durable, is_read_only
        self._written = ""
        self._is_closed = False
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix=path.stem)

    @property
    def is_left_alone(self) -> bool:
        return self._is_read_only

    def load(self, check: Callable[[dict[str, Any]], None]) -> dict[str, Any] | None:
        """None if there is no usable file; `check` raises ValueError for an unexpected one."""
        try:
            data = json.loads(read_limited(self._path, 16 << 20).decode("utf-8-sig"))
            if not isinstance(data, dict):
                raise ValueError("expected an object")  # no text
            check(data)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            if isinstance(error, OSError) and is_transient(error):
                self._leave_alone(self._texts.unreadable, error.strerror or error)
            elif not self._is_read_only:
                self._set_aside(error)
            return None
        return data

    def save(self, data: Mapping[str, Any], on_failure: Callable[[str], None]) -> None:
        """Write the object soon; `on_failure` gets the message on another thread."""
        if self._is_read_only:
            return
        text = json.dumps(data, indent=2, sort_keys=True)  # ASCII: holds any text
        if text == self._written:
            return
        self._written = text

        def finish(future: "Future[None]") -> None:
            error = future.exception()
            self.has_failed = error is not None
            if error:
                self._written = ""  # even unchanged it is written again
                _log.error("%s not written", self._path.name, exc_info=error)
                on_failure(self._message(self._texts.unwritten, self._path, error))

        write = self._writer.submit(write_text, self._path, text, durable=self._is_durable)
        write.add_done_callback(finish)

    def flush(self) -> None:
        if not self._is_closed:
            self._writer.submit(int).result()  # queued after the current write

    def close(self) -> None:
        self._is_closed = True
        self._writer.shutdown(wait=True)

    def _set_aside(self, error: Exception) -> None:
        _log.warning("damaged %s: %s", self._path.name, error)
        try:
            new = set_aside(self._path, datetime.now(timezone.utc))
        except OSError:
            self._leave_alone(self._texts.fixed, error)
        else:
            self.problem = self._message(self._texts.damaged, new, error)

    def _leave_alone(self, text: str, why: object) -> None:
        self._is_read_only = True
        problem = self._message(text, self._path, why)
        self.problem = sentences(problem, tr(self._texts.left_alone))

    def _message(self, text: str, path: Path, why: object) -> str:
        return tr(text, what=tr(self._noun), path=path, why=why)


def write_text(path: Path, text: str, durable: bool = True) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, [text.encode("utf-8")], durable=durable)
