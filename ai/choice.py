"""The AIs that choose a move, or a tile, in the window: their interface and the list of them.

Nothing here needs the compiler until a chooser is created, which takes a moment: create and call it
on a background thread.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ai.baselines.ladder import make_player
from ai.standings import OURS
from engine.platform.default_callbacks import never_cancelled
from engine.platform.language import mark, tr, trn

if TYPE_CHECKING:
    from ai.dispatch.dispatcher import Decision, Dispatcher
    from ai.dispatch.open_tables import OpenTables
    from ai.search.search import SearchAnswer


class ValueKind(Enum):
    """The unit of move values; for `VALUES` only differences are meaningful."""

    RATES = "what a table knows"  # no text
    BOUNDS = "what a table knows to be kept at least"  # no text
    CHANCES = "estimates of rates"  # no text
    POINTS = "points still to come, on average"  # no text
    VALUES = "what an evaluation says"  # no text


@dataclass(frozen=True)
class Choice:
    """A move and its source."""

    direction: int | None  # None if no move is legal
    values: tuple[float | None, ...]  # value of each direction; None if illegal or not valued
    source: str  # the source in words: a table's name, or the depth of a search
    kind: ValueKind = ValueKind.VALUES  # the unit of the values
    # The moves that were compared: all, unless a table rates some of them best and equal.
    among: tuple[int, ...] = (0, 1, 2, 3)


class Chooser(Protocol):
    """Chooses moves; one caller at a time, but any thread may call `stop`."""

    def choose(
        self, cells: Sequence[int], ms: float, is_cancelled: Callable[[], bool] = never_cancelled
    ) -> Choice:
        """Choose for 16 exponents within about `ms` milliseconds.

        Returns at once if `is_cancelled` returns True; see `ai.search.search.Search.by_nodes`.
        """

    def stop(self) -> None:
        """Make the running choice return at once."""

    def release(self) -> None:
        """Close all files until the next choice; to be called by the caller of `choose`."""


@dataclass(frozen=True)
class ChooserKind:
    """An entry of the AI menu."""

    title: str
    what: str  # its description, in a sentence; both are in English, `tr` translates them
    # Creates one, given the folders of the user's tables and the probability of fours.
    make: Callable[[Sequence[Path], float], Chooser]
    mean_score: int = 0  # of its games, without tables
    tables: tuple[str, ...] = ()  # the tables that make it strongest, such as "L3_512"
    best_score: int = 0  # its mean score with these
    has_network: bool = False
    title_alone: str = ""  # where no table applies, if that is another

    def uses(self, exponent: int, n_free: int) -> bool:
        """Return whether it asks a table for this target in so many cells."""
        from ai.dispatch.scale import helps_network

        return bool(self.tables) and (not self.has_network or helps_network(exponent, n_free))


SpawnChooser = Callable[[Sequence[int]], tuple[int, int]]
"""Returns the (cell, exponent) of a new tile for 16 exponents after a slide."""


class SearchChooser:
    """Expectimax by time, up to `max_depth` moves ahead if it is given."""

    def __init__(self, max_depth: int | None = None, spawn4: float = 0.1) -> None:
        from ai.search.parallel_search import ready_search
        from ai.search.search import SearchSettings

        settings = None if max_depth is None else SearchSettings(max_depth=max_depth)
        self._search = ready_search(spawn4, settings)

    def choose(
        self, cells: Sequence[int], ms: float, is_cancelled: Callable[[], bool] = never_cancelled
    ) -> Choice:
        answer = self._search.by_time(cells, ms, is_cancelled=is_cancelled)
        kind, source = _kind_of_search(answer), _search_text(answer.depth)
        return Choice(answer.direction, answer.values, source, kind)

    def stop(self) -> None:
        self._search.stop()

    def release(self) -> None: ...


class TablesChooser:
    """The best of all applicable tables, or search if there is none.

    Tables finished later are used, too; those for another share of fours are not.
    """

    def __init__(
        self, folders: Sequence[Path], spawn4: float = 0.1, *, uses_network: bool = False
    ) -> None:
        from ai.evaluation.evaluation import DEFAULT_WEIGHTS
        from ai.evaluation.game_net_file import DEFAULT_NETWORK
        from ai.search.parallel_search import ready_search

        self._folders, self._spawn4 = list(folders), spawn4
        weights = DEFAULT_NETWORK if uses_network else DEFAULT_WEIGHTS
        self._search = ready_search(spawn4, weights=weights)
        self._open_tables, self._dispatcher = self._open()

    def choose(
        self, cells: Sequence[int], ms: float, is_cancelled: Callable[[], bool] = never_cancelled
    ) -> Choice:
        decision = self._dispatcher.choose(
            cells, lambda board, known: self._search.by_time(board, ms, known, is_cancelled)
        )
        return choice_of(decision)

    def stop(self) -> None:
        self._search.stop()

    def release(self) -> None:
        """Close the tables: on Windows, an open table cannot be deleted."""
        self._open_tables.close()
        self._open_tables, self._dispatcher = self._open()

    def _open(self) -> "tuple[OpenTables, Dispatcher]":
        from ai.dispatch.dispatcher import Dispatcher
        from ai.dispatch.open_tables import OpenTables

        open_tables = OpenTables(self._folders, self._spawn4)
        return open_tables, Dispatcher(open_tables, self._search)


def choice_of(decision: "Decision") -> Choice:
    table = decision.source.removesuffix("search").removesuffix("+")
    source = ": ".join(filter(None, (table, _search_text(decision.depth))))
    return Choice(decision.direction, decision.values, source, kind_of(decision), decision.among)


def kind_of(decision: "Decision") -> ValueKind:
    if decision.depth:
        return _kind_of_search(decision)
    return ValueKind.BOUNDS if decision.are_bounds else ValueKind.RATES


def _search_text(depth: int) -> str:
    if not depth:
        return ""
    return trn("Search, {n} move ahead", "Search, {n} moves ahead", depth)


def _kind_of_search(decision: "Decision | SearchAnswer") -> ValueKind:
    if decision.are_points:
        return ValueKind.POINTS
    return ValueKind.CHANCES if decision.is_chance else ValueKind.VALUES


class LadderChooser:
    """A player of the ladder, which ignores the time limit."""

    def __init__(self, name: str, _folders: Sequence[Path] = (), spawn4: float = 0.1) -> None:
        from ai.evaluation.large_tiles import search_board
        from engine.bitboard import LARGEST_NIBBLE

        self._chooser = make_player(name, spawn4=spawn4)
        self._chooser.begin(secrets.randbits(63))
        self._board_of = lambda cells: search_board(cells, LARGEST_NIBBLE)
        self._source = tr(OURS[name].title) if name in OURS else name
        self._kind = ValueKind.POINTS if name in _IN_POINTS else ValueKind.VALUES

    def choose(
        self,
        cells: Sequence[int],
        ms: float,  # noqa: ARG002, as others
        is_cancelled: Callable[[], bool] = never_cancelled,  # noqa: ARG002
    ) -> Choice:
        import numpy as np

        board = np.uint64(self._board_of(np.array(cells, np.uint8)))
        direction = self._chooser.choose(board)
        if direction < 0:
            return Choice(None, (None,) * 4, "")
        values = tuple(float(v) if np.isfinite(v) else None for v in self._chooser.values)
        return Choice(int(direction), values, self._source, self._kind)

    def stop(self) -> None:
        """Do nothing: its choices are short and can't be interrupted."""

    def release(self) -> None: ...


