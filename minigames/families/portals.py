"""Isolated Island: portals that slide like tiles and merge with nothing but each other."""

from collections.abc import Sequence

from minigames.board import PORTAL
from minigames.rules import RulePart
from minigames.turn import Turn


class Portals(RulePart):
    """Now and then a portal spawns instead of a tile, the more rarely the more there are."""

    def replaces_spawn(self, turn: Turn, empty: Sequence[int]) -> bool:
        n = turn.tiles.count(PORTAL)
        chance = self.numbers.portal_permille - n * self.numbers.portal_less_permille
        if not turn.chance(chance):
            return False
        turn.place_new(empty[turn.world_rng.below(len(empty))], PORTAL, "portal")
        return True
