"""The finished tables, as tiles."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from engine.platform.language import tr
from gui.board.formation_view import FormationView
from gui.style.layout import STRETCH, clear_layout, column, placed, row
from gui.text.numbers import format_bytes, format_table
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import ElidedLabel, label

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo


class TableTile(QFrame):
    """A complete table as a tile: its picture, its name, Practice."""

    clicked = Signal()

    def __init__(self, table: "TableInfo", formation: "Formation | None") -> None:
        super().__init__()
        self.setProperty("card", True)
        view = FormationView(72)
        if formation:
            view.show_formation(formation)
        self.button = QPushButton(tr("Practice"))
        self.button.clicked.connect(self.clicked)
        row(
            placed(view, align=Qt.AlignmentFlag.AlignTop),
            placed(
                column(
                    label(format_table(table.pattern, table.target), "strong"),
                    ElidedLabel(format_bytes(table.bytes), "caption"),
                    STRETCH,
                    placed(self.button, align=Qt.AlignmentFlag.AlignLeft),
                    space=2,
                ),
                stretch=1,
            ),
            space=16,
            margins=16,
            parent=self,
        )


class TableTiles(QWidget):
    """All tiles under a heading."""

    practice_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.tiles: dict[Path, TableTile] = {}
        self._shown: tuple[object, object] = ((), None)
        tiles = QWidget()
        self._flow = FlowLayout(tiles, space=12, column_width=280)
        column(label(tr("Your tables"), "strong"), tiles, space=12, parent=self)

    def show_tables(
        self, tables: "Sequence[TableInfo]", formations: "Mapping[str, Formation]"
    ) -> None:
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
