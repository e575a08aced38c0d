"""Fitting chances, and measuring how well they are calibrated.

`fit` minimizes the cross-entropy between the model's chances and the truth for each move (a
table's rate), or of the best move (an outcome), by Adam (Kingma & Ba 2015, algorithm 1) in batches,
with one generator: the same positions and seed give the same model.

`calibration` compares on positions that were held out: a reliability diagram, the expected
calibration error (Naeini et al. 2015: the mean distance between prediction and truth, over bins),
and the grades of all moves against those by the tables' rates.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.chances.features import FEATURES, features
from ai.chances.model import ChanceModel
from ai.errors import PlayError
from ai.evaluation.line_tables import LineTables
from ai.train.chance_positions import Collector, Sample
from engine.platform.language import tr

F64 = npt.NDArray[np.float64]
N_BINS = 10
_UNITS = 48
_EPOCHS, _BATCH = 60, 512
_RATE, _MIN_RATE = 3e-3, 1e-5
_DECAY, _DECAY_2, _TINY = 0.9, 0.999, 1e-8
_HOLD_OUT = 4  # every fourth game
_OUTCOME_WEIGHT = 0.5
"""What a game's end says of a position, against an exact rate: it is one throw of the dice."""


class Rows(NamedTuple):
    """Moves with their true values."""

    figures: npt.NDArray[np.float32]  # float32[n, 22]
    truth: F64  # float64[n]
    weight: F64  # float64[n]
    position: npt.NDArray[np.int64]  # int64[n]: numbers of the samples


def rows_of(samples: Sequence[Sample], evaluator: LineTables) -> Rows:
    """Return all moves with known truth; an outcome counts for the best move."""
    figures, truth, weight, position = [], [], [], []
    for number, sample in enumerate(samples):
        legal = [move for move in range(4) if sample.values[move] is not None]
        values = [sample.values[move] or 0.0 for move in legal]
        its = features(sample.cells, sample.goal, values, evaluator)
        for row, (direction, value) in enumerate(zip(legal, values, strict=True)):
            chance = sample.rates[direction] if sample.table else sample.outcome
            if chance is None or (not sample.table and value < max(values)):
                continue
            figures.append(its[row])
            truth.append(chance)
            weight.append(1.0 if sample.table else _OUTCOME_WEIGHT)
            position.append(number)
    return Rows(
        np.array(figures, np.float32).reshape(-1, len(FEATURES)),
        np.array(truth, np.float64),
        np.array(weight, np.float64),
        np.array(position, np.int64),
    )


def fit(rows: Rows, seed: int, spawn4: float = 0.1) -> Iterator[ChanceModel]:
    """Yield the model after each of 60 rounds over all rows; the last one is the result."""
    rng = np.random.default_rng(seed)
    inputs = rows.figures.astype(np.float64)
    mean, scale = inputs.mean(0), inputs.std(0) + 1e-3
    inputs = (inputs - mean) / scale
    parameters: list[F64] = []
    for before, after in pairwise((inputs.shape[1], _UNITS, _UNITS, 1)):
        parameters += [rng.normal(0, before**-0.5, (before, after)), np.zeros(after)]
    moments = [(np.zeros_like(parameter), np.zeros_like(parameter)) for parameter in parameters]
    step = 0
    for epoch in range(_EPOCHS):
        rate = _RATE * (1 - epoch / _EPOCHS) + _MIN_RATE
        order = rng.permutation(len(inputs))
        for first in range(0, len(order), _BATCH):
            batch = order[first : first + _BATCH]
            slopes = _slopes(parameters, inputs[batch], rows.truth[batch], rows.weight[batch])
            step += 1
            for parameter, slope, (first_moment, second_moment) in zip(
                parameters, slopes, moments, strict=True
            ):
                first_moment += (1 - _DECAY) * (slope - first_moment)
                second_moment += (1 - _DECAY_2) * (slope * slope - second_moment)
                mean_slope = first_moment / (1 - _DECAY**step)
                spread = np.sqrt(second_moment / (1 - _DECAY_2**step))
                parameter -= rate * mean_slope / (spread + _TINY)
        yield _as_model(parameters, mean, scale, spawn4)


