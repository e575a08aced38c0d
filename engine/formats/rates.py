"""Success rates in recordings: whole multiples of 1/4,000,000,000, where 0 is ambiguous.

A 0 means an illegal move, or one that leaves the formation, or a rate of 0. When read back:

* a position whose four numbers are 0 has no rates;
* 0 of an illegal move is None;
* 0 of a legal one is 0.0, the loss that it is when someone plays it, unless the file marks the
  move that was made as the only one: then the others are None;
* a number of an illegal move, or above 1, belongs to another position or was damaged: the position
  then has no rates, and `Replay.problem` says so.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.formats.replay import Cells, Rates, Replay, ReplayError, ReplayMove
from engine.formats.replay_rules import with_note
from engine.formats.sliding import legal_moves
from engine.platform.language import tr

SCALE = 4_000_000_000
Numbers = tuple[int, int, int, int]
_NONE: Numbers = (0, 0, 0, 0)


def with_rates(replay: Replay, numbers: Sequence[Numbers]) -> Replay:
    """Return a playable replay with the rates of its moves; `numbers` may be for more moves."""
    moves: list[ReplayMove] = []
    wrong: list[int] = []  # the moves whose numbers cannot be rates of their position
    for position, move, four in zip(replay.positions(), replay.moves, numbers, strict=False):
        if four == _NONE:
            moves.append(move)
            continue
        rates = _rates(position, move, four, replay)
        if rates is None:
            wrong.append(len(moves) + 1)
        moves.append(
            ReplayMove(move.direction, move.cell, move.exponent, rates, move.ms, move.is_forced)
        )
    rated = replace(replay, moves=tuple(moves))
    if not wrong:
        return rated
    return with_note(
        rated,
        tr(
            "{n} of {all} moves have rates that do not belong to their position, "
            "the first of them move {first}: they were left out",
            n=len(wrong),
            all=len(moves),
            first=wrong[0],
        ),
    )


def _rates(position: Cells, move: ReplayMove, four: Numbers, replay: Replay) -> Rates | None:
    rates: list[float | None] = []
    legal = legal_moves(position, replay.walls, replay.merge_32768)
    for number, is_legal in zip(four, legal, strict=True):
        if number > SCALE or (number and not is_legal):
            return None
        keeps_zero = is_legal and not move.is_forced
        rates.append(number / SCALE if number or keeps_zero else None)
    return rates[0], rates[1], rates[2], rates[3]


def numbers_of(move: ReplayMove, number: int) -> Numbers:
    if move.rates is None:
        return _NONE
    for rate in move.rates:
        if rate is not None and not 0.0 <= rate <= 1.0:
            raise ReplayError(
                "move {number} has the rate {rate!r}; expected 0 to 1", number=number, rate=rate
            )
    a, b, c, d = (round((rate or 0.0) * SCALE) for rate in move.rates)
    return a, b, c, d
