"""The Data section: the user's data, backup and restore, and importing another program's data."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from coach.backup.archive import BackupCancelledError, Watch, Written, write_backup
from coach.backup.contents import sizes
from coach.backup.manifest import tables_there
from coach.backup.opening import Backup, Replaced, comparison, read_backup
from coach.backup.restoring import Restored, cancel, pending, stage
from coach.foreign.plan import COLORS, FOLDERS, FORMATIONS, NOTEBOOK, TakeOver, plan
from coach.mistakes.record import Imported, add_records
from engine.platform.errors import AppError
from engine.platform.language import listed, mark, sentences, tr, trn
from gui.settings.data_forms import (
    Form,
    ImportForm,
    ProgressForm,
    RestoreForm,
    SizeGrid,
    moment_text,
)
from gui.settings_model.settings import OPTIONS, Settings
from gui.settings_model.settings_file import ReadSettings, read_settings, write_settings
from gui.style.color_schemes import SCHEMES_NAME
from gui.style.current_theme import CurrentTheme
from gui.style.layout import card, column, placed, row
from gui.style.own_palettes import OwnPalettes
from gui.style.palette_draft import imported_before, imported_palette
from gui.table_work.table_service import TablesService
from gui.text.numbers import format_bytes
from gui.widgets.banner import Banner, BannerStack, Remedy
from gui.widgets.buttons import button
from gui.widgets.file_dialogs import FileDialogs, open_folder
from gui.widgets.flow_layout import flowing
from gui.widgets.labels import ElidedLabel, label
from gui.work.mistake_service import MistakeService
from gui.work.tasks import TaskRunner

_KEY, _PENDING = "data", "pending"
_BACKUPS = mark("Backups (*.zip)")
_SETTINGS = mark("Settings (*.json)")
_MAX_PROBLEMS = 3
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ImportOutcome:
    """The result of an import, the previous values, and the settings of a file left out."""

    before: dict[str, Any]
    mistakes: Imported | None = None
    palette: str = ""
    formations: tuple[str, ...] = ()
    skipped: tuple[str, ...] | None = None  # None: from the other program


@dataclass
class RunningWork:
    """Work that goes on, and the section that shows it."""

    title: str
    stop: threading.Event
    section: "DataSection"


DataState = tuple[ImportOutcome | None, RunningWork | None]
"""What a section that replaces another one goes on with."""


class DataSection(QWidget):
    """Buttons, the current form, and above them the results."""

    folders_changed = Signal()
    palettes_changed = Signal()
    form_shown = Signal()  # `form` should be scrolled into view
    _progressed = Signal(float)

    def __init__(
        self,
        settings: Settings,
        themes: CurrentTheme,
        service: TablesService,
        mistake_store: MistakeService,
        data_dir: Path,
        tasks: TaskRunner,  # a dedicated runner: a backup may take long
        dialogs: FileDialogs | None = None,
    ) -> None:
        super().__init__()
        self._settings, self._themes = settings, themes
        self._service, self._mistake_store = service, mistake_store
        self._data_dir, self._tasks = data_dir, tasks
        self._dialogs = dialogs or FileDialogs()
        self.running: RunningWork | None = None
        self.form: Form | None = None
        self.outcome: ImportOutcome | None = None  # by the message that is shown
        self.banners = BannerStack()
        self.sizes = SizeGrid()
        self.backup_button = button(tr("Back up"), work=self._ask_backup)
        self.restore_button = button(tr("Restore a backup"), work=self._ask_restore)
        self.import_button = button(tr("Import from 2048EndgameTablebase"), work=self._ask_import)
        self.export_settings_button = button(tr("Export settings"), work=self._ask_export_settings)
        self.import_settings_button = button(tr("Import settings"), work=self._ask_import_settings)
        self._buttons = flowing(
            self.backup_button,
            self.restore_button,
            self.import_button,
            self.export_settings_button,
            self.import_settings_button,
        )
        self._lay_out()
        self._progressed.connect(self._show_share)

    def _lay_out(self) -> None:
        self.open_button = button(
            tr("Show in folder"), picture="folder", work=lambda: open_folder(self._data_dir)
        )
        text = tr(
            "A backup is one file with all of this except the tables, which it only lists. You can "
            "also save your settings alone, for another computer."
        )
        folder = ElidedLabel(str(self._data_dir), "muted")
        self._column = column(
            row(placed(folder, stretch=1), self.open_button, space=12),
            self.sizes,
            self._buttons,
            label(text, "caption", wraps=True),
            self.banners,
            space=12,
            parent=self,
        )

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        data_dir = self._data_dir

        def look() -> tuple[dict[str, int], Restored | None]:
            return sizes(data_dir), pending(data_dir)

        def done(found: tuple[dict[str, int], Restored | None]) -> None:
            self.sizes.show_sizes(found[0])
            if found[1]:
                self._show_pending(found[1])

        self._tasks.run_latest("sizes", look, done)

    def stop(self) -> None:
        if self.running:
            self.running.stop.set()

    def state(self) -> "DataState":
        return self.outcome, self.running

    def restore(self, state: "DataState") -> None:
        outcome, running = state
        if outcome:
            self.show_imported(outcome)
        if running and running.section.running is running:  # else it has ended
            self.running, running.section = running, self
            self._show_running(running)

    def _show_form(self, form: Form | None) -> None:
        had_focus = self.form is not None and self.form.isAncestorOf(self.focusWidget() or self)
        if self.form:
            self._column.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
        self.form = form
        self._buttons.setEnabled(form is None)
        if form:
            self._column.addWidget(form)
            form.cancel_button.setFocus()
            self.form_shown.emit()
        elif had_focus:
            self.backup_button.setFocus()

    def _close_form(self) -> None:
        self._show_form(None)

    def _show_running(self, running: RunningWork) -> None:
        form = ProgressForm(running.title)
        form.cancelled.connect(running.stop.set)
        self._show_form(form)

    def _work(
        self, title: str, work: Callable[[Watch], Any], done: "Callable[[DataSection, Any], None]"
    ) -> None:
        """Run work with a progress bar and a stop button.

        The section that shows it then, in whatever language, tells the result.
        """
        self.running = running = RunningWork(title, threading.Event(), self)
        self._show_running(running)
        self.banners.remove(_KEY)
        last = [-1.0]

        def show(share: float) -> None:
            if share - last[0] >= 0.005 or share >= 1:
                last[0] = share
                running.section._progressed.emit(share)

        def ended() -> DataSection:
            section = running.section
            section.running = None
            section._close_form()
            return section

        def finish(result: Any) -> None:
            section = ended()
            done(section, result)
            section.refresh()

        def fail(error: BaseException) -> None:
            ended()._fail(error)

        self._tasks.run(lambda: work(Watch(show, running.stop.is_set)), finish, fail)

    def _show_share(self, share: float) -> None:
        if isinstance(self.form, ProgressForm):
            self.form.show_share(share)

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, BackupCancelledError):
            self._show_message("info", tr("Canceled. Nothing has changed."))
        else:
            self._show_message("bad", str(error))

    def _show_message(self, kind: str, text: str, *remedies: Remedy) -> None:
        self.banners.show_message(kind, text, remedies, _KEY, self._forget_outcome)

    def _forget_outcome(self, _: Banner) -> None:
        self.outcome = None

    def _ask_backup(self) -> None:
        name = f"endgame2048-{datetime.now():%Y-%m-%d}.zip"
        start = Path.home() / name
        path = self._dialogs.ask_save(self, tr("Back up"), start, tr(_BACKUPS))
        if path is None:
            return
        folders, data_dir = list(self._service.folders()), self._data_dir

        def work(watch: Watch) -> Written:
            now = datetime.now().astimezone()
            return write_backup(data_dir, path, now, tables_there(folders), watch)

        self._work(tr("Writing {name}", name=path.name), work, DataSection._show_written)

    def _show_written(self, done: Written) -> None:
        text = trn(
            "Backup written: {n} file, {size}.",
            "Backup written: {n:,} files, {size}.",
            done.n_files,
            size=format_bytes(done.n_bytes),
        )
        show = (tr("Show in folder"), lambda: open_folder(done.path))
        self._show_result(text, done.problems, show)

    def _show_result(self, text: str, problems: tuple[str, ...], *remedies: Remedy) -> None:
        if problems:
            self._show_message("warning", sentences(text, problems_text(problems)), *remedies)
        else:
            self._show_message("good", text, *remedies)

    def _ask_restore(self) -> None:
        start = Path.home()
        path = self._dialogs.ask_open(self, tr("Restore a backup"), start, tr(_BACKUPS))
        if path is None:
            return
        data_dir = self._data_dir

        def work(_: Watch) -> tuple[Backup, list[Replaced]]:
            backup = read_backup(path)
            return backup, comparison(backup, data_dir)

        self._work(tr("Reading {name}", name=path.name), work, DataSection._offer_restore)

    def _offer_restore(self, found: tuple[Backup, list[Replaced]]) -> None:
        form = RestoreForm(*found)
        form.cancelled.connect(self._close_form)
        form.accepted.connect(self._stage)
        self._show_form(form)

    def _stage(self, backup: Backup) -> None:
        data_dir = self._data_dir
        title = tr("Unpacking {name}", name=backup.path.name)
        # A pending restore is shown by `refresh`, as at the start of the program.
        self._work(title, lambda watch: stage(backup, data_dir, watch), lambda *_: None)

    def _show_pending(self, waiting: Restored) -> None:
        if waiting.made:
            text = tr(
                "The backup of {when} is restored when you start the program again.",
                when=moment_text(waiting.made),
            )
        else:  # its description cannot be read now
            text = tr("A backup is restored when you start the program again.")
        remedy = (tr("Don't restore it"), self._call_off)
        self.banners.show_message("info", text, [remedy], _PENDING)

    def _call_off(self) -> None:
        data_dir = self._data_dir

        def done(is_off: bool) -> None:
            if is_off:
                self._show_message("info", tr("Nothing will be restored."))
            else:
                text = tr("Files have been replaced already. The next start finishes the restore.")
                self._show_message("warning", text)

        self._tasks.run(lambda: cancel(data_dir) or not pending(data_dir), done)

    def _ask_import(self) -> None:
        path = self._dialogs.ask_folder(self, tr("The folder of 2048EndgameTablebase"), Path.home())
        if path is None:
            return
        symmetry_of, known = self._service.position_symmetry, self._service.formations()
        values = {name: self._settings.get(name) for name in OPTIONS}
        self._work(
            tr("Reading {name}", name=path.name),
            lambda _: plan(path, symmetry_of, values, known),
            DataSection._offer_import,
        )

    def _offer_import(self, import_plan: TakeOver) -> None:
        for note in import_plan.notes:
            _log.info("import from %s: %s", import_plan.source, note)
        form = ImportForm(import_plan)
        form.cancelled.connect(self._close_form)
        form.accepted.connect(lambda keys: self._import_parts(import_plan, keys))
        self._show_form(form)

    def _import_parts(self, found: TakeOver, keys: list[str]) -> None:
        """Import the chosen parts; other threads write formations first and mistakes last."""
        self._close_form()
        if FORMATIONS not in keys:
            self._take_parts(found, keys)
            return
        formations, service = [formation.formation for formation in found.formations], self._service
        names = tuple(formation.name for formation in formations)
        self._tasks.run(
            lambda: service.add_formations(formations),
            lambda _: self._take_parts(found, keys, names),
            self._fail,
        )

    def _take_parts(
        self, found: TakeOver, keys: list[str], formations: tuple[str, ...] = ()
    ) -> None:
        values = found.values(keys)
        if FOLDERS in keys:
            table_folders = self._settings.get("table_folders")
            new = [folder for folder in found.new_folders if folder not in table_folders]
            values["table_folders"] = [*table_folders, *new]
        palette = ""
        if COLORS in keys:
            try:
                there = imported_before(found.colors, self._own_palettes().load().palettes)
                palette = "" if there else self._add_palette(found)
            except AppError as error:
                self._show_message("bad", str(error))
                return
            values["tile_palette"] = palette or there
        before = {name: self._settings.get(name) for name in values}
        outcome = ImportOutcome(before, palette=palette, formations=formations)
        self._set(values)
        self.show_imported(outcome)
        if NOTEBOOK in keys and found.reading:
            records = found.reading.records
            self._mistake_store.change(
                lambda mistakes: add_records(mistakes, records),
                lambda done: self.show_imported(replace(outcome, mistakes=done)),
                self._fail,
            )

    def show_imported(self, outcome: ImportOutcome) -> None:
        """Show what was imported, perhaps in another language: it may be one of the settings."""
        text = tr("Imported.")
        if outcome.skipped is not None:
            n = len(outcome.before)
            text = trn("{n} setting changed.", "{n} settings changed.", n)
        elif outcome.mistakes:
            text = tr(
                "Imported. Mistakes: {new:,} new, {known:,} already here.",
                new=outcome.mistakes.n_new,
                known=outcome.mistakes.n_known,
            )
        has_undo = outcome.before or outcome.formations
        undo = [(tr("Undo the settings"), self._undo_import)] if has_undo else []
        self._show_result(text, outcome.skipped or (), *undo)
        self.outcome = outcome
        self.refresh()

    def _undo_import(self) -> None:
        outcome, self.outcome = self.outcome, None
        if not outcome:
            return
        self._set(outcome.before)
        if outcome.formations:
            names, service = outcome.formations, self._service
            self._tasks.run(lambda: service.delete_formation(*names), lambda _: None, self._fail)
        if outcome.palette:
            palette = outcome.palette
            self._change_palettes(lambda own: own.remove(palette))

    def _add_palette(self, found: TakeOver) -> str:
        name, text = imported_palette(found.colors, list(self._themes.schemes.palettes))
        self._change_palettes(lambda own: own.put(name, text))
        return name

    def _change_palettes(self, change: Callable[[OwnPalettes], object]) -> None:
        own = self._own_palettes()
        change(own)
        self._themes.use_own(own.load())
        self.palettes_changed.emit()

    def _own_palettes(self) -> OwnPalettes:
        return OwnPalettes(self._data_dir / SCHEMES_NAME)

    def _set(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            self._settings.set(name, value)
        if "table_folders" in values:
            self.folders_changed.emit()

    def _ask_export_settings(self) -> None:
        start = Path.home() / "endgame2048-settings.json"
        path = self._dialogs.ask_save(self, tr("Export settings"), start, tr(_SETTINGS))
        if path is None:
            return
        values = {name: self._settings.get(name) for name in OPTIONS}

        def done(n: int) -> None:
            text = trn("{n} setting written.", "{n} settings written.", n)
            self._show_message("good", text, (tr("Show in folder"), lambda: open_folder(path)))

        self._tasks.run(lambda: write_settings(values, path), done, self._fail)

    def _ask_import_settings(self) -> None:
        path = self._dialogs.ask_open(self, tr("Import settings"), Path.home(), tr(_SETTINGS))
        if path is not None:
            self._tasks.run(lambda: read_settings(path), self._take_settings, self._fail)

    def _take_settings(self, read: ReadSettings) -> None:
        get = self._settings.get
        changes = {name: value for name, value in read.values.items() if get(name) != value}
        before = {name: get(name) for name in changes}
        self._set(changes)
        self.show_imported(ImportOutcome(before, skipped=read.skipped))


def problems_text(problems: tuple[str, ...]) -> str:
    return trn(
        "{n} could not be used: {names}.",
        "{n} could not be used, such as {names}.",
        len(problems),
        names=listed(problems[:_MAX_PROBLEMS]),
    )


def restored_text(done: Restored) -> tuple[str, str]:
    if done.problem:
        text = tr("The backup was not restored: {problem}.", problem=done.problem)
        again = tr("The program tries again at the next start.") if done.waits else ""
        return "warning", sentences(text, again)
    return "good", tr(
        "The backup of {when} was restored. What was here before: {path}",
        when=moment_text(done.made),
        path=done.previous,
    )


class DataCard(QWidget):
    """The card about stored data."""

    def __init__(self, data: DataSection, reset: Callable[[], object]) -> None:
        super().__init__()
        self.reset_button = button(tr("Reset all settings"), work=reset)
        data_text = tr(
            "Settings, games, mistakes and tables are in this folder, unless you chose another "
            "for them."
        )
        reset_text = tr("Resets all pages of Settings: looks, keys, folders and options.")
        column(
            card(label(tr("Your data"), "strong"), label(data_text, "muted", wraps=True), data),
            card(
                label(tr("Defaults"), "strong"),
                label(reset_text, "muted", wraps=True),
                placed(self.reset_button, align=Qt.AlignmentFlag.AlignLeft),
            ),
            space=16,
            parent=self,
        )
