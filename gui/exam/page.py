"""Test: play a formation without help; every move is judged, and everything is saved."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox

from coach.exam.history import FinishedTest, History, InterruptedTest
from coach.exam.session_file import file_name
from coach.exam.starts import ExamRules, ExamStarts
from coach.play.judge import exact
from coach.play.player import Player
from coach.play.rules import End
from coach.play.run import PlayedMove, Run
from engine.bitboard import format_board
from engine.platform.language import mark, tr
from gui.board.pasting import Pasting
from gui.exam.archive import Archive
from gui.exam.history_view import HistoryView
from gui.exam.panel import ExamPanel
from gui.exam.rules import RULE_SETTINGS, RememberedExam
from gui.exam.screen import ExamScreen
from gui.exam.text import INVITATION, LOADING, closed_message, rival_text
from gui.keys.key_meanings import FILE
from gui.pages.page import Answers
from gui.play.board_page import opening_message
from gui.play.page_actions import PageAction, move_actions
from gui.play.run_page import RunPage
from gui.play.services import PlayServices
from gui.style.icons import icon
from gui.text.messages import sentence
from gui.text.numbers import format_table, table_title
from gui.widgets.board_layout import BoardLayout, centered
from gui.widgets.deletion import Deletion
from gui.widgets.elided import TableCombo
from gui.widgets.labels import show_text
from gui.widgets.notice import Invitation
from gui.work.store_service import StoreService
from tablebase.library.limits_text import LOWER_BOUNDS


class TableChoice:
    """The tables that can be opened, in a menu."""

    def __init__(self, combo: QComboBox, remembered: RememberedExam) -> None:
        self._combo, self._remembered = combo, remembered
        self._tables: Sequence[Any] = ()

    @property
    def is_empty(self) -> bool:
        return not self._tables

    @property
    def default(self) -> Path:
        """The last used table, or the first of all if that is gone."""
        last = self._combo.findData(self._remembered.last_table)
        return self.path_at(max(0, last))

    def path_at(self, index: int) -> Path:
        return Path(self._combo.itemData(index))

    def name_of(self, path: Path) -> str:
        return next((table.name for table in self._tables if Path(table.path) == path), path.name)

    def note_on(self, path: Path | None) -> str:
        table = next((table for table in self._tables if Path(table.path) == path), None)
        return tr(LOWER_BOUNDS) if table and table.is_limited else ""

    def path_for(self, run: Run) -> Path | None:
        """Return the table that a test was played on; of several, the last used one."""
        key = run.setup.table, run.setup.spawn4
        paths = [Path(table.path) for table in self._tables if (table.name, table.spawn4) == key]
        last = Path(self._remembered.last_table)
        return last if last in paths else next(iter(paths), None)

    def offer(self, tables: Sequence[Any]) -> None:
        self._tables = tables
        with QSignalBlocker(self._combo):
            self._combo.clear()
            for info in tables:
                self._combo.addItem(format_table(info.pattern, info.target), str(info.path))

    def select(self, path: Path | None) -> None:
        with QSignalBlocker(self._combo):
            self._combo.setCurrentIndex(self._combo.findData(str(path)))


class ExamPage(RunPage):
    """The board, the last move and its verdict, the score; at the end the result."""

    title = mark("Test")
    icon = "test"
    list_action = "history"
    display: ExamScreen
    deletion: Deletion[FinishedTest]
    review_requested = Signal(object, object)  # the path of a test, the move in it or None

    def __init__(self, services: PlayServices, tests: StoreService[History]) -> None:
        super().__init__(services)
        self._remembered = RememberedExam(services.settings)
        self._is_keeping_rules = False
        self._path: Path | None = None
        self._resumed: Run | None = None
        self._unfiled_at: datetime | None = None  # of the last move, which may not be filed yet
        self._load_state = "unread"  # then "reading", then "read"
        self._requested: Path | None = None  # the table on which another page requested a test
        self.player = Player(
            exact(services.open_table), services.lookups, self, services.clock, self._now
        )
        self.starts = ExamStarts(self.player, services.rng, self._now, self.show_failure)
        self.panel, self.history = ExamPanel(), HistoryView()
        self.display = ExamScreen(self.player, self.board_view, self.panel)
        self._pasting = Pasting(self.panel.hex_field, services.files, self.start_at)
        self.declare(_actions(self))
        frame = BoardLayout(tr("Test"), self.board_view, self.panel, self.action_bar)
        self.invitation = Invitation(INVITATION)
        frame.set_invitation(centered(self.invitation))
        self.lay_out(frame, self.history)
        self.table_combo = TableCombo(160)
        for part in (self.panel.goal_label, self.table_combo):
            frame.header.addWidget(part)
        self.show_with_board(self.panel.goal_label)
        self.choice = TableChoice(self.table_combo, self._remembered)
        self._tests = tests
        self.archive = Archive(tests, self.player, self.history, self.banners, services)
        self.keep_deletions(
            tests,
            self.archive.report,
            lambda _: tr("Removed from the history. Its moves still count under Progress."),
        )
        self._recall()
        self._connect()
        self.set_tables([])
        self.enable()

    def answers(self) -> Answers:
        return {
            "test_requested": self.then_in_front(self.begin_on),
            "first_test_requested": self.in_front(),
            "history_requested": self.in_front(lambda: self.show_list(True)),
        }

    def set_tables(self, tables: Sequence[Any]) -> None:
        super().set_tables(tables)
        self.choice.offer(self.tables or ())
        self._select_table()
        if self.isVisible():
            self.page_shown()

    def page_shown(self) -> None:
        if self._path is not None or self.choice.is_empty:
            return
        if self._load_state == "unread":
            self._load()
        elif self._load_state == "read":
            self._open_last()

    def _load(self) -> None:
        self._load_state = "reading"
        self.display.show_notice(LOADING)
        self.archive.load(self._take_loaded)

    def save(self) -> None:
        """Do nothing: every move is written as it is played."""

    def close_table(self, path: Path) -> None:
        if self._path == Path(path):
            name, self._path = self._path.name, None
            self.player.close()
            self.display.show_notice(closed_message(name))
            self._select_table()
            self.enable()

    def open_table(self, path: Path, begun: Run | None = None) -> None:
        self._path, self._resumed = Path(path), begun if begun and begun.n_moves else None
        self._requested = None  # it is this one, or no longer wanted
        self._remembered.last_table = str(self._path)
        self._select_table()
        self.starts.open(self._path, self.choice.name_of(self._path), begun)
        if self.player.run is None:
            self.display.show_notice(opening_message(self._path))
        self.enable()

    def begin_on(self, path: Path) -> None:
        self.show_list(False)
        if self._load_state != "read":
            self._requested = Path(path)  # once the last test is known
            if self._load_state == "unread":
                self._load()
        elif self._path != Path(path) or not self.player.is_playing:
            self.open_table(path)

    def show_start(self) -> None:
        run, unfiled_at = self.player.run, self._unfiled_at
        is_resumed, self._resumed, self._unfiled_at = run is self._resumed, None, None
        self.display.show_position()
        if run and run.end:
            self.display.show_end()
            if (rival := self.archive.rival) and rival[0] is run:
                self.panel.result.show_best(rival_text(*rival))
        can_undo = run is None or run.setup.allows_undo
        undo = tr("Take back the last move") if can_undo else tr("Undo: off, see Rules")
        self.actions_by_name["undo"].setText(undo)
        last = run.last if is_resumed and run else None
        if last and unfiled_at and not last.judgement.is_perfect:
            self.note(last, when=unfiled_at)  # filing it again changes nothing
        self.enable()

    def show_move(self, move: PlayedMove) -> None:
        self.display.show_move(move)
        now = self._now()
        self.archive.write(now)
        if not move.judgement.is_perfect:
            self.note(move, when=now)
        self.enable()

    def show_undo(self) -> None:
        self.display.show_position()
        self.archive.write()
        self.enable()

    def show_end(self, _end: End) -> None:
        self.display.show_end()
        self.frame.scroll_to_top()  # to the result
        self.enable()

    def show_failure(self, error: BaseException) -> None:
        self.display.show_failure(error)
        self.enable()

    def keep(self, run: Run) -> None:
        self.archive.keep(run, self.panel.result.show_best)

    def state(self) -> Any:
        run = self.player.run
        finished = (self._path, run) if self._path and run and run.end else None
        return super().state(), finished, self.archive.rival

    def restore(self, state: Any) -> None:
        """Show a finished test again; one in play is in the database."""
        deletions, finished, self.archive.rival = state
        super().restore(deletions)
        if finished:
            self._load_state = "read"
            self.open_table(*finished)

    def update_clock(self) -> None:
        super().update_clock()
        self.display.show_clock()

    def review(self) -> None:
        at = self.display.shown
        self.archive.find(lambda path: self.review_requested.emit(path, at))

    def start_at(self, text: str) -> None:
        self.starts.start_at(text, lambda why: self.panel.hex_field.show_error(sentence(why)))
        self.board_view.setFocus()

    def copy(self) -> None:
        if self.display.has_position:
            QGuiApplication.clipboard().setText(format_board(self.display.board))

    def paste(self) -> None:
        self._pasting.paste()

    def _act_on(self, name: str, test: FinishedTest) -> None:
        if name == "history_review":
            self.review_requested.emit(self.archive.path_of(test.name), None)
        elif name == "history_rematch":
            self._rematch_of(test)
        else:
            self._tests.change(
                lambda history: history.remove(test.name), self.show_removed, self.archive.report
            )

    def _rematch_of(self, test: FinishedTest) -> None:
        def begin(run: Run) -> None:
            path = self.choice.path_for(run)
            if path is None:
                name = table_title(test.table)
                self.archive.show_message(
                    tr("The {table} table is gone. Build it again.", table=name)
                )
            else:
                self.show_list(False)
                self.open_table(path, self.starts.begun_like(run))

        self.archive.read(test.name, begin)

    def _set_rules(self, rules: ExamRules) -> None:
        self._is_keeping_rules = True
        self._remembered.rules = self.starts.rules = rules
        self._is_keeping_rules = False

    def _remember_rules_open(self, are_open: bool) -> None:
        self._remembered.are_rules_open = are_open

    def set_focus(self, is_focused: bool) -> None:
        self._remembered.is_focused = is_focused
        self.display.show_focus(is_focused)
        self._show_eye(is_focused)

    def _show_eye(self, is_focused: bool) -> None:
        action = self.actions_by_name["focus"]
        action.setText(tr("Show rates and grades") if is_focused else tr("Hide rates and grades"))
        action.setIconText(tr("Show rates") if is_focused else tr("Hide rates"))
        action.setIcon(icon("peek" if is_focused else "hide"))

    def refresh_list(self) -> None:
        self.archive.refresh()

    def do(self, name: str) -> None:
        if name == "reopen" and self._path:
            self.starts.reopen(self._path)
        else:
            super().do(name)

    def _take_loaded(self, loaded: InterruptedTest | None) -> None:
        self._load_state, run = "read", loaded.session if loaded else None
        path = self.choice.path_for(run) if run else None
        playing = self.player.run
        is_playing = bool(playing and run and file_name(playing) == file_name(run))
        if run is None or not run.n_moves or is_playing:
            self._open_last()
        elif path is None or self._path is not None or self._requested not in (None, path):
            self.keep(run)
            self._open_last()
        else:
            self._unfiled_at = loaded.moved if loaded else None
            self.open_table(path, run)

    def _open_last(self) -> None:
        if self._path is None and not self.choice.is_empty:
            self.open_table(self._requested or self.choice.default)

    def _select_table(self) -> None:
        self.choice.select(self._path)
        show_text(self.panel.table_note, self.choice.note_on(self._path))
        self.frame.invite(self.choice.is_empty)
        self.table_combo.setVisible(not self.choice.is_empty)
        self.update_clock()

    def _recall(self) -> None:
        remembered = self._remembered
        self.starts.rules = remembered.rules
        self.panel.rules.show_rules(remembered.rules)
        self.panel.rules.disclosure.set_open(remembered.are_rules_open)
        self.display.is_focused = remembered.is_focused
        self.actions_by_name["focus"].setChecked(remembered.is_focused)
        self._show_eye(remembered.is_focused)
        self.panel.small_board.follow_settings(self._settings)
        self._follow_setting("mistakes.threshold")

    def _follow_setting(self, name: str, _value: object = None) -> None:
        if name == "mistakes.threshold":
            self.history.set_threshold(self._settings.get(name))
            self.panel.result.set_threshold(self._settings.get(name))
        elif name in RULE_SETTINGS and not self._is_keeping_rules:
            self.starts.rules = self._remembered.rules
            self.panel.rules.show_rules(self._remembered.rules)

    def _connect(self) -> None:
        panel, history = self.panel, self.history
        self.follow_result({"restart": panel.result.buttons["restart"]})
        panel.notice.remedy_clicked.connect(self.do)
        panel.hex_field.dropped.connect(self.board_view.setFocus)
        panel.hex_field.copy_button.clicked.connect(self.copy)
        panel.rules.chosen.connect(self._set_rules)
        panel.rules.disclosure.toggled.connect(self._remember_rules_open)
        history.closed.connect(lambda: self.show_list(False))
        history.list.action_requested.connect(self._act_on)
        self.invitation.remedy_clicked.connect(self.do)
        self.table_combo.activated.connect(lambda i: self.open_table(self.choice.path_at(i)))
        self._settings.changed.connect(self._follow_setting)


def _actions(page: "ExamPage") -> list[PageAction]:
    player = page.player

    def can_begin() -> bool:
        return page.shows_board and player.table is not None

    def can_undo() -> bool:
        return page.shows_board and player.can_undo

    def export(name: str, text: str, suffix: str, key: str) -> PageAction:
        def do() -> None:
            page.archive.export(suffix)

        return PageAction(name, text, do, page.has_moves, key=key, group=FILE)

    return [
        PageAction(
            "undo", tr("Take back the last move"), player.undo, can_undo, "undo", 0, repeats=True
        ),
        PageAction("restart", tr("New test"), page.starts.restart, can_begin, "refresh", 0, "new"),
        PageAction(
            "rematch",
            tr("Again: same start, same tiles"),
            page.starts.rematch,
            page.has_moves,
            "repeat",
            0,
            "again",
            tr("Same test"),
        ),
        PageAction(
            "new_start", tr("Random start"), page.starts.new_start, can_begin, "dice", key="varied"
        ),
        PageAction(
            "focus",
            tr("Hide rates and grades"),
            page.set_focus,
            None,
            "hide",
            1,
            "hide",
            tr("Hide rates"),
            is_checkable=True,
        ),
        PageAction("review", tr("Review this test"), page.review, page.has_moves, "review", 2),
        page.practice_entry(2),
        page.list_entry(tr("History of tests"), "", 2),
        PageAction("copy", tr("Copy the position"), page.copy, page.has_run, "copy"),
        export("export", tr("Export as .rpl for other programs"), ".rpl", "save"),
        export("log", tr("Export as text"), ".txt", "save_other"),
        export("export_json", tr("Export as .json, which Review reads"), ".json", ""),
        PageAction("paste", tr("Start from the position on the clipboard"), page.paste, can_begin),
        PageAction("go_to", tr("Start from a position"), page.panel.take_position, can_begin),
        *move_actions(page.press, page.can_move),
    ]
