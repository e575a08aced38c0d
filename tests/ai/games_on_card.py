"""Plays `tests.ai.card_games` on a graphics card, or on numba's simulator of one.

A program for its own process: its environment switches the simulator on, and compiling off. It
writes what was learned to the given file.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from numba import config

import engine.kernels.spawn as spawn
from ai.train import gpu_games
from ai.train.game_training import new_training
from ai.train.gpu_late_games import GpuLateGames
from ai.train.gpu_whole_games import GpuWholeGames
from ai.train.late_training import new_late_training, play_of
from tests.ai.card_games import LATE, SEED, WHOLE, learned, tile_sum


@contextmanager
def put_into(function: FunctionType, card: object) -> Iterator[None]:
    """Put the simulated card into the module of a function, and leave it there.

    The simulator would take it away when the first of the threads returns.
    """
    function.__globals__["cuda"] = card
    yield


def _simulate() -> None:
    """Have the simulator do what our kernels need, with no copies of gigabytes."""
    from numba.cuda.simulator import kernel as simulator
    from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

    spawn.popcount = lambda board: np.uint64(int(board).bit_count())  # intrinsics of the compiler
    spawn.trailing_zeros = lambda board: np.uint64((int(board) & -int(board)).bit_length() - 1)
    gpu_games.cuda.is_available = lambda: True
    simulator.swapped_cuda_module = put_into
    gpu_games.cuda.to_device = lambda array: FakeCUDAArray(np.ascontiguousarray(array))
    _take_turns(simulator.BlockThread)


def _take_turns(kind: Any) -> None:
    """Let a simulated thread run until it waits for the others.

    Those of a card do the same at once. One that is stopped anywhere, as the system likes, learns
    from what another one has learned only in part.
    """
    turn, run, wait = threading.Lock(), kind.run, kind.syncthreads

    def run_in_turn(thread: Any) -> None:
        with turn:
            run(thread)

    def wait_for_others(thread: Any) -> None:
        turn.release()
        try:
            wait(thread)
        finally:
            turn.acquire()

    kind.run, kind.syncthreads = run_in_turn, wait_for_others


def _play() -> dict[str, Any]:
    found = {}
    for name, kind, training, boards in (
        ("whole", GpuWholeGames, new_training(SEED), WHOLE),
        ("late", GpuLateGames, new_late_training(SEED), LATE),
    ):
        games = kind(1)
        play = play_of(training)
        games.on_card = card = games.sent(play)
        games.own = games.sent_of_its_own(training)
        card.spawns.copy_to_device(play.spawns)
        for board in boards:
            game = [0, tile_sum(board)] if name == "late" else [tile_sum(board), 0, 1]
            card.boards.copy_to_device(np.array([board], np.uint64))
            card.games.copy_to_device(np.array([game], np.int64))
            games.kernel[1, 32](play.trace, np.float32(1), True, 1, *card, *games.own)
        if config.ENABLE_CUDASIM:  # all else is the same memory
            play.spawns[:] = card.spawns.copy_to_host()
        else:
            games.gather(training)
        games.count(card.counts.copy_to_host().astype(np.int64), play.counts)
        for part, array in enumerate((*learned(play), play.counts)):
            found[f"{name}{part}"] = array
    return found


if __name__ == "__main__":
    np.seterr(over="ignore")  # generators overflow on purpose
    if config.ENABLE_CUDASIM:
        _simulate()
    np.savez(Path(sys.argv[1]), **_play())
