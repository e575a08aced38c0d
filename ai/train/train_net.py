"""Train a network of tuples that the search asks beside four large tiles, and write it.

python -m ai.train.train_net --goal 1024 --millions 1500 --out net.net [--seed 1] [--resume]
python -m ai.train.train_net --goal 2048 --millions 1000 --out net.net
python -m ai.train.train_net --goal 2048 --millions 1600 --out net.net --resume --early
python -m ai.train.train_net --goal 2048 --millions 3000 --out better.net --from net.net --early

Next to the network is ``net.net.state``, 1.2 GB, from which ``--resume`` continues; ``--early``
learns the way to the first 1024 once that to the second is learned (ai.train.tuple_training). One
process, one core: 1.6 million moves a second on an Intel Xeon (2026). The same seed and numbers of
moves give the same network. The networks that come with the program, with ``--keep`` 3,000,000 and
7,000,000, were trained as above, but during development: the one for 1024 from other starts in its
first 900 million moves, the other with a smaller consolation in its early part.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from ai.errors import WeightsError
from ai.evaluation.tuple_file import read_net, write_net
from ai.evaluation.tuple_net import N_WEIGHTS, TupleNet
from ai.evaluation.walls import GOALS
from ai.train.training_files import beside
from ai.train.tuple_training import (
    GAMES,
    MOVES,
    WINS,
    Lesson,
    TupleTraining,
    early_part,
    new_training,
    train,
)
from engine.platform.files.atomic_file import replacing
from engine.platform.language import tr

_CHUNK = 10_000_000  # moves between two lines of progress
_TRACE = 0.5
_KNOWN_ERRORS = (0.002, 0.02)  # for learned weights: sum of errors, and of their sizes
_CONSOLATION = 0.4  # at the beginning; 0 at the end


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--goal", type=int, choices=[1 << goal for goal in GOALS], required=True)
    parser.add_argument("--millions", type=int, required=True, help=tr("moves to learn from"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help=tr("resume where --out stopped"))
    parser.add_argument(
        "--from", dest="first", type=Path, help=tr("start with the weights of a network")
    )
    parser.add_argument(
        "--early", action="store_true", help=tr("of 2048: the way to the first 1024")
    )
    parser.add_argument(
        "--keep", type=int, default=2_500_000, help=tr("weights in the file at most")
    )
    args = parser.parse_args()
    training = new_training(args.goal.bit_length() - 1, args.seed)
    state_path = beside(args.out, ".state")
    n_moves = load_state(training, state_path) if args.resume else 0
    if args.first and n_moves == 0:
        begin_with(training, read_net(args.first))
    if args.early:
        if (n_moves == 0 and not args.first) or args.goal != 1 << GOALS[-1]:
            text = tr("--early needs --goal 2048 and --resume, and the late part trained first")
            parser.error(text)
        training = early_part(training)
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
            tr(
                "{seconds:6.0f} s  {moves:6.0f} million moves, {speed:.2f} million a second of CPU"
                "  end reached without search: {rate:6.2%}",
                seconds=time.monotonic() - began,
                moves=n_moves / 1e6,
                speed=speed / 1e6,
                rate=rate,
            ),
            flush=True,
        )
        if time.monotonic() - saved > 300.0:
            save(training, args.out, state_path, args.keep, n_moves)
            saved = time.monotonic()
    save(training, args.out, state_path, args.keep, n_moves)


def save(training: TupleTraining, out: Path, state_path: Path, keep: int, n_moves: int) -> None:
    with replacing(state_path) as part, part.open("xb") as file:
        np.array([n_moves], np.uint64).tofile(file)
        training.spawns.tofile(file)
        training.state.tofile(file)
    goal = int(training.goal) & 15
    weights, use = training.first_weight + training.state[:, 0], training.state[:, 2]
    n_kept = write_net(out, goal, weights, use, keep)
    size = out.stat().st_size / 1e6
    text = tr("{path}: {n:,} weights, {size:.1f} MB", path=out, n=n_kept, size=size)
    print(text, flush=True)


def begin_with(training: TupleTraining, net: TupleNet) -> None:
    """Initialize a training with the weights of a network, which then learn by small steps.

    How much their errors agreed, which a file of weights doesn't say, is set so that the first
    steps are a tenth of full ones; after some dozens the errors themselves decide.
    """
    is_used = net.weights != 0
    training.state[is_used, 0] = net.weights[is_used] * net.unit - training.first_weight
    training.state[is_used, 1:] = _KNOWN_ERRORS


def load_state(training: TupleTraining, state_path: Path) -> int:
    expected = 16 + 12 * N_WEIGHTS
    if not state_path.is_file() or state_path.stat().st_size != expected:
        text = tr("{path} is not the state of a training: start without --resume", path=state_path)
        raise WeightsError(text)
    with state_path.open("rb") as file:
        n_moves = int(np.fromfile(file, np.uint64, 1)[0])
        training.spawns[:] = np.fromfile(file, np.uint64, 1)
        training.state[:] = np.fromfile(file, np.float32).reshape(training.state.shape)
    return n_moves


if __name__ == "__main__":
    main()
