"""Tricky Tiles: some new tiles are placed where they hurt most."""

from collections.abc import Sequence

from engine.geometry import destinations
from minigames.rules import RulePart
from minigames.turn import Turn


class Tricky(RulePart):
    """A share of the tiles, the same through the run, comes from the adversary."""

    def replaces_spawn(self, turn: Turn, empty: Sequence[int]) -> bool:
        """Ask the adversary about a random mirror image, so that ties don't favor one corner."""
        if not turn.chance(10 * self.numbers.adversary_percent):
            return False
        images = destinations("full")
        goes_to = images[turn.world_rng.below(len(images))]
        if turn.adversary is None:
            return False
        image = [0] * len(turn.tiles)
        for cell, stop in enumerate(goes_to):
            image[stop] = turn.tiles[cell]
        chosen, exponent = turn.adversary(image)
        turn.place_new(goes_to.index(chosen), exponent)
        return True
