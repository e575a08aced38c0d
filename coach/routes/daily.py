"""The route of the day: one for everybody who has the same table."""

import zlib
from dataclasses import replace
from datetime import date

from coach.routes.code import LARGEST_SEED, Route
from coach.routes.run import RouteTable, route_on
from engine.spawn import Rng

DAILY_MOVES = 100
_GAME = Route("", "", 0, is_corrected=False)


def daily_route(day: date, table: RouteTable | None = None) -> Route:
    """Return the route of a day on a table, or the whole game of the day.

    On a table it corrects and ends after `DAILY_MOVES` moves. What there is of it follows from the
    day, the name of the table and its formation.

    Raises
    ------
    RouteCodeError
        There are no routes on this table.
    """
    route = route_on(table, 0, DAILY_MOVES, is_corrected=True) if table else _GAME
    name = zlib.crc32(route.table.encode("ascii"))
    return replace(route, seed=Rng(day.toordinal() << 32 | name).next_u64() & LARGEST_SEED)
