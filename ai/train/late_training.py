"""Training the network for late games: beside three or four large tiles, wherever they stand.

A network for whole games sees large tiles mostly where its own games put them: in one row, from
which exact play makes a 32768 less often than from other arrangements (`ai.train.fifth_tile`). In
those, its initial values are wrong by a hundred thousand points, and unlearning them also destroys
what it knows. So the last two blocks before a 32768 have a network of their own, trained from
scratch.

Its games begin with 16384, 8192, 4096, and with a 2048 as well, in many ways on an otherwise empty
board, at a board at which an earlier game entered another stage, or at boards from
`ai.train.shown_boards`; each way gets its share of the moves. Games end when lost, with a fifth
large tile, whose value is given by `ai.train.fifth_tile`, or, if they begin with five, with a
32768, which is worth `FUTURE`. Everything else is as in `ai.train.game_training`.
"""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.evaluation.game_net import N_LOOKUPS, STAGE_SIZE, tile_sum
from ai.evaluation.late_net import FIFTH_STANDS, N_LATE_STAGES, late_stage_of
from ai.train.fifth_tile import BEST, worth_of
from ai.train.game_training import (
    LEARNED_0,
    MOVES,
    N_FIRST,
    SEGMENT,
    STAGE,
    TILE_SUM,
    GameTraining,
    best_move,
    learn_segment,
    new_training,
    rearranged,
    spawned,
)
from ai.train.shown_boards import open_exact_table, show_exact_games, show_games_by_lines
from engine.kernels.spawn import below
from engine.platform.default_callbacks import never_cancelled
from engine.platform.jit import inline_kernel, kernel

U64 = npt.NDArray[np.uint64]
I64 = npt.NDArray[np.int64]

FUTURE = np.float32(250_000)
"""Points: what is thought to come after a 32768."""

WON_POINTS = np.float32(315_000)
"""Points: what is left of a game that makes a 32768, where the fifth large tile stands."""

_WAYS = dict(
    (
        *(("ced.", 5), ("dec.", 4), ("edc.", 4), ("cde.", 2), ("ec.d", 1)),  # three in a row
        *(("ed..c", 5), ("de..c", 4), (".ed...c", 3)),  # around a corner, and below the middle
        *(("ced.a", 3), ("dec.a", 2), ("edc.a", 2), ("ed..ca", 2)),  # a fourth one grows
        *(("ced.b", 6), ("dec.b", 5), ("edc.b", 5), ("cde.b", 3)),  # three and one
        *(("ced..b", 1), ("dec..b", 1), ("ced.b98", 2), ("ced.b9", 1)),
        *(("ed..cb", 6), ("de..cb", 5), ("de..bc", 2)),  # two and two
    )
)
"""Ways to begin, as the exponents of the first cells in hexadecimal, and the share of the moves
that each has."""

WAYS = tuple(_WAYS)
N_WAYS = len(WAYS)
ANY_THREE, ANY_FOUR, SECOND = N_WAYS, N_WAYS + 1, N_WAYS + 2
FIFTH = SECOND + FIFTH_STANDS - 1
SHOWN = SECOND + N_LATE_STAGES - 1
EXACT = SHOWN + 1
N_BEGINS = EXACT + 1
"""Ways to begin besides: three or four large tiles rearranged; boards of earlier games at the later
stages, at `FIFTH` those where the fifth large tile is worth most; and boards of games that others
played: search by lines until a fifth large tile stands, and a table from there."""

N_SHOWN = 40_000
_SHARES = np.array([*_WAYS.values(), 1, 1, 5, 65, 20, 15, 55])
COSTS = 1200 // _SHARES
"""Of a move of a game, by how it began."""

REARRANGED = np.array([WAYS.index("ced."), WAYS.index("ced.b")])
"""The `WAYS` that `ANY_THREE` and `ANY_FOUR` rearrange, as indices."""

_HAS_FOUR = np.array(["b" in way for way in WAYS])

BEGUN, WON = 1, 1 + N_BEGINS
"""Places in the counts, besides `MOVES`: from each on, by how games began, how many were over, and
how many of them came to the best place for a fifth large tile, or, begun there, to a 32768."""

N_LATE_COUNTS = 1 + 2 * N_BEGINS
LATE_COLUMNS = ("games", "fifth_of_three", "fifth_of_four", "won_of_five")
_BEGIN, _N_PLACES = 6, 7  # how the current game began
_U = np.uint64


class LateTraining(NamedTuple):
    """The state of a training."""

    play: GameTraining  # training with `N_LATE_STAGES` stages and `N_LATE_COUNTS` counts
    begins: U64  # uint64[N_WAYS]: the boards of `WAYS`
    # uint64[2, N_SHOWN]: boards of `SHOWN` and of `EXACT`; the first is 0 if there are none.
    shown: U64
    spent: I64  # int64[N_BEGINS]: cost of the games that began in each way


def play_of(training: GameTraining | LateTraining) -> GameTraining:
    return training.play if isinstance(training, LateTraining) else training


