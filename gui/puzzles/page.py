"""Puzzles: positions where the natural move is wrong, near the user's rating, and a daily one."""

import secrets
from collections.abc import Callable, Sequence
from datetime import date, datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction

from coach.days import Today, today_of
from coach.grading.grade import Tolerance, judge
from coach.mistakes.mistake import PUZZLE, NotedMove, TableKey
from coach.mistakes.mistakes import Mistakes
from coach.play.question_run import QuestionRun, Tally, Verdict
from coach.puzzles.finder import among_mistakes
from coach.puzzles.puzzle import Puzzle
from coach.puzzles.puzzles import (
    FROM_GAMES,
    FROM_TABLE,
    Added,
    DailyPuzzle,
    Outcome,
    Puzzles,
    StoredPuzzle,
)
from coach.puzzles.questions import PuzzleQuestion, PuzzleSource, next_in_line, question_of
from coach.puzzles.solution import LineSolver, Steps
from coach.record.database import DamagedDatabaseError
from engine.bitboard import format_board
from engine.platform.language import mark, tr, trn
from engine.spawn import Rng
from gui.board.board_view import BoardView
from gui.keys.key_bindings import PLACES
from gui.pages.page import Answers, Page
from gui.play.line_import import LineImport
from gui.play.services import PlayServices
from gui.puzzles.actions import BAR, MORE, ON_A_PUZZLE, SPECS
from gui.puzzles.layout import PuzzleList, PuzzlesLayout
from gui.puzzles.panel import PuzzlePanel
from gui.puzzles.search import PuzzleSearch, SearchResult
from gui.puzzles.transfer import PuzzleExport, puzzle_lines
from gui.settings_model.settings import Settings
from gui.style.layout import column
from gui.text.answers import table_title
from gui.text.messages import message_of
from gui.text.rates import margin_of_best
from gui.widgets.action_bar import ActionBar
from gui.widgets.board_actions import MOVES, make_actions
from gui.widgets.deletion import Deletion, DeletionState
from gui.widgets.file_dialogs import FileDialogs
from gui.work.mistake_service import MistakeService
from gui.work.store_service import OnError, StoreService
from gui.work.tasks import TaskRunner
from tablebase.probe.table import Table

_USABLE = ("complete", "away")
_REPORT_EVERY = 10  # puzzles found: a button that is recreated all the time is hard to press
_SEARCH, _NO_TABLE, _SESSION = "search", "no_table", "session"


