"""The forms inside the cards: one is open at a time, and what it asks for goes to the builds."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from gui.settings_model.settings import Settings
from gui.settings_model.state import build_seconds
from gui.table_work.builds import Builds
from gui.table_work.checks import Checks
from gui.table_work.question import Adviser, SizeForecast, TableReports
from gui.table_work.requests import RelocateRequest
from gui.table_work.table_library import Library
from gui.table_work.table_service import TablesService
from gui.tables.about_panel import AboutPanel
from gui.tables.change_panel import ChangePanel
from gui.tables.convert_panel import ConvertPanel
from gui.tables.move_panel import MovePanel
from gui.tables.table_list import TableCard
from gui.work.tasks import TaskRunner

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo
    from tablebase.store.replace_table import Conversion
_STOPPED = "stopped conversion"  # the name of a task, no text


@dataclass(frozen=True)
class TablesWork:
    """What works for the page of tables: its data, threads and child processes."""

    service: TablesService
    tasks: TaskRunner
    settings: Settings
    library: Library
    builds: Builds
    checks: Checks
    adviser: Adviser
    sizes: SizeForecast
    reports: TableReports
    drawings: TaskRunner  # estimates of drawn formations
    estimates: TaskRunner  # those of the form
    places: TaskRunner  # looks at folders, whose drive may be away


class TableChanges(QObject):
    """Opens a form in a card, one at a time, and closes it."""

    requested = Signal(object)  # ConvertRequest or RelocateRequest
    opened = Signal(object)  # ChangePanel: to be scrolled to
    cancelled = Signal()  # a form was closed, and nothing is to change

    def __init__(self, work: TablesWork, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._panel: ChangePanel | None = None
        self._card: TableCard | None = None

    @property
    def panel(self) -> ChangePanel | None:
        """The form that is open; it goes with its card."""
        return self._panel if self._panel and isValid(self._panel) else None

    def open_about(self, card: TableCard) -> None:
        table = card.table
        times = self._work.settings.state.get("build.times")
        seconds = build_seconds(times, table.path, table.boards)
        self._open(card, AboutPanel(table, self._work.reports, seconds))
        self._work.reports.ask(table.path)

    def open_convert(self, card: TableCard) -> None:
        panel = ConvertPanel(card.table, self._work.sizes, self._work.places)
        panel.requested.connect(self._go)
        self._open(card, panel)
        service, path = self._work.service, card.table.path

        def resume(begun: "Conversion | None") -> None:
            if begun and panel is self.panel:
                panel.resume(begun)

        self._work.tasks.run_latest(_STOPPED, lambda: service.begun_conversion(path), resume)

    def open_move(self, card: TableCard) -> None:
        panel = MovePanel(card.table, self._movable, self._work.places, self._work.settings)
        panel.requested.connect(self._go)
        self._open(card, panel)

    def close(self) -> None:
        self._work.sizes.drop()
        self._work.reports.drop()
        self._work.tasks.forget(_STOPPED)
        self._work.places.forget("move target")  # no text
        panel, card = self.panel, self._card
        self._panel = self._card = None
        if panel and card and isValid(card):
            card.close_panel(panel)

    def _open(self, card: TableCard, panel: ChangePanel) -> None:
        self.close()
        self._panel, self._card = panel, card
        panel.closed.connect(self._cancel)
        card.open_panel(panel)
        self.opened.emit(panel)

    def _cancel(self) -> None:
        card = self._card
        self.close()
        if card and isValid(card):
            card.menu_button.setFocus()
        self.cancelled.emit()

    def _go(self, request: object) -> None:
        self.close()
        self.requested.emit(request)

    def bring_back(self, table: "TableInfo") -> None:
        self.close()
        self.requested.emit(
            RelocateRequest(table.pattern, table.target, table.path.parent, table.path, table.path)
        )

    def _movable(self) -> "list[TableInfo]":
        busy = self._work.builds.tables()
        return [
            table
            for table in self._work.library.tables
            if table.state in ("complete", "away") and not table.origin and table.path not in busy
        ]
