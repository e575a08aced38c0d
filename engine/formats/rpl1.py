"""``RPL1``: a game of 2048next, as bytes or as the text that the site copies; read only.

The text is ``REPLAY_v1RPL_B64_`` and the bytes in base64. The bytes:

offset  0  "RPL1"
        4  uint8    width in bits 0-3, height in bits 4-7
        5  uint8    bit 0: the time of the start follows; bit 3: start tiles are numbers
        6  uint8    number of start tiles
        7  number   start of the game in ms since 1970, if bit 0 says so
           uint8 each   the start tiles: cell in bits 0-3, bit 4 a four; as numbers: cell * 2 + four
           records
           uint32   CRC-32 of everything before

Numbers have 7 bits per byte, the lowest first; bit 7 says that more follow (LEB128). Cells count
row by row. A record begins with a byte:

below 0x80  a move: bits 0-1 direction (up, right, down, left), 2-5 cell of the new tile, 6 a four;
            then a number, the milliseconds since the record before
0x80        one move is undone; then the milliseconds
0x81        a number of moves is undone; then the milliseconds
0x82        the position, 5 bits a cell, the lowest first: exponents
0x83        other data: kind, length, bytes; kind 2 names the rules
0x84        the end
0x85        a move whose parts do not fit a byte: direction, cell (a number), four, milliseconds

Undone moves are left out, and their time is added to the next move's. The game is played by the
real rules. Boards that are higher than wide are transposed, since ours are wide.
"""

import base64
import binascii
import re
import zlib

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.formats.replay import Cells, Replay, ReplayError, ReplayMove, place
from engine.formats.replay_rules import PLAY, WALLS, check_size, start_of, with_note
from engine.formats.site_boards import SITE_BOARDS, SiteBoard
from engine.formats.sliding import slide
from engine.formats.text_encoding import without_mark
from engine.platform.language import tr

TEXT_PREFIX = "REPLAY_v1RPL_B64_"
"""The beginning of a game as text."""

_PREFIX, _MAGIC = TEXT_PREFIX.encode(), b"RPL1"
_ORDER = (UP, RIGHT, DOWN, LEFT)
_TURNED = {UP: LEFT, LEFT: UP, DOWN: RIGHT, RIGHT: DOWN}
_HAS_TIME, _HAS_NUMBERS = 1, 8
_UNDO, _UNDO_MANY, _POSITION, _OTHER, _END, _WIDE_MOVE = range(0x80, 0x86)
_RULES, _DEFAULT_RULES = 2, b"pow2"
_NO_TIME = (1 << 32) - 1  # 50 days: times from there on mean unknown


def is_rpl1(data: bytes) -> bool:
    return data.startswith(_MAGIC) or without_mark(data[:128]).lstrip().startswith(_PREFIX)


def read_rpl1(data: bytes) -> Replay:
    """Raise ReplayError for other rules, an unknown board, or no readable start."""
    check_size(data)
    packed = data if data.startswith(_MAGIC) else _unpacked(data)
    if not packed.startswith(_MAGIC):
        raise _not_rpl1(tr("its data do not begin with 'RPL1'"))
    records, checksum = packed[:-4], packed[-4:]
    reader = _Reader(records)
    try:
        game = _start(reader)
    except _EndOfDataError:
        raise _not_rpl1(tr("it ends before the game begins")) from None
    replay = game.read(reader)
    if int.from_bytes(checksum, "little") == zlib.crc32(records):
        return replay
    if replay.problem:
        return replay
    return with_note(
        replay,
        tr("the checksum does not fit: the file is damaged, and any of its moves may be wrong"),
    )


def _not_rpl1(why: str) -> ReplayError:
    return ReplayError("not a replay of 2048next: {why}", why=why)


def _unpacked(data: bytes) -> bytes:
    text = re.sub(rb"\s+", b"", without_mark(data))
    if not text.startswith(_PREFIX):
        raise _not_rpl1(tr("expected text that starts with {prefix!r}", prefix=TEXT_PREFIX))
    text = text[len(_PREFIX) :].rstrip(b"=")
    whole = text[: len(text) - (len(text) % 4 == 1)]  # for a truncated text
    try:
        return base64.b64decode(whole + b"=" * (-len(whole) % 4), validate=True)
    except binascii.Error:
        why = tr("what follows {prefix!r} is not base64", prefix=TEXT_PREFIX)
        raise _not_rpl1(why) from None


class _EndOfDataError(Exception):
    """The data end within what is being read."""


