"""How far a record can be followed, and by which rules if the format does not say.

A codec makes a `Replay` of all moves in a file and `cut` shortens it to those that can be made.
Files of boards do not say what F means: a wall, a locked large tile that never merges, or 32768 in
a real game. `best_reading` tries these rules and takes the one by which most of the file makes
sense.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from engine.bitboard import cells
from engine.formats.replay import Cells, Replay, ReplayError, ReplayMove, bitboard
from engine.formats.sliding import slide
from engine.platform.language import tr
from engine.platform.quantities import clauses
from engine.variants import variant_of

SIZE_LIMIT_BYTES = 4 << 20
"""Larger files are not read. The tiles of a 4x4 game sum up to less than 2**18 and every new one
adds 2 or 4, so no game has more than 131,070 moves: 3.3 MB in the widest format, 25 bytes a move.
"""


class MergeRules(NamedTuple):
    """The meaning of exponent 15."""

    walls: bool  # a wall, which stays
    # The tile 32768, of which two merge. If neither holds, it slides and never merges.
    merge_32768: bool


WALLS, LOCKED, PLAY = MergeRules(True, False), MergeRules(False, False), MergeRules(False, True)


def check_size(data: bytes) -> None:
    if not data:
        raise ReplayError(tr("the file is empty; expected a recorded game"))
    if len(data) > SIZE_LIMIT_BYTES:
        raise ReplayError(
            "the file has {n} bytes; no recorded game has more than {most}",
            n=len(data),
            most=SIZE_LIMIT_BYTES,
        )


def cut(replay: Replay) -> Replay:
    """Return the replay up to the first move that cannot be made; `problem` then says why."""
    n_moves = 0
    try:
        for n_moves, _ in enumerate(replay.positions()):  # noqa: B007
            pass
    except ReplayError as error:
        return replace(replay, moves=replay.moves[:n_moves], problem=str(error))
    return replay


def with_note(replay: Replay, note: str) -> Replay:
    return replace(replay, problem=clauses((replay.problem, note)))


def furthest(readings: Iterable[Replay]) -> Replay:
    """Return the first reading without a problem, else the first with most moves that follow."""
    best: Replay | None = None
    for reading in readings:
        if not reading.problem:
            return reading
        if best is None or _n_following(reading) > _n_following(best):
            best = reading
    assert best is not None
    return best


def _n_following(replay: Replay) -> int:
    return len(replay.moves) - len(replay.gaps)


def best_reading(
    start: int, read: Callable[[MergeRules], Replay], rules: tuple[MergeRules, ...]
) -> Replay:
    """Return the reading of a file by the rules that fit it best, the likelier ones first.

    If the F of the first position are the walls of a small board, walls are tried first. The walls
    of 3x4 are also four large tiles in the bottom row, as in the formation 444: they are read as
    walls only if the record shows it, by a move in which large tiles there would have slid.
    """
    variant = variant_of(start)
    reading = furthest(read(rule) for rule in ((WALLS, *rules) if variant else rules))
    if reading.walls and variant and variant.name == "3x4" and not _needs_walls(reading):
        return read(LOCKED)
    return reading


def _needs_walls(replay: Replay) -> bool:
    """Return whether tiles instead of walls would slide in a move that was made or has a rate."""
    for position, move in zip(replay.positions(), replay.moves, strict=False):
        rates = move.rates or (None,) * 4
        for direction in {move.direction, *(rated for rated in range(4) if rates[rated])}:
            if slide(position, direction, *WALLS) != slide(position, direction, *LOCKED):
                return True
    return False


def new_tile(after: Cells, board: int) -> tuple[int, int] | None:
    """None if they differ by more than a new 2 or 4 on an empty cell."""
    difference = bitboard(after) ^ board
    bit = difference.bit_length() - 1
    cell, exponent = 15 - bit // 4, bit % 4 + 1
    if difference != 1 << max(bit, 0) or exponent > 2 or after[cell]:
        return None
    return cell, exponent


def shows(board: int, position: Cells) -> bool:
    return board == bitboard(position)


def start_of(board: int) -> Cells:
    return tuple(cells(board))


def check_writable(replay: Replay, what: str, has_positions: bool = False) -> None:
    """A format that `has_positions` stores every one, so that moves may be missing."""
    if replay.gaps and not has_positions:
        raise ReplayError(
            "{what} cannot hold this game: moves are missing after move {number}",
            what=what,
            number=replay.gaps[0][0],
        )
    if replay.walls and variant_of(bitboard(replay.start)) is None:
        raise ReplayError(
            "{what} cannot hold this game: its walls are not those of 2x4, 3x3 or 3x4", what=what
        )
    replay.check()


def bare_moves(codes: Iterable[int], table: list[ReplayMove]) -> tuple[ReplayMove, ...]:
    return tuple(table[code] for code in codes)


def same_game(replay: Replay, rules: MergeRules) -> bool:
    other = replace(replay, walls=rules.walls, merge_32768=rules.merge_32768)
    try:
        return all(a == b for a, b in zip(replay.positions(), other.positions(), strict=True))
    except ReplayError:
        return False
