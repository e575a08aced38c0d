"""Test: play a formation without help; every move is judged, and everything is saved."""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QShowEvent

from coach.days import today_of
from coach.exam.history import FinishedTest
from coach.exam.session_file import file_name
from coach.play.rules import End, Refusal
from coach.play.run import PlayedMove, Run
from engine.bitboard import format_board
from engine.platform.language import mark, tr
from engine.spawn import Rng
from gui.board.board_view import BoardView
from gui.exam.archive import Archive, NoteMistake, note_move
from gui.exam.history_view import HistoryView
from gui.exam.panel import ExamPanel
from gui.exam.player import ExamPlayer, ExamRules
from gui.exam.remembered import RULE_SETTINGS, RememberedExam
from gui.exam.screen import ExamScreen, PositionText
from gui.exam.store import InterruptedTest, SessionStore
from gui.exam.table_choice import TableChoice
from gui.exam.text import (
    FIRST_MOVE,
    INVITATION,
    LOADING,
    RESUMED,
    closed_message,
    opening_message,
)
from gui.pages.page import Answers, Page
from gui.settings_model.settings import Settings
from gui.style.icons import icon
from gui.style.layout import column
from gui.text.numbers import table_title
from gui.widgets.action_bar import ActionBar
from gui.widgets.banner import BannerStack
from gui.widgets.board_actions import MOVES, ActionSpec, make_actions
from gui.widgets.board_layout import BoardLayout, centered
from gui.widgets.deletion import DeletionState
from gui.widgets.elided import ElidedCombo
from gui.widgets.key_tips import add_key_tips
from gui.widgets.notice import Notice
from gui.work.tasks import TaskRunner
from tablebase.probe.table import Table

_BOARD, _INVITATION, _HISTORY = range(3)


class ExamLayout(BoardLayout):
    """Title and table at the top, messages, then board and panel or their replacement."""

    def __init__(
        self, board: BoardView, panel: ExamPanel, action_bar: ActionBar, history: HistoryView
    ) -> None:
        super().__init__(tr("Test"), board, panel, action_bar)
        self.table_combo = ElidedCombo()
        self.table_combo.setAccessibleName(tr("Table"))
        self.table_combo.setMinimumWidth(160)
        self.table_combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._goal_label = panel.goal_label
        self.header.addWidget(self._goal_label)
        self.header.addWidget(self.table_combo)
        self.banners = BannerStack()
        self.take_banners(self.banners)
        self.invitation = Notice()
        self.invitation.show_message(INVITATION)
        self.stack.addWidget(centered(self.invitation))
        self.stack.addWidget(history)
        self._is_inviting = False

    @property
    def shows_board(self) -> bool:
        """Whether the board is in front."""
        return self.stack.currentIndex() == _BOARD

    def invite(self, is_inviting: bool) -> None:
        """Show or hide the invitation to build a first table, in place of the board."""
        self._is_inviting = is_inviting
        self.table_combo.setVisible(not is_inviting)
        self.show_history(self.stack.currentIndex() == _HISTORY)

    def show_history(self, is_shown: bool) -> None:
        """Show the history, or go back."""
        back = _INVITATION if self._is_inviting else _BOARD
        self.stack.setCurrentIndex(_HISTORY if is_shown else back)
        self._goal_label.setVisible(self.shows_board)