class _Reader:
    """Bytes that are read one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def is_at_end(self) -> bool:
        return self._at >= len(self._data)

    def bytes(self, n_bytes: int) -> bytes:
        data = self._data[self._at : self._at + n_bytes]
        if len(data) < n_bytes:
            raise _EndOfDataError
        self._at += n_bytes
        return data

    def byte(self) -> int:
        return self.bytes(1)[0]

    def number(self) -> int:
        number = 0
        for shift in range(0, 63, 7):
            byte = self.byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
        raise ReplayError(tr("a number has more than 63 bits"))


def _start(reader: _Reader) -> "_Game":
    reader.bytes(len(_MAGIC))
    size, flags, n_tiles = reader.byte(), reader.byte(), reader.byte()
    width, height = size & 15, size >> 4
    if flags & _HAS_TIME:
        reader.number()
    is_turned = height > width
    name = f"{min(width, height)}x{max(width, height)}"
    board = SITE_BOARDS.get(name)
    if board is None:
        sizes = ", ".join(SITE_BOARDS)
        raise _not_rpl1(
            tr("its board is {size}; expected {known}", size=f"{height}x{width}", known=sizes)
        )
    game = _Game(board, is_turned)
    for _ in range(n_tiles):
        number = reader.number() if flags & _HAS_NUMBERS else reader.byte()
        if not flags & _HAS_NUMBERS:
            number = (number & 15) << 1 | number >> 4 & 1
        game.add_start_tile(game.cell(number >> 1), 1 + (number & 1))
    return game


class _Game:
    """A game as far as it has been read."""

    def __init__(self, board: SiteBoard, is_turned: bool) -> None:
        self._board, self._is_turned = board, is_turned
        self._rules = WALLS if board.walls else PLAY
        self._start_tiles: list[tuple[int, int]] = []
        self._positions: list[Cells] = [start_of(board.walls)]
        self._moves: list[ReplayMove] = []
        self._spent_ms: int | None = 0  # on moves undone since the last move

    def cell(self, index: int) -> int:
        n_columns = self._board.n_rows if self._is_turned else self._board.n_columns
        row, column = divmod(index, n_columns)
        if self._is_turned:
            row, column = column, row
        cell = self._board.cell(row, column)
        if cell is None:
            raise ReplayError("a tile lies beside the board of {size}", size=self._board.name)
        return cell

    def add_start_tile(self, cell: int, exponent: int) -> None:
        start = list(self._positions[0])
        if start[cell]:
            row, column = divmod(cell, 4)
            raise ReplayError(
                "two start tiles lie in row {row}, column {column}", row=row, column=column
            )
        start[cell] = exponent
        self._start_tiles.append((cell, exponent))
        self._positions[0] = tuple(start)

    def read(self, reader: _Reader) -> Replay:
        problem = ""
        try:
            while not reader.is_at_end and not problem:
                if self._follow(reader.byte(), reader):
                    break
        except _EndOfDataError:
            problem = tr("the file ends within a move")
        except _OtherRulesError:
            raise
        except ReplayError as error:
            problem = str(error)
        start, tiles = self._positions[0], tuple(self._start_tiles)
        if start == start_of(self._board.walls):
            raise _not_rpl1(tr("it has no tile at its start"))
        if not reader.is_at_end and not problem:
            problem = tr("more bytes follow the end mark")
        return Replay(start, tuple(self._moves), *self._rules, tiles, problem)

    def _follow(self, code: int, reader: _Reader) -> bool:
        if code < _UNDO:
            self._move(code & 3, code >> 2 & 15, code >> 6 & 1, reader.number())
        elif code == _WIDE_MOVE:
            direction, index, is_four = reader.byte(), reader.number(), reader.byte()
            if direction > 3 or is_four > 1:
                raise ReplayError("move {number} is not one of 2048", number=self._number)
            self._move(direction, index, is_four, reader.number())
        elif code in (_UNDO, _UNDO_MANY):
            self._take_back(1 if code == _UNDO else reader.number(), reader.number())
        elif code == _POSITION:
            self._compare(reader.bytes((self._board.n_rows * self._board.n_columns * 5 + 7) // 8))
        elif code == _OTHER:
            kind, n_bytes = reader.number(), reader.number()
            named = reader.bytes(n_bytes)
            if kind == _RULES and named != _DEFAULT_RULES:
                raise _OtherRulesError(
                    "not a game of 2048: its rules are called {rules!r}",
                    rules=named[:40].decode("utf-8", "replace"),
                )
        elif code != _END:
            raise ReplayError(
                "move {number} has the unknown mark {code:#04x}", number=self._number, code=code
            )
        return code == _END

    @property
    def _number(self) -> int:
        return len(self._moves) + 1

    def _move(self, code: int, index: int, is_four: int, ms: int) -> None:
        direction = _TURNED[_ORDER[code]] if self._is_turned else _ORDER[code]
        before = self._positions[-1]
        after = slide(before, direction, *self._rules)
        if after == before:
            raise ReplayError(
                "move {number} cannot be made: no tile slides that way", number=self._number
            )
        cell, exponent = self.cell(index), 1 + is_four
        self._positions.append(place(after, cell, exponent, self._number))
        self._spend(ms)
        self._moves.append(ReplayMove(direction, cell, exponent, ms=self._spent_ms))
        self._spent_ms = 0

    def _spend(self, ms: int | None) -> None:
        is_timed = self._spent_ms is not None and ms is not None and ms < _NO_TIME
        self._spent_ms = (self._spent_ms or 0) + (ms or 0) if is_timed else None

    def _take_back(self, n_moves: int, ms: int) -> None:
        if n_moves > len(self._moves):
            raise ReplayError(
                "{n} moves are taken back after move {number}", n=n_moves, number=len(self._moves)
            )
        for _ in range(n_moves):
            self._spend(self._moves.pop().ms)
            self._positions.pop()
        self._spend(ms)

    def _compare(self, packed: bytes) -> None:
        bits = int.from_bytes(packed, "little")
        n_cells = self._board.n_rows * self._board.n_columns
        board = {self.cell(index): bits >> 5 * index & 31 for index in range(n_cells)}
        if any(self._positions[-1][cell] != exponent for cell, exponent in board.items()):
            raise ReplayError(
                "the position that is stored after move {number} is another one than its "
                "moves lead to",
                number=len(self._moves),
            )


class _OtherRulesError(ReplayError):
    """A game by other rules: the part that could be followed is meaningless."""
