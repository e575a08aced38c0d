"""A training of the network for whole games, over days: chunks, a curve, and what resumes it.

Three files: ``OUT.state`` with all that the training knows, gigabytes once the late stages are
reached; ``OUT.csv`` with a line for every chunk of moves; and, made of the first when asked for,
the weights that a player reads. The state is one zstd frame with a checksum::

    a line     JSON: version, sums (where stages begin), tuples, seed, trace, moves so far
    the rest   the arrays of `game_training.Training` in `_ARRAYS`, as they lie in memory

The same seed and moves give the same state, however often the training was stopped in between. The
size of steps is not part of it: a training may go on with smaller ones, nor is whether weights are
added. One of fewer tuples goes on as well (version 3 had four): of the others, nothing was learned.
"""

import csv
import io
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import zstandard

from ai.errors import WeightsError
from ai.evaluation.game_net import STAGE_SIZE, STAGE_SUMS, TUPLES
from ai.evaluation.game_net_file import TUPLES_BEFORE, read_game_net
from ai.evaluation.stage_file import writing_frame
from ai.evaluation.staged_net import StagedNet
from ai.train.game_training import (
    GAMES,
    MOVES,
    SCORES,
    Training,
    new_training,
    train,
)
from engine.language import tr

CHUNK = 10_000_000
"""Moves between two lines of the curve."""

_VERSION = 4
_WITHOUT_TUPLES = 3
_ARRAYS = ("spawns", "board", "game", "first", "n_first", "weights", "errors")
_OF_TUPLES = {"weights": 1, "errors": 2}
"""Arrays that have a part for each stage, and how many numbers for each of its weights."""

_MOST_LINE = 1000
_LEVEL = 1  # most of it are zeros and numbers that look random: more would gain little
_PIECE = 1 << 24
_LEARNED_SO_FAR = np.float32(1000)  # points: what half of the weights of a training have seen
_SETTLED = np.float32(0.05)  # the first step of a weight that a network brings


@dataclass(frozen=True)
class Progress:
    """A line of the curve: what the games of one chunk came to.

    Attributes
    ----------
    moves : int
        All that were played so far.
    seconds : float
        CPU time of the chunk.
    games : int
        Games of the chunk that began with an empty board, and ended in it.
    mean : float
        Their mean score.
    reached : tuple of float
        How many games came to each stage after the first, for each game that ended.
    """

    moves: int
    seconds: float
    games: int
    mean: float
    reached: tuple[float, ...]


COLUMNS = ("moves", "seconds", "games", "mean", *(f"sum_{first}" for first in STAGE_SUMS))
"""Of the curve's file."""


class NetworkTraining:
    """A training and its files.

    Parameters
    ----------
    out : Path
        What the names of the files begin with. Where a state lies already, it goes on.
    seed : int
        Of the generator; a state of another seed is refused.
    trace : float
        Lambda; see `game_training`.
    step_size : float
        What steps are multiplied by from here on, up to 1; see `game_training`.
    start : Path, optional
        A network for whole games to begin with, where no state lies yet.
    adds_weights : bool
        Whether weights of which nothing was learned yet may begin to, from here on.

    Raises
    ------
    WeightsError
        The state cannot be read, is damaged, or belongs to another training.
    """

    def __init__(
        self,
        out: Path,
        seed: int = 1,
        trace: float = 0.5,
        step_size: float = 1.0,
        start: Path | None = None,
        adds_weights: bool = True,
    ) -> None:
        self._state = out.with_name(out.name + ".state")
        self._curve = out.with_name(out.name + ".csv")
        self._seed = seed
        self.training = new_training(seed, trace)
        self.training.step_size[0] = step_size
        self.training.adds_weights[0] = adds_weights
        self.moves = 0
        if self._state.exists():
            self.moves = read_state(self._state, self.training, seed)
        elif start is not None:
            begin_with(read_game_net(start), self.training)

    def run(
        self,
        until: int,
        tell: Callable[[Progress], object],
        save_every_s: float = 900.0,
        now: Callable[[], float] = time.monotonic,
        chunk: int = CHUNK,
    ) -> None:
        """Train until so many moves were played; write the state now and then, and at the end."""
        saved = now()
        while self.moves < until:
            progress = self._one_chunk(chunk)
            self._note(progress)
            tell(progress)
            if now() - saved > save_every_s:
                self.save()
                saved = now()
        self.save()

    def save(self) -> None:
        """Write the state so that a crash leaves the old one or the new one."""
        write_state(self._state, self.training, self._seed, self.moves)

    def _one_chunk(self, n_moves: int) -> Progress:
        counts = self.training.counts
        counts[:] = 0
        began = time.thread_time()
        train(self.training, n_moves)
        self.moves += int(counts[MOVES])
        games = max(1, int(counts[GAMES]))
        return Progress(
            self.moves,
            time.thread_time() - began,
            int(counts[GAMES]),
            float(counts[SCORES] / games),
            tuple(float(n / games) for n in counts[SCORES + 1 :]),
        )

    def _note(self, progress: Progress) -> None:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if not self._curve.exists():
            writer.writerow(COLUMNS)
        fields = asdict(progress)
        reached = fields.pop("reached")
        writer.writerow([*fields.values(), *reached])
        with self._curve.open("a", encoding="utf-8") as file:
            file.write(text.getvalue())


