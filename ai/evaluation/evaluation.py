"""A complete evaluation: weights from a file, one set per phase of the game.

The phase follows from the sum of the tiles as a search sees them (`ai.evaluation.large_tiles`),
which grows by 2 or 4 with each move, so a game passes through the phases in order. Where four large
tiles act as walls (ai.evaluation.walls), an n-tuple network may replace the phases. A search uses
the evaluation of its root throughout.
"""

import reprlib
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.errors import WeightsError
from ai.evaluation.familiar_shapes import FamiliarShapes, shapes_beside
from ai.evaluation.game_net import LARGEST_KNOWN, STAGE_SUMS, GameNet, sum_of_board
from ai.evaluation.game_net_file import GAME_NET_SUFFIX, late_net_beside, read_game_net
from ai.evaluation.large_tiles import search_board
from ai.evaluation.late_net import LATE_SUMS, is_late_board
from ai.evaluation.line_tables import LineTables, line_tables
from ai.evaluation.line_values import RANKS, WEIGHTS, line_values
from ai.evaluation.rules import N_TAGS, SearchRules, game_rules
from ai.evaluation.staged_net import StagedNet
from ai.evaluation.tuple_file import read_net
from ai.evaluation.tuple_net import TupleNet
from ai.evaluation.walls import GOALS, goal_of, walled_board
from engine.bitboard import LARGEST_NIBBLE
from engine.platform.files.input_file import is_number, read_json
from engine.platform.language import mark, tr

U8 = npt.NDArray[np.uint8]
VERSION = 1
DEFAULT_WEIGHTS = Path(__file__).parent / "weights" / "lines.json"
ENDLESS = 1 << 62
_MAX_WEIGHT = 1e9  # far beyond what the tables of lines can hold
_BOUNDS = {"sum_power": (0.0, 20.0), "rise_power": (0.0, 20.0)}  # of others: _MAX_WEIGHT
_LAST_NIBBLE = np.uint64(15)
MAX_PHASES = N_TAGS - len(GOALS)
_PHASE_FIELDS = {"until_sum", "dead", "points", "weights"}


@dataclass(frozen=True)
class PhaseWeights:
    """The weights of one phase, as stored in a file."""

    until_sum: int  # tile sum at which the phase ends
    dead: float  # the value of a position without a legal move; an average board is worth about 0
    points: float  # value of a point of the score
    weights: dict[str, float]  # see `ai.evaluation.line_values.WEIGHTS`
    ranks: tuple[float, ...] = RANKS  # see `ai.evaluation.line_values.RANKS`


@dataclass(frozen=True)
class PhaseTables:
    """The tables of one phase."""

    # from_sum, until_sum: tile sums of search boards at which it begins and ends.
    from_sum: int
    until_sum: int
    tag: int
    rules: SearchRules
    evaluator: LineTables | TupleNet | GameNet
    goal: int = 0  # the network's goal beside walls, as an exponent; 0 elsewhere
    is_network: bool = False  # a network for whole games evaluates
    leaves_walls: bool = False  # whether positions beside walls belong to another phase
    is_late: bool = False  # whether it is the phase of late games; see `ai.evaluation.late_net`

    @property
    def largest(self) -> int:
        return LARGEST_KNOWN if self.is_network else LARGEST_NIBBLE


