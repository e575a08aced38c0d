"""Training of late games on a graphics card: a thousand games side by side, by CUDA.

What is learned, and how, is as in `ai.train.late_training`, which does the same for one game at a
time, a hundred times slower; what differs is the order. Each game is played by the 32 threads of
one block. Each thread looks up 2 of the 64 weights of an after-state, of all four moves together,
and has the same two in its hands when the after-state is learned from. All games share the weights.
Games that learn of the same one at the same time add to it in any order, so no two trainings are
the same to the last bit; and what they learn is some microseconds old by then, so more games than
keep the memory of the card busy would do harm.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import cuda as numba_cuda
from numba import float32, float64, uint64

from ai.errors import PlayError
from ai.evaluation.game_net import N_LOOKUPS, STAGE_SIZE, tile_sum, tuple_places
from ai.evaluation.late_net import FIFTH_STANDS, late_stage_of
from ai.train.fifth_tile import BEST, worth_of
from ai.train.game_training import MOVES, N_FIRST, SEGMENT, SPAWN4, rearranged
from ai.train.late_training import (
    ANY_THREE,
    BEGUN,
    COSTS,
    FUTURE,
    N_BEGINS,
    N_SHOWN,
    N_WAYS,
    REARRANGED,
    SECOND,
    SHOWN,
    WON,
    WON_POINTS,
    LateTraining,
    has_goal,
)
from engine.kernels.moves import slide_four, slide_score
from engine.kernels.spawn import below, spawn_tile
from engine.kernels.symmetry import flip, mirror, transpose
from engine.language import tr
from engine.moves import RowTables

N_GAMES = 1056
"""Side by side: a half of them runs at two thirds of the speed, twice as many no faster (H200)."""

CHUNK = 1_000_000_000
"""Moves between two lines of the curve."""

LEAST_MOVES = 1_000_000_000
"""That a training has learned from before it goes on here: its steps are large at first, and nobody
has tried what a thousand games that take them at once come to."""

_N_THREADS = N_LOOKUPS // 2
_SEGMENTS = 16  # of each game, in one go
_WAY, _TILE_SUM, _N_PLACES = range(3)  # in a game: how it began, and the sum of its tiles
_ALL_MOVES, _GAMES, _WON, _N_COUNTS = range(4)  # of games that began in one way
_N_PARTS = 4 * 32
_N_SHARED = 5 * 32
_IN_A_ROW = 4  # numbers that a thread adds up
_U = np.uint64
cuda: Any = numba_cuda
_device: Any = cuda.jit(device=True)


class OnCard(NamedTuple):
    """What `train_on_gpu` takes besides what it is told, in this order."""

    weights: Any
    errors: Any
    boards: Any
    spawns: Any
    games: Any
    places: Any
    points: Any
    begins: Any
    shown: Any
    first: Any
    n_first: Any
    spent: Any
    counts: Any
    left: Any
    right: Any
    score: Any


class GpuGames:
    """Late games of one training on the graphics card.

    Parameters
    ----------
    n_games : int
        How many are played side by side.

    Raises
    ------
    PlayError
        There is no such card, or what makes it work is not installed.
    """

    def __init__(self, n_games: int = N_GAMES) -> None:
        if not cuda.is_available():
            raise PlayError(
                tr(
                    "no graphics card that runs CUDA was found: it takes one made by NVIDIA, its "
                    'driver, and pip install "endgame2048[gpu]"'
                )
            )
        self._n_games = n_games
        self.on_card: OnCard | None = None
        self._counts = np.zeros((N_BEGINS, _N_COUNTS), np.uint64)

    def train(self, training: LateTraining, n_moves: int) -> None:
        """Play at least `n_moves` moves and learn from them; see `gather`."""
        if self.on_card is None:
            self.on_card = self.sent(training)
        play, counts = training.play, training.play.counts
        until = counts[MOVES] + n_moves
        while counts[MOVES] < until:
            train_on_gpu[self._n_games, _N_THREADS](
                play.trace, play.step_size[0], bool(play.adds_weights[0]), _SEGMENTS, *self.on_card
            )
            now = self.on_card.counts.copy_to_host()
            more = (now - self._counts).astype(np.int64)
            self._counts = now
            counts[MOVES] += more[:, _ALL_MOVES].sum()
            counts[BEGUN : BEGUN + N_BEGINS] += more[:, _GAMES]
            counts[WON : WON + N_BEGINS] += more[:, _WON]

    def gather(self, training: LateTraining) -> None:
        """Have `training` hold all that was learned; the games themselves are not kept."""
        card, play = self.on_card, training.play
        if card is not None:
            card.weights.copy_to_host(play.weights)
            card.errors.copy_to_host(play.errors)
            card.first.copy_to_host(play.first)
            play.n_first[:] = card.n_first.copy_to_host()
            play.spawns[:] = card.spawns.copy_to_host()[:1]
            training.spent[:] = card.spent.copy_to_host()

    def sent(self, training: LateTraining) -> OnCard:
        """Send a training to the card."""
        play, n = training.play, self._n_games
        spawns = np.random.default_rng(int(play.spawns[0])).integers(0, 1 << 63, n, np.uint64)
        return OnCard(
            cuda.to_device(play.weights),
            cuda.to_device(play.errors),
            cuda.to_device(np.zeros(n, np.uint64)),
            cuda.to_device(spawns),
            cuda.to_device(np.zeros((n, _N_PLACES), np.int64)),
            cuda.device_array((n, SEGMENT, N_LOOKUPS), np.uint32),
            cuda.device_array((n, SEGMENT), np.float32),
            cuda.to_device(training.begins),
            cuda.to_device(training.shown),
            cuda.to_device(play.first),
            cuda.to_device(play.n_first.astype(np.uint64)),
            cuda.to_device(training.spent.astype(np.float64)),
            cuda.to_device(self._counts),
            *(cuda.to_device(np.array(table)) for table in play.moves),
        )


@_device
def _image(board, number):
    """Return one of the eight images of a board."""
    if number & 1:
        board = transpose(board)
    if number & 2:
        board = mirror(board)
    if number & 4:
        board = flip(board)
    return board


@_device
def _places(after, stage, thread):
    """Return where the two weights that a thread looks up are."""
    places = tuple_places(_image(after, thread & 7))
    begin, pair = _U(stage * STAGE_SIZE), thread >> 3
    if pair == 0:
        one, other = places[0], places[1]
    elif pair == 1:
        one, other = places[2], places[3]
    elif pair == 2:
        one, other = places[4], places[5]
    else:
        one, other = places[6], places[7]
    return begin + one, begin + other


@_device
def _promoted(weight, place, weights):
    """Return a weight, or that of the stage before where nothing was learned of it."""
    while weight == 0 and place >= _U(STAGE_SIZE):
        place -= _U(STAGE_SIZE)
        weight = weights[place]
    return weight


@_device
def _values(one, two, three, four, thread, parts):
    """Return the sums of four numbers over the threads, to all of them."""
    parts[thread] = one
    parts[32 + thread] = two
    parts[64 + thread] = three
    parts[96 + thread] = four
    cuda.syncthreads()
    begin, total = thread * _IN_A_ROW, float32(0)
    for i in range(_IN_A_ROW):
        total += parts[begin + i]
    parts[_N_PARTS + thread] = total
    cuda.syncthreads()
    one = two = three = four = float32(0)
    for i in range(8):
        one += parts[_N_PARTS + i]
        two += parts[_N_PARTS + 8 + i]
        three += parts[_N_PARTS + 16 + i]
        four += parts[_N_PARTS + 24 + i]
    return one, two, three, four


@_device
def _value(share, thread, parts):
    """Return the sum of a number over the threads, to all of them."""
    parts[thread] = share
    cuda.syncthreads()
    begin, total = (thread & 7) * _IN_A_ROW, float32(0)
    for i in range(_IN_A_ROW):
        total += parts[begin + i]
    parts[_N_PARTS + thread] = total
    cuda.syncthreads()
    total = float32(0)
    for i in range(8):
        total += parts[_N_PARTS + i]
    return total


@_device
def _best_move(board, stage, row, weights, thread, parts):
    """Return the after-state of the best move, 0 if there is none, its points, its value with them,
    and where the two weights of this thread are."""
    left, right, up, down = slide_four(board, row)
    left_1, left_2 = _places(left, stage, thread)
    right_1, right_2 = _places(right, stage, thread)
    up_1, up_2 = _places(up, stage, thread)
    down_1, down_2 = _places(down, stage, thread)
    of_left_1, of_left_2 = weights[left_1], weights[left_2]
    of_right_1, of_right_2 = weights[right_1], weights[right_2]
    of_up_1, of_up_2 = weights[up_1], weights[up_2]
    of_down_1, of_down_2 = weights[down_1], weights[down_2]
    by_left, by_right, by_up, by_down = _values(
        _promoted(of_left_1, left_1, weights) + _promoted(of_left_2, left_2, weights),
        _promoted(of_right_1, right_1, weights) + _promoted(of_right_2, right_2, weights),
        _promoted(of_up_1, up_1, weights) + _promoted(of_up_2, up_2, weights),
        _promoted(of_down_1, down_1, weights) + _promoted(of_down_2, down_2, weights),
        thread,
        parts,
    )
    across = float32(slide_score(board, 0, row))
    along = float32(slide_score(board, 2, row))
    best, after, points, first, second = float32(-np.inf), _U(0), float32(0), left_1, left_2
    if left != board and by_left + across > best:
        best, after, points, first, second = by_left + across, left, across, left_1, left_2
    if right != board and by_right + across > best:
        best, after, points, first, second = by_right + across, right, across, right_1, right_2
    if up != board and by_up + along > best:
        best, after, points, first, second = by_up + along, up, along, up_1, up_2
    if down != board and by_down + along > best:
        best, after, points, first, second = by_down + along, down, along, down_1, down_2
    return after, points, best, first, second


@_device
def _add(place, weight, share, step, adds_weights, weights, errors):
    """Move a weight by a part of `share`; `weight` is what counts for it."""
    error, absolute = errors[_U(2) * place], errors[_U(2) * place + _U(1)]
    if absolute > 0:
        cuda.atomic.add(weights, place, abs(error) / absolute * step)
    elif adds_weights:
        cuda.atomic.add(weights, place, weight + step)
    else:
        return
    cuda.atomic.add(errors, _U(2) * place, share)
    cuda.atomic.add(errors, _U(2) * place + _U(1), abs(share))


@_device
def _begin(game, state, begins, shown, first, n_first, spent, counts):
    """Return the first board of the next game: of the way that has had least of its share.

    What the game will cost is told at once, by the length of earlier ones: hundreds begin before it
    is over.
    """
    way = 0
    for i in range(N_BEGINS):
        if i >= SHOWN:
            known = shown[i - SHOWN, 0] != _U(0)
        else:
            known = i < SECOND or n_first[i - SECOND + 1] > 0
        if known and spent[i] < spent[way]:
            way = i
    length = (counts[way, _ALL_MOVES] + _U(1000)) // (counts[way, _GAMES] + _U(1))
    cuda.atomic.add(spent, way, float64(length) * COSTS[way])
    if way >= SHOWN:
        board = shown[way - SHOWN, np.int64(below(state, _U(N_SHOWN)))]
    elif way >= SECOND:
        stage = way - SECOND + 1
        n_kept = min(n_first[stage], _U(N_FIRST))
        board = first[stage, np.int64(below(state, n_kept))]
    elif way < N_WAYS:
        board = begins[way]
    else:
        board = rearranged(begins[REARRANGED[way - ANY_THREE]], state)
    if way < SECOND:
        board = spawn_tile(spawn_tile(board, state, SPAWN4), state, SPAWN4)
    game[_WAY] = way
    game[_TILE_SUM] = tile_sum(board)
    return board


@_device
def _note_end(way, is_won, counts):
    cuda.atomic.add(counts, (way, _GAMES), _U(1))
    cuda.atomic.add(counts, (way, _WON), _U(is_won))


@_device
def _note_first(stage, board, first, n_first):
    at = cuda.atomic.add(n_first, stage, _U(1))
    first[stage, np.int64(at % _U(N_FIRST))] = board


@cuda.jit
def train_on_gpu(
    trace, step_size, adds_weights, n_segments,
    weights, errors, boards, spawns, games, places, points,
    begins, shown, first, n_first, spent, counts, left, right, score,
):  # fmt: skip
    """Play `n_segments` times up to `SEGMENT` moves of each game, and learn from them."""
    number, thread = cuda.blockIdx.x, cuda.threadIdx.x
    parts = cuda.shared.array(_N_SHARED, float32)
    told = cuda.shared.array(1, uint64)
    row = RowTables(left, right, score)
    game, state = games[number], spawns[number : number + 1]
    board = boards[number]
    for _ in range(n_segments):
        if board == _U(0):
            if thread == 0:
                told[0] = _begin(game, state, begins, shown, first, n_first, spent, counts)
            cuda.syncthreads()
            board = told[0]
        way, found = game[_WAY], game[_TILE_SUM]
        stage = late_stage_of(found)
        n, target, is_over = 0, float32(0), False
        while n < SEGMENT:
            after, gained, _best, one, other = _best_move(board, stage, row, weights, thread, parts)
            if after == _U(0):
                is_over = True
                if thread == 0:
                    _note_end(way, False, counts)
                break
            places[number, n, 2 * thread] = one
            places[number, n, 2 * thread + 1] = other
            points[number, n] = gained
            n += 1
            if has_goal(after):
                is_over, target = True, FUTURE
                if thread == 0:
                    _note_end(way, True, counts)
                break
            if thread == 0:
                told[0] = spawn_tile(after, state, SPAWN4)
            cuda.syncthreads()
            board = told[0]
            found += 4 if (board ^ after) & _U(0x2222_2222_2222_2222) else 2
            now = late_stage_of(found)
            if now != stage:
                stage = now
                worth = worth_of(board)
                if thread == 0 and (stage != FIFTH_STANDS or worth == BEST):
                    _note_first(stage, board, first, n_first)
                if stage == FIFTH_STANDS:
                    is_over, target = True, worth * WON_POINTS
                    if thread == 0:
                        _note_end(way, worth == BEST, counts)
                    break
        if is_over:
            board = _U(0)
        else:
            after, gained, best, one, other = _best_move(board, stage, row, weights, thread, parts)
            if after != _U(0):
                target = best
        cuda.syncthreads()
        if thread == 0:
            game[_TILE_SUM] = found
            cuda.atomic.add(counts, (way, _ALL_MOVES), _U(n))
        for i in range(n - 1, -1, -1):
            first_place = _U(places[number, i, 2 * thread])
            second_place = _U(places[number, i, 2 * thread + 1])
            one = _promoted(weights[first_place], first_place, weights)
            other = _promoted(weights[second_place], second_place, weights)
            value = _value(one + other, thread, parts)
            share = (target - value) / float32(N_LOOKUPS)
            if share != 0:
                step = share * step_size
                _add(first_place, one, share, step, adds_weights, weights, errors)
                _add(second_place, other, share, step, adds_weights, weights, errors)
            target = value + trace * (target - value) + points[number, i]
    if thread == 0:
        boards[number] = board