SPECS = (
    ActionSpec("undo", mark("Take back the last move"), "undo", "undo"),
    ActionSpec(
        "restart", mark("Save and restart"), "refresh", "new", repeats=False, caption=mark("New")
    ),
    ActionSpec(
        "rematch", mark("Rematch: same start, same tiles"), "repeat", "again", repeats=False
    ),
    ActionSpec(
        "new_start",
        mark("New random position"),
        "dice",
        "varied",
        repeats=False,
        caption=mark("Random"),
    ),
    ActionSpec(
        "focus", mark("Focus: hide the hints"), "hide", "hide", checkable=True, repeats=False
    ),
    ActionSpec("review", mark("Review this test"), "review", "review", repeats=False),
    ActionSpec("practice", mark("Practice this position"), "practice", "practice", repeats=False),
    ActionSpec(
        "history", mark("History of tests"), "clock", "history", checkable=True, repeats=False
    ),
    ActionSpec("export", mark("Export as .rpl for other programs"), "save", "save", repeats=False),
    ActionSpec("log", mark("Export as text"), "", "save_other", repeats=False, caption=mark("Log")),
    ActionSpec("copy", mark("Copy the position"), "copy", "copy", repeats=False),
    ActionSpec(
        "paste", mark("Start from the position on the clipboard"), "", "paste", repeats=False
    ),
    ActionSpec("go_to", mark("Start from a position"), "", "go_to", repeats=False),
    ActionSpec("left", mark("Move left"), "", "left"),
    ActionSpec("right", mark("Move right"), "", "right"),
    ActionSpec("up", mark("Move up"), "", "up"),
    ActionSpec("down", mark("Move down"), "", "down"),
)
GROUPS = (
    ("undo", "restart", "rematch", "new_start"),
    ("focus",),
    ("review", "practice", "history"),
    ("copy", "export"),
)


def enable(actions: Mapping[str, QAction], player: ExamPlayer, is_seen: bool) -> None:
    """Enable the actions that apply now; `is_seen`: the board is visible."""
    session = player.session
    for name, action in actions.items():
        if name not in ("focus", "history"):
            action.setEnabled(is_seen and session is not None)
    for name in MOVES:
        actions[name].setEnabled(is_seen and player.is_playing)
    has_moves = is_seen and bool(session and session.n_moves)
    for name in ("rematch", "review", "export", "log"):
        actions[name].setEnabled(has_moves)
    actions["undo"].setEnabled(is_seen and player.can_undo)
    is_open = player.table is not None
    for name in ("restart", "new_start", "paste", "go_to"):
        actions[name].setEnabled(is_seen and is_open)


_MAX_UNSURE = 10  # a generous limit for mistakes waiting to be filed


