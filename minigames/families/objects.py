"""Endless Explosions, Factorization, Giftbox and Hybrid: an object acts on the tile it meets.

There is at most one, on a cell without a tile. A move along its line brings it together with a
tile: the nearest one ahead in the direction of the move, or else the nearest one behind. That uses
it up. In a line without tiles it goes to the edge.
"""

from collections.abc import Sequence
from dataclasses import replace

from minigames.board import INERT, PORTAL, BoardSlide, lines
from minigames.parameters import GIFT_WEIGHTS, OBJECTS
from minigames.rules import RulePart
from minigames.state import State
from minigames.turn import Turn
from minigames.view import CellView, View

BOMB, FACTORIZER, GIFT = range(len(OBJECTS))


class AnyObject(RulePart):
    """Objects of the kinds in `kinds`, each equally likely."""

    kinds: tuple[int, ...] = (BOMB, FACTORIZER, GIFT)

    def begin(self, turn: Turn) -> None:
        turn.own["object"], turn.own["kind"] = -1, self.kinds[0]

    def started(self, turn: Turn) -> None:
        self._put(turn, turn.empty_cells())

    def reserved(self, turn: Turn | State) -> tuple[int, ...]:
        cell = turn.number("object")
        return (cell,) if cell >= 0 else ()

    def acts(self, turn: Turn, direction: int) -> bool:
        cell = turn.number("object")
        if cell < 0:
            return False
        hit, edge = _meets(turn, cell, direction)
        return hit >= 0 or edge != cell

    def before_slide(self, turn: Turn, direction: int) -> None:
        cell, kind = turn.number("object"), turn.number("kind")
        if cell < 0:
            return
        hit, edge = _meets(turn, cell, direction)
        if hit < 0:
            if edge != cell:
                turn.own["object"] = edge
                turn.add_event("object_moved", (cell, edge), what=OBJECTS[kind])
            return
        turn.own["object"] = -1
        turn.add_event("hit", (cell, hit), what=OBJECTS[kind])
        tile = turn.tiles[hit]
        if kind == BOMB or (kind == FACTORIZER and tile == PORTAL):
            turn.take(hit)
            turn.add_event("gone", [hit])
            return
        # It slides on, but must not merge, neither as the old nor as the new tile.
        turn.passing["tile"] = max(tile, 0)
        turn.tiles[hit] = INERT
        if kind == FACTORIZER and tile > 1:
            turn.tiles[cell] = INERT

    def after_slide(self, turn: Turn, slid: BoardSlide) -> None:
        if "tile" not in turn.passing:
            return
        exponent = turn.passing["tile"]
        cells = [cell for cell, tile in enumerate(turn.tiles) if tile == INERT]
        if turn.number("kind") == GIFT:
            turn.put(cells[0], _gift(turn, exponent))
            turn.add_event("gift", cells)
        elif len(cells) == 1:  # 2 is not a product
            turn.take(cells[0])
            turn.add_event("gone", cells)
        else:
            first = 1 + turn.world_rng.below(exponent - 1)
            turn.put(cells[0], first)
            turn.put(cells[1], exponent - first)
            turn.add_event("split", cells)

    def replaces_spawn(self, turn: Turn, empty: Sequence[int]) -> bool:
        if turn.number("object") >= 0 or not turn.chance(self.numbers.object_permille):
            return False
        self._put(turn, empty)
        return True

    def cover(self, state: State, view: View, cells: list[CellView], *, peeks: bool) -> View:
        cell = state.number("object")
        if cell >= 0:
            cells[cell] = replace(cells[cell], object=OBJECTS[state.number("kind")])
        return view

    def _put(self, turn: Turn, empty: Sequence[int]) -> None:
        cell = empty[turn.world_rng.below(len(empty))]
        kind = self.kinds[turn.world_rng.below(len(self.kinds))]
        turn.own["object"], turn.own["kind"] = cell, kind
        turn.add_event("object", [cell], what=OBJECTS[kind])


class Bombs(AnyObject):
    """Bombs only: the tile that meets one disappears."""

    kinds = (BOMB,)


class Factorizers(AnyObject):
    """Factorizers only: the tile that meets one becomes two factors."""

    kinds = (FACTORIZER,)


class Gifts(AnyObject):
    """Gifts only: the tile that meets one becomes another tile."""

    kinds = (GIFT,)


def _meets(turn: Turn, cell: int, direction: int) -> tuple[int, int]:
    """Return the cell of the tile that an object meets, or -1, and the edge it would move to."""
    line = next(x for x in lines(turn.n_rows, turn.n_columns, direction) if cell in x)
    place = line.index(cell)
    for other in (*line[:place][::-1], *line[place + 1 :]):
        if turn.tiles[other]:
            return other, line[0]
    return -1, line[0]


def _gift(turn: Turn, exponent: int) -> int:
    """Return the tile that a gift turns a tile into: never the same."""
    weights = {new: weight for new, weight in GIFT_WEIGHTS.items() if new != exponent}
    drawn = turn.world_rng.below(sum(weights.values()))
    for new, weight in weights.items():
        drawn -= weight
        if drawn < 0:
            return new
    raise AssertionError("the weights add up to what was drawn below")
