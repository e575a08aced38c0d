"""What a command tells with ``--json``, one object per line: the same classes write and read it.

A command's lines are told apart by their field ``event``; those of each subject are described in a
module of its own, such as `tablebase.events`. msgspec takes 10 ms to load, so these modules are
imported when a command runs or a child starts.
"""

import json
import logging
from pathlib import Path, PurePath
from typing import Any

from msgspec import Struct, ValidationError, convert, to_builtins

_log = logging.getLogger(__name__)


class Event(Struct, frozen=True, omit_defaults=True, tag_field="event"):
    """A line of a command; subclasses name the value of ``event``; defaults are left out."""


class Progress(Event, frozen=True, tag="progress"):
    """The progress of work in equal steps."""

    done: int
    total: int

    @property
    def share(self) -> float:
        return min(1.0, max(0.0, self.done / self.total)) if self.total > 0 else 0.0


class Done(Event, frozen=True, tag="done"):
    """The end of work without a result."""


def to_plain(event: Struct) -> dict[str, Any]:
    """Paths are texts."""
    plain: dict[str, Any] = to_builtins(event, enc_hook=_text_of)
    return plain


def read_event(line: bytes, kind: Any) -> Any:
    """None if the line is none of the events of `kind`, a class or a union."""
    try:
        return convert(json.loads(line), kind, dec_hook=_path_of)
    except ValidationError as error:
        _log.warning("not an event (%s): %r", error, line[:200])
    except (ValueError, RecursionError):
        if line.strip():
            _log.warning("not a JSON line: %r", line[:200])
    return None


def _text_of(value: object) -> str:
    if isinstance(value, PurePath):
        return str(value)
    raise NotImplementedError(type(value))


def _path_of(kind: type, value: object) -> Path:
    if kind is not Path or not isinstance(value, str):
        raise TypeError(f"expected a path, found {type(value).__name__}")  # no text
    return Path(value)
