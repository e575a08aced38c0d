"""Games of 2048verse, in the old and the present format of the site, on all its boards.

Both list tiles: the two start tiles, then for each move its direction and the new tile. Rows
and columns count from the top left of the small boards.

* old: ``replay_`` (small boards: ``replay3x3_``, though nobody has seen such a file) and one
  character a tile, whose number is ``direction * 32 + is_four * 16 + column * 4 + row``, directions
  U R D L; numbers up to 94 are ASCII from the space on, the others code page 850 from byte 0x80 on.
* present: ``4x4-1_``, rows x columns - version, and three characters per tile, 21 bits, 7 in each:
  bits 0-1 direction U D L R, 2 a four, 3 nothing, 4-6 column, 7-9 row, 10-12 scale and 13-20 count
  of the time since the tile before; all of these ones: no time.

A start tile has direction 0; others are read too, since some programs write them. Games are played
by the real rules: two 32768 merge, and so do larger tiles. Nothing is redundant in these formats,
so damage shows when a tile is impossible, and the moves before that are what could be read.
"""

import re
from bisect import bisect
from collections.abc import Iterator

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.formats.replay import Replay, ReplayError, ReplayMove, bitboard
from engine.formats.replay_rules import (
    PLAY,
    WALLS,
    check_size,
    check_writable,
    cut,
    furthest,
    same_game,
    start_of,
)
from engine.formats.site_boards import SITE_BOARDS, SiteBoard
from engine.formats.text_encoding import DecodedText, decoded_texts, without_mark
from engine.platform.language import tr
from engine.variants import variant_of

_OLD_ORDER = (UP, RIGHT, DOWN, LEFT)
_NEW_ORDER = (UP, DOWN, LEFT, RIGHT)
OLD_ALPHABET = "".join(map(chr, range(32, 127))) + bytes(range(0x80, 0xA1)).decode("cp850")
NEW_ALPHABET = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    + "".join(map(chr, range(0xC0, 0x100)))
    + "\u00a4\u00be"
)
_OLD_NUMBERS = {letter: number for number, letter in enumerate(OLD_ALPHABET)}
_NEW_NUMBERS = {letter: number for number, letter in enumerate(NEW_ALPHABET)}

# Milliseconds of every scale and count, ascending. The base of scale 6 is not where scale 5 ends:
# the site's own table has this gap.
_STEPS = (1, 3, 12, 48, 192, 768, 3072, 12288)
_BASES = (0, 256, 1024, 4096, 16384, 65536, 266734, 1053166)
_TIMES_MS = [
    base + step * count for base, step in zip(_BASES, _STEPS, strict=True) for count in range(256)
]
_NO_TIME = len(_TIMES_MS) - 1  # scale 7, count 255

_NEW_HEAD = re.compile(rb"(\d+x\d+)-(\w*?)_")


def is_old(data: bytes) -> bool:
    return without_mark(data[:64]).lstrip().startswith(b"replay")


def read_old(data: bytes) -> Replay:
    check_size(data)
    data = without_mark(data).lstrip().rstrip(b"\r\n")
    readings: list[Replay] = []
    problem = tr("expected 'replay_' and a character for each tile")
    for board, n_head in _old_heads(data):
        meanings = [_old_tile(board, number) for number in range(128)]
        for decoded in decoded_texts(data[n_head:], OLD_ALPHABET):
            tiles = (meanings[_OLD_NUMBERS[letter]] for letter in decoded.text)
            try:
                readings.append(_replay(board, tiles, decoded.foreign))
            except ReplayError as error:
                problem = str(error)
    if not readings:
        raise ReplayError("not a replay of 2048verse in the older format: {why}", why=problem)
    return furthest(readings)


def _old_heads(data: bytes) -> Iterator[tuple[SiteBoard, int]]:
    """Yield the possible meanings of the head: the board, and the length of the head.

    Nobody has seen the head of a small board. The reference program looks for a size in the first
    12 characters and skips 10; but these may also be the first tiles of a 4x4 game.
    """
    if not data.startswith(b"replay"):
        return
    size = re.search(rb"2x4|3x3|3x4|4x4", data[:12])
    if size:
        board = SITE_BOARDS[size[0].decode()]
        if size.start() == 7 and data[10:11] == b"_":
            yield board, 11
        yield board, 10
    if data[6:7] == b"_":
        yield SITE_BOARDS["4x4"], 7


def _old_tile(board: SiteBoard, number: int) -> ReplayMove | None:
    cell = board.cell(number & 3, number >> 2 & 3)
    if cell is None:
        return None
    return ReplayMove(_OLD_ORDER[number >> 5], cell, 1 + (number >> 4 & 1))


def write_old(replay: Replay) -> bytes:
    """Times and rates are left out; ReplayError without two start tiles of 2 or 4."""
    board, tiles = _to_write(replay)
    parts = ["replay_" if board.name == "4x4" else f"replay{board.name}_"]
    for tile in tiles:
        row, column = board.place(tile.cell)
        number = _OLD_ORDER.index(tile.direction) * 32 + (tile.exponent - 1) * 16 + column * 4 + row
        parts.append(OLD_ALPHABET[number])
    return "".join(parts).encode()


def is_new(data: bytes) -> bool:
    return _NEW_HEAD.match(without_mark(data[:64]).lstrip()) is not None


