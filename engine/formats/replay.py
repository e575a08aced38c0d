"""A recorded game, whatever format it came from: a start, moves with their new tiles, rates.

Codecs turn bytes into a `Replay` and back; everything else works on this.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.bitboard import N_CELLS
from engine.formats.sliding import slide
from engine.game import Game
from engine.platform.errors import AppError

Cells = tuple[int, ...]
Rates = tuple[float | None, float | None, float | None, float | None]
_DIGITS = b"0123456789abcdef".ljust(256, b"f")  # of every exponent


class ReplayError(AppError, ValueError):
    """A file that is not a recorded game, or a game that a format cannot hold."""


@dataclass(frozen=True, slots=True)
class ReplayMove:
    """A move and the tile that came after it."""

    direction: int  # LEFT, RIGHT, UP or DOWN
    # The new tile: where, and 1 or 2.
    cell: int
    exponent: int
    # A table's rates before the move, by direction; None where the file has no rates.
    rates: Rates | None = None
    ms: int | None = None  # milliseconds since the tile before; None if unknown
    is_forced: bool = False  # whether the file marks the move as the only one


@dataclass(frozen=True)
class Replay:
    """A recorded game."""

    start: Cells  # 16 exponents, up to 17; walls of the small boards are 15
    moves: tuple[ReplayMove, ...]
    walls: bool = False  # whether exponent 15 is a wall
    # Whether two 32768 merge, as in play; in recordings of tables they never do.
    merge_32768: bool = True
    # tuple of (cell, exponent): the first two tiles in the order in which they appeared, if known.
    start_tiles: tuple[tuple[int, int], ...] = ()
    # Where the record could no longer be followed, and why; `moves` are those before. Or where
    # moves are missing. "" if nothing is wrong.
    problem: str = ""
    # tuple of (int, Cells): where moves are missing: the number of moves before, and the position
    # with which the record goes on; the move before does not lead there.
    gaps: tuple[tuple[int, Cells], ...] = ()

    def positions(self) -> Iterator[Cells]:
        """Yield one position more than moves; raise ReplayError if one cannot be made."""
        cells, gaps = self.start, dict(self.gaps)
        yield cells
        for number, move in enumerate(self.moves, 1):
            cells = position_after(cells, move, number, self.walls, self.merge_32768)
            cells = gaps.get(number, cells)
            yield cells

    def check(self) -> None:
        for _ in self.positions():
            pass


def position_after(
    cells: Cells, move: ReplayMove, number: int, walls: bool, merge_32768: bool
) -> Cells:
    after = slide(cells, move.direction, walls, merge_32768)
    if after == cells:
        raise ReplayError("move {number} cannot be made: no tile slides that way", number=number)
    return place(after, move.cell, move.exponent, number)


def place(after: Cells, cell: int, exponent: int, number: int) -> Cells:
    if exponent not in (1, 2):
        raise ReplayError(
            "the new tile of move {number} has exponent {exponent}; expected 1 or 2",
            number=number,
            exponent=exponent,
        )
    if not 0 <= cell < N_CELLS or after[cell]:
        raise ReplayError(
            "the new tile of move {number} lies on another one, in cell {cell}",
            number=number,
            cell=cell,
        )
    return after[:cell] + (exponent,) + after[cell + 1 :]  # noqa: RUF005, half the time


def bitboard(cells: Cells) -> int:
    """Return a position as a bitboard; tiles above 32768 become F, as in tables."""
    return int(bytes(cells).translate(_DIGITS), 16)


def replay_of(game: Game) -> Replay:
    """From the last position that was set, usually the start; undone moves are left out."""
    start, moves = game.played()
    return Replay(
        start,
        tuple(
            ReplayMove(direction, *tile, ms=ms)
            for (direction, tile), ms in zip(moves, game.times(), strict=True)
        ),
        walls=game.walls,
        merge_32768=game.merge_32768,
    )
