"""Who may choose a move, or a tile, in the window: what is asked and answered, and who there is.

Nothing here needs the compiler until a chooser is made, which takes a moment: make it, and ask
it, on a thread that nobody waits for.
"""

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ai.baselines.ladder import LADDER, make_player

if TYPE_CHECKING:
    from ai.dispatch.dispatcher import Dispatcher
    from ai.dispatch.open_tables import OpenTables
    from ai.search.parallel_search import ParallelSearch
    from ai.search.search import Settings


def _always() -> bool:
    return True


class Kind(Enum):
    """What the values of moves are; of `VALUES` only the differences mean something."""

    RATES = "what a table knows"
    CHANCES = "estimates of rates"
    VALUES = "what an evaluation says"


@dataclass(frozen=True)
class Choice:
    """A move, and where it comes from.

    Attributes
    ----------
    direction : int or None
        None when no move is legal.
    values : tuple of four float or None
        What each direction is worth; None where it is illegal or was not valued.
    source : str
        In words: a table's name, how far a search looked.
    kind : Kind
        What the values are.
    """

    direction: int | None
    values: tuple[float | None, ...]
    source: str
    kind: Kind = Kind.VALUES


class Chooser(Protocol):
    """Chooses moves; one caller at a time, but anybody may stop it."""

    def choose(
        self, cells: Sequence[int], ms: float, is_wanted: Callable[[], bool] = _always
    ) -> Choice:
        """Return a move for 16 exponents, within about so many milliseconds.

        At once when `is_wanted` says no; see `ai.search.search.Search.by_nodes`.
        """

    def stop(self) -> None:
        """Have the choice that is under way answer at once."""

    def let_go(self) -> None:
        """Close all files until the next choice; by the caller of `choose`."""


@dataclass(frozen=True)
class ChooserKind:
    """An entry of the player menu: its title, what it does, how to make one.

    `make` is given the folders with this person's tables, and the share of fours among the new
    tiles of the game.
    """

    title: str
    about: str
    make: Callable[[Sequence[Path], float], Chooser]


SpawnChooser = Callable[[Sequence[int]], tuple[int, int]]
"""Returns the (cell, exponent) of a new tile for 16 exponents after a slide."""


class SearchChooser:
    """Expectimax by time, or one move ahead.

    Parameters
    ----------
    max_depth : int, optional
        Moves to look ahead at most; as many as there is time for when not given.
    spawn4 : float
        The share of fours among the new tiles, in [0, 1].
    """

    def __init__(self, max_depth: int | None = None, spawn4: float = 0.1) -> None:
        from ai.search.search import Settings

        settings = Settings() if max_depth is None else Settings(max_depth=max_depth)
        self._search = _new_search(spawn4, settings)

    def choose(
        self, cells: Sequence[int], ms: float, is_wanted: Callable[[], bool] = _always
    ) -> Choice:
        """Return the best move that was found in the time."""
        answer = self._search.by_time(cells, ms, is_wanted=is_wanted)
        ahead = "1 move" if answer.depth == 1 else f"{answer.depth} moves"
        source = f"Search, {ahead} ahead" if answer.depth else ""
        return Choice(answer.direction, answer.values, source, _kind(answer.is_chance))

    def stop(self) -> None:
        """End the search under way."""
        self._search.stop()

    def let_go(self) -> None:
        """Do nothing: there are no files."""


def _new_search(spawn4: float, settings: "Settings | None" = None) -> "ParallelSearch":
    """Return a search whose kernels are loaded; long ones use two threads where there are two."""
    from ai.evaluation.evaluation import load_evaluation
    from ai.search.parallel_search import LEAST_NODES, ParallelSearch

    search = ParallelSearch(load_evaluation(spawn4=spawn4), min(2, os.cpu_count() or 1), settings)
    for nodes in (10, LEAST_NODES):  # one thread, and two
        search.by_nodes([1, 1] + [0] * 14, nodes)
    search.forget()
    return search


