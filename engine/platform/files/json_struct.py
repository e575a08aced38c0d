"""JSON with typed fields: a class describes a file, and errors have a uniform format.

Readers describe their files by `msgspec.Struct` classes (frozen; bounds by ``Annotated`` and
``Meta``, whose ``description`` is the expected value in messages), and get an instance, or an error
that names the field, its value, and what was expected::

    move 3: 'cell' is 16; expected a whole number from 0 to 15

Conditions that types cannot express are checked in ``__post_init__``, whose ValueErrors get the
place prepended, or afterwards. Unless a reader asks for it, numbers are never read from texts, nor
whole ones from ``1.0``; and never from ``true``.

msgspec takes 10 ms to load, and the window starts without it: so such classes are in files of their
own, which are imported when needed.
"""

import logging
import reprlib
from pathlib import Path
from typing import TypeVar

from engine.platform.files.input_file import InputFileError, Refusal, read_json
from engine.platform.language import tr

T = TypeVar("T")
_log = logging.getLogger(__name__)


def as_struct(
    value: object, kind: type[T], refused: Refusal = InputFileError, *, lenient: bool = False
) -> T:
    """A lenient reader accepts numbers given as texts, as in CSV, and 2.0 as a whole number."""
    import msgspec

    try:
        return msgspec.convert(value, kind, strict=not lenient)
    except msgspec.ValidationError as error:
        from engine.platform.files.struct_problem import describe_problem

        raise refused(describe_problem(value, kind, error)) from error
    except UnicodeEncodeError as error:  # of half a character, which JSON can hold
        text = reprlib.repr(error.object)
        raise refused(tr("{text} is not a text: half a character is missing", text=text)) from error


def read_cached(path: Path, kind: type[T], most_bytes: int) -> T | None:
    """Return the content of a file that can be made again; None if it is missing or unusable."""
    try:
        return as_struct(read_json(path, path.name, most_bytes), kind)
    except InputFileError as error:
        if not isinstance(error.__cause__, FileNotFoundError):
            _log.info("%s is not used: %s", path, error)
        return None


def check_format(
    value: object, what: str, name: str, version: int, refused: Refusal = InputFileError
) -> None:
    """Refuse a file that is not ours, or of a later version; `what` has its article."""
    if not isinstance(value, dict) or value.get("format") != name:
        raise refused(tr('it is not {what}: expected "format": "{name}"', what=what, name=name))
    number = value.get("version")
    if type(number) is not int or number < 1:
        shown = reprlib.repr(number)
        raise refused(tr("'version' is {found}; expected {wanted}", found=shown, wanted=version))
    if number > version:
        raise refused(
            tr(
                "it was written by a later version of this program (its format has version "
                "{found}, this one knows {known}): update the program",
                found=number,
                known=version,
            )
        )
