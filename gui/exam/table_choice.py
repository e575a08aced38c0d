"""The choice of the table for a test: a menu, and finding a test's table again."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox

from coach.play.run import Run
from engine.platform.language import tr
from gui.exam.rules import RememberedExam
from gui.text.numbers import format_table
from tablebase.library.limits_text import LOWER_BOUNDS


class TableChoice:
    """The tables that can be opened, in a menu."""

    def __init__(self, combo: QComboBox, remembered: RememberedExam) -> None:
        self._combo, self._remembered = combo, remembered
        self._tables: Sequence[Any] = ()

    @property
    def is_empty(self) -> bool:
        return not self._tables

    @property
    def default(self) -> Path:
        """The last used table, or the first of all if that is gone."""
        last = self._combo.findData(self._remembered.last_table)
        return self.path_at(max(0, last))

    def path_at(self, index: int) -> Path:
        return Path(self._combo.itemData(index))

    def name_of(self, path: Path) -> str:
        return next((table.name for table in self._tables if Path(table.path) == path), path.name)

    def note_on(self, path: Path | None) -> str:
        table = next((table for table in self._tables if Path(table.path) == path), None)
        return tr(LOWER_BOUNDS) if table and table.is_limited else ""

    def path_for(self, run: Run) -> Path | None:
        """Return the table that a test was played on; of several, the last used one."""
        key = run.setup.table, run.setup.spawn4
        paths = [Path(table.path) for table in self._tables if (table.name, table.spawn4) == key]
        last = Path(self._remembered.last_table)
        return last if last in paths else next(iter(paths), None)

    def offer(self, tables: Sequence[Any]) -> None:
        self._tables = tables
        with QSignalBlocker(self._combo):
            self._combo.clear()
            for info in tables:
                self._combo.addItem(format_table(info.pattern, info.target), str(info.path))

    def select(self, path: Path | None) -> None:
        with QSignalBlocker(self._combo):
            self._combo.setCurrentIndex(self._combo.findData(str(path)))
