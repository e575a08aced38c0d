"""The file of the build queue, so that a restart finds it again.

The file is ``{"version": 1, "paused": false, "waiting": [request ...], "failed": [{"request": ...,
"message": "..."} ...]}``, each request as `gui.table_work.request_json` writes it, waiting ones
with the seconds ``spent`` on them so far; the running build is the first of those. The file is
written atomically at every change of the queue; but not in a session that could neither read it nor
set it aside.
"""

import json
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from engine.platform.files.damaged_file import is_passing, set_aside
from engine.platform.files.input_file import is_number, read_limited
from engine.platform.language import sentences, tr, trn
from gui.settings_model.json_values import write_text
from gui.table_work.build_request import Request
from gui.table_work.request_json import from_json, to_json

VERSION = 1
_MAX_BYTES = 4 << 20
_MAX_REQUESTS = 1000
_MAX_MESSAGE_LENGTH = 2000
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Failure:
    """A failed request, and the reason."""

    request: Request
    message: str


@dataclass(frozen=True)
class KeptQueue:
    """The queue as stored: waiting, failed, whether the user paused it, and the time spent."""

    waiting: tuple[Request, ...] = ()
    failed: tuple[Failure, ...] = ()
    is_paused: bool = False
    spent_s: Mapping[Path, float] = field(default_factory=dict)  # by the tables' folders


class QueueFile:
    """Reads the file once, and writes it on a thread of its own.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    problem : str
        The problem with the file, for the window to show; "" if none.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.problem = ""
        self._is_left_alone = False
        self._written = ""
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="queue")

    def load(self) -> KeptQueue:
        """Return the contents of the file; empty if there is no usable file."""
        try:
            data = json.loads(read_limited(self._path, _MAX_BYTES).decode("utf-8-sig"))
            _check_shape(data)
        except FileNotFoundError:
            return KeptQueue()
        except (OSError, ValueError, RecursionError) as error:
            if isinstance(error, OSError) and is_passing(error):
                self._leave_alone(
                    tr(
                        "Your queue of builds in {path} cannot be read ({why}).",
                        path=self._path,
                        why=error.strerror or error,
                    )
                )
            else:
                self._set_aside(error)
            return KeptQueue()
        return self._parsed(data)

    def save(self, queue: KeptQueue, failed: Callable[[str], None]) -> None:
        """Write the file soon; on failure `failed` is called with the reason on another thread.

        A file that could not be read is left alone.
        """
        if self._is_left_alone:
            return
        data = {
            "version": VERSION,
            "paused": queue.is_paused,
            "waiting": [
                {**to_json(request), "spent": round(queue.spent_s.get(request.table, 0.0), 1)}
                for request in queue.waiting
            ],
            "failed": [
                {"request": to_json(one.request), "message": one.message[:_MAX_MESSAGE_LENGTH]}
                for one in queue.failed
            ],
        }
        text = json.dumps(data, indent=1)
        if text == self._written:
            return
        self._written = text

        def tell(future: "Future[None]") -> None:
            if error := future.exception():
                self._written = ""  # even unchanged it is written again
                _log.error("queue not written", exc_info=error)
                failed(
                    tr(
                        "Your queue of builds could not be written to {path}: {why}.",
                        path=self._path,
                        why=error,
                    )
                )

        self._writer.submit(write_text, self._path, text).add_done_callback(tell)

    def close(self) -> None:
        """Wait until everything is written."""
        self._writer.shutdown(wait=True)

    def _parsed(self, data: dict[str, Any]) -> KeptQueue:
        waiting, failed, wrong = [], [], []
        spent_s: dict[Path, float] = {}
        for entry in data["waiting"][:_MAX_REQUESTS]:
            try:
                spent = entry.pop("spent", 0.0) if isinstance(entry, dict) else 0.0
                waiting.append(from_json(entry))
                if is_number(spent) and spent > 0:
                    spent_s[waiting[-1].table] = float(spent)
            except ValueError as error:
                wrong.append(str(error))
        for entry in data["failed"][:_MAX_REQUESTS]:
            try:
                message = str(entry["message"])[:_MAX_MESSAGE_LENGTH]
                failed.append(Failure(from_json(entry["request"]), message))
            except (ValueError, TypeError, LookupError) as error:
                wrong.append(str(error))
        if wrong:
            _log.warning("%d entries of the queue dropped: %s", len(wrong), wrong[:3])
            self.problem = sentences(
                trn(
                    "One entry in your queue of builds could not be read and was dropped.",
                    "{n} entries in your queue of builds could not be read and were dropped.",
                    len(wrong),
                ),
                tr("The first problem: {why}.", why=wrong[0]),
            )
        return KeptQueue(_each_once(waiting), tuple(failed), data.get("paused") is True, spent_s)

    def _set_aside(self, error: Exception) -> None:
        _log.warning("damaged queue: %s", error)
        try:
            kept = set_aside(self._path, datetime.now(timezone.utc))
        except OSError:
            self._leave_alone(
                tr(
                    "Your queue of builds in {path} is damaged, and the file cannot be renamed.",
                    path=self._path,
                )
            )
            return
        self.problem = tr(
            "Your queue of builds was damaged, so it is empty. The old file: {path}", path=kept
        )

    def _leave_alone(self, problem: str) -> None:
        self._is_left_alone = True
        self.problem = sentences(
            problem,
            tr("So the queue is empty, and changes to it are not saved until the next start."),
        )


def _check_shape(data: object) -> None:
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise ValueError('expected {"version": 1, ...}')  # no text
    if not all(isinstance(data.get(name), list) for name in ("waiting", "failed")):
        raise ValueError('expected lists "waiting" and "failed"')  # no text


def _each_once(requests: list[Request]) -> tuple[Request, ...]:
    """Return the requests without duplicates for the same table."""
    kept: dict[Path, Request] = {}
    for request in requests:
        kept.setdefault(request.table, request)
    return tuple(kept.values())
