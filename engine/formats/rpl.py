"""``.rpl``: a recorded test, 25 bytes per move, with the position and the rates before each.

offset  0  uint64   the position
        8  uint8    bits 5-6 move (left, right, up, down), 1-4 cell of the new tile, 0 whether it
                    is a 4, 7 whether the move was the only one
        9  uint32 x 4   rates of left, right, up, down; see `engine.formats.rates`

All little-endian. The last row is an end mark: its byte is 88, its rates four fixed numbers, its
position that of the end, or 0.

Every position except the first is given twice, by the row and by the move before it. If the two
disagree but the next row follows from the move before, the row's position is damaged. Otherwise
moves are missing, as programs leave some out: the game goes on with the position in the row. A row
whose move cannot be made is left out, and so is one that fits neither its neighbors nor a file with
an end mark in its place. At the end the position in the mark prevails if it differs by the new tile
only, else it is ignored. `problem` says each of these.

F is a wall, a locked large tile, or 32768: the rules by which the rows follow from each other are
used (`engine.formats.replay_rules`), those of locked tiles if it makes no difference. By the rules
of play two F become 65536, which is again F in the next row.
"""

from dataclasses import replace
from struct import Struct
from typing import NamedTuple

from engine.formats.rates import Numbers, numbers_of, with_rates
from engine.formats.replay import Cells, Replay, ReplayError, ReplayMove, bitboard, position_after
from engine.formats.replay_rules import (
    LOCKED,
    PLAY,
    MergeRules,
    best_reading,
    check_size,
    check_writable,
    new_tile,
    shows,
    start_of,
)
from engine.formats.sliding import slide
from engine.platform.language import tr, trn
from engine.platform.quantities import clauses

_ROW = Struct("<QB4I")
_END = (88, 666666666, 233333333, 314159265, 987654321)
_END_BYTES = _ROW.pack(0, *_END)[8:]
_Row = tuple[int, int, int, int, int, int]  # position, code, rates
_MOVES = [
    ReplayMove(code >> 5 & 3, code >> 1 & 15, 1 + (code & 1), is_forced=code >= 128)
    for code in range(256)
]


class _File(NamedTuple):
    """The rows of a file."""

    rows: list[_Row]  # without the end mark
    final: int  # the position in the end mark; 0 if that has none
    # Whether there is an end mark, wherever it is; and whether it is a row.
    has_end: bool
    is_aligned: bool
    problem: str  # what is wrong with the file as a whole


def read_rpl(data: bytes) -> Replay:
    """Raise ReplayError without an end mark if no row follows; and if no move can be made."""
    check_size(data)
    file = _rows_of(data)
    if not file.rows:
        if not file.final:
            raise ReplayError(_not_rpl(tr("it holds no position")))
        return Replay(start_of(file.final), (), merge_32768=False, problem=file.problem)
    replay = best_reading(
        file.rows[0][0], lambda rules: _GameBuilder(file, rules).replay(), (LOCKED, PLAY)
    )
    if not replay.moves:
        raise ReplayError(_not_rpl(replay.problem))
    if not file.has_end and len(replay.moves) - len(replay.gaps) < 2:
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
            return _File(rows, row[0], True, True, problem)
        rows.append(row)
    has_end = data.endswith(_END_BYTES)  # if bytes were lost or added it is not in a row
    problem = problem or tr("the end mark is missing: more moves may follow")
    return _File(rows, 0, has_end, False, problem)


