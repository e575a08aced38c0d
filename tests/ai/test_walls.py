"""Walls: which positions have them, and that a search with a network leaves them alone."""

import random
from collections import Counter

import numpy as np
import pytest

from ai.errors import WeightsError
from ai.evaluation.evaluation import Evaluation, load_evaluation, read_weights
from ai.evaluation.tuple_net import N_WEIGHTS, tuple_net
from ai.evaluation.walls import GOALS, MIN_CHANCE, SHAPES, goal_of, walled_board
from ai.match.selfplay import HOPELESS, new_tally, play
from ai.search.search import Search
from engine.bitboard import cells as cells_of
from tests import oracle
from tests.ai.walled_boards import walled_boards


def with_tiles(board, tiles, rng):
    """Return a board with its F replaced by tiles in any order."""
    left = rng.sample(tiles, len(tiles))
    return [left.pop() if tile == 15 else tile for tile in board]


PICTURES = ("##.. ##..", "###. #...", "###. .#..", "#.#. ##..", ".##. ##..")


def is_shape(places, pictures=PICTURES):
    """Return whether four cells are a shape in any orientation, by the pictures."""
    for picture in pictures:
        board = [int(mark == "#") for mark in picture.replace(" ", "")] + [0] * 8
        for name in oracle.SYMMETRIES:
            image = oracle.transform(board, name)
            if {cell for cell in range(16) if image[cell]} == places:
                return True
    return False


def slow_goal(board):
    tiles = sorted((tile for tile in board if tile), reverse=True)
    walls, others = tiles[:4], tiles[4:]
    if len(set(walls)) < 4 or walls[-1] not in (10, 11) or walls[-1] in others:
        return 0
    needs_no_half = walls[-1] == 10 or walls[-1] - 1 in others
    pictures = PICTURES if needs_no_half else PICTURES[:1]
    places = {cell for cell in range(16) if board[cell] in walls}
    return walls[-1] if is_shape(places, pictures) else 0


def positions(seed, n):
    """Return boards with walls, boards that nearly have them, and others."""
    rng = random.Random(seed)
    found = []
    for board in walled_boards(seed, n, 8):
        tiles = (
            rng.sample(range(9, 18), 4) if rng.random() < 0.7 else rng.choices(range(9, 18), k=4)
        )
        board = with_tiles(board, tiles, rng)
        for _ in range(rng.choice((0, 0, 1, 2))):
            i, j = rng.randrange(16), rng.randrange(16)
            board[i], board[j] = board[j], board[i]
        if rng.random() < 0.5:
            board[rng.randrange(16)] = rng.randint(8, 12)
        found.append(board)
    return found


def test_walls_are_found_as_by_hand():
    goals = Counter()
    for board in positions(3, 4000):
        got = int(goal_of(np.array(board, np.uint8)))
        assert got == slow_goal(board), board
        goals[got] += 1
    assert min(goals[0], goals[10], goals[11]) > 100


def test_the_four_largest_become_f():
    for board in positions(4, 1000):
        if slow_goal(board):
            least = sorted(board)[-4]
            want = [15 if tile >= least else tile for tile in board]
            assert list(cells_of(int(walled_board(np.array(board, np.uint8))))) == want


def test_shapes_are_four_cells():
    assert {bin(shape).count("1") for shape in SHAPES} == {16}


@pytest.fixture(scope="module")
def search():
    return Search(load_evaluation())


def keeps_walls(board, after):
    largest = sorted(board)[-4]
    return all(
        after[cell] in (tile, tile + 1) for cell, tile in enumerate(board) if tile >= largest
    )


@pytest.mark.thorough
def test_no_move_breaks_the_walls_as_long_as_another_is_legal(search):
    rng, n_kept = random.Random(8), 0
    for walled in walled_boards(9, 600, 10):
        board = with_tiles(walled, [11, 12, 13, 14], rng)
        if slow_goal(board) != 11:
            continue
        moved = {d: oracle.move(board, d)[0] for d in range(4)}
        legal = {d for d in range(4) if moved[d] != board}
        keeping = {d for d in legal if keeps_walls(board, moved[d])}
        answer = search.by_nodes(board, 200)
        assert {d for d in range(4) if answer.values[d] is not None} == legal
        if not legal or not answer.is_chance:
            continue
        if keeping:
            assert answer.direction in keeping
            assert all(answer.values[d] == 0 for d in legal - keeping)
            n_kept += 1
        assert all(0 <= answer.values[d] <= 1 for d in legal)
    assert n_kept > 100


