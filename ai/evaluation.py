"""An evaluation as a whole: weights from a file, one set for each phase of the game.

The phase is told by the sum of the tiles, which grows by 2 or 4 with each move, so a game passes
through the phases in order. A search uses the one of its root throughout.
"""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ai.errors import WeightsError
from ai.expectimax import Rules, game_rules
from ai.line_tables import LineTables, line_tables
from ai.line_values import WEIGHTS, line_values
from ai.transposition import N_TAGS
from ai.tuple_file import read_net
from ai.tuple_net import TupleNet

VERSION = 1
DEFAULT_WEIGHTS = Path(__file__).parent / "weights" / "lines.json"
ENDLESS = 1 << 62
_PHASE_FIELDS = {"until_sum", "dead", "points", "weights"}


@dataclass(frozen=True)
class PhaseWeights:
    """The weights of one phase, as they stand in a file.

    Attributes
    ----------
    until_sum : int
        The phase ends when the tiles sum to so much.
    dead : float
        The value of a position without a legal move; an average board is worth about 0.
    points : float
        What a point of the score is worth.
    weights : dict of str to float
        See `ai.line_values.WEIGHTS`.
    """

    until_sum: int
    dead: float
    points: float
    weights: dict[str, float]


@dataclass(frozen=True)
class Phase:
    """The tables of one phase; `tag` is its number."""

    until_sum: int
    tag: int
    rules: Rules
    evaluator: LineTables | TupleNet


class Evaluation:
    """Tables made from weights: a quarter of a second for each phase.

    Parameters
    ----------
    phases : list of PhaseWeights, or TupleNet
        Up to four phases, `until_sum` ascending, the last endless; or a network for all.
    spawn4 : float
        The probability of a 4 in the game to be played.
    """

    def __init__(self, phases: list[PhaseWeights] | TupleNet, spawn4: float = 0.1) -> None:
        self.spawn4 = spawn4
        if isinstance(phases, TupleNet):  # counts in points, and nothing comes after the end
            self.phases = [Phase(ENDLESS, 0, game_rules(0.0, 1.0, spawn4), phases)]
        else:
            self.phases = [_make_phase(tag, phase, spawn4) for tag, phase in enumerate(phases)]

    def phase_of(self, tile_sum: int) -> Phase:
        """Return the phase in which a board of that sum is."""
        return next(phase for phase in self.phases if tile_sum < phase.until_sum)


def load_evaluation(path: Path = DEFAULT_WEIGHTS, spawn4: float = 0.1) -> Evaluation:
    """Return the evaluation in a file: weights of lines (.json) or a network of tuples (.npz).

    Raises
    ------
    WeightsError
        See `read_weights` and `ai.tuple_file.read_net`.
    """
    return Evaluation(read_net(path) if path.suffix == ".npz" else read_weights(path), spawn4)


def _make_phase(tag: int, phase: PhaseWeights, spawn4: float) -> Phase:
    edge, inner = (line_values(phase.weights, on_edge) for on_edge in (True, False))
    rules = game_rules(phase.dead, phase.points, spawn4)
    return Phase(phase.until_sum, tag, rules, line_tables(edge, inner, phase.points))


def read_weights(path: Path = DEFAULT_WEIGHTS) -> list[PhaseWeights]:
    """Return the phases in a file of weights.

    Raises
    ------
    WeightsError
        It cannot be read, is no JSON, of another version, or lacks what an evaluation needs.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WeightsError(f"cannot read the weights in {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise WeightsError(f"{path} is not valid JSON: {error}") from error
    try:
        return _checked(data)
    except WeightsError as error:
        raise WeightsError(f"{path}: {error}") from error


def _checked(data: Any) -> list[PhaseWeights]:
    if not isinstance(data, dict) or data.get("version") != VERSION:
        found = data.get("version") if isinstance(data, dict) else type(data).__name__
        raise WeightsError(f"version is {found!r}; this program reads weights of version {VERSION}")
    phases = data.get("phases")
    if not isinstance(phases, list) or not 1 <= len(phases) <= N_TAGS:
        raise WeightsError(f"'phases' must be a list of 1 to {N_TAGS} phases")
    found = [_checked_phase(i, phase) for i, phase in enumerate(phases)]
    sums = [phase.until_sum for phase in found]
    if sorted(set(sums)) != sums or sums[-1] != ENDLESS:
        raise WeightsError("'until_sum' must ascend from phase to phase, and be null in the last")
    return found


def _checked_phase(i: int, phase: Any) -> PhaseWeights:
    if not isinstance(phase, dict) or set(phase) != _PHASE_FIELDS:
        raise WeightsError(f"phase {i} must have the fields {', '.join(sorted(_PHASE_FIELDS))}")
    until_sum = ENDLESS if phase["until_sum"] is None else phase["until_sum"]
    if not isinstance(until_sum, int) or until_sum <= 0:
        raise WeightsError(f"phase {i}: until_sum is {until_sum!r}; expected a sum or null")
    weights = phase["weights"]
    if not isinstance(weights, dict) or set(weights) != set(WEIGHTS):
        wrong = set(weights) ^ set(WEIGHTS) if isinstance(weights, dict) else set(WEIGHTS)
        raise WeightsError(f"phase {i}: weights missing or unknown: {', '.join(sorted(wrong))}")
    for name, value in [("dead", phase["dead"]), ("points", phase["points"]), *weights.items()]:
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            raise WeightsError(f"phase {i}: {name} is {value!r}; expected a number")
    return PhaseWeights(until_sum, float(phase["dead"]), float(phase["points"]), weights)
