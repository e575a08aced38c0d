"""Positions to begin with: where tables start, and where games on them have become harder."""

from dataclasses import dataclass
from enum import Enum

from coach.mistakes.mistake import TableKey
from coach.play.table_game import game_on
from engine.spawn import Rng
from tablebase.probe.table import Table

_EASY, _HARD = 0.85, 0.4  # the chance of the goal in harder positions, at most and at least
_LEAST = 0.7  # of the best rate, that each move on the way there keeps
_MAX_GAMES = 30


class OfferKind(Enum):
    """Where a position comes from."""

    START = "start"
    HARDER = "harder"
    MISTAKE = "mistake"


@dataclass(frozen=True)
class Offer:
    """A position of a table."""

    kind: OfferKind
    key: TableKey
    board: int
    chance: float  # of the goal, with best play
    walls: bool = False


def offers_on(table: Table, rng: Rng, n_harder: int) -> list[Offer]:
    """Return the start of a table, then harder positions of careless games on it, easiest first."""
    key, walls = TableKey(table.name, table.spawn4), table.formation.walls
    start: list[Offer] = []
    harder: list[Offer] = []
    for _ in range(_MAX_GAMES if n_harder > 0 else 1):
        most = _EASY - (_EASY - _HARD) * len(harder) / (max(n_harder, 0) + 1)
        for board, rated in game_on(table, rng, 1, _LEAST):
            chance = rated.rates[rated.best or 0] or 0.0
            if not start:
                start = [Offer(OfferKind.START, key, board, chance, walls)]
                if n_harder <= 0:
                    break
            elif chance <= most:
                if chance >= _HARD:
                    harder.append(Offer(OfferKind.HARDER, key, board, chance, walls))
                break
        if len(harder) == n_harder:
            break
    return [*start, *sorted(harder, key=lambda offer: -offer.chance)]
