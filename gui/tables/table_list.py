"""The cards of all tables, one under the other, kept as long as their tables stay as they are."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.style.layout import column
from gui.tables.table_card import TableCard
from gui.work.chunked_work import ChunkedWork

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo


class TableList(QWidget):
    """A column of cards; new ones are created one by one, so that no key press waits for them.

    Parameters
    ----------
    make_card : callable
        Makes the card of a table, in the state that it is in.
    is_current : callable
        Whether a card still shows its table as `make_card` would.

    Attributes
    ----------
    cards : dict of Path to TableCard
        By the tables' folders, in the order on the screen.
    """

    def __init__(
        self,
        make_card: Callable[["TableInfo"], TableCard],
        is_current: Callable[[TableCard], bool],
    ) -> None:
        super().__init__()
        self._make_card, self._is_current = make_card, is_current
        self._order: list[Path] = []
        self._steps = ChunkedWork(self)
        self.cards: dict[Path, TableCard] = {}
        self._column = column(parent=self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def set_tables(self, tables: "Sequence[TableInfo]") -> None:
        """Show these tables in this order."""
        wanted = {table.path: table for table in tables}
        self._order = list(wanted)
        for path, card in list(self.cards.items()):
            if wanted.get(path) != card.table or not self._is_current(card):
                self._remove(path)
        for i, path in enumerate(path for path in self._order if path in self.cards):
            if self._column.indexOf(self.cards[path]) != i:
                self._column.insertWidget(i, self.cards[path])
        self._sort()
        new = [table for table in wanted.values() if table.path not in self.cards]
        self._steps.do([lambda table=table: self._add(table) for table in new])  # type: ignore[misc]

    def _add(self, table: "TableInfo") -> None:
        card = self._make_card(table)
        self.cards[table.path] = card
        self._sort()
        self._column.insertWidget(list(self.cards).index(table.path), card)

    def _remove(self, path: Path) -> None:
        card = self.cards.pop(path)
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _sort(self) -> None:
        self.cards = {path: self.cards[path] for path in self._order if path in self.cards}
