"""One table worth building: its picture, its cost, its benefit."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from engine.platform.language import tr
from gui.board.formation_view import FormationView
from gui.text.numbers import NBSP, format_bytes, format_seconds, table_title
from gui.widgets.labels import label, line

if TYPE_CHECKING:
    from tablebase.events import AdvisedTable
    from tablebase.formation.formation import Formation


class AdviceRow(QWidget):
    """A row under a hairline."""

    def __init__(self, table: "AdvisedTable", formation: "Formation | None") -> None:
        super().__init__()
        self.table = table
        name = table_title(f"{table.pattern}_{table.target}")
        self.view = FormationView(40)
        if formation:
            self.view.show_formation(formation)
        else:
            self.view.hide()
        self.title_label = label(name)
        self.title_label.setProperty("weight", "strong")
        needs = f"{format_bytes(table.bytes)} \u00b7 {format_seconds(table.wall_s)}"
        self.needs_label = label(needs.replace(" ", NBSP), "caption")
        self.purpose_label = label(table.purpose, "caption", wraps=True)
        self.build_button = QPushButton(tr("Build"))
        self.build_button.setAccessibleName(tr("Build {name}", name=name))
        self._lay_out()

    def set_here(self, is_here: bool) -> None:
        """Set whether the table already exists."""
        self.build_button.setText(tr("Already built") if is_here else tr("Build"))
        self.build_button.setEnabled(not is_here)
        self.build_button.setToolTip("" if is_here else tr("With the options of the form"))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.title_label)
        head.addWidget(self.needs_label)
        head.addStretch()
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addLayout(head)
        texts.addWidget(self.purpose_label)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.view, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        row.addWidget(self.build_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(line())
        column.addLayout(row)
