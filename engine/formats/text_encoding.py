"""The text in a file of unknown encoding, deduced from the alphabet of its format.

The files of 2048verse have been saved in UTF-8, in single bytes of code page 850 and in Latin-1 (as
Windows writes it), some with a byte order mark. Each letter of their alphabets is something else in
every encoding, usually not in the alphabet at all: so one encoding fits, and the others do not.
"""

import codecs
from typing import NamedTuple

_ENCODINGS = ("utf-8", "cp850", "cp1252", "latin-1")
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class DecodedText(NamedTuple):
    """The text of a file in one encoding."""

    text: str  # its letters up to the first character outside the alphabet
    foreign: str  # that character, or "" if all are in the alphabet


def without_mark(data: bytes) -> bytes:
    """Return a text file without its byte order mark; UTF-16 becomes UTF-8."""
    if data.startswith(_MARKS):
        return data.decode("utf-16", "replace").encode("utf-8", "replace")
    return data.removeprefix(codecs.BOM_UTF8)


def decoded_texts(data: bytes, alphabet: str) -> list[DecodedText]:
    """Return the texts, the likelier first, whose characters are all in the alphabet, or most."""
    lengths: dict[DecodedText, int] = {}  # with the number of bytes that it reads
    for encoding in _ENCODINGS:
        text = data.decode(encoding, "replace")
        rest = text.lstrip(alphabet)
        text = text[: len(text) - len(rest)]
        lengths.setdefault(DecodedText(text, rest[:1]), len(text.encode(encoding)))
    whole = [decoded for decoded in lengths if not decoded.foreign]
    furthest = max(lengths.values())
    return whole or [decoded for decoded, reaches in lengths.items() if reaches == furthest]
