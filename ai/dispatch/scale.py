"""One scale for the answers of different tables: the chance that the large tiles sum to a goal.

A table with n large tiles and target T promises that the large tiles will sum to S = (sum of the n
largest) + T. The greatest S of all tables asked about one position is the goal G. A table with a
smaller S is worth its rate times the chance to get from S to G, which no table knows: it is
composed of steps, like counting in binary. From S, the next tile to make is the largest power of
two that does not exceed G - S; the large tiles take one cell for each 1 bit of S, since equal ones
merge; and the difficulty of making 2**e in c free cells depends roughly on e - c alone:

    e - c    chance   exact rates of tables from their first position
    -2       0.99     L3 256: 0.994, 442 256: 0.988, t 256: 0.998
    -1       0.85     L3 512: 0.834, 442 512: 0.724, t 512: 0.866, free8 128: 0.898
     0       0.4      3x3 512: 0.737, 44 256: 0.125
     1       0.05     (a guess)

So 512 in ten cells at rate 0.83 counts about as much as a certain 256 that leaves nine cells for
the other 256 (0.85); and a table with a larger target, which includes all smaller ones, counts in
full.
"""

import numpy as np
import numpy.typing as npt

MIN_EASY = 10
"""The smallest easy target whose table is asked where a network sees the whole game: 1024. Tables
of smaller ones were not tried, and would come before those with a hard target."""

_CHANCES = {-2: 0.99, -1: 0.85, 0: 0.4, 1: 0.05}
_CERTAIN_BELOW, _HARDEST = -2, 0.005
_FAILS_AT_HALF = 0.04
_DEMANDING_GOAL = 11
_RATES = (0.0, 0.5, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
_NETWORK_VALUES = (0.0, 0.18, 0.32, 0.47, 0.69, 0.84, 0.93, 1.0)


def continuation(large_sum: int, goal: int) -> float:
    """Return the chance to bring the large tiles from one sum of face values to a larger one.

    >>> continuation(0b111111_000000000 + 256, 0b111111_000000000 + 512)
    0.85
    """
    chance = 1.0
    while large_sum < goal:
        exponent = (goal - large_sum).bit_length() - 1
        chance *= step_chance(exponent, 16 - large_sum.bit_count())
        large_sum += 1 << exponent
    return chance


def step_chance(exponent: int, n_free: int) -> float:
    """Return the approximate chance of making a tile in `n_free` cells, from nothing."""
    difficulty = exponent - n_free
    return 1.0 if difficulty < _CERTAIN_BELOW else _CHANCES.get(difficulty, _HARDEST)


def is_nearly_certain(exponent: int, n_free: int) -> bool:
    """Return whether perfect play nearly always makes a tile in `n_free` cells, from nothing."""
    return exponent - n_free <= _CERTAIN_BELOW


def helps_network(exponent: int, n_free: int) -> bool:
    """Return whether a table is asked where a network sees the whole game."""
    return exponent >= MIN_EASY or not is_nearly_certain(exponent, n_free)


def chance_of_half(rate: float, halvings: int) -> float:
    """Return the approximate chance of a tile where one 2**halvings times as large has `rate`.

    Perfect play for 256 fails a 27th, a 23rd and a 67th as often as perfect play for 512, in L3,
    442 and t (see the rates above); the chance that play for 512 makes a 256 on its way was not
    measured.
    """
    return 1.0 - (1.0 - rate) * _FAILS_AT_HALF**halvings if halvings else rate


def network_values(rates: npt.NDArray[np.float64], goal: int) -> npt.NDArray[np.float32]:
    """Return the value of a network (`tuple_net`) equivalent to a table's rate.

    Parameters
    ----------
    rates : float64[n]
        To make the target, after which all merge up to the goal.
    goal : int
        As an exponent: 1024 or 2048.

    Notes
    -----
    A network estimates how often its own greedy play makes the goal, a table how often perfect play
    does. From 30 real positions with 16384, 8192, 4096 and 2048, 372 games of 3,000 nodes a move:
    where a search saw 0.27, 0.34, 0.45 and 0.53, 75, 75, 79 and 82 % of the games were won; where a
    table knew 0.77, 0.85, 0.91 and 0.97, they were 78, 83, 91 and 95 %. So a rate is mapped to the
    search value that won as often. Beside 1024, in 420 such games, where search saw 0.85, 0.92 and
    0.96, 92, 94 and 95 % were won, and where tables of 256 knew 0.93, 0.98 and 0.998, 93, 97 and 99
    %: there the scales agree.
    """
    if goal < _DEMANDING_GOAL:
        return rates.astype(np.float32)
    return np.interp(rates, _RATES, _NETWORK_VALUES).astype(np.float32)
