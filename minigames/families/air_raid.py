"""Endless AirRaid: cells are marked, and a tile standing there later is lost."""

from dataclasses import replace

from minigames.board import CRATER, FLOOR, BoardSlide
from minigames.rules import RulePart
from minigames.state import State
from minigames.turn import Turn
from minigames.view import CellView, View


class AirRaid(RulePart):
    """A mark lasts one move; a strike that hits a tile leaves a crater, a wall for some time."""

    def begin(self, turn: Turn) -> None:
        turn.own["mark"] = -1
        turn.own["crater_left"] = [0] * len(turn.tiles)

    def reserved(self, turn: Turn | State) -> tuple[int, ...]:
        """Return the marked cell: no tool may put a tile there."""
        mark = turn.number("mark")
        return (mark,) if mark >= 0 else ()

    def after_slide(self, turn: Turn, slid: BoardSlide) -> None:
        left = turn.layer("crater_left")
        closed = []
        for cell, moves in enumerate(left):
            if moves:
                left[cell] = moves - 1
                if moves == 1:
                    turn.terrain[cell] = FLOOR
                    closed.append(cell)
        if closed:
            turn.add_event("thaw", closed)
        mark = turn.number("mark")
        if mark < 0:
            return
        turn.own["mark"] = -1
        has_hit = turn.tiles[mark] != 0
        if has_hit:
            turn.take(mark)
            turn.terrain[mark] = CRATER
            left[mark] = self.numbers.crater_moves
            turn.passing["struck"] = 1
        turn.add_event("strike", [mark], int(has_hit))

    def after_spawn(self, turn: Turn, slid: BoardSlide) -> None:
        """Mark an empty cell now and then, but not in the move of a strike."""
        empty = turn.empty_cells()
        if not empty or "struck" in turn.passing:
            return
        less = turn.terrain.count(CRATER) * self.numbers.mark_less_permille
        chance = max(self.numbers.mark_permille - less, self.numbers.mark_least_permille)
        if turn.chance(chance):
            cell = empty[turn.world_rng.below(len(empty))]
            turn.own["mark"] = cell
            turn.add_event("mark", [cell])

    def cover(self, state: State, view: View, cells: list[CellView], *, peeks: bool) -> View:
        for cell, left in enumerate(state.layer("crater_left")):
            if left:
                is_old = 2 * left <= self.numbers.crater_moves
                cells[cell] = replace(cells[cell], crater_left=left, is_old=is_old)
        mark = state.number("mark")
        if mark >= 0:
            cells[mark] = replace(cells[mark], is_marked=True)
        return view
