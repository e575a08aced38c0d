"""Training a network for whole or late games over days: chunks, a learning curve, resuming.

There are three files: ``OUT.state`` with the full training state, gigabytes once the late stages
are reached; ``OUT.csv`` with a line for every chunk of moves; and, exported from the first on
request, the weights that a player reads. The state is one zstd frame with a checksum::

    a line     JSON: version, sums (where stages begin), tuples, seed, trace, moves so far
    the rest   the arrays of `GameTraining` in `_ARRAYS`, as laid out in memory; for late games
               preceded by the cost of each way to begin and the boards shown

The same seed and moves give the same state, however often the training was stopped in between. The
step size and whether weights are added are not part of it: a training may continue with others. A
state with fewer tuples can be resumed, too (version 3 had four): the others are not learned.
"""

import csv
import io
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import zstandard

from ai.errors import WeightsError
from ai.evaluation.game_net import STAGE_SIZE, STAGE_SUMS, TUPLES
from ai.evaluation.game_net_file import LATE_GAME, TUPLES_BEFORE, WHOLE_GAME, read_game_net
from ai.evaluation.stage_file import writing_frame
from ai.train.game_training import GAMES, MOVES, SCORES, GameTraining, new_training, train
from ai.train.late_training import (
    LATE_COLUMNS,
    LateTraining,
    late_figures,
    new_late_training,
    play_of,
    show,
    train_late,
)
from ai.train.training_files import beside, check_curve, of_another_training, reading_state
from engine.platform.default_callbacks import never_cancelled
from engine.platform.files.atomic_file import write_file, writing
from engine.platform.language import mark, tr
from tablebase.errors import BuildCancelledError

CHUNK = 10_000_000
"""Moves between two lines of the curve."""

_VERSION = 4
_WITHOUT_TUPLES = 3
_ARRAYS = ("spawns", "board", "game", "first", "n_first", "weights", "errors")
_OF_TUPLES = {"weights": 1, "errors": 2}
"""Arrays that have a part for each stage, and how many numbers for each of its weights."""

_FIRST_COLUMNS = ("moves", "seconds")  # of the curve's file
_MAX_LINE = 1000
_LEVEL = 1  # mostly zeros and random-looking numbers: a higher level would gain little
_PIECE = 1 << 24
_LEARNED_SO_FAR = np.float32(1000)  # points: exceeded by half of the weights of a training
_SETTLED = np.float32(0.05)  # the first step of a weight from an imported network


@dataclass(frozen=True)
class TrainingProgress:
    """A line of the curve: the results of one chunk.

    `seconds` are CPU time, or wall time on a graphics card. `figures` are by column of the curve's
    file. Of whole games: how many of the chunk began with an empty board, and ended in it, their
    mean score, and how many reached each stage after the first, per finished game. For late games
    see `ai.train.late_training.late_figures`.
    """

    moves: int
    seconds: float
    figures: dict[str, float]


class Task(NamedTuple):
    """The task that a network learns."""

    sums: tuple[int, ...]  # where its stages begin, as stored in a state
    exported_sums: tuple[int, ...]  # the same, as stored in the file of a network
    columns: tuple[str, ...]  # of the curve's file, after the first two
    new: Callable[[int, float], Any]  # creates a training from a seed and a trace
    # Initializes a new training from a file and a seed; the last argument is asked whether to
    # cancel.
    start: Callable[[Path | None, Any, int, Callable[[], bool]], object]
    train: Callable[[Any, int], object]  # plays about a given number of moves
    # Computes the curve's figures from the counts of a chunk.
    figures: Callable[[Any], Sequence[float]]
    # Copies everything learned back into a training, if it is stored elsewhere.
    gather: Callable[[Any], object] = lambda _training: None
    chunk: int = CHUNK  # moves between two lines of the curve
    clock: Callable[[], float] = time.thread_time  # returns seconds


def _whole_figures(counts: Any) -> Sequence[float]:
    games = max(1, int(counts[GAMES]))
    reached = (float(n / games) for n in counts[SCORES + 1 :])
    return int(counts[GAMES]), float(counts[SCORES] / games), *reached


def _begin_whole(
    path: Path | None, training: GameTraining, _seed: int, _is_cancelled: Callable[[], bool]
) -> None:
    """Begin with the weights of a network, if there is one.

    The file doesn't say how settled they are: they are assumed to be well settled, so that the
    first games, which see few of them, don't undo them; new weights soon find their own step.
    """
    if path is None:
        return
    net = read_game_net(path)
    for stage, own in enumerate(net.stages):
        places = stage * STAGE_SIZE + own.places.astype(np.int64)
        training.weights[places] = own.steps * net.unit
        training.errors[2 * places] = _SETTLED * _LEARNED_SO_FAR
        training.errors[2 * places + 1] = _LEARNED_SO_FAR