@pytest.mark.thorough
def test_walls_give_way_when_nothing_else_is_legal():
    board = [0, 1, 13, 14, 0, 3, 11, 12, 0, 5, 2, 6, 0, 0, 0, 0]
    assert slow_goal(board) == 11
    answer = Search(Evaluation(read_weights(), nets=blind_nets(2000))).by_nodes(board, 100)
    assert answer.is_chance
    left, down = 0, 3
    assert answer.direction in (left, down)
    assert [d for d in range(4) if answer.values[d]] == [left, down]


def blind_nets(steps):
    """Return networks to which all is worth the same."""
    weights = np.full(N_WEIGHTS, steps, np.int16)  # 200 MB: one for all
    return [tuple_net(weights, 1e-5, goal) for goal in GOALS]


@pytest.mark.thorough
def test_lines_take_over_where_the_network_sees_no_chance():
    board = [14, 13, 12, 1, 11, 10, 3, 2, 0, 0, 0, 0, 1, 0, 0, 0]
    assert slow_goal(board) == 11
    hopeless = Search(Evaluation(read_weights(), nets=blind_nets(int(MIN_CHANCE / 32e-5) - 1)))
    lines = Search(Evaluation(read_weights()))
    answer, want = hopeless.by_nodes(board, 500), lines.by_nodes(board, 500)
    assert not answer.is_chance
    assert (answer.direction, answer.values) == (want.direction, want.values)
    hopeful = Search(Evaluation(read_weights(), nets=blind_nets(int(MIN_CHANCE / 32e-5) + 1)))
    assert hopeful.by_nodes(board, 500).is_chance
    array, tally = np.array(board, np.uint8), new_tally()
    phase, _ = hopeless.evaluation.look(array)
    hopeless.enter(phase)
    ended = play(
        array, np.array([1], np.uint64), tally, 5, (0, phase.until_sum), phase.goal, False, 15, 0.1,
        hopeless.settings.plan(100), phase.rules, phase.evaluator, hopeless.table,
        hopeless.control, hopeless.values,
    )  # fmt: skip
    assert ended == HOPELESS
    assert (array.tolist(), tally.sum()) == (board, 0)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
def test_moves_in_machine_code_are_those_of_the_search(seed):
    """And they end where the walls end, or become others."""
    one, other = Search(load_evaluation()), Search(load_evaluation())
    cells = np.array([14, 13, 12, 1, 11, 10, 3, 2, 0, 0, 0, 0, 1, 0, 0, 0], np.uint8)
    state, n_moves = np.array([seed], np.uint64), 0

    def play_on(goal, n_most):
        tally, phase = new_tally(), one.evaluation.look(cells)[0]
        one.enter(phase)
        play(
            cells, state, tally, n_most, (0, phase.until_sum), goal, False, 15, 0.1,
            one.settings.plan(200), phase.rules, phase.evaluator, one.table, one.control,
            one.values,
        )  # fmt: skip
        return tally.sum()

    while slow_goal(cells.tolist()) == 11:
        before = cells.tolist()
        answer = other.by_nodes(before, 200)
        played = play_on(11, 1)
        assert bool(played) == answer.is_chance
        if not played:
            break
        after = oracle.move(before, answer.direction)[0]
        assert sum(a != b for a, b in zip(after, cells.tolist(), strict=True)) == 1
        n_moves += 1
    assert n_moves > 5
    if slow_goal(cells.tolist()) != 11:
        assert play_on(11, 5) == 0


def test_networks_come_for_each_goal_or_not_at_all():
    nets = blind_nets(1)
    assert Evaluation(read_weights(), nets=nets).phase_of(0).leaves_walls
    assert not Evaluation(read_weights()).phase_of(0).leaves_walls
    for some in (nets[:1], nets[1:], nets[:1] * 2):
        with pytest.raises(WeightsError, match="one network for each goal"):
            Evaluation(read_weights(), nets=some)
