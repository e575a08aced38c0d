"""Mystery Merge: most tiles are covered."""

from dataclasses import replace

from minigames.board import BoardSlide
from minigames.rules import RulePart
from minigames.state import State
from minigames.turn import Turn
from minigames.view import CellView, View


class Peeks(RulePart):
    """Peeks under the cover, a limited number in hard mode."""

    layers = ("hidden",)

    def begin(self, turn: Turn) -> None:
        turn.own["peeks"] = 0

    def peeks_left(self, state: State) -> int:
        """Return the number of peeks left; -1 is without limit."""
        if self.numbers.peeks < 0:
            return -1
        earned = self.numbers.peeks + state.score // self.numbers.points_per_peek
        return max(0, earned - state.number("peeks"))

    def peek(self, turn: Turn) -> bool:
        if self.peeks_left(turn.state) == 0:
            return False
        turn.own["peeks"] = turn.number("peeks") + 1
        return True

    def undone(self, before: State, after: State) -> State | None:
        return replace(before, own={**before.own, "peeks": after.number("peeks")})

    def cover(self, state: State, view: View, cells: list[CellView], *, peeks: bool) -> View:
        """Cover what is hidden, unless the run is over."""
        if not (peeks or state.over):
            for cell, hidden in enumerate(state.layer("hidden")):
                if hidden:
                    cells[cell] = CellView("hidden")
        return replace(view, peeks_left=self.peeks_left(state))


class OnlyLast(Peeks):
    """Only the newest tile and what the last move merged can be seen."""

    def started(self, turn: Turn) -> None:
        self._cover_all_but(turn, {turn.newest})

    def after_spawn(self, turn: Turn, slid: BoardSlide) -> None:
        self._cover_all_but(turn, {turn.newest, *slid.made})

    def _cover_all_but(self, turn: Turn, seen: set[int]) -> None:
        hidden = turn.layer("hidden")
        for cell, tile in enumerate(turn.tiles):
            hidden[cell] = int(tile > 0 and cell not in seen)


class NewHidden(Peeks):
    """A new tile is covered, and stays so on its way, until it merges."""

    def started(self, turn: Turn) -> None:
        turn.layer("hidden")[turn.newest] = 1

    def after_spawn(self, turn: Turn, slid: BoardSlide) -> None:
        if turn.newest >= 0 and turn.events[-1].kind == "spawn":
            turn.layer("hidden")[turn.newest] = 1
