"""The choice of the tables to analyze with: all that are found, or some."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton

from engine.platform.language import tr
from gui.settings_model.settings import Settings
from gui.text.numbers import format_table
from gui.widgets.buttons import attach_menu

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo

_KEY = "analysis.tables"


class TableMenu(QToolButton):
    """A button with a menu of tables; the choice is remembered.

    "All tables" means those for the usual share of fours; a table for another game is only used if
    it is chosen.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._actions: dict[Path, QAction] = {}
        self._all = QAction(tr("All tables"), self)
        self._all.setCheckable(True)
        self._all.triggered.connect(self._choose_all)
        attach_menu(self, QMenu(self))
        self.setToolTip(tr("Tables that rate the moves of a game"))
        self.set_tables([])

    @property
    def has_tables(self) -> bool:
        return bool(self._actions)

    @property
    def chosen(self) -> tuple[Path, ...]:
        if self._all.isChecked():
            return ()
        return tuple(path for path, action in self._actions.items() if action.isChecked())

    def set_tables(self, tables: "Sequence[TableInfo]") -> None:
        ready = [info for info in tables if info.state in ("complete", "away")]
        wanted = set(self._settings.get(_KEY))
        menu = self.menu()
        menu.clear()
        menu.addAction(self._all)
        menu.addSeparator()
        self._actions = {}
        for info in ready:
            action = menu.addAction(format_table(info.pattern, info.target))
            action.setCheckable(True)
            action.setChecked(str(info.path) in wanted)
            action.triggered.connect(self._choose_some)
            self._actions[info.path] = action
        self._all.setChecked(not any(action.isChecked() for action in self._actions.values()))
        self._show_choice()

    def _choose_all(self) -> None:
        for action in self._actions.values():
            action.setChecked(False)
        self._all.setChecked(True)
        self._remember()

    def _choose_some(self) -> None:
        self._all.setChecked(not any(action.isChecked() for action in self._actions.values()))
        self._remember()

    def _remember(self) -> None:
        self._settings.set(_KEY, [str(path) for path in self.chosen])
        self._show_choice()

    def _show_choice(self) -> None:
        names = [action.text() for action in self._actions.values() if action.isChecked()]
        if not self._actions:
            text = tr("No tables")
        elif not names:
            text = tr("All tables ({n})", n=len(self._actions))
        else:
            text = names[0] if len(names) == 1 else tr("{n} tables", n=len(names))
        self.setText(text)
        self.setAccessibleName(tr("Tables to analyze with: {tables}", tables=text))
        self.setEnabled(bool(self._actions))
