"""Tables: list, build, verify, convert, move, resume and delete them."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton
from shiboken6 import isValid

from engine.platform.language import mark, tr
from gui.charts.build_charts import BuildCharts
from gui.formations.formation_actions import FormationActions
from gui.pages.page import Answers, ScrolledPage, way
from gui.style.layout import STRETCH, column, laid_out, placed, row
from gui.table_work.requests import (
    BuildRequest,
    ConvertRequest,
    ImportRequest,
    RelocateRequest,
    Request,
    rebuild_request,
)
from gui.tables.advice_panel import AdvicePanel
from gui.tables.build_panel import BuildPanel
from gui.tables.build_sheet import BuildSheet
from gui.tables.change_panel import ChangePanel
from gui.tables.changes import TableChanges, TablesWork
from gui.tables.deletions import DeletionMessage, Deletions
from gui.tables.outcomes import done_text
from gui.tables.table_list import Dropped, TableCard, TableList, look_at_dropped
from gui.text.numbers import format_table, table_title
from gui.widgets.banner import Banner
from gui.widgets.build_card import BuildCard
from gui.widgets.buttons import button
from gui.widgets.empty_state import EmptyState
from gui.widgets.file_dialogs import FileDrop, open_folder
from gui.widgets.labels import set_property
from tablebase.formation.chain_name import first_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gui.formations.formation_actions import Drawings
    from gui.table_work.table_library import Trashed
    from tablebase.formation.formation import Formation
    from tablebase.formation.goal import Goal
    from tablebase.library.table_info import TableInfo
    from tablebase.plan.purpose import NextTable

_MAX_WIDTH = 1248
_FIRST = "442", 128
_NEXT = "next"  # no text: the key of a message
_SPARE_HEIGHT = 60  # of a form, which it can do without: its heading
_CANCELED: "Mapping[type[Request], str]" = {
    BuildRequest: mark("Building {table} was canceled. You can resume it any time."),
    ImportRequest: mark("Importing {table} was canceled. You can resume it any time."),
    ConvertRequest: mark("Converting {table} was canceled. You can resume it any time."),
    RelocateRequest: mark("Moving {table} was canceled. You can resume it any time."),
}
_STOPPED: "Mapping[type[Request], str]" = {
    BuildRequest: mark("Building {table} stopped: {message}. You can resume it any time."),
    ImportRequest: mark("Importing {table} stopped: {message}. You can resume it any time."),
    ConvertRequest: mark("Converting {table} stopped: {message}. You can resume it any time."),
    RelocateRequest: mark("Moving {table} stopped: {message}. You can resume it any time."),
}


class TablesState(NamedTuple):
    """What goes on in a page that replaces another one."""

    drawings: "Drawings"  # not saved
    formations: "Mapping[str, Formation]"
    reported: Sequence[Path]  # tables with a message about their verification
    deletions: "Mapping[Trashed, DeletionMessage]"


class TablesPage(ScrolledPage):
    """The list of tables, and a sheet over it that builds one."""

    title = mark("Tables")
    shows_builds = True
    icon = "tables"
    practice_requested = Signal(object)  # Path: practice a table

    def __init__(self, work: TablesWork) -> None:
        super().__init__()
        self._service, self._tasks, self._settings = work.service, work.tasks, work.settings
        self._library, self._builds, self._checks = work.library, work.builds, work.checks
        self._places = work.places
        self.changes = TableChanges(work, self)
        self._formations: Mapping[str, Formation] = {}
        self.list = TableList(self._make_card, self._is_current)
        self.panel = BuildPanel(work.service, work.estimates, work.settings, work.places)
        self.build_card = BuildCard(work.builds, BuildCharts(work.builds), shows_failed=True)
        self._drop = FileDrop(self, tr("Drop folders to use the tables in them"))
        self.formation_actions = FormationActions(
            work.service, work.tasks, work.settings, self.banners, self, work.drawings
        )
        self.advice = AdvicePanel(work.adviser, work.settings)
        self.empty = EmptyState(
            tr("No tables yet"),
            tr("A table knows your chance of success after every move."),
            tr("Build {name}", name=format_table(*_FIRST)),
        )
        self.empty.hide()
        self._last_built = ""  # the message of the table that was built last
        # Tables whose end of build this page reports; the requesting page may be gone by now.
        self._requested: set[Path] = set(work.builds.tables())
        self._offered: tuple[str, Goal | int] | None = None  # what others put into the form,
        self._to_offer: Sequence[tuple[str, int]] = []  # and what comes after it
        self._lay_out()
        self._problem = ""
        self._scrolled_from = 0  # before a form opened
        self._make_actions()
        self._connect()
        self._read_formations()
        self._show_tables()

    @property
    def cards(self) -> dict[Path, TableCard]:
        return self.list.cards

    def page_shown(self) -> None:
        self._library.refresh()
        self._read_formations()

    def found_actions(self) -> list[QAction]:
        texts = {"convert": mark("Convert {table}"), "verify": mark("Verify {table}")}
        return [
            way(
                f"{name}_{card.table.name}",
                tr(text, table=card.title_label.text()),
                card.menu_actions[name].trigger,
                name if name == "verify" else "build",
                card.table.name,
            )
            for card in self.cards.values()
            for name, text in texts.items()
            if card.menu_actions[name].isVisible() and card.menu_actions[name].isEnabled()
        ]

    def answers(self) -> Answers:
        return {
            "tables_requested": self.in_front(),
            "builds_requested": self.in_front(self.offer_builds),
            "practice_requested": lambda table, *_: self.forget_news(table),
        }

    def state(self) -> TablesState:
        reported = [path for path in self.cards if self.banners.shows(str(path))]
        return TablesState(
            self.formation_actions.state(), self._formations, reported, self.deletions.state()
        )

    def restore(self, state: TablesState) -> None:
        self.formation_actions.restore(state.drawings, state.formations)
        for path in state.reported:
            is_good, text = self._checks.verdict(path) or (True, "")
            if not is_good:
                self._show_damage(path, text)
        self.deletions.restore(state.deletions)

    def _lay_out(self) -> None:
        parts = column(self.build_card, self.empty, self.list, self.advice, space=12)
        self._main = laid_out(parts)
        editor = self.formation_actions.editor
        for part in (self._main, editor):
            part.setMaximumWidth(_MAX_WIDTH)
            self.body.addLayout(row(placed(part, stretch=1), STRETCH, space=0))
        self.foot.addWidget(editor.footer)
        self.body.addStretch()
        self.sheet = BuildSheet(self, self.scroller, self.panel)
        self.form_button = button(tr("Build a table"), "primary", work=self._open_form)
        self.refresh_button = QToolButton()
        self.refresh_button.setProperty("quiet", True)
        self.refresh_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        for part in (self.refresh_button, self.form_button):
            self.header.addWidget(part)

    def _make_actions(self) -> None:
        add, builds = self.new_action, self._builds
        self.refresh_action = add(
            "refresh", tr("Look for tables again"), self.page_shown, "refresh", "refresh"
        )
        self.build_action = add(
            "build", tr("Build the chosen table"), self._build_chosen, "build", "build"
        )
        self.form_action = add("choose", tr("Build a table"), self._open_form, "add", "new")
        self.cancel_action = add("cancel", tr("Cancel the build"), builds.cancel, "close")
        self.pause_action = add(
            "pause", tr("Pause the queue"), self.build_card.pause_or_resume, "stop"
        )
        self.verify_action = add("verify", tr("Verify all tables"), self._verify_all, "verify")
        self.refresh_button.setDefaultAction(self.refresh_action)
        drawing, editor = self.formation_actions, self.formation_actions.editor
        add("new_formation", tr("New formation"), drawing.draw_new, "add")
        self._drawing_actions = (
            add("undo_drawing", tr("Undo in the drawing"), editor.undo, "undo", "undo"),
            add("redo_drawing", tr("Redo in the drawing"), editor.redo, "redo", "redo"),
            add("save_formation", tr("Save the formation"), editor.save, "save", "save"),
            add("close_drawing", tr("Close the drawing"), drawing.close, "close", "stop"),
        )
        self._show_drawing(False)

    def _connect(self) -> None:
        self.panel.build_requested.connect(self._start_build)
        drawing = self.formation_actions
        self.panel.drawing_requested.connect(
            lambda name: drawing.edit(name) if name else drawing.draw_new()
        )
        drawing.opened.connect(lambda: self._show_drawing(True))
        drawing.closed.connect(lambda: self._show_drawing(False))
        drawing.changed.connect(self._on_formation_changed)
        self.advice.chosen.connect(self._build_advised)
        self.empty.clicked.connect(lambda: self._build_advised(*_FIRST))
        self.panel.failed.connect(lambda text: self.banners.show_message("bad", text))
        library, builds, checks = self._library, self._builds, self._checks
        self.deletions = Deletions(library, builds, self.banners, self)
        library.changed.connect(self._show_tables)
        library.failed.connect(self._show_failure)
        builds.changed.connect(self._show_busy)
        builds.halted.connect(library.refresh)
        builds.ended.connect(self._on_build_ended)
        self.changes.requested.connect(self._change)
        self.changes.opened.connect(self._scroll_to)
        self.changes.cancelled.connect(self._scroll_back)
        checks.changed.connect(self._show_checks)
        checks.progressed.connect(self._on_check_progressed)
        checks.ended.connect(self._on_check_ended)
        checks.failed.connect(self._on_check_failed)
        self._drop.dropped.connect(self._look_at_dropped)
        if charts := self.build_card.charts:
            charts.set_open(self._settings.state.get("build.charts_open"))
            charts.toggled.connect(partial(self._settings.state.set, "build.charts_open"))

    def _look_at_dropped(self, paths: list[Path]) -> None:
        paths_here = [table.path for table in self._library.tables]
        self._tasks.run(
            lambda: look_at_dropped(paths, self._service.scan_folder, paths_here),
            self._take_dropped,
            self._show_problem,
        )

    def _take_dropped(self, results: list[Dropped]) -> None:
        for result in results:
            key = f"dropped {result.text}"
            if result.folder is None:
                self.banners.show_message(result.tone, result.text, key=key)
            else:
                self._look_also_in(result.folder)
                undo = (tr("Undo"), partial(self._look_no_longer_in, result.folder))
                self.banners.show_message(result.tone, result.text, [undo], key)
        if any(result.folder for result in results):
            self._library.refresh()

    def _look_no_longer_in(self, folder: Path) -> None:
        left = [name for name in self._settings.get("table_folders") if Path(name) != folder]
        self._settings.set("table_folders", left)
        self._library.refresh()

    def _read_formations(self) -> None:
        self._tasks.run(self._service.formations, self._set_formations, self._show_problem)

    def _show_drawing(self, is_open: bool) -> None:
        self.sheet.close_overlay()
        for part in (self._main, self.form_button, self.refresh_button):
            part.setVisible(not is_open)
        for action in (self.build_action, self.form_action, self.refresh_action):
            action.setEnabled(not is_open)
        for action in self._drawing_actions:
            action.setEnabled(is_open)
        self.scroller.verticalScrollBar().setValue(0)

    def _on_formation_changed(self, name: str) -> None:
        def show(formations: "Mapping[str, Formation]") -> None:
            self._set_formations(formations)
            formation = formations.get(name)
            if formation and not self.formation_actions.is_open:
                self.offer_build(name, self.formation_actions.last_target)

        self._tasks.run(self._service.formations, show, self._show_problem)

    def _show_problem(self, error: BaseException) -> None:
        self.banners.show_message("bad", str(error))

    def _set_formations(self, formations: "Mapping[str, Formation]") -> None:
        problem = self._service.formation_files.problem
        if problem and problem != self._problem:
            self.banners.show_message("bad", problem)
        self._problem = problem
        if formations != self._formations:
            self._formations = formations
            self.formation_actions.set_formations(formations)
            self.panel.set_formations(formations)
            self._show_tables()

    def _show_tables(self) -> None:
        self.list.set_tables(self._library.tables)
        self.formation_actions.set_tables(self._library.tables)
        self.verify_action.setEnabled(bool(self._library.usable))
        self._show_busy()

    def _is_current(self, card: TableCard) -> bool:
        return card.formation == self._formation_of(card.table)

    def _formation_of(self, table: "TableInfo") -> "Formation | None":
        return self._formations.get(first_name(table.pattern, table.then))

    def _make_card(self, table: "TableInfo") -> TableCard:
        formation = self._formation_of(table)
        home = self._service.home
        card = TableCard(table, formation, str(home))
        if table.origin and table.path.parent == home:
            self._places.run(table.path.is_dir, partial(self._forbid_import, card))
        changes = self.changes
        works: dict[str, Callable[[], object]] = {
            "main": lambda: self._do_main(table),
            "import": lambda: self._import(table),
            "verify": lambda: self._verify(table.path),
            "stop": lambda: self._checks.cancel(table.path),
            "delete": lambda: self._delete(table),
            "folder": lambda: open_folder(table.path),
            "about": lambda: changes.open_about(card),
            "convert": lambda: changes.open_convert(card),
            "move": lambda: changes.open_move(card),
            "return": lambda: changes.bring_back(table),
        }
        card.requested.connect(lambda name: works[name]())
        self._show_busy_card(card)
        self._show_check_of(card)
        if verdict := self._checks.verdict(table.path):
            card.show_verdict(*verdict)
        return card

    def _forbid_import(self, card: TableCard, is_in_the_way: bool) -> None:
        if is_in_the_way and isValid(card):
            card.forbid_import(
                tr("The new table goes to {path}. Move this folder first", path=card.table.path)
            )

    def _do_main(self, table: "TableInfo") -> None:
        is_sound, _ = self._checks.verdict(table.path) or (True, "")
        if not is_sound:
            self._repair(table.path)
            return
        if table.state in ("complete", "away"):
            self._practice(table.path)
            return
        request = self.panel.options.with_manner(rebuild_request(table))
        if table.rate:
            self._make(request)
        else:  # its manifest cannot be read, so there is nothing to go on with
            self._delete(table, lambda: self._make(request))

    def _delete(self, table: "TableInfo", then: Callable[[], None] | None = None) -> None:
        self._checks.cancel(table.path)
        self._checks.forget(table.path)
        for key in (str(table.path), _news_of(table.path)):  # what they offer is gone with it
            self.banners.remove(key)
        self._library.delete(table.path, then)

    def _import(self, table: "TableInfo") -> None:
        home = self._service.home
        self._make(ImportRequest(table.pattern, table.target, home, table.path))
        self.scroller.ensureVisible(0, 0)  # where the progress is

    def _change(self, request: ConvertRequest | RelocateRequest) -> None:
        if isinstance(request, ConvertRequest) and request.is_copy:
            self._look_also_in(request.folder)
        elif os.name == "nt":  # where nobody replaces or deletes a file that is open
            self._library.removed.emit(request.table)
        self._checks.cancel(request.table)
        self._make(request)
        self.scroller.ensureVisible(0, 0)  # where the progress is
        self.build_card.setFocus()

    def _look_also_in(self, folder: Path) -> None:
        if folder not in self._service.folders():
            more = [*self._settings.get("table_folders"), str(folder)]
            self._settings.set("table_folders", more)

    def _scroll_to(self, panel: ChangePanel) -> None:
        self._scrolled_from = self.scroller.verticalScrollBar().value()

        def scroll() -> None:
            if panel is self.changes.panel:
                self.scroller.ensureWidgetVisible(panel, 0, 16)
                lacking = panel.height() - self.scroller.viewport().height()
                if lacking > _SPARE_HEIGHT:  # its beginning is what one needs first
                    bar = self.scroller.verticalScrollBar()
                    bar.setValue(panel.mapTo(self._main, QPoint(0, 0)).y())
                else:
                    self.scroller.ensureWidgetVisible(panel.go_button, 0, 16)

        QTimer.singleShot(0, panel, lambda: QTimer.singleShot(0, panel, scroll))

    def _scroll_back(self) -> None:
        """Scroll to where the page was before a form opened, once the form's room is gone."""
        bar, value = self.scroller.verticalScrollBar(), self._scrolled_from
        QTimer.singleShot(0, bar, lambda: QTimer.singleShot(0, bar, lambda: bar.setValue(value)))

    def _verify(self, path: Path) -> None:
        if path not in self._builds.tables():  # whose files are changed, which would look damaged
            self._checks.add(path)

    def _verify_all(self) -> None:
        for table in self._library.usable:
            self._verify(table.path)

    def _start_build(self, request: BuildRequest) -> None:
        self._make(request)
        self.banners.remove(_NEXT)
        others, self._to_offer = self._to_offer, []
        if others and (request.pattern, request.target) == self._offered:
            self._offer_next(request, others)
            return
        self.sheet.close_overlay()
        self.scroller.ensureVisible(0, 0)  # where the progress is
        self.build_card.setFocus()

    def _make(self, request: Request) -> None:
        self._requested.add(request.table)
        self.banners.remove(_news_of(request.table))
        self._builds.add(request)

    def _practice(self, path: Path) -> None:
        self.forget_news(path)
        self.practice_requested.emit(path)

    def forget_news(self, path: Path) -> None:
        self.banners.remove(_news_of(path))

    def offer_builds(self, wanted: Sequence[tuple[str, int]]) -> None:
        """Fill the form for the first of these tables, and for the next once that has started."""
        (pattern, target), *others = wanted
        self.offer_build(pattern, target)
        self._to_offer = others

    def _offer_next(self, begun: BuildRequest, others: Sequence[tuple[str, int]]) -> None:
        self.offer_builds(others)
        text = tr(
            "{name} will be built. The next one is in the form: {following}.",
            name=begun.title,
            following=format_table(*others[0]),
        )
        self.banners.show_message("info", text, key=_NEXT)

    def offer_build(self, pattern: str, target: "Goal | int") -> None:
        """Fill the form and show it; the user decides."""
        self._offered, self._to_offer = (pattern, target), []
        if self.formation_actions.is_open:
            self.formation_actions.close()
        self.panel.choose(pattern, target)
        self.sheet.open()
        self.panel.build_button.setFocus()

    def _build_advised(self, pattern: str, target: int) -> None:
        """Build a suggested table with the options of the form, or show there why it can't be."""
        self.offer_build(pattern, target)
        self.panel.build_button.click()

    def _build_chosen(self) -> None:
        if self.sheet.isVisible():
            self.panel.build_button.click()
        else:
            self.sheet.open()

    def _open_form(self) -> None:
        """Open the form; in place of a table that is there it offers the one to build next."""
        self.sheet.open()
        if not self.panel.is_built:
            return
        built = {(table.pattern, table.target): table.boards for table in self._library.usable}
        built |= {(request.pattern, request.target): 0 for request in self._builds.requests}
        work = partial(self._service.next_table, self._formations, built)
        self._tasks.run_latest("tables.next", work, self._offer_next_table)

    def _offer_next_table(self, table: "NextTable | None") -> None:
        if table and self.panel.is_built:
            self.panel.choose(table.pattern, table.target)

    def _show_busy(self) -> None:
        for card in self.cards.values():
            self._show_busy_card(card)
        self.cancel_action.setEnabled(self._builds.current is not None)
        is_paused = self._builds.is_paused
        self.pause_action.setText(tr("Resume the queue") if is_paused else tr("Pause the queue"))
        self.pause_action.setEnabled(bool(self._builds.requests))
        tables = self._library.tables
        busy = {request.table: self._doing(request) for request in self._builds.requests}
        self.panel.set_tables(tables, busy)
        present = {(t.pattern, t.target) for t in tables if t.state == "complete"}
        self.advice.set_tables(self._formations, present)
        is_empty = self._library.is_known and not tables and not busy
        self.empty.setVisible(is_empty)
        set_property(self.form_button, "primary", not is_empty)

    def _doing(self, request: Request) -> str:
        is_waiting = request in self._builds.waiting
        return tr("In the queue") if is_waiting else tr(request.doing)

    def _show_busy_card(self, card: TableCard) -> None:
        path = card.table.path
        if card.table.origin:
            imports = [r for r in self._builds.requests if isinstance(r, ImportRequest)]
            card.show_importing(path in [request.source for request in imports])
        else:
            request = next((r for r in self._builds.requests if r.table == path), None)
            is_usable = request is not None and request.is_usable_meanwhile
            card.show_busy(self._doing(request) if request else "", is_usable)

    def _on_check_progressed(self, path: Path, fraction: float) -> None:
        self._show_checks()
        if path in self.cards:
            self.cards[path].show_check(fraction, seconds_left=self._checks.seconds_left)

    def _show_checks(self) -> None:
        for card in self.cards.values():
            self._show_check_of(card)

    def _show_check_of(self, card: TableCard) -> None:
        path = card.table.path
        if path in self._checks.waiting:
            card.show_check(None, is_waiting=True)
        elif path != self._checks.current:
            card.show_check(None)
        elif not card.bar.isVisibleTo(card):
            card.show_check(0.0)

    def _on_check_ended(self, path: Path, is_good: bool, text: str) -> None:
        if card := self.cards.get(path):
            card.show_check(None)
            card.show_verdict(is_good, text)
        if is_good:
            self.banners.remove(str(path))  # it told of an earlier check
        else:
            self._show_damage(path, text)

    def _show_damage(self, path: Path, text: str) -> None:
        card = self.cards.get(path)
        name = card.title_label.text() if card else table_title(path.name)
        remedies = [(tr("Build again"), lambda: self._repair(path))] if card else []
        self.banners.show_message(
            "bad", tr("{name} is damaged: {text}.", name=name, text=text), remedies, str(path)
        )

    def _on_check_failed(self, path: Path, message: str) -> None:
        again = (tr("Try again"), lambda: self._verify(path))
        text = tr(
            "{path} couldn't be verified: {message}.", path=table_title(path.name), message=message
        )
        self.banners.show_message("bad", text, [again], str(path))

    def _repair(self, path: Path) -> None:
        table = self._library.find(path)
        if table:
            request = self.panel.options.with_manner(rebuild_request(table))
            self._delete(table, lambda: self._make(request))

    def _on_build_ended(self, request: Request, status: int, message: str) -> None:
        self._checks.forget(request.table)
        if status == 0 and isinstance(request, ConvertRequest) and not request.is_copy:
            self._library.removed.emit(request.table)  # what is open is the table as it was
        self._library.refresh()
        has_focus = self.build_card.has_focus
        if request.table in self._requested:  # else another page asked, and tells it
            self._requested.discard(request.table)
            banner = self._show_end(request, status, message)
            if has_focus:
                banner.buttons[0].setFocus()
        elif has_focus and not self._builds.requests:  # the card goes
            self.form_button.setFocus()

    def _show_end(self, request: Request, status: int, message: str) -> Banner:
        key, retry = _news_of(request.table), (tr("Try again"), lambda: self._make(request))
        if status == 0:
            practice = (tr("Practice"), lambda: self._practice(request.table))
            text = done_text(request, self._builds.last_result)
            if self._last_built:
                self.banners.remove(self._last_built)  # its card says it as well
            self._last_built = key
            return self.banners.show_message("good", text, [practice], key)
        if status == 3:
            text = tr(_CANCELED[type(request)], table=request.title)
            return self.banners.show_message("info", text, [(tr("Resume"), retry[1])], key)
        text = tr(_STOPPED[type(request)], table=request.title, message=message)
        return self.banners.show_message("bad", text, [retry], key)

    def _show_failure(self, text: str) -> None:
        self.banners.show_message("bad", text, [(tr("Look again"), self._library.refresh)])


def _news_of(path: Path) -> str:
    return f"made {path}"
