"""The minigame of the day."""

from datetime import date, timedelta
from itertools import pairwise

from minigames.daily import daily_game
from minigames.registry import GAMES

DAY = date(2026, 3, 5)


def test_every_game_has_its_day():
    games = [daily_game(DAY + timedelta(days=n)) for n in range(len(GAMES))]
    assert sorted(games) == sorted(GAMES)
    families = [GAMES[name].family for name in games]
    assert all(a != b for a, b in pairwise(families)), "something else"
