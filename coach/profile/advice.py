"""What to train next: the moves that lose more than others, ranked by cost."""

import math
from dataclasses import dataclass

from coach.grading.grade import MIN_JUDGED_MOVES
from coach.profile.position import Phase
from coach.profile.profile import PER, Cut, Profile, Share

TRAINABLE = (Cut.PHASE, Cut.FORMATION, Cut.KIND)
"""What positions can be chosen by: nobody can be put under bad luck."""

_SIGMAS = 1.96
_GOAL = len(Phase) * MIN_JUDGED_MOVES
"""So many moves in three phases are enough in one of them."""


@dataclass(frozen=True)
class Advice:
    """A recommendation of what to train."""

    cut: Cut
    share: Share  # the moves concerned
    rest: Share  # all others
    cost: float  # their loss per 1,000 moves of all kinds, in chances
    is_sure: bool  # whether the confidence interval of the difference of both rates is above 0


def what_to_train(profile: Profile) -> tuple[Advice, ...]:
    """Return the recommendations, sure ones first, then by cost.

    A group of moves is recommended if it loses more than all other moves and has enough moves;
    without other moves to compare with, nothing is recommended.
    """
    found = [
        _advice(profile.whole, cut, share)
        for cut in TRAINABLE
        for share in profile.cuts[cut]
        if share.has_enough and share.n < profile.whole.n
    ]
    worse = [one for one in found if one.share.rate > one.rest.rate]
    return tuple(sorted(worse, key=lambda one: (not one.is_sure, -one.cost, one.share.key)))


def n_moves_missing(profile: Profile) -> int:
    """Return how many more moves tell at the latest where most is lost; 0 if that is known.

    It is known as soon as some moves that differ from the others are enough.
    """
    shares = [share for cut in TRAINABLE for share in profile.cuts[cut]]
    if any(share.has_enough and share.n < profile.whole.n for share in shares):
        return 0
    return max(0, _GOAL - profile.whole.n)


def _advice(whole: Share, cut: Cut, share: Share) -> Advice:
    rest = whole.less(share)
    difference = (share.rate - rest.rate) / PER
    error = math.sqrt(share.variance + rest.variance)
    cost = PER * share.lost / whole.n
    return Advice(cut, share, rest, cost, rest.n > 1 and difference > _SIGMAS * error)