class Evaluation:
    """Tables computed from weights, which takes a quarter of a second per phase.

    There are one or two `phases`, `until_sum` ascending, the last endless; and for positions with
    walls a network for each of `ai.evaluation.walls.GOALS`, or none: then lines evaluate
    everything. `is_whole_game` says whether a network for whole or late games evaluates. Raises
    WeightsError if there are networks for some goals only, or two for one.
    """

    def __init__(
        self, phases: Sequence[PhaseWeights], spawn4: float = 0.1, nets: Sequence[TupleNet] = ()
    ) -> None:
        self.spawn4, self._largest, self.is_whole_game = spawn4, LARGEST_NIBBLE, False
        self.elsewhere: tuple[FamiliarShapes, Evaluation] | None = None
        # See `of_network`; used by `ai.search.search.Search`, not by the methods here.
        self.late: Evaluation | None = None
        begins = [0, *(phase.until_sum for phase in phases)]
        made = []
        for tag, phase in enumerate(phases):
            edge, inner = (
                line_values(phase.weights, on_edge, phase.ranks) for on_edge in (True, False)
            )
            tables = line_tables(edge, inner, phase.points, phase.dead)
            rules = game_rules(phase.dead, phase.points, spawn4)
            ends = begins[tag], phase.until_sum
            made.append(PhaseTables(*ends, tag, rules, tables, leaves_walls=bool(nets)))
        self._ends: Sequence[int] = [phase.until_sum for phase in made]
        self._phase_at: Callable[[int], PhaseTables] = made.__getitem__
        rules = game_rules(0.0, 0.0, spawn4)  # network values are chances, and a lost game has none
        if nets and sorted(net.goal & _LAST_NIBBLE for net in nets) != list(GOALS):
            raise WeightsError(tr("expected one network for each goal, 1024 and 2048, or none"))
        self._nets = {}
        for net in nets:
            goal = int(net.goal & _LAST_NIBBLE)
            tag = MAX_PHASES + GOALS.index(goal)
            self._nets[goal] = PhaseTables(0, ENDLESS, tag, rules, net, goal)

    @classmethod
    def of_network(
        cls,
        net: StagedNet,
        spawn4: float = 0.1,
        elsewhere: "tuple[FamiliarShapes, Evaluation] | None" = None,
        late: StagedNet | None = None,
    ) -> "Evaluation":
        """Make a phase of each stage of a network for whole games.

        `elsewhere` has the shapes that the network is familiar with, and the evaluation of all
        other positions. A network for `late` games is used unless four large tiles are in one of
        the shapes.
        """
        evaluation = cls._of_stages(net, STAGE_SUMS, spawn4)
        evaluation.elsewhere = elsewhere
        evaluation.late = cls._of_stages(late, LATE_SUMS, spawn4, is_late=True) if late else None
        return evaluation

    @classmethod
    def _of_stages(
        cls, net: StagedNet, sums: Sequence[int], spawn4: float, is_late: bool = False
    ) -> "Evaluation":
        rules, begins, ends = game_rules(0.0, 1.0, spawn4), (0, *sums), (*sums, ENDLESS)

        def phase_at(stage: int) -> PhaseTables:
            # The search only has to distinguish results of the previous stage.
            tag, evaluator = stage % N_TAGS, net.at(stage)
            tables = (begins[stage], ends[stage], tag, rules, evaluator)
            return PhaseTables(*tables, is_network=True, is_late=is_late)

        evaluation = cls((), spawn4)
        evaluation._ends, evaluation._phase_at = ends, phase_at
        evaluation._largest, evaluation.is_whole_game = LARGEST_KNOWN, True
        return evaluation

    def is_late(self, cells: Sequence[int] | U8) -> bool:
        board = np.uint64(search_board(np.asarray(cells, np.uint8), self._largest))
        return bool(is_late_board(board))

    def look(self, cells: U8) -> tuple[PhaseTables, np.uint64]:
        """Return the phase that evaluates a position (uint8[16]), and the board to search."""
        goal = self.goal(cells)
        if goal:
            return self._nets[goal], np.uint64(walled_board(cells))
        return self.look_without_walls(cells)

    def look_without_walls(self, cells: U8) -> tuple[PhaseTables, np.uint64]:
        """Return the same, without using a network beside walls."""
        board = np.uint64(search_board(cells, self._largest))
        return self.phase_of(int(sum_of_board(board))), board

    def goal(self, cells: Sequence[int] | U8) -> int:
        """Return the goal of 16 exponents beside walls, as an exponent; 0 without walls."""
        return int(goal_of(np.asarray(cells, np.uint8))) if self._nets else 0

    def phase_of(self, tile_sum: int) -> PhaseTables:
        return self._phase_at(bisect_right(self._ends, tile_sum))


def load_evaluation(path: Path = DEFAULT_WEIGHTS, spawn4: float = 0.1) -> Evaluation:
    """Return the evaluation in a file of weights, with the networks that it names.

    A file ``*.net`` is a network for whole games. If a file next to it lists the shapes it is
    familiar with, the program's own lines evaluate all other positions, or a network for late games
    next to it. Raises WeightsError as the readers of these files.
    """
    if path.suffix == GAME_NET_SUFFIX:
        shapes = shapes_beside(path)
        elsewhere = (shapes, load_evaluation(DEFAULT_WEIGHTS, spawn4)) if shapes else None
        late = late_net_beside(path)
        return Evaluation.of_network(read_game_net(path), spawn4, elsewhere, late)
    data = _read(path)
    nets = [read_net(path.parent / name) for name in data.get("nets", ())]
    return Evaluation(_phases_of(data, path), spawn4, nets)