class ExamPage(Page):
    """The board, the last move and its verdict, the score; at the end the result.

    Parameters
    ----------
    open_table : callable
        Opens the table in a folder; runs on the thread of `lookups`.
    lookups, files : TaskRunner
        Run the lookups and the writing of tests.
    folder : Path or None
        DATA: where tests are stored; None stores nothing.
    rng : Rng, optional
        Source of starts and seeds; seeded by the system by default.
    clock, now : callable
        Seconds, monotonic; and date and time with a time zone.
    note_mistake : callable, optional
        Files a mistake and returns at once; called for every imperfect move.

    Signals
    -------
    tables_requested
        The user has no table: show the page that builds them.
    practice_requested : Path (as object), str
        Open this table in Practice at this position.
    review_requested : Path (as object), int or None (as object)
        Open the file of a test in Review, at the move shown here if one was chosen.
    """

    title = mark("Test")
    icon = "test"
    tables_requested = Signal()
    practice_requested = Signal(object, str)
    review_requested = Signal(object, object)

    def __init__(
        self,
        open_table: Callable[[Path], Table],
        lookups: TaskRunner,
        files: TaskRunner,
        settings: Settings,
        folder: Path | None,
        rng: Rng | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
        note_mistake: NoteMistake | None = None,
    ) -> None:
        super().__init__()
        self._settings, self._remembered = settings, RememberedExam(settings)
        self._folder, self._now = folder, now
        self._is_keeping_rules = False
        self.note_mistake = note_mistake
        self._path: Path | None = None
        self._resumed: Run | None = None
        self._moved_at = now()
        self._unsure: tuple[tuple[int, datetime], ...] = ()  # moves that may not be filed yet
        self._load_state = "unread"  # then "reading", then "read"
        self._requested: Path | None = None  # the table on which another page requested a test
        rng = rng or Rng(secrets.randbits(64))
        self.player = ExamPlayer(open_table, lookups, self, rng, clock, now)
        self.board_view, self.panel = BoardView(), ExamPanel()
        self._actions = make_actions(SPECS, self, self.board_view)
        self.action_bar = ActionBar([[self._actions[n] for n in group] for group in GROUPS])
        self.history = HistoryView()
        self.frame = ExamLayout(self.board_view, self.panel, self.action_bar, self.history)
        self.frame.follow_size(self._settings)
        self.table_combo, self.banners = self.frame.table_combo, self.frame.banners
        self.choice = TableChoice(self.table_combo, self._remembered)
        self.display = ExamScreen(self.player, self.board_view, self.panel)
        self.position = PositionText(
            self.panel.hex_field,
            self.display,
            self.player.start_at,
            self.board_view.setFocus,
            files,
        )
        self.store = SessionStore(folder, files, self._show_trouble, now)
        self.archive = Archive(
            self.store,
            self.player,
            self.history,
            self.banners,
            lambda: today_of(now(), settings.get("day.begins")),
        )
        self.setFocusProxy(self.board_view)
        column(self.frame, parent=self)
        self._recall()
        self._connect()
        self.set_tables([])
        self._enable()

    def actions(self) -> list[QAction]:
        """Return the actions of the page, for the menu bar and the command palette."""
        return [*self._actions.values(), *self.history.key_actions]

    def answers(self) -> Answers:
        """Return what the page does for others."""
        return {
            "test_requested": self.then_in_front(self.begin_on),
            "first_test_requested": self.in_front(),
            "history_requested": self.in_front(lambda: self.show_history(True)),
        }

    def state(self) -> DeletionState[FinishedTest]:
        """Return the deletions that can be undone."""
        return self.archive.deletion.state()

    def restore(self, state: DeletionState[FinishedTest]) -> None:
        """Go on with the deletions of another page."""
        self.archive.deletion.restore(state)

    def set_tables(self, tables: Sequence[Any]) -> None:
        """Offer those of these tables (each a `table_info.TableInfo`) that can be opened."""
        self.choice.offer(tables, self._path)
        self._select_table()
        if self.isVisible():
            self.page_shown()

    def page_shown(self) -> None:
        """Resume the last test, once the tables are known."""
        if self._path is not None or self.choice.is_empty:
            return
        if self._load_state == "unread":
            self._load()
        elif self._load_state == "read":
            self._open_last()

    def _load(self) -> None:
        self._load_state = "reading"
        self.display.show_notice(LOADING)
        self.store.load(self._take_loaded)

    def close_page(self) -> None:
        """Write pending data as the program ends."""
        self.archive.close()

    def close_table(self, path: Path) -> None:
        """Close the table in a folder if open, as it is about to be removed."""
        if self._path == Path(path):
            name, self._path = self._path.name, None
            self.player.close()
            self.display.show_notice(closed_message(name))
            self._select_table()
            self._enable()

    def open_table(self, path: Path, begun: Run | None = None) -> None:
        """Open the table in a folder and begin a test on it, or resume one."""
        self._path, self._resumed = Path(path), begun if begun and begun.n_moves else None
        self._requested = None  # it is this one, or no longer wanted
        self._remembered.last_table = str(self._path)
        self._select_table()
        self.player.open(self._path, self.choice.name_of(self._path), begun)
        if self.player.session is None:
            self.display.show_notice(opening_message(self._path))
        self._enable()

    def begin_on(self, path: Path) -> None:
        """Show a test on the table in a folder: the current one, or else a new one."""
        self.show_history(False)
        if self._load_state != "read":
            self._requested = Path(path)  # once the last test is known
            if self._load_state == "unread":
                self._load()
        elif self._path != Path(path) or not self.player.is_playing:
            self.open_table(path)

    # Called by the player -------------------------------------------------------------

    def show_start(self) -> None:
        """Show the position at which a test begins or resumes."""
        session, unsure = self.player.session, self._unsure
        is_resumed, self._resumed, self._unsure = session is self._resumed, None, ()
        self.display.show_position(RESUMED if is_resumed else FIRST_MOVE)
        if is_resumed and session:
            for number, when in unsure:  # filing a move again changes nothing
                self._file(session.moves[number - 1], number, when)
        self._enable()

    def show_move(self, move: PlayedMove) -> None:
        """Show a move and its verdict."""
        self.display.show_move(move)
        self._moved_at = self._now()
        self.archive.note_move(move, self._moved_at)
        self._enable()

    def show_undo(self) -> None:
        """Show the position before the move that was taken back."""
        self.display.show_position(FIRST_MOVE)
        self.archive.note_undo()
        self._enable()

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        """Show why a move is not accepted."""
        self.display.show_refusal(direction, refusal)

    def show_ready(self) -> None:
        """Wait for a move."""
        self.display.end_waiting()

    def show_end(self, _end: End) -> None:
        """Show that the test is over, and its result."""
        self.display.show_end()
        self._enable()

    def show_failure(self, error: BaseException) -> None:
        """Show that the table cannot be read."""
        self.display.show_failure(error)
        self._enable()

    def show_bad_start(self, reason: str) -> None:
        """Show why a typed position can't be a start."""
        self.position.refuse(reason)

    def keep(self, session: Run) -> None:
        """Save a finished or abandoned test."""
        self.archive.keep(session, self.panel.result.show_best)

    def note(self, _session: Run, move: PlayedMove, number: int) -> None:
        """File an imperfect move, which is already in the test's log."""
        self._file(move, number, self._moved_at)

    def _file(self, move: PlayedMove, number: int, when: datetime) -> None:
        if self.note_mistake:
            note_move(self.note_mistake, self.player, move, number, when)

    # User input -------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Focus the board and resume the clock."""
        super().showEvent(event)
        self.board_view.setFocus()
        self._update_clock()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Pause the clock: the board is hidden."""
        super().hideEvent(event)
        self._update_clock()

    def _update_clock(self) -> None:
        """Let the clock run only while the board is visible."""
        if self.isVisible() and self.frame.shows_board:
            self.player.clock.resume(self.player.is_playing)
        else:
            self.player.clock.pause()
        self.display.show_clock()

    def _press(self, direction: int) -> None:
        if self.player.is_playing:
            self.display.begin_waiting()
            self.player.press(direction)
            self._enable()  # a queued move can be taken back

    def _practice(self) -> None:
        self.practice_requested.emit(self._path, format_board(self.display.board))

    def _review(self) -> None:
        at = self.display.chosen
        self.archive.find_file(lambda path: self.review_requested.emit(path, at))

    def _export(self, suffix: str) -> None:
        if self._folder:
            self.archive.export(self._folder / "replays", suffix)

    def _do_with(self, name: str, test: FinishedTest) -> None:
        """Perform a request for a test of the history; `archive` handles removal."""
        if name == "history_review":
            self.review_requested.emit(test.path, None)
        elif name == "history_rematch":
            self._rematch_of(test)

    def _rematch_of(self, test: FinishedTest) -> None:
        """Play a test of the history again, on the table that it was played on."""

        def begin(session: Run) -> None:
            path = self.choice.path_for(session)
            if path is None:
                name = table_title(test.table)
                self.archive.show_message(
                    tr("The {table} table is gone. Build it again.", table=name)
                )
            else:
                self.show_history(False)
                self.open_table(path, self.player.begun_like(session))

        self.store.read(test.path, begin)

    def _set_rules(self, rules: ExamRules) -> None:
        self._is_keeping_rules = True
        self._remembered.rules = self.player.rules = rules
        self._is_keeping_rules = False

    def _remember_rules_open(self, are_open: bool) -> None:
        self._remembered.are_rules_open = are_open

    def _set_focus(self, is_focused: bool) -> None:
        self._remembered.is_focused = is_focused
        self.display.show_focus(is_focused)
        self._show_eye(is_focused)

    def _show_eye(self, is_focused: bool) -> None:
        """Update the action's text to its next effect."""
        action = self._actions["focus"]
        action.setText(tr("Focus: show the hints") if is_focused else tr("Focus: hide the hints"))
        action.setIconText(tr("Show") if is_focused else tr("Hide"))
        action.setIcon(icon("peek" if is_focused else "hide"))

    def show_history(self, is_shown: bool) -> None:
        """Show the history of tests, or go back to the board."""
        self._actions["history"].setChecked(is_shown)
        self.frame.show_history(is_shown)
        self._update_clock()
        if is_shown:
            self.archive.refresh()
            self.history.take_keys()
        else:
            self.board_view.setFocus()
        self._enable()

    def _do(self, name: str) -> None:
        if name == "reopen" and self._path:
            self.player.reopen(self._path)
        elif name in self._actions:
            self._actions[name].trigger()
        else:
            self.tables_requested.emit()

    # Tables and files -----------------------------------------------------------------------

    def _take_loaded(self, loaded: InterruptedTest) -> None:
        self._load_state, session = "read", loaded.session
        path = self.choice.path_for(session) if session else None
        playing = self.player.session
        is_playing = bool(playing and session and file_name(playing) == file_name(session))
        if session is None or not session.n_moves or is_playing:
            self._open_last()
        elif path is None or self._path is not None or self._requested not in (None, path):
            self.keep(session)
            self._open_last()
        else:
            self._unsure = loaded.mistakes[-_MAX_UNSURE:]
            self.open_table(path, session)

    def _open_last(self) -> None:
        if self._path is None and not self.choice.is_empty:
            self.open_table(self._requested or self.choice.default)

    def _select_table(self) -> None:
        self.choice.select(self._path)
        self.panel.show_table_note(self.choice.note_on(self._path))
        self.frame.invite(self.choice.is_empty)
        self._update_clock()

    def _show_trouble(self, text: str) -> None:
        self.banners.show_message("warning", text)

    # Wiring ---------------------------------------------------------------------------------

    def _recall(self) -> None:
        remembered = self._remembered
        self.player.rules = remembered.rules
        self.panel.rules.show_rules(remembered.rules)
        self.panel.rules.disclosure.set_open(remembered.are_rules_open)
        self.display.is_focused = remembered.is_focused
        self._actions["focus"].setChecked(remembered.is_focused)
        self._show_eye(remembered.is_focused)
        for board in (self.board_view, self.panel.small_board):
            board.follow_settings(self._settings)
        self._follow_setting("mistakes.threshold")

    def _follow_setting(self, name: str, _value: object = None) -> None:
        if name == "mistakes.threshold":
            self.history.set_threshold(self._settings.get(name))
            self.panel.result.set_threshold(self._settings.get(name))
        elif name in RULE_SETTINGS and not self._is_keeping_rules:
            self.player.rules = self._remembered.rules
            self.panel.rules.show_rules(self._remembered.rules)

    def _connect(self) -> None:
        triggers: dict[str, Callable[[], object]] = {
            "undo": self.player.undo,
            "restart": self.player.restart,
            "rematch": self.player.rematch,
            "new_start": self.player.new_start,
            "review": self._review,
            "practice": self._practice,
            "export": lambda: self._export(".rpl"),
            "log": lambda: self._export(".txt"),
            "copy": self.position.copy,
            "paste": self.position.paste,
            "go_to": self.panel.hex_field.take_keys,
        }
        for name, trigger in triggers.items():
            self._actions[name].triggered.connect(lambda _=False, t=trigger: t())
        for name, direction in MOVES.items():
            self._actions[name].triggered.connect(lambda _=False, d=direction: self._press(d))
        add_key_tips(self._actions, self.panel.result.buttons)
        self._actions["focus"].toggled.connect(self._set_focus)
        self._actions["history"].triggered.connect(self.show_history)
        self.board_view.swiped.connect(self._press)
        self.board_view.cell_clicked.connect(lambda *_: self.board_view.setFocus())
        panel, history = self.panel, self.history
        panel.notice.remedy_clicked.connect(self._do)
        panel.result.action_requested.connect(self._do)
        panel.result.move_chosen.connect(self.display.show_number)
        panel.rules.chosen.connect(self._set_rules)
        panel.rules.opened.connect(self._remember_rules_open)
        history.closed.connect(lambda: self.show_history(False))
        history.list.action_requested.connect(self._do_with)
        self.frame.invitation.remedy_clicked.connect(self._do)
        self.table_combo.activated.connect(lambda i: self.open_table(self.choice.path_at(i)))
        self._settings.changed.connect(self._follow_setting)

    def _enable(self) -> None:
        """Enable the actions that apply now."""
        enable(self._actions, self.player, self.frame.shows_board)
