"""The registry of variants, and the parts of each."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from engine.platform.errors import AppError
from minigames.families.air_raid import AirRaid
from minigames.families.clock import Clock
from minigames.families.fog import NewHidden, OnlyLast
from minigames.families.goals import PatternGoal
from minigames.families.gravity import Gravity, MergingGravity
from minigames.families.ice import Ice
from minigames.families.objects import AnyObject, Bombs, Factorizers, Gifts
from minigames.families.permutations import SwapColumns, TurnRing
from minigames.families.portals import Portals
from minigames.families.shapes import ShapedBoard
from minigames.families.tricky import Tricky
from minigames.parameters import SPECS, GameSpec
from minigames.rules import MinigameRules, RulePart

GAMES: Mapping[str, GameSpec] = MappingProxyType({spec.name: spec for spec in SPECS})

_PARTS: Mapping[str, tuple[type[RulePart], ...]] = MappingProxyType(
    {
        "blitzkrieg": (Clock,),
        "design_master_1": (PatternGoal,),
        "design_master_2": (PatternGoal,),
        "design_master_3": (PatternGoal,),
        "design_master_4": (PatternGoal,),
        "column_chaos": (SwapColumns,),
        "mystery_merge_1": (OnlyLast,),
        "mystery_merge_2": (NewHidden,),
        "gravity_twist_1": (Gravity,),
        "gravity_twist_2": (MergingGravity,),
        "ferris_wheel": (TurnRing,),
        "ice_age": (Ice,),
        "isolated_island": (Portals,),
        "shape_shifter": (ShapedBoard,),
        "tricky_tiles": (Tricky,),
        "endless_factorization": (Factorizers,),
        "endless_explosions": (Bombs,),
        "endless_giftbox": (Gifts,),
        "endless_hybrid": (AnyObject, Portals),
        "endless_air_raid": (AirRaid,),
    }
)


class UnknownGameError(AppError):
    """There is no variant with that name."""


@cache
def rules_of(name: str, *, hard: bool) -> MinigameRules:
    """Return the rules of a variant; raise UnknownGameError."""
    if name not in GAMES:
        expected = ", ".join(GAMES)
        raise UnknownGameError(
            "no minigame {name!r}: expected one of {expected}", name=name, expected=expected
        )
    return MinigameRules(GAMES[name], hard, _PARTS[name])
