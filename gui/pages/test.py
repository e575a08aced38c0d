"""Test: play a formation without help; every move is judged, and the whole of it is kept."""

import secrets
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from engine.bitboard import cells, format_board
from engine.errors import InvalidBoardError
from engine.spawn import Rng
from gui.color_schemes import load_color_schemes
from gui.examiner import Examiner, Rules
from gui.formats import format_table
from gui.lookup import Table
from gui.pages import test_notices as notices
from gui.pages.board_actions import MOVES, make_actions
from gui.pages.board_layout import BoardLayout
from gui.pages.test_actions import GROUPS, SPECS, draw_icons
from gui.pages.test_archive import Archive
from gui.pages.test_history_view import HistoryView
from gui.pages.test_memory import TestMemory
from gui.pages.test_panel import LivePanel
from gui.practice_session import describe_cells
from gui.rates_text import lead_of_best
from gui.session_keeper import SessionKeeper
from gui.settings import Settings
from gui.tasks import TaskRunner
from gui.test_text import refusal_text, verdict_of
from gui.theme import Theme, make_theme
from gui.widgets.action_bar import ActionBar
from gui.widgets.banner import BannerStack
from gui.widgets.board_view import BoardView
from gui.widgets.notice import Message, Notice
from tablebase.coach.grade import Tolerance
from tablebase.coach.session import End, PlayedMove, Refusal, Session

NoteMistake = Callable[[Session, PlayedMove, int], object]
_SAVE_AFTER_MS = 1000  # a crash costs at most the moves of so long
_CLOCK_MS = 50
_SLOW_MS = 400
_READING = "The table is being read\N{HORIZONTAL ELLIPSIS}"


