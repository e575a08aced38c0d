"""The form for building a table: the table, its cost, and the button."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from engine.platform.language import tr, trn
from gui.board.formation_view import FormationView
from gui.formations.cost_view import cost_figures
from gui.formations.target_field import TargetField
from gui.settings_model.settings import Settings
from gui.settings_model.state import build_seconds
from gui.style.layout import STRETCH, column, laid_out, placed, row
from gui.table_work.folder_checks import FolderChecks
from gui.table_work.requests import BuildRequest
from gui.table_work.table_service import Cost, TablesService
from gui.tables.build_options import OptionsForm
from gui.tables.build_readiness import Readiness, readiness
from gui.tables.next_tables import next_tables
from gui.text.contents import category_title, describe_formation
from gui.text.numbers import NBSP, format_bytes, format_count, format_seconds, format_table
from gui.widgets.buttons import button
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.elided import ElidedCombo
from gui.widgets.folder_field import FolderField
from gui.widgets.labels import ElidedLabel, label, reserve_lines, set_property
from gui.work.tasks import TaskRunner, cpu_count
from tablebase.formation.goal import Goal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo

_ESTIMATE_DELAY_MS = 120


class BuildPanel(QWidget):
    """Category, pattern, target, cost, options; and a footer with the button, for the sheet."""

    build_requested = Signal(object)  # BuildRequest
    drawing_requested = Signal(str)  # draw a new formation, or edit the named one or a copy of it
    failed = Signal(str)

    def __init__(
        self, service: TablesService, tasks: TaskRunner, settings: Settings, places: TaskRunner
    ) -> None:
        super().__init__()
        self._folders = FolderChecks(places, "folders of a build", self)  # no text
        self._service, self._tasks, self._settings = service, tasks, settings
        self._formations: Mapping[str, Formation] = {}
        self._tables: list[TableInfo] = []
        self._busy: Mapping[Path, str] = {}
        self._cost: Cost | None = None
        self._estimated: tuple[str, Goal | int] | None = None
        self._ready = Readiness(tr("Build"))
        self._make_widgets()
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=_ESTIMATE_DELAY_MS)
        self._timer.timeout.connect(self._estimate)
        self._connect()

    @property
    def request(self) -> BuildRequest | None:
        pattern, target = self.pattern_chips.value, self.target_field.target
        if not isinstance(pattern, str) or target is None:
            return None
        folder = self.folder_field.folder or Path()
        then = self.then_combo.currentData() or ""
        return self.options.apply(BuildRequest(pattern, target, folder, then=then))

    def choose(self, pattern: str, target: Goal | int) -> None:
        formation = self._formations.get(pattern)
        if formation:
            self._choose_category(formation.category)
            self._show_category(pattern)
            self.target_field.choose(target)
            self._on_change()

    def set_formations(self, formations: "Mapping[str, Formation]") -> None:
        """Offer other formations; what is chosen stays, if it is still there."""
        self._formations = formations
        self.category_combo.clear()
        for category in dict.fromkeys(f.category for f in formations.values()):
            self.category_combo.addItem(category_title(category), category)
        last = formations.get(self._settings.get("build.pattern"))
        if last:
            self._choose_category(last.category)
        self._show_category(last.name if last else "")

    def set_tables(self, tables: "list[TableInfo]", busy: "Mapping[Path, str]") -> None:
        self._tables, self._busy = tables, busy
        self._offer_next_tables()
        self._look_at_folders()
        self._show_readiness()

    def _make_widgets(self) -> None:
        settings = self._settings
        self.category_combo = ElidedCombo()
        self.category_combo.setAccessibleName(tr("Category"))
        self.category_combo.setMinimumContentsLength(6)
        self.pattern_chips = ChipGroup(tr("Formation"))
        self.target_field = TargetField(settings, tr("Target"))
        self.then_combo = ElidedCombo()
        self.then_combo.setAccessibleName(tr("Then"))
        self.then_combo.setToolTip(
            tr(
                "The table to go on with: rates are then the chance of reaching this target, and "
                "then that table's."
            )
        )
        self.then_part = laid_out(column(label(tr("Then"), "caption"), self.then_combo, space=4))
        self.formation_view = FormationView(96)
        self.about_label = label("", "caption", wraps=True)
        self.new_button = button(
            tr("New formation"), "quiet", picture="add", tip=tr("Draw a formation of your own")
        )
        self.edit_button = button(tr("Edit"), "quiet")
        self.folder_field = FolderField(tr("Build tables in"))
        self.folder_field.edit.setText(settings.get("build.folder") or str(self._service.home))
        self.folder_field.edit.setAccessibleName(tr("Folder"))
        self.folder_field.edit.setPlaceholderText("")
        self.options = OptionsForm(settings, self.folder_field, str(self._service.home))
        settings.changed.connect(self._follow_setting)
        self.figures = cost_figures()
        self.note_label = label("", "caption", wraps=True)
        reserve_lines(self.note_label)
        self.name_label = ElidedLabel("", "strong")
        self.build_button = button(tr("Build"), "primary large", work=self._build)
        self.build_button.setEnabled(False)

    def _lay_out(self) -> None:
        caption = label(tr("Formation"), "caption")
        heading = row(caption, STRETCH, self.new_button, self.edit_button, space=6)
        about = column(
            label(tr("Category"), "caption"),
            self.category_combo,
            self.about_label,
            STRETCH,
            space=6,
        )
        top = Qt.AlignmentFlag.AlignTop
        figures = row(*(placed(figure, 1, top) for figure in self.figures.values()), space=12)
        column(
            row(placed(self.formation_view, align=top), placed(about, stretch=1), space=16),
            column(heading, self.pattern_chips, space=4),
            self.target_field,
            self.then_part,
            figures,
            self.options,
            space=14,
            parent=self,
        )
        self.footer = laid_out(
            row(
                placed(column(self.name_label, self.note_label, space=2), stretch=1),
                self.build_button,
                space=16,
                margins=(20, 12, 20, 12),
            )
        )

    def _connect(self) -> None:
        self.category_combo.activated.connect(lambda _: self._show_category())
        self.pattern_chips.chosen.connect(lambda _: self._on_pattern())
        self.target_field.changed.connect(self._on_change)
        self.new_button.clicked.connect(lambda: self.drawing_requested.emit(""))
        self.edit_button.clicked.connect(
            lambda: self.drawing_requested.emit(str(self.pattern_chips.value))
        )
        self.folder_field.changed.connect(self._on_change)
        self.options.changed.connect(self._on_change)
        self.then_combo.activated.connect(lambda _: self._on_change())
        self._folders.changed.connect(self._show_readiness)

    def _follow_setting(self, name: str, value: object) -> None:
        if name == "build.folder":
            self.folder_field.edit.setText(str(value) or str(self._service.home))

    def _choose_category(self, category: str) -> None:
        self.category_combo.setCurrentIndex(self.category_combo.findData(category))

    def _show_category(self, pattern: str = "") -> None:
        category = self.category_combo.currentData()
        members = [f for f in self._formations.values() if f.category == category]
        choices = [Choice(f.name, f.name, "", describe_formation(f)) for f in members]
        self.pattern_chips.set_choices(choices, pattern)
        self._on_pattern()

    def _on_pattern(self) -> None:
        formation = self._formations.get(str(self.pattern_chips.value))
        self.formation_view.setVisible(bool(formation))
        if formation:
            self.formation_view.show_formation(formation)
            self.target_field.set_formation(formation)
        self.about_label.setText(describe_formation(formation) if formation else "")
        is_own = self.pattern_chips.value in self._service.formation_files.own
        self.edit_button.setText(tr("Edit") if is_own else tr("Edit a copy"))
        self.edit_button.setEnabled(bool(formation))
        self._on_change()

    def _on_change(self) -> None:
        self._offer_next_tables()
        request = self.request
        table = (request.formation_name, request.target) if request else None
        if table != self._estimated:  # else the figures stay until the new ones are there
            self._cost, self._estimated = None, table
            for figure in self.figures.values():
                figure.show_value("\u2013")
        if request:
            self._settings.set("build.pattern", request.pattern)
            self.target_field.remember()
            self._timer.start()
        self.options.show_summary()
        self._look_at_folders()
        self._show_readiness()

    def _offer_next_tables(self) -> None:
        """Offer the tables to go on with; what is chosen stays, if it still fits."""
        request, chosen = self.request, self.then_combo.currentData()
        fitting = next_tables(request, self._tables, self._formations) if request else []
        self.then_combo.clear()
        self.then_combo.addItem(tr("Nothing"), "")
        for table in fitting:
            self.then_combo.addItem(format_table(table.pattern, table.target), table.name)
        self.then_combo.setCurrentIndex(max(0, self.then_combo.findData(chosen)))
        self.then_part.setVisible(bool(fitting))

    def _look_at_folders(self) -> None:
        if request := self.request:
            scratch = [Path(request.scratch)] if request.scratch else []
            self._folders.ask(request.folder, *scratch)

    def _estimate(self) -> None:
        request = self.request
        if not request:
            return
        threads, service = request.threads or cpu_count(), self._service
        self._tasks.run_latest(
            "estimate",
            lambda: service.cost(request, threads),
            self._take_cost,
            lambda error: self.failed.emit(str(error)),
        )

    def _take_cost(self, cost: Cost) -> None:
        self._cost = cost
        self._show_readiness()

    def _show_cost(self, cost: Cost) -> None:
        figures = self.figures
        figures["boards"].show_value(format_count(cost.boards))
        free = _free_text(cost.free_bytes)
        tone = "" if cost.fits_disk else "bad"
        most = f"\u2264{NBSP}" if cost.is_most else ""
        figures["bytes"].show_value(most + format_bytes(cost.n_bytes), free, tone)
        figures["bytes"].setToolTip(
            tr(
                "Working files take another {size} until the table is built.",
                size=format_bytes(cost.scratch_bytes),
            )
        )
        memory = cost.free_memory_bytes
        free = _free_text(memory)
        tone = "" if cost.fits_memory else "warning"
        figures["memory"].show_value(format_bytes(cost.memory_bytes), free, tone)
        threads = trn("with {n} thread", "with {n} threads", cost.threads)
        figures["time"].show_value(format_seconds(cost.seconds), threads)

    def _show_readiness(self) -> None:
        request = self.request
        ready = Readiness(tr("Build"))
        if request:
            ready = readiness(request, self._tables, self._busy, self._cost, self._folders.problem)
        self._ready = ready
        if self._cost:
            self._show_cost(self._cost)
        if built := self._ready.built:
            self.figures["boards"].show_value(format_count(built.boards))
            self.figures["bytes"].show_value(format_bytes(built.bytes))
            self.figures["bytes"].setToolTip("")
            times = self._settings.state.get("build.times")
            seconds = build_seconds(times, built.path, built.boards)
            if seconds is not None:
                self.figures["time"].show_value(format_seconds(seconds), tr("when it was built"))
        self.name_label.setText(self._title(request) if request else "")
        self.build_button.setText(ready.button)
        self.build_button.setEnabled(ready.request is not None)
        self.note_label.setText(ready.note)
        set_property(self.note_label, "tone", ready.tone)
        self.folder_field.mark(is_invalid=ready.at_fault == "folder")
        self.options.mark_fault(ready.at_fault)

    def _title(self, request: BuildRequest) -> str:
        words = [request.title]
        if built := self._ready.built:
            words.append(format_bytes(built.bytes))
        elif cost := self._cost:
            words += [format_bytes(cost.n_bytes), format_seconds(cost.seconds)]
        return " \u00b7 ".join(words)

    def _build(self) -> None:
        chosen, request = self.request, self._ready.request
        if not chosen or not request:
            return
        is_home = chosen.folder == self._service.home
        self._settings.set("build.folder", "" if is_home else str(chosen.folder))
        self.options.remember(chosen)
        self.build_requested.emit(request)


def _free_text(n_bytes: int | None) -> str:
    return "" if n_bytes is None else tr("{size} free", size=format_bytes(n_bytes))
