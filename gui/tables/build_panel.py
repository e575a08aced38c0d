"""The form for building a table: the table, its cost, and the button."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from engine.platform.language import listed, tr
from engine.spawn import DEFAULT_SPAWN4, is_same_spawn4
from gui.board.formation_view import FormationView
from gui.formations.cost_view import cost_figures
from gui.formations.target_field import TargetField
from gui.settings_model.settings import Settings
from gui.settings_model.state import build_seconds
from gui.style.layout import STRETCH, column, laid_out, placed, row
from gui.table_work.folder_checks import FolderChecks
from gui.table_work.requests import BuildRequest, rebuild_request
from gui.table_work.table_service import Cost, TablesService
from gui.tables.build_options import OptionsForm
from gui.text.contents import category_title, content_words, describe_formation
from gui.text.messages import sentence
from gui.text.numbers import NBSP, format_bytes, format_count, format_seconds, format_table
from gui.widgets.buttons import button
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.elided import ElidedCombo
from gui.widgets.folder_field import FolderField
from gui.widgets.labels import ElidedLabel, label, reserve_lines, set_property
from gui.work.tasks import TaskRunner, cpu_count
from tablebase.errors import BuildRefusedError, FormationError
from tablebase.formation.chain_name import first_name
from tablebase.formation.goal import Goal, goal_of

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo

_ESTIMATE_DELAY_MS = 120


MIN_MEMORY = 240_000_000  # the builder says exactly; some formations need more


@dataclass(frozen=True)
class Readiness:
    """The text of the button, a sentence and its tone; without a request it cannot be pressed."""

    button: str
    note: str = ""
    tone: str = ""
    request: BuildRequest | None = None
    # The field that the sentence complains of: folder, scratch, memory_bytes or "".
    at_fault: str = ""
    built: "TableInfo | None" = None  # the very table that would be built, if all of it is there


def readiness(
    request: BuildRequest,
    tables: "Collection[TableInfo]",
    busy: Mapping[Path, str],
    cost: Cost | None,
    problem_of: Callable[[Path], str],
) -> Readiness:
    """Return the effect of pressing the button.

    `busy` says what is being done to tables, and `problem_of` why none can be built in a folder;
    "" also if it isn't checked yet.
    """
    if problem := problem_of(request.folder):
        return Readiness(tr("Build"), sentence(problem), "bad", at_fault="folder")
    if request.scratch and (problem := problem_of(Path(request.scratch))):
        return Readiness(tr("Build"), sentence(problem), "bad", at_fault="scratch")
    if doing := busy.get(request.table):
        return Readiness(tr("Build"), sentence(doing))
    if table := next((t for t in tables if t.path == request.table), None):
        return _with_table(request, table)
    return _without_table(request, bool(busy), cost, tables)


def _with_table(request: BuildRequest, table: "TableInfo") -> Readiness:
    def refuse(text: str) -> Readiness:
        return Readiness(tr("Build"), text, "bad", at_fault="folder")

    own = replace(rebuild_request(table), **request.manner)
    if table.origin:
        return refuse(tr("This folder holds a table of another program. Choose another folder."))
    if table.state == "part":
        return refuse(tr("This folder holds part of a table. Choose another folder."))
    if table.state == "damaged" and not table.rate:
        return refuse(tr("Delete the damaged table in this folder first."))
    if table.state == "damaged":
        text = tr("Some files of this table are damaged. Repairing rebuilds them.")
        return Readiness(tr("Repair"), text, "warning", own)
    if table.state == "partial" and own.content != request.content:
        words = listed(content_words(table)) or tr("the defaults")
        text = tr(
            "Partly built with other options ({words}). Building resumes with those.", words=words
        )
        return Readiness(tr("Resume"), text, "warning", own)
    if table.state == "partial":
        text = tr("Partly built. Building resumes where it stopped.")
        return Readiness(tr("Resume"), text, "", own)
    if own.content != request.content:
        return refuse(
            tr("The table in this folder was built with other options. Choose another folder.")
        )
    if table.state == "away":
        text = tr("Already built, but part of it is on a missing drive.")
        return Readiness(tr("Build"), text, "warning")
    return Readiness(tr("Build"), tr("Already built."), "good", built=table)


def _without_table(
    request: BuildRequest, is_busy: bool, cost: Cost | None, tables: "Collection[TableInfo]"
) -> Readiness:
    button = tr("Add to queue") if is_busy else tr("Build")

    def warn(text: str, tone: str = "warning", at_fault: str = "") -> Readiness:
        return Readiness(button, text, tone, request, at_fault)

    if request.is_limited and 0 < goal_of(request.target).tile <= request.large_from:
        text = tr(
            "The limits count tiles from {tile} up as large, which is not below this target. "
            "Choose a smaller tile, or no limit.",
            tile=request.large_from,
        )
        return Readiness(button, text, "bad")
    if request.then:
        try:
            request.contents.check_chained()
        except BuildRefusedError as error:
            return Readiness(button, sentence(str(error)), "bad")
    if 0 < request.memory_bytes < MIN_MEMORY:
        text = tr(
            "A build needs at least {size} of memory. Raise the limit, or set it to All free.",
            size=format_bytes(MIN_MEMORY),
        )
        return Readiness(button, text, "bad", at_fault="memory_bytes")
    if cost and not cost.fits_scratch:
        text = tr("Not enough space for the working files. Choose another folder for them.")
        return warn(text, "bad", "scratch")
    if cost and not cost.fits_disk:
        text = tr(
            "Not enough space on this drive. Free some, choose another folder, or keep the working "
            "files on another drive."
        )
        return warn(text, "bad")
    if text := _elsewhere(request, tables):
        return warn(text)
    if cost and 0 < request.memory_bytes < cost.memory_bytes:
        return warn(
            tr(
                "Needs {need} of memory. With a limit of {limit} the rest goes "
                "to disk, which takes longer.",
                need=format_bytes(cost.memory_bytes),
                limit=format_bytes(request.memory_bytes),
            )
        )
    if cost and not cost.fits_memory:
        return warn(
            tr("Needs more memory than is free now. The rest goes to disk, which takes longer.")
        )
    if not is_same_spawn4(request.spawn4, DEFAULT_SPAWN4):
        return warn(tr("In standard 2048, 10 % of new tiles are a 4."))
    return Readiness(button, request=request)


def _elsewhere(request: BuildRequest, tables: "Collection[TableInfo]") -> str:
    goal = goal_of(request.target)
    name = request.formation_name
    same = [t for t in tables if not t.origin and t.pattern == name and t.target]
    same = [t for t in same if goal_of(t.target) == goal]
    finished = [table for table in same if table.state in ("complete", "away")]
    for table in finished:
        if rebuild_request(table).content == request.content:
            return tr(
                "You already have this table in {folder}. Building makes another copy.",
                folder=table.path.parent,
            )
    if finished:
        folder = finished[0].path.parent
        return tr("You already have this table with other options in {folder}.", folder=folder)
    if begun := next((table for table in same if table.state == "partial"), None):
        folder = begun.path.parent
        return tr("Partly built in {folder}. Building here starts over.", folder=folder)
    return ""


def next_tables(
    request: "BuildRequest", tables: "Iterable[TableInfo]", formations: "Mapping[str, Formation]"
) -> "list[TableInfo]":
    """Return the finished tables in the same folder whose formation goes on where this one ends."""
    first = formations[request.pattern]
    fitting = []
    for table in tables:
        after = formations.get(first_name(table.pattern, table.then))
        is_whole = not (table.optimal_only or table.is_limited or table.threshold > 0)
        is_beside = table.path.parent == request.folder and not table.origin
        is_same_game = is_same_spawn4(table.spawn4, request.spawn4)
        if table.state != "complete" or not (after and is_whole and is_beside and is_same_game):
            continue
        if after.n_large != first.n_large + 1:
            continue
        from tablebase.probe.continuation import chained  # loads msgspec

        try:
            chained(first, goal_of(request.target), after, goal_of(table.target))
        except FormationError:
            continue
        fitting.append(table)
    return fitting


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

    @property
    def is_built(self) -> bool:
        """Whether the chosen table is there."""
        return self._ready.built is not None

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
        figures["time"].show_value(format_seconds(cost.seconds), tr("on an idle machine"))

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