class PuzzlesPage(Page):
    """The page of puzzles, shown one after the other.

    Parameters
    ----------
    mistakes : MistakeService
        The user's mistakes: a source of puzzles, and the place for wrong answers.
    open_table : callable
        Opens the table in a folder; runs on worker threads.
    lookups, seeking : TaskRunner
        Run the lookups of puzzle lines, and the search for puzzles.
    folder : Path
        Default folder of exported files.
    dialogs, rng, now : optional
        Replaced in tests.

    Signals
    -------
    practice_requested : Path (as object), str
        Open this table in Practice at this position.
    tables_requested
        A table is needed that doesn't exist.
    profile_requested
        Show the profile.
    """

    title = mark("Puzzles")
    icon = "puzzles"
    practice_requested = Signal(object, str)
    tables_requested = Signal()
    profile_requested = Signal()

    def __init__(
        self,
        puzzles: StoreService[Puzzles],
        mistakes: MistakeService,
        open_table: Callable[[Path], Table],
        lookups: TaskRunner,
        seeking: TaskRunner,
        settings: Settings,
        folder: Path,
        dialogs: FileDialogs | None = None,
        rng: Rng | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
    ) -> None:
        super().__init__()
        self._puzzles, self._mistakes, self._settings, self._now = puzzles, mistakes, settings, now
        self._rng = rng or Rng(secrets.randbits(64))
        self._tables: list[Any] | None = None  # until the disk has been scanned
        self._keys: list[TableKey] = []
        self._daily: DailyPuzzle | None = None  # the one that is shown
        self._trained = 0, 0  # of the positions before a session's puzzles: correct, total
        self._before = Tally()  # the session's puzzles
        self.board_view, self.panel = BoardView(), PuzzlePanel()
        self._solver = LineSolver(open_table, lookups)
        self.line: Steps = ()  # of the current puzzle, once it is known
        self._source = PuzzleSource(now, self._rng, self._end_training)
        self.run: QuestionRun[Puzzles, StoredPuzzle] = QuestionRun(puzzles, self)
        self.run.source = self._source
        self.search = PuzzleSearch(open_table, seeking, puzzles.database, self)
        self._actions = make_actions(SPECS, self, self.board_view)
        self._actions["next"].setProperty(PLACES, ["puzzle"])  # Enter solves, in the list
        self.action_bar = ActionBar([[self._actions[name] for name in group] for group in BAR])
        more = [self._actions[name] for name in MORE]
        self.list = PuzzleList(
            self._actions["copy"], self._actions["export"], self._actions["kept"]
        )
        self.frame = PuzzlesLayout(self.board_view, self.panel, self.action_bar, self.list, more)
        self.frame.follow_size(settings)
        self.banners, self.table_combo = self.frame.banners, self.frame.table_combo
        self.deletion = Deletion[list[int]](
            self.banners,
            self._restore,
            self._fail,
            self._enable,
            lambda ids: trn("Removed {n} puzzle.", "Removed {n:,} puzzles.", len(ids)),
        )
        dialogs = dialogs or FileDialogs()
        self._export_to = PuzzleExport(puzzles, self.banners, dialogs, folder, failed=self._fail)
        self._import = LineImport(
            PlayServices(settings, open_table, lookups, seeking, folder, dialogs=dialogs),
            puzzle_lines(now),
            puzzles,
            self.banners,
            self._solver.path_of,
            self._fail,
        )
        column(self.frame, parent=self)
        self._connect()
        self.frame.invite(False)
        self.board_view.follow_settings(settings)
        self._follow_setting("puzzles.line")
        self._enable()

    def actions(self) -> list[QAction]:
        """Return the actions of the page, for the menu bar and the command palette."""
        return [*self._actions.values(), *self.list.key_actions]

    def answers(self) -> Answers:
        """Return what the page does for others."""
        return {
            "puzzle_requested": self.in_front(self.show_daily),
            "puzzles_requested": self.in_front(self.train),
        }

    def state(self) -> DeletionState[list[int]]:
        """Return the deletions that can be undone."""
        return self.deletion.state()

    def restore(self, state: DeletionState[list[int]]) -> None:
        """Go on with the deletions of another page."""
        self.deletion.restore(state)

    def set_tables(self, tables: Sequence[Any]) -> None:
        """Set the existing tables (each a `tablebase.library.table_info.TableInfo`)."""
        self._tables = [table for table in tables if table.state in _USABLE]
        self._solver.set_tables(self._tables)
        self._offer_tables()

    def close_table(self, path: Path) -> None:
        """Close a table that was deleted, or whose files change."""
        self._solver.close_table(path)
        if self.search.path == path:
            self.search.cancel()

    def close_page(self) -> None:
        """Stop searching for puzzles and close the table: another page takes over."""
        self.search.cancel()
        self._solver.close()
        self.run.close()

    def page_shown(self) -> None:
        """Check for puzzles, and show one unless one is shown already."""
        self._puzzles.ask(lambda puzzles: puzzles.tables(), self._take_keys, self._fail)
        if self.run.question is None:
            self._start()
        if self.frame.shows_list:
            self._list()

    @property
    def _key(self) -> TableKey | None:
        """Return the chosen table, None for all."""
        return self.table_combo.currentData()

    # Which tables ---------------------------------------------------------------------------

    def _take_keys(self, keys: list[TableKey]) -> None:
        self._keys = keys
        self._offer_tables()

    def _offer_tables(self) -> None:
        """Offer the existing tables, and those with puzzles."""
        here = [TableKey(info.name, info.spawn4) for info in self._tables or ()]
        keys = list(dict.fromkeys([*here, *self._keys]))
        chosen = self._key
        with QSignalBlocker(self.table_combo):
            self.table_combo.clear()
            self.table_combo.addItem(tr("All tables"))
            for key in keys:
                self.table_combo.addItem(table_title(key), key)
            self.table_combo.setCurrentIndex(keys.index(chosen) + 1 if chosen in keys else 0)

    def _choose_table(self) -> None:
        self._daily = None
        self.banners.remove(_SESSION)
        self._start()
        if self.frame.shows_list:
            self._list()
        self._focus()

    def _default_table(self) -> Path | None:
        """Return the table to search: the chosen one, or else the last used one."""
        if self._key:
            return self._solver.path_of(self._key)
        paths = [Path(info.path) for info in self._tables or ()]
        last = Path(self._settings.state.get("practice.last_table"))
        return last if last in paths else next(iter(paths), None)

    def _report_no_table(self) -> None:
        if self._tables is None:
            text = tr("Still looking for your tables. Try again in a moment.")
            self.banners.show_message("info", text, key=_NO_TABLE)
            return
        name = table_title(self._key) if self._key else ""
        text = (
            tr("The {table} table isn't on this computer. Build it first.", table=name)
            if name
            else tr("There's no table to find puzzles in. Build one first.")
        )
        remedy = (tr("Show tables"), self.tables_requested.emit)
        self.banners.show_message("warning", text, [remedy], _NO_TABLE)

    # Asking ---------------------------------------------------------------------------------

    def train(self, ids: Sequence[int], right: int = 0, n: int = 0) -> None:
        """Show the puzzles of a training session; `right` of `n` positions before were correct."""
        self.show_list(False)
        self._daily, self._trained, self._before = None, (right, n), self.run.tally
        self._source.give(ids)
        self.run.start(self._source, keeps_tally=True)
        text = trn("{n} puzzle in this session.", "{n:,} puzzles in this session.", len(ids))
        self.banners.show_message("info", text, key=_SESSION)
        self._focus()

    def _end_training(self) -> None:
        (before_right, before), tally = self._trained, self.run.tally
        right = tally.right - self._before.right
        text = tr(
            "Session done: {right} of {n} positions and {solved} of {puzzles} puzzles right. What "
            "went wrong comes back in the sessions to come. There are more puzzles if you like.",
            right=before_right,
            n=before,
            solved=right,
            puzzles=right + tally.wrong - self._before.wrong,
        )
        remedy = (tr("See your profile"), self.profile_requested.emit)
        self.banners.show_message("good", text, [remedy], _SESSION)

    def show_daily(self) -> None:
        """Show the daily puzzle: the same all day, and for everybody with that table."""
        today = self._today()

        def take(daily: DailyPuzzle) -> None:
            if daily.stored:
                self._ask_daily(daily)
            else:
                self._find_daily(today.day)

        self._puzzles.ask(lambda puzzles: puzzles.daily(today), take, self._fail)

    def _today(self) -> Today:
        return today_of(self._now(), self._settings.get("day.begins"))

    def _find_daily(self, day: date) -> None:
        path = self._default_table()
        if path is None:
            self._report_no_table()
        elif not self.search.is_running:  # otherwise there is a banner to cancel that
            self._report_search(path, 0)
            self.search.find_daily(path, day)
            self._enable()

    def _ask_daily(self, daily: DailyPuzzle) -> None:
        self.show_list(False)
        self._daily = daily
        if daily.stored:
            self.run.ask(question_of(daily.stored, counts=daily.is_right is None))
        self._focus()

    def _next(self) -> None:
        """Show the next position of a line to be solved, or the next puzzle."""
        self.show_list(False)
        question = next_in_line(self.run.question, self.run.verdict, self.line)
        if question and self._settings.get("puzzles.line"):
            self.run.ask(question)
        elif not self.run.is_waiting:
            self._daily = None
            self.run.next()

    def _start(self) -> None:
        """Ask puzzles of the chosen table."""
        self._source.choose_table(self._key)
        self.run.start(self._source, keeps_tally=True)

    def _answer(self, direction: int) -> None:
        if self.run.can_answer and not self.run.answer(direction):
            self.panel.show_impossible()

    # What the run tells ---------------------------------------------------------------------

    def show_question(self, question: PuzzleQuestion | None) -> None:
        """Show a question, or the invitation to find some."""
        before = self.focusProxy()
        had_focus = before is not None and before.hasFocus()
        self.frame.invite(question is None)
        self._set_focus_target()
        if had_focus:  # the focused widget may be hidden now
            self._focus()
        self.board_view.show_hint(None)
        if question:
            self.board_view.show_position(question.board, question.walls)
            self.panel.ask_puzzle(question, self._daily)
            if not question.number:
                self.line = ()
                self._solver.solve(question.item.puzzle, partial(self._take_line, question.id))
        self._enable()

    def show_verdict(self, question: PuzzleQuestion, verdict: Verdict) -> None:
        """Show the verdict and the reason."""
        self.board_view.show_hint(question.best[0], margin_of_best(question.rates))
        self.panel.judge_puzzle(question, verdict, self.line)
        self._enable()

    def show_outcome(self, outcome: Outcome) -> None:
        """Show what the answer did to the ratings."""
        if question := self.run.question:
            self.panel.show_outcome(question, outcome, self.line)

    def show_tally(self, tally: Tally) -> None:
        """Show the results so far."""
        self.panel.show_tally(tally)
        self.panel.show_rating(self._source.rating)

    def show_failure(self, error: BaseException) -> None:
        """Show an error."""
        self._fail(error)

    def _take_line(self, puzzle_id: int, line: Steps) -> None:
        question = self.run.question
        if question and question.id == puzzle_id:
            self.line = line
            if self.run.verdict and not question.number:
                self.panel.show_line(question, line)

    # The list -------------------------------------------------------------------------------

    def show_list(self, is_shown: bool) -> None:
        """Show all puzzles as a list, or the current puzzle."""
        if is_shown != self.frame.shows_list:
            self._actions["kept"].setChecked(is_shown)
            self.frame.show_list(is_shown)
            self._set_focus_target()
            if is_shown:
                self._list()
            if self.isVisible():
                self._focus()
        self._enable()

    def _list(self) -> None:
        key = self._key

        def show(stored: list[StoredPuzzle]) -> None:
            text = trn("{n} puzzle", "{n:,} puzzles", len(stored))
            nothing = tr("Puzzles that are found or imported are kept here with your answers.")
            self.list.show_rows(stored, text if stored else nothing)

        self._puzzles.ask(lambda p: list(p.get(p.ids(key)).values()), show, self._fail)

    def _list_if_seen(self) -> None:
        if self.frame.shows_list and self.isVisible():
            self._list()

    def _act_on(self, name: str, stored: StoredPuzzle) -> None:
        """Perform a request for the selected puzzles."""
        if name == "remove_puzzles":
            self._remove([stored.id for stored in self.list.view.all_chosen])
        else:
            self._daily = None
            self.show_list(False)
            self.run.ask(question_of(stored))
            self._focus()

    def _remove(self, ids: Sequence[int]) -> None:
        now = self._now()

        def removed(removed_ids: list[int]) -> None:
            if removed_ids:
                self.deletion.keep(removed_ids)
            if self.run.question and self.run.question.id in removed_ids:
                self.run.next()

        self._puzzles.change(lambda puzzles: puzzles.remove(ids, now), removed, self._fail)

    def _restore(self, ids: list[int], failed: OnError) -> None:
        self._puzzles.change(lambda puzzles: puzzles.restore(ids), failed=failed)

    # Doing ----------------------------------------------------------------------------------

    def _practice(self) -> None:
        question = self.run.question
        if question is None:
            return
        path = self._solver.path_of(question.item.puzzle.key)
        if path:
            self.practice_requested.emit(path, format_board(question.board))
            return
        text = tr(
            "The {table} table isn't on this computer. Build it to practice this position.",
            table=table_title(question.item.puzzle.key),
        )
        remedy = (tr("Show tables"), self.tables_requested.emit)
        self.banners.show_message("warning", text, [remedy], _NO_TABLE)

    def _file(self) -> None:
        """File the wrong answer as a mistake."""
        question, verdict = self.run.question, self.run.verdict
        judgement = (
            question and verdict and judge(question.rates, verdict.direction, Tolerance(0.0))
        )
        if not (question and verdict and judgement):
            return
        puzzle = question.item.puzzle
        self._mistakes.note(
            NotedMove(
                puzzle.key,
                question.board,
                judgement,
                question.rates,
                self._now(),
                PUZZLE,
                0,
                puzzle.symmetry,
            )
        )
        self.banners.show_message("good", tr("Added to your mistakes, to be drilled."), key="file")
        self._actions["file"].setEnabled(False)

    def find_puzzles(self) -> None:
        """Search for puzzles among the user's mistakes, in analyzed games and a table's games."""
        path = self._default_table()
        if path is None:
            self._report_no_table()
            return
        self.banners.remove(_NO_TABLE)
        key = next(TableKey(t.name, t.spawn4) for t in self._tables or () if Path(t.path) == path)

        def ask_known(mistakes: list[Puzzle]) -> None:
            seek_now = partial(seek, mistakes)
            self._puzzles.ask(lambda puzzles: puzzles.boards(key), seek_now, self._fail)

        def seek(mistakes: list[Puzzle], known: set[int]) -> None:
            self._report_search(path, 0)
            self.search.find(path, self._rng.next_u64(), known, mistakes)
            self._enable()

        def work(mistakes: Mistakes) -> list[Puzzle]:
            return list(among_mistakes(mistakes.get(mistakes.ids()).values()))

        self._mistakes.ask(work, ask_known, self._fail)

    def _report_search(self, path: Path, n: int) -> None:
        table = next((t for t in self._tables or () if Path(t.path) == path), None)
        title = table_title(TableKey(table.name, table.spawn4)) if table else path.name
        text = trn(
            "Looking for puzzles in {table}: {n} found so far.",
            "Looking for puzzles in {table}: {n:,} found so far.",
            n,
            table=title,
        )
        self.banners.show_message("info", text, [(tr("Stop"), self.search.cancel)], _SEARCH)

    def _take_result(self, result: SearchResult) -> None:
        today, puzzles, day = self._today(), result.puzzles, result.day
        now = today.now
        self._enable()
        if day:
            self.banners.remove(_SEARCH)
            if not puzzles:
                text = tr("No puzzle found in this table's games.")
                self.banners.show_message("warning", text, key=_SEARCH)
                return

            def keep(store: Puzzles) -> DailyPuzzle:
                stored = store.keep_daily(day, puzzles[0], now)
                daily = store.daily(today)
                return daily if daily.stored else DailyPuzzle(stored)  # of the day that has ended

            self._puzzles.change(keep, self._ask_daily, self._fail)
            return

        def added_to_store(added: Added) -> None:
            n = added.n_new
            text = trn("Found {n} new puzzle.", "Found {n:,} new puzzles.", n)
            if n:
                self.banners.show_message("good", text, key=_SEARCH)
            else:
                text = tr("No new puzzle found in this table's games.")
                self.banners.show_message("warning", text, key=_SEARCH)
            self._take_new()

        def work(store: Puzzles) -> Added:
            own = store.add(result.own, FROM_GAMES, now)
            return Added(own.n_new + store.add(puzzles, FROM_TABLE, now).n_new, own.n_known)

        self._puzzles.change(work, added_to_store, self._fail)

    def _take_new(self) -> None:
        """Show one of the new puzzles, unless one is shown already."""
        self._puzzles.ask(lambda puzzles: puzzles.tables(), self._take_keys, self._fail)
        if self.run.question is None:
            self._start()

    def _show_progress(self, n: int) -> None:
        if self.search.path and not n % _REPORT_EVERY:
            self._report_search(self.search.path, n)

    def _fail(self, error: BaseException) -> None:
        self.banners.remove(_SEARCH)
        self._enable()
        remedies = []
        if isinstance(error, DamagedDatabaseError):
            remedies = [(tr("Set aside and start over"), self._start_over)]
        self.banners.show_message("bad", message_of(error), remedies)

    def _start_over(self) -> None:
        def done(old: Path) -> None:
            text = mark("Started without puzzles. The old ones are kept as {path}.")
            self.banners.show_message("good", tr(text, path=old))
            self._start()

        self._puzzles.start_over(self._now(), done, self._fail)

    # Wiring ---------------------------------------------------------------------------------

    def _focus(self) -> None:
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_focus_target(self) -> None:
        """Set the page's focus proxy to the view in front."""
        in_front = self.frame.empty.button if self.frame.invites else self.board_view
        self.setFocusProxy(self.list.view if self.frame.shows_list else in_front)

    def _enable(self) -> None:
        """Enable the actions that apply now."""
        question, verdict = self.run.question, self.run.verdict
        lists, is_chosen = self.frame.shows_list, self.list.view.chosen is not None
        for name in ON_A_PUZZLE:
            self._actions[name].setEnabled(question is not None and not lists)
        is_wrong = verdict is not None and verdict.loss is not None and not verdict.is_right
        self._actions["file"].setEnabled(is_wrong and not lists)
        self._actions["copy"].setEnabled(is_chosen if lists else question is not None)
        self._actions["undo"].setEnabled(self.deletion.can_undo)
        self.list.copy_button.setEnabled(is_chosen)
        self.list.export_button.setEnabled(is_chosen)
        for name in ("find", "daily"):
            self._actions[name].setEnabled(not self.search.is_running)
        self.frame.empty.button.setEnabled(not self.search.is_running)
        self._actions["cancel"].setEnabled(self.search.is_running)

    def _connect(self) -> None:
        work: dict[str, Callable[[], object]] = {
            **{name: partial(self._answer, direction) for name, direction in MOVES.items()},
            "next": self._next,
            "daily": self.show_daily,
            "practice": self._practice,
            "file": self._file,
            "copy": self._copy,
            "find": self.find_puzzles,
            "cancel": self.search.cancel,
            "paste": lambda: self._import.paste(self._take_new),
            "import": lambda: self._import.ask_file(self, self._take_new),
            "export": self._export,
            "undo": self.deletion.undo,
        }
        for name, action in self._actions.items():
            if name in work:
                action.triggered.connect(lambda _=False, name=name: work[name]())
        self._actions["kept"].triggered.connect(self.show_list)
        self.list.action_requested.connect(self._act_on)
        self.list.chosen_changed.connect(self._enable)
        self._puzzles.changed.connect(self._list_if_seen)
        self.table_combo.activated.connect(lambda _: self._choose_table())
        self.frame.empty.clicked.connect(self.find_puzzles)
        self.board_view.swiped.connect(self._answer)
        self.panel.cross.move_clicked.connect(self._answer)
        self.panel.line_toggled.connect(lambda on: self._settings.set("puzzles.line", on))
        self.search.progressed.connect(self._show_progress)
        self.search.ended.connect(self._take_result)
        for part in (self.search, self._puzzles):
            part.failed.connect(self._fail)
        self._settings.changed.connect(self._follow_setting)

    def _copy(self) -> None:
        question = self.run.question
        if self.frame.shows_list:
            self._export_to.copy([stored.puzzle for stored in self.list.view.all_chosen])
        elif question:
            self._export_to.copy([question.item.puzzle])

    def _export(self) -> None:
        """Export the selected puzzles if there are several; otherwise all of the table."""
        chosen = self.list.view.all_chosen if self.frame.shows_list else []
        several = [stored.id for stored in chosen] if len(chosen) > 1 else None
        self._export_to.export(self, self._key, several)

    def _follow_setting(self, name: str, _value: object = None) -> None:
        if name == "puzzles.line":
            self.panel.line_box.setChecked(self._settings.get(name))
