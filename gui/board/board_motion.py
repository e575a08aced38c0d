"""Motion on a board, and the region to redraw during it."""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtGui import QRegion

from gui.board.board_paint import Grid


class Slide(Protocol):
    """A tile that moves from one cell to another."""

    @property
    def from_cell(self) -> int:
        """The cell that it leaves."""

    @property
    def to_cell(self) -> int:
        """The cell where it stops; may be the same."""

    @property
    def merged(self) -> bool:
        """Whether it merges there."""


def moving_region(grid: Grid, slides: Sequence[Slide], spawned: int | None) -> QRegion:
    """Return the region that tiles pass over: usually half of the board, drawn in half the time.

    Parameters
    ----------
    grid : Grid
    slides : sequence of Slide
    spawned : int or None
        The cell of a new tile.
    """
    ways = [(s.from_cell, s.to_cell) for s in slides if s.merged or s.from_cell != s.to_cell]
    if spawned is not None:
        ways.append((spawned, spawned))
    region, margin = QRegion(), grid.gap  # tiles that merge swell, by less than this
    for start, end in ways:
        way = grid.rect(start).united(grid.rect(end))
        region += way.adjusted(-margin, -margin, margin, margin).toAlignedRect()
    return region
