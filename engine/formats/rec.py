"""``.rec``: recorded practice, 17 bytes per move, with the rates before each.

row 0      uint8 0, then the first position in four parts of 16 bits, the lowest first, each in a
           uint32
row k      uint8: bits 0-1 move (up, down, left, right), 2-5 cell of the new tile, 6 whether it is
           a 4; then uint32 x 4, rates of up, down, left, right before the move; see
           `engine.formats.rates`

All little-endian, no end mark. Only the first position is stored. F never merges, as in practice;
where the F are the walls of a small board they are walls, as in `engine.formats.replay_rules`.

One program divides whole-number rates by their scale twice, which leaves 0 or 1 of each: a file
with no other numbers has no rates. The same program keeps undone moves and sometimes the rates of
an earlier position, so impossible rates there are ignored.
"""

from struct import Struct

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.formats.rates import Numbers, numbers_of, with_rates
from engine.formats.replay import Replay, ReplayError, ReplayMove, bitboard
from engine.formats.replay_rules import (
    LOCKED,
    MergeRules,
    bare_moves,
    best_reading,
    check_size,
    check_writable,
    cut,
    same_game,
    start_of,
    with_note,
)
from engine.platform.language import tr

_ROW = Struct("<B4I")
_ORDER = (UP, DOWN, LEFT, RIGHT)
_CODES = {direction: code for code, direction in enumerate(_ORDER)}
_N_CODES = 128  # bit 7 has no meaning: a file in which it is set is damaged, or not a recording
_MOVES = [ReplayMove(_ORDER[code & 3], code >> 2 & 15, 1 + (code >> 6)) for code in range(_N_CODES)]


def read_rec(data: bytes) -> Replay:
    """Raise ReplayError if the first row has no position."""
    check_size(data)
    n_rows, n_torn = divmod(len(data), _ROW.size)
    rows = list(_ROW.iter_unpack(data[: n_rows * _ROW.size]))
    if not rows or rows[0][0] or max(rows[0][1:]) >= 1 << 16 or not any(rows[0][1:]):
        raise ReplayError(
            tr("not a .rec recording: expected rows of 17 bytes, the first a 0 and a position")
        )
    start = sum(part << 16 * place for place, part in enumerate(rows.pop(0)[1:]))
    codes = [row[0] for row in rows]
    problem = tr("the file ends within move {number}", number=n_rows) if n_torn else ""
    n_good = next((n for n, code in enumerate(codes) if code >= _N_CODES), len(codes))
    if n_good < len(codes):
        problem = tr(
            "move {number} is written as {code}; expected 0 to 127",
            number=n_good + 1,
            code=codes[n_good],
        )
    moves = bare_moves(codes[:n_good], _MOVES)
    numbers: list[Numbers] = [(left, right, up, down) for _, up, down, left, right in rows]
    if all(max(four) <= 1 for four in numbers):
        numbers = [(0, 0, 0, 0)] * len(numbers)

    def read(rules: MergeRules) -> Replay:
        replay = cut(Replay(start_of(start), moves, *rules))
        if not replay.problem:
            replay = with_note(replay, problem)
        return with_rates(replay, numbers)

    return best_reading(start, read, (LOCKED,))


def write_rec(replay: Replay) -> bytes:
    """Raise ReplayError for a rate not in [0, 1], or larger tiles: here they never merge."""
    check_writable(replay, ".rec")
    has_larger = max(replay.start) > 15
    if has_larger or (replay.merge_32768 and not replay.walls and not same_game(replay, LOCKED)):
        raise ReplayError(
            tr(".rec cannot hold this game: two 32768 merge in it, or it starts with a larger tile")
        )
    start = bitboard(replay.start)
    rows = bytearray(_ROW.pack(0, *(start >> shift & 0xFFFF for shift in (0, 16, 32, 48))))
    for number, move in enumerate(replay.moves, 1):
        code = _CODES[move.direction] | move.cell << 2 | move.exponent - 1 << 6
        left, right, up, down = numbers_of(move, number)
        rows += _ROW.pack(code, up, down, left, right)
    return bytes(rows)
