"""The best line beside the game's: the same tiles, never worse in what is expected."""

import pytest

from coach.grading.principal_variation import best_line, played_line
from engine.bitboard import cells, from_cells
from engine.formats.replay import ReplayMove
from engine.trace import slide_cells
from tablebase.probe.reader import Tablebase
from tests.coach.played_games import played_game


@pytest.fixture(scope="module")
def opened(table):
    with Tablebase.open(table("442", 64)) as found:
        yield found


def rates_at(opened):
    def rates(board):
        answer = opened.get(board)
        return answer.rates if answer else (None,) * 4

    return rates


def test_the_best_line_takes_the_best_move_and_the_games_tiles(opened):
    n_lines = n_same_tile = 0
    at = rates_at(opened)
    for seed in range(12):
        game = played_game(opened, seed)
        boards = [from_cells(position) for position in game.positions()]
        for start in range(0, len(game.moves) - 5, 7):
            moves = game.moves[start : start + 5]
            line = best_line(at, boards[start], moves)
            assert len(line.rates) == len(line.directions) + 1
            board = boards[start]
            for direction, move, rate, after_rate in zip(
                line.directions, moves, line.rates, line.rates[1:], strict=False
            ):
                rates = at(board)
                assert rates[direction] == rate == max(one for one in rates if one is not None)
                after = list(slide_cells(tuple(cells(board)), direction).cells)
                if after[move.cell]:
                    break  # a typical tile fell: the rest is looked at in the test below
                after[move.cell] = move.exponent
                board = from_cells(after)
                assert after_rate == max((r for r in at(board) if r is not None), default=None)
                n_same_tile += 1
            n_lines += 1
    assert n_lines > 20
    assert n_same_tile > 50


def test_a_tile_whose_cell_is_taken_is_a_typical_two():
    rates = {}

    def at(board):
        return rates.get(board, (0.2, None, None, None))

    start = from_cells([1] + [0] * 15)  # moves right to cell 3, where the game's tile would be
    rates[start] = (None, 0.9, 0.1, 0.3)
    near = from_cells([1, 0, 0, 1] + [0] * 12)
    rates[near] = (0.1, 0.88, None, None)
    line = best_line(at, start, [ReplayMove(3, 3, 2)])
    assert line.directions == (1,)
    assert line.rates == (0.9, 0.88)


def test_a_line_ends_where_nothing_is_known_or_left():
    moves = [ReplayMove(0, 15, 1)] * 5
    assert best_line(lambda _: (None,) * 4, 0x12, moves).directions == ()
    assert best_line(lambda _: (0.0, None, 0.0, None), 0x12, moves).rates == (0.0,)


def test_a_bad_move_shows_at_the_beginning_of_its_line():
    line = played_line(lambda _: (0.9, 0.6, None, None), [0x12, 0x34], [ReplayMove(1, 15, 1)])
    assert line.rates == (0.6, 0.9), "the tile made up for it"


def test_the_line_played_is_that_of_the_game(opened):
    game = played_game(opened, 3)
    boards = [from_cells(position) for position in game.positions()]
    line = played_line(rates_at(opened), boards[:4], game.moves[:3])
    assert line.directions == tuple(move.direction for move in game.moves[:3])
    answers = [opened.get(board) for board in boards[:4]]
    known = [[rate for rate in one.rates if rate is not None] for one in answers[1:]]
    first = answers[0].rates[game.moves[0].direction]
    assert line.rates == (first, *(max(rates, default=None) for rates in known))
    assert sum(rate is not None for rate in line.rates) >= 2
