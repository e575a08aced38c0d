"""Reading JSON that a person has edited: one sentence says what is wrong, and where."""

import errno
import json
from pathlib import Path
from typing import Any

from engine.platform.files.input_file import no_number, read_limited, why_unreadable
from engine.platform.language import tr
from tablebase.errors import FormationError

MAX_BYTES = 1_000_000


def read_json(path: Path) -> Any:
    """Return the value in a JSON file, which may begin with a byte order mark.

    Raises FormationError if it cannot be read, is not a file, too large, not UTF-8 or not JSON, is
    nested too deeply, names a field twice, or holds a number that JSON does not have.
    """
    try:
        data = read_limited(path, MAX_BYTES)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise FormationError(
                "{path} is larger than {size} KB: too large for a list of formations",
                path=path,
                size=MAX_BYTES // 1000,
            ) from error
        raise FormationError(why_unreadable(path, tr("a list of formations"), error)) from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormationError(
            "{path} is not UTF-8 text (byte {at}): save it as UTF-8", path=path, at=error.start
        ) from error
    return parse_json(text, str(path))


def parse_json(text: str, where: str) -> Any:
    """Return the value of a JSON text; the errors of `read_json` begin with `where` it is from."""
    try:
        return json.loads(text, parse_constant=no_number, object_pairs_hook=_no_twins)
    except json.JSONDecodeError as error:
        raise FormationError(
            "{where}: line {line}, column {column}: not valid JSON: {reason}",
            where=where,
            line=error.lineno,
            column=error.colno,
            reason=error.msg,
        ) from error
    except ValueError as error:
        raise FormationError(
            "{where} is not valid JSON: {error}", where=where, error=error
        ) from error
    except RecursionError as error:
        raise FormationError(
            "{where}: its lists and objects are nested too deeply", where=where
        ) from error


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise ValueError(tr("the field {twin!r} is there twice in one object", twin=twin))
    return fields
