"""Line values against the same features counted one line at a time."""

import itertools
import random

import numpy as np
import pytest

from ai.evaluation.evaluation import read_weights
from ai.evaluation.line_values import WEIGHTS, line_values
from tests.engine.boards import every_row

NEUTRAL = dict.fromkeys(WEIGHTS, 0.0) | {"sum_power": 1.0, "rise_power": 1.0}


def slow_value(line, w, on_edge):
    height = [e ** w["rise_power"] for e in line]
    steps = list(itertools.pairwise(height))
    falls, rises = sum(max(a - b, 0) for a, b in steps), sum(max(b - a, 0) for a, b in steps)
    factor = 1 + w["edge_rise"] * on_edge
    relief = 1 - w["two_ended"] * (min(line[0], line[3]) > max(line[1], line[2]))
    value = w["empty"] * line.count(0) - w["sum"] * sum(e ** w["sum_power"] for e in line)
    value -= factor * (w["rise"] * min(falls, rises) * relief + w["rise_forward"] * rises)
    tiles = [e for e in line if e]
    runs = [[tiles[0]]] if tiles else []
    for tile in tiles[1:]:
        if tile == runs[-1][0] and tile != 15:
            runs[-1].append(tile)
        else:
            runs.append([tile])
    for run in runs:
        if len(run) > 1:
            value += w["merge"] * len(run) + w["merge_rank"] * run[0] * (len(run) - 1)
    for i in (1, 2):
        if line[i]:
            value -= w["trap"] * max(0, min(height[i - 1], height[i + 1]) - height[i])
    for a, b in itertools.pairwise(line):
        if a and b and abs(a - b) == 1:
            value += w["step"] * max(a, b)
    if on_edge:
        if max(line) in (line[0], line[3]):
            value += w["corner"] * max(line) ** w["rise_power"]
        stuck = [a != b or a == 15 for a, b in itertools.pairwise(line)]
        if all(line) and all(stuck):
            value += w["lock"] * max(line)
    return value


@pytest.mark.thorough
@pytest.mark.parametrize("on_edge", [False, True])
def test_every_line_is_worth_what_its_features_say(on_edge):
    rng = random.Random(5)
    weights = {name: rng.uniform(-3, 3) for name in WEIGHTS}
    weights |= {"sum_power": 3.5, "rise_power": 2.5}
    values = line_values(weights, on_edge)
    for line, cells in enumerate(every_row()):
        want = slow_value(cells, weights, on_edge)
        assert values[line] == pytest.approx(want, rel=1e-9, abs=1e-6), f"{line:04x}"


@pytest.mark.parametrize("name", [name for name in WEIGHTS if not name.endswith("_power")])
def test_every_weight_counts(name):
    """Each of those that scale others needs them not to be zero."""
    base = NEUTRAL | {"rise": 1.0}
    before, after = line_values(base, True), line_values(base | {name: 2.0}, True)
    assert not np.array_equal(before, after)


def test_shipped_weights_prefer_order_to_disorder():
    """A hand-made truth, whatever the weights are tuned to."""
    for phase in read_weights():
        inner = line_values(phase.weights, False)
        assert inner[0x9876] > inner[0x8697]
        assert inner[0x0000] > inner[0x1212]
