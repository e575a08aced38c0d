"""The form that makes a finished table smaller: what to leave out, what that saves, and where."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QStandardItemModel

from engine.platform.language import mark, tr
from gui.style.layout import laid_out
from gui.table_work.folder_checks import FolderChecks
from gui.table_work.question import SizeForecast
from gui.table_work.requests import ConvertRequest
from gui.tables.build_options import NEEDS_ALL, NOT_SPARSE, SPARSE_NEEDS_ALL, about_sparse
from gui.tables.change_panel import ChangePanel
from gui.tables.option_fields import OptionField, labeled
from gui.text.messages import sentence
from gui.text.numbers import NBSP, format_bytes
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.flow_layout import flowing
from gui.widgets.folder_field import FolderField
from gui.widgets.labels import Figure, label
from gui.work.tasks import TaskRunner

if TYPE_CHECKING:
    from tablebase.events import ConvertSize
    from tablebase.library.table_info import TableInfo
    from tablebase.store.replace_table import Conversion

_HOLD_LESS = ("float64", "uint64", "uint32", "float32", "uint16")  # each less than the one before
_ASK_DELAY_MS = 300
_ABOUT = mark("Make it smaller without rebuilding it. What you don't change stays as it is.")
_SAME = mark("Choose what to leave out, or compress it once more.")
_REPLACES = mark("To get back what is left out, build the table again.")
_STAYS = mark("This table stays as it is.")
_IN_PARTS = mark("Part of this table is on another drive: bring it back first, or make a new table")
_NO_FOLDER = mark("Choose a folder for the new table.")
_BEGUN = mark("A conversion with these options was stopped. It resumes where it stopped.")


class ConvertPanel(ChangePanel):
    """The options of `convert`, the resulting size, and the button."""

    requested = Signal(object)  # ConvertRequest

    def __init__(self, table: "TableInfo", sizes: SizeForecast, places: TaskRunner) -> None:
        super().__init__(tr("Convert"), tr(_ABOUT), tr("Convert"))
        self.table, self._sizes = table, sizes
        self._folders = FolderChecks(places, "folder of a conversion", self)  # no text
        self._begun: ConvertRequest | None = None
        self._sized_request: ConvertRequest | None = None
        self._make_widgets()
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=_ASK_DELAY_MS)
        self._timer.timeout.connect(lambda: self._sizes.ask(self.request))
        for field in (self.rate, self.threshold, self.optimal_only, self.sparse, self.level):
            field.changed.connect(self._on_change)
        self.place_chips.chosen.connect(lambda _: self._on_change())
        self.folder_field.changed.connect(self._on_change)
        self.go_button.clicked.connect(self._go)
        self._sizes.changed.connect(self._show_size)
        self._folders.changed.connect(self._show_size)
        sizes.drop()
        self._on_change()
        self.setFocusProxy(self.rate.editor)

    @property
    def request(self) -> ConvertRequest:
        """The request in the form; unchanged options are left out."""
        table = self.table
        rate, sparse = self.rate.value, self.sparse.value
        threshold, optimal_only = self.threshold.value, self.optimal_only.value
        is_copy = self.place_chips.value == "copy"
        folder = self.folder_field.folder if is_copy else table.path.parent
        return ConvertRequest(
            table.pattern,
            table.target,
            folder or Path(),
            table.path,
            rate="" if rate == table.rate else rate,
            threshold=None if threshold == round(table.threshold, 6) else threshold,
            optimal_only=optimal_only and not table.optimal_only,
            sparse=0 if sparse == table.sparse else sparse,
            level=self.level.value,
            is_copy=is_copy,
        )

    def resume(self, begun: "Conversion") -> None:
        options = begun.options
        self.rate.show_value(options.rate)
        self.threshold.show_value(options.threshold)
        self.optimal_only.show_value(options.optimal_only)
        self._show_limits()
        self.sparse.show_value(options.sparse)
        self.level.show_value(begun.level)
        self.place_chips.choose("replace")
        self._begun = self.request
        self._on_change()

    def _make_widgets(self) -> None:
        table = self.table
        self.rate = OptionField("rate")
        weakest = _HOLD_LESS.index(table.rate)
        model = self.rate.editor.model()
        assert isinstance(model, QStandardItemModel)  # that is what a combo box has
        for at, choice in enumerate(self.rate.setting.choices):
            if _HOLD_LESS.index(str(choice.value)) < weakest:
                model.item(at).setEnabled(False)
                why_not = tr("This table doesn't hold that many digits. Only a new build can.")
                self.rate.editor.setItemData(at, why_not, Qt.ItemDataRole.ToolTipRole)
        self.rate.show_value(table.rate)
        self.threshold = OptionField("threshold")
        if table.threshold:  # what it has left out stays away
            self.threshold.editor.setMinimum(100 * table.threshold)
            self.threshold.editor.setSpecialValueText("")
        self.optimal_only = OptionField("optimal_only")
        self.optimal_only.show_value(table.optimal_only)
        self.sparse = OptionField("sparse")
        if table.sparse not in self.sparse.editor.buttons:
            self.sparse.control.offer(table.sparse, str(table.sparse))
        self.sparse.show_value(table.sparse)
        self.level = OptionField("level")
        self.level.control.offer("", tr("As it is"))
        self.level.show_value("")
        self.place_chips = ChipGroup(tr("Where the new table goes"))
        why_not = tr(_IN_PARTS) if table.folders else ""
        places = [
            Choice("replace", tr("Replaces this one"), why_not),
            Choice("copy", tr("Goes elsewhere")),
        ]
        self.place_chips.set_choices(places, "replace")
        self.place_note = label("", "caption", wraps=True)
        self.folder_field = FolderField(tr("Folder of the new table"))
        self.now_figure, self.new_figure = Figure(tr("Now")), Figure(tr("After"))
        self.now_figure.show_value(format_bytes(table.bytes))

    def _lay_out(self) -> None:
        contents = (
            self.rate.labeled(self.rate.note),
            self.threshold.labeled(self.threshold.note),
            labeled(tr("Best play"), self.optimal_only.control, self.optimal_only.note),
            self.sparse.labeled(self.sparse.note),
            self.level.labeled(self.level.note),
            labeled(tr("New table"), self.place_chips, self.place_note),
        )
        for content in contents:
            content.addStretch()
        self.fields.addWidget(flowing(*map(laid_out, contents), space=12, column_width=250))
        self.fields.addWidget(self.folder_field)
        self.add_figures(self.now_figure, self.new_figure)

    def _on_change(self) -> None:
        self._show_limits()
        is_copy = self.place_chips.value == "copy"
        self.folder_field.setVisible(is_copy)
        self.place_note.setText(tr(_STAYS if is_copy else _REPLACES))
        if is_copy and (folder := self.folder_field.folder):
            self._folders.ask(folder)
        question = _without_place(self.request)
        if question != self._sized_request:
            self._sized_request = question
            self._sizes.drop()
            if _is_change(question):
                self._timer.start()
            else:
                self._timer.stop()
        self._show_size()

    def _show_limits(self) -> None:
        table, sparse = self.table, self.sparse.value
        leaves_out = self.threshold.value > 0 or self.optimal_only.value
        for field in (self.threshold, self.optimal_only):
            field.lock(tr(NEEDS_ALL) if sparse > 1 else "")
        self.optimal_only.editor.setEnabled(sparse == 1 and not table.optimal_only)
        note = tr(self.threshold.setting.help)
        self.threshold.note.setText(tr(NOT_SPARSE) if sparse > 1 else note)
        note = tr(self.optimal_only.setting.help)
        optimal = tr("It already holds best play only.") if table.optimal_only else note
        self.optimal_only.note.setText(tr(NOT_SPARSE) if sparse > 1 else optimal)
        gone = tr("Some layers that it would keep have no file")
        all_needed = tr(SPARSE_NEEDS_ALL) if leaves_out else ""
        values = [k for k in self.sparse.editor.buttons if isinstance(k, int)]
        self.sparse.editor.forbid(
            {k: gone if k % table.sparse else all_needed if k > 1 else "" for k in values}
        )
        self.sparse.note.setText(sentence(all_needed) if all_needed else about_sparse(sparse))
        self.rate.note.setText(self.rate.note_of_value)
        self.level.note.setText(self.level.note_of_value)

    def _show_size(self) -> None:
        forecast = self._sizes.answer
        self._show_figure(forecast)
        text, tone, can_go = self._readiness(forecast)
        self.show_note(text, tone)
        self.go_button.setEnabled(can_go)
        is_begun = self._begun is not None and self.request == self._begun
        self.go_button.setText(tr("Resume") if is_begun else tr("Convert"))

    def _show_figure(self, forecast: "ConvertSize | None") -> None:
        if forecast is None or forecast.is_same:
            is_open = self._sizes.is_thinking or self._timer.isActive()
            self.new_figure.show_value("\u2026" if is_open else "\u2013")
            return
        sign = f"\u2264{NBSP}" if forecast.is_most else f"\u2248{NBSP}"
        saved = 1 - forecast.bytes / max(1, forecast.bytes_before)
        percent = f"{round(saved * 100)}{NBSP}%"
        note = tr("{percent} less", percent=percent) if saved >= 0 else ""  # the note says so
        if forecast.is_most and saved < 0.1:
            note = tr("usually far less")
        self.new_figure.show_value(sign + format_bytes(forecast.bytes), note)

    def _readiness(self, forecast: "ConvertSize | None") -> tuple[str, str, bool]:
        """Return the note, its tone, and whether the button is enabled."""
        if not _is_change(self.request):
            return tr(_SAME), "", False
        problem = self._place_problem()
        tone = "bad" if self.folder_field.folder else ""
        self.folder_field.mark(is_invalid=bool(problem and tone))
        if problem:
            return problem, tone, False
        if self._sizes.problem:
            return sentence(self._sizes.problem), "bad", False
        if forecast and forecast.bytes > forecast.bytes_before:
            return tr("This makes the table larger, not smaller."), "warning", True
        if self._begun is not None and self.request == self._begun:
            return tr(_BEGUN), "", True
        return "", "", True

    def _place_problem(self) -> str:
        request = self.request
        if not request.is_copy:
            return ""
        folder = self.folder_field.folder
        if folder is None:
            return tr(_NO_FOLDER)
        if problem := self._folders.problem(folder):
            return sentence(problem)
        if request.table == self.table.path:
            return tr("The current table is in this folder. Choose another one.")
        return ""

    def _go(self) -> None:
        self._sizes.drop()
        self.requested.emit(self.request)


def _without_place(request: ConvertRequest) -> ConvertRequest:
    return replace(request, folder=Path(), is_copy=False)


def _is_change(request: ConvertRequest) -> bool:
    unchanged = ConvertRequest(request.pattern, request.target, Path(), request.source)
    return _without_place(request) != unchanged