def new_late_training(seed: int, trace: float = 0.5) -> LateTraining:
    play = new_training(seed, trace, N_LATE_STAGES)._replace(
        game=np.zeros(_N_PLACES, np.int64), counts=np.zeros(N_LATE_COUNTS, np.int64)
    )
    fifth_stage = slice(FIFTH_STANDS * STAGE_SIZE, (FIFTH_STANDS + 1) * STAGE_SIZE)
    play.weights[fifth_stage] = LEARNED_0
    shown = np.zeros((2, N_SHOWN), np.uint64)
    return LateTraining(play, begin_boards(), shown, np.zeros(N_BEGINS, np.int64))


def show(
    folder: Path | None,
    training: LateTraining,
    seed: int,
    is_cancelled: Callable[[], bool] = never_cancelled,
) -> None:
    """Add boards from games by lines to a training, and from exact games if there is a table.

    Raises TableError if the table cannot be used, mostly before any game, and BuildCancelledError.
    """
    lines, exact = training.shown
    with contextlib.ExitStack() as stack:
        table = stack.enter_context(open_exact_table(folder)) if folder else None
        fifths = show_games_by_lines(training.begins, lines, seed, is_cancelled)
        if table is not None:
            show_exact_games(table, fifths, exact, seed, is_cancelled)


def late_figures(counts: I64) -> tuple[float, ...]:
    """Return `LATE_COLUMNS`: the number of finished games of a chunk; the shares of those from
    three and four large tiles that reached the best place for a fifth, and of those from there that
    reached a 32768."""
    begun, won = (counts[at : at + N_BEGINS] for at in (BEGUN, WON))
    ways, numbers = np.arange(N_WAYS), np.arange(N_BEGINS)
    has_four = np.isin(numbers, [*ways[_HAS_FOUR], ANY_FOUR])
    has_three = np.isin(numbers, [*ways[~_HAS_FOUR], ANY_THREE])
    shares = (
        float(won[some].sum() / max(1, begun[some].sum()))
        for some in (has_three, has_four, numbers == FIFTH)
    )
    return int(begun.sum()), *shares


def begin_boards() -> U64:
    boards = np.zeros(N_WAYS, np.uint64)
    for i, way in enumerate(WAYS):
        boards[i] = int(way.replace(".", "0").ljust(16, "0"), 16)
    return boards


@inline_kernel
def has_goal(board):
    both = board & board >> _U(1)
    return both & both >> _U(2) & _U(0x1111_1111_1111_1111) != _U(0)


@inline_kernel
def _begin(training):
    """Return the first board of the next game, of the way furthest behind its share."""
    play, spent = training.play, training.spent
    way = 0
    for i in range(N_BEGINS):
        if i >= SHOWN:
            is_known = training.shown[i - SHOWN, 0] != _U(0)
        else:
            is_known = i < SECOND or play.n_first[i - SECOND + 1] > 0
        if is_known and spent[i] < spent[way]:
            way = i
    if way >= SHOWN:
        board = training.shown[way - SHOWN, np.int64(below(play.spawns, _U(N_SHOWN)))]
    elif way >= SECOND:
        stage = way - SECOND + 1
        n_kept = min(play.n_first[stage], N_FIRST)
        board = play.first[stage, np.int64(below(play.spawns, _U(n_kept)))]
    elif way < N_WAYS:
        board = training.begins[way]
    else:
        board = rearranged(training.begins[REARRANGED[way - N_WAYS]], play.spawns)
    play.game[TILE_SUM] = tile_sum(board)
    if way < SECOND:
        board = spawned(spawned(board, play), play)
    play.game[_BEGIN] = way
    play.game[STAGE] = late_stage_of(play.game[TILE_SUM])
    return board


@inline_kernel
def _note_end(is_won, play):
    way = play.game[_BEGIN]
    play.counts[BEGUN + way] += 1
    play.counts[WON + way] += is_won


@inline_kernel
def _play_segment(board, play):
    """Play until the segment is full or the game over; return the board (0 if over), the moves, and
    the value after the last one."""
    game = play.game
    for n in range(SEGMENT):
        direction, after, points, _best = best_move(board, game[STAGE], play)
        if after == _U(0):
            _note_end(False, play)
            return _U(0), n, np.float32(0)
        play.points[n] = points
        for i in range(N_LOOKUPS):
            play.places[n, i] = play.choices[direction, i]
        if has_goal(after):
            _note_end(True, play)
            return _U(0), n + 1, FUTURE
        board = spawned(after, play)
        stage = late_stage_of(game[TILE_SUM])
        if stage != game[STAGE]:
            game[STAGE] = stage
            worth = worth_of(board)
            if stage != FIFTH_STANDS or worth == BEST:
                play.first[stage, play.n_first[stage] % N_FIRST] = board
                play.n_first[stage] += 1
            if stage == FIFTH_STANDS:
                _note_end(worth == BEST, play)
                return _U(0), n + 1, worth * WON_POINTS
    return board, SEGMENT, np.float32(0)


@kernel
def train_late(training, n_moves):
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
        training.spent[play.game[_BEGIN]] += max(n, 1) * COSTS[play.game[_BEGIN]]
