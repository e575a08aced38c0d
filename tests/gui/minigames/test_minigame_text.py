"""What a minigame says: a tile is written as on the board, points are in groups of three digits."""

import pytest

from gui.minigames.text import run_text, trophy_message
from minigames.records import FinishedRun
from minigames.registry import GAMES


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("ice_age", "You made 1024. Next: 2048."),
        ("endless_explosions", "You passed 40,000 points. Next: 100,000."),
    ],
)
def test_a_trophy_says_what_was_made_and_what_is_next(game, text):
    assert trophy_message(GAMES[game], 1).text == text


def test_the_largest_tile_of_an_old_run_has_no_separator():
    run = FinishedRun(1, 20_480, 1_100, 11, 2048, "stuck", False, "", "2026-03-01T12:00:00+00:00")
    assert run_text(run).startswith("20,480 points \N{MIDDLE DOT} 2048 \N{MIDDLE DOT} 1,100 moves")