def read_new(data: bytes) -> Replay:
    check_size(data)
    data = without_mark(data).strip()
    head = _NEW_HEAD.match(data)
    if head is None:
        raise _not_new(tr("expected '4x4-1_' and three characters for each tile"))
    size, version = (part.decode("ascii", "replace") for part in head.groups())
    if size not in SITE_BOARDS:
        sizes = ", ".join(SITE_BOARDS)
        raise _not_new(tr("its board is {size}; expected {known}", size=size, known=sizes))
    if version != "1":
        raise _not_new(tr("its version is {version!r}; expected 1", version=version))
    readings, problem = [], ""
    for decoded in decoded_texts(data[head.end() :], NEW_ALPHABET):
        try:
            readings.append(_read_new(SITE_BOARDS[size], decoded))
        except ReplayError as error:
            problem = str(error)
    if not readings:
        raise _not_new(problem)
    return furthest(readings)


def _not_new(why: str) -> ReplayError:
    return ReplayError("not a replay of 2048verse in the present format: {why}", why=why)


def _read_new(board: SiteBoard, decoded: DecodedText) -> Replay:
    digits = [_NEW_NUMBERS[letter] for letter in decoded.text]
    tile_of: dict[int, ReplayMove | None] = {}  # repeated moves, mostly those without a time

    def tiles() -> Iterator[ReplayMove | None]:
        for high, middle, low in zip(digits[::3], digits[1::3], digits[2::3], strict=False):
            number = high << 14 | middle << 7 | low
            if number not in tile_of:
                tile_of[number] = _new_tile(board, number)
            yield tile_of[number]

    n_torn = len(digits) % 3
    torn = tr("the end of the file, within a tile") if n_torn and not decoded.foreign else ""
    return _replay(board, tiles(), decoded.foreign or torn)


def _new_tile(board: SiteBoard, number: int) -> ReplayMove | None:
    cell = board.cell(number >> 7 & 7, number >> 4 & 7)
    if cell is None or number & 8:
        return None
    time = (number >> 10 & 7) << 8 | number >> 13
    ms = None if time == _NO_TIME else _TIMES_MS[time]
    return ReplayMove(_NEW_ORDER[number & 3], cell, 1 + (number >> 2 & 1), ms=ms)


def write_new(replay: Replay) -> str:
    """Return a game in the present format; its rates are left out.

    Times become the nearest one of the format: exact below 256 ms, within 0.6 % above, except about
    1 % between 261 and 267 s; at most 69 minutes. Start tiles have no time. Raise like `write_old`.
    """
    board, tiles = _to_write(replay)
    parts = [f"{board.name}-1_"]
    for tile in tiles:
        row, column = board.place(tile.cell)
        time = _NO_TIME if tile.ms is None else _time_of(tile.ms)
        number = _NEW_ORDER.index(tile.direction) | tile.exponent - 1 << 2 | column << 4 | row << 7
        number |= time >> 8 << 10 | (time & 255) << 13
        parts += [NEW_ALPHABET[number >> shift & 127] for shift in (14, 7, 0)]
    return "".join(parts)


def _time_of(ms: int) -> int:
    """Return scale * 256 + count of the time nearest to `ms`, the earlier of two equally near."""
    at = bisect(_TIMES_MS, ms, hi=_NO_TIME) - 1
    if at + 1 < _NO_TIME and (at < 0 or _TIMES_MS[at + 1] - ms < ms - _TIMES_MS[at]):
        at += 1
    return at


def _replay(board: SiteBoard, tiles: Iterator[ReplayMove | None], foreign: str) -> Replay:
    """Return the game of the tiles, None for an impossible one; `foreign` text follows them."""
    moves: list[ReplayMove] = []
    problem = ""
    for tile in tiles:
        if tile is None:
            problem = tr(
                "move {number} puts its tile beside the board of {size}",
                number=len(moves) - 1,
                size=board.name,
            )
            break
        moves.append(tile)
    if foreign and not problem:
        shown = repr(foreign) if len(foreign) == 1 else foreign
        problem = tr(
            "move {number} has {found}: expected a character of the format",
            number=len(moves) - 1,
            found=shown,
        )
    if len(moves) < 2:
        raise ReplayError("it does not begin with two tiles on a board of {size}", size=board.name)
    start_tiles = tuple((tile.cell, tile.exponent) for tile in moves[:2])
    (first, _), (second, _) = start_tiles
    if first == second:
        row, column = divmod(first, 4)
        raise ReplayError(
            "both start tiles lie in row {row}, column {column}", row=row, column=column
        )
    start = list(start_of(board.walls))
    for cell, exponent in start_tiles:
        start[cell] = exponent
    rules = WALLS if board.walls else PLAY
    replay = Replay(tuple(start), tuple(moves[2:]), *rules, start_tiles, problem)
    return cut(replay)


def _to_write(replay: Replay) -> tuple[SiteBoard, list[ReplayMove]]:
    check_writable(replay, tr("a replay for 2048verse"))
    variant = variant_of(bitboard(replay.start)) if replay.walls else None
    board = SITE_BOARDS[variant.name if variant else "4x4"]
    start = {
        cell: exponent
        for cell, exponent in enumerate(replay.start)
        if exponent and not (replay.walls and exponent == 15)
    }
    if len(start) != 2 or max(start.values()) > 2:
        raise ReplayError(
            tr(
                "this game doesn't start with two tiles of 2 or 4, as a replay for 2048verse must: "
                "export one that was played from its start"
            )
        )
    if not replay.walls and not replay.merge_32768 and not same_game(replay, PLAY):
        raise ReplayError(
            tr(
                "two 32768 would merge in this game on 2048verse: it was played by the rules of "
                "tables"
            )
        )
    order = replay.start_tiles if dict(replay.start_tiles) == start else tuple(start.items())
    return board, [*(ReplayMove(UP, *tile) for tile in order), *replay.moves]
