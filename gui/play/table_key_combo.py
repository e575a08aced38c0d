"""A choice of a table by its name and its chance of a 4, or of all tables."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker

from coach.mistakes.mistake import TableKey
from engine.platform.language import tr
from gui.text.answers import table_title
from gui.widgets.elided import TableCombo


class TableKeyCombo(TableCombo):
    """All tables, then each of those with something to show; not seen with a single one."""

    @property
    def key(self) -> TableKey | None:
        return self.currentData()

    def offer(self, keys: Sequence[TableKey]) -> None:
        """Offer these tables; the choice stays while it is among them."""
        chosen = self.key
        with QSignalBlocker(self):
            self.clear()
            self.addItem(tr("All tables"))
            for key in keys:
                self.addItem(table_title(key), key)
            self.choose(chosen)
        self.setVisible(len(keys) > 1)

    def choose(self, key: TableKey | None) -> None:
        offered = [self.itemData(i) for i in range(self.count())]
        self.setCurrentIndex(offered.index(key) if key in offered else 0)
