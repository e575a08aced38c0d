"""One position searched step by step: an answer after each, every one with twice the budget.

What a step has found is in the transposition table of the next one, so the steps together take
little more than the last one alone would.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ai.search.known_positions import Known
from ai.search.search import Answer, Search

FIRST_NODES = 2_000
MOST_NODES = 1 << 40  # of one step


def answers(
    search: Search,
    cells: Sequence[int],
    nodes: int | None,
    known: Known | None,
    is_wanted: Callable[[], bool],
) -> Iterator[Answer]:
    """Yield what a search finds, the nodes and the time of all steps in each answer; one at least.

    It ends when the nodes are used, when it is not wanted any more, and when there is no more to
    find out: one move is legal, or nothing lies deeper.

    Parameters
    ----------
    search : Search
    cells : sequence of 16 int
    nodes : int or None
        Positions to search in all; None for no limit.
    known, is_wanted : callable
        See `ai.search.search.Search.by_nodes`; `is_wanted` is asked before each step.
    """
    used, ms, step = 0, 0.0, FIRST_NODES
    best: Answer | None = None
    while True:
        budget = step if nodes is None else max(1, min(step, nodes - used))
        found = search.by_nodes(cells, budget, known, is_wanted)
        used, ms = used + found.nodes, ms + found.ms
        if best is None or found.depth >= best.depth:  # one that was stopped may have seen less
            best = found
        yield replace(best, nodes=used, ms=ms)
        is_used_up = nodes is not None and used >= nodes
        if is_used_up or found.nodes < budget or not is_wanted():
            return
        step = min(2 * step, MOST_NODES)
