"""Home: today's session, recent results, and links to everything in progress."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QPainter
from PySide6.QtWidgets import QWidget

from coach.days import day_of
from coach.record.user_database import UserDatabase
from engine.platform.files.free_room import free_bytes
from engine.platform.language import mark, sentences, tr, trn
from gui.home.cards import (
    AnalysesCard,
    CardGrid,
    DailyCard,
    DrawCover,
    GameCard,
    NextCard,
    ProfileCard,
    PuzzleCard,
    RouteCard,
    TableTiles,
    TrendCard,
)
from gui.home.records import Daily, LastGame, MistakeRecords, RecordReader, Records, read_mistakes
from gui.home.session import DailySession, Hero, todays_session
from gui.keys.key_bindings import add_key_tip
from gui.pages.page import Answers, ScrolledPage
from gui.settings_model.settings import Settings
from gui.style.theme import Theme
from gui.table_work.builds import Builds
from gui.table_work.requests import BuildRequest, Request, rebuild_request
from gui.table_work.table_library import Library
from gui.table_work.table_service import TablesService
from gui.text.numbers import format_table
from gui.widgets.build_card import BuildCard
from gui.widgets.buttons import button
from gui.widgets.labels import label
from gui.work.chunked_work import ChunkedWork
from gui.work.mistake_service import MistakeService
from gui.work.profile_service import ProfileService
from gui.work.store_service import nothing
from gui.work.tasks import TaskRunner
from minigames.run import daily_game
from tablebase.formation.goal import Goal

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo
    from tablebase.plan.next_table import NextTable

FIRST_TABLE = ("442", 128)
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
    profile_requested = Signal()
    analysis_requested = Signal(int)  # number of an analysis; 0 for the page alone

    def __init__(
        self,
        service: TablesService,
        tasks: TaskRunner,
        settings: Settings,
        library: Library,
        builds: Builds,
        *,
        mistake_store: MistakeService | None = None,
        facts: ProfileService | None = None,
        database: UserDatabase | None = None,
        live_game: Callable[[], LastGame | None] = lambda: None,
        draw_cover: DrawCover = _no_cover,
        now: Callable[[], datetime] = local_now,
    ) -> None:
        super().__init__()
        self._service, self._settings, self._tasks = service, settings, tasks
        self._library, self._builds = library, builds
        self._mistake_store, self._facts = mistake_store, facts
        self._reader = RecordReader(database) if database else None
        self._live_game, self._now = live_game, now
        self._formations: Mapping[str, Formation] = {}
        self._records, self._mistakes = Records(), MistakeRecords()
        self._has_read = self._reader is None  # before that, cards would wrongly show nothing
        self._shown, self._steps = Records(), ChunkedWork(self)  # current content of the cards
        self._n_due = 0
        self._day = self._today()  # the one that the cards are about
        self.day_timer = QTimer(self, interval=_EVERY_MS)
        self._requested: set[Path] = set()  # tables whose end of build this page reports
        self._is_waiting = False  # the focus was on the build that has just ended
        self._next: BuildRequest | Path | DailySession | None = None  # the action of the big button
        self._announced: Path | None = None  # the table of the test after the drill
        self._steps_from: dict[tuple[str, Goal | int], int] | None = None
        self.hero, self.build_card = Hero(), BuildCard(builds)
        self.trend_card, self.game_card = TrendCard(), GameCard()
        self.daily_card, self.puzzle_card = DailyCard(draw_cover), PuzzleCard()
        self.route_card, self.profile_card = RouteCard(), ProfileCard()
        self.analyses_card, self.next_card = AnalysesCard(), NextCard()
        self.tables = TableTiles()
        self.more_button = button(tr("Build another table"), picture="add")
        self.keys_label = label("", "caption", wraps=True)
        self._lay_out()
        self._make_actions()
        self._connect()
        self.daily_card.show_daily(Daily(daily_game(self._day)))
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

    def name_keys(self, find: QAction, keys: QAction) -> None:
        def show() -> None:
            first = find.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            second = keys.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            texts = [tr("{key} finds any command.", key=first)] if first else []
            texts += [tr("{key} shows the shortcuts of a page.", key=second)] if second else []
            self.keys_label.setText(sentences(*texts))

        for action in (find, keys):
            action.changed.connect(show)
        show()

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
        self._read_profile()
        self._library.refresh()
        self._read_formations()

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
        self._day, self._shown = day, Records()
        daily = Daily(daily_game(day))
        self._records = replace(self._records, daily=daily, puzzle=None, route=None)
        self._show_records()  # what happened today was yesterday by now
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

    def _read_profile(self) -> None:
        """Request the training advice; an unreadable profile is reported on its page."""
        if self._facts:
            self._facts.read(self.profile_card.show_profile)

    def _read_next(self) -> None:
        """Determine what to build next, if the tables have changed since the last time."""
        built = {(table.pattern, table.target): table.boards for table in self._library.usable}
        built |= {(request.pattern, request.target): 0 for request in self._builds.requests}
        formations, home = self._formations, self._service.home
        if built == self._steps_from or not formations:
            return
        self._steps_from = built

        def work() -> "NextTable | None":
            from tablebase.plan.next_table import next_table

            room = free_bytes(home)
            return next_table(formations, built, float("inf") if room is None else room)

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
            self.trend_card.show_drilled(mistakes.n_right, mistakes.n_wrong)
            self._show()

    def _show_records(self) -> None:
        """Show the records card by card: all at once would cause a noticeable delay."""
        now = self._now()
        cards: dict[str, Callable[[Any], None]] = {
            "tests": lambda tests: self.trend_card.show_tests(tests, now, self._day_begins),
            "game": self.game_card.show_game,
            "analyses": lambda analyses: self.analyses_card.show_analyses(analyses, now),
            "daily": self.daily_card.show_daily,
            "puzzle": self.puzzle_card.show_daily,
            "route": self.route_card.show_record,
        }
        self._steps.do([self._show, *(partial(self._show_record, *card) for card in cards.items())])

    def _show_record(self, name: str, show: Callable[[Any], None]) -> None:
        value = getattr(self._records, name)
        if value is not None and value != getattr(self._shown, name):
            self._shown = replace(self._shown, **{name: value})
            show(value)

    def _show_next_table(self, table: "NextTable | None") -> None:
        formation = self._formations.get(table.pattern) if table else None
        self.next_card.show_next(table, formation)

    def _show(self) -> None:
        if not self._library.is_known:
            return
        usable, is_building = self._library.usable, bool(self._builds.requests)
        self._show_task()
        self.hero.setVisible(not (is_building and isinstance(self._next, BuildRequest)))
        has_tables = bool(usable)
        self.trend_card.setVisible(has_tables or bool(self._records.tests))
        self.analyses_card.setVisible(has_tables or bool(self._records.analyses))
        self.next_card.setVisible(has_tables)
        for card in (self.puzzle_card, self.route_card, self.profile_card):
            card.setVisible(has_tables)
        self._cards.setVisible(self._has_read)
        self.tables.show_tables(usable, self._formations)
        self.tables.setVisible(len(usable) > 1)
        self.more_button.setVisible(self._has_read and (has_tables or is_building))
        self._read_next()
        if self._is_waiting and self.hero.isVisible():
            self._is_waiting = False
            self.hero.button.setFocus()

    def _show_task(self) -> None:
        partial = [t for t in self._library.tables if t.state == "partial" and not t.origin]
        usable, last = self._library.usable, self._last_table()
        session = self.session
        is_new_here = not (last or self._n_due or self._records.tests)
        practice = ""
        if session and is_new_here:
            self._offer_practice(usable[0])
        elif session:
            self._offer_session(session)
            shown = last or session.table
            practice = tr("Practice {table}", table=format_table(shown.pattern, shown.target))
        elif partial:
            self._offer_resume(partial[0])
        else:
            self._offer_first()
        is_drill = isinstance(self._next, DailySession) and self._next.is_tested
        drill = "" if is_drill else self._drill_text(session is not None)
        self.hero.show_others(practice, drill)
        is_paused = self._builds.is_paused and isinstance(self._next, BuildRequest)
        text = tr("Resume the queue") if is_paused else self.hero.button.text()
        self.continue_action.setText(text)
        self.practice_action.setEnabled(bool(usable))

    def _drill_text(self, is_said: bool) -> str:
        if not self._n_due:
            return ""
        if is_said:
            return tr("Drill only")
        return trn("Drill the move that's due", "Drill the {n:,} moves that are due", self._n_due)

    def _last_table(self) -> "TableInfo | None":
        last = self._settings.state.get("practice.last_table")
        return next((table for table in self._library.usable if str(table.path) == last), None)

    def _offer_resume(self, table: "TableInfo") -> None:
        self._next = request = rebuild_request(table)
        text = tr("Building stopped. It resumes from there; nothing is lost.")
        if table.step_layers:
            text = tr(
                "Building stopped at layer {number} of {all}. It resumes from there; nothing is "
                "lost.",
                number=table.step_layers,
                all=table.layers,
            )
        self.hero.show_task(
            tr("{table} is not finished", table=request.title),
            text,
            tr("Resume building"),
            self._formations.get(table.pattern),
        )

    def _offer_session(self, session: DailySession) -> None:
        self._next = session
        formation = self._formations.get(session.table.pattern)
        self.hero.show_task(session.title, session.text, session.button, formation)

    def _offer_practice(self, table: "TableInfo") -> None:
        self._next = table.path
        self.hero.show_task(
            tr("Practice {table}", table=format_table(table.pattern, table.target)),
            tr("Play, and see the success rate of every move."),
            tr("Practice"),
            self._formations.get(table.pattern),
        )

    def _offer_first(self) -> None:
        pattern, target = FIRST_TABLE
        self._next = BuildRequest(pattern, target, self._service.home)
        self.hero.show_task(
            tr("Practice the endgame against perfect play"),
            tr(
                "A table knows your chance of success after every move, in every position of a "
                "formation. Start with a small one: {table} takes a few seconds to build.",
                table=format_table(pattern, target),
            ),
            tr("Build {table}", table=format_table(pattern, target)),
            self._formations.get(pattern),
        )

    def _continue(self) -> None:
        what = self._next
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
        table = self._last_table() or (self.session.table if self.session else None)
        if table:
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
        if table := self.next_card.table:
            folder = self._settings.get("build.folder")
            home = Path(folder) if folder else self._service.home
            self._build(BuildRequest(table.pattern, table.target, home))

    def _lay_out(self) -> None:
        self._cards = QWidget()
        grid = CardGrid(self._cards)
        grid.add_card(self.trend_card, 2)
        of_the_day = (self.daily_card, self.puzzle_card, self.route_card)
        of_games = (self.profile_card, self.next_card, self.analyses_card)
        for card in (self.game_card, *of_the_day, *of_games):
            grid.add_card(card)
        for part in (self.hero, self.build_card, self._cards, self.tables):
            self.body.addWidget(part)
        self.body.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addStretch()
        self.body.addWidget(self.keys_label)
        for part in (self.hero, self._cards, self.tables, self.more_button):
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
        self.practice_action.setEnabled(False)
        self.drill_action.setEnabled(False)
        add_key_tip(self.hero.drill_button, self.drill_action)
        add_key_tip(self.hero.button, self.continue_action)
        add_key_tip(self.more_button, self.tables_action)

    def _connect(self) -> None:
        clicks = (
            (self.hero.button, self._continue),
            (self.hero.practice_button, self._practice),
            (self.hero.drill_button, self.drill_action.trigger),
            (self.more_button, self.tables_requested),
            (self.trend_card.more_button, self.history_requested),
            (self.trend_card.test_button, self.start_test),
            (self.game_card.button, self.game_requested),
            (self.daily_card.button, self.daily_requested),
            (self.puzzle_card.button, self.puzzle_requested),
            (self.route_card.button, self.route_requested),
            (self.profile_card.button, self.training_requested),
            (self.profile_card.more_button, self.profile_requested),
            (self.next_card.button, self._build_next),
            (self.next_card.advice_button, self.tables_requested),
        )
        for pressed, do in clicks:
            pressed.clicked.connect(do)
        self.tables.practice_requested.connect(self.practice_requested)
        self.analyses_card.opened.connect(self.analysis_requested)
        self._library.changed.connect(self._show)
        self._library.failed.connect(self._show_failure)
        self._builds.changed.connect(self._show)
        self._builds.ended.connect(self._on_build_ended)
        self.day_timer.timeout.connect(self._look_at_day)
