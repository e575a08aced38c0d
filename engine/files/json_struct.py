"""JSON whose fields are typed: a class describes a file, and what is wrong is said in one way.

Readers describe their files by `msgspec.Struct` classes (frozen; bounds by ``Annotated`` and
``Meta``, whose ``description`` is what a message says was expected), and get an instance, or an
error that names the field, what is there, and what was expected::

    move 3: 'cell' is 16; expected a whole number from 0 to 15

What types cannot say is checked in ``__post_init__``, whose ValueErrors get the place before them,
or afterwards. Unless a reader asks for it, numbers never come from texts, nor whole ones from
``1.0``; never from ``true``.

msgspec takes 10 ms to load, and the window starts without it: so such classes are in files of their
own, which are imported when something is read.
"""

import reprlib
from typing import TypeVar

from engine.files.input_file import InputFileError, Refusal
from engine.language import tr

T = TypeVar("T")


def as_struct(
    value: object, kind: type[T], refused: Refusal = InputFileError, *, lenient: bool = False
) -> T:
    """Return a value of JSON as an instance of `kind`; raise what `refused` makes of the reason.

    A lenient reader takes numbers that are texts, as they are in CSV, and 2.0 for a whole number.
    """
    import msgspec

    try:
        return msgspec.convert(value, kind, strict=not lenient)
    except msgspec.ValidationError as error:
        from engine.files.struct_problem import describe_problem

        raise refused(describe_problem(value, kind, error)) from error


def check_format(
    value: object, what: str, name: str, version: int, refused: Refusal = InputFileError
) -> None:
    """Refuse what is not a file of ours, or was written by a later version of the program.

    Parameters
    ----------
    value : object
        What the JSON describes.
    what : str
        What was expected, with its article.
    name : str
        What its field ``format`` has to be.
    version : int
        The newest that this program knows; the oldest is 1.
    refused : callable
    """
    if not isinstance(value, dict) or value.get("format") != name:
        raise refused(tr('it is not {what}: expected "format": "{name}"', what=what, name=name))
    found = value.get("version")
    if type(found) is not int or found < 1:
        shown = reprlib.repr(found)
        raise refused(tr("'version' is {found}; expected {wanted}", found=shown, wanted=version))
    if found > version:
        raise refused(
            tr(
                "it was written by a later version of this program (its format has version "
                "{found}, this one knows {known}): update the program",
                found=found,
                known=version,
            )
        )
