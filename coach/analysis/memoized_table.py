"""A table that is queried once per position of a game and shared by all callers."""

from coach.analysis.coverage import LargeTiles
from engine.bitboard import cells
from engine.spawn import Rng
from tablebase.errors import ProbeError
from tablebase.probe.probes import Probe
from tablebase.probe.table import Table


class MemoizedTable:
    """A table with a cache of its answers, for one game.

    Both the analysis of covered segments and that of the whole game query tables. They pass the
    same position in different forms, with large tiles as they are or as F.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self.name, self.target, self.formation = table.name, table.target, table.formation
        self.spawn4, self.rate, self.n_large = table.spawn4, table.rate, table.n_large
        self.is_thinned, self.is_limited = table.is_thinned, table.is_limited
        self._answers: dict[tuple[int, bool], Probe | ProbeError] = {}

    def probe(self, board: int, comes_up: bool = False) -> Probe:
        if not self.formation.walls:  # large tiles as F, if it is clear which tiles those are
            masked = LargeTiles(cells(board)).masked(self.n_large, self.target.least_large)
            board = board if masked is None else masked
        key = board, comes_up
        if key not in self._answers:
            try:
                self._answers[key] = self._table.probe(board, comes_up)
            except ProbeError as error:
                self._answers[key] = error
        answer = self._answers[key]
        if isinstance(answer, ProbeError):
            raise answer
        return answer

    def start_board(self, rng: Rng) -> int:
        return self._table.start_board(rng)

    def close(self) -> None:
        self._table.close()
