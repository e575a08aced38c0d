"""The only way to read files from outside: regular files only, of bounded size.

A path may lead anywhere: to a pipe, on which reading waits forever, to an endless device, to a file
larger than memory. So a file is opened without waiting, checked, and read up to a limit. There are
two layers: `open_regular` and `read_limited` raise OSError for callers with their own messages;
`read_bytes`, `read_text` and `read_json` raise an AppError that says what was expected.
"""

import errno
import json
import os
import stat
import sys
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path
from typing import Any, NoReturn

from engine.platform.errors import AppError
from engine.platform.language import tr

NOT_REGULAR = "it is not a file"  # no text: it is compared, `why_unreadable` says it
_UNNAMEABLE = (errno.ENAMETOOLONG, errno.EINVAL)
_TOO_LONG = "set_int_max_str_digits"  # no text: Python's advice, to programmers
_STDIN = "stdin"  # no text
_MAX_NAME_LENGTH = 255  # on all file systems in use
_DO_NOT_WAIT = getattr(os, "O_NONBLOCK", 0)  # Windows opens pipes under other names


class InputFileError(AppError, ValueError):
    """A given file cannot be read, or is not what was expected."""


Refusal = Callable[[str], AppError]


def open_regular(path: Path) -> BufferedReader:
    """Never blocks; raise OSError for what is not a regular file."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a device may have side effects
            raise OSError(errno.EINVAL, NOT_REGULAR, str(path))
        file = open(path, "rb", opener=open_at_once)  # noqa: SIM115
    except ValueError as error:  # a null character in the name
        raise OSError(errno.EINVAL, str(error), str(path)) from error
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # replaced by another one meanwhile
        file.close()
        raise OSError(errno.EINVAL, NOT_REGULAR, str(path))
    return file


def read_limited(path: Path, most_bytes: int) -> bytes:
    """Return the bytes of a file; raise OSError, also if it is not a file or has more bytes."""
    with open_regular(path) as file:
        is_larger = os.fstat(file.fileno()).st_size > most_bytes
        raw = b"" if is_larger else file.read(most_bytes + 1)
    if is_larger or len(raw) > most_bytes:
        raise OSError(errno.EFBIG, tr("it is larger than {n} bytes", n=most_bytes), str(path))
    return raw


def read_bytes(path: Path, what: str, most_bytes: int, refused: Refusal = InputFileError) -> bytes:
    """`what` was expected, with its article: "a recorded game"; raise the error of `refused`."""
    try:
        return read_limited(path, most_bytes)
    except OSError as error:
        raise refused(why_unreadable(path, what, error)) from error


def read_text(path: Path, what: str, most_bytes: int, refused: Refusal = InputFileError) -> str:
    """Raise like `read_bytes`; the byte order mark is left out."""
    return _text_of(read_bytes(path, what, most_bytes, refused), str(path), refused)


def read_json(path: Path, what: str, most_bytes: int, refused: Refusal = InputFileError) -> Any:
    """Raise like `read_text`, also if it is not JSON."""
    return parse_json(read_text(path, what, most_bytes, refused), str(path), refused)


def read_lines(
    path: Path, what: str, most_bytes: int, refused: Refusal = InputFileError
) -> list[str]:
    """Return the lines of a file, or of standard input for ``-``; raise like `read_text`."""
    if str(path) == "-":
        return _read_stdin(what, most_bytes, refused).splitlines()
    return read_text(path, what, most_bytes, refused).splitlines()


def _read_stdin(what: str, most_bytes: int, refused: Refusal) -> str:
    if sys.stdin is None:  # closed before the start
        return ""
    try:
        raw = sys.stdin.buffer.read(most_bytes + 1)
        if len(raw) > most_bytes:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    except OSError as error:
        raise refused(why_unreadable(Path(_STDIN), what, error)) from error
    return _text_of(raw, _STDIN, refused)


def parse_json(data: str | bytes, source: str, refused: Refusal = InputFileError) -> Any:
    """Refuse NaN and infinities: they are not JSON, and no comparison detects them."""
    text = data if isinstance(data, str) else _text_of(data, source, refused)
    try:
        return json.loads(text, parse_constant=no_number)
    except json.JSONDecodeError as error:
        problem = tr(
            "{source} is not valid JSON: line {line}, column {column}: {problem}",
            source=source,
            line=error.lineno,
            column=error.colno,
            problem=error.msg,
        )
        raise refused(problem) from error
    except ValueError as error:
        why = tr("a number has too many digits") if _TOO_LONG in str(error) else error
        problem = tr("{source} is not valid JSON: {problem}", source=source, problem=why)
        raise refused(problem) from error
    except RecursionError as error:
        problem = tr("{source} is not valid JSON: it is nested too deeply", source=source)
        raise refused(problem) from error


def is_number(
    value: object, low: float = -sys.float_info.max, high: float = sys.float_info.max
) -> bool:
    """Return whether a JSON value is a number within bounds: usually all that a float can hold.

    A whole number of 400 digits is valid JSON, but neither `float` nor `math.isfinite` takes it.
    Numbers to compute with need bounds of their own: the sum of two large ones is infinite.

    >>> is_number(2), is_number(10**400), is_number(float("nan")), is_number(True)
    (True, False, False, False)
    >>> is_number(2, high=1)
    False
    """
    return type(value) in (int, float) and low <= value <= high  # type: ignore[operator]


def why_unreadable(path: Path, what: str, error: OSError) -> str:
    if error.errno == errno.EFBIG:
        return tr("{path} is too large for {what}: choose another file", path=path, what=what)
    if error.strerror == NOT_REGULAR or error.errno == errno.EISDIR:
        return tr("{path} is not a file: expected {what}", path=path, what=what)
    reason = error.strerror or error
    return tr("cannot read {path}: {reason}; expected {what}", path=path, reason=reason, what=what)


def is_nameable(path: Path) -> bool:
    try:
        if any(len(os.fsencode(part)) > _MAX_NAME_LENGTH for part in path.parts):
            return False
        os.lstat(path)
    except ValueError:  # a null character, or half a character
        return False
    except OSError as error:
        return error.errno not in _UNNAMEABLE
    return True


def _text_of(raw: bytes, source: str, refused: Refusal) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = tr(
            "{source} is not UTF-8 text (byte {byte}): save it as UTF-8",
            source=source,
            byte=error.start,
        )
        raise refused(problem) from error


def open_at_once(name: str, flags: int) -> int:
    """Open a file for `open`, without waiting for somebody at the other end of a pipe."""
    return os.open(name, flags | _DO_NOT_WAIT, 0o666)


def no_number(text: str) -> NoReturn:
    raise ValueError(tr("{text} is not a JSON number", text=text))
