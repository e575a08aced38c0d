"""Who may choose a move, or a tile, in the window: what is asked and answered, and who there is.

Nothing here needs the compiler until a chooser is made, which takes a moment: make it, and ask
it, on a thread that nobody waits for.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.spawn import Rng
from engine.trace import slide_cells


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
    is_rate : bool
        Whether the values are probabilities; otherwise only their differences mean something.
    """

    direction: int | None
    values: tuple[float | None, ...]
    source: str
    is_rate: bool = False


class Chooser(Protocol):
    """Chooses moves; one caller at a time, but anybody may stop it."""

    def choose(self, cells: Sequence[int], ms: float) -> Choice:
        """Return a move for 16 exponents, within about so many milliseconds."""

    def stop(self) -> None:
        """Have the choice that is under way answer at once."""


@dataclass(frozen=True)
class ChooserKind:
    """An entry of the player menu: its title, what it does, how to make one."""

    title: str
    about: str
    make: Callable[[], Chooser]


SpawnChooser = Callable[[Sequence[int]], tuple[int, int]]
"""Returns the (cell, exponent) of a new tile for 16 exponents after a slide."""


class SearchChooser:
    """Expectimax by time, or one move ahead.

    Parameters
    ----------
    max_depth : int, optional
        Moves to look ahead at most; as many as there is time for when not given.
    """

    def __init__(self, max_depth: int | None = None) -> None:
        from ai.evaluation import load_evaluation
        from ai.search import Search, Settings

        settings = Settings() if max_depth is None else Settings(max_depth=max_depth)
        self._search = Search(load_evaluation(), settings)
        self._search.by_nodes([1, 1] + [0] * 14, 10)  # compiles

    def choose(self, cells: Sequence[int], ms: float) -> Choice:
        """Return the best move that was found in the time."""
        answer = self._search.by_time(cells, ms)
        ahead = "1 move" if answer.depth == 1 else f"{answer.depth} moves"
        source = f"Search, {ahead} ahead" if answer.depth else ""
        return Choice(answer.direction, answer.values, source)

    def stop(self) -> None:
        """End the search under way."""
        self._search.stop()


class RandomChooser:
    """Any legal move, to see how little that is.

    Parameters
    ----------
    seed : int
    """

    def __init__(self, seed: int) -> None:
        self._rng = Rng(seed)

    def choose(self, cells: Sequence[int], ms: float) -> Choice:  # noqa: ARG002, as others
        """Return one of the legal moves, each equally likely."""
        legal = [d for d in range(4) if slide_cells(cells, d, False, True).cells != tuple(cells)]
        if not legal:
            return Choice(None, (None,) * 4, "")
        return Choice(legal[self._rng.below(len(legal))], (None,) * 4, "Chance")

    def stop(self) -> None:
        """Do nothing: a choice takes no time."""


CHOOSERS: Mapping[str, ChooserKind] = {
    "search": ChooserKind("Search", "Looks as far ahead as there is time for", SearchChooser),
    "one_move": ChooserKind(
        "One move ahead", "Compares the positions after each move", lambda: SearchChooser(1)
    ),
    "random": ChooserKind(
        "Random moves", "Any legal move", lambda: RandomChooser(secrets.randbits(63))
    ),
}


def make_adversary() -> SpawnChooser:
    """Return what places new tiles where they hurt most; see `ai.adversary`."""
    from ai.adversary import Adversary
    from ai.evaluation import load_evaluation

    adversary = Adversary(load_evaluation())
    adversary.choose([1] * 8 + [0] * 8)  # compiles
    return adversary.choose
