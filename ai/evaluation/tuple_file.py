"""Files of the network beside walls: see `ai.evaluation.stage_file`.

Its first line also has `goal`, the exponent of the tile to make.
"""

from pathlib import Path

import numpy as np

from ai.evaluation.stage_file import reading_stages
from ai.evaluation.tuple_net import N_STAGES, N_WEIGHTS, STAGE_SIZE, TupleNet, tuple_net
from ai.evaluation.walls import GOALS
from engine.platform.jit import kernel
from engine.platform.language import tr

VERSION = 4


def read_net(path: Path) -> TupleNet:
    """Return the network in a file; raise WeightsError if it is not such a file."""
    with reading_stages(path, tr("a network beside four large tiles"), (VERSION,)) as file:
        goal = file.head["goal"]
        if goal not in GOALS:
            raise file.damaged
        weights = np.zeros(N_WEIGHTS, np.int16)  # only uses memory where something is written
        for i in range(N_STAGES):
            own = file.stage(STAGE_SIZE)
            put_weights(own.places, own.steps, weights[i * STAGE_SIZE : (i + 1) * STAGE_SIZE])
    return tuple_net(weights, file.unit, goal)


@kernel
def put_weights(places, steps, weights):
    """Write weights to their indices: not with NumPy, which would block other threads."""
    for i in range(places.size):
        weights[places[i]] = steps[i]
