"""New tiles, and the one random generator of the program.

The generator is splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
OOPSLA 2014, https://doi.org/10.1145/2714064.2660195; constants as in Vigna's public-domain
https://prng.di.unimi.it/splitmix64.c). Its whole state is one 64-bit number, so a saved game keeps
it in one field and undo costs nothing. Bounded numbers are drawn without bias after Lemire: Fast
random integer generation in an interval, ACM TOMACS 29(1), 2019, https://doi.org/10.1145/3230636,
on the high 32 bits. `engine.kernels.spawn` gives the same stream, bit for bit, in machine code.
"""

from collections.abc import Sequence
from operator import index

from engine.bitboard import cells

_MASK = (1 << 64) - 1
DEFAULT_SPAWN4 = 0.1
PER_MILLE = 1000  # of tiles: routes say how many are fours
GAMMA = 0x9E37_79B9_7F4A_7C15
MIX_1 = 0xBF58_476D_1CE4_E5B9
MIX_2 = 0x94D0_49BB_1331_11EB


def is_same_spawn4(one: float, other: float) -> bool:
    """Return whether two probabilities of a 4 are the same but for rounding."""
    return abs(one - other) < 1e-9


class Rng:
    """A seeded stream of 64-bit numbers; the same seed, modulo 2**64, gives the same stream.

    >>> hex(Rng(0).next_u64())
    '0xe220a8397b1dcdaf'
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        # The whole state of the generator. Setting it goes back to where it was read.
        self.state = seed

    @property
    def state(self) -> int:
        """The generator's state: a number below 2**64."""
        return self._state

    @state.setter
    def state(self, state: int) -> None:
        self._state = index(state) & _MASK

    def __repr__(self) -> str:
        return f"Rng({self._state:#018x})"

    def next_u64(self) -> int:
        self._state = (self._state + GAMMA) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * MIX_1) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * MIX_2) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, each equally likely; 1 <= n <= 2**32."""
        if not 1 <= n <= 1 << 32:
            raise ValueError(f"cannot draw below {n!r}: expected 1 to 2**32")  # no text
        product = (self.next_u64() >> 32) * n
        if product & 0xFFFF_FFFF < n:  # rare: only here may some results be over-represented
            rejected = (1 << 32) % n
            while product & 0xFFFF_FFFF < rejected:
                product = (self.next_u64() >> 32) * n
        return product >> 32

    def random(self) -> float:
        return (self.next_u64() >> 11) * 2.0**-53


def draw_spawn(empty_cells: Sequence[int], rng: Rng, spawn4: float = 0.1) -> tuple[int, int]:
    """Draws twice: the cell with `rng.below`, then a 4 if `rng.random` is below `spawn4`."""
    if not empty_cells:
        raise ValueError("no empty cell for a new tile")  # no text
    cell = empty_cells[rng.below(len(empty_cells))]
    return cell, 2 if rng.random() < spawn4 else 1


def possible_spawns(
    empty_cells: Sequence[int], spawn4: float = 0.1
) -> list[tuple[int, int, float]]:
    """Return the (cell, exponent, probability) of each new tile that may come.

    Sorted by cell, a 2 before a 4; impossible tiles are left out.

    >>> possible_spawns([3, 7], 0.0)
    [(3, 1, 0.5), (7, 1, 0.5)]
    """
    shares = [(exponent, share) for exponent, share in ((1, 1 - spawn4), (2, spawn4)) if share > 0]
    n = len(empty_cells)
    return [(cell, exponent, share / n) for cell in empty_cells for exponent, share in shares]


def spawn(board: int, rng: Rng, spawn4: float = 0.1) -> tuple[int, int, int]:
    """Return (board with a new tile, its cell, its exponent); see `draw_spawn`."""
    empty_cells = [cell for cell, exponent in enumerate(cells(board)) if exponent == 0]
    cell, exponent = draw_spawn(empty_cells, rng, spawn4)
    return int(board) | exponent << (60 - 4 * cell), cell, exponent
