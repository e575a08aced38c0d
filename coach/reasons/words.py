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
    words = words_of(reason)
    match reason:
        case OnlyMove():
            return tr("{move} is the only legal move.", **words)
        case EquallyGood(moves, is_exact):
            return _equal_text(moves, is_exact)
        case TablePrefers(move, alike):
            return _preferred_text(move, alike)
        case MayEnd():
            return tr("{move} is safer: after {rival}, a {tile} in {place} ends the game.", **words)
        case MayUproot():
            return tr(
                "{move} is safer: after {rival}, a {tile} in {place} forces the {largest} out of "
                "its corner.",
                **words,
            )
        case Keeps():
            return _chances_text(reason, decimals)
        case OnlyKnown(rate=rate):
            text = mark("{move}: {rate}; the table doesn't know the other moves.")
            return tr(text, rate=short_rate_text(rate), **words)
        case AtLeast(rate=rate) if rate >= 1.0:
            return tr("{move} is sure to succeed.", **words)
        case AtLeast(rate=rate):
            text = mark("{move}: {rate}. The table has limits, so another move may be better.")
            return tr(text, rate=at_least_text(rate), **words)
        case Earns(points=points):
            return trn(
                "{move} promises {n:,} point more than {rival}, on average.",
                "{move} promises {n:,} points more than {rival}, on average.",
                int(points),
                **words,
            )
        case KeepsCorner():
            text = mark("{move} keeps the {tile} in its corner; {rival} would pull it out.")
            return tr(text, **words)
        case Merges():
            return tr("{move} merges two {tile}s; {rival} doesn't.", **words)
        case LeavesFree(n=n):
            return trn(
                "{move} leaves {n} empty cell, {rival} {others}.",
                "{move} leaves {n} empty cells, {rival} {others}.",
                n,
                **words,
            )
        case LeavesOrder(n=n):
            text = mark("{move} leaves {n} of 8 rows and columns in order, {rival} {others}.")
            return tr(text, n=n, **words)
        case LeavesPairs(n=n):
            return trn(
                "{move} leaves {n} pair of equal neighbors, {rival} {others}.",
                "{move} leaves {n} pairs of equal neighbors, {rival} {others}.",
                n,
                **words,
            )
    return tr("{move} has the best value; {rival} comes next.", **words)


def words_of(fact: object) -> dict[str, Any]:
    """Return the moves, tiles and cells of a fact as sentences have them, by name."""
    words: dict[str, Any] = {}
    for name, value in vars(fact).items():
        match name:
            case "move" | "rival" | "best":
                words[name] = move_title(value)
            case "exponent":
                words["tile"] = 1 << value
            case "largest":  # also the tile in question, unless the fact names another
                words = {"tile": 1 << value, **words, name: 1 << value}
            case "cell":
                words["place"] = place_text(value)
            case "rival_n":
                words["others"] = value
    return words


def _chances_text(reason: Keeps, decimals: int) -> str:
    lost = loss_text(reason.rival_chance, reason.chance)
    text = mark("{move}: {chance}; {rival} would lose {lost}.")
    if reason.is_estimate:
        text = mark("{move}: about {chance}; {rival} would lose {lost}.")
    chance = chance_text(reason.chance, reason.is_estimate, decimals=decimals)
    return tr(text, chance=chance, lost=lost, **words_of(reason))


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