WHOLE_GAMES = Task(
    STAGE_SUMS,
    WHOLE_GAME,
    ("games", "mean", *(f"sum_{first}" for first in STAGE_SUMS)),
    new_training,
    _begin_whole,
    train,
    _whole_figures,
)
LATE_GAMES = Task(
    LATE_GAME, LATE_GAME, LATE_COLUMNS, new_late_training, show, train_late, late_figures
)
TASKS = (WHOLE_GAMES, LATE_GAMES)


class NetworkTraining:
    """A training and its files, whose names begin with `out`; an existing state is resumed.

    A state with another `seed` is refused. For `trace`, lambda, and `step_size`, a factor from here
    on, up to 1, see `game_training`. Without a state, `start` is a network for whole games to begin
    with, or for late games a table of 4421 to 1024, whose games are shown. `adds_weights` says
    whether weights not learned yet may start learning from here on. `is_cancelled` is asked while a
    new training is prepared.

    Raises BuildCancelledError; TableError if the table cannot be used; WeightsError if the state
    cannot be read, is damaged, or belongs to another training, or no weights may learn.
    """

    def __init__(
        self,
        out: Path,
        seed: int = 1,
        trace: float = 0.5,
        step_size: float = 1.0,
        start: Path | None = None,
        adds_weights: bool = True,
        task: Task = WHOLE_GAMES,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> None:
        self._task = task
        self._state, self._curve = beside(out, ".state"), beside(out, ".csv")
        check_curve(self._curve, _FIRST_COLUMNS)
        self._seed = seed
        self.training = task.new(seed, trace)
        play = play_of(self.training)
        play.step_size[0] = step_size
        play.adds_weights[0] = adds_weights
        self.moves = 0
        if self._state.exists():
            self.moves = read_state(self._state, self.training, seed)
        else:
            task.start(start, self.training, seed, is_cancelled)
        if not adds_weights and not play.weights.any():
            text = tr(
                "--pruned trains only weights that a network has already, and this one has "
                "none: name a network with --start, or leave --pruned out"
            )
            raise WeightsError(text)

    def run(
        self,
        until: int,
        on_progress: Callable[[TrainingProgress], object],
        save_every_s: float = 900.0,
        now: Callable[[], float] = time.monotonic,
        chunk: int | None = None,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> None:
        """Train until `until` moves are played; write the state now and then, and at the end.

        Raises BuildCancelledError, when everything learned, including the current chunk, is in the
        state, and WriteError, when the state before is unchanged.
        """
        with writing(self._curve):
            self._forget_lines()
        saved = now()
        while self.moves < until and not is_cancelled():
            progress = self._one_chunk(chunk or self._task.chunk)
            with writing(self._curve):
                self._note(progress)
            on_progress(progress)
            if now() - saved > save_every_s:
                self.save()
                saved = now()
        self.save()
        if self.moves < until:
            text = tr("stopped after {n:,} moves; what was learned is kept", n=self.moves)
            raise BuildCancelledError(text)

    def save(self) -> None:
        """Write the state so that a crash leaves the old one or the new one; raise WriteError."""
        self._task.gather(self.training)
        with writing(self._state):
            write_state(self._state, self.training, self._seed, self.moves)

    def _one_chunk(self, n_moves: int) -> TrainingProgress:
        counts = play_of(self.training).counts
        counts[:] = 0
        began = self._task.clock()
        self._task.train(self.training, n_moves)
        self.moves += int(counts[MOVES])
        figures = dict(zip(self._task.columns, self._task.figures(counts), strict=True))
        return TrainingProgress(self.moves, self._task.clock() - began, figures)

    def _forget_lines(self) -> None:
        """Drop the lines of the curve beyond the state: those moves are played again."""
        if not self._curve.exists():
            return
        text = self._curve.read_text(encoding="utf-8", errors="replace")
        head, *lines = text.splitlines(keepends=True) or [""]
        kept = []
        for line in lines:
            played = line.partition(",")[0]
            if line.endswith("\n") and played.isdecimal() and int(played) <= self.moves:
                kept.append(line)
        if kept != lines:
            write_file(self._curve, ["".join([head, *kept]).encode("utf-8")])

    def _note(self, progress: TrainingProgress) -> None:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if not self._curve.exists():
            writer.writerow((*_FIRST_COLUMNS, *self._task.columns))
        writer.writerow([progress.moves, progress.seconds, *progress.figures.values()])
        with self._curve.open("a", encoding="utf-8") as file:
            file.write(text.getvalue())


def _task_of(training: GameTraining | LateTraining) -> Task:
    return LATE_GAMES if isinstance(training, LateTraining) else WHOLE_GAMES


def _arrays(training: GameTraining | LateTraining) -> Iterator[tuple[str, Any]]:
    if isinstance(training, LateTraining):
        yield from (("spent", training.spent), ("shown", training.shown))
    for name in _ARRAYS:
        yield name, getattr(play_of(training), name)


def write_state(path: Path, training: GameTraining | LateTraining, seed: int, moves: int) -> None:
    """Write a training, so that a crash leaves the old file or the new one."""
    trace = float(play_of(training).trace)
    head = _head(_task_of(training)) | {"seed": seed, "trace": trace, "moves": moves}
    with writing_frame(path, head, _LEVEL) as stream:
        for _name, array in _arrays(training):
            data = memoryview(array).cast("B")
            for begin in range(0, len(data), _PIECE):
                stream.write(data[begin : begin + _PIECE])


def _head(task: Task) -> dict[str, Any]:
    return {"version": _VERSION, "sums": list(task.sums), "tuples": len(TUPLES)}


def read_state(path: Path, training: GameTraining | LateTraining, seed: int | None) -> int:
    """Fill a training with a state that `write_state` wrote; return the moves played so far.

    A state with another seed or trace is refused, unless `seed` is None.
    """
    with reading_state(path) as damaged:
        _check_kind(path)
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
            lines = io.BufferedReader(stream, 1 << 20)
            head = json.loads(lines.readline(_MAX_LINE))
            trace = float(play_of(training).trace)
            is_own = seed is None or (head["seed"], head["trace"]) == (seed, trace)
            if head["version"] == _WITHOUT_TUPLES:
                head |= {"version": _VERSION, "tuples": TUPLES_BEFORE}
            n_tuples = int(head["tuples"])
            kind = _head(_task_of(training)) | {"tuples": n_tuples}
            is_known = 0 < n_tuples <= len(TUPLES)
            if not (is_own and is_known and all(head[name] == kind[name] for name in kind)):
                raise of_another_training(path)
            for name, array in _arrays(training):
                for part in _parts(name, array, n_tuples):
                    _fill(part, lines, damaged)
            moves = int(head["moves"])
            if lines.read(1) or not 0 <= moves <= 1 << 62:
                raise damaged
    return moves


def _check_kind(path: Path) -> None:
    with path.open("rb") as file:
        begin = file.read(len(zstandard.FRAME_HEADER))
    if not zstandard.FRAME_HEADER.startswith(begin):
        text = mark(
            "{path} is not a network in training: expected what train network writes, FILE.state"
        )
        raise WeightsError(text, path=path)


def read_state_to_export(path: Path) -> tuple[GameTraining, Task, int]:
    """Return the training in a file, with any seed, its task, and the moves so far.

    Raises WeightsError if it is not such a file.
    """
    task = WHOLE_GAMES  # if the file can't be read, any task says so
    with suppress(OSError, ValueError, KeyError, TypeError, RecursionError, zstandard.ZstdError):
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
            sums = json.loads(io.BufferedReader(stream).readline(_MAX_LINE))["sums"]
        task = next((known for known in TASKS if list(known.sums) == sums), WHOLE_GAMES)
    training = task.new(0, 0.5)
    return play_of(training), task, read_state(path, training, None)


def _parts(name: str, array: Any, n_tuples: int) -> Iterator[Any]:
    if name not in _OF_TUPLES or n_tuples == len(TUPLES):
        yield array
        return
    size = _OF_TUPLES[name] * STAGE_SIZE
    for begin in range(0, array.size, size):
        yield array[begin : begin + size * n_tuples // len(TUPLES)]


def _fill(array: Any, lines: Any, damaged: WeightsError) -> None:
    """Read an array; leave all-zero pages untouched, as they use no memory yet."""
    target = memoryview(array).cast("B")
    for begin in range(0, len(target), _PIECE):
        n_bytes = min(_PIECE, len(target) - begin)
        piece: bytes = lines.read(n_bytes)
        if len(piece) < n_bytes:
            raise damaged
        if piece.count(0) != len(piece):
            target[begin : begin + len(piece)] = piece
