"""Searching one position in steps: an answer after each, doubling the budget every time.

Results of a step stay in the transposition table for the next, so all steps together take little
longer than the last one alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ai.search.known_positions import Known
from ai.search.search import Answer, Search

FIRST_NODES = 2_000
MAX_NODES = 1 << 40  # of one step


def answers(
    search: Search,
    cells: Sequence[int],
    nodes: int | None,
    known: Known | None,
    is_wanted: Callable[[], bool],
) -> Iterator[Answer]:
    """Yield at least one answer, each with the total nodes and time of all steps so far.

    It ends when the nodes are used, when it is no longer wanted, or when there is nothing left to
    find: only one move is legal, or nothing lies deeper.

    Parameters
    ----------
    search : Search
    cells : sequence of 16 int
    nodes : int or None
        Positions to search in all; None for no limit.
    known, is_wanted : callable
        See `ai.search.search.Search.by_nodes`; `is_wanted` is called before each step.
    """
    used, ms, step = 0, 0.0, FIRST_NODES
    best: Answer | None = None
    while True:
        budget = step if nodes is None else max(1, min(step, nodes - used))
        found = search.by_nodes(cells, budget, known, is_wanted)
        used, ms = used + found.nodes, ms + found.ms
        if best is None or found.depth >= best.depth:  # a stopped one may have seen less
            best = found
        yield replace(best, nodes=used, ms=ms)
        is_used_up = nodes is not None and used >= nodes
        if is_used_up or found.nodes < budget or not is_wanted():
            return
        step = min(2 * step, MAX_NODES)
