"""Design Master: a pattern of tiles to make, level after level."""

from dataclasses import replace

from minigames.board import BoardSlide
from minigames.parameters import FIRST_LEVEL, LAST_LEVEL, PATTERNS
from minigames.parameters import Pattern as Cells
from minigames.rules import RulePart
from minigames.state import State
from minigames.trophies import TrophyGoal
from minigames.turn import Turn
from minigames.view import CellView, View


class PatternGoal(RulePart):
    """The level reached, and the pattern required for the next one."""

    def begin(self, turn: Turn) -> None:
        turn.own["level"] = 0

    def after_spawn(self, turn: Turn, slid: BoardSlide) -> None:
        self._count(turn)

    def after_tool(self, turn: Turn) -> None:
        self._count(turn)

    def _count(self, turn: Turn) -> None:
        for exponent in range(LAST_LEVEL, max(FIRST_LEVEL - 1, turn.number("level")), -1):
            if self._pattern(turn.state.game, exponent).is_met(turn.tiles):
                turn.own["level"] = exponent
                turn.add_event("level", amount=exponent)
                return

    def goal(self, state: State) -> TrophyGoal | None:
        """Return the pattern of the next level; None after the last one."""
        exponent = max(FIRST_LEVEL, state.number("level") + 1)
        return self._pattern(state.game, exponent) if exponent <= LAST_LEVEL else None

    def cover(self, state: State, view: View, cells: list[CellView], *, peeks: bool) -> View:
        goal = self.goal(state)
        if goal is None:
            return view
        for cell, exponent in goal.cells.items():
            cells[cell] = replace(cells[cell], goal=exponent)
        return replace(view, goal_level=goal.exponent)

    def _pattern(self, game: str, level: int) -> TrophyGoal:
        rows: Cells = PATTERNS[game]
        if self.numbers.turns_pattern:
            for _ in range(level - FIRST_LEVEL):
                rows = tuple(zip(*rows[::-1], strict=True))  # by a quarter, clockwise
        flat = [offset for row in rows for offset in row]
        cells = {cell: level + offset for cell, offset in enumerate(flat) if offset is not None}
        return TrophyGoal(level, cells)
