"""Textbook expectimax on lists, to compare searches with."""

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
    return round(16 * math.log2(n_empty / max(chance, 1e-9)))


def locked_cells(board):
    """Return the cells of tiles from 1024 up that can't merge with any other: F never merge."""
    alone = [tile == 15 or list(board).count(tile) == 1 for tile in board]
    return [c for c, tile in enumerate(board) if tile >= 10 and alone[c]]


def keeps(board, after, locked):
    """Return whether each locked tile is where it was, or one step larger."""
    return all(after[c] in (board[c], board[c] + 1) for c in locked)


class SlowSearch:
    """The search of ai.search.expectimax without its table."""

    def __init__(self, edge, inner, dead, points=0.0, spawn4=0.1):
        self.edge, self.inner, self.dead, self.points = edge, inner, dead, points
        self.chances = {1: 1 - spawn4, 2: spawn4}
        self.likely, self.rare = (1, 2) if spawn4 <= 0.5 else (2, 1)

    def after(self, board, depth, slack, n_rare, locked=()):
        """Return the value of an after-state; locked cells are left alone if possible."""
        if depth == 0 or slack < 0:
            return evaluate(board, self.edge, self.inner)
        empty = [cell for cell in range(16) if board[cell] == 0]
        left = {k: slack - spawn_cost(len(empty), self.chances[k]) for k in (1, 2)}
        kinds = (self.rare, self.likely)[n_rare <= 0 or left[self.rare] < 0 :]
        total = 0.0
        for kind in kinds:
            chance = self.chances[kind] if len(kinds) == 2 else 1.0
            for cell in empty:
                spawned = list(board)
                spawned[cell] = kind
                is_last = depth == 1 or left[kind] < 0
                n_left = n_rare - (kind == self.rare)
                best = self.best(spawned, depth - 1, left[kind], n_left, () if is_last else locked)
                total += chance * best / len(empty)
        return total

    def best(self, board, depth, slack, n_rare, locked=()):
        """Return the value of a position to move."""
        moves = [oracle.move(board, direction) for direction in range(4)]
        legal = [(after, points) for after, points in moves if after != board]
        kept = [one for one in legal if keeps(board, one[0], locked)]
        return max(
            (
                self.after(after, depth, slack, n_rare, locked) + self.points * points
                for after, points in kept or legal
            ),
            default=self.dead,
        )

    def values(self, board, depth, slack, n_rare):
        """Return the value of each move of a root, None where it is illegal."""
        found = []
        for direction in range(4):
            after, points = oracle.move(board, direction)
            if after == board:
                found.append(None)
                continue
            value = self.after(after, depth, slack, n_rare, locked_cells(after))
            found.append(value + self.points * points)
        return found
