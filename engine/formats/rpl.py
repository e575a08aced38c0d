"""``.rpl``: a recorded test, 25 bytes per move, with the position and the rates before each.

offset  0  uint64   the position
        8  uint8    bits 5-6 move (left, right, up, down), 1-4 cell of the new tile, 0 whether it
                    is a 4, 7 whether the move was the only one
        9  uint32 x 4   rates of left, right, up, down; see `engine.formats.rates`

All little-endian. The last row is an end mark: its byte is 88, its rates four fixed numbers, its
position that of the end, or 0.

Every position except the first is given twice, by the row and by the move before it. If the two
disagree, one of them is damaged and nothing says which, so the game ends before that move. At the
end the position in the mark prevails if it differs by the new tile only, and `problem` says so.

F is a wall, a locked large tile, or 32768: the rules by which the rows follow from each other are
used (`engine.formats.following`), those of locked tiles if it makes no difference. By the rules of
play two F become 65536, which is again F in the next row.
"""

from dataclasses import replace
from struct import Struct
from typing import NamedTuple

from engine.formats.following import (
    LOCKED,
    PLAY,
    Rules,
    bare_moves,
    best_reading,
    check_size,
    check_writable,
    new_tile,
    shows,
    start_of,
    with_note,
)
from engine.formats.rates import Numbers, numbers_of, with_rates
from engine.formats.replay import Replay, ReplayError, ReplayMove, bitboard
from engine.formats.sliding import slide
from engine.language import tr

_ROW = Struct("<QB4I")
_END = (88, 666666666, 233333333, 314159265, 987654321)
_END_BYTES = _ROW.pack(0, *_END)[8:]
_Row = tuple[int, int, int, int, int, int]  # position, code, rates
_MOVES = [
    ReplayMove(code >> 5 & 3, code >> 1 & 15, 1 + (code & 1), is_forced=code >= 128)
    for code in range(256)
]


class _File(NamedTuple):
    """The rows of a file.

    Attributes
    ----------
    rows : list of tuple
        Without the end mark.
    final : int
        The position in the end mark; 0 if that has none.
    has_end : bool
        Whether there is an end mark, wherever it is.
    problem : str
        What is wrong with the file as a whole.
    """

    rows: list[_Row]
    final: int
    has_end: bool
    problem: str


def read_rpl(data: bytes) -> Replay:
    """Return the game in an ``.rpl`` file.

    Raises
    ------
    ReplayError
        Not such a file: it has no end mark and no row follows from the one before; or not even its
        first move can be followed.
    """
    check_size(data)
    file = _rows_of(data)
    if not file.rows:
        if not file.final:
            raise ReplayError(_not_rpl(tr("it holds no position")))
        return Replay(start_of(file.final), (), merge_32768=False, problem=file.problem)
    replay = best_reading(file.rows[0][0], lambda rules: _read(file, rules), (LOCKED, PLAY))
    if not replay.moves:
        raise ReplayError(_not_rpl(replay.problem))
    if not file.has_end and len(replay.moves) < 2:
        raise ReplayError(_not_rpl(tr("it has no end mark")))
    return replay


def _not_rpl(why: str) -> str:
    return tr("not an .rpl recording: {why}; expected rows of 25 bytes and an end mark", why=why)


def _rows_of(data: bytes) -> _File:
    n_rows, n_torn = divmod(len(data), _ROW.size)
    problem = tr("the file ends within row {row}", row=n_rows + 1) if n_torn else ""
    rows: list[_Row] = []
    for row in _ROW.iter_unpack(data[: n_rows * _ROW.size]):
        if row[1:] == _END:
            n_more = len(data) - _ROW.size * (len(rows) + 1)
            problem = tr("{n} bytes follow the end mark", n=n_more) if n_more else ""
            return _File(rows, row[0], True, problem)
        rows.append(row)
    has_end = data.endswith(_END_BYTES)  # if bytes were lost or added it is not in a row
    problem = problem or tr("the end mark is missing: more moves may follow")
    return _File(rows, 0, has_end, problem)


def _read(file: _File, rules: Rules) -> Replay:
    moves = bare_moves((row[1] for row in file.rows), _MOVES)
    replay = _followed(Replay(start_of(file.rows[0][0]), moves, *rules), file)
    numbers: list[Numbers] = [row[2:] for row in file.rows]
    return with_rates(replay, numbers)


def _followed(replay: Replay, file: _File) -> Replay:
    """Return the replay up to the first row that does not follow."""
    boards = [row[0] for row in file.rows]
    if file.final:
        boards.append(file.final)
    n_made = 0
    position = replay.start
    try:
        for n_made, position in enumerate(replay.positions()):
            if n_made < len(boards) and not shows(boards[n_made], position):
                break
        else:
            return replace(replay, problem=file.problem)
    except ReplayError as error:
        return replace(replay, moves=replay.moves[:n_made], problem=str(error))
    if n_made == len(file.rows):
        return _with_final(replay, file)
    problem = tr(
        "row {row} holds {board:016x}, "
        "but move {move} leads to {other:016x}: one of them is damaged",
        row=n_made + 1,
        board=boards[n_made],
        move=n_made,
        other=bitboard(position),
    )
    return replace(replay, moves=replay.moves[: n_made - 1], problem=problem)


def _with_final(replay: Replay, file: _File) -> Replay:
    """Return the replay with its last tile as the end mark shows it, or without its last move."""
    *_, before, _ = replay.positions()
    last = replay.moves[-1]
    found = new_tile(slide(before, last.direction, replay.walls, replay.merge_32768), file.final)
    number = len(replay.moves)
    if found is None:
        problem = tr(
            "the end mark holds {board:016x}, to which move {number} does not lead",
            board=file.final,
            number=number,
        )
        return replace(replay, moves=replay.moves[:-1], problem=problem)
    cell, exponent = found
    moves = (*replay.moves[:-1], replace(last, cell=cell, exponent=exponent))
    return with_note(
        replace(replay, moves=moves, problem=file.problem),
        tr(
            "the new tile of move {number} is {tile} in cell {cell} in its row and "
            "{final_tile} in cell {final_cell} in the end mark, which was believed",
            number=number,
            tile=1 << last.exponent,
            cell=last.cell,
            final_tile=1 << exponent,
            final_cell=cell,
        ),
    )


def write_rpl(replay: Replay) -> bytes:
    """Return a game as an ``.rpl`` file; tiles above 32768 become F.

    Raises
    ------
    ReplayError
        The game cannot be played, a rate is not between 0 and 1, or the game begins with tiles
        above 32768 and its positions cannot be told from those of another one.
    """
    check_writable(replay, ".rpl")
    *positions, final = map(bitboard, replay.positions())
    rows = bytearray()
    for number, (board, move) in enumerate(zip(positions, replay.moves, strict=True), 1):
        code = move.is_forced << 7 | move.direction << 5 | move.cell << 1 | move.exponent - 1
        rows += _ROW.pack(board, code, *numbers_of(move, number))
    data = bytes(rows + _ROW.pack(final, *_END))
    if max(replay.start) > 15 and read_rpl(data).problem:
        raise ReplayError(
            tr(
                ".rpl cannot hold this game: it starts with tiles above 32768, which count as F "
                "there, and some of them merge"
            )
        )
    return data
