"""Trophies: bronze, silver, gold and grand."""

from dataclasses import dataclass

from minigames.parameters import GameSpec
from minigames.state import State

TROPHIES = ("", "bronze", "silver", "gold", "grand")


@dataclass(frozen=True)
class TrophyGoal:
    """A pattern to make."""

    exponent: int  # of its level
    cells: dict[int, int]  # the exponent that each cell must have; other cells may hold anything

    def is_met(self, tiles: tuple[int, ...] | list[int]) -> bool:
        return all(tiles[cell] == exponent for cell, exponent in self.cells.items())


def figure(spec: GameSpec, state: State) -> int:
    """Return the figure that trophies are based on: a tile, a level or a score, in face value."""
    if spec.track == "score":
        return state.score
    if spec.track == "pattern":
        level = state.number("level")
        return 1 << level if level else 0
    return 1 << state.best


def trophy(spec: GameSpec, state: State) -> int:
    """Return the trophy a run has earned: 0 none, 1 bronze, 2 silver, 3 gold, 4 grand."""
    if spec.at_end and not state.over:
        return 0
    value = figure(spec, state)
    return sum(value >= level for level in spec.levels)
