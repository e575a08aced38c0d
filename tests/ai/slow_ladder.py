"""The players of the ladder on lists, as their sources describe them."""

import itertools

from engine.spawn import Rng
from tests import oracle


def lines_of(board):
    return oracle.rows(board) + oracle.rows(oracle.transposed(board))


def port_score(board):
    """Seed 002: see ai.evaluation.line_scores."""
    total = 100_000
    for line in lines_of(board):
        total += 10_000 * line.count(0)
        total += 20_000 * (line.index(max(line)) in (0, 3))
        total += 1_000 * sum(abs(a - b) == 1 for a, b in itertools.pairwise(line))
        total += 10_000 * (line in (sorted(set(line)), sorted(set(line), reverse=True)))
    return total


def matrix_score(board):
    weights = [32, 16, 8, 4, 16, 8, 4, 2, 8, 4, 2, 1, 4, 2, 1, 1]
    return sum(w * 2**e if e else 24 for w, e in zip(weights, board, strict=True))


def features(board):
    """Seed 003: the six named features."""
    both = [(a, b) for line in lines_of(board) for a, b in itertools.pairwise(line)]
    mono = 0
    for line in lines_of(board):
        steps = [b - a for a, b in itertools.pairwise(line)]
        mono -= min(sum(s for s in steps if s > 0), -sum(s for s in steps if s < 0))
    return {
        "empty": board.count(0),
        "max": max(board),
        "smooth": -sum(abs(a - b) for a, b in both if a and b),
        "mono": mono,
        "merge_potential": sum(a == b != 0 for a, b in both),
        "corner_max": int(max(board) in (board[0], board[3], board[12], board[15])),
    }


def legal_moves(board):
    found = [(way, *oracle.move(board, way)) for way in range(4)]
    return [(way, after, points) for way, after, points in found if after != board]


class ChanceSearch:
    """Expectimax that cuts improbable lines and remembers boards near the root."""

    def __init__(self, score, least_chance, max_depth, cache_depth):
        self.score, self.least_chance = score, least_chance
        self.max_depth, self.cache_depth = max_depth, cache_depth
        self.hits = self.slides = 0

    def root(self, board):
        values = [float("-inf")] * 4
        for way, after, _ in legal_moves(board):
            self.memory = {}
            values[way] = self.after(after, 1.0, 0)
        return values

    def after(self, after, chance, depth):
        """Cells are taken from the last one on, twos before fours: what is remembered depends."""
        empty = [cell for cell in range(15, -1, -1) if after[cell] == 0]
        total = 0.0
        for cell in empty:
            for exponent, p in ((1, 0.9), (2, 0.1)):
                board = list(after)
                board[cell] = exponent
                total += p * self.position(board, chance / len(empty) * p, depth)
        return total / len(empty)

    def position(self, board, chance, depth):
        if chance < self.least_chance or depth >= self.max_depth:
            return self.score(board)
        if depth < self.cache_depth and tuple(board) in self.memory:
            self.hits += 1
            return self.memory[tuple(board)]
        self.slides += 4
        values = [self.after(after, chance, depth + 1) for _, after, _ in legal_moves(board)]
        best = max(values, default=0.0)
        if depth < self.cache_depth:
            self.memory[tuple(board)] = best
        return best


def sampled_cells(board, k, seed):
    """Return K empty cells by selection sampling from the last cell on, the board as a seed."""
    empty = [cell for cell in range(15, -1, -1) if board[cell] == 0]
    if len(empty) <= k:
        return empty
    number = int("".join(f"{exponent:x}" for exponent in board), 16)
    rng, chosen = Rng(number ^ seed), []
    for i, cell in enumerate(empty):
        if ((rng.next_u64() >> 32) * (len(empty) - i)) >> 32 < k - len(chosen):
            chosen.append(cell)
    return chosen


class LinearSearch:
    """Expectimax to a number of plies over weighted features."""

    def __init__(self, params, k, seed):
        self.params, self.k, self.seed = params, k, seed

    def value(self, board):
        found = features(board)
        return sum(self.params[name] * found[name] for name in found)

    def root(self, board, depth):
        values = [float("-inf")] * 4
        for way, after, points in legal_moves(board):
            values[way] = points + self.after(after, depth - 1)
        return values

    def after(self, after, depth):
        if depth == 0:
            return self.value(after)
        cells = sampled_cells(after, self.k, self.seed)
        total = 0.0
        for cell in cells:
            for exponent, p in ((1, 0.9), (2, 0.1)):
                board = list(after)
                board[cell] = exponent
                total += p * self.position(board, depth - 1)
        return total / len(cells)

    def position(self, board, depth):
        moves = legal_moves(board) if depth else []
        if not moves:
            return self.value(board)
        return max(points + self.after(after, depth - 1) for _, after, points in moves)
