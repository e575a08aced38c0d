"""Networks for whole games for tests, made from an array with the weights of all stages."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ai.evaluation.game_net import STAGE_SIZE, TUPLES
from ai.evaluation.staged_net import StagedNet, StageWeights
from tests import oracle


def staged_net(weights: npt.NDArray[np.int16], unit: float) -> StagedNet:
    """Return a network; 0 says that a stage has no such weight."""
    stages = []
    for own in np.split(weights, weights.size // STAGE_SIZE):
        places = np.flatnonzero(own != 0)
        stages.append(StageWeights(places.astype(np.uint32), own[places]))
    return StagedNet(stages, unit)


def all_weights(net: StagedNet) -> npt.NDArray[np.int16]:
    """Return the weights of a network as `staged_net` takes them."""
    weights = np.zeros(len(net.stages) * STAGE_SIZE, np.int16)
    for stage, own in enumerate(net.stages):
        weights[stage * STAGE_SIZE + own.places.astype(np.int64)] = own.steps
    return weights


def places(board: list[int]) -> Iterator[int]:
    """Yield the places of a board's weights in a stage, cell by cell."""
    for name in oracle.SYMMETRIES:
        image = oracle.transform(board, name)
        for i, cells in enumerate(TUPLES):
            yield i * 16**6 + sum(image[cell] << 4 * (5 - n) for n, cell in enumerate(cells))
