"""What to train next: where moves lose more than elsewhere, by what that costs."""

import math
from dataclasses import dataclass

from coach.profile.profile import PER, Cut, Profile, Share

TRAINABLE = (Cut.PHASE, Cut.FORMATION, Cut.KIND)
"""What positions can be chosen by: nobody can be put under bad luck."""

_SIGMAS = 1.96


@dataclass(frozen=True)
class Advice:
    """Something to train.

    Attributes
    ----------
    cut : Cut
    share : Share
        The moves that it is about.
    rest : Share
        All others.
    cost : float
        What they cost in 1,000 moves of all kinds, in chances.
    is_sure : bool
        Whether the interval of the difference between both is above 0.
    """

    cut: Cut
    share: Share
    rest: Share
    cost: float
    is_sure: bool


def what_to_train(profile: Profile) -> tuple[Advice, ...]:
    """Return what to train, first what is sure, and of that first what costs most.

    Named is what loses more than all other moves do, and has enough moves to tell; where there are
    no other moves there is nothing to compare with, and nothing is named.
    """
    found = [
        _advice(profile.whole, cut, share)
        for cut in TRAINABLE
        for share in profile.cuts[cut]
        if share.is_told and share.n < profile.whole.n
    ]
    worse = [one for one in found if one.share.rate > one.rest.rate]
    return tuple(sorted(worse, key=lambda one: (not one.is_sure, -one.cost, one.share.key)))


def _advice(whole: Share, cut: Cut, share: Share) -> Advice:
    rest = whole.less(share)
    difference = (share.rate - rest.rate) / PER
    error = math.sqrt(share.variance + rest.variance)
    cost = PER * share.lost / whole.n
    return Advice(cut, share, rest, cost, rest.n > 1 and difference > _SIGMAS * error)
