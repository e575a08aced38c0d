"""Choosing what an excerpt of a table holds: the boards that thousands of games come to."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.kernels.bulk_moves import slide_all
from tablebase.formation.formation import half_sums
from tablebase.probe.bulk_rates import large_tiles
from tablebase.probe.excerpt import Excerpt, codes_of
from tablebase.probe.reader import Tablebase

U64 = npt.NDArray[np.uint64]
F64 = npt.NDArray[np.float64]

_SHIFTS = np.arange(0, 64, 4, dtype=np.uint64)
_NIBBLE = np.uint64(15)


class Play(NamedTuple):
    """How the games are played that an excerpt is chosen by.

    Attributes
    ----------
    games : int
    seed : int
        Of the new tiles and of the slips.
    slip : float
        How often the second-best move is played, so that boards beside the best line are known too.
    most_lost : float
        What such a move may lose of the rate.
    filled : float
        How many of the games begin on a board with up to `MOST_FILLED` random tiles, as players
        come to a formation, and not on one of the table's first boards.
    """

    games: int
    seed: int = 1
    slip: float = 0.05
    most_lost: float = 0.02
    filled: float = 0.5


MOST_FILLED = 6


class Games(NamedTuple):
    """What games of a table came to: after-states, one for each move, their rates, and how many
    games were won."""

    boards: U64
    rates: F64
    n_won: int


def make_excerpt(
    table: Tablebase, play: Play, most: int, tell: Callable[[int], object] = lambda _n: None
) -> Excerpt:
    """Return the excerpt of the `most` boards that games of a table come to most often.

    Of boards that are met equally often those of lower numbers.
    """
    games = play_games(table, play, tell)
    boards, first, counts = np.unique(games.boards, return_index=True, return_counts=True)
    kept = np.sort(np.argsort(-counts, kind="stable")[:most])
    codes = codes_of(games.rates[first[kept]])
    return Excerpt(table.formation, table.target, table.spawn4, boards[kept], codes)


def play_games(
    table: Tablebase, play: Play, tell: Callable[[int], object] = lambda _n: None
) -> Games:
    """Play games from the table's first boards, layer by layer: each is looked at once.

    `tell` is told before every layer how many are left.
    """
    rng = np.random.default_rng(play.seed)
    masks = np.array(table.formation.masks, np.uint64)
    first = table.formation.seed_half_sum
    waiting: dict[int, list[U64]] = {}
    _sort_in(_first_boards(table, play, rng), first, waiting)
    found_boards, found_rates, n_won = [], [], 0
    for layer in range(table.n_layers):
        tell(table.n_layers - layer)
        if layer not in waiting:
            continue
        boards = np.concatenate(waiting.pop(layer))
        afters, rates = _moves_of(table, boards, masks)
        slips = rng.random(boards.size) < play.slip
        chosen = choose(rates, slips, play.most_lost)
        at = np.arange(boards.size)
        after, rate = afters[chosen, at], rates[chosen, at]
        n_won += int((rate >= 1.0).sum())
        goes_on = (rate > 0.0) & (rate < 1.0)
        found_boards.append(after[goes_on])
        found_rates.append(rate[goes_on])
        _sort_in(spawn_many(after[goes_on], rng, table.spawn4), first, waiting)
    return Games(np.concatenate(found_boards), np.concatenate(found_rates), n_won)


def _first_boards(table: Tablebase, play: Play, rng: np.random.Generator) -> U64:
    seeds = np.array(table.formation.seeds, np.uint64)
    boards = seeds[rng.integers(0, seeds.size, play.games)]
    n_filled = int(play.games * play.filled)
    boards[:n_filled] = fill(boards[:n_filled], rng, table.target.bit_length() - 1)
    return spawn_many(boards, rng, table.spawn4)


def _sort_in(boards: U64, first: int, waiting: dict[int, list[U64]]) -> None:
    """Put boards to those that wait for their layer."""
    layers = half_sums(boards) - first
    for layer in np.unique(layers).tolist():
        waiting.setdefault(layer, []).append(boards[layers == layer])


def _moves_of(table: Tablebase, boards: U64, masks: U64) -> tuple[U64, F64]:
    """Return the after-states by direction and their rates; 0 for what is not possible."""
    afters, rates = slide_all(boards, table.formation.walls), np.zeros((4, boards.size))
    for direction, after in enumerate(afters):
        is_possible = (after != boards) & np.isin(large_tiles(after), masks)
        found = table.many_rates(after[is_possible], best_way=False)
        rates[direction, is_possible] = np.nan_to_num(found)
    return afters, rates


def choose(rates: F64, slips: npt.NDArray[np.bool_], most_lost: float) -> npt.NDArray[np.int64]:
    """Return the best direction of each board; where somebody slips, the second-best.

    Parameters
    ----------
    rates : float64[4, n]
    slips : bool[n]
    most_lost : float
        The second-best is not played where it loses more, nor where it has no chance.
    """
    at = np.arange(rates.shape[1])
    best = rates.argmax(axis=0)
    others = rates.copy()
    others[best, at] = -1.0
    second = others.argmax(axis=0)
    is_near = (others[second, at] > 0.0) & (others[second, at] >= rates[best, at] - most_lost)
    return np.where(slips & is_near, second, best)


def fill(boards: U64, rng: np.random.Generator, exponent: int) -> U64:
    """Return boards with nothing but their large tiles and 1 to `MOST_FILLED` random tiles.

    The tiles are below the one of the exponent, at least two of the cells stay empty.
    """
    filled = large_tiles(boards)
    n_tiles = rng.integers(1, MOST_FILLED + 1, boards.size)
    for i in range(MOST_FILLED):
        is_empty = (filled[:, None] >> _SHIFTS) & _NIBBLE == 0
        wants = (i < n_tiles) & (is_empty.sum(axis=1) > 2)
        which = (rng.random(boards.size) * is_empty.sum(axis=1)).astype(np.int64)
        at = np.argmax(np.cumsum(is_empty, axis=1) > which[:, None], axis=1)
        tiles = rng.integers(1, exponent, boards.size).astype(np.uint64)
        filled |= np.where(wants, tiles << _SHIFTS[at], np.uint64(0))
    return np.asarray(filled, np.uint64)


def spawn_many(boards: U64, rng: np.random.Generator, spawn4: float) -> U64:
    """Return each board with a new tile in one of its empty cells, each as likely as the others."""
    is_empty = (boards[:, None] >> _SHIFTS) & _NIBBLE == 0
    which = (rng.random(boards.size) * is_empty.sum(axis=1)).astype(np.int64)
    at = np.argmax(np.cumsum(is_empty, axis=1) > which[:, None], axis=1)
    tiles = np.where(rng.random(boards.size) < spawn4, 2, 1).astype(np.uint64)
    return np.asarray(boards | tiles << _SHIFTS[at], np.uint64)
