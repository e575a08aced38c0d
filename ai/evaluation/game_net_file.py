"""Files of the networks for whole games and late games: see `ai.evaluation.stage_file`.

Their first line also has `sums`, where their stages begin, and `tuples`, the number of `TUPLES`
used, from the first. Version 3 did not store the number of tuples: it was four.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai.evaluation.game_net import STAGE_SIZE, STAGE_SUMS, TUPLE_SIZE, TUPLES
from ai.evaluation.late_net import FIFTH_STANDS, FIRST_LATE_SUM, LATE_SUMS
from ai.evaluation.stage_file import (
    F32,
    MAX_STORED,
    U32,
    StageWeights,
    reading_stages,
    steps_of,
    write_stages,
)
from ai.evaluation.staged_net import StagedNet
from engine.platform.language import tr

GAME_NET_SUFFIX = ".net"
LATE_NET_SUFFIX = ".late.net"
"""Of a network for late games, beside one for whole games: ``X.late.net`` beside ``X.net``."""

DEFAULT_NETWORK = Path(__file__).parent / "weights" / f"whole_game{GAME_NET_SUFFIX}"
"""The network that comes with the program."""

VERSION = 4
_WITHOUT_TUPLES = 3
"""The version before, all of whose networks had `TUPLES_BEFORE`."""

TUPLES_BEFORE = 4
WHOLE_GAME = (0, *STAGE_SUMS)
LATE_GAME = (FIRST_LATE_SUM, *LATE_SUMS)
"""Where the stages of the two kinds of networks begin."""


def write_game_net(
    path: Path, weights: F32, errors: F32, unit: float, keep: int, sums: Sequence[int] = WHOLE_GAME
) -> int:
    """Write the `keep` weights that matter most; return how many were written.

    A crash leaves the old file or the new one. `weights` (float32, `STAGE_SIZE` for each of the
    `sums`) are 0 where nothing was learned; `errors` says how much each has learned: the sum of its
    absolute errors. `unit` is in points per step, and raised if the largest weight would need more
    than 16 bits.
    """
    weighed = list(_known(weights, errors, _fresh_stage(sums)))
    masks = _masks_of_largest([losses for _places, _own, losses in weighed], keep)
    largest = max(float(np.abs(own).max(initial=0)) for _places, own, _losses in weighed)
    unit = max(unit, largest / MAX_STORED)
    head = {"version": VERSION, "unit": unit, "sums": [*sums], "tuples": len(TUPLES)}
    stages = (
        StageWeights(places[is_kept], steps_of(own[is_kept], unit))
        for (places, own, _losses), is_kept in zip(weighed, masks, strict=True)
    )
    write_stages(path, head, STAGE_SIZE, stages)
    return sum(int(np.count_nonzero(is_kept)) for is_kept in masks)


def _fresh_stage(sums: Sequence[int]) -> int:
    """Return the stage, besides the first, that starts without promoted weights."""
    return FIFTH_STANDS if tuple(sums) == LATE_GAME else 0


def _known(weights: F32, errors: F32, fresh: int) -> Iterator[tuple[U32, F32, F32]]:
    """Yield per stage the indices of its weights, the weights, and the cost of leaving out each.

    Without a weight, that of the stage before counts, so the cost is their difference times the
    frequency of use, which is estimated by the errors it has seen.
    """
    before = np.zeros(STAGE_SIZE, np.float32)
    for i, begin in enumerate(range(0, weights.size, STAGE_SIZE)):
        if i == fresh:
            before[:] = 0
        stage = slice(begin, begin + STAGE_SIZE)
        is_learned = (weights[stage] != 0) & (errors[stage] > 0)
        places = np.flatnonzero(is_learned).astype(np.uint32)
        own = weights[stage][places]
        change = np.maximum(np.abs(own - before[places]), np.float32(1))
        yield places, own, errors[stage][places] * change
        before[places] = own


def _masks_of_largest(losses: Sequence[F32], keep: int) -> list[npt.NDArray[np.bool_]]:
    """Return per stage which weights to keep: of equal ones at the limit, the first."""
    all_losses = np.concatenate(losses)
    if all_losses.size <= keep:
        return [np.ones(own.size, np.bool_) for own in losses]
    least = np.partition(all_losses, all_losses.size - keep)[all_losses.size - keep]
    n_equal = keep - int(np.count_nonzero(all_losses > least))
    masks = []
    for own in losses:
        is_kept = own > least
        equal = np.flatnonzero(own == least)[:n_equal]
        is_kept[equal] = True
        n_equal -= equal.size
        masks.append(is_kept)
    return masks


def read_game_net(path: Path) -> StagedNet:
    """Return the network for whole games in a file; raise WeightsError if it is not such a file."""
    return _read(path, tr("a network for whole games"), WHOLE_GAME)


def read_late_net(path: Path) -> StagedNet:
    """Return the network for late games in a file; raise WeightsError if it is not such a file."""
    return _read(path, tr("a network for late games"), LATE_GAME)


def late_net_beside(path: Path) -> StagedNet | None:
    beside = path.with_suffix(LATE_NET_SUFFIX)
    return read_late_net(beside) if beside.exists() else None


def _read(path: Path, what: str, sums: Sequence[int]) -> StagedNet:
    stages = [StageWeights(np.zeros(0, np.uint32), np.zeros(0, np.int16))] * len(sums)
    with reading_stages(path, what, (_WITHOUT_TUPLES, VERSION)) as file:
        n_tuples = int(file.head["tuples"] if file.version == VERSION else TUPLES_BEFORE)
        if not 0 < n_tuples <= len(TUPLES):
            raise file.damaged
        numbers = [sums.index(first) for first in file.head["sums"]]  # maybe not all of them
        if numbers != sorted(set(numbers)) or not numbers or numbers[0] != 0:
            raise file.damaged
        for i in numbers:
            stages[i] = file.stage(n_tuples * TUPLE_SIZE)
    return StagedNet(stages, file.unit, _fresh_stage(sums))
