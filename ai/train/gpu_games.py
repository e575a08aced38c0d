"""Training on a graphics card: a thousand games side by side, by CUDA.

The learning is the same as with one game at a time, which is a hundred times slower; only the order
differs. See `ai.train.gpu_kernels`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ai.errors import PlayError
from ai.evaluation.game_net import N_LOOKUPS
from ai.train.game_training import MOVES, SEGMENT, GameTraining
from ai.train.gpu_kernels import N_THREADS, cuda
from ai.train.late_training import play_of
from engine.platform.language import tr

N_GAMES = 1056
"""Side by side: a half of them runs at two thirds of the speed, twice as many no faster (H200)."""

CHUNK = 1_000_000_000
"""Moves between two lines of the curve."""

FIRST_MOVES = ((20_000_000, 16), (120_000_000, 4))
"""Until so many moves are learned here, one of so many games plays: steps are large at first, and a
thousand games that learn the same at once could overshoot."""

_SEGMENTS = 16  # segments of each game per kernel call


class OnCard(NamedTuple):
    """The arrays on the card that every kernel takes, in this order, followed by its own."""

    weights: Any
    errors: Any
    boards: Any
    spawns: Any
    games: Any
    places: Any
    points: Any
    first: Any
    n_first: Any
    counts: Any
    left: Any
    right: Any
    score: Any


class GpuGames(ABC):
    """The games of one training, `n_games` side by side on the graphics card.

    Raises PlayError if there is no such card, or its driver or libraries are not installed.
    """

    # Plays a few segments of all games; takes lambda, the step size, whether weights may be added,
    # the number of segments, then `OnCard` and `own`.
    kernel: Any
    # sequence of (int, int): see `FIRST_MOVES`.
    first_moves: Sequence[tuple[int, int]] = FIRST_MOVES
    n_places: int  # number of values stored per game
    counts_shape: tuple[int, ...]  # of the array (uint64) that the kernel adds to

    def __init__(self, n_games: int = N_GAMES) -> None:
        if not cuda.is_available():
            text = tr(
                "no graphics card that runs CUDA was found: it takes one made by NVIDIA, its "
                'driver, and pip install "endgame2048[gpu]"'
            )
            raise PlayError(text)
        self._n_games = n_games
        self.on_card: OnCard | None = None
        self.own: tuple[Any, ...] = ()
        self._counts = np.zeros(self.counts_shape, np.uint64)
        self._n_moves = 0

    def train(self, training: Any, n_moves: int) -> None:
        """Play at least `n_moves` moves and learn from them; see `gather`."""
        play = play_of(training)
        if self.on_card is None:
            self.on_card, self.own = self.sent(play), self.sent_of_its_own(training)
        until = play.counts[MOVES] + n_moves
        while play.counts[MOVES] < until:
            few = next((few for moves, few in self.first_moves if self._n_moves < moves), 1)
            before = int(play.counts[MOVES])
            self.kernel[max(1, self._n_games // few), N_THREADS](
                play.trace,
                play.step_size[0],
                bool(play.adds_weights[0]),
                _SEGMENTS,
                *self.on_card,
                *self.own,
            )
            now = self.on_card.counts.copy_to_host()
            self.count((now - self._counts).astype(np.int64), play.counts)
            self._counts = now
            self._n_moves += int(play.counts[MOVES]) - before

    def gather(self, training: Any) -> None:
        """Copy everything learned back into `training`, without the games themselves."""
        card, play = self.on_card, play_of(training)
        if card is not None:
            card.weights.copy_to_host(play.weights)
            card.errors.copy_to_host(play.errors)
            card.first.copy_to_host(play.first)
            play.n_first[:] = card.n_first.copy_to_host()
            play.spawns[:] = card.spawns.copy_to_host()[:1]
            self.gather_its_own(training)

    def sent(self, play: GameTraining) -> OnCard:
        n = self._n_games
        spawns = np.random.default_rng(int(play.spawns[0])).integers(0, 1 << 63, n, np.uint64)
        return OnCard(
            cuda.to_device(play.weights),
            cuda.to_device(play.errors),
            cuda.to_device(np.zeros(n, np.uint64)),
            cuda.to_device(spawns),
            cuda.to_device(np.zeros((n, self.n_places), np.int64)),
            cuda.device_array((n, SEGMENT, N_LOOKUPS), np.uint32),
            cuda.device_array((n, SEGMENT), np.float32),
            cuda.to_device(play.first),
            cuda.to_device(play.n_first.astype(np.uint64)),
            cuda.to_device(self._counts),
            *(cuda.to_device(np.array(table)) for table in play.moves),
        )

    @abstractmethod
    def sent_of_its_own(self, training: Any) -> tuple[Any, ...]: ...

    @abstractmethod
    def gather_its_own(self, training: Any) -> None: ...

    def count(self, more: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> None:
        counts += more
