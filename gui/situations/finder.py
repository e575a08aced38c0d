"""Finding the goal of a position, by tables or by search.

Search takes one request at a time, so everything runs on the thread that grades moves.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from engine.formats.replay import Cells
from engine.platform.tasks import OnError, Tasks
from tablebase.errors import TableError
from tablebase.probe.table import Table

if TYPE_CHECKING:
    from coach.situations.offers import Offer
    from coach.situations.situation import Situation
    from coach.whole_game.game_search import Look
_MAX_OFFERS = 5  # positions of tables
_MAX_OFFER_S = 0.5  # to look for them, before what was asked for since


def own_search() -> "Look":
    """Return the program's own search; loads the compiler, so call it off the GUI thread."""
    from ai.chances.chance_search import ChanceSearch

    return ChanceSearch().look


class SituationFinder:
    """Finds situations, and opens the graders of their moves.

    All of it runs on the thread of the lookups, also the first call of `make_search`.
    """

    def __init__(
        self,
        open_table: Callable[[Path], Table],
        tasks: Tasks,
        make_search: "Callable[[], Look]" = own_search,
    ) -> None:
        self._open_table, self._tasks, self._make_search = open_table, tasks, make_search
        self._look: Look | None = None
        self._question = 0  # the number of the latest

    def find(
        self,
        position: Cells,
        paths: Sequence[Path],
        is_chosen: bool,
        nodes: int,
        found: "Callable[[Situation], None]",
        failed: OnError,
    ) -> None:
        """Call `found` with the situation; the latest request wins.

        With `is_chosen`, the only table was chosen by the user, without fallback.
        """
        self._question += 1
        question = self._question

        def work() -> "Situation":
            from coach.situations.situation import find_situation, situation_on

            with ExitStack() as stack:
                tables = []
                for path in paths:
                    try:
                        tables.append(self._open_table(path))
                    except TableError:
                        if is_chosen:
                            raise
                        continue  # the others, or search, will do
                    stack.callback(tables[-1].close)
                if is_chosen:
                    return situation_on(tables[0], position)
                return find_situation(position, tables, self._search, nodes)

        self._tasks.run(
            work,
            lambda situation: found(situation) if question == self._question else None,
            lambda error: failed(error) if question == self._question else None,
        )

    def offer(
        self,
        paths: Sequence[Path],
        seed: int,
        found: "Callable[[list[Offer]], None]",
        failed: OnError,
    ) -> None:
        """Call `found` with positions to begin with, on the tables that can be read."""

        def work() -> "list[Offer]":
            from coach.situations.offers import offers_on
            from engine.spawn import Rng

            until, offers = time.monotonic() + _MAX_OFFER_S, []
            for path in paths[:_MAX_OFFERS]:
                with suppress(TableError), closing(self._open_table(path)) as table:
                    n_harder = _MAX_OFFERS // len(paths) - 1
                    offers += offers_on(
                        table, Rng(seed), n_harder, lambda: time.monotonic() > until
                    )
            return offers

        self._tasks.run(work, found, failed)

    def forget(self) -> None:
        self._question += 1

    def searched_table(self, situation: "Situation") -> Table:
        """Return the grader of a situation that no table knows; on the worker thread."""
        from ai.chances.goal import goal_of
        from coach.situations.situation import SearchedTable
        from engine.bitboard import cells

        goal = goal_of(cells(situation.setup.start))
        return SearchedTable(goal, self._search(), situation.nodes)

    def _search(self) -> "Look":
        if self._look is None:
            self._look = self._make_search()
        return self._look
