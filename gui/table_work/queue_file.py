"""The file of the build queue, so that a restart finds it again.

The file is ``{"version": 1, "paused": false, "waiting": [request ...], "failed": [{"request": ...,
"message": "..."} ...]}``, each request as `gui.table_work.request_json` writes it, waiting ones
with the seconds ``spent`` on them so far; the running build is the first of those. The file is
written atomically at every change of the queue; but not in a session that could neither read it nor
set it aside.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.platform.files.input_file import is_number
from engine.platform.files.json_file import FileTexts, JsonFile
from engine.platform.language import mark, sentences, tr, trn
from gui.table_work.request_json import from_json, to_json
from gui.table_work.requests import Request

VERSION = 1
_MAX_REQUESTS = 1000
_MAX_MESSAGE_LENGTH = 2000
_TEXTS = FileTexts(
    mark("Your queue of builds in {path} cannot be read ({why})."),
    mark("Your queue of builds was damaged, so it is empty. The old file: {path}"),
    mark("Your queue of builds in {path} is damaged, and the file cannot be renamed."),
    mark("Your queue of builds could not be written to {path}: {why}."),
    mark("So the queue is empty, and changes to it are not saved until the next start."),
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Failure:
    """A failed request, and the reason."""

    request: Request
    message: str


@dataclass(frozen=True)
class StoredQueue:
    """The queue as stored: waiting, failed, whether the user paused it, and the time spent."""

    waiting: tuple[Request, ...] = ()
    failed: tuple[Failure, ...] = ()
    is_paused: bool = False
    spent_s: Mapping[Path, float] = field(default_factory=dict)  # by the tables' folders


class QueueFile:
    """The queue in its file."""

    def __init__(self, path: Path) -> None:
        self._file = JsonFile(path, _TEXTS)
        self.problem = ""  # the problem with the file, for the window to show; "" if none

    def load(self) -> StoredQueue:
        data = self._file.load(_check_shape)
        self.problem = self._file.problem
        return StoredQueue() if data is None else self._parsed(data)

    def save(self, queue: StoredQueue, on_failure: Callable[[str], None]) -> None:
        """Write the file soon; on failure `on_failure` is called with the reason on its thread."""
        data = {
            "version": VERSION,
            "paused": queue.is_paused,
            "waiting": [
                {**to_json(request), "spent": round(queue.spent_s.get(request.table, 0.0), 1)}
                for request in queue.waiting
            ],
            "failed": [
                {
                    "request": to_json(failure.request),
                    "message": failure.message[:_MAX_MESSAGE_LENGTH],
                }
                for failure in queue.failed
            ],
        }
        self._file.save(data, on_failure)

    def close(self) -> None:
        self._file.close()

    def _parsed(self, data: dict[str, Any]) -> StoredQueue:
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
        return StoredQueue(_each_once(waiting), tuple(failed), data.get("paused") is True, spent_s)


def _check_shape(data: dict[str, Any]) -> None:
    if data.get("version") != VERSION:
        raise ValueError('expected {"version": 1, ...}')  # no text
    if not all(isinstance(data.get(name), list) for name in ("waiting", "failed")):
        raise ValueError('expected lists "waiting" and "failed"')  # no text


def _each_once(requests: list[Request]) -> tuple[Request, ...]:
    by_table: dict[Path, Request] = {}
    for request in requests:
        by_table.setdefault(request.table, request)
    return tuple(by_table.values())
