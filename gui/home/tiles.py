"""The finished tables, as tiles."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from engine.platform.language import tr
from gui.board.formation_view import FormationView
from gui.text.numbers import format_bytes, format_table
from gui.widgets.card import clear_layout
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import ElidedLabel, label

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo


class TableTile(QFrame):
    """A complete table as a tile: its picture, its name, Practice.

    Signals
    -------
    clicked : the user wants to practice it
    """

    clicked = Signal()

    def __init__(self, table: "TableInfo", formation: "Formation | None") -> None:
        super().__init__()
        self.setProperty("card", True)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 16, 16, 16)
        row.setSpacing(16)
        view = FormationView(72)
        if formation:
            view.show_formation(formation)
        row.addWidget(view, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(label(format_table(table.pattern, table.target), "strong"))
        column.addWidget(ElidedLabel(format_bytes(table.bytes), "caption"))
        column.addStretch()
        self.button = QPushButton(tr("Practice"))
        self.button.clicked.connect(self.clicked)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        row.addLayout(column, 1)


class TableTiles(QWidget):
    """All tiles under a heading.

    Signals
    -------
    practice_requested : Path (as object)
    """

    practice_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.tiles: dict[Path, TableTile] = {}
        self._shown: tuple[object, object] = ((), None)
        tiles = QWidget()
        self._flow = FlowLayout(tiles, space=12, column_width=280)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(label(tr("Your tables"), "strong"))
        column.addWidget(tiles)

    def show_tables(
        self, tables: "Sequence[TableInfo]", formations: "Mapping[str, Formation]"
    ) -> None:
        """Show tables; does nothing if they are unchanged."""
        if self._shown == (list(tables), formations):
            return
        self._shown = (list(tables), formations)
        clear_layout(self._flow)
        self.tiles = {}
        for table in tables:
            tile = TableTile(table, formations.get(table.pattern))
            tile.clicked.connect(lambda path=table.path: self.practice_requested.emit(path))
            self._flow.addWidget(tile)
            self.tiles[table.path] = tile
