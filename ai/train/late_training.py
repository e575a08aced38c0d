"""Training the network for late games: beside three or four large tiles, wherever they stand.

A network for whole games sees large tiles mostly where its own games put them. Put elsewhere, its
first values are wrong by a hundred thousand points, and to take them down takes down what it knows
as well. So the last two blocks before a 32768 have a network of their own, which begins with
nothing.

Its games begin with 16384, 8192, 4096, and with a 2048 as well, in many ways on an otherwise empty
board, at a board at which an earlier game came to the next stage, or as `ai.train.shown_boards`
tells; each way has its share of the moves. They end when they are lost, or with a 32768, which is
worth `FUTURE`. All else is as in `ai.train.game_training`.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.evaluation.game_net import N_LOOKUPS, tile_sum
from ai.evaluation.late_net import N_LATE_STAGES, late_stage_of
from ai.evaluation.staged_net import StagedNet
from ai.train.game_training import (
    MOVES,
    N_FIRST,
    SEGMENT,
    STAGE,
    TILE_SUM,
    Training,
    best_move,
    learn_segment,
    new_training,
    rearranged,
    spawned,
)
from ai.train.shown_boards import fill_shown, large_sum
from engine.jit import inline_kernel, kernel
from engine.kernels.spawn import below

U64 = npt.NDArray[np.uint64]
I64 = npt.NDArray[np.int64]

FUTURE = np.float32(250_000)
"""Points: what is thought to come after a 32768."""

_WAYS = dict(
    (
        *(("dec.", 4), ("ced.", 6), ("ec.d", 2), ("edc.", 2), ("cde.", 3)),  # three in a row
        *(("de..c", 1), ("ed..c", 1), ("cd..e", 1)),  # around a corner
        *(("ceda", 2), ("ced9", 2), ("ced8", 1), ("deca", 2), ("dec9", 2), ("dec8", 2)),
        *(("edca", 1), ("edc9", 1), ("edc8", 1)),  # a fourth grows in the row
        *(("cedb", 6), ("decb", 4), ("bcde", 2)),  # four in a row
    )
)
"""Ways to begin, as the exponents of the first cells in hexadecimal, and the share of the moves
that each has. Those with more are where games of the network for whole games have large tiles."""

WAYS = tuple(_WAYS)
N_WAYS = len(WAYS)
ANY_THREE, ANY_FOUR, SECOND, THIRD, SHOWN = range(N_WAYS, N_WAYS + 5)
"""Ways to begin besides: three or four large tiles rearranged, boards of earlier games at the
second and third stage, and boards of games that another network played."""

N_SHOWN = 40_000
N_BEGINS = N_WAYS + 5
_SHARES = np.array([*_WAYS.values(), 2, 2, 10, 4, 12])
_COSTS = 60 // _SHARES  # of a move
_REARRANGED = np.array([0, N_WAYS - 1])  # which of `WAYS` have three and four large tiles
_HAS_FOUR = np.array(["b" in way for way in WAYS])

BEGUN, WON_NEXT, WON_ALL = 1, 1 + N_BEGINS, 1 + 2 * N_BEGINS
"""Places in the counts, besides `MOVES`: from each on, by how games began, how many were over, how
many of them made the next 2048, and how many the 32768."""

N_LATE_COUNTS = 1 + 3 * N_BEGINS
LATE_COLUMNS = ("games", "next_of_three", "all_of_three", "next_of_four", "all_of_four")
_BEGIN, _N_PLACES = 6, 7  # how the game that is being played began
_U = np.uint64


class LateTraining(NamedTuple):
    """A training that goes on.

    Attributes
    ----------
    play : Training
        Of `N_LATE_STAGES` stages, with `N_LATE_COUNTS` counts.
    begins : uint64[N_WAYS]
        The boards of `WAYS`.
    shown : uint64[N_SHOWN]
        Boards of `SHOWN`; the first is 0 if there are none.
    spent : int64[N_BEGINS]
        What games that began in each way have cost.
    """

    play: Training
    begins: U64
    shown: U64
    spent: I64


def new_late_training(seed: int, trace: float = 0.5) -> LateTraining:
    """Return a training that has learned nothing."""
    play = new_training(seed, trace, N_LATE_STAGES)._replace(
        game=np.zeros(_N_PLACES, np.int64), counts=np.zeros(N_LATE_COUNTS, np.int64)
    )
    shown = np.zeros(N_SHOWN, np.uint64)
    return LateTraining(play, begin_boards(), shown, np.zeros(N_BEGINS, np.int64))


def show(net: StagedNet, training: LateTraining, seed: int) -> None:
    """Give a training boards of games of a network for whole games."""
    rows = begin_boards()[[WAYS.index("dec."), WAYS.index("ced.")]]
    fill_shown(net, rows, training.shown, seed)


def late_figures(counts: I64) -> tuple[float, ...]:
    """Return `LATE_COLUMNS`: how many games of a chunk were over, and how many of those from three
    and from four large tiles, put somewhere, made the next 2048 and the 32768, as shares."""
    begun, won_next, won_all = (counts[at : at + N_BEGINS] for at in (BEGUN, WON_NEXT, WON_ALL))
    shares = []
    for has_four in (False, True):
        of_ways = _HAS_FOUR if has_four else ~_HAS_FOUR
        ways = np.append(of_ways, [not has_four, has_four, False, False, False])
        n = max(1, int(begun[ways].sum()))
        shares += [float(won[ways].sum() / n) for won in (won_next, won_all)]
    return int(begun.sum()), *shares


def begin_boards() -> U64:
    """Return the boards of `WAYS`."""
    boards = np.zeros(N_WAYS, np.uint64)
    for i, way in enumerate(WAYS):
        boards[i] = int(way.replace(".", "0").ljust(16, "0"), 16)
    return boards


@inline_kernel
def has_goal(board):
    """Tell whether there is a 32768."""
    both = board & board >> _U(1)
    return both & both >> _U(2) & _U(0x1111_1111_1111_1111) != _U(0)


@inline_kernel
def _begin(training):
    """Return the first board of the next game: of the way that has had least of its share."""
    play, spent = training.play, training.spent
    way = 0
    for i in range(N_BEGINS):
        if i == SHOWN:
            known = training.shown[0] != _U(0)
        else:
            known = i < SECOND or play.n_first[i - SECOND + 1] > 0
        if known and spent[i] < spent[way]:
            way = i
    if way == SHOWN:
        board = training.shown[np.int64(below(play.spawns, _U(training.shown.size)))]
        play.game[TILE_SUM] = tile_sum(board)
    elif way >= SECOND:
        stage = way - SECOND + 1
        n_kept = min(play.n_first[stage], N_FIRST)
        board = play.first[stage, np.int64(below(play.spawns, _U(n_kept)))]
        play.game[TILE_SUM] = tile_sum(board)
    else:
        if way < N_WAYS:
            board = training.begins[way]
        else:
            board = rearranged(training.begins[_REARRANGED[way - N_WAYS]], play.spawns)
        play.game[TILE_SUM] = tile_sum(board)
        board = spawned(spawned(board, play), play)
    play.game[_BEGIN] = way
    play.game[STAGE] = late_stage_of(play.game[TILE_SUM])
    return board


@inline_kernel
def _note_end(board, is_won, play):
    way = play.game[_BEGIN]
    has_four = way == ANY_FOUR or way >= SECOND or (way < N_WAYS and _HAS_FOUR[way])
    play.counts[BEGUN + way] += 1
    play.counts[WON_NEXT + way] += is_won or large_sum(board) >= (32768 if has_four else 30720)
    play.counts[WON_ALL + way] += is_won


@inline_kernel
def _play_segment(board, play):
    """Play until the segment is full or the game over; return the board, 0 if over, moves, and what
    came after the last one."""
    game = play.game
    for n in range(SEGMENT):
        direction, after, points, _best = best_move(board, game[STAGE], play)
        if after == _U(0):
            _note_end(board, False, play)
            return _U(0), n, np.float32(0)
        play.points[n] = points
        for i in range(N_LOOKUPS):
            play.places[n, i] = play.choices[direction, i]
        if has_goal(after):
            _note_end(board, True, play)
            return _U(0), n + 1, FUTURE
        board = spawned(after, play)
        stage = late_stage_of(game[TILE_SUM])
        if stage != game[STAGE]:
            game[STAGE] = stage
            play.first[stage, play.n_first[stage] % N_FIRST] = board
            play.n_first[stage] += 1
    return board, SEGMENT, np.float32(0)


@kernel
def train_late(training, n_moves):
    """Play about `n_moves` moves, game after game, and learn from each segment."""
    play = training.play
    until = play.counts[MOVES] + n_moves
    while play.counts[MOVES] < until:
        board = play.board[0]
        if board == _U(0):
            board = _begin(training)
        board, n, final = _play_segment(board, play)
        learn_segment(board, n, final, play)
        play.board[0] = board
        play.counts[MOVES] += n
        training.spent[play.game[_BEGIN]] += max(n, 1) * _COSTS[play.game[_BEGIN]]
