"""The luck of the new tiles that led to a position of Practice. No Qt."""

from collections.abc import Callable

from coach.grading.luck import REMEMBERED, spawn_luck
from coach.grading.rated import Rated
from gui.practice.tree import Node


def recent_luck(here: Node, answer_of: Callable[[int], Rated | None]) -> float | None:
    """Return the luck of the worst of the last new tiles, a logarithm; None if unknown.

    Tiles placed by hand don't count, and a position that was set, turned or loaded is a new
    beginning.

    Parameters
    ----------
    here : Node
        The current node.
    answer_of : callable
        Returns the table's answer for a board, None if it was not queried.
    """
    found: list[float] = []
    node = here
    for _ in range(REMEMBERED):
        before, step = node.parent, node.step
        if before is None or step.direction is None or step.spawned is None:
            break
        first, then = answer_of(before.step.board), answer_of(step.board)
        if first and then and not first.are_bounds and not then.are_bounds:
            luck = spawn_luck(first.rates[step.direction], then.certain_rate)
            found += [luck.log] if luck else []
        node = before
    return min(found, default=None)
