"""Gravity Twist: after each move and its new tile, everything falls."""

from dataclasses import replace

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from minigames.board import BoardSlide, slide
from minigames.rules import RulePart
from minigames.state import State
from minigames.turn import Turn
from minigames.view import CellView, View

CLOCKWISE = {DOWN: LEFT, LEFT: UP, UP: RIGHT, RIGHT: DOWN}


class Gravity(RulePart):
    """Tiles fall without merging; in hard mode gravity turns periodically."""

    merges = False

    def begin(self, turn: Turn) -> None:
        turn.own["gravity"] = DOWN
        turn.own["moves_left"] = self.numbers.period

    def after_spawn(self, turn: Turn, slid: BoardSlide) -> None:
        if self.numbers.period:
            left = turn.number("moves_left") - 1
            turn.own["moves_left"] = left or self.numbers.period
            if left == 0:
                turn.own["gravity"] = CLOCKWISE[turn.number("gravity")]
                turn.add_event("gravity", amount=turn.number("gravity"))
        direction = turn.number("gravity")
        fallen = slide(turn.tiles, turn.terrain, turn.n_columns, direction, merges=self.merges)
        if fallen.has_moved:
            turn.apply(fallen, "fall")

    def cover(self, state: State, view: View, cells: list[CellView], *, peeks: bool) -> View:
        view = replace(view, gravity=state.number("gravity"))
        if self.numbers.period:
            left = state.number("moves_left")
            view = replace(view, moves_left=left, period=self.numbers.period)
        return view


class MergingGravity(Gravity):
    """Tiles fall as in a move: they merge and score points."""

    merges = True
