"""Blitzkrieg: a clock runs, and large tiles add time."""

from dataclasses import replace

from minigames.board import BoardSlide
from minigames.rules import RulePart
from minigames.state import State
from minigames.turn import Turn
from minigames.view import CellView, View

FIRST_BONUS = 9  # the exponent of the smallest tile that adds time


class Clock(RulePart):
    """Time passes from the first move on; the run ends when none is left."""

    def begin(self, turn: Turn) -> None:
        turn.own["left_ms"] = self.numbers.clock_ms
        turn.own["used_ms"] = 0

    def bonus_ms(self, exponent: int) -> int:
        if exponent < FIRST_BONUS:
            return 0
        return self.numbers.bonus_ms + (exponent - FIRST_BONUS) * self.numbers.bonus_step_ms

    def after_slide(self, turn: Turn, slid: BoardSlide) -> None:
        """Add time for each tile that this move made; tools add none."""
        bonus = sum(map(self.bonus_ms, slid.made.values()))
        if bonus:
            turn.own["left_ms"] = turn.number("left_ms") + bonus
            turn.add_event("bonus", sorted(slid.made), bonus)

    def tick(self, turn: Turn, elapsed_ms: int) -> bool:
        """Let time pass once a move has been made."""
        if turn.state.n_moves == 0 or elapsed_ms == 0:
            return False
        left = max(0, turn.number("left_ms") - elapsed_ms)
        turn.own["left_ms"] = left
        turn.own["used_ms"] = turn.number("used_ms") + elapsed_ms
        if left == 0:
            turn.over = "time"
        return True

    def undone(self, before: State, after: State) -> State | None:
        """Keep the time spent and take back the time won; refuse if none would be left."""
        spent = after.number("used_ms") - before.number("used_ms")
        left = before.number("left_ms") - spent
        if left <= 0:
            return None
        used = after.number("used_ms")
        return replace(before, own={**before.own, "left_ms": left, "used_ms": used})

    def cover(self, state: State, view: View, cells: list[CellView], *, peeks: bool) -> View:
        return replace(view, time_left_ms=state.number("left_ms"))
