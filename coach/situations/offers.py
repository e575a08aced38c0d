"""Positions to begin with: where tables start, and where games on them have become harder."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from coach.grading.rated import Rated
from coach.mistakes.mistake import TableKey
from coach.play.table_game import game_on
from engine.spawn import Rng
from tablebase.probe.table import Table

_EASY, _HARD = 0.85, 0.4  # the chance of the goal in harder positions, at most and at least
_MIN_KEPT = 0.7  # of the best rate, that each move on the way there keeps


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


def offers_on(table: Table, rng: Rng, n_harder: int, is_over: Callable[[], bool]) -> list[Offer]:
    """Return the start of a table, then harder positions of careless games on it, easiest first.

    Not every table has harder ones: `is_over` is asked after every move, and ends the search.
    """

    def offer(kind: OfferKind, board: int, rated: Rated) -> Offer:
        key = TableKey(table.name, table.spawn4)
        return Offer(kind, key, board, _chance(rated), table.formation.walls)

    first = next(game_on(table, rng, 1, _MIN_KEPT), None)
    if first is None:
        return []
    harder: list[Offer] = []
    while len(harder) < n_harder and not is_over():
        most = _EASY - (_EASY - _HARD) * len(harder) / (n_harder + 1)
        for board, rated in game_on(table, rng, 1, _MIN_KEPT):
            has_choice = sum(rate is not None for rate in rated.rates) > 1
            if is_found := has_choice and _HARD <= _chance(rated) <= most:
                harder.append(offer(OfferKind.HARDER, board, rated))
            if is_found or _chance(rated) < _HARD or is_over():
                break
    harder.sort(key=lambda one: -one.chance)
    return [offer(OfferKind.START, *first), *harder]


def _chance(rated: Rated) -> float:
    return rated.rates[rated.best or 0] or 0.0
