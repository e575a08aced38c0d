"""Ice Age: what does not move freezes."""

from dataclasses import replace

from minigames.board import ICE, BoardSlide
from minigames.parameters import ICE_STAGES_PERCENT
from minigames.rules import RulePart
from minigames.state import State
from minigames.turn import Turn
from minigames.view import CellView, View


class Ice(RulePart):
    """Counts for each tile the moves without moving; at the limit it freezes for good."""

    layers = ("idle",)

    def begin(self, turn: Turn) -> None:
        turn.own["frozen"] = [0] * len(turn.tiles)

    def after_slide(self, turn: Turn, slid: BoardSlide) -> None:
        """Count the tiles that stayed without merging; freeze those that did so too often."""
        idle, frozen = turn.layer("idle"), turn.layer("frozen")
        freezing = []
        for source, stop in slid.trace:
            is_still = source == stop and stop not in slid.joined
            idle[stop] = idle[stop] + 1 if is_still else 0
            if idle[stop] >= self.numbers.freeze_after:
                freezing.append(stop)
        for cell in freezing:
            frozen[cell] = turn.tiles[cell]
            turn.take(cell)
            turn.terrain[cell] = ICE
        if freezing:
            turn.add_event("freeze", sorted(freezing))

    def stage(self, idle: int) -> int:
        """Return the stage of ice over a tile: 0 to 5."""
        limit = self.numbers.freeze_after
        return sum(idle * 100 >= limit * percent for percent in ICE_STAGES_PERCENT)

    def cover(self, state: State, view: View, cells: list[CellView], *, peeks: bool) -> View:
        idle, frozen = state.layer("idle"), state.layer("frozen")
        for cell, seen in enumerate(cells):
            if seen.face == "frozen":
                cells[cell] = replace(seen, exponent=frozen[cell], ice=6)
            elif seen.face == "number":
                cells[cell] = replace(seen, ice=self.stage(idle[cell]))
        return view
