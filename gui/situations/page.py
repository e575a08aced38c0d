"""Situations: one position played ten times with fair tiles, and how often the goal is reached."""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QGuiApplication, QHideEvent, QShowEvent

from ai.thinking_time import nodes_of
from coach.exam.session import End, PlayedMove, Refusal, Session
from coach.mistakes.mistake import SITUATION, TableKey
from coach.recordings.recording import Recording, recording_of_session
from coach.situations.situation import Situation
from coach.situations.situations import Attempt, Removed, Situations, StoredSituation
from coach.situations.text import goal_text
from coach.situations.text_line import checked, has_lines, read_text
from coach.whole_game.game_search import Look
from engine.bitboard import format_board
from engine.formats.board_text import read_board
from engine.formats.replay import Cells
from engine.platform.errors import InvalidBoardError
from engine.platform.language import mark, tr, trn
from engine.spawn import Rng
from gui.board.board_view import BoardView
from gui.board.pasting import Pasting
from gui.exam.archive import NoteMistake, note_move
from gui.exam.player import ExamPlayer
from gui.exam.screen import ExamScreen
from gui.exam.text import FIRST_MOVE, RESUMED
from gui.pages.page import Answers, Page
from gui.settings_model.settings import Settings
from gui.situations.finder import SituationFinder, own_search
from gui.situations.panel import SituationPanel
from gui.situations.start_view import StartView
from gui.style.layout import column
from gui.text.messages import message_of
from gui.widgets.action_bar import ActionBar
from gui.widgets.banner import BannerStack
from gui.widgets.board_actions import ActionSpec, PageActions, Work, move_works
from gui.widgets.board_layout import BoardLayout, scroll_area
from gui.widgets.deletion import Deletion, DeletionState
from gui.widgets.file_dialogs import FileDialogs
from gui.widgets.key_tips import add_key_tips
from gui.widgets.line_import import LineImport, LineKind
from gui.widgets.notice import Message
from gui.work.store_service import OnError, StoreService
from gui.work.tasks import TaskRunner
from tablebase.probe.table import Table

SPECS = (
    ActionSpec("next", mark("Next attempt"), "refresh", "new", repeats=False, group=0),
    ActionSpec("review", mark("Review this attempt"), "review", "review", repeats=False, group=1),
    ActionSpec(
        "practice", mark("Practice this position"), "practice", "practice", repeats=False, group=1
    ),
    ActionSpec(
        "all",
        mark("All situations"),
        "clock",
        "history",
        checkable=True,
        repeats=False,
        caption=mark("All"),
        group=2,
    ),
    ActionSpec("copy", mark("Copy the position"), "copy", "copy", repeats=False, group=3),
    ActionSpec("paste", mark("Paste a position"), "paste", "paste", repeats=False, group=3),
    ActionSpec("go_to", mark("Type a position"), "", "go_to", repeats=False),
    ActionSpec("import", mark("Import situations"), "folder", "import", repeats=False, group=3),
    ActionSpec("undo", mark("Bring the removed situation back"), "", "undo", repeats=False),
    ActionSpec("left", mark("Move left"), "", "left"),
    ActionSpec("right", mark("Move right"), "", "right"),
    ActionSpec("up", mark("Move up"), "", "up"),
    ActionSpec("down", mark("Move down"), "", "down"),
)
_USABLE = ("complete", "away")
_BOARD, _START = range(2)
_SAVE_EVERY = 10  # moves; including the first: seeing a tile counts as begun
_FINDING = Message(mark("One moment"), mark("Working out how likely the goal is from there."))
_FILES = mark("Situations (*.txt);;All files (*)")


def situation_lines(now: Callable[[], datetime]) -> LineKind[Situations, Situation]:
    """Return the description of situation lines for import, in the current language."""

    def keep(store: Situations, situations: Sequence[Situation]) -> tuple[int, int]:
        return store.add(situations, now())

    return LineKind(
        check=lambda text, open_table: checked(read_text(text), open_table),
        keep=keep,
        title=tr("Import situations"),
        files=tr(_FILES),
        file=tr("a file of situations"),
        nothing=tr("There's no situation in it."),
        no_text=tr("There's no text on the clipboard. Copy one or more lines with situations."),
        bad_lines=lambda n, problems: trn(
            "{n} line isn't a situation. {problems}",
            "{n:,} lines aren't situations. {problems}",
            n,
            problems=problems,
        ),
    )