class _GameBuilder:
    """The game of a file as far as its rows have been followed, by given rules."""

    def __init__(self, file: _File, rules: MergeRules) -> None:
        self._file, self._rules = file, rules
        self._boards = [*(row[0] for row in file.rows), file.final]  # 0: unknown
        self._start: Cells = start_of(self._boards[0])
        self._before: Cells = self._start  # of the last move
        self._position: Cells | None = self._start  # None: the last row could not be followed
        self._moves: list[ReplayMove] = []
        self._numbers: list[Numbers] = []
        self._gaps: list[tuple[int, Cells]] = []
        self._damaged: list[int] = []  # rows, from 1
        self._left_out: list[int] = []
        self._is_last_followed = False
        self._why = ""  # the first row was not followed

    def _add(self, i: int) -> None:
        board, code, *_ = row = self._file.rows[i]
        move, position = _MOVES[code], self._position
        self._is_last_followed = False
        if position is None or not shows(board, position):
            if position is not None and self._leads(position, i):
                self._damaged.append(i + 1)
            else:
                position = start_of(board)
                if not self._file.is_aligned and not self._leads(position, i):
                    self._leave_out(i)
                    return
        try:
            after = position_after(position, move, len(self._moves) + 1, *self._rules)
        except ReplayError as error:
            self._leave_out(i)
            self._why = self._why or str(error)
            return
        if position != self._position:
            if self._moves:
                self._gaps.append((len(self._moves), position))
            else:
                self._start = position
        self._moves.append(move)
        self._numbers.append(row[2:])
        self._before, self._position, self._is_last_followed = position, after, True

    def _leave_out(self, i: int) -> None:
        self._position = None
        self._left_out.append(i + 1)

    def _leads(self, position: Cells, i: int) -> bool:
        """Return whether a position leads to the next one in the file by the move of row i."""
        board, move = self._boards[i + 1], _MOVES[self._file.rows[i][1]]
        try:
            after = position_after(position, move, 0, *self._rules)
        except ReplayError:
            return False
        return board != 0 and shows(board, after)

    def replay(self) -> Replay:
        for i in range(len(self._file.rows)):
            self._add(i)
        notes = [self._final_note()] if self._is_last_followed and self._file.final else []
        notes = [self._file.problem, *self._row_notes(), *notes] if self._moves else [self._why]
        replay = Replay(
            self._start,
            tuple(self._moves),
            *self._rules,
            problem=clauses(notes),
            gaps=tuple(self._gaps),
        )
        return with_rates(replay, self._numbers)

    def _row_notes(self) -> list[str]:
        notes = []
        if self._gaps:
            notes.append(
                trn(
                    "moves are missing after move {number}",
                    "moves are missing in {n} places, the first of them after move {number}",
                    len(self._gaps),
                    number=self._gaps[0][0],
                )
            )
        if self._left_out:
            notes.append(
                trn(
                    "row {row} does not fit the others and was left out",
                    "{n} rows do not fit the others and were left out, the first of them row {row}",
                    len(self._left_out),
                    row=self._left_out[0],
                )
            )
        if self._damaged:
            notes.append(
                trn(
                    "the position in row {row} is not the one that the moves lead to: "
                    "the moves were believed",
                    "the positions in {n} rows are not those that the moves lead to, the first of "
                    "them in row {row}: the moves were believed",
                    len(self._damaged),
                    row=self._damaged[0],
                )
            )
        return notes

    def _final_note(self) -> str:
        """Give the last move the tile that the end mark shows; return what was wrong."""
        position, final = self._position, self._file.final
        if position is None or shows(final, position):
            return ""
        last, number = self._moves[-1], len(self._moves)
        spawned = new_tile(slide(self._before, last.direction, *self._rules), final)
        if spawned is None:
            return tr(
                "the end mark holds {board:016x}, to which move {number} does not lead: "
                "it was ignored",
                board=final,
                number=number,
            )
        cell, exponent = spawned
        self._moves[-1] = replace(last, cell=cell, exponent=exponent)
        return tr(
            "the new tile of move {number} is {tile} in cell {cell} in its row and "
            "{final_tile} in cell {final_cell} in the end mark, which was believed",
            number=number,
            tile=1 << last.exponent,
            cell=last.cell,
            final_tile=1 << exponent,
            final_cell=cell,
        )


def write_rpl(replay: Replay) -> bytes:
    """Tiles above 32768 become F; ReplayError if another game has the same positions."""
    check_writable(replay, ".rpl", has_positions=True)
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
