"""All actions by page, with their keys: a tree that can be searched."""

from collections.abc import Callable

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView

from engine.platform.language import listed, tr
from gui.keys.shortcuts import KeyTable

_KEYS_PX = 220
_ID, _SOUGHT = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex


class _FoundKeys(QSortFilterProxyModel):
    """A filter that keeps the rows with all words of a search, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.setRecursiveFilteringEnabled(True)

    def filterAcceptsRow(self, row: int, parent: _Index) -> bool:  # noqa: N802
        text = self.sourceModel().index(row, 0, parent).data(_SOUGHT)
        return bool(text) and all(word in text for word in self.words)


class KeyTree(QTreeView):
    """Pages, their actions, and the keys of each, as the system writes them."""

    action_chosen = Signal(str)  # the id of the selected action, "" for none

    def __init__(self, native: Callable[[str], str]) -> None:
        super().__init__()
        self._native = native
        self._rows: dict[str, tuple[QStandardItem, QStandardItem]] = {}
        self._source, self._found_keys = QStandardItemModel(0, 2), _FoundKeys()
        self._source.setHorizontalHeaderLabels([tr("Action"), tr("Keys")])
        self._found_keys.setSourceModel(self._source)
        self.setModel(self._found_keys)
        self.setAccessibleName(tr("Actions and their keys"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setExpandsOnDoubleClick(False)
        self.setUniformRowHeights(True)
        self.setTabKeyNavigation(False)
        header = self.header()
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(1, _KEYS_PX)
        self.selectionModel().currentChanged.connect(
            lambda *_: self.action_chosen.emit(self.chosen)
        )

    @property
    def chosen(self) -> str:
        index = self.currentIndex()
        return str(index.siblingAtColumn(0).data(_ID) or "") if index.isValid() else ""

    @property
    def shown(self) -> list[str]:
        pages = [self._found_keys.index(row, 0) for row in range(self._found_keys.rowCount())]
        rows = [
            self._found_keys.index(row, 0, page)
            for page in pages
            for row in range(self._found_keys.rowCount(page))
        ]
        return [str(row.data(_ID)) for row in rows]

    def show_table(self, table: KeyTable) -> None:
        if list(self._rows) != list(table.shortcuts):
            self._fill(table)
            return
        for id_, row in self._rows.items():
            self._show_row(table, id_, row)

    def _show_row(
        self, table: KeyTable, id_: str, row: tuple[QStandardItem, QStandardItem]
    ) -> None:
        shortcut, own, clashes = table.shortcuts[id_], table.keys(id_), table.clashes(id_)
        text = ",  ".join(dict.fromkeys(map(self._native, own)))
        shown = f"{text}  \N{WARNING SIGN}" if clashes else text
        name, keys = row
        rivals = [f"{rival.text} ({rival.title})" for who in clashes.values() for rival in who]
        tip = tr("Also of {actions}", actions=listed(rivals)) if rivals else ""
        if (shown, tip) == (keys.text(), keys.toolTip()) and name.data(_SOUGHT):
            return  # as it was
        keys.setText(shown)
        keys.setToolTip(tip)
        font = keys.font()
        font.setBold(table.is_changed(id_))
        keys.setFont(font)
        sought = f"{shortcut.title} {shortcut.text} {text} {' '.join(own)}"
        name.setData(sought.lower(), _SOUGHT)

    def seek(self, text: str) -> None:
        self._found_keys.words = text.lower().split()
        self._found_keys.invalidate()
        self.expandAll()
        if not self.chosen:
            self.choose_first()

    def choose_first(self) -> None:
        shown = self.shown
        self.choose(shown[0] if shown else "")

    def choose(self, id_: str) -> None:
        flags = QItemSelectionModel.SelectionFlag
        index = QModelIndex()
        if id_ in self._rows:
            index = self._found_keys.mapFromSource(self._rows[id_][0].index())
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index)

    def _fill(self, table: KeyTable) -> None:
        self._source.removeRows(0, self._source.rowCount())
        self._rows = {}
        pages: dict[str, QStandardItem] = {}
        for shortcut in table.shortcuts.values():
            if shortcut.page not in pages:
                pages[shortcut.page] = _heading(shortcut.title)
            row = (QStandardItem(shortcut.text), QStandardItem())
            row[0].setData(shortcut.id, _ID)
            self._show_row(table, shortcut.id, row)
            pages[shortcut.page].appendRow(list(row))
            self._rows[shortcut.id] = row
        for page in pages.values():  # whole pages: the search checks each row once
            blank = QStandardItem()
            blank.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self._source.appendRow([page, blank])


def _heading(title: str) -> QStandardItem:
    item = QStandardItem(title)
    font = item.font()
    font.setBold(True)
    item.setFont(font)
    item.setFlags(Qt.ItemFlag.ItemIsEnabled)
    return item
