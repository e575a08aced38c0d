"""The history of a game, 13 bytes per position; read only.

offset  0  uint64   the position
        8  uint32   the points so far
       12  uint8    the move that led here: 1 left, 2 right, 3 up, 4 down; unused at first

All little-endian. The first position has no points and no row has fewer than the one before. The
new tile is the difference between a position and the one before after its move. Tiles above 32768
are F, and two F merge, unless the rows show that they do not (`engine.formats.replay_rules`).
"""

from collections.abc import Iterator
from struct import Struct

from engine.formats.replay import Cells, Replay, ReplayError, ReplayMove, place
from engine.formats.replay_rules import (
    LOCKED,
    PLAY,
    MergeRules,
    best_reading,
    check_size,
    new_tile,
    start_of,
    with_note,
)
from engine.formats.sliding import slide
from engine.platform.language import tr

_ROW = Struct("<QIB")
_Row = tuple[int, int, int]  # position, points, move
_POINTS = [0, *((exponent - 1) << exponent for exponent in range(1, 24))]


def read_history(data: bytes) -> Replay:
    """Raise ReplayError if the second position does not follow, or points do not start at 0."""
    check_size(data)
    n_rows, n_torn = divmod(len(data), _ROW.size)
    rows: list[_Row] = list(_ROW.iter_unpack(data[: n_rows * _ROW.size]))
    if n_rows < 2 or rows[0][1] or not rows[0][0]:
        raise ReplayError(_not_history(tr("it does not begin with a position and no points")))
    torn = tr("the file ends within row {row}", row=n_rows + 1) if n_torn else ""
    replay = best_reading(rows[0][0], lambda rules: _read(rows, rules, torn), (PLAY, LOCKED))
    if not replay.moves:
        raise ReplayError(_not_history(replay.problem))
    return replay


def _not_history(why: str) -> str:
    return tr(
        "not the history of a game: {why}; expected rows of 13 bytes: position, points, move",
        why=why,
    )


def _read(rows: list[_Row], rules: MergeRules, torn: str) -> Replay:
    start, problem, points = start_of(rows[0][0]), torn, 0
    moves: list[ReplayMove] = []
    odd_points: list[int] = []
    try:
        for move, gained in _moves(start, rows, rules):
            points += gained
            moves.append(move)
            if rows[len(moves)][1] != points:
                odd_points.append(len(moves) + 1)
                points = rows[len(moves)][1]
    except ReplayError as error:
        problem = str(error)
    replay = Replay(start, tuple(moves), *rules, problem=problem)
    if not odd_points:
        return replay
    return with_note(
        replay,
        tr(
            "the points of row {row} are not what its move earns; they were not used",
            row=odd_points[0],
        ),
    )


def _moves(
    position: Cells, rows: list[_Row], rules: MergeRules
) -> Iterator[tuple[ReplayMove, int]]:
    points = _points(position)
    for number, (board, _, code) in enumerate(rows[1:], 1):
        if not 1 <= code <= 4:
            raise ReplayError(
                "row {row} has move {code}; expected 1 to 4", row=number + 1, code=code
            )
        after = slide(position, code - 1, *rules)
        tile = new_tile(after, board) if after != position else None
        if tile is None:
            raise ReplayError(
                "row {row} holds {board:016x}, which is not one move after row {before}",
                row=number + 1,
                board=board,
                before=number,
            )
        points_after = _points(after)
        yield ReplayMove(code - 1, *tile), points_after - points
        position = place(after, *tile, number)
        points = points_after + _POINTS[tile[1]]


def _points(position: Cells) -> int:
    """Return the points that the tiles of a position have earned if all spawns were 2."""
    return sum(map(_POINTS.__getitem__, position))
