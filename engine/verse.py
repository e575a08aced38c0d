"""Games as text for 2048verse, in the older and in the present format of the site.

Both list tiles: the two of the start, then for each move its direction and the tile after it.

* older: ``replay_`` and one character a tile, whose number is
  ``direction * 32 + is_four * 16 + column * 4 + row``, directions U R D L; numbers up to 94 are
  ASCII from the space on, the others code page 850 from byte 0x80 on. A start tile has direction 0.
* present: ``4x4-1_`` and three characters a tile, 21 bits, 7 in each: bits 0-1 direction U D L R,
  2 a four, 4-6 column, 7-9 row, 10-20 the time since the tile before; all of these ones: no time.
"""

from collections.abc import Iterator

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.errors import AppError
from engine.game import Game

_OLD_DIRECTIONS = {UP: 0, RIGHT: 1, DOWN: 2, LEFT: 3}
_NEW_DIRECTIONS = {UP: 0, DOWN: 1, LEFT: 2, RIGHT: 3}
_OLD_ALPHABET = "".join(map(chr, range(32, 127))) + bytes(range(0x80, 0xA1)).decode("cp850")
_NEW_ALPHABET = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    + "".join(map(chr, range(0xC0, 0x100)))
    + "\u00a4\u00be"
)
_NO_TIME = 0x7FF << 10
_Tile = tuple[int, int, int]  # cell, exponent, direction


class VerseError(AppError, ValueError):
    """A game that 2048verse has no way to write."""


def old_verse(game: Game) -> str:
    """Return the game up to the position shown, in the older format.

    Raises
    ------
    VerseError
        It does not begin with two tiles of 2 or 4, as every game of the site does.
    """
    found = ["replay_"]
    for cell, exponent, direction in _tiles(game):
        row, column = divmod(cell, 4)
        number = _OLD_DIRECTIONS[direction] * 32 + (exponent - 1) * 16 + column * 4 + row
        found.append(_OLD_ALPHABET[number])
    return "".join(found)


def new_verse(game: Game) -> str:
    """Return the game up to the position shown, in the present format, without times.

    Raises
    ------
    VerseError
        As `old_verse`.
    """
    found = ["4x4-1_"]
    for cell, exponent, direction in _tiles(game):
        row, column = divmod(cell, 4)
        number = _NEW_DIRECTIONS[direction] | exponent - 1 << 2 | column << 4 | row << 7 | _NO_TIME
        found += [_NEW_ALPHABET[number >> shift & 127] for shift in (14, 7, 0)]
    return "".join(found)


def _tiles(game: Game) -> Iterator[_Tile]:
    start, moves = game.played()
    tiles = [(cell, exponent) for cell, exponent in enumerate(start) if exponent]
    if len(tiles) != 2 or any(exponent > 2 for _, exponent in tiles) or game.walls:
        raise VerseError(
            "this game began from a position that was set: a replay for 2048verse begins with "
            "two tiles of 2 or 4; start a new game to export one"
        )
    for cell, exponent in tiles:
        yield cell, exponent, UP  # 0 in both formats
    for direction, (cell, exponent) in moves:
        yield cell, exponent, direction
