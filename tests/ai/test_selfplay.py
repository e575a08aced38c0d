"""Games in machine code are the games of engine.game."""

import numpy as np
import pytest

from ai.evaluation.evaluation import Evaluation, read_weights
from ai.match.players import MainPlayer
from ai.match.selfplay import MOVES, OVER, SCORE, new_tally, play
from ai.search.search import Search
from engine.game import Game
from engine.kernels.cells import slide_cells, spawn_in_cells
from tests import oracle
from tests.engine.boards import random_boards


def test_every_slide_is_that_of_the_rules():
    """With 32768 merging, and 65536 too."""
    for board in random_boards(21, 400, largest=16):
        for direction in range(4):
            want, points = oracle.move(board, direction, merge_32768=True)
            cells = np.array(board, np.uint8)
            got = slide_cells(cells, direction)
            assert cells.tolist() == want
            assert got == (points if want != board else -1)


@pytest.mark.parametrize(
    "start",
    [None, [15, 15, 14, 13, 9, 10, 11, 12, 2, 0, 1, 0, 0, 0, 0, 1], [16, 16] + [0] * 13 + [1]],
)
def test_a_game_goes_as_in_the_engine(start):
    """Move by move: same board, same score, same spawns."""
    seed = 77
    game = Game.new(seed) if start is None else Game(start, seed=seed)
    search = Search(Evaluation(read_weights()))
    state, tally = np.array([seed], np.uint64), new_tally()
    cells = np.array(start or [0] * 16, np.uint8)
    if start is None:
        spawn_in_cells(cells, state, 0.1)
        spawn_in_cells(cells, state, 0.1)
    for _ in range(300):
        assert tuple(cells.tolist()) == game.cells
        phase = search.evaluation.phase_of(1 << 20)
        search.enter(phase)
        plan = search.settings.plan(20)
        ended = play(
            cells, state, tally, 1, (0, 1 << 40), -1, False, 15, 0.1, plan,
            phase.rules, phase.evaluator, search.table, search.control, search.values,
        )  # fmt: skip
        if ended == OVER:
            assert game.is_over
            break
        assert game.move(int(np.argmax(search.values))) is not None
    assert (int(tally[SCORE]), int(tally[MOVES])) == (game.score, game.n_moves)


@pytest.mark.thorough
def test_same_seed_and_nodes_give_the_same_game():
    games = []
    for _ in range(2):
        player = MainPlayer()
        player.play(5, nodes=5)  # what was played before does not matter
        game = player.play(6, nodes=30)
        games.append((game.score, game.moves, game.final, game.nodes, game.depths))
    assert games[0] == games[1]


def test_a_game_ends_without_moves_and_counts_its_points():
    game = MainPlayer().play(3, nodes=10)
    final = [int(digit, 18) for digit in game.final]
    assert oracle.is_over(final)
    # Every tile 2**e made of twos alone gives (e - 1) * 2**e points; a four gives 4 too few.
    most = sum((e - 1) << e for e in final)
    n_fours = (most - game.score) / 4
    assert n_fours == int(n_fours)
    assert 0.06 < n_fours / (game.moves + 2) < 0.14


@pytest.mark.thorough
def test_milliseconds_are_kept_on_average():
    game = MainPlayer().play(4, ms=0.2)
    assert 0.08 < 1000 * game.cpu_s / game.moves < 0.5