class TestPage(QWidget):
    """The board, the last move and its verdict, the score; at the end what it adds up to.

    Parameters
    ----------
    open_table : callable
        Opens the table in a folder; runs on the thread of `lookups`.
    lookups, files : TaskRunner
        Where look-ups run, and where tests are written.
    settings : Settings
    folder : Path or None
        DATA: where tests are kept; None keeps nothing.
    theme : Theme, optional
        The colors to begin with; `set_theme` brings others.
    rng : Rng, optional
        Where starts and seeds come from; seeded by the system when not given.
    clock, now : callable
        Seconds, monotonic; and date and time with a time zone.

    Attributes
    ----------
    note_mistake : callable or None
        Hears of every move that was not perfect: test, move, its number from 1 on.

    Signals
    -------
    tables_requested
        The person has no table: show the page that builds them.
    practice_asked : Path (as object), str
        Open this table in Practice at this position.
    review_asked : Path (as object)
        Open the file of a test in Review.
    """

    __test__ = False  # its name looks like one to pytest
    title = "Test"
    icon = "test"
    tables_requested = Signal()
    practice_asked = Signal(object, str)
    review_asked = Signal(object)

    def __init__(
        self,
        open_table: Callable[[Path], Table],
        lookups: TaskRunner,
        files: TaskRunner,
        settings: Settings,
        folder: Path | None,
        theme: Theme | None = None,
        rng: Rng | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
    ) -> None:
        super().__init__()
        theme = theme or make_theme(load_color_schemes(), is_dark=False, palette="")
        self._settings, self._memory = settings, TestMemory(settings)
        self.note_mistake: NoteMistake | None = None
        self.banners = BannerStack()
        self.keeper = SessionKeeper(folder, files, self._show_trouble, now)
        seeds = rng or Rng(secrets.randbits(64))
        self.examiner = Examiner(open_table, lookups, self, seeds, clock, now)
        self._path: Path | None = None
        self._tables: list[Any] = []
        self._resumed: Session | None = None
        self._is_loaded = self._is_loading = False
        self._shown = -1  # the move that is looked at after the end, -1 for none
        self.board_view, self.panel = BoardView(theme), LivePanel(theme)
        self._actions = make_actions(SPECS, self, self.board_view)
        self.action_bar = ActionBar([[self._actions[n] for n in group] for group in GROUPS])
        self.frame = BoardLayout("Test", self.board_view, self.panel, self.action_bar)
        self.history = HistoryView(theme)
        self.archive = Archive(self.keeper, self.history, self.banners)
        self.invitation, self.table_combo = Notice(), QComboBox()
        self._save_timer = self._timer(_SAVE_AFTER_MS, self._save_current)
        self._slow_timer = self._timer(_SLOW_MS, self._show_slow)
        self._clock_timer = QTimer(self)
        self._clock_timer.setInterval(_CLOCK_MS)
        self._clock_timer.timeout.connect(self._show_clock)
        self._lay_out()
        self._recall()
        self._connect()
        draw_icons(self._actions, theme)
        self.set_tables([])
        self._enable()

    def actions(self) -> list[QAction]:
        """Return the actions of the page, for the menu bar and the command palette."""
        return list(self._actions.values())

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        for part in (self.board_view, self.panel, self.history):
            part.set_theme(theme)
        draw_icons(self._actions, theme)

    def set_tables(self, tables: Sequence[Any]) -> None:
        """Offer those of these tables (each a `tablebase.catalog.TableInfo`) that can be opened."""
        self._tables = [info for info in tables if info.state in ("complete", "away")]
        with QSignalBlocker(self.table_combo):
            self.table_combo.clear()
            for info in self._tables:
                name = format_table(info.pattern, info.target)
                self.table_combo.addItem(name, str(info.path))
        self._select_table()
        if self.isVisible():
            self._open_last()

    def page_shown(self) -> None:
        """Go on with the test of last time."""
        if self._is_loaded or self._is_loading:
            self._open_last()
        else:
            self._is_loading = True
            self.keeper.load(self._take_loaded)

    def close_page(self) -> None:
        """Write what is not written; the program ends."""
        session = self.examiner.session
        is_open = session is not None and session.end is None and session.n_moves > 0
        self.keeper.close(session if is_open else None)

    def close_table(self, path: Path) -> None:
        """Let go of the table in a folder, if it is the open one: it is about to go."""
        if self._path == Path(path):
            name, self._path = self._path.name, None
            self.examiner.close()
            self.panel.result.hide()
            self.panel.show_notice(notices.removed(name))
            self.board_view.show_board([0] * 16)
            self._select_table()
            self._enable()

    def open_table(self, path: Path, resumed: Session | None = None) -> None:
        """Open the table in a folder and begin a test on it, or go on with one."""
        self._path = Path(path)
        self._memory.remember_table(self._path)
        self._select_table()
        self._resumed = resumed
        self.panel.result.hide()
        self.panel.show_notice(notices.opening(self._path))
        self.board_view.show_board([0] * 16)
        self.examiner.open(self._path, self._name_of(self._path), resumed)
        self._enable()

    # What the examiner tells us -------------------------------------------------------------

    def show_start(self) -> None:
        """Show the position that a test begins with, or goes on from."""
        session = self.examiner.session
        assert session is not None
        is_resumed, self._resumed = session is self._resumed, None
        self._shown = -1
        self.panel.result.hide()
        self._show_still()
        self._show_last(notices.RESUMED if is_resumed else notices.FIRST_MOVE)
        self._show_score()
        self._save_timer.start()

    def show_move(self, move: PlayedMove) -> None:
        """Show a move and what it was worth."""
        session = self.examiner.session
        assert session is not None
        board = session.board
        after, locked, walls = cells(board), self.examiner.locked(board), self.examiner.walls(board)
        spawned = (move.cell, move.exponent)
        self.board_view.animate(move.slides, spawned, after, locked, walls)
        self._describe_board(board)
        self._show_last(notices.FIRST_MOVE)
        self._show_score()
        self._slow_timer.stop()
        if not self._save_timer.isActive():
            self._save_timer.start()

    def show_undo(self) -> None:
        """Show the position before the move that was taken back."""
        self.panel.result.hide()
        self._show_still()
        self._show_last(notices.FIRST_MOVE)
        self._show_score()
        self._save_timer.start()

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        """Say why a move is not accepted."""
        self._slow_timer.stop()
        session = self.examiner.session
        name = session.setup.table if session else ""
        self.panel.show_refusal(refusal_text(direction, refusal, name))

    def show_ready(self) -> None:
        """Wait for a move."""
        self._slow_timer.stop()
        if self.panel.refusal.text() == _READING:
            self.panel.show_refusal("")

    def show_end(self, end: End) -> None:
        """Say that the test is over, and how it went."""
        session = self.examiner.session
        assert session is not None
        self._save_timer.stop()
        self._slow_timer.stop()
        self.keeper.forget_current()
        self.panel.show_refusal("")
        self.panel.result.show_result(session)
        if not session.n_moves:
            self.panel.last_stack.hide()
        self._shown = session.n_moves
        self._show_score()

    def show_failure(self, error: BaseException) -> None:
        """Say that the table cannot be read."""
        self._slow_timer.stop()
        self.panel.show_notice(notices.failure(error))
        self.panel.last_stack.show()
        self._enable()

    def show_bad_start(self, reason: str) -> None:
        """Say why a typed position is none to begin at."""
        self.panel.hex_field.show_error(notices.sentence(reason))

    def keep(self, session: Session) -> None:
        """Keep a test that is over or broken off."""
        self.archive.keep(session, self._show_rival)

    # What the person does -------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Give the keyboard to the board and let the clock run on."""
        super().showEvent(event)
        self.board_view.setFocus()
        self.examiner.clock.resume(self.examiner.is_playing)
        self._enable()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Stop the clock: nobody sees the board."""
        super().hideEvent(event)
        self.examiner.clock.pause()
        self._clock_timer.stop()

    def _press(self, direction: int) -> None:
        self.panel.show_refusal("")
        self._slow_timer.start()
        self.examiner.press(direction)

    def _start_at(self, text: str) -> None:
        try:
            self.panel.hex_field.edit.setModified(False)
            self.panel.hex_field.show_error("")
            self.examiner.start_at(text)
            self.board_view.setFocus()
        except InvalidBoardError as error:
            self.panel.hex_field.show_error(notices.sentence(str(error)))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._shown_board())

    def _paste(self) -> None:
        text = QGuiApplication.clipboard().text().strip()[:64]
        self.panel.hex_field.edit.setText(text)
        self._start_at(text)

    def _practise(self) -> None:
        if self._path and self.examiner.session:
            self.practice_asked.emit(self._path, self._shown_board())

    def _review(self) -> None:
        session = self.examiner.session
        if session is None or not session.n_moves:
            return
        if path := self.archive.path_of(session):
            self.review_asked.emit(path)
        else:
            self.keeper.save_current(session, self.review_asked.emit)

    def _rematch_of(self, session: Session) -> None:
        """Play a test of the history again, on the table that it was played on."""
        info = self._table_of(session)
        if info is None:
            name = session.setup.table
            self.banners.show_message("warning", f"{name} is not here any more: build it again.")
            return
        self._show_history(False)
        self.open_table(info.path, self.examiner.begun_like(session))

    def _set_rules(self, rules: Rules) -> None:
        self._memory.rules = self.examiner.rules = rules

    def _set_focus(self, is_focused: bool) -> None:
        self._memory.is_focused = is_focused
        self._show_focus()

    def _show_history(self, is_wanted: bool) -> None:
        self._actions["history"].setChecked(is_wanted)
        if is_wanted:
            self.examiner.clock.pause()
            self.archive.refresh()
            self.frame.stack.setCurrentWidget(self.history)
            self.history.view.setFocus()
        else:
            self.examiner.clock.resume(self.examiner.is_playing)
            self.frame.stack.setCurrentIndex(1 if not self.table_combo.count() else 0)
            self.board_view.setFocus()
        self._enable()

    def _do(self, name: str) -> None:
        if name == "reopen" and self._path:
            session = self.examiner.session
            self.open_table(self._path, session.copy() if session else None)
        elif name in self._actions:
            self._actions[name].trigger()
        else:
            self.tables_requested.emit()
        self.board_view.setFocus()
