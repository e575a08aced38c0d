"""Boards that optimal play reaches, by brute force: the twin of `optimal_replies`, on dictionaries.

A board is kept in layer i >= 21 when it, or an image of it, is the best reply to some spawn on a
board that is kept in layer i - 1 (a 2) or i - 2 (a 4): the first of equal ones in the order left,
right, up, down, and better than 0. Rates are those that the table stores; a reached board counts 1.
"""

from collections.abc import Callable, Iterable

import brute_force
from brute_force import Moves, Rules

FIRST = 21
Rates = list[dict[int, float]]


def optimal_boards(
    rules: Rules,
    stored: Rates,
    positions: Callable[[int], Iterable[int]],
    is_held: Callable[[int], bool],
) -> list[set[int]]:
    """Return the stored boards (canonical: rate) of each layer that optimal play reaches.

    `positions` returns the images of a board next to it; `is_held` returns whether one of them is
    examined after a spawn, at least one of all. Each image has its own order of moves.
    """
    moves = Moves(rules)
    kept: list[set[int]] = []
    for layer, rates in enumerate(stored):
        if layer < FIRST:
            kept.append(set(rates))
            continue
        best = set()
        for tile in (1, 2):
            for board in kept[layer - tile]:
                for image in positions(board):
                    for pre in filter(is_held, brute_force.spawned_boards(image, tile)):
                        best.add(_best_reply(rules, moves, rates, pre))
        kept.append(best - {None})
    return kept


def _best_reply(rules: Rules, moves: Moves, rates: dict[int, float], pre: int) -> int | None:
    """Return the canonical after-state of the best move; None when none is needed."""
    reply, highest = None, 0.0
    for after in moves.slides(pre):
        if after == pre or not moves.is_inside(after):
            continue
        board = moves.canonical(after)
        reached = brute_force.has_reached(rules, after)
        rate = 1.0 if reached else rates.get(board, 0.0)
        if rate > highest:
            reply, highest = (None if reached else board), rate
    return reply
