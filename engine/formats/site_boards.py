"""The boards of other sites: their sizes, and their places among our cells."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.variants import VARIANTS


class SiteBoard(NamedTuple):
    """A board of a site."""

    name: str  # rows x columns, such as "3x4"
    n_rows: int
    n_columns: int
    top: int  # our row that holds its first row
    walls: int  # the empty board: F in the cells that are wall

    def cell(self, row: int, column: int) -> int | None:
        on_board = row < self.n_rows and column < self.n_columns
        return 4 * (row + self.top) + column if on_board else None

    def place(self, cell: int) -> tuple[int, int]:
        return cell // 4 - self.top, cell % 4


def _boards() -> Iterator[SiteBoard]:
    yield SiteBoard("4x4", 4, 4, 0, 0)
    for variant in VARIANTS.values():
        n_rows, n_columns = map(int, variant.name.split("x"))
        top = variant.playable_cells[0] // 4
        yield SiteBoard(variant.name, n_rows, n_columns, top, variant.walls)


SITE_BOARDS = {board.name: board for board in _boards()}
"""The boards by name."""
