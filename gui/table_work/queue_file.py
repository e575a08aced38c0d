"""The file of the build queue, so that a restart finds it again.

The file is ``{"version": 1, "paused": false, "waiting": [request ...], "failed": [{"request": ...,
"message": "..."} ...]}``, each request as `request_to_json` writes it, waiting ones
with the seconds ``spent`` on them so far; the running build is the first of those. The file is
written atomically at every change of the queue; but not in a session that could neither read it nor
set it aside.
"""

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from engine.platform.files.input_file import is_number
from engine.platform.files.json_file import FileTexts, JsonFile
from engine.platform.language import mark, sentences, tr, trn
from gui.table_work.requests import (
    BuildRequest,
    ConvertRequest,
    ImportRequest,
    RelocateRequest,
    Request,
)
from tablebase.formation.goal import Goal, goal_in, goal_of
from tablebase.store.options import OPTIONS

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
KINDS: Mapping[str, type[Request]] = {
    "build": BuildRequest,
    "import": ImportRequest,
    "convert": ConvertRequest,
    "relocate": RelocateRequest,
}
_NAME = re.compile(r"\w[\w.+-]{0,99}")  # not an option of a command, and not a path
_TILES = tuple(1 << exponent for exponent in range(1, 17))
_MAX_PATH_LENGTH = 10_000
_MAX_LAYERS = 1_000_000
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
                {
                    **request_to_json(request),
                    "spent": round(queue.spent_s.get(request.table, 0.0), 1),
                }
                for request in queue.waiting
            ],
            "failed": [
                {
                    "request": request_to_json(failure.request),
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
                waiting.append(request_from_json(entry))
                if is_number(spent) and spent > 0:
                    spent_s[waiting[-1].table] = float(spent)
            except ValueError as error:
                wrong.append(str(error))
        for entry in data["failed"][:_MAX_REQUESTS]:
            try:
                message = str(entry["message"])[:_MAX_MESSAGE_LENGTH]
                failed.append(Failure(request_from_json(entry["request"]), message))
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


def request_to_json(request: Request) -> dict[str, Any]:
    kind = next(name for name, kind in KINDS.items() if type(request) is kind)
    values = {one.name: getattr(request, one.name) for one in fields(request)}
    plain = {name: str(v) if isinstance(v, Path) else v for name, v in values.items()}
    return {"kind": kind, **plain, "target": goal_of(request.target).json}


def request_from_json(data: object) -> Request:
    """Return the request that an object describes; raise ValueError, which says why, if invalid."""
    if not isinstance(data, dict) or str(data.get("kind")) not in KINDS:
        raise ValueError(tr("expected one of {kinds}", kinds=", ".join(KINDS)))
    kind = KINDS[str(data["kind"])]
    fields_of_kind = {one.name: one for one in fields(kind)}
    if unknown := data.keys() - fields_of_kind.keys() - {"kind"}:
        raise ValueError(tr("unknown field {name!r}", name=min(unknown)[:40]))
    values = {}
    for name, kind_field in fields_of_kind.items():
        if name in data:
            try:
                values[name] = _read(data[name], kind_field)
            except (TypeError, ValueError, OverflowError) as error:
                raise ValueError(tr("the field {name!r} has a wrong value", name=name)) from error
        elif kind_field.default is MISSING:
            raise ValueError(tr("the field {name!r} is missing", name=name))
    return kind(**values)


def _check(is_right: bool) -> None:
    if not is_right:
        raise ValueError


def _name(value: object) -> str:
    _check(isinstance(value, str) and _NAME.fullmatch(value) is not None)
    return str(value)


def _target(value: object) -> Goal:
    goal = goal_in(value)
    if goal is None:
        raise TypeError
    _check(goal.tile in _TILES if goal.tile else goal.is_possible)
    return goal


def _path(value: object) -> Path:
    _check(isinstance(value, str) and len(value) <= _MAX_PATH_LENGTH and "\0" not in value)
    path = Path(str(value))
    _check(path.is_absolute())
    return path


def _yes_or_no(value: object) -> bool:
    _check(isinstance(value, bool))
    return bool(value)


def _whole(low: int, high: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError
        _check(low <= value <= high)
        return value

    return read


def _layers(value: object) -> tuple[int, int] | None:
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise TypeError
    first, last = map(_whole(0, _MAX_LAYERS), value)
    _check(first <= last)
    return first, last


def _read(value: object, of: "Field[Any]") -> Any:
    option = OPTIONS.get(of.name)
    if option is None:
        return _READERS[of.name](value)
    is_default = type(value) is type(of.default) and value == of.default
    _check(is_default or option.accepts(value))
    if option.kind == "folder" and value:
        return str(_path(value))
    return float(value) if isinstance(value, int) and option.kind == "share" else value


_READERS: Mapping[str, Callable[[object], Any]] = {
    "pattern": _name,
    "then": lambda value: value and _name(value),
    "target": _target,
    "folder": _path,
    "source": _path,
    "to": _path,
    "is_copy": _yes_or_no,
    "layers": _layers,
    "most_bytes": _whole(0, 1 << 62),
}
