"""A reason in one sentence."""

from collections.abc import Sequence
from typing import Any

from ai.choice import Choice
from coach.grading.names import move_title
from coach.reasons.reason import (
    AtLeast,
    Cells,
    Earns,
    EquallyGood,
    Highest,
    Keeps,
    KeepsCorner,
    LeavesFree,
    LeavesOrder,
    LeavesPairs,
    MayEnd,
    MayUproot,
    Merges,
    OnlyKnown,
    OnlyMove,
    Reason,
    TablePrefers,
    find_reason,
)
from engine.bitboard import DIRECTIONS
from engine.platform.language import mark, tr, trn
from engine.platform.quantities import at_least_text, loss_text, rate_texts, short_rate_text

_CORNERS = {
    0: mark("the top left corner"),
    3: mark("the top right corner"),
    12: mark("the bottom left corner"),
    15: mark("the bottom right corner"),
}
_MIN_CHANCE = 0.0005
_NOISE = 1e-10  # smaller than any difference of two table rates; only sums of them get here


def reason_text(reason: Reason, decimals: int = 0) -> str:
    """Return the sentence that says why a move was chosen.

    >>> reason_text(KeepsCorner(3, 1, 12))
    'Down keeps the 4096 in its corner; Right would pull it out.'
    """
    match reason:
        case OnlyMove(move):
            return tr("{move} is the only legal move.", move=move_title(move))
        case EquallyGood(moves, is_exact):
            return _equal_text(moves, is_exact)
        case TablePrefers(move, alike):
            return _preferred_text(move, alike)
        case MayEnd(move, rival, cell, exponent):
            return tr(
                "{move} is safer: after {rival}, a {tile} in {place} ends the game.",
                move=move_title(move),
                rival=move_title(rival),
                tile=1 << exponent,
                place=place_text(cell),
            )
        case MayUproot(move, rival, cell, exponent, largest):
            return tr(
                "{move} is safer: after {rival}, a {tile} in {place} forces the {largest} out of "
                "its corner.",
                move=move_title(move),
                rival=move_title(rival),
                tile=1 << exponent,
                place=place_text(cell),
                largest=1 << largest,
            )
        case Keeps():
            return _chances_text(reason, decimals)
        case OnlyKnown(move, rate):
            return tr(
                "{move}: {rate}; the table doesn't know the other moves.",
                move=move_title(move),
                rate=short_rate_text(rate),
            )
        case AtLeast(move, rate) if rate >= 1.0:
            return tr("{move} is sure to succeed.", move=move_title(move))
        case AtLeast(move, rate):
            return tr(
                "{move}: {rate}. The table has limits, so another move may be better.",
                move=move_title(move),
                rate=at_least_text(rate),
            )
    return _board_text(reason)


def _board_text(
    reason: Earns | KeepsCorner | Merges | LeavesFree | LeavesOrder | LeavesPairs | Highest,
) -> str:
    move, rival = move_title(reason.move), move_title(reason.rival)
    match reason:
        case Earns(points=points):
            return trn(
                "{move} promises {n:,} point more than {rival}, on average.",
                "{move} promises {n:,} points more than {rival}, on average.",
                int(points),
                move=move,
                rival=rival,
            )
        case KeepsCorner(largest=largest):
            return tr(
                "{move} keeps the {tile} in its corner; {rival} would pull it out.",
                move=move,
                rival=rival,
                tile=1 << largest,
            )
        case Merges(exponent=exponent):
            return tr(
                "{move} merges two {tile}s; {rival} doesn't.",
                move=move,
                rival=rival,
                tile=1 << exponent,
            )
        case LeavesFree(n=n, rival_n=others):
            return trn(
                "{move} leaves {n} empty cell, {rival} {others}.",
                "{move} leaves {n} empty cells, {rival} {others}.",
                n,
                move=move,
                rival=rival,
                others=others,
            )
        case LeavesOrder(n=n, rival_n=others):
            return tr(
                "{move} leaves {n} of 8 rows and columns in order, {rival} {others}.",
                n=n,
                move=move,
                rival=rival,
                others=others,
            )
        case LeavesPairs(n=n, rival_n=others):
            return trn(
                "{move} leaves {n} pair of equal neighbors, {rival} {others}.",
                "{move} leaves {n} pairs of equal neighbors, {rival} {others}.",
                n,
                move=move,
                rival=rival,
                others=others,
            )
    return tr("{move} has the best value; {rival} comes next.", move=move, rival=rival)


