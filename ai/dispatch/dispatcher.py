"""Choosing a move: by the best of all applicable tables, or by search."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from ai.dispatch.cached_table import CachedTable, Rates
from ai.dispatch.leaf_rates import LeafRates
from ai.dispatch.scale import MIN_EASY, chance_of_half, continuation, is_nearly_certain
from ai.dispatch.tile_profile import MIN_GOAL, OWN_TARGET, TileProfile
from ai.search.known_positions import Known
from tablebase.errors import TableError

if TYPE_CHECKING:
    from ai.dispatch.open_tables import OpenTables
    from ai.search.search import Search, SearchAnswer

NEAR_CERTAIN = 1 - 1e-6
"""From such a rate on search decides, for the table no longer tells good moves from better ones."""

ALIKE = 1e-6
"""Rates that differ by no more are alike, when a position is nearly certain."""

MIN_RATE = 0.1
"""Below such a rate search decides, for what the formation promises is as good as lost."""

MIN_FOR_HALF = 0.5
"""Where a network sees the whole game, a table that promises less of its target is not followed to
a smaller tile."""

SLIGHT_LOSS = 1e-4
"""Where a network sees the whole game, moves that lose no more of an easy table's rate are left to
search."""

MIN_LEFT = 1 / 8
"""Once less of its target is missing, an easy table is not asked: to it, the target may stand
anywhere, but a network for whole games can only merge it where it usually stands. The one for late
games can merge it anywhere."""

SEARCH = "search"


@dataclass(frozen=True)
class TableVerdict:
    """The tables' answer for a position."""

    table: str  # the table with the highest value
    rates: Rates  # by direction
    value: float  # its best rate on the common scale, see ai.dispatch.scale
    asked: dict[str, float]  # the values of the tables that answered
    are_bounds: bool = False  # whether the rates are lower bounds

    @property
    def best(self) -> int:
        """The direction of the highest rate, the first of equal ones."""
        return max(range(4), key=lambda direction: (self._rate(direction), -direction))

    @property
    def best_rate(self) -> float:
        return self._rate(self.best)

    @property
    def alike(self) -> list[int]:
        least = self.best_rate - ALIKE
        return [direction for direction in range(4) if self._rate(direction) >= least]

    def _rate(self, direction: int) -> float:
        rate = self.rates[direction]
        return -1.0 if rate is None else rate


@dataclass(frozen=True)
class Decision:
    """A move and its source."""

    direction: int | None  # None if there is no legal move
    # A table's name, "search", or "NAME+search": search among the moves that a table rates as
    # equal.
    source: str
    values: tuple[float | None, ...]  # by direction: the table's rates, or search values
    depth: int = 0  # moves looked ahead; 0 for a table's move
    nodes: int = 0  # positions searched
    # Whether the values are search's chances: see `ai.search.search.SearchAnswer`.
    is_chance: bool = False
    # The moves that search chose among: those a table rates as equal, or all.
    among: tuple[int, ...] = (0, 1, 2, 3)
    are_bounds: bool = False  # whether the values are lower bounds from a table
    are_points: bool = False  # whether the values are search's points still to come


class OpenMove(NamedTuple):
    """A move that tables leave undecided."""

    among: tuple[int, ...]  # the moves to choose among: those a table rates as equal, or all
    source: str  # as in a `Decision`
    known: Known | None  # the tables' rates for positions ahead

    def decide(self, answer: "SearchAnswer") -> Decision:
        legal = [direction for direction in self.among if answer.values[direction] is not None]
        best = max(legal, key=lambda move: (answer.values[move], -move), default=answer.direction)
        rated = (answer.values, answer.depth, answer.nodes, answer.is_chance)
        return Decision(best, self.source, *rated, self.among, are_points=answer.are_points)


SearchFor = Callable[[Sequence[int], Known | None], "SearchAnswer"]
"""Searches 16 exponents, given known values of positions ahead."""


