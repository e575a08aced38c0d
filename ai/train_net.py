"""Train a network of tuples that the search asks beside five large tiles, and write it.

python -m ai.train_net --goal 1024 --millions 1200 --out net.npz [--seed 1] [--resume]

Beside the network lies ``net.npz.state``, 340 MB, from which ``--resume`` goes on. One process,
one core: 1.6 million moves a second on an Intel Xeon (2026). The same seed and number of moves give
the same network; the two that come with the program are ``--goal 1024 --millions 900``, and
``--goal 512 --millions 400``, resumed with 800, both with ``--keep 3000000``.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np

from ai.errors import WeightsError
from ai.tuple_file import write_net
from ai.tuple_net import N_WEIGHTS
from ai.tuple_training import GAMES, MOVES, WINS, Lesson, Training, new_training, train
from ai.walls import GOALS

_CHUNK = 10_000_000  # moves between two lines of progress
_SAVE_S = 300.0
_TRACE = 0.5
_CONSOLATION = 0.4  # at the beginning; at the end nothing
_UNSEEN = 0.0  # of a weight that was never used: far below the average of the others


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--goal", type=int, choices=[1 << goal for goal in GOALS], required=True)
    parser.add_argument("--millions", type=int, required=True, help="moves to learn from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on where --out stands")
    parser.add_argument("--keep", type=int, default=2_500_000, help="weights in the file at most")
    args = parser.parse_args()
    training = new_training(args.goal.bit_length() - 1, args.seed)
    state_path = args.out.with_name(args.out.name + ".state")
    n_moves = load_state(training, state_path) if args.resume else 0
    began = saved = time.monotonic()
    while n_moves < 1_000_000 * args.millions:
        training.counts[:] = 0
        cpu_s = time.thread_time()
        done = n_moves / (1_000_000 * args.millions)
        train(
            training, Lesson(np.float32(_TRACE), np.float32(_CONSOLATION * (1 - done) ** 2)), _CHUNK
        )
        n_moves += int(training.counts[MOVES])
        speed = training.counts[MOVES] / (time.thread_time() - cpu_s)
        rate = training.counts[WINS] / max(1, training.counts[GAMES])
        print(
            f"{time.monotonic() - began:6.0f} s  {n_moves / 1e6:6.0f} million moves, "
            f"{speed / 1e6:.2f} million a second of CPU  goal made without search: {rate:6.2%}",
            flush=True,
        )
        if time.monotonic() - saved > _SAVE_S:
            save(training, args.out, state_path, args.keep, n_moves)
            saved = time.monotonic()
    save(training, args.out, state_path, args.keep, n_moves)


def save(training: Training, out: Path, state_path: Path, keep: int, n_moves: int) -> None:
    """Write the network and, in case of a resume, the whole state."""
    part = state_path.with_name(state_path.name + ".part")
    with part.open("wb") as file:
        np.array([n_moves], np.uint64).tofile(file)
        training.spawns.tofile(file)
        training.state.tofile(file)
    os.replace(part, state_path)
    goal = int(training.goal) & 15
    n_kept = write_net(out, goal, training.state[:, 0], training.state[:, 2], keep, _UNSEEN)
    print(f"{out}: {n_kept:,} weights, {out.stat().st_size / 1e6:.1f} MB", flush=True)


def load_state(training: Training, state_path: Path) -> int:
    """Fill a training with a state that `save` wrote; return how many moves it has learned from."""
    expected = 16 + 12 * N_WEIGHTS
    if not state_path.is_file() or state_path.stat().st_size != expected:
        raise WeightsError(f"{state_path} is no state of a training: begin without --resume")
    with state_path.open("rb") as file:
        n_moves = int(np.fromfile(file, np.uint64, 1)[0])
        training.spawns[:] = np.fromfile(file, np.uint64, 1)
        training.state[:] = np.fromfile(file, np.float32).reshape(training.state.shape)
    return n_moves


if __name__ == "__main__":
    main()
