"""The daily minigame: the same for everybody, and every variant has its day."""

from datetime import date

from minigames.registry import GAMES

_STRIDE = 7  # step from one day's game to the next; coprime to the number of games


def daily_game(day: date) -> str:
    """Return the game of a day: the same for everybody, each once until all had their turn."""
    names = list(GAMES)
    return names[day.toordinal() * _STRIDE % len(names)]
