"""The options of an analysis: how far the games are judged, by which tables."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from engine.platform.language import tr
from gui.settings_model.settings import Settings
from gui.text.numbers import format_table

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo

_KEY = "analysis.tables"


class AnalyzeOptions(QMenu):
    """Switches, which are remembered; where there are several tables, also which of them to use.

    "All tables" means those for the usual share of fours; a table for another game is only used if
    it is chosen. No action belongs to the menu: `clear` would delete it.
    """

    def __init__(self, settings: Settings, switches: Sequence[QAction], folder: QAction) -> None:
        super().__init__()
        self._settings = settings
        self._actions: dict[Path, QAction] = {}
        self._all = _checkable(QAction(tr("All tables")), self._choose_all)
        self._fixed = (switches, folder)
        self.setToolTipsVisible(True)
        self.set_tables([])

    @property
    def has_tables(self) -> bool:
        return bool(self._actions)

    @property
    def chosen(self) -> tuple[Path, ...]:
        return tuple(path for path, action in self._actions.items() if action.isChecked())

    def set_tables(self, tables: "Sequence[TableInfo]") -> None:
        ready = [info for info in tables if info.state in ("complete", "away")]
        wanted, (switches, folder) = set(self._settings.get(_KEY)), self._fixed
        self.clear()
        self.addActions(switches)
        self.addSeparator()
        if len(ready) > 1:
            self.addAction(self._all)
        self._actions = {}
        for info in ready:
            action = QAction(format_table(info.pattern, info.target))
            self._actions[info.path] = _checkable(action, self._remember)
            action.setChecked(str(info.path) in wanted)
            if len(ready) > 1:
                self.addAction(action)
        self.addSeparator()
        self.addAction(folder)
        self._all.setChecked(not self.chosen)

    def _choose_all(self) -> None:
        for action in self._actions.values():
            action.setChecked(False)
        self._remember()

    def _remember(self) -> None:
        self._settings.set(_KEY, [str(path) for path in self.chosen])
        self._all.setChecked(not self.chosen)


def _checkable(action: QAction, work: Callable[[], None]) -> QAction:
    action.setCheckable(True)
    action.triggered.connect(lambda _: work())
    return action
