"""Puzzles: positions where the natural move is wrong, near the user's rating, and a daily one."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from coach.grading.grade import Tolerance, judge
from coach.mistakes.mistake import PUZZLE, NotedMove, TableKey
from coach.play.question_run import QuestionRun, Tally, Verdict
from coach.play.rules import Refusal
from coach.profile.words import THEMES, themes_of
from coach.puzzles.puzzles import Course, DailyPuzzle, Outcome, Puzzles, StoredPuzzle
from coach.puzzles.questions import PuzzleQuestion, PuzzleSource, next_in_line, question_of
from coach.puzzles.rating import Rating
from coach.puzzles.solution import LineSolver, Steps
from engine.bitboard import format_board
from engine.platform.language import mark, sentences, tr, trn
from gui.charts.line_chart import LineChart, Series
from gui.pages.page import Answers
from gui.play.board_page import NO_TABLE, BoardPage
from gui.play.line_import import LineImport
from gui.play.page_actions import PageAction, move_actions
from gui.play.run_page import refusal_text
from gui.play.services import PlayServices
from gui.play.table_key_combo import TableKeyCombo
from gui.puzzles.list import PuzzleList, PuzzlesStart
from gui.puzzles.search import AT_FIRST, AT_ONCE, PuzzleFinder
from gui.puzzles.text import about_text, change_text, explanation, rating_text, unrated_text
from gui.puzzles.transfer import PuzzleExport, puzzle_lines
from gui.text.answers import table_title
from gui.text.lists import fact_list
from gui.text.numbers import table_title as name_title
from gui.text.rates import margin_of_best
from gui.widgets.board_layout import BoardLayout
from gui.widgets.buttons import focus_by_tab
from gui.widgets.deletion import Deletion
from gui.widgets.empty_state import EmptyState
from gui.widgets.labels import reserve_lines, set_property
from gui.widgets.list_filter import Choices
from gui.widgets.question_panel import QuestionPanel
from gui.work.mistake_service import MistakeService
from gui.work.store_service import StoreService

_SEARCH, _SESSION = "search", "session"


_YOURS, _PUZZLE = mark("Your rating"), mark("Puzzle")
_DAYS, _STREAK = mark("Days in a row"), mark("Streak")
_LINES, _CHART_PX = 6, 96
_NO_CHANGE = "\N{NO-BREAK SPACE}"  # its line stays


class PuzzlePanel(QuestionPanel):
    """The side panel of a puzzle."""

    def __init__(self) -> None:
        super().__init__((_YOURS, _PUZZLE, _STREAK, _DAYS))
        set_property(self.about_label, "role", "")  # it is what one learns from
        for name in (_YOURS, _PUZZLE):
            self.figures[name].setToolTip(tr("?: it still changes a lot, after few answers"))
        self.chart = LineChart(tr(_YOURS), tr(_PUZZLE), first=1, has_names=False)
        self.chart.setFixedHeight(_CHART_PX)
        self.column.addWidget(self.chart)
        self.column.addStretch()
        self._outcome: Outcome | None = None
        reserve_lines(self.about_label, _LINES)  # of the reason
        self.show_course(None, Course())

    def show_course(self, rating: Rating | None, course: Course) -> None:
        self._rating = rating_text(rating) if rating else ""
        self.show_figure(_YOURS, self._rating, _NO_CHANGE)
        self.show_figure(_STREAK, course.streak)
        self.show_figure(_DAYS, course.n_days)
        figure = "{:.0f}".format
        self.chart.show_series([Series(tr(_YOURS), course.ratings, "accent", figure=figure)])
        self.chart.setVisible(len(course.ratings) > 1)

    def ask_puzzle(self, question: PuzzleQuestion, daily: DailyPuzzle | None) -> None:
        self.ask(question)
        self._outcome = None
        self.show_figure(_YOURS, self._rating, _NO_CHANGE)
        self.show_figure(_PUZZLE, "")  # it would reveal the difficulty
        text = about_text(question.item, daily)
        if question.number:
            move = tr("Move {number} of the line.", number=question.number + 1)
            text = sentences(text, move)
        self.about_label.setText(text)

    def judge_puzzle(self, question: PuzzleQuestion, verdict: Verdict, line: Steps) -> None:
        self.judge(question, verdict, waits=True)
        if not question.number:
            self.show_line(question, line)
            self.show_figure(_PUZZLE, rating_text(question.item.rating))

    def show_line(self, question: PuzzleQuestion, line: Steps) -> None:
        unrated = unrated_text(self._outcome) if self._outcome else ""
        text = explanation(question.item.puzzle, line)
        names = fact_list(map(tr, themes_of(question.item.puzzle))).lower()
        themes = tr("Themes: {themes}.", themes=names)
        self.about_label.setText("\n".join(filter(None, (text, unrated, themes))))

    def show_outcome(self, question: PuzzleQuestion, outcome: Outcome, line: Steps) -> None:
        self._outcome = outcome
        if outcome.is_rated:
            change = change_text(outcome.before, outcome.person)
            rating = rating_text(outcome.person)
            tone = "" if "?" in rating else "good" if outcome.is_right else "bad"
            self.show_figure(_YOURS, rating, change, tone)
        self.show_figure(_PUZZLE, rating_text(outcome.stored.rating))
        if not question.number:
            self.show_line(question, line)


class PuzzlesPage(BoardPage):
    """The page of puzzles, shown one after the other.

    The thread for files searches for puzzles.
    """

    title = mark("Puzzles")
    icon = "puzzles"
    list_action = "kept"
    start_view: PuzzlesStart
    deletion: Deletion[list[int]]
    profile_requested = Signal()

    def __init__(
        self, services: PlayServices, puzzles: StoreService[Puzzles], mistakes: MistakeService
    ) -> None:
        super().__init__(services)
        self._puzzles, self._mistakes = puzzles, mistakes
        self._keys: list[TableKey] = []
        self._daily: DailyPuzzle | None = None  # the one that is shown
        self._trained = 0, 0  # of the positions before a session's puzzles: correct, total
        self.finds_more = True  # by itself, once none is left that was not seen lately
        self.panel = PuzzlePanel()
        self._solver = LineSolver(services.open_table, services.lookups)
        self.line: Steps = ()  # of the current puzzle, once it is known
        self.finder = PuzzleFinder(services, puzzles, mistakes, self)
        self._source = PuzzleSource(lambda: self.finder.today, services.rng, self._end_training)
        self.run: QuestionRun[Puzzles, StoredPuzzle] = QuestionRun(puzzles, self)
        self.run.source = self._source
        self.search = self.finder.search
        self._export_to = PuzzleExport(services, puzzles, self.banners, self.show_failure)
        lines = puzzle_lines(self._now)
        self.line_import = LineImport(
            services, lines, puzzles, self.banners, self.path_of, self.show_failure
        )
        self.declare(_actions(self))
        actions = self.actions_by_name
        self.list = PuzzleList(actions["copy"], actions["export"], actions["kept"])
        text = tr("In a puzzle one move is right, and it isn't the obvious one.")
        self.empty = EmptyState("", text, tr("Find puzzles"))
        frame = BoardLayout(tr("Puzzles"), self.board_view, self.panel, self.action_bar)
        frame.set_invitation(self.empty)
        self.table_combo = TableKeyCombo(140)
        self.theme_combo = Choices(
            tr("Theme"), {tr("All themes"): "", **{tr(theme): theme for theme in THEMES}}
        )
        focus_by_tab(self.theme_combo)
        for part in (self.theme_combo, self.table_combo):
            frame.header.addWidget(part)
        self.lay_out(frame, PuzzlesStart(self.list))
        self.keep_deletions(
            puzzles,
            self.show_failure,
            lambda ids: trn("Removed {n} puzzle.", "Removed {n:,} puzzles.", len(ids)),
        )
        self._connect()
        self._follow_setting("puzzles.line")
        self.enable()

    def answers(self) -> Answers:
        return {
            "puzzle_requested": self.in_front(self.show_daily),
            "puzzles_requested": self.in_front(self.train),
        }

    def set_tables(self, tables: Sequence[Any]) -> None:
        super().set_tables(tables)
        self._solver.set_tables(self.tables or ())
        self._offer_tables()
        if self.isVisible():
            self.take_new()

    def close_table(self, path: Path) -> None:
        self._solver.close_table(path)
        if self.search.path == path:
            self.search.cancel()

    def close_page(self) -> None:
        self.search.cancel()
        self._solver.close()
        self.run.close()

    def page_shown(self) -> None:
        self.take_new()
        if self.frame.shows_list:
            self.refresh_list()

    def _take_keys(self, keys: list[TableKey]) -> None:
        self._keys = keys
        self._offer_tables()

    def _offer_tables(self) -> None:
        here = [TableKey(info.name, info.spawn4) for info in self.tables or ()]
        self.table_combo.offer(list(dict.fromkeys([*here, *self._keys])))

    def _choose(self) -> None:
        self._daily, self.finds_more = None, True
        self.banners.remove(_SESSION)
        self._start()
        if self.frame.shows_list:
            self.refresh_list()
        self.take_focus()

    def _table_to_search(self) -> tuple[Path, TableKey] | None:
        by_path = {Path(one.path): TableKey(one.name, one.spawn4) for one in self.tables or ()}
        if key := self.table_combo.key:
            path = self.path_of(key)
        else:
            last = Path(self._settings.state.get("practice.last_table"))
            path = last if last in by_path else next(iter(by_path), None)
        return (path, by_path[path]) if path else None

    def _report_no_table(self) -> None:
        key = self.table_combo.key
        text = (
            tr("The {table} table isn't on this computer. Build it first.", table=table_title(key))
            if key
            else tr("There's no table to find puzzles in. Build one first.")
        )
        self.show_missing_table(text)

    def train(self, ids: Sequence[int], right: int = 0, n: int = 0) -> None:
        """Show the puzzles of a training session; `right` of `n` positions before were correct."""
        self.show_list(False)
        self._daily, self._trained = None, (right, n)
        self._source.give(ids)
        self.run.start(self._source)
        text = trn("{n} puzzle in this session.", "{n:,} puzzles in this session.", len(ids))
        self.banners.show_message("info", text, key=_SESSION)
        self.take_focus()

    def _end_training(self) -> None:
        (before_right, before), tally = self._trained, self.run.tally
        text = tr(
            "Session done: {right} of {n} positions and {solved} of {puzzles} puzzles right. What "
            "went wrong comes back in the sessions to come. There are more puzzles if you like.",
            right=before_right,
            n=before,
            solved=tally.right,
            puzzles=tally.right + tally.wrong,
        )
        remedy = (tr("See your progress"), self.profile_requested.emit)
        self.banners.show_message("good", text, [remedy], _SESSION)

    def show_daily(self) -> None:
        found = self._table_to_search()
        self.finder.ask_daily(found[0] if found else None)

    def _ask_daily(self, daily: DailyPuzzle) -> None:
        self.banners.remove(_SEARCH)
        self.show_list(False)
        self._daily = daily
        if daily.stored:
            self.run.ask(question_of(daily.stored, counts=daily.is_right is None))
        self.take_focus()

    def next(self) -> None:
        self.show_list(False)
        if self.run.is_waiting:  # for the puzzle that was wanted last
            return
        question = next_in_line(self.run.question, self.run.verdict, self.line)
        if question and self._settings.get("puzzles.line"):
            self.run.ask(question)
        else:
            self._daily = None
            self.run.next()

    def _start(self) -> None:
        theme = self.theme_combo.currentData()
        wanted = (lambda puzzle: theme in themes_of(puzzle)) if theme else None
        self._source.choose(self.table_combo.key, wanted)
        self.run.start(self._source)

    def press(self, direction: int) -> None:
        question = self.run.question
        if question is None or not self.run.can_answer:
            return
        if direction in question.breaking:  # as in a test: the table can't say what follows
            table = question.item.puzzle.key.name
            self.panel.verdict.setText(refusal_text(direction, Refusal.LEAVES, table))
        elif not self.run.answer(direction):
            self.panel.show_impossible()

    def show_question(self, question: PuzzleQuestion | None) -> None:
        was_inviting = self.frame.invites
        self._show_empty()
        self.theme_combo.setVisible(question is not None or self.theme_combo.currentIndex() > 0)
        self.invite(question is None)
        if was_inviting and question and self.isVisible():  # arrows answer, whatever had the keys
            self.take_focus()
        self.board_view.show_hint(None)
        if question:
            self.finds_more |= question.item.last_seen is None
            self.board_view.show_position(question.board, question.walls)
            self.panel.ask_puzzle(question, self._daily)
            if not question.number:
                self.line = ()
                self._solver.solve(question.item.puzzle, partial(self._take_line, question.id))
        if self._source.has_run_out:
            self._find_more()
        self.enable()

    def _show_empty(self) -> None:
        """Say why there is no puzzle, or how far the search for one is."""
        title, action, n = tr("No puzzles yet"), tr("Find puzzles"), 0
        if self.search.is_running:
            title, action, n = tr("Looking for puzzles"), tr("Stop"), self.finder.n_found
        elif not self.tables:
            action = tr("Build a table")
        elif self.theme_combo.currentIndex():
            title = tr("No puzzle with this theme yet")
        self.empty.title_label.setText(title)
        self.empty.button.setText(action)
        self.empty.show_progress(n, AT_ONCE if self.finder.is_asked else AT_FIRST)

    def _fill(self) -> None:
        """Do what the button of the page without puzzles says."""
        if self.search.is_running:
            self.search.cancel()
        elif self.tables is not None and not self.tables:
            self.tables_requested.emit()
        else:
            self.find_puzzles()

    def show_verdict(self, question: PuzzleQuestion, verdict: Verdict) -> None:
        self.board_view.show_hint(question.best[0], margin_of_best(question.rates))
        self.panel.judge_puzzle(question, verdict, self.line)
        self.enable()

    def show_outcome(self, outcome: Outcome) -> None:
        if question := self.run.question:
            self.panel.show_outcome(question, outcome, self.line)

    def show_tally(self, _tally: Tally) -> None:
        self.panel.show_course(self._source.rating, self._source.course)

    def _take_line(self, puzzle_id: int, line: Steps) -> None:
        question = self.run.question
        if question and question.id == puzzle_id:
            self.line = line
            if self.run.verdict and not question.number:
                self.panel.show_line(question, line)

    def refresh_list(self) -> None:
        key = self.table_combo.key

        def show(stored: list[StoredPuzzle]) -> None:
            text = trn("{n} puzzle", "{n:,} puzzles", len(stored))
            nothing = tr("Puzzles that are found or imported are kept here with your answers.")
            self.list.show_rows(stored, text if stored else nothing)

        self._puzzles.ask(lambda p: list(p.get(p.ids(key)).values()), show, self.show_failure)

    def _list_if_seen(self) -> None:
        if self.frame.shows_list and self.isVisible():
            self.refresh_list()

    def _act_on(self, name: str, stored: StoredPuzzle) -> None:
        if name == "remove_puzzles":
            ids, now = [stored.id for stored in self.list.view.all_chosen], self._now()
            self._puzzles.change(
                lambda puzzles: puzzles.remove(ids, now), self._take_removed, self.show_failure
            )
            return
        self._daily = None
        self.show_list(False)
        self.run.ask(question_of(stored))
        self.take_focus()

    def _take_removed(self, ids: list[int]) -> None:
        if ids:
            self.deletion.keep(ids)
        if self.run.question and self.run.question.id in ids:
            self.run.next()

    def practice(self) -> None:
        question = self.run.question
        path = self.path_to_practice(question.item.puzzle.key) if question else None
        if question and path:
            self.practice_requested.emit(path, format_board(question.board))

    def file(self) -> None:
        question, verdict = self.run.question, self.run.verdict
        if question is None or verdict is None:
            return
        judgement = judge(question.rates, verdict.direction, Tolerance(0.0))
        if judgement is None:
            return
        puzzle, board, rates = question.item.puzzle, question.board, question.rates
        self._mistakes.note(
            NotedMove(puzzle.key, board, judgement, rates, self._now(), PUZZLE, 0, puzzle.symmetry)
        )
        self.banners.show_message("good", tr("Added to your mistakes, to be drilled."), key="file")
        self.actions_by_name["file"].setEnabled(False)

    def find_puzzles(self) -> None:
        if found := self._table_to_search():
            self.banners.remove(NO_TABLE)
            self.finder.find(*found)
        else:
            self._report_no_table()

    def _find_more(self) -> None:
        found = self._table_to_search()
        if self.finds_more and found and not self.search.is_running:
            self.finds_more = False
            self.finder.find(*found, is_asked=False)

    def _show_search(self) -> None:
        self.enable()
        self._show_empty()
        path = self.search.path
        if path and self.finder.is_asked and not (self.finder.n_found or self.frame.invites):
            text = tr("Looking for puzzles in {table}.", table=name_title(path.name))
            self.banners.show_message("info", text, [(tr("Stop"), self.search.cancel)], _SEARCH)

    def _show_found(self, n: int) -> None:
        if not n and (self.finder.is_asked or self.frame.invites):
            self._show_none(tr("No new puzzle found in this table's games."))
        elif self.finder.is_asked:
            text = trn("Found {n} new puzzle.", "Found {n:,} new puzzles.", n)
            self.banners.show_message("good", text, key=_SEARCH)
        self.take_new()

    def _show_none(self, text: str) -> None:
        self.banners.show_message("warning", text, key=_SEARCH)

    def take_new(self) -> None:
        self._puzzles.ask(lambda puzzles: puzzles.tables(), self._take_keys, self.show_failure)
        if self.run.question is None:
            self._start()

    def show_failure(self, error: BaseException) -> None:
        self.banners.remove(_SEARCH)
        self.enable()
        self.show_failed_store(error, self._puzzles, self._start)

    @property
    def front(self) -> QWidget:
        invites = self.frame.invites and not self.frame.shows_list
        return self.empty.button if invites else super().front

    def _connect(self) -> None:
        self.list.action_requested.connect(self._act_on)
        self.list.chosen_changed.connect(self.enable)
        self._puzzles.changed.connect(self._list_if_seen)
        for combo in (self.theme_combo, self.table_combo):
            combo.activated.connect(lambda _: self._choose())
        self.empty.clicked.connect(self._fill)
        self.panel.cross.move_clicked.connect(self.press)
        finder = self.finder
        finder.changed.connect(self._show_search)
        finder.found.connect(self._show_found)
        finder.daily_found.connect(self._ask_daily)
        finder.daily_missing.connect(
            lambda: self._show_none(tr("No puzzle found in this table's games."))
        )
        finder.table_needed.connect(self._report_no_table)
        for part in (finder, self._puzzles):
            part.failed.connect(self.show_failure)
        self._settings.changed.connect(self._follow_setting)

    def copy(self) -> None:
        question = self.run.question
        if self.frame.shows_list:
            self._export_to.copy([stored.puzzle for stored in self.list.view.all_chosen])
        elif question:
            self._export_to.copy([question.item.puzzle])

    def export(self) -> None:
        """Export the selected puzzles if there are several; otherwise all of the table."""
        chosen = self.list.view.all_chosen if self.frame.shows_list else []
        several = [stored.id for stored in chosen] if len(chosen) > 1 else None
        self._export_to.export(self, self.table_combo.key, several)

    def _follow_setting(self, name: str, _value: object = None) -> None:
        if name == "puzzles.line":
            self.actions_by_name["line"].setChecked(self._settings.get(name))


def _actions(page: "PuzzlesPage") -> list[PageAction]:
    def is_asking() -> bool:
        return page.run.question is not None and not page.frame.shows_list

    def is_wrong() -> bool:
        verdict = page.run.verdict
        is_wrong = verdict is not None and verdict.loss is not None and not verdict.is_right
        return is_wrong and not page.frame.shows_list

    def can_copy() -> bool:
        if page.frame.shows_list:
            return page.list.view.chosen is not None
        return page.run.question is not None

    def may_search() -> bool:
        return not page.search.is_running

    texts = tr("Answer left"), tr("Answer right"), tr("Answer up"), tr("Answer down")
    return [
        *move_actions(page.press, is_asking, texts, repeats=False),
        PageAction(
            "next",
            tr("Next puzzle"),
            page.next,
            is_asking,
            "forward",
            0,
            "best new",  # no text
            tr("Next"),
            places=("puzzle",),  # Enter solves, in the list
        ),
        PageAction("daily", tr("Puzzle of the day"), page.show_daily, None, "calendar", 0),
        page.list_entry(tr("All puzzles"), tr("All"), 1),
        PageAction("practice", tr("Open in Practice"), page.practice, is_asking, "practice", 2),
        PageAction(
            "file",
            tr("Add to my mistakes"),
            page.file,
            is_wrong,
            "mistakes",
            2,
            "bookmark",
            tr("Add to mistakes"),
        ),
        PageAction("copy", tr("Copy the puzzle as text"), page.copy, can_copy, "copy", 2),
        PageAction(
            "undo",
            tr("Bring removed puzzles back"),
            page.undo_deletion,
            lambda: page.deletion.can_undo,
        ),
        PageAction(
            "find", tr("Find puzzles"), page.find_puzzles, may_search, "search", key="search"
        ),
        PageAction(
            "line",
            tr("Solve the whole line"),
            lambda is_on: page._settings.set("puzzles.line", is_on),
            key="",
            is_checkable=True,
        ),
        PageAction(
            "cancel",
            tr("Stop looking for puzzles"),
            page.search.cancel,
            lambda: page.search.is_running,
        ),
        PageAction(
            "paste",
            tr("Paste puzzles"),
            lambda: page.line_import.paste(page.take_new),
            icon_name="paste",
        ),
        PageAction(
            "import",
            tr("Import puzzles"),
            lambda: page.line_import.ask_file(page, page.take_new),
            icon_name="folder",
        ),
        PageAction("export", tr("Export puzzles"), page.export, icon_name="save"),
    ]