def begin_with(net: StagedNet, training: Training) -> None:
    """Give a training that has learned nothing the weights of a network.

    What its file does not tell is how settled they are: they are taken for well settled, so that
    the first games, which see few of them, don't undo them; what is new finds its own step soon.
    """
    for stage, own in enumerate(net.stages):
        places = stage * STAGE_SIZE + own.places.astype(np.int64)
        training.weights[places] = own.steps * net.unit
        training.errors[2 * places] = _SETTLED * _LEARNED_SO_FAR
        training.errors[2 * places + 1] = _LEARNED_SO_FAR


def write_state(path: Path, training: Training, seed: int, moves: int) -> None:
    """Write a training, so that a crash leaves the old file or the new one."""
    head = _kind() | {"seed": seed, "trace": float(training.trace), "moves": moves}
    with writing_frame(path, head, _LEVEL) as stream:
        for name in _ARRAYS:
            data = memoryview(getattr(training, name)).cast("B")
            for begin in range(0, len(data), _PIECE):
                stream.write(data[begin : begin + _PIECE])


def _kind() -> dict[str, Any]:
    """Return what the first line says of the arrays that follow."""
    return {"version": _VERSION, "sums": list(STAGE_SUMS), "tuples": len(TUPLES)}


def read_state(path: Path, training: Training, seed: int | None) -> int:
    """Fill a training with a state that `write_state` wrote; return the moves played so far.

    One of another seed or trace is refused, unless `seed` is None.
    """
    damaged = WeightsError(tr("{path} is damaged: remove it to start anew", path=path))
    try:
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
            lines = io.BufferedReader(stream, 1 << 20)
            head = json.loads(lines.readline(_MOST_LINE))
            is_own = seed is None or (head["seed"], head["trace"]) == (seed, float(training.trace))
            if head["version"] == _WITHOUT_TUPLES:
                head |= {"version": _VERSION, "tuples": TUPLES_BEFORE}
            n_tuples = int(head["tuples"])
            kind = _kind() | {"tuples": n_tuples}
            is_known = 0 < n_tuples <= len(TUPLES)
            if not (is_own and is_known and all(head[name] == kind[name] for name in kind)):
                raise WeightsError(
                    tr(
                        "{path} belongs to a training of another configuration: name another "
                        "--out, or remove it to start anew",
                        path=path,
                    )
                )
            for name in _ARRAYS:
                for part in _parts(name, getattr(training, name), n_tuples):
                    _fill(part, lines, damaged)
            if lines.read(1):
                raise damaged
            return int(head["moves"])
    except OSError as error:
        raise WeightsError(
            tr("cannot read {path}: {reason}", path=path, reason=error.strerror)
        ) from error
    except (ValueError, KeyError, TypeError, RecursionError, zstandard.ZstdError) as error:
        raise damaged from error


def read_state_to_export(path: Path) -> tuple[Training, int]:
    """Return the training in a file, whatever its seed, and the moves played so far.

    Raises
    ------
    WeightsError
        It cannot be read or is damaged.
    """
    training = new_training(0)
    return training, read_state(path, training, None)


def _parts(name: str, array: Any, n_tuples: int) -> Iterator[Any]:
    """Yield the parts of an array that a state of so many tuples has, in order."""
    if name not in _OF_TUPLES or n_tuples == len(TUPLES):
        yield array
        return
    size = _OF_TUPLES[name] * STAGE_SIZE
    for begin in range(0, array.size, size):
        yield array[begin : begin + size * n_tuples // len(TUPLES)]


def _fill(array: Any, lines: Any, damaged: WeightsError) -> None:
    """Read an array; pages of nothing but zeros stay untouched, for they take no memory yet."""
    target = memoryview(array).cast("B")
    for begin in range(0, len(target), _PIECE):
        piece = _read_piece(lines, min(_PIECE, len(target) - begin), damaged)
        if piece.count(0) != len(piece):
            target[begin : begin + len(piece)] = piece


def _read_piece(lines: Any, n_bytes: int, damaged: WeightsError) -> bytes:
    piece: bytes = lines.read(n_bytes)
    if len(piece) < n_bytes:
        raise damaged
    return piece
