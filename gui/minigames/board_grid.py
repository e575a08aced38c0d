"""The geometry of boards of any shape, in whole device pixels so that edges stay crisp."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

_GAP_SHARE = 0.022  # share of the available size


@dataclass(frozen=True)
class BoardGrid:
    """Rows and columns of square cells."""

    n_rows: int
    n_columns: int
    left: float
    top: float
    gap: float
    cell: float

    @classmethod
    def fit(
        cls, n_rows: int, n_columns: int, width: float, height: float, ratio: float
    ) -> "BoardGrid":
        """Return the largest grid centered in a widget; `ratio` is its device pixel ratio."""
        gap = max(1.0, round(min(width, height) * _GAP_SHARE * ratio)) / ratio
        cell = min(
            (width - (n_columns + 1) * gap) / n_columns, (height - (n_rows + 1) * gap) / n_rows
        )
        cell = max(1.0, int(cell * ratio)) / ratio
        used = (n_columns * (cell + gap) + gap, n_rows * (cell + gap) + gap)
        left, top = (
            max(0, int((room - size) / 2 * ratio)) / ratio
            for room, size in zip((width, height), used, strict=True)
        )
        return cls(n_rows, n_columns, left, top, gap, cell)

    @property
    def n_cells(self) -> int:
        """The number of cells."""
        return self.n_rows * self.n_columns

    @property
    def frame(self) -> QRectF:
        """The whole board."""
        step = self.cell + self.gap
        return QRectF(
            self.left, self.top, self.n_columns * step + self.gap, self.n_rows * step + self.gap
        )

    def rect(self, cell: int) -> QRectF:
        """Return the square of a cell."""
        row, column = divmod(cell, self.n_columns)
        step = self.cell + self.gap
        corner = QPointF(self.left + self.gap + column * step, self.top + self.gap + row * step)
        return QRectF(corner.x(), corner.y(), self.cell, self.cell)

    def block(self, cell: int, span: int) -> QRectF:
        """Return the square of `span` x `span` cells, of which `cell` is the top left one."""
        last = cell + (span - 1) * (self.n_columns + 1)
        return self.rect(cell).united(self.rect(last))
