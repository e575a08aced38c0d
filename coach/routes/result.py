"""The result of a run: the figures to compare, and the line of text that carries them.

``2048 route 442-512-08C2T0-4G1ZK3-VWM7E: 97.3128 %, 3 mistakes, 100 moves, 4:10 #QD7M``: the words
may be of any language, the numbers stand in this order. After the # are two digits that identify
the moves on the board (`RouteResult.line`) and two check digits over code and numbers, as in a
code, to detect typing errors. Nothing prevents making a result up.
"""

import math
import re
import zlib
from dataclasses import dataclass

from coach.play.run import Run
from coach.routes.code import (
    DIGITS,
    Route,
    RouteCodeError,
    check_digits,
    code_of,
    digits_of,
    is_checked,
    number_of,
    read_code,
)
from coach.routes.setup import route_of
from engine.platform.language import tr, trn

YOU, TABLE, RECEIVED = "", "table", "received"
"""The player of a route; anything else is the name of an AI."""

_MILLIONTHS = 1_000_000
_MAX_CHARACTERS = 400
_LINE = re.compile(r"([0-9A-Za-z]+(?:-[0-9A-Za-z]+)+)\s*[:\uff1a](.*)#\s*([0-9A-Za-z]{4})\b", re.S)
_NUMBERS = re.compile(r"\d+(?:[.:]\d+)?", re.ASCII)


@dataclass(frozen=True)
class RouteResult:
    """What came of a run."""

    route: Route
    who: str  # `YOU`, `TABLE`, `RECEIVED` or the name of an AI
    n_moves: int
    n_mistakes: int
    match_rate: float  # in [0, 1]; 1 in a whole game, which is not judged
    # A sum of differences of rates; unknown for a received result, where it is 0.
    points_lost: float
    points: int  # of the game
    played_ms: int
    line: int  # identifies the moves on the board, 10 bits: equal values mean equal boards
    outcome: str = ""  # a value of `End`; "" for an unfinished run or a received result

    @property
    def n_right(self) -> int:
        """The number of moves that were no mistake."""
        return self.n_moves - self.n_mistakes

    @property
    def merit(self) -> tuple[float, ...]:
        """The key by which results on one route are compared; greater is better.

        Who did not end it never beats who did. On a table it is what was lost that counts.
        """
        is_over = bool(self.outcome) or self.who == RECEIVED
        if self.route.is_game:
            return is_over, self.points, self.n_moves
        return is_over, -self._most_lost, -self.n_mistakes

    @property
    def _most_lost(self) -> float:
        """What was lost; of a received result the most that it can have been.

        A move that leaves the share r of a chance loses at most 1 - r, which is at most -log(r),
        and one that is no mistake at most a thousandth.
        """
        if self.who != RECEIVED:
            return self.points_lost
        most = self.n_mistakes + self.n_right / 1000
        return min(most, -math.log(self.match_rate)) if self.match_rate else most


def result_of(run: Run, who: str = YOU) -> RouteResult:
    return RouteResult(
        route=route_of(run),
        who=who,
        n_moves=run.n_moves,
        n_mistakes=run.totals.n_mistakes,
        match_rate=run.score.match_rate,
        points_lost=run.totals.points_lost,
        points=run.totals.points,
        played_ms=run.played_ms,
        line=zlib.crc32(bytes(move.made for move in run.moves)) & 1023,
        outcome=run.end.value if run.end else "",
    )


def line_of(result: RouteResult) -> str:
    code, numbers = code_of(result.route), _numbers(result)
    line = digits_of(result.line, 2)
    check = line + check_digits(_checked(code, numbers, line))
    minutes, seconds = divmod(numbers[-1], 60)
    time = f"{minutes}:{seconds:02}"
    # The line is parsed by the order of its numbers, so no number may contain other characters.
    moves = trn("{count} move", "{count} moves", result.n_moves, count=result.n_moves)
    if result.route.is_game:
        points = trn("{count} point", "{count} points", result.points, count=result.points)
        return tr(
            "2048 route {code}: {points}, {moves}, {time} #{check}",
            code=code,
            points=points,
            moves=moves,
            time=time,
            check=check,
        )
    n_mistakes = result.n_mistakes
    mistakes = trn("{count} mistake", "{count} mistakes", n_mistakes, count=n_mistakes)
    whole, part = divmod(numbers[0], _MILLIONTHS // 100)
    return tr(
        "2048 route {code}: {match} %, {mistakes}, {moves}, {time} #{check}",
        code=code,
        match=f"{whole}.{part:04}",
        mistakes=mistakes,
        moves=moves,
        time=time,
        check=check,
    )


def is_result(text: str) -> bool:
    """Return whether a text is meant as a result, not just a code."""
    return "#" in text[:_MAX_CHARACTERS]


def read_result(text: str) -> RouteResult:
    """Return the result in a shared line, as `RECEIVED`.

    RouteCodeError: it is not a result, or has a typing error.
    """
    found = _LINE.search(text[:_MAX_CHARACTERS])
    if found is None:
        raise RouteCodeError(
            tr("expected the result of a route as it was passed on, with the # near its end")
        )
    route = read_code(found[1])
    tail, numbers = found[3].upper(), _read_numbers(found[2], 3 if route.is_game else 4)
    is_right = numbers is not None and all(one in DIGITS for one in tail)
    if not is_right or not is_checked(_checked(code_of(route), numbers or (), tail)):
        raise RouteCodeError(
            tr("this result has a typing error: compare it with the one that you were given")
        )
    assert numbers is not None
    n_moves, seconds = numbers[-2:]
    return RouteResult(
        route=route,
        who=RECEIVED,
        n_moves=n_moves,
        n_mistakes=0 if route.is_game else numbers[1],
        match_rate=1.0 if route.is_game else min(1.0, numbers[0] / _MILLIONTHS),
        points_lost=0.0,
        points=numbers[0] if route.is_game else 0,
        played_ms=1000 * seconds,
        line=number_of(tail[:2]),
    )


def _numbers(result: RouteResult) -> tuple[int, ...]:
    seconds = result.played_ms // 1000
    if result.route.is_game:
        return result.points, result.n_moves, seconds
    # Rounded down: 100 % only where nothing was lost.
    match = int(result.match_rate * _MILLIONTHS)
    return match, result.n_mistakes, result.n_moves, seconds


def _read_numbers(text: str, n: int) -> tuple[int, ...] | None:
    """Return the numbers of a line, in the units that are checked; None if they don't fit."""
    found = _NUMBERS.findall(text)
    if len(found) != n or any(len(one) > 13 for one in found):
        return None
    *plain, time = found
    if n == 4 and not re.fullmatch(r"\d+\.\d{4}", plain[0], re.ASCII):
        return None
    values = [one.replace(".", "", 1) if i == 0 and n == 4 else one for i, one in enumerate(plain)]
    if not re.fullmatch(r"\d+:[0-5]\d", time, re.ASCII) or not all(v.isdigit() for v in values):
        return None
    minutes, seconds = time.split(":")
    numbers = (*map(int, values), 60 * int(minutes) + int(seconds))
    return numbers if max(numbers) < 1 << 40 else None


def _checked(code: str, numbers: tuple[int, ...], tail: str) -> str:
    return "-".join([code, *map(str, numbers), tail])
