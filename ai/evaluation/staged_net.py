"""A network for whole games: the weights of each stage, and the network built for one stage.

A stage has a few million weights of its own; for all others, those of the stages before count. A
search would have to look them up in one stage after the other, each with another memory access. So
all weights that count in a stage are laid out for it: 268 MB, which a search reads two to three
times as fast. Searches rarely need more than the current stage and the one before.
"""

from collections.abc import Sequence
from threading import Lock

import numpy as np

from ai.evaluation.game_net import I16, STAGE_SIZE, GameNet
from ai.evaluation.stage_file import StageWeights

_KEPT = 2
"""Networks of stages."""


class StagedNet:
    """The network of all stages; safe to use from any thread.

    `unit` is in points per step. For the stage `fresh`, weights of those before don't count; 0 if
    there is none but the first.
    """

    def __init__(self, stages: Sequence[StageWeights], unit: float, fresh: int = 0) -> None:
        self.stages, self.unit, self._fresh = tuple(stages), np.float32(unit), fresh
        self._laid_out: dict[int, GameNet] = {}
        self._lock = Lock()

    def at(self, stage: int) -> GameNet:
        """Return the network of a stage; building a new one takes a tenth of a second."""
        with self._lock:
            net = self._laid_out.pop(stage, None) or GameNet(self._weights_at(stage), self.unit)
            self._laid_out[stage] = net  # the latest used is the last to be evicted
            while len(self._laid_out) > _KEPT:
                del self._laid_out[next(iter(self._laid_out))]
            return net

    def _weights_at(self, stage: int) -> I16:
        first = self._fresh if stage >= self._fresh else 0
        before = max(
            (laid_out for laid_out in self._laid_out if first <= laid_out < stage),
            default=first - 1,
        )
        # Filled, not np.zeros: only then does numpy request large pages.
        weights: I16 = np.empty(STAGE_SIZE, np.int16)
        weights[:] = self._laid_out[before].weights if before >= first else 0
        for added in self.stages[before + 1 : stage + 1]:
            weights[added.places] = added.steps
        return weights
