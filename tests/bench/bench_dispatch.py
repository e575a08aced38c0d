"""Do the rules of the game and a table agree? Games by the dispatcher against the exact rate.

    python -m tests.bench.bench_dispatch TABLE_FOLDER [--games 5000] [--seed 1]

Every game starts from a seed of the table, its F replaced by different large tiles, in a random
orientation, and is played by the rules of the whole game: each move as the dispatcher chooses it,
with a small search where the table leaves the choice open. It is won with the target, and lost once
the table gives it up. The share of games won should be the exact rate of the seed. Also measured:
CPU per move, and how many moves each source decided.
"""

import argparse
import random
import time
from collections import Counter
from pathlib import Path

import numpy as np

from ai.dispatch.dispatcher import Dispatcher
from ai.dispatch.open_tables import OpenTables
from ai.evaluation.evaluation import load_evaluation
from ai.match.report import wilson
from ai.search.search import Search
from engine.bitboard import cells
from engine.geometry import destinations, permute
from engine.kernels.cells import slide_cells, spawn_in_cells
from tablebase.library.opening import open_table

NODES = 100


def start_of(seed_board: int, target: int, chance: random.Random) -> list[int]:
    """Return a seed with large tiles, none of them the target, in a random orientation."""
    board = cells(permute(seed_board, chance.choice(destinations("full"))))
    lowest = target.bit_length()  # twice the target
    large = chance.sample(range(lowest, 18), board.count(15))
    return [large.pop() if tile == 15 else tile for tile in board]


class Games:
    """Games of one table, and their outcomes."""

    def __init__(self, path: Path) -> None:
        with open_table(path) as table:
            self.seed_board = table.formation.seeds[0]
            self.target, self.exact = table.target, table.rate_of(self.seed_board)
        self.dispatcher = Dispatcher(OpenTables([path]), least_rate=0.0)
        self.search = Search(load_evaluation())
        self.sources: Counter[str] = Counter()
        self.asking_s = 0.0

    def play(self, seed: int) -> bool:
        """Play one game; return whether it is won."""
        exponent = self.target.bit_length() - 1
        board = start_of(self.seed_board, self.target, random.Random(seed))
        array, state = np.array(board, np.uint8), np.array([seed], np.uint64)
        spawn_in_cells(array, state, 0.1)
        while True:
            if exponent in (board := array.tolist()):
                return True
            began = time.thread_time()
            verdict = self.dispatcher.ask(board)
            self.asking_s += time.thread_time() - began
            if verdict is None or verdict.best_rate <= 0:
                return False
            choice = self.dispatcher.choose(
                board, lambda b, known: self.search.by_nodes(b, NODES, known)
            )
            self.sources[choice.source] += 1
            slide_cells(array, choice.direction)
            if exponent in array:
                return True
            spawn_in_cells(array, state, 0.1)


def main() -> None:
    """Play the games; print their outcomes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    games = Games(args.table)
    n_won = 0
    for i in range(args.games):
        n_won += games.play(args.seed + i)
        if (i + 1) % 500 == 0 or i + 1 == args.games:
            tell(games, n_won, i + 1)


def tell(games: Games, n_won: int, n_games: int) -> None:
    """Print the share of games won so far."""
    low, high = wilson(n_won, n_games)
    n_moves = sum(games.sources.values())
    shares = ", ".join(f"{name} {n / n_moves:.1%}" for name, n in games.sources.most_common())
    print(
        f"{n_games} games: {n_won / n_games:.4f} ({low:.4f} to {high:.4f}), exact "
        f"{games.exact:.4f}; {1000 * games.asking_s / n_moves:.3f} ms of CPU to ask, "
        f"{n_moves / n_games:.0f} moves a game: {shares}",
        flush=True,
    )


if __name__ == "__main__":
    main()