class TablesChooser:
    """The best of all tables that apply, search where there is none.

    Parameters
    ----------
    folders : sequence of Path
        Where the tables are; those that are finished later are used as well.
    spawn4 : float
        The share of fours among the new tiles, in [0, 1]: tables of another one are not asked.
    """

    def __init__(self, folders: Sequence[Path], spawn4: float = 0.1) -> None:
        self._folders, self._spawn4 = list(folders), spawn4
        self._search = _new_search(spawn4)
        self._open_tables, self._dispatcher = self._open()

    def choose(
        self, cells: Sequence[int], ms: float, is_wanted: Callable[[], bool] = _always
    ) -> Choice:
        """Return the move of the table that promises most, or what search found in the time."""
        found = self._dispatcher.choose(
            cells, lambda board, known: self._search.by_time(board, ms, known, is_wanted)
        )
        table = found.source.removesuffix("search").removesuffix("+")
        ahead = "1 move" if found.depth == 1 else f"{found.depth} moves"
        search = f"Search, {ahead} ahead" if found.depth else ""
        source = ": ".join(filter(None, (table, search)))
        kind = _kind(found.is_chance) if found.depth else Kind.RATES
        return Choice(found.direction, found.values, source, kind)

    def stop(self) -> None:
        """End the search under way."""
        self._search.stop()

    def let_go(self) -> None:
        """Close the tables: on Windows a table that is open cannot be deleted."""
        self._open_tables.close()
        self._open_tables, self._dispatcher = self._open()

    def _open(self) -> "tuple[OpenTables, Dispatcher]":
        """Return tables that are opened when they are asked."""
        from ai.dispatch.dispatcher import Dispatcher
        from ai.dispatch.open_tables import OpenTables

        open_tables = OpenTables(self._folders, self._spawn4)
        return open_tables, Dispatcher(open_tables, self._search.evaluation.goal)


def _kind(is_chance: bool) -> Kind:
    return Kind.CHANCES if is_chance else Kind.VALUES


class LadderChooser:
    """A player of the ladder, which takes the time it takes.

    Parameters
    ----------
    name : str
        See `ai.baselines.ladder.LADDER`.
    seed : int
        Of what it leaves to chance.
    spawn4 : float
        The share of fours among the new tiles, in [0, 1].
    """

    def __init__(self, name: str, seed: int, spawn4: float = 0.1) -> None:
        from ai.evaluation.large_tiles import search_board

        self._chooser = make_player(name, spawn4=spawn4)
        self._chooser.begin(seed)
        self._board_of, self._source = search_board, name.replace("-", " ").capitalize()

    def choose(
        self,
        cells: Sequence[int],
        ms: float,  # noqa: ARG002, as others
        is_wanted: Callable[[], bool] = _always,  # noqa: ARG002
    ) -> Choice:
        """Return its move."""
        import numpy as np

        board = np.uint64(self._board_of(np.array(cells, np.uint8)))
        direction = self._chooser.choose(board)
        if direction < 0:
            return Choice(None, (None,) * 4, "")
        values = tuple(float(v) if np.isfinite(v) else None for v in self._chooser.values)
        return Choice(int(direction), values, self._source)

    def stop(self) -> None:
        """Do nothing: its choices cannot be cut short, and are short."""

    def let_go(self) -> None:
        """Do nothing: there are no files."""


_IN_MENU = (
    "hand-search", "linear", "matrix", "hand-monte-carlo", "monte-carlo", "hand", "random",
)  # fmt: skip
"""Players of the ladder, strongest first, whose choices are quick enough to watch."""


def _of_ladder(name: str) -> ChooserKind:
    rung = LADDER[name]
    about = f"{rung.about}; reported {rung.reported}, ours {rung.measured}"
    return ChooserKind(
        name.replace("-", " ").capitalize(),
        about[0].upper() + about[1:],
        lambda _, spawn4: LadderChooser(name, secrets.randbits(63), spawn4),
    )


CHOOSERS: Mapping[str, ChooserKind] = {
    "tables": ChooserKind(
        "Tables and search", "Perfect where a table applies, search elsewhere", TablesChooser
    ),
    "search": ChooserKind(
        "Search",
        "Looks as far ahead as there is time for",
        lambda _, spawn4: SearchChooser(None, spawn4),
    ),
    "one_move": ChooserKind(
        "One move ahead",
        "Compares the positions after each move",
        lambda _, spawn4: SearchChooser(1, spawn4),
    ),
    **{name.replace("-", "_"): _of_ladder(name) for name in _IN_MENU},
}


def make_adversary() -> SpawnChooser:
    """Return what places new tiles where they hurt most; see `ai.search.adversary`."""
    from ai.evaluation.evaluation import load_evaluation
    from ai.search.adversary import Adversary

    adversary = Adversary(load_evaluation())
    adversary.choose([1] * 8 + [0] * 8)  # compiles
    return adversary.choose
