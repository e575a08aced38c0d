"""The model that turns features into a chance: a small network, fitted to exact rates and playouts.

Two layers of tanh units and a logistic one. For the fit and its agreement with unseen tables, see
`ai.train.chance_training` and docs/chances.md.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.chances.features import FEATURES
from ai.errors import WeightsError
from engine.platform.files.atomic_file import write_file
from engine.platform.files.input_file import read_json
from engine.platform.language import mark, tr
from engine.spawn import is_same_spawn4

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
DEFAULT_MODEL = Path(__file__).parent.parent / "evaluation" / "weights" / "chances.json"
VERSION = 1


@dataclass(frozen=True)
class ChanceModel:
    """Turns features of moves into chances."""

    spawn4: float  # the probability of fours in the games it was fitted to
    # sequence of (float64[n_in, n_out], float64[n_out]): three: features to units, units to units,
    # units to one logit.
    layers: Sequence[tuple[F64, F64]]

    def chances(self, figures: F32) -> F64:
        """Return the chance for each row of features (float32[n, 22]), in (0, 1)."""
        units: F64 = figures.astype(np.float64)
        for weights, bias in self.layers[:-1]:
            units = np.tanh(units @ weights + bias)
        weights, bias = self.layers[-1]
        logits = (units @ weights + bias)[:, 0]
        return 1.0 / (1.0 + np.exp(-logits))

    def is_for(self, spawn4: float) -> bool:
        return is_same_spawn4(self.spawn4, spawn4)


def read_model(path: Path = DEFAULT_MODEL) -> ChanceModel:
    """Return the model in a file; raise WeightsError if it is not such a file."""
    data = read_json(path, tr("a model of chances"), 1 << 20, WeightsError)
    try:
        return _checked(data)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        text = mark(
            "{path}: not a model of chances of version {version}; "
            "reinstall the program, or make a new one with train chances"
        )
        raise WeightsError(text, path=path, version=VERSION) from error


def write_model(path: Path, model: ChanceModel) -> None:
    data = {
        "version": VERSION,
        "features": FEATURES,
        "spawn4": model.spawn4,
        "layers": [
            {"weights": weights.tolist(), "bias": bias.tolist()} for weights, bias in model.layers
        ],
    }
    write_file(path, [(json.dumps(data, separators=(",", ":")) + "\n").encode()])


def _checked(data: Any) -> ChanceModel:
    if data["version"] != VERSION or tuple(data["features"]) != FEATURES:
        raise ValueError("another version")  # no text
    layers, n_in = [], len(FEATURES)
    for layer in data["layers"]:
        weights, bias = (np.array(layer[name], np.float64) for name in ("weights", "bias"))
        if weights.shape != (n_in, bias.size) or not 1 <= bias.size <= 256:
            raise ValueError("a layer of another shape")  # no text
        if not all((np.abs(numbers) <= 1e6).all() for numbers in (weights, bias)):
            raise ValueError("no numbers, or too large ones to add up")  # no text
        layers.append((weights, bias))
        n_in = bias.size
    spawn4 = float(data["spawn4"])
    if n_in != 1 or len(layers) < 2 or not 0.0 <= spawn4 <= 1.0:
        raise ValueError("no model")  # no text
    return ChanceModel(spawn4, layers)
