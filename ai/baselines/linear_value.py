"""A linear value function: six named features, times weights.

A file of weights is JSON::

    {"version": 1, "kind": "linear", "created_at": "2026-01-31T12:00:00+00:00",
     "params": {"empty": 1.0, ...}, "training": {...}}
"""

import json
import reprlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ai.errors import WeightsError
from engine.kernels.symmetry import transpose
from engine.platform.files.atomic_file import write_file
from engine.platform.files.input_file import is_number, read_json
from engine.platform.jit import inline_kernel
from engine.platform.language import mark, tr

VERSION = 1
_MAX_BYTES = 1 << 20
DEFAULT_LINEAR_WEIGHTS = Path(__file__).parent / "weights" / "linear.json"
FEATURES = (
    "empty",  # empty cells
    "max",  # the largest exponent
    "smooth",  # minus the differences of exponents of neighboring tiles
    "mono",  # minus the rise or fall of each line, whichever is less, empty cells counting 0
    "merge_potential",  # neighboring pairs of equal tiles
    "corner_max",  # 1 when a largest tile stands in a corner
)
"""The weights, in the order in which a genome has them."""
MAX_WEIGHT = 1e9
"""No weight is farther from 0, so that sums of weights stay numbers."""

F64 = npt.NDArray[np.float64]
_U = np.uint64
_ROW = _U(0xFFFF)
_NIBBLE = _U(15)


class LinearValue(NamedTuple):
    """A value function as tables."""

    # float64[65536]: values of each row and each column; empty cells count in rows only.
    rows: F64
    columns: F64
    largest: npt.NDArray[np.uint8]  # uint8[65536]: the largest exponent of a row
    max_weight: np.float64
    corner_weight: np.float64


@inline_kernel
def linear_value(board, value):
    """Return the value of a board as float64."""
    turned = transpose(board)
    total = 0.0
    largest = np.uint8(0)
    for line in range(4):
        shift = _U(16 * line)
        row = (board >> shift) & _ROW
        total += value.rows[row] + value.columns[(turned >> shift) & _ROW]
        largest = max(largest, value.largest[row])
    total += value.max_weight * largest
    for shift in (_U(60), _U(48), _U(12), _U(0)):
        if ((board >> shift) & _NIBBLE) == largest:
            return total + value.corner_weight
    return total


def make_value(params: Mapping[str, float]) -> LinearValue:
    tables = _line_features()
    columns = sum(params[name] * tables[name] for name in ("smooth", "mono", "merge_potential"))
    rows = columns + params["empty"] * tables["empty"]
    largest = tables["max"].astype(np.uint8)
    corner = np.float64(params["corner_max"])
    return LinearValue(rows, np.asarray(columns), largest, np.float64(params["max"]), corner)


@cache
def _line_features() -> dict[str, F64]:
    """Return the features that are sums over lines, as float64[65536] with a value per line."""
    lines = np.arange(1 << 16)
    cells = np.stack([(lines >> shift) & 15 for shift in (12, 8, 4, 0)])
    steps = np.diff(cells, axis=0)
    both = (cells[1:] > 0) & (cells[:-1] > 0)
    rises, falls = np.maximum(steps, 0).sum(axis=0), np.maximum(-steps, 0).sum(axis=0)
    features = {
        "empty": (cells == 0).sum(axis=0),
        "max": cells.max(axis=0),
        "smooth": -np.where(both, np.abs(steps), 0).sum(axis=0),
        "mono": -np.minimum(rises, falls),
        "merge_potential": (both & (steps == 0)).sum(axis=0),
    }
    return {name: table.astype(np.float64) for name, table in features.items()}


def read_linear_weights(path: Path = DEFAULT_LINEAR_WEIGHTS) -> dict[str, float]:
    """Return the weights in a file, by feature; raise WeightsError if it is not such a file."""
    data = read_json(path, tr("a file of weights"), _MAX_BYTES, WeightsError)
    if not isinstance(data, dict) or data.get("kind") != "linear":
        text = tr('{path} has no linear value function: expected "kind": "linear"', path=path)
        raise WeightsError(text)
    if data.get("version") != VERSION:
        text = mark("{path}: version is {found!r}; this program reads version {known}")
        raise WeightsError(text, path=path, found=data.get("version"), known=VERSION)
    return checked_params(data.get("params"), str(path))


def checked_params(params: Any, where: str) -> dict[str, float]:
    """Return weights in the order of `FEATURES`; raise WeightsError if one is beyond bounds."""
    if not isinstance(params, dict) or set(params) != set(FEATURES):
        wrong = set(params) ^ set(FEATURES) if isinstance(params, dict) else set(FEATURES)
        names = ", ".join(sorted(wrong))
        text = tr("{path}: params missing or unknown: {names}", path=where, names=names)
        raise WeightsError(text)
    for name, value in params.items():
        if not is_number(value, -MAX_WEIGHT, MAX_WEIGHT):
            text = tr(
                "{path}: {name} is {value}; expected a number from {low:g} to {high:g}",
                path=where,
                name=name,
                value=reprlib.repr(value),
                low=-MAX_WEIGHT,
                high=MAX_WEIGHT,
            )
            raise WeightsError(text)
    return {name: float(params[name]) for name in FEATURES}


def write_linear_weights(
    path: Path, params: Mapping[str, float], created_at: str, training: Mapping[str, Any]
) -> None:
    data = {
        "version": VERSION,
        "kind": "linear",
        "created_at": created_at,
        "params": {name: params[name] for name in FEATURES},
        "training": dict(training),
    }
    write_text(path, json.dumps(data, indent=2) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a file so that a crash leaves the old one or the new one; raise WeightsError."""
    try:
        write_file(path, [text.encode("utf-8")])
    except OSError as error:
        message = tr("cannot write {path}: {reason}", path=path, reason=error.strerror)
        raise WeightsError(message) from error
