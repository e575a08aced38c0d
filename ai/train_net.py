"""Train a network of tuples and write it, again and again, until time is up.

python -m ai.train_net --minutes 60 --out net.npz [--seed 1] [--resume] [--keep 4000000]

Beside the network lies ``net.npz.state``, 805 MB, from which ``--resume`` goes on. One process, one
core: 0.3 to 2 million moves a second, by how much of its memory the machine has in its caches.
Strength to expect (published, of this network): after 10**9 moves 100,000 to 150,000 points
without search, after 10**10 some 200,000. `play --weights net.npz` plays with it.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np

from ai.errors import WeightsError
from ai.tuple_file import write_net
from ai.tuple_net import N_TUPLES, TUPLE_SIZE
from ai.tuple_training import BEST, GAMES, POINTS, Training, new_training, train

_MOVES = 5_000_000  # between two lines of progress
_SAVE_S = 300.0


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on where --out stands")
    parser.add_argument("--keep", type=int, default=4_000_000, help="weights in the file at most")
    parser.add_argument("--first-value", type=float, default=0.0, help="points before any learning")
    args = parser.parse_args()
    training = new_training(args.seed, 0.0 if args.resume else args.first_value)
    state_path = args.out.with_name(args.out.name + ".state")
    if args.resume:
        load_state(training, state_path)
    began = saved = time.monotonic()
    n_moves = 0
    while time.monotonic() - began < 60 * args.minutes:
        training.counts[:] = 0
        cpu_s = time.thread_time()
        train(training, _MOVES, 0.1)
        n_moves += _MOVES
        speed = _MOVES / (time.thread_time() - cpu_s)
        counts = training.counts
        print(
            f"{time.monotonic() - began:6.0f} s  {n_moves / 1e6:8.0f} million moves  "
            f"{speed / 1e6:.2f} million a second of CPU  mean score "
            f"{counts[POINTS] / max(1, counts[GAMES]):9,.0f}  best {counts[BEST]:,}",
            flush=True,
        )
        if time.monotonic() - saved > _SAVE_S:
            save(training, args.out, state_path, args.keep)
            saved = time.monotonic()
    save(training, args.out, state_path, args.keep)


def save(training: Training, out: Path, state_path: Path, keep: int) -> None:
    """Write the network and, in case of a resume, the whole state."""
    part = state_path.with_name(state_path.name + ".part")
    with part.open("wb") as file:
        training.spawns.tofile(file)
        training.state.tofile(file)
    os.replace(part, state_path)
    n_kept = write_net(out, training.state[:, 0], training.state[:, 2], keep)
    print(f"{out}: {n_kept:,} weights, {out.stat().st_size / 1e6:.1f} MB", flush=True)


def load_state(training: Training, state_path: Path) -> None:
    """Fill a training with a state that `save` wrote."""
    expected = 8 + 12 * N_TUPLES * TUPLE_SIZE
    if not state_path.is_file() or state_path.stat().st_size != expected:
        raise WeightsError(f"{state_path} is no state of a training: begin without --resume")
    with state_path.open("rb") as file:
        training.spawns[:] = np.fromfile(file, np.uint64, 1)
        training.state[:] = np.fromfile(file, np.float32).reshape(training.state.shape)


if __name__ == "__main__":
    main()