def _chances_text(reason: Keeps, decimals: int) -> str:
    lost = loss_text(reason.rival_chance, reason.chance)
    text = mark("{move}: {chance}; {rival} would lose {lost}.")
    if reason.is_estimate:
        text = mark("{move}: about {chance}; {rival} would lose {lost}.")
    return tr(
        text,
        move=move_title(reason.move),
        rival=move_title(reason.rival),
        chance=chance_text(reason.chance, reason.is_estimate, decimals=decimals),
        lost=lost,
    )


def chance_text(chance: float, is_estimate: bool, is_bound: bool = False, decimals: int = 0) -> str:
    """Return a chance for running text; an estimate to a tenth of a percent, never 0 or 100.

    With `decimals`, an exact one reads as the figures beside the text.
    """
    if is_bound:
        return at_least_text(chance)
    if not is_estimate:
        return rate_texts((chance,), None, decimals)[0] if decimals else short_rate_text(chance)
    return f"{100 * min(max(chance, _MIN_CHANCE), 1 - _MIN_CHANCE - 1e-9):.1f} %"


def chance_texts(
    chances: Sequence[float], is_estimate: bool = False, decimals: int = 0
) -> list[str]:
    """Return chances as texts: those that differ in a table never read the same.

    >>> chance_texts((0.999684, 0.999687)), chance_texts((0.5, 0.5))
    (['99.968 %', '99.969 %'], ['50.00 %', '50.00 %'])
    """
    texts = [chance_text(one, is_estimate, decimals=decimals) for one in chances]
    if is_estimate or len(set(texts)) == len(set(chances)):
        return texts
    return rate_texts(chances, _NOISE, decimals)


def _equal_text(moves: tuple[int, ...], is_exact: bool) -> str:
    exact, about = {
        2: (
            mark("{first} and {second} are equally good."),
            mark("{first} and {second} are about equally good."),
        ),
        3: (
            mark("{first}, {second} and {third} are equally good."),
            mark("{first}, {second} and {third} are about equally good."),
        ),
        4: (mark("All moves are equally good."), mark("All moves are about equally good.")),
    }[len(moves)]
    names = dict(zip(("first", "second", "third"), map(move_title, moves), strict=False))
    return tr(exact if is_exact else about, **names)


def _preferred_text(move: int, alike: tuple[int, ...]) -> str:
    other, *third = [move_title(one) for one in alike if one != move]
    text = mark("The table rates {move} and {other} as equal; search prefers {move}.")
    if third:
        text = mark("The table rates {move}, {other} and {third} as equal; search prefers {move}.")
    return tr(text, move=move_title(move), other=other, third="".join(third))


def place_text(cell: int) -> str:
    """Return a cell in words: `the top left corner`, `row 2, column 3`."""
    if cell in _CORNERS:
        return tr(_CORNERS[cell])
    row, column = divmod(cell, 4)
    return tr("row {row}, column {column}", row=row + 1, column=column + 1)


def hint_event(text: str, board: Cells, choice: Choice, spawn4: float) -> dict[str, Any]:
    """Return what the command `hint` prints with ``--json``; `text` is the board as typed."""
    reason = find_reason(board, choice, spawn4)
    move = None if choice.direction is None else DIRECTIONS[choice.direction]
    return {
        "board": text,
        "move": move,
        "source": choice.source,
        "values": dict(zip(DIRECTIONS, choice.values, strict=True)),
        "kind": choice.kind.name.lower(),
        "reason": type(reason).__name__ if reason else None,
        "words": reason_text(reason) if reason else "",
    }
