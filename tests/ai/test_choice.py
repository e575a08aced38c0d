"""The players that the window offers."""

import threading
import time

import pytest

from ai.choice import CHOOSERS, LadderChooser, SearchChooser
from engine.bitboard import LEFT, RIGHT, cells
from engine.game import Game

OVER = cells(0x1212_2121_1212_2121)


@pytest.mark.parametrize("name", list(CHOOSERS))
def test_each_plays_legal_moves_and_says_where_they_come_from(name):
    chooser, game = CHOOSERS[name].make([], 0.1), Game.new(seed=4)
    for _ in range(30):
        choice = chooser.choose(game.cells, 1)
        assert choice.direction in game.legal_moves()
        assert choice.source
        valued = [d for d in range(4) if choice.values[d] is not None]
        assert valued in (game.legal_moves(), [])
        if valued:
            assert choice.values[choice.direction] == max(choice.values[d] for d in valued)
        game.move(choice.direction)
    assert chooser.choose(OVER, 1).direction is None


def test_chance_takes_every_legal_move():
    chooser = LadderChooser("random", 1)
    board = cells(0x0100_0000_0000_0000)
    assert {chooser.choose(board, 1).direction for _ in range(60)} == {LEFT, RIGHT, 3}


def test_a_search_of_minutes_ends_when_stopped():
    chooser = SearchChooser()
    board = cells(0x0010_0120_1230_2431)
    chooser.choose(board, 1)
    ended: list[float] = []

    def search() -> None:
        chooser.choose(board, 60_000)
        ended.append(time.monotonic())

    thread = threading.Thread(target=search)
    thread.start()
    time.sleep(0.3)
    assert not ended
    stopped = time.monotonic()
    chooser.stop()
    thread.join(10)
    assert ended
    assert ended[0] - stopped < 0.1
