"""Bomb, glove and twist: tools that change the board without a move."""

from collections.abc import Collection

from minigames.board import FLOOR, block
from minigames.state import TOOLS, Action
from minigames.turn import Turn


def use_tool(turn: Turn, action: Action, reserved: Collection[int]) -> bool:
    """Use a tool and count it; return False and change nothing if it can't be used.

    A bomb removes a number. A glove moves a number to an empty cell. A twist turns the contents of
    2 x 2 cells clockwise by one. None of them spawns a tile, scores points or counts as a move.
    Reserved cells hold something other than a tile; no tool may touch them.
    """
    place = TOOLS.index(action.kind)
    if turn.tools[place] < 1:
        return False
    if any(not 0 <= cell < len(turn.tiles) for cell in action.numbers):
        return False
    cells = action.numbers
    if action.kind == "bomb":
        done = turn.tiles[cells[0]] > 0
        if done:
            turn.take(cells[0])
    elif action.kind == "glove":
        done = _glove(turn, cells[0], cells[1], reserved)
    else:
        done = _twist(turn, cells[0], reserved)
    if done:
        turn.tools[place] -= 1
        turn.add_event("tool", cells, what=action.kind)
    return done


def _glove(turn: Turn, source: int, stop: int, reserved: Collection[int]) -> bool:
    if turn.tiles[source] < 1 or stop not in turn.empty_cells(reserved):
        return False
    turn.permute([(source, stop), (stop, source)])
    return True


def _twist(turn: Turn, cell: int, reserved: Collection[int]) -> bool:
    cells = block(cell, turn.n_rows, turn.n_columns)
    if cells is None or not any(turn.tiles[c] for c in cells):
        return False
    if any(turn.terrain[c] != FLOOR or c in reserved for c in cells):
        return False
    turn.permute(list(zip(cells, cells[1:] + cells[:1], strict=True)))
    return True
