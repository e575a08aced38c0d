"""The form that makes a finished table smaller: what to leave out, what that saves, and where."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from engine.platform.language import mark, tr
from gui.settings_model.settings_of_tables import SPARSE_CHOICES
from gui.table_work.change_request import ConvertRequest
from gui.table_work.folder_checks import FolderChecks
from gui.table_work.size_forecast import Forecast, SizeForecast
from gui.tables.build_options import (
    LEVELS,
    NEEDS_ALL,
    NOT_SPARSE,
    OPTIMAL_NOTE,
    RATES,
    SPARSE_NEEDS_ALL,
    THRESHOLD_NOTE,
    about_sparse,
    labeled,
    percent_spin,
)
from gui.tables.change_panel import ChangePanel
from gui.text.messages import sentence
from gui.text.numbers import NBSP, format_bytes
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.folder_field import FolderField
from gui.widgets.labels import Figure, label
from gui.work.tasks import TaskRunner

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo
    from tablebase.store.replace_table import Conversion

_HOLD_LESS = ("float64", "uint64", "uint32", "float32", "uint16")  # each less than the one before
_ASK_DELAY_MS = 300
_ABOUT = mark("Make it smaller without rebuilding it. What you don't change stays as it is.")
_SAME = mark("Choose what to leave out, or compress it once more.")
_REPLACES = mark("Only a new build brings back what is left out.")
_STAY_AS_THEY_ARE = mark("Unchanged files stay.")
_STAYS = mark("This table stays as it is.")
_IN_PARTS = mark("Part of this table is on another drive: bring it back first, or make a new table")
_NO_FOLDER = mark("Choose a folder for the new table.")
_BEGUN = mark("A conversion with these options was stopped. It resumes where it stopped.")


class ConvertPanel(ChangePanel):
    """The options of `convert`, the resulting size, and the button.

    Parameters
    ----------
    table : TableInfo
        A finished table of ours.
    sizes : SizeForecast
        Tells how large the new table will be.
    places : TaskRunner
        Where folders are looked at.

    Signals
    -------
    requested : ConvertRequest (as object)
    """

    requested = Signal(object)

    def __init__(self, table: "TableInfo", sizes: SizeForecast, places: TaskRunner) -> None:
        super().__init__(tr("Convert"), tr(_ABOUT), tr("Convert"))
        self.table, self._sizes = table, sizes
        self._folders = FolderChecks(places, "folder of a conversion", self)  # no text
        self._begun: ConvertRequest | None = None
        self._asked: ConvertRequest | None = None
        self._make_widgets()
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_ASK_DELAY_MS)
        self._timer.timeout.connect(self._ask)
        self._connect()
        sizes.drop()
        self._on_change()
        self.setFocusProxy(self.rate_combo)

    @property
    def request(self) -> ConvertRequest:
        """The request in the form; unchanged options are left out."""
        table, sparse = self.table, int(str(self.sparse_chips.value))
        rate = str(self.rate_combo.currentData())
        threshold = round(self.threshold_spin.value() / 100, 6)
        is_copy = self.place_chips.value == "copy"
        folder = self.folder_field.folder if is_copy else table.path.parent
        return ConvertRequest(
            *(table.pattern, table.target, folder or Path(), table.path),
            rate="" if rate == table.rate else rate,
            threshold=None if threshold == round(table.threshold, 6) else threshold,
            optimal_only=self.optimal_box.isChecked() and not table.optimal_only,
            sparse=0 if sparse == table.sparse else sparse,
            level=str(self.level_chips.value),
            is_copy=is_copy,
        )

    def resume(self, begun: "Conversion") -> None:
        """Fill in the options of an interrupted conversion of this table."""
        options = begun.options
        self.rate_combo.setCurrentIndex(self.rate_combo.findData(options.rate))
        self.threshold_spin.setValue(options.threshold * 100)
        self.optimal_box.setChecked(options.optimal_only)
        self._show_limits()
        self.sparse_chips.choose(options.sparse)
        self.level_chips.choose(begun.level)
        self.place_chips.choose("replace")
        self._begun = self.request
        self._on_change()

    def _make_widgets(self) -> None:
        table = self.table
        self.rate_combo = QComboBox()
        self.rate_combo.setAccessibleName(tr("Precision of the rates"))
        weakest = _HOLD_LESS.index(table.rate)
        for rate, words, tip in RATES:
            at = self.rate_combo.count()
            self.rate_combo.addItem(tr(words), rate)
            self.rate_combo.setItemData(at, tr(tip), Qt.ItemDataRole.ToolTipRole)
            if _HOLD_LESS.index(rate) < weakest:
                model = self.rate_combo.model()
                assert isinstance(model, QStandardItemModel)  # that is what a combo box has
                model.item(at).setEnabled(False)
                why_not = tr("This table doesn't hold that many digits. Only a new build can.")
                self.rate_combo.setItemData(at, why_not, Qt.ItemDataRole.ToolTipRole)
        self.rate_combo.setCurrentIndex(self.rate_combo.findData(table.rate))
        self.rate_note = label("", "caption", wraps=True)
        self.threshold_spin = percent_spin(tr("Leave out chances up to"), low=table.threshold * 100)
        if not table.threshold:
            self.threshold_spin.setSpecialValueText(tr("Nothing"))
        self.threshold_spin.lineEdit().setTextMargins(6, 0, 0, 0)  # a style sheet cannot
        self.threshold_note = label(tr(THRESHOLD_NOTE), "caption", wraps=True)
        self.optimal_box = QCheckBox(tr("Only positions of best play"))
        self.optimal_box.setChecked(table.optimal_only)
        self.optimal_note = label("", "caption", wraps=True)
        self.sparse_chips = ChipGroup(tr("Sparse storage"))
        kept = sorted({*SPARSE_CHOICES, table.sparse})
        choices = [Choice(k, tr("Off") if k == 1 else str(k)) for k in kept]
        self.sparse_chips.set_choices(choices, table.sparse)
        self.sparse_note = label("", "caption", wraps=True)
        self.level_chips = ChipGroup(tr("Compression"))
        levels = [Choice(level, tr(text), tip=tr(tip)) for level, text, tip in LEVELS]
        self.level_chips.set_choices([Choice("", tr("As it is")), *levels], "")
        self.level_note = label("", "caption", wraps=True)
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
        parts = QWidget()
        flow = FlowLayout(parts, space=12, column_width=250)
        for content in (
            labeled(tr("Precision of the rates"), self.rate_combo, self.rate_note),
            labeled(tr("Leave out chances up to"), self.threshold_spin, self.threshold_note),
            labeled(tr("Best play"), self.optimal_box, self.optimal_note),
            labeled(tr("Sparse storage"), self.sparse_chips, self.sparse_note),
            labeled(tr("Compression"), self.level_chips, self.level_note),
            labeled(tr("New table"), self.place_chips, self.place_note),
        ):
            part = QWidget()
            content.setContentsMargins(0, 0, 0, 0)
            content.addStretch()
            part.setLayout(content)
            flow.addWidget(part)
        self.fields.addWidget(parts)
        self.fields.addWidget(self.folder_field)
        self.add_figures(self.now_figure, self.new_figure)

    def _connect(self) -> None:
        self.rate_combo.activated.connect(lambda _: self._on_change())
        self.threshold_spin.valueChanged.connect(lambda _: self._on_change())
        self.optimal_box.toggled.connect(lambda _: self._on_change())
        for chips in (self.sparse_chips, self.level_chips, self.place_chips):
            chips.chosen.connect(lambda _: self._on_change())
        self.folder_field.changed.connect(self._on_change)
        self.go_button.clicked.connect(self._go)
        self._sizes.changed.connect(self._show_size)
        self._folders.changed.connect(self._show_size)

    def _on_change(self) -> None:
        self._show_limits()
        is_copy = self.place_chips.value == "copy"
        self.folder_field.setVisible(is_copy)
        self.place_note.setText(tr(_STAYS if is_copy else _REPLACES))
        if is_copy and (folder := self.folder_field.folder):
            self._folders.ask(folder)
        question = _without_place(self.request)
        if question != self._asked:
            self._asked = question
            self._sizes.drop()
            if _is_change(question):
                self._timer.start()
            else:
                self._timer.stop()
        self._show_size()

    def _show_limits(self) -> None:
        """Disable incompatible choices; explain each choice."""
        table, sparse = self.table, int(str(self.sparse_chips.value))
        leaves_out = self.threshold_spin.value() > 0 or self.optimal_box.isChecked()
        self.threshold_spin.setEnabled(sparse == 1)
        self.optimal_box.setEnabled(sparse == 1 and not table.optimal_only)
        for field in (self.threshold_spin, self.optimal_box):
            field.setToolTip(tr(NEEDS_ALL) if sparse > 1 else "")
        self.threshold_note.setText(tr(NOT_SPARSE if sparse > 1 else THRESHOLD_NOTE))
        optimal = tr("It already holds best play only.") if table.optimal_only else tr(OPTIMAL_NOTE)
        self.optimal_note.setText(tr(NOT_SPARSE) if sparse > 1 else optimal)
        gone = tr("Layers it would keep have no file")
        all_needed = tr(SPARSE_NEEDS_ALL) if leaves_out else ""
        values = [k for k in self.sparse_chips.buttons if isinstance(k, int)]
        self.sparse_chips.forbid(
            {k: gone if k % table.sparse else all_needed if k > 1 else "" for k in values}
        )
        self.sparse_note.setText(sentence(all_needed) if all_needed else about_sparse(sparse))
        self.rate_note.setText(tr(RATES[self.rate_combo.currentIndex()][2]))
        tips = {level: tip for level, _, tip in LEVELS}
        self.level_note.setText(tr(tips.get(str(self.level_chips.value), _STAY_AS_THEY_ARE)))

    def _ask(self) -> None:
        self._sizes.ask(self.request)

    def _show_size(self) -> None:
        """Show the size of the new table, and whether the button can be pressed."""
        forecast = self._sizes.forecast
        self._show_figure(forecast)
        text, tone, can_go = self._readiness(forecast)
        self.show_note(text, tone)
        self.go_button.setEnabled(can_go)
        is_begun = self._begun is not None and self.request == self._begun
        self.go_button.setText(tr("Resume") if is_begun else tr("Convert"))

    def _show_figure(self, forecast: Forecast | None) -> None:
        if forecast is None or forecast.is_same:
            is_open = self._sizes.is_thinking or self._timer.isActive()
            note = tr("estimating") if is_open else tr("the same")
            self.new_figure.show_value("\u2026" if is_open else "\u2013", note)
            return
        sign = f"\u2264{NBSP}" if forecast.is_most else f"\u2248{NBSP}"
        saved = 1 - forecast.n_bytes / max(1, forecast.n_bytes_before)
        note = tr("usually far less") if forecast.is_most and saved < 0.1 else _saved_text(saved)
        self.new_figure.show_value(sign + format_bytes(forecast.n_bytes), note)

    def _readiness(self, forecast: Forecast | None) -> tuple[str, str, bool]:
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
        if forecast and forecast.n_bytes > forecast.n_bytes_before:
            return tr("This makes the table larger, not smaller."), "warning", True
        if self._begun is not None and self.request == self._begun:
            return tr(_BEGUN), "", True
        return "", "", True

    def _place_problem(self) -> str:
        """Return the reason why the new table can't go to the chosen place; "" if it can."""
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


def _saved_text(share: float) -> str:
    percent = f"{round(abs(share) * 100)}{NBSP}%"
    if share >= 0:
        return tr("{percent} less", percent=percent)
    return tr("{percent} more", percent=percent)
