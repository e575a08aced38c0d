"""Replays in texts copied from chats and mails: what may be one, as bytes for its codec.

Such a text has a title line, a code block, quotes, or "> " before each line; its lines are wrapped;
its accents are characters of their own (NFD); invisible characters were added; or its UTF-8 was
read as Windows-1252 and encoded again. Where all characters of the replay are still there, one of
the `copied` texts is the replay.
"""

import re
import unicodedata
from collections.abc import Iterator

from engine.formats.lettering import without_mark
from engine.formats.rpl1 import TEXT_PREFIX

# A replay of the older format may hold any ASCII character, so there its head begins a line.
_QUOTES = "\"'`\u2018\u201c\u201e\u00ab"
_HEAD = re.compile(
    rf"(?P<quote>[{_QUOTES}]?)"
    rf"(?P<text>\d{{1,2}}x\d{{1,2}}-\w{{0,8}}?_|{TEXT_PREFIX}"
    rf"|(?<![^\n{_QUOTES}> ])replay(?:\dx\d)?_)"
)
_CLOSING = {"\u2018": "\u2019", "\u201c": "\u201d", "\u201e": "\u201c", "\u00ab": "\u00bb"}
_FENCE = re.compile(r"\n[ \t]*(?:```|~~~)")
_BLANK_LINE = re.compile(r"\n\s*\n")
_MAIL_QUOTE = re.compile(r"\n(?:> ?)+")
_INVISIBLE = ("Cf", "Cc")  # no text: categories of Unicode
_TWICE_ENCODED = "\u00c2\u00c3"  # the first bytes of all letters below U+0100, as Windows-1252


def copied(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield what may be the first replay in a text, and the number of replays in the text.

    The likelier ones come first.
    """
    seen = set()
    for text in _texts(data):
        heads = list(_HEAD.finditer(text))
        if not heads:
            continue
        end = heads[1].start() if len(heads) > 1 else len(text)
        for body in _bodies(text[heads[0].start("text") : end], heads[0]["quote"]):
            if body not in seen:
                seen.add(body)
                yield body.encode("utf-8", "replace"), len(heads)


def _texts(data: bytes) -> Iterator[str]:
    data = without_mark(data)
    if b"\0" in data:  # no text
        return
    try:
        text = data.decode("utf-8").replace("\r", "\n")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace").replace("\r", "\n")
    yield _visible(text)
    if not any(letter in text for letter in _TWICE_ENCODED):
        return
    try:
        yield _visible(b"".join(map(_byte, text)).decode("utf-8"))
    except UnicodeError:
        return


def _byte(letter: str) -> bytes:
    """Return the byte that was read as a letter; Windows-1252 leaves five of them as they are."""
    try:
        return letter.encode("cp1252")
    except UnicodeEncodeError:
        return letter.encode("latin-1")


def _visible(text: str) -> str:
    """Return composed letters without invisible ones."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(c for c in composed if c == "\n" or unicodedata.category(c) not in _INVISIBLE)


def _bodies(text: str, quote: str) -> Iterator[str]:
    """Yield what may be the replay at the beginning of a text: up to its end, a line, ..."""
    closing = _CLOSING.get(quote, quote)
    ends = [len(text), text.find("\n")]
    ends += [found.start() for mark in (_FENCE, _BLANK_LINE) if (found := mark.search(text))]
    if closing:
        ends.append(text.rfind(closing))
    for end in sorted({end for end in ends if end > 0}, reverse=True):
        lines = _MAIL_QUOTE.sub("\n", text[:end]).strip("\n").split("\n")
        yield "".join(line.strip() for line in lines)
        yield "".join(lines)  # with the spaces of the older format
