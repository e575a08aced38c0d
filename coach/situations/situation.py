"""A position to practice repeatedly, its goal, and the chance of it with best play.

Where a table covers the position, the goal is the table's target and the chance is exact. Elsewhere
the goal is the next large tile (`ai.chances.goal`) and the chance what search finds: an estimate.
Each attempt is a test from a given start (`coach.play.run`) with a seed of its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ai.chances.goal import ChanceGoal
from ai.chances.goal import goal_of as goal_of_position
from coach.grading.formation_cells import has_reached
from coach.play.setup import Kind, Setup
from coach.recordings.many_tables import rate_by_many
from coach.recordings.recording import SEARCH, Recording, recording_of
from coach.whole_game.game_search import Look
from coach.whole_game.rating import ALIKE, rate_by_tables
from engine.bitboard import LARGEST_NIBBLE, cells, from_cells
from engine.formats.replay import Cells, Replay
from engine.platform.errors import AppError
from engine.platform.language import tr
from engine.spawn import Rng
from tablebase.errors import TableError
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal, TileGoal, goal_of
from tablebase.probe.probes import Probe
from tablebase.probe.table import Table

DEFAULT_COUNT = 10
"""Default number of attempts at a position."""


class SituationError(AppError, ValueError):
    """A position can't be made a situation."""


@dataclass(frozen=True)
class Situation:
    """A position, its goal and its chance."""

    # Setup of its attempts, except the seed; the table is called `SEARCH` if there is none.
    setup: Setup
    chance: float  # chance of the goal with best play
    nodes: int = 0  # search nodes for grading a move; 0 if a table grades

    @property
    def is_exact(self) -> bool:
        return self.setup.table != SEARCH

    def attempt(self, seed: int) -> Setup:
        return replace(self.setup, seed=seed)


def given_situation(
    table: str,
    goal: Goal,
    spawn4: float,
    rate: str,
    board: int,
    walls: bool,
    chance: float,
    nodes: int,
) -> Situation:
    """Return a situation from its fields; the table is called `SEARCH` if there is none."""
    setup = Setup(
        table,
        goal,
        spawn4,
        rate,
        seed=0,
        start=board,
        walls=walls,
        is_given=True,
        perfect_within=100 * ALIKE.relative if table == SEARCH else 0.0,
        kind=Kind.SITUATION,
    )
    return Situation(setup, chance, nodes)


def situation_on(table: Table, position: Cells) -> Situation:
    """Return the situation for a position on a chosen table.

    SituationError: the table doesn't know the position, or no chance is left. TableError: the table
    cannot be read.
    """
    found = _best_of([table], _alone(position, is_whole=False), _raise)
    if found is None:
        raise SituationError(
            "the {table} table knows no way to its target from this position: choose another "
            "position",
            table=table.name,
        )
    return found


def find_situation(
    position: Cells, tables: Sequence[Table], look: Callable[[], Look], nodes: int
) -> Situation:
    """Return the situation for any position: its goal and chance.

    The best table that covers the position is taken; `look` returns the search, if none does.
    SituationError: there is nothing to play for; the message says why.
    """
    is_whole = position.count(LARGEST_NIBBLE) <= 1
    found = _best_of(tables, _alone(position, is_whole))
    if found:
        return found
    if not is_whole:
        raise SituationError(
            tr(
                "none of your tables knows this position, and search can't judge walls or large "
                "tiles without values: build a table of its formation"
            )
        )
    return _of_search(position, look(), nodes)


def _alone(position: Cells, is_whole: bool) -> Recording:
    """Return a game without moves; in a whole one all tiles have their values."""
    if max(position) > LARGEST_NIBBLE:
        raise SituationError(
            tr("no table and no search starts beside a 65536: choose an earlier position")
        )
    return recording_of(Replay(position, (), merge_32768=is_whole))


def _best_of(
    tables: Sequence[Table],
    alone: Recording,
    broken: Callable[[TableError], None] = lambda _error: None,
) -> Situation | None:
    """Return the situation on the table that rates a position best; None if no table does."""
    rate = rate_by_tables if alone.replay.merge_32768 else rate_by_many
    rated = rate(tables, alone, broken=broken)
    chance = rated.best_rate(0) if rated else None
    doubt = rated.doubts.get(0) if rated else None
    if rated is None or not chance or (doubt and not doubt.is_best_known):
        return None
    table = next(one for one in tables if one.name == rated.rater_at(0))
    board, target = alone.boards[0], goal_of(table.target)
    if has_reached(board, target, table.formation):
        raise SituationError(
            "{goal} is on the board already: choose an earlier position", goal=target.words()
        )
    return _on(table, board, chance)


def _of_search(position: Cells, look: Look, nodes: int) -> Situation:
    table = SearchedTable(goal_of_position(position), look, nodes)
    board = from_cells(position)
    chances = [one for one in table.probe(board).rates if one is not None]
    if not chances:
        raise SituationError(tr("no move is left in this position: choose an earlier one"))
    return _on(table, board, max(chances), nodes)


def _on(table: Table, board: int, chance: float, nodes: int = 0) -> Situation:
    return given_situation(
        table=table.name,
        goal=goal_of(table.target),
        spawn4=table.spawn4,
        rate=table.rate,
        board=board,
        walls=table.formation.walls,
        chance=chance,
        nodes=nodes,
    )


def _raise(error: TableError) -> None:
    raise error


_EVERY_CELL = (1 << 64) - 1


class SearchedTable:
    """Answers like a table, by a search with a fixed number of nodes for each position.

    `goal` is that of the start position; its tile is the target.
    """

    name = SEARCH
    spawn4 = 0.1
    rate = "float32"
    is_thinned = is_limited = False

    def __init__(self, goal: ChanceGoal, look: Look, nodes: int) -> None:
        self._look, self._nodes = look, nodes
        self.target = TileGoal(1 << goal.exponent)
        self.formation, self.n_large = free_board(goal.n_large), goal.n_large

    def probe(self, board: int, comes_up: bool = False) -> Probe:  # noqa: ARG002
        left, right, up, down = self._look(tuple(cells(board)), self._nodes).chances
        rates = left, right, up, down
        known = [(chance, -one) for one, chance in enumerate(rates) if chance is not None]
        return Probe(board, self.name, rates, -max(known)[1] if known else None, masked=board)

    def start_board(self, rng: Rng) -> int:
        raise NotImplementedError("search has no start of its own")  # no text

    def close(self) -> None: ...


def free_board(n_large: int) -> Formation:
    """Return the whole board as a formation: large tiles and the target may be anywhere."""
    return Formation(
        name="",
        category="",
        masks=(),
        target_cells=_EVERY_CELL,
        symmetry="full",
        seeds=(_EVERY_CELL >> 4 * (16 - n_large),),  # says how many large tiles there are
        extra_steps=0,
        walls=False,
    )
