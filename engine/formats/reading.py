"""Reading a recorded game of any format, recognized by its content, not by its file name.

A replay may be in a text copied from a chat or a mail: with a title line, a code block, quotes, or
"> " before each line; with wrapped lines; with accents that are characters of their own (NFD);
with invisible characters; or its UTF-8 was read as Windows-1252 and encoded again. Where all its
characters are still there, one of the `_copied` texts is the replay.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from engine.formats.history_dump import read_history
from engine.formats.rec import read_rec
from engine.formats.replay import Replay, ReplayError
from engine.formats.replay_rules import check_size, furthest, with_note
from engine.formats.rpl import read_rpl
from engine.formats.rpl1 import TEXT_PREFIX, is_rpl1, read_rpl1
from engine.formats.text_encoding import without_mark
from engine.formats.verse2048 import is_new, is_old, read_new, read_old
from engine.platform.language import tr
from engine.platform.quantities import clauses

_TEXTS: dict[str, tuple[Callable[[bytes], bool], Callable[[bytes], Replay]]] = {
    "verse-old": (is_old, read_old),
    "verse-new": (is_new, read_new),
    "2048next": (is_rpl1, read_rpl1),
}
_BINARY: dict[str, Callable[[bytes], Replay]] = {
    "rpl": read_rpl,
    "history": read_history,
    "rec": read_rec,
}
_ROW_BYTES = {"rpl": 25, "history": 13, "rec": 17}
# Of .rec only the first row can be distinguished from other data, and other formats may begin like
# it: a damaged file that does not even have the right size must have more playable moves.
_CREDIBLE_MOVES = 5

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
_END_OF_WORD = re.compile(r"[\s,;]")
_ENDS = (_FENCE, _BLANK_LINE, _END_OF_WORD)
_INVISIBLE = ("Cf", "Cc")  # no text: categories of Unicode
_TWICE_ENCODED = "\u00c2\u00c3"  # the first bytes of all letters below U+0100, as Windows-1252


def read_replay(data: bytes) -> tuple[str, Replay]:
    """Return the format and the game of a file: the moves up to its `problem` if it is damaged.

    The format is "rpl", "rec", "verse-old", "verse-new", "2048next" or "history". ReplayError: not
    even the start of a game could be read.
    """
    check_size(data)
    try:
        reading = _read_text(data)
    except ReplayError:
        inside = _read_copied(data)
        if inside is None:
            raise
        return inside
    if reading and not reading[1].problem:
        return reading
    inside = _read_copied(data)
    if reading and inside:
        return inside if _likeliest((inside[1], reading[1])) is inside[1] else reading
    return reading or inside or _read_binary(data)


def _read_text(data: bytes) -> tuple[str, Replay] | None:
    for name, (begins_like, read) in _TEXTS.items():
        if begins_like(data):
            return name, read(data)
    return None


def _read_copied(data: bytes) -> tuple[str, Replay] | None:
    readings: list[tuple[str, Replay, int]] = []
    for text, n_games in _copied(data):
        with suppress(ReplayError):
            reading = _read_text(text)
            readings += [(*reading, n_games)] if reading else []
    if not readings:
        return None
    best = _likeliest([replay for _, replay, _ in readings])
    name, n_games = next((name, n) for name, replay, n in readings if replay is best)
    if n_games == 1:
        return name, best
    note = tr("the text holds {n} games, of which this is the first", n=n_games)
    return name, with_note(best, note)


def _likeliest(readings: Sequence[Replay]) -> Replay:
    """The older format reads words after a replay as moves: a mere part has no problem."""
    best = furthest(readings)
    others = [reading for reading in readings if reading.problem]
    if best.problem or not others:
        return best
    longest = furthest(others)
    return longest if len(longest.moves) >= len(best.moves) + _CREDIBLE_MOVES else best


def _read_binary(data: bytes) -> tuple[str, Replay]:
    readings: list[tuple[str, Replay]] = []
    why: list[str] = []
    for name, read in _BINARY.items():
        try:
            replay = read(data)
        except ReplayError as error:
            why.append(str(error))
            continue
        if not replay.problem:
            return name, replay
        if name == "rec" and len(data) % _ROW_BYTES[name] and len(replay.moves) < _CREDIBLE_MOVES:
            why.append(tr("not a .rec recording: {why}", why=replay.problem))
            continue
        readings.append((name, replay))
    if not readings:
        raise ReplayError(
            "not a recorded game: expected a replay of 2048verse ('replay_...' or "
            "'4x4-1_...') or 2048next ('REPLAY_v1RPL_B64_...'), an .rpl or .rec recording, or "
            "the history of a game ({why})",
            why=clauses(why),
        )
    # Several formats can read a part of a damaged file: take the one that explains most of it.
    return max(readings, key=lambda reading: _ROW_BYTES[reading[0]] * len(reading[1].moves))


def _copied(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield what may be the first replay in a text, the likelier first, and how many there are."""
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
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    yield _visible(text)
    if not any(letter in text for letter in _TWICE_ENCODED):
        return
    try:
        yield _visible(b"".join(map(_byte, text)).decode("utf-8"))
    except UnicodeError:
        return


def _byte(letter: str) -> bytes:
    """Windows-1252 leaves five bytes as they are."""
    try:
        return letter.encode("cp1252")
    except UnicodeEncodeError:
        return letter.encode("latin-1")


def _visible(text: str) -> str:
    composed = unicodedata.normalize("NFC", text)
    return "".join(c for c in composed if c == "\n" or unicodedata.category(c) not in _INVISIBLE)


def _bodies(text: str, quote: str) -> Iterator[str]:
    """Yield what may be the replay at the beginning of a text: up to its end, a line, ..."""
    text = re.sub(r"\n(?:> ?)+", "\n", text)
    closing = _CLOSING.get(quote, quote)
    ends = [len(text), text.find("\n"), *_ends_of_wrapped(text)]
    ends += [match.start() for mark in _ENDS if (match := mark.search(text))]
    if closing:
        ends.append(text.rfind(closing))
    for end in sorted({end for end in ends if end > 0}, reverse=True):
        lines = text[:end].strip("\n").split("\n")
        yield "".join(line.strip() for line in lines)
        yield "".join(lines)  # with the spaces of the older format


def _ends_of_wrapped(text: str) -> Iterator[int]:
    """Yield where a wrapped replay may end: in its first short line, or before it if full."""
    width = start = 0
    for line in text.split("\n"):
        if len(line) < width:
            yield from (start - 1, start + len(line))
            if word := _END_OF_WORD.search(line):
                yield start + word.start()
            return
        width, start = len(line), start + len(line) + 1
