"""Home: today's session, recent results, and links to everything in progress."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QTimer, Signal
from PySide6.QtGui import QPainter

from coach.days import day_of, days_in_a_row
from coach.record.user_database import UserDatabase
from engine.platform.language import mark, tr, trn
from gui.home.cards import CARD_SPACE, Cards, DrawCover
from gui.home.records import Daily, LastGame, MistakeRecords, RecordReader, Records, read_mistakes
from gui.home.session import (
    FIRST_TABLE,
    DailySession,
    Hero,
    Task,
    first_task,
    practice_task,
    resume_task,
    session_task,
    todays_session,
)
from gui.keys.key_bindings import add_key_tip
from gui.pages.page import Answers, ScrolledPage
from gui.settings_model.settings import Settings
from gui.style.theme import Theme
from gui.table_work.builds import Builds
from gui.table_work.requests import BuildRequest, Request
from gui.table_work.table_library import Library
from gui.table_work.table_service import TablesService
from gui.text.numbers import format_table
from gui.widgets.build_card import BuildCard
from gui.work.mistake_service import MistakeService
from gui.work.store_service import nothing
from gui.work.tasks import TaskRunner
from minigames.run import daily_game
from tablebase.formation.goal import Goal

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo
    from tablebase.plan.purpose import NextTable

_EVERY_MS = 60_000  # no single wait until the day ends: a computer that sleeps counts no time


def local_now() -> datetime:
    return datetime.now().astimezone()


def _no_cover(_painter: QPainter, _rect: QRectF, _game: str, _theme: Theme) -> None:
    """Draw nothing."""


class HomePage(ScrolledPage):
    """Today's tasks, recent results, things in progress.

    `live_game` returns the game open on the Game page, if any; `now` has a time zone.
    """

    title = mark("Home")
    icon = "home"
    shows_builds = True
    practice_requested = Signal(object)
    drill_requested = Signal(str)  # then a test on the table with this name, if any
    test_requested = Signal(object)
    history_requested = Signal()
    tables_requested = Signal()
    game_requested = Signal()
    daily_requested = Signal()
    puzzle_requested = Signal()
    route_requested = Signal()
    training_requested = Signal()
    analysis_requested = Signal(int)  # number of an analysis

    def __init__(
        self,
        service: TablesService,
        tasks: TaskRunner,
        settings: Settings,
        library: Library,
        builds: Builds,
        *,
        mistake_store: MistakeService | None = None,
        database: UserDatabase | None = None,
        live_game: Callable[[], LastGame | None] = lambda: None,
        draw_cover: DrawCover = _no_cover,
        now: Callable[[], datetime] = local_now,
    ) -> None:
        super().__init__()
        self._service, self._settings, self._tasks = service, settings, tasks
        self._library, self._builds = library, builds
        self._mistake_store = mistake_store
        self._reader = RecordReader(database) if database else None
        self._live_game, self._now = live_game, now
        self._formations: Mapping[str, Formation] = {}
        self._records, self._mistakes = Records(), MistakeRecords()
        self._has_read = self._reader is None  # before that, cards would wrongly show nothing
        self._n_due = 0
        self._day = self._today()  # the one that the cards are about
        self.day_timer = QTimer(self, interval=_EVERY_MS)
        self._requested: set[Path] = set()  # tables whose end of build this page reports
        self._is_waiting = False  # the focus was on the build that has just ended
        self._task: Task | None = None  # of the big button
        self._announced: Path | None = None  # the table of the test after the drill
        self._steps_from: dict[tuple[str, Goal | int], int] | None = None
        self.hero, self.build_card, self.cards = Hero(), BuildCard(builds), Cards(draw_cover)
        self._lay_out()
        self._make_actions()
        self._connect()
        self._show_records()
        self._read_formations()
        self.day_timer.start()

    @property
    def session(self) -> DailySession | None:
        return todays_session(
            self._library.usable,
            self._records.tests,
            self._mistakes.losses,
            self._settings.state.get("practice.last_table"),
            self._n_due,
            self._now(),
            self._day_begins,
        )

    def show_due(self, n: int) -> None:
        self._n_due = n
        self.drill_action.setEnabled(n > 0)
        self._read_mistakes()
        self._show()

    def start_test(self) -> None:
        named, self._announced = self._announced, None
        usable = [table.path for table in self._library.usable]
        if named in usable:
            self.test_requested.emit(named)
        elif session := self.session:
            self.test_requested.emit(session.table.path)

    def answers(self) -> Answers:
        return {"session_test_requested": self.start_test}

    def build_first(self) -> None:
        """Build the first table, or go on with it, if there is none."""
        if self._library.usable:
            return
        if self._builds.is_paused:
            self._builds.resume()
        elif not self._builds.requests:
            self._build(BuildRequest(*FIRST_TABLE, self._service.home))

    def page_shown(self) -> None:
        """Check for changes on disk; records first, as the big button depends on them."""
        self._follow_day()
        self._read_records()
        self._read_mistakes()
        self._library.refresh()
        self._read_formations()
        self._show()

    @property
    def _day_begins(self) -> int:
        return int(self._settings.get("day.begins"))

    def _today(self) -> date:
        now = self._now()
        return day_of(now, self._day_begins, now.tzinfo)

    def _look_at_day(self) -> None:
        if self.isVisible() and self._follow_day():
            self.page_shown()

    def _follow_day(self) -> bool:
        day = self._today()
        if day == self._day:
            return False
        self._day = day
        daily = Daily(daily_game(day))
        # What happened today was yesterday by now.
        self._set_records(replace(self._records, daily=daily, puzzle=None, route=None))
        return True

    def _read_formations(self) -> None:
        self._tasks.run(self._service.formations, self._set_formations, lambda _: None)

    def _read_records(self) -> None:
        reader, now, game = self._reader, self._now(), self._live_game()
        begins, hard = self._day_begins, bool(self._settings.state.get("minigames.hard"))
        if reader:
            self._tasks.run_latest(
                "home.records",
                lambda: reader.read(now, begins, hard, game),
                self._set_records,
                failed=lambda _: self._set_records(Records()),
            )

    def _read_mistakes(self) -> None:
        now, begins = self._now(), self._day_begins
        if self._mistake_store and self._mistake_store.is_there:
            # An unreadable database is reported where it is opened.
            self._mistake_store.ask(
                lambda mistakes: read_mistakes(mistakes, now, begins), self._set_mistakes, nothing
            )

    def _read_next(self) -> None:
        """Determine what to build next, if the tables have changed since the last time."""
        built = {(table.pattern, table.target): table.boards for table in self._library.usable}
        built |= {(request.pattern, request.target): 0 for request in self._builds.requests}
        formations = self._formations
        if built == self._steps_from or not formations:
            return
        self._steps_from = built
        work = partial(self._service.next_table, formations, built)
        self._tasks.run_latest("home.next", work, self._show_next_table)

    def _set_formations(self, formations: "Mapping[str, Formation]") -> None:
        if formations != self._formations:
            self._formations = formations
            self._show()

    def _set_records(self, records: Records) -> None:
        if records.daily and records.daily.problem:
            self.banners.show_message("warning", records.daily.problem)
        if records != self._records or not self._has_read:
            self._records, self._has_read = records, True
            self._show_records()

    def _set_mistakes(self, mistakes: MistakeRecords) -> None:
        if mistakes != self._mistakes:
            self._mistakes = mistakes
            self.cards.trend.show_drilled(mistakes.n_right, mistakes.n_wrong)
            self._show()

    def _show_records(self) -> None:
        daily = self._records.daily or Daily(daily_game(self._day))
        records = replace(self._records, daily=daily)
        self.cards.show_records(records, self._now(), self._day_begins)
        self._show()

    def _show_next_table(self, table: "NextTable | None") -> None:
        self.cards.show_next(table, self._formations.get(table.pattern) if table else None)
        self._show()

    def _show(self) -> None:
        if not self._library.is_known:
            return
        is_building = bool(self._builds.requests)
        self._show_task()
        is_build = self._task is not None and isinstance(self._task.what, BuildRequest)
        # While the first table is built, the hero says what for.
        self.hero.setVisible(not (is_building and is_build) or self._is_building_first)
        self.hero.button.setVisible(not (is_building and is_build))
        self.hero.show_streak(self._streak)
        self.cards.choose(bool(self._library.usable), is_building)
        self.cards.setVisible(self._has_read)
        self._read_next()
        if self._is_waiting and self.hero.isVisible():
            self._is_waiting = False
            self.hero.button.setFocus()

    def _show_task(self) -> None:
        self._task = task = self._next_task()
        self.hero.show_task(task, self._formations.get(task.pattern))
        is_session = isinstance(task.what, DailySession)
        practice = self._practice_table() if is_session else None
        is_drill = isinstance(task.what, DailySession) and task.what.is_tested
        drill = self._drill_text(is_session) if self._n_due and not is_drill else ""
        name = format_table(practice.pattern, practice.target) if practice else ""
        self.hero.show_others(tr("Practice {table}", table=name) if name else "", drill)
        is_paused = self._builds.is_paused and isinstance(task.what, BuildRequest)
        self.continue_action.setText(tr("Resume the queue") if is_paused else task.button)
        self.practice_action.setEnabled(bool(self._library.usable))

    def _drill_text(self, is_session: bool) -> str:
        if is_session:
            return tr("Drill only")
        return trn("Drill the move that's due", "Drill the {n:,} moves that are due", self._n_due)

    def _next_task(self) -> Task:
        if session := self.session:
            is_known = self._last_table() or self._n_due or self._records.tests
            return session_task(session) if is_known else practice_task(self._library.usable[0])
        left = (t for t in self._library.tables if t.state == "partial" and not t.origin)
        unfinished = None if self._is_building_first else next(left, None)
        return resume_task(unfinished) if unfinished else first_task(self._service.home)

    @property
    def _is_building_first(self) -> bool:
        requests = self._builds.requests
        return any((request.pattern, request.target) == FIRST_TABLE for request in requests)

    @property
    def _streak(self) -> int:
        begins, zone = self._day_begins, self._now().tzinfo
        of_tests = {day_of(test.ended, begins, zone) for test in self._records.tests}
        return days_in_a_row(of_tests | self._mistakes.drill_days, self._day)

    def _last_table(self) -> "TableInfo | None":
        last = self._settings.state.get("practice.last_table")
        return next((table for table in self._library.usable if str(table.path) == last), None)

    def _practice_table(self) -> "TableInfo | None":
        session = self.session
        return self._last_table() or (session.table if session else None)

    def _continue(self) -> None:
        what = self._task.what if self._task else None
        if isinstance(what, Path):
            self.practice_requested.emit(what)
        elif isinstance(what, DailySession):
            self._start(what)
        elif self._builds.is_paused:
            self._builds.resume()
        elif what and not self._builds.current:
            self._build(what)

    def _start(self, session: DailySession) -> None:
        if session.n_due and session.is_tested:
            self.drill_requested.emit("")
            return
        self._announced = session.table.path
        if session.n_due:
            self.drill_requested.emit(session.table_title)
        else:
            self.start_test()

    def _practice(self) -> None:
        if table := self._practice_table():
            self.practice_requested.emit(table.path)

    def _show_failure(self, text: str) -> None:
        remedy = (tr("Look again"), self._library.refresh)
        self.banners.show_message("bad", text, [remedy])

    def _on_build_ended(self, request: Request, status: int, message: str) -> None:
        self._library.refresh()
        if request.table not in self._requested:
            return  # requested and reported by another page
        self._requested.discard(request.table)
        self._is_waiting = self.build_card.has_focus
        if status not in (0, 3):  # 0: the table now appears here, which shows it
            remedy = (tr("Try again"), lambda: self._build(request))
            text = tr(
                "{what} stopped: {why}. You can resume it any time.",
                what=request.work_title,
                why=message,
            )
            self.banners.show_message("bad", text, [remedy], str(request.table))

    def _build(self, request: Request) -> None:
        self._requested.add(request.table)
        self._builds.add(request)
        self.build_card.setFocus()  # the pressed button is gone

    def _build_next(self) -> None:
        if table := self.cards.next_table:
            folder = self._settings.get("build.folder")
            home = Path(folder) if folder else self._service.home
            self._build(BuildRequest(table.pattern, table.target, home))

    def _open_analysis(self) -> None:
        if analysis := self._records.analysis:
            self.analysis_requested.emit(analysis.id)

    def _lay_out(self) -> None:
        for part in (self.hero, self.build_card, self.cards):
            self.body.addWidget(part)
        self.body.setSpacing(CARD_SPACE)
        self.body.addStretch()
        for part in (self.hero, self.cards):
            part.hide()

    def _make_actions(self) -> None:
        new = self.new_action
        self.continue_action = new("continue", tr("Continue"), self._continue, "play", "continue")
        self.practice_action = new(
            "practice", tr("Practice where you left off"), self._practice, "practice"
        )
        self.tables_action = new(
            "build", tr("Build another table"), self.tables_requested.emit, "add", "new"
        )
        self.drill_action = new(
            "drill",
            tr("Drill the moves due today"),
            lambda: self.drill_requested.emit(""),
            "mistakes",
            "drill",
        )
        self.new_action("train", tr("Train for 10 minutes"), self.training_requested.emit, "train")
        self.practice_action.setEnabled(False)
        self.drill_action.setEnabled(False)
        add_key_tip(self.hero.drill_button, self.drill_action)
        add_key_tip(self.hero.button, self.continue_action)

    def _connect(self) -> None:
        clicks = (
            (self.hero.button, self._continue),
            (self.hero.practice_button, self._practice),
            (self.hero.drill_button, self.drill_action.trigger),
            (self.cards.trend.button, self.history_requested),
            (self.cards.game.button, self.game_requested),
            (self.cards.daily.button, self.daily_requested),
            (self.cards.puzzle.button, self.puzzle_requested),
            (self.cards.route.button, self.route_requested),
            (self.cards.analysis.button, self._open_analysis),
            (self.cards.next.button, self._build_next),
        )
        for pressed, do in clicks:
            pressed.clicked.connect(do)
        self._library.changed.connect(self._show)
        self._library.failed.connect(self._show_failure)
        self._builds.changed.connect(self._show)
        self._builds.ended.connect(self._on_build_ended)
        self.day_timer.timeout.connect(self._look_at_day)
