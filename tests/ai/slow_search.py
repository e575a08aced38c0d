"""Expectimax as in the books, on lists, for the searches of tests to agree with."""

import math

from tests import oracle


def transposed_lines(board):
    return oracle.rows(board) + oracle.rows(oracle.transposed(board))


def line_number(line):
    return line[0] << 12 | line[1] << 8 | line[2] << 4 | line[3]


def evaluate(board, edge, inner):
    """Return the value of a board from its line values: the better direction of both axes."""
    total = 0
    for four in (oracle.rows(board), oracle.rows(oracle.transposed(board))):
        tables = (edge, inner, inner, edge)
        forward = sum(round(t[line_number(x)]) for t, x in zip(tables, four, strict=True))
        backward = sum(round(t[line_number(x[::-1])]) for t, x in zip(tables, four, strict=True))
        total += max(forward, backward)
    return total


def spawn_cost(n_empty, chance):
    return round(16 * math.log2(n_empty / chance))


class SlowSearch:
    """The search of ai.expectimax without its table."""

    def __init__(self, edge, inner, dead, points=0.0, spawn4=0.1):
        self.edge, self.inner, self.dead, self.points = edge, inner, dead, points
        self.chances = {1: 1 - spawn4, 2: spawn4}

    def after(self, board, depth, slack, fours):
        """Return the value of an after-state."""
        if depth == 0 or slack < 0:
            return evaluate(board, self.edge, self.inner)
        empty = [cell for cell in range(16) if board[cell] == 0]
        left = {k: slack - spawn_cost(len(empty), self.chances[k]) for k in (1, 2)}
        kinds = (2, 1) if fours > 0 and left[2] >= 0 else (1,)
        total = 0.0
        for kind in kinds:
            chance = self.chances[kind] if len(kinds) == 2 else 1.0
            for cell in empty:
                spawned = list(board)
                spawned[cell] = kind
                best = self.best(spawned, depth - 1, left[kind], fours - (kind == 2))
                total += chance * best / len(empty)
        return total

    def best(self, board, depth, slack, fours):
        """Return the value of a position to move."""
        return max((v for v in self.values(board, depth, slack, fours) if v is not None),
                   default=self.dead)  # fmt: skip

    def values(self, board, depth, slack, fours):
        """Return the value of each move, None where it is illegal."""
        found = []
        for direction in range(4):
            after, points = oracle.move(board, direction)
            legal = after != board
            value = self.after(after, depth, slack, fours) + self.points * points if legal else None
            found.append(value)
        return found