class SituationsPage(Page):
    """The situations so far; the board, the attempts and the last move.

    Parameters
    ----------
    open_table : callable
        Opens the table in a folder; runs on a worker thread.
    lookups, files : TaskRunner
        Run lookups and searches, and the reading of pictures and files.
    note_mistake : callable, optional
        Files a mistake and returns at once; called for every move that a table rates as imperfect.
    rng : Rng, optional
        Source of seeds; seeded by the system by default.
    clock, now : callable
        Seconds, monotonic; and date and time with a time zone.
    make_search : callable
        Returns the search for positions without a table; called on the worker thread.
    dialogs : FileDialogs, optional
        Asks for files; the system's dialogs by default.

    Signals
    -------
    tables_requested
        A table is needed that doesn't exist.
    practice_requested : Path (as object), str
        Open this table in Practice at this position.
    review_requested : Recording (as object), int
        Show an attempt in Review.
    """

    title = mark("Situations")
    icon = "situations"
    tables_requested = Signal()
    practice_requested = Signal(object, str)
    review_requested = Signal(object, int)

    def __init__(
        self,
        store: StoreService[Situations],
        open_table: Callable[[Path], Table],
        lookups: TaskRunner,
        files: TaskRunner,
        settings: Settings,
        note_mistake: NoteMistake | None = None,
        rng: Rng | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
        make_search: Callable[[], Look] = own_search,
        dialogs: FileDialogs | None = None,
    ) -> None:
        super().__init__()
        self._store, self._settings, self._now = store, settings, now
        self._note_mistake, self._rng = note_mistake, rng or Rng(secrets.randbits(64))
        self._tables: list[Any] = []
        self._current: StoredSituation | None = None
        self._opened: int | None = None  # the situation whose grader is open
        self.player = ExamPlayer(open_table, lookups, self, self._rng, clock, now)
        self.finder = SituationFinder(open_table, lookups, make_search)
        self.board_view, self.panel = BoardView(), SituationPanel()
        self.start_view = StartView()
        self.display = ExamScreen(self.player, self.board_view, self.panel)
        self._pasting = Pasting(self.start_view.hex_field, files, self.play_text)
        self._actions = PageActions(SPECS, self._works(), self, self.board_view)
        self.action_bar = ActionBar(self._actions.bar())
        self.frame = BoardLayout(tr("Situations"), self.board_view, self.panel, self.action_bar)
        self.frame.follow_size(settings)
        self.frame.stack.addWidget(scroll_area(self.start_view))
        self.frame.header.addWidget(self.panel.goal_label)
        self.banners = BannerStack()
        self._import = LineImport(
            situation_lines(now),
            store,
            self.banners,
            open_table,
            self._path_by,
            files,
            self._fail,
            dialogs or FileDialogs(),
            Path.home(),
        )
        self.deletion = Deletion[Removed](
            self.banners,
            self._restore,
            self._fail,
            self._enable,
            lambda _: tr("Removed."),
        )
        self.frame.take_banners(self.banners)
        column(self.frame, parent=self)
        self.board_view.follow_settings(settings)
        self._connect()
        self.show_all(True)

    def actions(self) -> list[QAction]:
        """Return the actions of the page, for the menu bar and the command palette."""
        return [*self._actions.values(), *self.start_view.list.key_actions]

    def answers(self) -> Answers:
        """Return what the page does for others."""
        return {"situation_requested": self.in_front(self.ask)}

    def state(self) -> DeletionState[Removed]:
        """Return the deletions that can be undone."""
        return self.deletion.state()

    def restore(self, state: DeletionState[Removed]) -> None:
        """Go on with the deletions of another page."""
        self.deletion.restore(state)

    def set_tables(self, tables: Sequence[Any]) -> None:
        """Set the existing tables (each a `tablebase.library.table_info.TableInfo`)."""
        self._tables = [table for table in tables if table.state in _USABLE]

    def page_shown(self) -> None:
        """Show the current situations."""
        if not self._shows_board:
            self._list()

    def save(self) -> None:
        """Write the current attempt, as the desktop session may end."""
        if (session := self.player.session) and session.n_moves:
            self.keep(session)

    def close_page(self) -> None:
        """Save the current attempt and close the table, as the page is closed."""
        self._opened = None
        self.player.close()

    def close_table(self, path: Path) -> None:
        """Close the table in a folder if open, as it is about to be removed."""
        if (
            self._opened is not None
            and self._current
            and self._path_of(self._current) == Path(path)
        ):
            self._opened = None
            self.player.close()
            self.show_all(True)

    # Asking ---------------------------------------------------------------------------------

    def ask(self, position: Cells, table: Path | None = None) -> None:
        """Make a position a situation and play it.

        Parameters
        ----------
        table : Path, optional
            The table to play it on; by default the best of all, or search.
        """
        self.player.leave()
        self._show_situation(None)
        self.banners.remove("trouble")
        self.start_view.hex_field.show_error("")
        paths = [table] if table else [Path(info.path) for info in self._tables]
        nodes = nodes_of(self._settings.get("whole_game.ms"))
        self.display.show_notice(_FINDING)
        self.show_all(False)
        self.finder.find(position, paths, table is not None, nodes, self._add, self._fail)

    def play_text(self, text: str) -> None:
        """Play the position in a text, or show its error."""
        field = self.start_view.hex_field
        field.edit.setModified(False)
        field.show_error("")
        try:
            position = read_board(text).cells
        except InvalidBoardError as error:
            field.refuse(error)
            self._type()
            return
        self.ask(position)

    def _add(self, situation: Situation) -> None:
        now = self._now()
        self._store.change(lambda store: store.ask(situation, now), self._play, self._fail)

    def _fail(self, error: BaseException) -> None:
        self.show_all(True)
        self.banners.show_message("warning", message_of(error), key="trouble")

    # Attempts -------------------------------------------------------------------------------

    def _play(self, stored: StoredSituation) -> None:
        """Continue a situation with its unfinished attempt, or else a new one."""
        if self._current and self._current.number == stored.number and self.player.is_playing:
            self.show_all(False)
            return
        self.player.leave()
        is_on_table = stored.situation.is_exact
        if is_on_table and self._path_of(stored) is None:
            self._report_missing(stored)
            return
        self._show_situation(stored)
        self.show_all(False)
        if stored.open_attempt:
            number = stored.open_attempt.number
            self._store.ask(
                lambda store: store.session(number),
                lambda session: self._resume(stored, session),
                self._fail,
            )
        else:
            self._begin_attempt(stored)

    def _resume(self, stored: StoredSituation, session: Session | None) -> None:
        if (
            session and self._current and self._current.number == stored.number
        ):  # else another was chosen
            self._begin(self._current, session)

    def _begin_attempt(self, stored: StoredSituation) -> None:
        seed = self._rng.next_u64() >> 1
        self._begin(stored, Session(stored.situation.attempt(seed), self._now()))

    def _begin(self, stored: StoredSituation, session: Session) -> None:
        if self._opened == stored.number and self.player.table:
            self.player.begin(session)
            return
        self._opened = stored.number
        situation, path = stored.situation, self._path_of(stored)
        name = situation.setup.table
        if situation.is_exact and path:
            self.player.open(path, name, session)
        else:
            self.player.open_by(lambda: self.finder.searched_table(situation), name, session)

    def _next(self) -> None:
        stored = self._current
        if stored is None or self.player.is_playing:
            return
        number = stored.number  # queried again: the attempt just ended may not be in it yet
        self._store.change(lambda store: store.with_attempts_left(number), self._play, self._fail)

    def _play_chosen(self, stored: StoredSituation) -> None:
        self.finder.forget()
        self.banners.remove("trouble")
        number = stored.number
        self._store.change(lambda store: store.with_attempts_left(number), self._play, self._fail)

    def _show_situation(self, stored: StoredSituation | None) -> None:
        self._current = stored
        self.panel.show_attempts(stored)
        self._enable()

    def _path_of(self, stored: StoredSituation) -> Path | None:
        setup = stored.situation.setup
        return self._path_by(TableKey(setup.table, setup.spawn4))

    def _path_by(self, key: TableKey) -> Path | None:
        for table in self._tables:
            if table.name == key.name and abs(table.spawn4 - key.spawn4) < 1e-12:
                return Path(table.path)
        return None

    def _report_missing(self, stored: StoredSituation) -> None:
        self.show_all(True)
        build = (tr("Show tables"), self.tables_requested.emit)
        text = tr(
            "The {table} table isn't on this computer. Build it to play this position.",
            table=goal_text(stored.situation),
        )
        self.banners.show_message("warning", text, [build], key="trouble")

    # Called by the player -------------------------------------------------------------

    def show_start(self) -> None:
        """Show the position at which an attempt begins or resumes."""
        session = self.player.session
        is_resumed = session is not None and session.n_moves > 0
        self.display.show_position(RESUMED if is_resumed else FIRST_MOVE)
        self._enable()

    def show_move(self, move: PlayedMove) -> None:
        """Show a move and its verdict."""
        self.display.show_move(move)
        session = self.player.session
        if session and (session.n_moves == 1 or session.n_moves % _SAVE_EVERY == 0):
            self.keep(session)
        self._enable()

    def show_undo(self) -> None:
        """Do nothing: no move is taken back here."""

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        """Show why a move is not accepted."""
        self.display.show_refusal(direction, refusal)

    def show_ready(self) -> None:
        """Wait for a move."""
        self.display.end_waiting()

    def show_end(self, _end: End) -> None:
        """Show that the attempt is over, and its result."""
        self.display.show_end()
        self._enable()

    def show_failure(self, error: BaseException) -> None:
        """Show that the table cannot be read."""
        self._opened = None
        self.display.show_failure(error)
        self._enable()

    def show_bad_start(self, reason: str) -> None:
        """Do nothing: no position is typed on the board."""

    def keep(self, session: Session) -> None:
        """Save the current state of an attempt."""
        if self._current is None:
            return
        number, copy = self._current.number, session.copy()
        self._store.change(lambda store: store.keep(number, copy), self._take_saved, self._trouble)

    def note(self, _session: Session, move: PlayedMove, number: int) -> None:
        """File an imperfect move, if a table rates it so."""
        if self._note_mistake and self._current and self._current.situation.is_exact:
            note_move(self._note_mistake, self.player, move, number, self._now(), SITUATION)

    def _take_saved(self, stored: StoredSituation | None) -> None:
        if stored and self._current and stored.number == self._current.number:
            self._show_situation(stored)

    def _trouble(self, error: BaseException) -> None:
        text = tr("Your attempt is not saved. {why}", why=message_of(error))
        self.banners.show_message("warning", text, key="trouble")

    # The list -------------------------------------------------------------------------------

    def show_all(self, is_shown: bool) -> None:
        """Show the situations so far, or the board."""
        self._actions["all"].setChecked(is_shown)
        self.frame.stack.setCurrentIndex(_START if is_shown else _BOARD)
        self.panel.goal_label.setVisible(not is_shown)
        self.setFocusProxy(self.start_view if is_shown else self.board_view)
        if is_shown:
            self._list()
            if self.isVisible():
                self.start_view.take_keys()
        else:
            self.board_view.setFocus()
        self._update_clock()
        self._enable()

    def _list(self) -> None:
        self._store.ask(lambda store: store.all(), self.start_view.show_all, self._trouble)

    def _act_on(self, name: str, stored: StoredSituation) -> None:
        """Perform a request for a situation of the list."""
        (self._remove if name == "remove_situation" else self._play_chosen)(stored)

    def _remove(self, stored: StoredSituation) -> None:
        if self._current and self._current.number == stored.number:
            self.player.leave()
            self._show_situation(None)

        def removed(removal: Removed | None) -> None:
            self._list()
            if removal:
                self.deletion.keep(removal)

        self._store.change(lambda store: store.remove(stored.number), removed, self._trouble)

    def _restore(self, removed: Removed, failed: OnError) -> None:
        self._store.change(lambda store: store.restore(removed), lambda _: self._list(), failed)

    # User input -------------------------------------------------------------------

    def _press(self, direction: int) -> None:
        if self.player.is_playing:
            self.display.begin_waiting()
            self.player.press(direction)

    def _practice(self) -> None:
        stored = self._current
        path = self._path_of(stored) if stored else None
        if path:
            self.practice_requested.emit(path, format_board(self.display.board))

    def _review(self) -> None:
        stored, session = self._current, self.player.session
        if stored and session and session.n_moves:
            copy, name = session.copy(), self._name_of(stored, len(stored.attempts))
            at = self.display.chosen or 0
            self._store.ask(
                lambda _: recording_of_session(copy, name),
                lambda recording: self.review_requested.emit(recording, at),
            )

    def _review_attempt(self, attempt: Attempt) -> None:
        stored = self._current
        if stored is None:
            return
        name = self._name_of(stored, stored.attempts.index(attempt) + 1)

        def work(store: Situations) -> Recording | None:
            session = store.session(attempt.number)
            return recording_of_session(session, name) if session else None

        def show(recording: Recording | None) -> None:
            if recording:
                self.review_requested.emit(recording, 0)

        self._store.ask(work, show, self._trouble)

    def _name_of(self, stored: StoredSituation, number: int) -> str:
        return tr("{goal}, attempt {number:,}", goal=goal_text(stored.situation), number=number)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(format_board(self.display.board))

    def _paste(self) -> None:
        self.show_all(True)
        if has_lines(QGuiApplication.clipboard().text()):
            self._import.paste(self._list)
        else:
            self._pasting.paste()

    def _import_file(self) -> None:
        self.show_all(True)
        self._import.ask_file(self, self._list)

    def _type(self) -> None:
        self.show_all(True)
        self.start_view.hex_field.take_keys()

    def _do(self, name: str) -> None:
        if name == "restart":
            self._next()
        elif name == "reopen" and self._current:
            self._play(self._current)
        elif name in self._actions:
            self._actions[name].trigger()
        elif name == "tables":
            self.tables_requested.emit()

    # Parts ----------------------------------------------------------------------------------

    @property
    def _shows_board(self) -> bool:
        return self.frame.stack.currentIndex() == _BOARD

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Resume the clock."""
        super().showEvent(event)
        self._update_clock()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Stop the clock: another page is in front."""
        super().hideEvent(event)
        self._update_clock()

    def _update_clock(self) -> None:
        if self.isVisible() and self._shows_board:
            self.player.clock.resume(self.player.is_playing)
        else:
            self.player.clock.pause()

    def _connect(self) -> None:
        result, view = self.panel.result, self.start_view
        buttons = {name: result.buttons[name] for name in ("review", "practice")}
        add_key_tips(self._actions, {**buttons, "next": result.buttons["restart"]})
        self.board_view.swiped.connect(self._press)
        self.board_view.cell_clicked.connect(lambda *_: self.board_view.setFocus())
        self.panel.notice.remedy_clicked.connect(self._do)
        self.panel.attempt_chosen.connect(self._review_attempt)
        result.action_requested.connect(self._do)
        result.move_chosen.connect(self.display.show_number)
        view.position_entered.connect(self.play_text)
        view.hex_field.dropped.connect(view.take_keys)
        view.list.action_requested.connect(self._act_on)

    def _works(self) -> Mapping[str, Work]:
        """Return what the actions do, and when they apply."""
        player = self.player

        def is_seen() -> bool:
            return self._shows_board and player.session is not None and self._current is not None

        def is_over() -> bool:
            return is_seen() and player.session is not None and player.session.end is not None

        def has_moves() -> bool:
            return is_seen() and player.session is not None and player.session.n_moves > 0

        def is_on_table() -> bool:
            return is_seen() and self._current is not None and self._current.situation.is_exact

        return {
            "next": Work(self._next, is_over),
            "review": Work(self._review, has_moves),
            "practice": Work(self._practice, is_on_table),
            "all": Work(self.show_all, lambda: self._shows_board or player.session is not None),
            "copy": Work(self._copy, is_seen),
            "paste": Work(self._paste),
            "go_to": Work(self._type),
            "import": Work(self._import_file),
            "undo": Work(self._undo, lambda: self.deletion.can_undo and not self._shows_board),
            **move_works(self._press, lambda: self._shows_board and player.is_playing),
        }

    def _undo(self) -> None:
        self.deletion.undo()

    def _enable(self) -> None:
        self._actions.enable()
        self.panel.result.buttons["practice"].setEnabled(self._actions["practice"].isEnabled())