def _slopes(parameters: Sequence[F64], inputs: F64, truth: F64, weight: F64) -> list[F64]:
    """Return the gradients of the mean cross-entropy by all parameters (backpropagation)."""
    weights_1, bias_1, weights_2, bias_2, weights_3, bias_3 = parameters
    first = np.tanh(inputs @ weights_1 + bias_1)
    second = np.tanh(first @ weights_2 + bias_2)
    chance = 1 / (1 + np.exp(-(second @ weights_3 + bias_3)))
    by_logit = (chance - truth[:, None]) * weight[:, None] / len(truth)
    by_second = by_logit @ weights_3.T * (1 - second * second)
    by_first = by_second @ weights_2.T * (1 - first * first)
    return [
        inputs.T @ by_first,
        by_first.sum(0),
        first.T @ by_second,
        by_second.sum(0),
        second.T @ by_logit,
        by_logit.sum(0),
    ]


def _as_model(parameters: Sequence[F64], mean: F64, scale: F64, spawn4: float) -> ChanceModel:
    """Return the model for raw features: centering and scaling are folded into its weights."""
    weights, bias = parameters[:2]
    scaled = weights / scale[:, None]
    layers = [(scaled, bias - mean @ scaled), *zip(parameters[2::2], parameters[3::2], strict=True)]
    return ChanceModel(spawn4, [(matrix.copy(), other.copy()) for matrix, other in layers])


def train_chances(
    collector: Collector, n_games: int, seed: int, on_progress: Callable[[int, int], None]
) -> "tuple[ChanceModel, dict[str, Calibration | None]]":
    """Collect positions, fit a model to three games of four, and compare it with the fourth.

    `on_progress` is called after each game with the numbers of games and positions. The comparisons
    are "exact", against tables, None if no table knew a position, and "outcome", against the games'
    outcomes. Raises PlayError if the games gave no positions to fit to, or none to compare with.
    """
    samples: list[Sample] = []
    for game in range(n_games):
        samples += collector.play(game)
        on_progress(game + 1, len(samples))
    fitted = [sample for sample in samples if sample.game % _HOLD_OUT != _HOLD_OUT - 1]
    held_out = [sample for sample in samples if sample.game % _HOLD_OUT == _HOLD_OUT - 1]
    rows, others = (rows_of(some, collector.evaluator) for some in (fitted, held_out))
    if not len(rows.truth) or not len(others.truth):
        raise PlayError(tr("too few games to fit chances to: play more"))
    (model,) = deque(fit(rows, seed, collector.spawn4), maxlen=1)
    return model, {
        kind: compare_best(
            model, others, np.array([bool(sample.table) for sample in held_out]) == exact
        )
        for kind, exact in (("exact", True), ("outcome", False))
    }


def compare_best(
    model: ChanceModel, rows: Rows, is_in: npt.NDArray[np.bool_]
) -> "Calibration | None":
    """Compare chances and truth of the best moves of some positions; None if there are none.

    `is_in` decides by a sample's number whether it counts.
    """
    said = model.chances(rows.figures)
    best: dict[int, tuple[float, float]] = {}
    for number, chance, true in zip(rows.position.tolist(), said, rows.truth, strict=True):
        if is_in[number]:
            before = best.get(number, (0.0, 0.0))
            best[number] = (max(before[0], float(chance)), max(before[1], float(true)))
    pairs = np.array([*best.values()], np.float64).reshape(-1, 2)
    return calibration(pairs[:, 0], pairs[:, 1]) if len(pairs) else None


class Bin(NamedTuple):
    """Positions with about the same predicted chance."""

    n: int
    said: float
    true: float


@dataclass(frozen=True)
class Calibration:
    """The comparison of predictions with the truth."""

    bins: tuple[Bin, ...]  # by prediction, ten of equal width; empty ones are left out
    n: int  # positions
    mean_error: float  # mean distance between prediction and truth per position

    @property
    def expected_error(self) -> float:
        return sum(part.n * abs(part.said - part.true) for part in self.bins) / max(self.n, 1)


def calibration(said: F64, true: F64) -> Calibration:
    """Compare predicted chances with the truth by position: float64[n] each, in [0, 1]."""
    which = np.minimum((said * N_BINS).astype(int), N_BINS - 1)
    bins = [
        Bin(int(is_in.sum()), float(said[is_in].mean()), float(true[is_in].mean()))
        for is_in in (which == i for i in range(N_BINS))
        if is_in.any()
    ]
    error = float(np.abs(said - true).mean()) if len(said) else 0.0
    return Calibration(tuple(bins), len(said), error)
