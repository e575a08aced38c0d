"""The minigame of the day: one for everybody, and every one has its day."""

from datetime import date

from minigames.registry import GAMES

_STRIDE = 7  # from one day's game to the next; has no divisor in common with how many there are


def daily_game(day: date) -> str:
    """Return the game of a day: the same for everybody, each one once until all had their turn."""
    names = list(GAMES)
    return names[day.toordinal() * _STRIDE % len(names)]
