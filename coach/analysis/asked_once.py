"""A table that is queried once per position of a game and shared by all callers."""

from typing import TYPE_CHECKING

from coach.analysis.coverage import LargeTiles, Table
from coach.grading.unknown_rates import Answer
from coach.grading.unknown_rates import Table as ProbedTable
from engine.bitboard import cells
from tablebase.errors import ProbeError
from tablebase.formation.goal import Goal, goal_of

if TYPE_CHECKING:
    from typing import Protocol

    from tablebase.formation.formation import Formation

    class _Both(Table, ProbedTable, Protocol):
        """The table interface that both kinds of analysis need."""


class AskedOnce:
    """A table with a cache of its answers, for one game.

    Both the analysis of covered segments and that of the whole game query tables. They pass the
    same position in different forms, with large tiles as they are or as F.

    Parameters
    ----------
    table : Tablebase
    """

    def __init__(self, table: "_Both") -> None:
        self._table = table
        self.name, self.spawn4, self.rate = table.name, table.spawn4, table.rate
        self.n_large = table.n_large
        self.is_thinned, self.is_limited = table.is_thinned, table.is_limited
        self._exponent = goal_of(table.target).least_large
        self._answers: dict[tuple[int, bool], Answer | ProbeError] = {}

    @property
    def target(self) -> Goal | int:
        """The table's target."""
        return self._table.target

    @property
    def formation(self) -> "Formation":
        """Its formation."""
        return self._table.formation

    def probe(self, board: int, comes_up: bool = False) -> Answer:
        """Return the table's answer; raise ProbeError where the table does."""
        key = self._masked(board), comes_up
        if key not in self._answers:
            try:
                self._answers[key] = self._table.probe(key[0], comes_up)
            except ProbeError as error:
                self._answers[key] = error
        answer = self._answers[key]
        if isinstance(answer, ProbeError):
            raise answer
        return answer

    def get(self, board: int, comes_up: bool = False) -> Answer | None:
        """Return the answer of `probe`, or None where it raises ProbeError."""
        try:
            return self.probe(board, comes_up)
        except ProbeError:
            return None

    def _masked(self, board: int) -> int:
        """Return a board with its large tiles as F, if it is clear which tiles those are."""
        if self.formation.walls:
            return board
        masked = LargeTiles(cells(board)).masked(self.n_large, self._exponent)
        return board if masked is None else masked
