"""Sentences about a profile, and themes of puzzles in the same words."""

from functools import lru_cache

from coach.profile.advice import Advice
from coach.profile.position import MoveKind, Phase, Position
from coach.profile.profile import PER, Cut, Luck, Pace, Share
from coach.profile.session import Session
from coach.puzzles.puzzle import Puzzle
from coach.recordings.recording import SEARCH
from engine.moves import move_score
from engine.platform.language import listed, mark, sentences, tr, trn
from engine.platform.quantities import points_figure, points_text

CUT_TITLES = {
    Cut.PHASE: mark("How near the goal"),
    Cut.FORMATION: mark("Formation"),
    Cut.KIND: mark("What the best move was for"),
    Cut.PACE: mark("Time taken"),
    Cut.LUCK: mark("After bad luck"),
}
NAMES: dict[tuple[Cut, str], str] = {
    (Cut.PHASE, Phase.FIRST_HALF.value): mark("Far from the goal"),
    (Cut.PHASE, Phase.THIRD_QUARTER.value): mark("Past halfway"),
    (Cut.PHASE, Phase.LAST_QUARTER.value): mark("Near the goal"),
    (Cut.KIND, MoveKind.DANGER.value): mark("Avoiding danger"),
    (Cut.KIND, MoveKind.MERGE.value): mark("Merging large tiles"),
    (Cut.KIND, MoveKind.ROOM.value): mark("Keeping room"),
    (Cut.KIND, MoveKind.ORDER.value): mark("Keeping order"),
    (Cut.KIND, MoveKind.CHOICE.value): mark("Several good moves"),
    (Cut.KIND, MoveKind.DEEP.value): mark("No obvious reason"),
    (Cut.PACE, Pace.QUICK.value): mark("Your quickest third"),
    (Cut.PACE, Pace.MIDDLING.value): mark("Your middle third"),
    (Cut.PACE, Pace.SLOW.value): mark("Your slowest third"),
    (Cut.PACE, Pace.UNKNOWN.value): mark("Time unknown"),
    (Cut.LUCK, Luck.BAD.value): mark("After a bad tile"),
    (Cut.LUCK, Luck.OTHER.value): mark("After any other tile"),
    (Cut.LUCK, Luck.UNKNOWN.value): mark("Luck unknown"),
    (Cut.FORMATION, SEARCH): mark("Outside of your tables"),
}


def share_name(cut: Cut, key: str) -> str:
    """Return the name of a share of a cut: `Near the goal`, `442`."""
    name = NAMES.get((cut, key))
    return tr(name) if name else key


def rate_text(share: Share) -> str:
    """Return the loss per move: `0.31 ± 0.084 points`, or that there are too few to tell.

    >>> rate_text(Share("", 1000, 90, 2.0, 0.1)), rate_text(Share("", 40, 9, 2.0, 0.1))
    ('0.20 ± 0.061 points', 'too few moves to tell')
    """
    if not share.has_enough:
        return tr("too few moves to tell")
    return tr(
        "{rate} \N{PLUS-MINUS SIGN} {margin} points",
        rate=points_figure(share.rate / PER),
        margin=points_figure(share.margin / PER),
    )


def advice_text(advice: Advice) -> str:
    return tr(
        "{name}. {reason}", name=share_name(advice.cut, advice.share.key), reason=cost_text(advice)
    )


def cost_text(advice: Advice) -> str:
    cost = tr(
        "You lose {rate} per move here, {rest} in other moves.",
        rate=points_text(advice.share.rate / PER),
        rest=points_figure(advice.rest.rate / PER),
    )
    return cost if advice.is_sure else sentences(cost, tr("The difference may be chance."))


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


_DONT_MERGE, _WHICH = mark("Don't merge yet"), mark("Which merge first")
_OTHER_SIDE = mark("Away from the heavy tiles")
_KINDS = (MoveKind.DANGER, MoveKind.MERGE, MoveKind.ROOM, MoveKind.ORDER, MoveKind.DEEP)
THEMES = (
    *(_DONT_MERGE, _WHICH, _OTHER_SIDE),
    *(NAMES[Cut.KIND, kind.value] for kind in _KINDS),
    *(NAMES[Cut.PHASE, phase.value] for phase in Phase),
)
"""In English, marked."""


@lru_cache(4096)
def themes_of(puzzle: Puzzle) -> tuple[str, str, str]:
    """Return the themes of a puzzle, of `THEMES`: the trap, the purpose, the phase."""
    natural, best = (
        move_score(puzzle.board, one, puzzle.walls) for one in (puzzle.natural, puzzle.best)
    )
    trap = _OTHER_SIDE if natural <= best else _WHICH if best else _DONT_MERGE
    key, walls = puzzle.key, puzzle.walls
    position = Position(key.name, puzzle.board, puzzle.rates, (puzzle.best,), walls)
    kind, phase = position.kind.value, position.phase.value
    return trap, NAMES[Cut.KIND, kind], NAMES[Cut.PHASE, phase]