_IN_POINTS = ("network-3", "network", "hand-monte-carlo", "monte-carlo")
_LADDER = {
    "hand-search": mark("Looks several moves ahead with a simple score."),
    "network-3": mark("Looks three moves ahead with a network that learned from its own games."),
    "network": mark("Plays by a network that learned from its own games, without looking ahead."),
    "linear": mark("Looks a few moves ahead and weighs six features of the board."),
    "matrix": mark("Looks three moves ahead and wants large tiles in a corner."),
    "hand-monte-carlo": mark("Plays 100 sensible games to the end after each move."),
    "monte-carlo": mark("Plays 100 random games to the end after each move."),
    "hand": mark("Plays the move that looks best, without looking ahead."),
    "random": mark("Plays any legal move."),
}
"""Players of the ladder whose choices are quick enough to watch, and what each does."""


def _kind_of(
    name: str,
    what: str,
    make: Callable[[Sequence[Path], float], Chooser],
    with_tables: str = "",
    has_network: bool = False,
) -> ChooserKind:
    standing, best = OURS[name], OURS[with_tables or name]
    scores = (standing.mean_score, best.tables, best.mean_score)
    return ChooserKind(best.title, what, make, *scores, has_network, standing.title)


_KINDS = {
    "network_search": _kind_of(
        "network-search",
        mark(
            "Perfect where one of your tables applies, elsewhere search with a network that "
            "learned from its own games."
        ),
        partial(TablesChooser, uses_network=True),
        "network-search-tables",
        has_network=True,
    ),
    "tables": _kind_of(
        "search",
        mark("Perfect where one of your tables applies, search everywhere else."),
        TablesChooser,
        "tables",
    ),
    "search": _kind_of(
        "search",
        mark("Looks as far ahead as the speed allows; slower is stronger."),
        lambda _, spawn4: SearchChooser(None, spawn4),
    ),
    "one_move": _kind_of(
        "one-move",
        mark("Compares the boards after each move and looks no further."),
        lambda _, spawn4: SearchChooser(1, spawn4),
    ),
    **{
        name.replace("-", "_"): _kind_of(name, what, partial(LadderChooser, name))
        for name, what in _LADDER.items()
    },
}
CHOOSERS: Mapping[str, ChooserKind] = dict(
    sorted(_KINDS.items(), key=lambda item: (-item[1].best_score, item[0]))
)
"""All of them by key, strongest first: the first one is the best on any machine."""
_KEYS = {key.replace("_", "-"): key for key in CHOOSERS}
AI_NAMES = tuple(_KEYS)
"""Their names on the command line, such as ``network-search``, in the same order."""


def ai_name(text: str) -> str:
    return text.replace("_", "-")


def key_of(name: str) -> str:
    return _KEYS[name]


def make_adversary() -> SpawnChooser:
    """Return the chooser that places new tiles where they hurt most; see `ai.search.adversary`."""
    from ai.evaluation.evaluation import load_evaluation
    from ai.search.adversary import Adversary

    adversary = Adversary(load_evaluation())
    adversary.choose([1] * 8 + [0] * 8)  # compiles
    return adversary.choose