def read_weights(path: Path = DEFAULT_WEIGHTS) -> list[PhaseWeights]:
    """Return the phases in a file of weights; raise WeightsError if it is not such a file."""
    return _phases_of(_read(path), path)


def _read(path: Path) -> dict[str, Any]:
    data = read_json(path, tr("a file of weights"), 1 << 20, WeightsError)
    if not isinstance(data, dict) or data.get("version") != VERSION:
        version = data.get("version") if isinstance(data, dict) else type(data).__name__
        text = mark("{path}: version is {found!r}; this program reads weights of version {known}")
        raise WeightsError(text, path=path, found=version, known=VERSION)
    nets = data.get("nets", [])
    if not isinstance(nets, list) or not all(
        isinstance(name, str) and Path(name).name == name for name in nets
    ):
        text = mark("{path}: nets is {nets!r}; expected names of files beside this one")
        raise WeightsError(text, path=path, nets=nets)
    return data


def _phases_of(data: dict[str, Any], path: Path) -> list[PhaseWeights]:
    try:
        return _checked(data)
    except WeightsError as error:
        raise WeightsError("{place}: {problem}", place=path, problem=error) from error


def _checked(data: dict[str, Any]) -> list[PhaseWeights]:
    phases = data.get("phases")
    if not isinstance(phases, list) or not 1 <= len(phases) <= MAX_PHASES:
        raise WeightsError("'phases' must be a list of 1 to {most} phases", most=MAX_PHASES)
    checked = [_checked_phase(i, phase) for i, phase in enumerate(phases)]
    sums = [phase.until_sum for phase in checked]
    if sorted(set(sums)) != sums or sums[-1] != ENDLESS:
        text = tr("'until_sum' must ascend from phase to phase, and be null in the last")
        raise WeightsError(text)
    return checked


def _checked_phase(i: int, phase: Any) -> PhaseWeights:
    if not isinstance(phase, dict) or set(phase) - {"ranks"} != _PHASE_FIELDS:
        fields = ", ".join(sorted(_PHASE_FIELDS))
        raise WeightsError("phase {i} must have the fields {fields}", i=i, fields=fields)
    until_sum = ENDLESS if phase["until_sum"] is None else phase["until_sum"]
    if not isinstance(until_sum, int) or not 0 < until_sum <= ENDLESS:
        text = tr("phase {i}: until_sum is {found!r}; expected a sum or null", i=i, found=until_sum)
        raise WeightsError(text)
    weights = phase["weights"]
    if not isinstance(weights, dict) or set(weights) != set(WEIGHTS):
        wrong = set(weights) ^ set(WEIGHTS) if isinstance(weights, dict) else set(WEIGHTS)
        names = ", ".join(sorted(wrong))
        raise WeightsError("phase {i}: weights missing or unknown: {names}", i=i, names=names)
    for name, value in [("dead", phase["dead"]), ("points", phase["points"]), *weights.items()]:
        low, high = _BOUNDS.get(name, (-_MAX_WEIGHT, _MAX_WEIGHT))
        if not is_number(value, low, high):
            text = mark("phase {i}: {name} is {value}; expected a number from {low:g} to {high:g}")
            text = tr(text, i=i, name=name, value=reprlib.repr(value), low=low, high=high)
            raise WeightsError(text)
    ranks = phase.get("ranks", list(RANKS))
    if not _are_ranks(ranks):
        text = tr("phase {i}: ranks is {ranks!r}; expected 16 ascending numbers", i=i, ranks=ranks)
        raise WeightsError(text)
    dead, points = float(phase["dead"]), float(phase["points"])
    floats = {name: float(value) for name, value in weights.items()}
    return PhaseWeights(until_sum, dead, points, floats, tuple(map(float, ranks)))


def _are_ranks(ranks: Any) -> bool:
    if not isinstance(ranks, list) or len(ranks) != len(RANKS):
        return False
    is_number = (type(rank) in (int, float) and 0 <= rank <= 99 for rank in ranks)
    return all(is_number) and sorted(ranks) == ranks
