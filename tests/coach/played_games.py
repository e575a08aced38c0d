"""Games through the formation of a table, well and badly played, by the real rules."""

import random

from coach.analysis.coverage import Coverage, LargeTiles
from engine.bitboard import cells
from engine.formats.replay import replay_of
from engine.game import Game
from engine.geometry import destinations, permute
from tablebase.formation.goal import goal_of


def start_cells(table, chance):
    """A seed of the table, its F other large tiles, in any orientation."""
    board = cells(permute(table.formation.seeds[0], chance.choice(destinations("full"))))
    lowest = goal_of(table.target).least_large
    large = chance.sample(range(lowest, 16), board.count(15))
    return [large.pop() if tile == 15 else tile for tile in board]


def played_game(table, seed, n_moves=400, best_share=0.8):
    """Return the record of a game: best moves where the table knows some, else any.

    One other move in five may leave the formation. A move that the table does not know counts as
    one of rate 0.
    """
    chance = random.Random(seed)
    game, coverage = Game(start_cells(table, chance), seed=seed), Coverage(table)
    while game.n_moves < n_moves and (legal := game.legal_moves()):
        answer = coverage.answer(LargeTiles(game.cells))
        rates, unknown = (answer.rates, answer.unknown) if answer else ((None,) * 4, ())
        inside = [one for one in legal if rates[one] is not None or one in unknown]
        if inside and chance.random() < best_share:
            game.move(max(inside, key=lambda one: rates[one] or 0.0))
        else:
            stays = inside and chance.random() < 0.8
            game.move(chance.choice(inside if stays else legal))
    return replay_of(game)