class Dispatcher:
    """Queries every table that may apply, takes the best answer, and searches if there is none.

    Without `goals`, tables are used as with a line search, which has no goal. Tables with a rate
    below `least_rate` are not followed.
    """

    def __init__(
        self, tables: "OpenTables", goals: "Search | None" = None, least_rate: float = MIN_RATE
    ) -> None:
        self._tables, self._goals, self._least_rate = tables, goals, least_rate

    def may_apply(self, cells: Sequence[int]) -> bool:
        """Return whether tables may decide this move or one of the next, without querying any."""
        if not self._tables.tables():
            return False
        question = self._question(cells)
        may_fit = question.profile.may_fit_ahead if question.goal else question.profile.may_soon_fit
        may_be_second = question.profile.may_soon_be_second
        return any(may_fit(table.n_large, table.exponent) for table in question.tables) or any(
            may_be_second(table.n_large, table.exponent) for table in question.easy
        )

    def ask(self, cells: Sequence[int]) -> TableVerdict | None:
        """Return the best answer of all tables for 16 exponents; None if there is none.

        Tables that can't beat an answer already found are not queried.
        """
        return self._ask(self._question(cells))

    def _ask(self, question: "_Question") -> TableVerdict | None:
        """Query the tables in order of promise, skipping those that can't beat the best answer.

        A query costs milliseconds if a table's blocks have not been read yet.
        """
        answers: list[tuple[int, TableVerdict]] = []  # with what each promised
        best_merits: dict[str, tuple[int, int]] = {}  # answers that may be followed, by formation
        for promise in self._promises(question):
            table, pattern = promise.table, promise.table.pattern
            goal = answers[0][0] if answers else promise.promised
            most = continuation(promise.promised, goal)
            is_known_better = promise.merit < best_merits.get(pattern, promise.merit)
            if is_known_better or any(most < verdict.value for _, verdict in answers):
                continue
            rates = self._rates(table, question.profile.masked(table.n_large))
            rate = max((rate for rate in rates or () if rate is not None), default=0.0)
            if not rates or rate <= 0:
                continue
            if promise.goal < table.exponent and rate < question.least_for_half:
                continue
            value = chance_of_half(rate, table.exponent - promise.goal) * most
            verdict = TableVerdict(table.name, rates, value, {}, table.is_limited)
            answers.append((promise.promised, verdict))
            if rate >= self._least_rate:
                best_merits[pattern] = promise.merit
        if not answers:
            return None
        verdicts = [verdict for _, verdict in answers]
        best = max(verdicts, key=lambda verdict: verdict.value)  # ties go to the higher promise
        return replace(best, asked={verdict.table: verdict.value for verdict in verdicts})

    def _promises(self, question: "_Question") -> "list[_Promise]":
        """Return the promises of the applicable tables, highest first.

        Within a formation, the table whose target is the goal knows it exactly. Of several goals
        the larger one counts: its rate includes the way over the smaller one exactly, whereas the
        scale guesses.
        """
        promises = []
        for table in question.tables:
            goal = question.profile.goal(table.n_large, table.exponent)
            if goal:
                promised = question.profile.large_sum(table.n_large) + (1 << goal)
                promises.append(_Promise(promised, goal, table))
        # Of equal ones the first by name.
        return sorted(
            promises, key=lambda promise: (-promise.promised, [-part for part in promise.merit])
        )

    def choose(self, cells: Sequence[int], search: SearchFor) -> Decision:
        decision = self.look(cells)
        return (
            decision
            if isinstance(decision, Decision)
            else decision.decide(search(cells, decision.known))
        )

    def look(self, cells: Sequence[int]) -> "Decision | OpenMove":
        """Return the move for 16 exponents, or the open question for search."""
        question = self._question(cells)
        for table in question.easy:
            decision = self._without_losses(question, table)
            if decision:
                return decision
        verdict = self._ask(question)
        if verdict is None or verdict.best_rate < self._least_rate:
            return OpenMove((0, 1, 2, 3), SEARCH, self._known(question))
        alike = verdict.alike
        if verdict.best_rate < NEAR_CERTAIN or len(alike) == 1:
            best, are_bounds = verdict.best, verdict.are_bounds
            return Decision(best, verdict.table, verdict.rates, are_bounds=are_bounds)
        # No known rates are passed: search has to separate moves that the table rates as certain.
        return OpenMove(tuple(alike), f"{verdict.table}+{SEARCH}", None)

    def _without_losses(
        self, question: "_Question", table: CachedTable
    ) -> "Decision | OpenMove | None":
        """Return the moves that lose next to nothing of an easy table's rate, if it is asked.

        Among them, search decides: the network leads the tiles to where they merge.
        """
        if not question.profile.is_second(table.n_large, table.exponent, question.least_left):
            return None
        rates = self._rates(table, question.profile.masked(table.n_large)) or ()
        best = max((rate for rate in rates if rate is not None), default=0.0)
        if best < MIN_FOR_HALF:
            return None
        least = best - SLIGHT_LOSS
        among = tuple(i for i, rate in enumerate(rates) if rate is not None and rate >= least)
        if len(among) == 1:
            return Decision(among[0], table.name, rates, are_bounds=table.is_limited)
        return OpenMove(among, f"{table.name}+{SEARCH}", None)

    def _known(self, question: "_Question") -> Known | None:
        if not question.goal:
            return None
        quick = [table for table in question.tables if table.is_quick]
        near = [
            table
            for table in quick
            if question.profile.may_fit_ahead(table.n_large, table.exponent)
        ]
        return LeafRates(near, question.goal, self._least_rate, self._tables.drop) if near else None

    def _question(self, cells: Sequence[int]) -> "_Question":
        """Return the question for the tables, depending on search's goal.

        If search estimates the chance of a tile, tables are only asked about their own target,
        because for smaller ones they ignore what comes after. A network for whole games places
        tiles well for the next ones, and makes easy ones nearly as reliably as a table: then tables
        with a hard target are followed, but one likely to fail it is not followed to a smaller
        tile. A table with an easy target only keeps the network from mistakes, and only while it
        makes the second of two tiles that will merge: of the first one, its place matters more.
        """
        tables, goals = self._tables.tables(), self._goals
        if goals and goals.sees_whole_game(cells):
            hard = [table for table in tables if not _is_easy(table)]
            easy = [table for table in tables if _is_easy(table) and table.exponent >= MIN_EASY]
            least_left = 0.0 if goals.sees_late_game(cells) else MIN_LEFT
            return _Question(TileProfile(cells), 0, hard, easy, least_left, MIN_FOR_HALF)
        goal = goals.goal(cells) if goals else 0
        return _Question(TileProfile(cells, OWN_TARGET if goal else MIN_GOAL), goal, tables)

    def _rates(self, table: CachedTable, masked: int) -> Rates | None:
        try:
            return table.rates(masked)
        except TableError as error:
            self._tables.drop(table, error)
            return None


def _is_easy(table: CachedTable) -> bool:
    """Return whether a table's target is nearly certain to be made in its cells."""
    return is_nearly_certain(table.exponent, 16 - table.n_large)


class _Question(NamedTuple):
    """The question for the tables."""

    profile: TileProfile  # tile profile of the position
    goal: int  # the tile whose chance search estimates there, 0 for none
    tables: Sequence[CachedTable]  # the tables that may be queried
    easy: Sequence[CachedTable] = ()  # tables that only keep search from mistakes
    least_left: float = 0.0  # the share of their target that has to be missing
    # Minimal rate for following a table to a tile smaller than its target.
    least_for_half: float = 0.0


class _Promise(NamedTuple):
    """An applicable table, the tile it is to help make, and the large tiles' sum including that."""

    promised: int
    goal: int
    table: CachedTable

    @property
    def merit(self) -> tuple[int, int]:
        """The sort key: the goal, and how near the target is to it; greater is better."""
        return self.goal, -self.table.exponent
