"""The luck of the new tiles that led to a position of Practice. No Qt."""

from collections.abc import Callable

from coach.grading.luck import REMEMBERED, spawn_luck
from gui.core.lookup import Answer
from gui.practice.tree import Node


def recent_luck(here: Node, answer_of: Callable[[int], Answer | None]) -> float | None:
    """Return the worst of the last new tiles, as a logarithm; None where none is known.

    Tiles that a person placed are no luck, and a position that was set, turned or loaded is the
    beginning of another story.

    Parameters
    ----------
    here : Node
        Where the person is.
    answer_of : callable
        Returns what the table has said of a board, None where it was not asked.
    """
    found: list[float] = []
    node = here
    for _ in range(REMEMBERED):
        before, step = node.parent, node.step
        if before is None or step.direction is None or step.spawned is None:
            break
        first, then = answer_of(before.step.board), answer_of(step.board)
        if first and then and not first.are_bounds and not then.are_bounds:
            luck = spawn_luck(first.rates[step.direction], _best_of(then))
            found += [luck.log] if luck else []
        node = before
    return min(found, default=None)


def _best_of(answer: Answer) -> float | None:
    return None if answer.reading is None else answer.certain_rate
