"""The form that moves the layers of a table, or of all tables, to another drive."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox

from engine.platform.files.free_room import free_bytes
from engine.platform.language import mark, tr, trc
from gui.settings_model.settings import Settings
from gui.style.layout import STRETCH, laid_out, row
from gui.table_work.requests import RelocateRequest
from gui.tables.change_panel import ChangePanel
from gui.text.numbers import format_bytes
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.fields import number_field
from gui.widgets.folder_field import FolderField
from gui.widgets.labels import Figure, field
from gui.work.tasks import TaskRunner

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo

_LOOK_DELAY_MS = 150
_LOOKS = "move target"  # the name of a task, no text
_BYTES_PER_GB = 1e9
_ABOUT = mark(
    "Its layers go to a folder on another drive; this folder keeps a small index. You can keep "
    "practicing meanwhile, and bring the layers back any time."
)
_CHOOSE = mark("Choose a folder on the other drive.")
_LOOKING = mark("Looking at this folder.")


@dataclass(frozen=True)
class MoveTarget:
    """The result of checking a folder."""

    folder: Path
    problem: str = ""  # why it cannot take layers, as a sentence; "" if it can
    free_bytes: int | None = None  # free space there
    is_same_drive: bool = False  # whether the tables are already on that drive


def look_at(folder: Path, tables: Sequence[Path]) -> MoveTarget:
    problem = _why_not(folder, tables)
    if problem:
        return MoveTarget(folder, problem)
    try:
        device = folder.stat().st_dev
        is_same = all(table.stat().st_dev == device for table in tables)
    except OSError as error:
        return MoveTarget(folder, tr("This folder can't be read: {why}.", why=error.strerror))
    return MoveTarget(folder, "", free_bytes(folder), is_same)


def _why_not(folder: Path, tables: Sequence[Path]) -> str:
    if not folder.is_absolute():
        return tr("This is not a full path. Start it at the root of a drive.")
    if not folder.exists():
        return tr("This folder doesn't exist. Create it first, or choose another one.")
    if not folder.is_dir():
        return tr("This is a file. Choose a folder.")
    if not os.access(folder, os.W_OK):
        return tr("This folder can't be written to. Choose another one.")
    for table in tables:
        if folder == table or table in folder.parents:
            return tr("This folder is inside the table itself. Choose one outside it.")
        if folder == table.parent:
            return tr("The table is in this folder already. Choose one on another drive.")
    return ""


class MovePanel(ChangePanel):
    """The destination, the amount, the tables, and the button.

    `all_tables` returns all that can be moved now, this one among them.
    """

    requested = Signal(object)  # RelocateRequest, once for each table

    def __init__(
        self,
        table: "TableInfo",  # a finished table of ours
        all_tables: "Callable[[], Sequence[TableInfo]]",
        tasks: TaskRunner,
        settings: Settings,
    ) -> None:
        super().__init__(tr("Move to another drive"), tr(_ABOUT), trc("to another drive", "Move"))
        self.table, self._all_tables = table, all_tables
        self._tasks, self._settings = tasks, settings
        self._target: MoveTarget | None = None
        self._make_widgets()
        self.fields.addLayout(field(tr("Folder on the other drive"), self.folder_field))
        self.fields.addWidget(self.which_chips)
        self.fields.addWidget(self.amount_chips)
        self.amount_part = laid_out(row(self.size_spin, self.first_spin, self.last_spin, STRETCH))
        self.fields.addWidget(self.amount_part)
        self.add_figures(self.size_figure, self.free_figure)
        self._timer = QTimer(self, singleShot=True, interval=_LOOK_DELAY_MS)
        self._timer.timeout.connect(self._look)
        self.folder_field.changed.connect(self._on_change)
        self.which_chips.chosen.connect(lambda _: self._on_change())
        self.amount_chips.chosen.connect(lambda _: self._on_change())
        self.first_spin.valueChanged.connect(lambda _: self._show())
        self.last_spin.valueChanged.connect(lambda _: self._show())
        self.go_button.clicked.connect(self._go)
        self.folder_field.edit.setText(settings.state.get("tables.move_to"))
        self._on_change()
        self.setFocusProxy(self.folder_field)

    @property
    def tables(self) -> "list[TableInfo]":
        if self.which_chips.value == "all":
            return list(self._all_tables())
        return [self.table]

    @property
    def requests(self) -> list[RelocateRequest]:
        folder = self.folder_field.folder
        if folder is None:
            return []
        return [self._request(table, folder) for table in self.tables]

    def _request(self, table: "TableInfo", to: Path) -> RelocateRequest:
        how_much = self.amount_chips.value if self.which_chips.value == "one" else "all"
        layers, most = None, 0
        if how_much == "layers":
            layers = (self.first_spin.value(), self.last_spin.value())
        elif how_much == "bytes":
            most = round(self.size_spin.value() * _BYTES_PER_GB)
        return RelocateRequest(
            table.pattern, table.target, table.path.parent, table.path, to, layers, most
        )

    def _make_widgets(self) -> None:
        table, n_tables = self.table, len(self._all_tables())
        self.folder_field = FolderField(tr("Folder on the other drive"))
        self.which_chips = ChipGroup(tr("Which tables"))
        choices = [
            Choice("one", tr("This table")),
            Choice("all", tr("All {count} tables", count=n_tables)),
        ]
        self.which_chips.set_choices(choices, "one")
        if n_tables < 2:
            self.which_chips.hide()
        self.amount_chips = ChipGroup(tr("How much"))
        choices = [
            Choice("all", tr("All layers")),
            Choice("bytes", tr("Up to a size")),
            Choice("layers", tr("Some layers")),
        ]
        self.amount_chips.set_choices(choices, "all")
        gigabytes = max(0.001, table.bytes / 2 / _BYTES_PER_GB)
        size = QDoubleSpinBox(decimals=3, minimum=0.001, maximum=1_000_000, value=gigabytes)
        name = tr("The most that goes to the other drive")
        self.size_spin = number_field(size, name, suffix=" GB")
        last = max(0, table.layers - 1)
        first_layer = QSpinBox(minimum=0, maximum=last, value=0)
        last_layer = QSpinBox(minimum=0, maximum=last, value=last)
        self.first_spin = number_field(first_layer, tr("First layer"), prefix=tr("from "))
        self.last_spin = number_field(last_layer, tr("Last layer"), prefix=tr("to "))
        for spin in (self.size_spin, self.first_spin, self.last_spin):
            spin.setFixedWidth(128)
        self.size_figure = Figure(tr("On disk now"))
        self.free_figure = Figure(tr("Free there"))

    def _on_change(self) -> None:
        self._target = None
        self._tasks.forget(_LOOKS)
        if self.folder_field.folder:
            self._timer.start()
        else:
            self._timer.stop()
        self._show()

    def _look(self) -> None:
        folder = self.folder_field.folder
        if folder:
            work = partial(look_at, folder, [table.path for table in self.tables])
            self._tasks.run_latest(_LOOKS, work, self._take)

    def _take(self, target: MoveTarget) -> None:
        self._target = target
        self._show()

    def _show(self) -> None:
        is_one, amount = self.which_chips.value == "one", self.amount_chips.value
        self.amount_chips.setVisible(is_one)
        self.amount_part.setVisible(is_one and amount != "all")
        self.size_spin.setVisible(amount == "bytes")
        for spin in (self.first_spin, self.last_spin):
            spin.setVisible(amount == "layers")
        self.size_figure.show_value(format_bytes(sum(table.bytes for table in self.tables)))
        target = self._target
        free = target.free_bytes if target and not target.problem else None
        self.free_figure.show_value("\u2013" if free is None else format_bytes(free))
        text, tone, can_go = self._readiness(target)
        self.folder_field.mark(is_invalid=bool(target and target.problem))
        self.show_note(text, tone)
        self.go_button.setEnabled(can_go)

    def _readiness(self, target: MoveTarget | None) -> tuple[str, str, bool]:
        """Return the note, its tone, and whether the button is enabled."""
        if self.folder_field.folder is None:
            return tr(_CHOOSE), "", False
        if target is None:
            return tr(_LOOKING), "", False
        if target.problem:
            return target.problem, "bad", False
        if self.amount_chips.value == "layers" and self.first_spin.value() > self.last_spin.value():
            return tr("The first layer comes after the last one."), "bad", False
        need = sum(table.bytes for table in self.tables)
        is_whole = self.which_chips.value == "all" or self.amount_chips.value == "all"
        if target.is_same_drive:
            return (
                tr("This folder is on the same drive, so moving frees no space."),
                "warning",
                True,
            )
        if is_whole and target.free_bytes is not None and need > target.free_bytes:
            text = tr(
                "Only {size} are free there. Move part of it.", size=format_bytes(target.free_bytes)
            )
            return text, "bad", self.which_chips.value == "all"
        return "", "", True

    def _go(self) -> None:
        self._settings.state.set("tables.move_to", str(self.folder_field.folder))
        for request in self.requests:
            self.requested.emit(request)
