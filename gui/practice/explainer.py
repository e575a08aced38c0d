"""Explanations of moves, computed step by step off the GUI thread; the latest request wins. No
Qt."""

import logging
from collections.abc import Callable, Iterator, Sequence

from coach.grading.rated import Rated
from gui.play.lookup import Lookup, answer_of
from gui.practice.why import Why, begin, explain
from tablebase.probe.table import Table

_SPAWNS_AT_ONCE = {1: 8, 2: 1}  # by plies: a few milliseconds, then other requests get their turn
_KEPT = 200
_log = logging.getLogger(__name__)


class _ForgottenError(Exception):
    """The answer is no longer wanted."""


class Explainer:
    """Queries a table for the chance after every tile that may follow a move.

    Parameters
    ----------
    lookup : Lookup
        Provides the table and the thread.
    """

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._question = 0  # counts requests: results of earlier ones are dropped
        self._kept: dict[tuple[int, int, int], Why] = {}
        self._table: Table | None = None

    def forget(self) -> None:
        """Stop the running request; its results are dropped."""
        self._question += 1

    def ask(self, board: int, direction: int, plies: int, show: Callable[[Why], None]) -> bool:
        """Call `show` with partial results, repeatedly until complete.

        Returns
        -------
        bool
            False if the move is illegal or no table is open; then `show` isn't called.
        """
        self.forget()
        table = self._lookup.table
        if table is None:
            return False
        if table is not self._table:
            self._table, self._kept = table, {}
        if why := self._kept.get((board, direction, plies)):
            show(why)
            return True
        first = begin(board, direction, table.formation.walls, table.spawn4, plies)
        if first is None:
            return False
        if plies == 2 and (whole := self._kept.get((board, direction, 1))):
            show(whole)  # better than an empty board while the rest is looked up
        found: dict[int, Rated] = {}

        question, before = self._question, self._lookup.answer(board)
        follows = before is not None and before.is_followed(direction)

        def asked(boards: Sequence[int]) -> list[Rated]:
            for one in boards:
                if question != self._question:  # read on the worker thread; an old value is fine
                    raise _ForgottenError
                if one not in found:
                    found[one] = answer_of(table, one, follows)
            return [found[one] for one in boards]

        parts = explain(first, table.formation.walls, table.spawn4, asked)
        self._go_on(question, parts, first, found, show)
        return True

    def _go_on(
        self,
        question: int,
        parts: Iterator[Why],
        so_far: Why,
        found: dict[int, Rated],
        show: Callable[[Why], None],
    ) -> None:
        def work(_table: Table) -> tuple[Why, dict[int, Rated]] | None:
            why = so_far
            try:
                for _ in range(_SPAWNS_AT_ONCE[why.plies]):
                    why = next(parts, why)
            except _ForgottenError:
                return None
            return why, dict(found)

        def done(result: tuple[Why, dict[int, Rated]] | None) -> None:
            if result is None or question != self._question:
                return
            why, answers = result
            self._lookup.keep(answers)  # the rates are ready for any new tile
            if why.is_complete and all(answer.is_final for answer in answers.values()):
                self._keep(why)
            show(why)
            if not why.is_complete:
                self._go_on(question, parts, why, found, show)

        self._lookup.run(work, done, _log_error)

    def _keep(self, why: Why) -> None:
        if len(self._kept) >= _KEPT:
            self._kept.clear()
        self._kept[why.board, why.direction, why.plies] = why


def _log_error(error: BaseException) -> None:
    _log.error("explaining a move failed", exc_info=error)
