"""Training on a graphics card: the same as on the processor, and what passes between the two."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ai.errors import PlayError, WeightsError
from ai.train import gpu_training
from ai.train.game_training import MOVES, STAGE, TILE_SUM
from ai.train.gpu_training import GpuGames
from ai.train.late_training import (
    BEGUN,
    FIFTH,
    WON,
    new_late_training,
    train_late,
)
from ai.train.network_training import WHOLE_GAMES, NetworkTraining

HAS_CARD = gpu_training.cuda.is_available()
BOARD = 0xCED0_1001_0000_0000


@pytest.mark.skipif(not HAS_CARD, reason="there is no graphics card that runs CUDA")
def test_one_game_is_played_and_learned_from_as_on_the_processor() -> None:
    """The sums are added up in another order, so that only the first games are the same."""
    alone, together, games = new_late_training(7), new_late_training(7), GpuGames(1)
    games.on_card = card = games.sent(together)
    card.spawns.copy_to_device(alone.play.spawns)
    for n in range(3):
        alone.play.board[0], alone.play.game[TILE_SUM] = BOARD, 28676
        alone.play.game[STAGE] = 0
        card.boards.copy_to_device(np.array([BOARD], np.uint64))
        card.games.copy_to_device(np.array([[0, 28676]], np.int64))
        train_late(alone, 1)
        gpu_training.train_on_gpu[1, 32](
            together.play.trace, np.float32(1), True, 1, *games.on_card
        )
        games.gather(together)
        assert card.boards.copy_to_host() == alone.play.board
        for one, other in zip(alone.play[:2], together.play[:2], strict=True):
            assert np.linalg.norm(one - other) < 0.01 * np.linalg.norm(one), n


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
    """Stands for the kernel: every game plays 100 moves, wins, and learns one weight."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def __getitem__(self, launch: tuple[int, int]) -> Any:
        n_games, n_threads = launch
        assert n_threads == 32

        def run(trace, step, adds, _n_segments, *on_card) -> None:
            self.told.append((float(trace), float(step), adds))
            card = gpu_training.OnCard(*on_card)
            assert n_games == card.boards.array.size == np.unique(card.spawns.array).size
            card.counts.array[FIFTH] += np.array([100 * n_games, n_games, n_games], np.uint64)
            card.weights.array[5] += 1
            card.errors.array[10:12] += 2
            card.first.array[1, 0], card.n_first.array[1] = 77, 9
            card.spent.array[FIFTH] += 11

        return run


def test_what_is_learned_comes_back(monkeypatch) -> None:
    kernel = Kernel()
    cuda = SimpleNamespace(
        is_available=lambda: True,
        to_device=OnCard,
        device_array=lambda shape, dtype: OnCard(np.zeros(shape, dtype)),
    )
    monkeypatch.setattr(gpu_training, "cuda", cuda)
    monkeypatch.setattr(gpu_training, "train_on_gpu", kernel)
    training = small_training()
    training.play.weights[5] = 40
    games = GpuGames(8)
    games.gather(training)  # nothing was sent yet
    games.train(training, 1700)
    training.play.step_size[0], training.play.adds_weights[0] = 0.25, False
    games.train(training, 1)
    assert kernel.told == [(0.5, 1, True)] * 3 + [(0.5, 0.25, False)]
    counts = training.play.counts
    assert counts[MOVES] == 3200
    assert counts[BEGUN + FIFTH] == counts[WON + FIFTH] == 32
    assert training.play.weights[5] == 40
    games.gather(training)
    assert training.play.weights[5] == 44
    assert training.play.errors[10:12].tolist() == [8, 8]
    assert (training.play.first[1, 0], training.play.n_first[1]) == (77, 9)
    assert training.spent[FIFTH] == 44


def small_training() -> Any:
    """A training with hardly any weights: nothing here looks them up."""
    training = new_late_training(7)
    small = {"weights": np.zeros(64, np.float32), "errors": np.zeros(128, np.float32)}
    return training._replace(play=training.play._replace(**small))


@pytest.mark.skipif(HAS_CARD, reason="there is one")
def test_that_there_is_no_card_is_told() -> None:
    with pytest.raises(PlayError, match="made by NVIDIA"):
        GpuGames()


def test_a_training_that_has_learned_too_little_is_refused_before_it_begins(tmp_path) -> None:
    begun: list[object] = []
    task = WHOLE_GAMES._replace(least_moves=3_000_000, start=lambda *told: begun.append(told))
    with pytest.raises(WeightsError, match="from 0 moves: train without --gpu up to 3 million"):
        NetworkTraining(tmp_path / "net", task=task)
    assert begun == []
    NetworkTraining(tmp_path / "net", task=task._replace(least_moves=0))
    assert len(begun) == 1
