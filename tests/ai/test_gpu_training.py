"""Training on a graphics card: the same as on the processor, and what passes between the two.

The kernels run on numba's simulator of a card, and on a real card if there is one.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ai.errors import PlayError
from ai.evaluation.late_net import LATE_SUMS
from ai.train import gpu_games, gpu_kernels, gpu_late_games, gpu_whole_games
from ai.train.game_training import (
    GAMES,
    IS_FRESH,
    MOVES,
    SCORE,
    SCORES,
    STAGE,
    TILE_SUM,
    TURN,
    GameTraining,
    new_training,
    train,
)
from ai.train.gpu_late_games import GpuLateGames
from ai.train.gpu_whole_games import GpuWholeGames
from ai.train.late_training import BEGUN, FIFTH, WON, new_late_training, play_of, train_late
from tests.ai.card_games import LATE, SEED, WHOLE, learned, tile_sum
from tests.child import ROOT, environment

pytestmark = pytest.mark.thorough

HAS_CARD = gpu_kernels.cuda.is_available()


SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(SIMULATOR, id="simulator"),
        pytest.param(
            {},
            id="card",
            marks=pytest.mark.skipif(not HAS_CARD, reason="there is no graphics card for CUDA"),
        ),
    ],
)
def on_card(request, tmp_path_factory) -> dict[str, tuple[Any, ...]]:
    """What the kernels learned from the games of `tests.ai.card_games`."""
    path = tmp_path_factory.mktemp("card") / "learned.npz"
    child = [sys.executable, "-m", "tests.ai.games_on_card", str(path)]
    subprocess.run(child, check=True, cwd=ROOT, env=environment() | request.param)
    with np.load(path) as found:
        return {name: tuple(found[f"{name}{i}"] for i in range(6)) for name in ("whole", "late")}


def test_whole_games_are_played_and_learned_from_as_on_the_processor(on_card):
    alone = new_training(SEED)
    for board in WHOLE:
        alone.board[0], alone.game[TILE_SUM] = board, tile_sum(board)
        alone.game[STAGE], alone.game[IS_FRESH], alone.game[SCORE] = 0, True, 0
        train(alone, 1)
        assert alone.board[0] == 0, "or the games on the card went on"
    assert alone.counts[GAMES] == 3
    assert alone.counts[SCORES + 1] == alone.n_first[1] == 2, "one comes to the next stage"
    assert_same(on_card["whole"], (*learned(alone), alone.counts))


def test_late_games_are_played_and_learned_from_as_on_the_processor(on_card):
    alone = new_late_training(SEED)
    for board in LATE:
        alone.play.board[0], alone.play.game[TILE_SUM] = board, tile_sum(board)
        alone.play.game[STAGE] = late_stage_of_sum(tile_sum(board))
        train_late(alone, 1)
        assert alone.play.board[0] == 0, "or the games on the card went on"
    assert (alone.play.counts[BEGUN], alone.play.counts[WON]) == (3, 1)
    assert alone.play.n_first[1] == 1, "one comes to the next stage"
    assert_same(on_card["late"], (*learned(alone.play), alone.play.counts))


def late_stage_of_sum(total: int) -> int:
    return sum(total >= begin for begin in LATE_SUMS)


def assert_same(found: tuple[Any, ...], want: tuple[Any, ...]) -> None:
    """The threads of a game add up sums in another order, and learn of a weight that two of them
    look up from what it was before."""
    for one, other in zip(found, want, strict=True):
        assert one.shape == other.shape
        if one.dtype == np.float32:
            assert np.linalg.norm(one - other) < 0.01 * np.linalg.norm(other)
        else:
            assert np.array_equal(one, other)


class AtOnce:
    """Stands for additions of threads that all read before any of them adds: reads find zeros."""

    def __init__(self) -> None:
        self.atomic = self
        self.sums: Counter[tuple[int, int]] = Counter()

    def add(self, array: np.ndarray, at: int, value: float) -> float:
        self.sums[id(array), at] += value
        return float(self.sums[id(array), at] - value)


def test_a_weight_that_threads_learn_at_once_starts_from_the_stage_before_once(monkeypatch):
    weights, errors = np.zeros(4), np.zeros(8)
    monkeypatch.setattr(gpu_kernels, "cuda", card := AtOnce())
    for share in (4.0, -2.0, 6.0):
        gpu_kernels.add.py_func(np.uint64(3), 100.0, share, share / 2, True, weights, errors)
        gpu_kernels.add.py_func(np.uint64(2), 100.0, share, share / 2, False, weights, errors)
    told = {(id(weights), 3): 104, (id(errors), 6): 8, (id(errors), 7): 12}
    assert card.sums == told, "nothing is added for one that may not be added"


class OnCard:
    """Stands for an array on the card."""

    def __init__(self, array: Any) -> None:
        self.array = array.copy()

    def copy_to_host(self, into: Any = None) -> Any:
        if into is None:
            return self.array.copy()
        into[...] = self.array
        return into


class Kernel:
    """Stands for a kernel: every game plays 100 moves, and learns one weight."""

    def __init__(self, count: Callable[[gpu_games.OnCard, int], object]) -> None:
        self.told: list[tuple[Any, ...]] = []
        self._count = count

    def __getitem__(self, launch: tuple[int, int]) -> Any:
        n_games, n_threads = launch
        assert n_threads == 32

        def run(trace, step, adds, _n_segments, *arrays) -> None:
            self.told.append((float(trace), float(step), adds))
            n_common = len(gpu_games.OnCard._fields)
            card, own = gpu_games.OnCard(*arrays[:n_common]), arrays[n_common:]
            assert n_games == card.boards.array.size == np.unique(card.spawns.array).size
            card.weights.array[5] += 1
            card.errors.array[10:12] += 2
            card.first.array[1, 0], card.n_first.array[1] = 77, 9
            self._count(card, n_games)
            own[-1].array[-1] += 11

        return run


@pytest.fixture
def card(monkeypatch) -> None:
    cuda = SimpleNamespace(
        is_available=lambda: True,
        to_device=OnCard,
        device_array=lambda shape, dtype: OnCard(np.zeros(shape, dtype)),
    )
    monkeypatch.setattr(gpu_games, "cuda", cuda)
    for kind in (gpu_late_games, gpu_whole_games):
        monkeypatch.setattr(kind, "cuda", cuda)


def learned_on(games: gpu_games.GpuGames, kernel: Kernel, training: Any) -> GameTraining:
    """Have a training learn in four launches, see what comes back, and return what all have."""
    games.kernel, games.first_moves, play = kernel, (), play_of(training)
    play.weights[5] = 40
    games.gather(training)  # nothing was sent yet
    games.train(training, 1700)
    play.step_size[0], play.adds_weights[0] = 0.25, False
    games.train(training, 1)
    assert kernel.told == [(0.5, 1, True)] * 3 + [(0.5, 0.25, False)]
    assert play.counts[MOVES] == 3200
    assert play.weights[5] == 40
    games.gather(training)
    assert play.weights[5] == 44
    assert play.errors[10:12].tolist() == [8, 8]
    assert (play.first[1, 0], play.n_first[1]) == (77, 9)
    return play


@pytest.mark.usefixtures("card")
def test_what_is_learned_of_late_games_comes_back():
    def count(card: gpu_games.OnCard, n: int) -> None:
        card.counts.array[FIFTH] += np.array([100 * n, n, n], np.uint64)

    training = new_late_training(7)
    training = training._replace(play=small(training.play))
    play = learned_on(GpuLateGames(8), Kernel(count), training)
    assert play.counts[BEGUN + FIFTH] == play.counts[WON + FIFTH] == 32
    assert training.spent[-1] == 44


@pytest.mark.usefixtures("card")
def test_what_is_learned_of_whole_games_comes_back():
    def count(card: gpu_games.OnCard, n: int) -> None:
        card.counts.array[[MOVES, GAMES, SCORES, SCORES + 3]] += np.array(
            [100 * n, n, 5000 * n, 2], np.uint64
        )

    training = small(new_training(7))
    training.game[TURN] = 20
    play = learned_on(GpuWholeGames(8), Kernel(count), training)
    assert play.counts[[GAMES, SCORES, SCORES + 3]].tolist() == [32, 160_000, 8]
    assert play.game[TURN] == 64


def small(training: GameTraining) -> GameTraining:
    """Return a training with hardly any weights: nothing here looks them up."""
    return training._replace(weights=np.zeros(64, np.float32), errors=np.zeros(128, np.float32))


@pytest.mark.skipif(HAS_CARD, reason="there is one")
@pytest.mark.parametrize("kind", [GpuLateGames, GpuWholeGames])
def test_that_there_is_no_card_is_told(kind):
    with pytest.raises(PlayError, match="made by NVIDIA"):
        kind()


@pytest.mark.usefixtures("card")
def test_few_games_begin_a_training():
    """A thousand that take the first steps at once could overshoot."""
    played: list[int] = []

    def count(card: gpu_games.OnCard, _n: int) -> None:
        card.counts.array[MOVES] += np.uint64(10_000_000)

    class Told(Kernel):
        def __getitem__(self, launch: tuple[int, int]) -> Any:
            played.append(launch[0])
            return super().__getitem__((64, launch[1]))

    training = small(new_training(7))
    games = GpuWholeGames(64)
    games.kernel = Told(count)
    games.train(training, 150_000_000)
    assert played == [4] * 2 + [16] * 10 + [64] * 3
