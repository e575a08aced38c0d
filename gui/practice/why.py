"""The rate of a move explained by the rates after every new tile. No Qt.

One tile ahead the rate of a spawn is that of the best reply to it; their mean, weighted by how
probable each is, is the rate of the move itself. Two tiles ahead the mean would be the same again,
so the worst case is shown instead: the lowest rate that the second tile can leave after the best
reply.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from coach.grading.rated import Rated
from engine.bitboard import cells, from_cells
from engine.spawn import possible_spawns
from engine.trace import slide_cells
from gui.play.board_edits import put

Ask = Callable[[Sequence[int]], list[Rated]]


@dataclass(frozen=True)
class Spawn:
    """One new tile and the rate after it.

    Attributes
    ----------
    cell, exponent : int
    probability : float
        Probability of this tile among all.
    rate : float or None
        Rate of the best reply; None if the table doesn't know the position.
    reply : int or None
        The direction of the best reply.
    margin : float or None
        Difference between the best and the second best reply, as a probability; None if there is
        only one.
    worst : float or None
        The lowest rate after the tile following the reply; None if unknown or not looked up yet.
    is_bound : bool
        Whether these rates are lower bounds.
    """

    cell: int
    exponent: int
    probability: float
    rate: float | None = None
    reply: int | None = None
    margin: float | None = None
    worst: float | None = None
    is_bound: bool = False


@dataclass(frozen=True)
class Why:
    """All new tiles after a move.

    Attributes
    ----------
    board, direction : int
        The position and the move.
    after : int
        The position after the move, before the new tile.
    spawns : tuple of Spawn
        By cell, a 2 before a 4; impossible ones are left out.
    n_known : int
        Number of them looked up.
    plies : int
        1, or 2 if `worst` is wanted, too.
    """

    board: int
    direction: int
    after: int
    spawns: tuple[Spawn, ...] = field(default=())
    n_known: int = 0
    plies: int = 1

    @property
    def is_complete(self) -> bool:
        """Whether all lookups are done."""
        return self.n_known == len(self.spawns)

    @property
    def expected(self) -> float | None:
        """The mean rate, if all are known."""
        if not self.is_complete or any(spawn.rate is None for spawn in self.spawns):
            return None
        return sum(spawn.probability * (spawn.rate or 0.0) for spawn in self.spawns)

    @property
    def are_bounds(self) -> bool:
        """Whether the rates are lower bounds."""
        return any(spawn.is_bound for spawn in self.spawns)

    def of(self, exponent: int) -> dict[int, Spawn]:
        """Return the new tiles of one size by cell."""
        return {spawn.cell: spawn for spawn in self.spawns if spawn.exponent == exponent}

    def figure(self, spawn: Spawn) -> float | None:
        """Return the rate to show for a tile: after it, or two tiles ahead."""
        return spawn.worst if self.plies == 2 else spawn.rate

    def by_harm(self) -> list[Spawn]:
        """Return the known ones, worst first; ties by probability."""
        known = [spawn for spawn in self.spawns if self.figure(spawn) is not None]
        return sorted(known, key=lambda spawn: (self.figure(spawn), -spawn.probability))


def begin(board: int, direction: int, walls: bool, spawn4: float, plies: int = 1) -> Why | None:
    """Return all possible tiles after a move, without rates yet; None if it is illegal."""
    before = cells(board)
    found = list(slide_cells(before, direction, walls).cells)
    if found == before:
        return None
    empty = [cell for cell, exponent in enumerate(found) if exponent == 0]
    spawns = tuple([Spawn(*one) for one in possible_spawns(empty, spawn4)])
    return Why(board, direction, from_cells(found), spawns, plies=plies)


def explain(why: Why, walls: bool, spawn4: float, ask: Ask) -> Iterator[Why]:
    """Yield the state after each further spawn; the last one is complete.

    Parameters
    ----------
    why : Why
        As `begin` returned it.
    walls : bool
    spawn4 : float
    ask : callable
        Returns the table's answers for boards; called for one spawn at a time, so that the caller
        can stop between two of them.
    """
    spawns = list(why.spawns)
    for i, spawn in enumerate(spawns):
        board = put(why.after, spawn.cell, spawn.exponent)
        spawns[i] = _known(spawn, ask([board])[0])
        reply = spawns[i].reply
        if why.plies == 2 and reply is not None:
            worst = _worst_after(board, reply, walls, spawn4, ask)
            spawns[i] = replace(spawns[i], worst=worst)
        why = replace(why, spawns=tuple(spawns), n_known=i + 1)
        yield why


def _known(spawn: Spawn, answer: Rated) -> Spawn:
    if answer.certain_rate is None:
        return spawn
    if answer.best is None:
        return replace(spawn, rate=0.0)  # no move is left
    others = sorted((rate for rate in answer.rates if rate is not None), reverse=True)
    margin = others[0] - others[1] if len(others) > 1 else None
    is_bound, rate = answer.are_bounds, answer.best_rate
    return replace(spawn, rate=rate, reply=answer.best, margin=margin, is_bound=is_bound)


def _worst_after(board: int, reply: int, walls: bool, spawn4: float, ask: Ask) -> float | None:
    first = ask([board])[0]
    if first.best_rate >= 1.0:
        return 1.0  # nothing can go wrong anymore, even if the table has no such boards
    next_why = begin(board, reply, walls, spawn4)
    if next_why is None:
        return None
    boards = [put(next_why.after, spawn.cell, spawn.exponent) for spawn in next_why.spawns]
    answers = ask(boards)
    rates = [answer.certain_rate for answer in answers]
    known = [rate for rate in rates if rate is not None]
    return min(known) if len(known) == len(rates) else None
