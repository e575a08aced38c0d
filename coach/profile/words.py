"""A profile in words, for the window and the command line. No Qt."""

from coach.profile.advice import Advice
from coach.profile.position import MoveKind, Phase
from coach.profile.profile import Cut, Luck, Pace, Share
from coach.profile.session import Session
from coach.recordings.recording import SEARCH
from engine.platform.language import listed, mark, tr, trn
from engine.platform.quantities import points_figure, points_text

CUT_TITLES = {
    Cut.PHASE: mark("How near the goal"),
    Cut.FORMATION: mark("Formation"),
    Cut.KIND: mark("What the best move was for"),
    Cut.PACE: mark("Time taken"),
    Cut.LUCK: mark("After bad luck"),
}
_KEYS = {
    Phase.FIRST_HALF: mark("First half of the way"),
    Phase.THIRD_QUARTER: mark("Third quarter of the way"),
    Phase.LAST_QUARTER: mark("Last quarter of the way"),
    MoveKind.DANGER: mark("Avoiding danger"),
    MoveKind.MERGE: mark("Merging large tiles"),
    MoveKind.ROOM: mark("Keeping room"),
    MoveKind.ORDER: mark("Keeping order"),
    MoveKind.CHOICE: mark("Several good moves"),
    MoveKind.DEEP: mark("Moves hard to explain"),
    Pace.QUICK: mark("Your quickest third"),
    Pace.MIDDLING: mark("Your middle third"),
    Pace.SLOW: mark("Your slowest third"),
    Pace.UNKNOWN: mark("Time unknown"),
    Luck.BAD: mark("After a bad tile"),
    Luck.OTHER: mark("After any other tile"),
    Luck.UNKNOWN: mark("Luck unknown"),
}
_NAMES: dict[tuple[Cut, str], str] = {
    **{(Cut.PHASE, one.value): _KEYS[one] for one in Phase},
    **{(Cut.KIND, one.value): _KEYS[one] for one in MoveKind},
    **{(Cut.PACE, one.value): _KEYS[one] for one in Pace},
    **{(Cut.LUCK, one.value): _KEYS[one] for one in Luck},
    (Cut.FORMATION, SEARCH): mark("Outside of your tables"),
}


def share_name(cut: Cut, key: str) -> str:
    """Return the name of a share of a cut: `Last quarter of the way`, `442`."""
    name = _NAMES.get((cut, key))
    return tr(name) if name else key


def rate_text(share: Share) -> str:
    """Return the loss per 1,000 moves: `310 ± 84 points`, or that there are too few to tell.

    Examples
    --------
    >>> rate_text(Share("", 1000, 90, 2.0, 0.1)), rate_text(Share("", 40, 9, 2.0, 0.1))
    ('200 ± 61 points', 'too few moves to tell')
    """
    if not share.has_enough:
        return tr("too few moves to tell")
    return tr(
        "{rate} \N{PLUS-MINUS SIGN} {margin} points",
        rate=points_figure(share.rate),
        margin=points_figure(share.margin),
    )


def advice_text(advice: Advice) -> str:
    return tr(
        "{name}: {reason}",
        name=share_name(advice.cut, advice.share.key),
        reason=cost_text(advice),
    )


def cost_text(advice: Advice) -> str:
    cost = tr(
        "it costs you {cost} in 1,000 moves of all kinds. 1,000 such moves lose {rate}, 1,000 "
        "others {rest}.",
        cost=points_text(advice.cost),
        rate=points_text(advice.share.rate),
        rest=points_text(advice.rest.rate),
    )
    if advice.is_sure:
        return cost
    return tr("{sentence} The difference may be chance.", sentence=cost)


def session_text(session: Session) -> str:
    """Return the content of a session: `4 from this game, 6 due, 5 puzzles`."""
    counts = (
        (len(session.game), mark("{n:,} from this game")),
        (len(session.due), mark("{n:,} due")),
        (len(session.worst), mark("{n:,} that cost you most")),
    )
    parts = [tr(text, n=n) for n, text in counts if n]
    if n := len(session.puzzles):
        parts.append(trn("{n} puzzle", "{n:,} puzzles", n))
    return listed(parts)
