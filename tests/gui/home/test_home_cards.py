"""The big button and the cards of Home, with records of tests, games and analyses."""

import threading
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QPushButton, QWidget

from coach.analysis.analyses import Analyses
from coach.days import today_of
from coach.exam.history import History
from coach.old_files.opening import open_user_database
from coach.puzzles.puzzles import Puzzles
from coach.record.user_database import UserDatabase
from gui.board.formation_view import FormationView
from gui.home.cards import CardGrid, daily_content, game_content
from gui.home.page import HomePage
from gui.home.records import Daily, LastGame, RecordReader
from gui.table_work.builds import Builds
from gui.table_work.table_library import Library
from gui.text.rates import match_text
from gui.work.chunked_work import ChunkedWork
from gui.work.tasks import TaskRunner
from minigames.records import DailyResult
from minigames.registry import GAMES
from minigames.run import daily_game
from tests.coach.made_sessions import list_test
from tests.coach.test_analyses import analysis_of
from tests.coach.test_puzzle_store import made as made_puzzle
from tests.gui.home.made_tests import NOON, finished
from tests.gui.window_fakes import FakeService, child, table_info

SEGMENT = {
    "table": "L3_256", "first_move": 1, "last_move": 9, "end": "reached", "judged": 9,
    "match_rate": 0.9, "points_lost": 0.05, "luck_log": None, "start_rate": 0.99, "end_rate": 1.0,
    "grades": {"perfect": 5, "inaccurate": 1, "mistake": 2, "blunder": 1}, "rpl": None,
}  # fmt: skip
EVENT = {
    "file": "games/my best.rpl", "recorded_as": "rpl", "moves": 100, "points": 4000,
    "largest_tile": 256, "covered": 1234, "complete": True, "problems": [], "reports": {},
    "segments": [SEGMENT],
}  # fmt: skip
GAME = LastGame(24312, 11, 1204, False, (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2, 3, 0))


class Stage:
    """A Home page on a data folder."""

    def __init__(self, qtbot, settings, tasks, folder: Path) -> None:
        self.qtbot, self.settings, self.folder = qtbot, settings, folder
        self.service = FakeService(folder / "tables")
        self.library = Library(self.service, tasks)
        self.builds = Builds(lambda _: child("hang"))
        self.game: LastGame | None = None
        self.now = NOON
        self.drawn: list[str] = []
        self.page = HomePage(
            self.service,
            tasks,
            settings,
            self.library,
            self.builds,
            database=open_user_database(folder),
            live_game=lambda: self.game,
            draw_cover=self._draw,
            now=lambda: self.now,
        )
        qtbot.addWidget(self.page)
        self.page.resize(1060, 700)
        self.page.show()

    def _draw(self, _painter, _rect: QRectF, game: str, _theme) -> None:
        self.drawn.append(game)

    def keep_tests(self, *tests) -> None:
        history = History(UserDatabase(self.folder))
        for test in tests:
            list_test(history, test)
        history.close()

    def keep_analyses(self, n: int) -> None:
        analyses = Analyses(open_user_database(self.folder))
        for days in range(n):
            analyses.keep(analysis_of(EVENT, NOON - timedelta(days=days)))
        analyses.close()

    def put(self, *names: str) -> None:
        """Have these tables, and read everything."""
        self.service.tables = [table_info(self.service.home / name) for name in names]
        with self.qtbot.waitSignal(self.library.changed):
            self.page.page_shown()
        steps = self.page.findChild(ChunkedWork)
        self.qtbot.waitUntil(lambda: steps.is_done)

    def path(self, name: str) -> Path:
        return self.service.home / name


@pytest.fixture
def stage(qtbot, settings, tasks, data_dir):
    stage = Stage(qtbot, settings, tasks, data_dir)
    yield stage
    stage.builds.close()


def two_tables_with_tests(stage) -> None:
    stage.keep_tests(
        finished("442_128", 0.99, timedelta(days=1)), finished("L3_256", 0.9, timedelta(days=2))
    )
    stage.put("442_128", "L3_256")


def later_day(*, has_same_game: bool) -> datetime:
    """Return a later noon, with the same minigame of the day or with another one."""
    days = (NOON + timedelta(days=n) for n in range(1, 999))
    name = daily_game(NOON.date())
    return next(day for day in days if (daily_game(day.date()) == name) == has_same_game)


@pytest.mark.parametrize("is_seen", [True, False])
def test_home_left_open_follows_the_day(stage, qtbot, is_seen):
    stage.keep_tests(finished("442_128", 0.99, timedelta(hours=2)))
    stage.keep_analyses(1)
    stage.put("442_128")
    page, daily = stage.page, daily_game(NOON.date())
    assert page.hero.title_label.text() == "Today's session is done"
    assert page.cards.daily.title_label.text() == GAMES[daily].title
    assert page.day_timer.isActive()
    stage.now = later_day(has_same_game=not is_seen)
    if is_seen:
        page.day_timer.timeout.emit()
    else:  # it follows once it is shown, even if nothing else has changed
        page.hide()
        page.day_timer.timeout.emit()
        assert page.hero.title_label.text() == "Today's session is done"
        page.show()
        page.page_shown()
    qtbot.waitUntil(lambda: page.hero.title_label.text() == "Today's session")
    daily = daily_game(stage.now.date())
    qtbot.waitUntil(lambda: page.cards.daily.title_label.text() == GAMES[daily].title)


def test_the_day_goes_on_until_the_hour_of_the_settings(stage, qtbot):
    stage.keep_tests(finished("442_128", 0.99, timedelta(hours=2)))
    stage.put("442_128")
    page, daily = stage.page, daily_game(NOON.date())
    stage.now = NOON + timedelta(hours=15, minutes=59)
    page.day_timer.timeout.emit()
    page.page_shown()
    assert page.session.is_done
    assert page.cards.daily.title_label.text() == GAMES[daily].title
    stage.settings.set("day.begins", 3)
    page.day_timer.timeout.emit()
    qtbot.waitUntil(lambda: page.hero.title_label.text() == "Today's session")
    daily = daily_game(NOON.date() + timedelta(days=1))
    qtbot.waitUntil(lambda: page.cards.daily.title_label.text() == GAMES[daily].title)


def test_the_session_begins_with_the_drill_and_names_the_test_after_it(stage, qtbot):
    two_tables_with_tests(stage)
    stage.page.show_due(12)
    assert stage.page.hero.button.text() == "Start today's session"
    assert stage.page.hero.text_label.text().startswith("Drill the 12 moves that are due, then")
    with qtbot.waitSignal(stage.page.drill_requested) as asked:
        stage.page.hero.button.click()
    assert asked.args == ["L3 \u2192 256"]
    with qtbot.waitSignal(stage.page.test_requested) as asked:
        stage.page.start_test()
    assert asked.args == [stage.path("L3_256")]


def test_the_test_is_the_one_that_was_named_whatever_happened_meanwhile(stage, qtbot):
    two_tables_with_tests(stage)
    stage.page.show_due(1)
    stage.page.continue_action.trigger()
    stage.keep_tests(*(finished("442_128", 0.1, timedelta(days=1, minutes=n)) for n in range(5)))
    stage.page.page_shown()
    qtbot.waitUntil(lambda: "442" in stage.page.hero.text_label.text())
    asked: list[Path] = []
    stage.page.test_requested.connect(asked.append)
    stage.page.start_test()
    stage.page.start_test()
    assert asked == [stage.path("L3_256"), stage.path("442_128")]


def test_with_nothing_due_the_button_leads_to_the_test(stage, qtbot):
    two_tables_with_tests(stage)
    assert not stage.page.hero.drill_button.isVisible()
    with qtbot.waitSignal(stage.page.test_requested) as asked:
        stage.page.continue_action.trigger()
    assert asked.args == [stage.path("L3_256")]


def test_the_drill_alone_leads_to_no_test(stage, qtbot):
    two_tables_with_tests(stage)
    stage.page.show_due(2)
    with qtbot.waitSignal(stage.page.drill_requested) as asked:
        stage.page.hero.drill_button.click()
    assert asked.args == [""]


def test_the_action_is_called_what_the_button_says(stage):
    stage.put()
    assert stage.page.continue_action.text() == "Build 442 \u2192 128"
    two_tables_with_tests(stage)
    assert stage.page.continue_action.text() == "Start today's session"


def test_who_has_never_played_begins_with_practice(stage):
    stage.put("442_128")
    assert stage.page.hero.button.text() == "Practice"
    stage.page.show_due(3)
    assert stage.page.hero.button.text() == "Start today's session"


@pytest.mark.thorough
def test_before_the_records_are_read_no_card_says_that_there_are_none(
    stage, qtbot, tasks, monkeypatch
):
    """A slow drive made Home say for a second that nothing was ever played."""
    two_tables_with_tests(stage)
    may_read, read = threading.Event(), RecordReader.read

    def slow(*given):
        may_read.wait(20)
        return read(*given)

    monkeypatch.setattr(RecordReader, "read", slow)
    drives = TaskRunner()
    other = Stage(qtbot, stage.settings, drives, stage.folder)
    other.library = Library(other.service, tasks)
    other.service.tables = [table_info(other.service.home / "442_128")]
    page = HomePage(
        other.service,
        drives,
        stage.settings,
        other.library,
        other.builds,
        database=open_user_database(stage.folder),
        now=lambda: NOON,
    )
    qtbot.addWidget(page)
    page.show()
    with qtbot.waitSignal(other.library.changed):
        page.page_shown()
    assert page.hero.isVisible()
    assert not page.cards.trend.isVisible()
    assert not page.cards.game.isVisible()
    may_read.set()
    qtbot.waitUntil(page.cards.trend.isVisible)
    drives.close()
    other.builds.close()


def seen(stage) -> list[QWidget]:
    page = stage.page
    of_the_day = (page.cards.daily, page.cards.puzzle, page.cards.route)
    cards = (page.cards.trend, page.cards.game, *of_the_day, page.cards.next, page.cards.analysis)
    return [card for card in cards if card.isVisible()]


def test_before_the_first_table_there_is_one_card_with_one_button(stage):
    stage.put()
    assert seen(stage) == []
    buttons = [one for one in stage.page.findChildren(QPushButton) if one.isVisible()]
    assert buttons == [stage.page.hero.button]


def test_a_game_is_shown_before_the_first_table(stage, qtbot):
    stage.game = GAME
    stage.put()
    qtbot.waitUntil(lambda: seen(stage) == [stage.page.cards.game, stage.page.cards.daily])


def test_nothing_is_shown_where_nothing_is_to_be_said(stage, qtbot):
    stage.keep_tests(finished("442_128", 0.9))
    stage.put("442_128")
    page = stage.page
    qtbot.waitUntil(page.cards.next.isVisible)
    assert seen(stage) == [page.cards.daily, page.cards.puzzle, page.cards.route, page.cards.next]
    assert not page.hero.streak.isVisible()


def test_days_with_a_test_in_a_row_are_counted(stage, qtbot):
    stage.keep_tests(*(finished("442_128", 0.9, timedelta(days=n)) for n in (1, 2, 3, 5)))
    stage.put("442_128")
    streak = stage.page.hero.streak
    qtbot.waitUntil(streak.isVisible)
    assert streak.value_label.text() == "3"


def test_what_is_due_after_todays_test_is_drilled_alone(stage, qtbot):
    stage.keep_tests(finished("442_128", 0.9, timedelta(hours=1)))
    stage.put("442_128")
    stage.page.show_due(2)
    assert not stage.page.hero.drill_button.isVisible(), "it would do the same"
    with qtbot.waitSignal(stage.page.drill_requested) as asked:
        stage.page.hero.button.click()
    assert asked.args == [""]
    stage.page.show_due(0)
    assert stage.page.hero.title_label.text() == "Today's session is done"


def test_perfect_moves_are_the_mean_of_ten_and_compared_with_ten_before(stage, qtbot):
    rates = [16] * 10 + [18] * 9 + [19]
    days = range(len(rates), 0, -1)
    aged = zip(rates, days, strict=True)
    stage.keep_tests(*(finished("442_128", 0.9, timedelta(days=n), one) for one, n in aged))
    stage.put("442_128")
    card = stage.page.cards.trend
    assert card.mean.value_label.text() == match_text(0.905)
    assert card.mean.note_label.text().replace("\u00a0", " ") == "+10.5 pts"
    assert card.tests.value_label.text() == "6", "of the last seven days"
    assert card.chart.index_at(10_000) == len(rates) - 1
    assert "95.0" in card.chart.read_out(len(rates) - 1)
    assert not card.drilled.isVisible()
    with qtbot.waitSignal(stage.page.history_requested):
        card.button.click()


def test_a_test_that_was_given_up_counts_in_no_figure(stage):
    given_up = replace(finished("442_128", 1.0, timedelta(hours=2)), n_moves=3, outcome="")
    both = [finished("442_128", 0.9, timedelta(hours=n)) for n in (1, 3)]
    stage.keep_tests(*both, given_up)
    stage.put("442_128")
    card = stage.page.cards.trend
    assert card.mean.value_label.text() == match_text(0.9)
    assert card.mean.caption_label.text() == "Last 2 tests"
    assert card.tests.value_label.text() == "2"
    assert "2 tests today" in stage.page.hero.text_label.text()


def test_the_game_in_play_can_be_continued(stage, qtbot):
    stage.put("442_128")
    card = stage.page.cards.game
    assert not card.isVisible()
    stage.game = GAME
    stage.page.page_shown()
    qtbot.waitUntil(card.isVisible)
    qtbot.waitUntil(lambda: "2048" in stage.page.cards.board.accessibleName())
    assert (card.title_label.text(), card.button.text()) == ("24,312 points", "Continue")
    assert "Largest tile 2048 after 1,204 moves" in card.text_label.text()
    with qtbot.waitSignal(stage.page.game_requested):
        card.button.click()
    ended = game_content(replace(GAME, is_over=True))
    assert (ended.text.split(".")[0], ended.button) == ("No moves left", "Show")


def test_the_minigame_of_the_day_has_its_picture(stage, qtbot):
    stage.put("442_128")
    name = daily_game(NOON.date())
    card = stage.page.cards.daily
    assert card.title_label.text() == GAMES[name].title
    stage.page.cards.cover.grab()
    assert set(stage.drawn) == {name}
    with qtbot.waitSignal(stage.page.daily_requested):
        card.button.click()


def test_the_minigame_of_the_day_shows_its_result():
    name = daily_game(NOON.date())
    assert daily_content(Daily(name)).button == "Play"
    begun = daily_content(Daily(name, DailyResult(1520, 7, is_over=False)))
    assert (begun.text, begun.button, begun.is_done) == (
        "1,520 points so far.", "Continue", False,
    )  # fmt: skip
    over = daily_content(Daily(name, DailyResult(1520, 7, is_over=True)))
    text = "1,520 points, largest tile 128."
    assert (over.text, over.button, over.is_done) == (text, "Show", True)


def test_a_missed_puzzle_of_the_day_has_no_tick(stage, qtbot):
    with closing(Puzzles(open_user_database(stage.folder))) as puzzles:
        kept = puzzles.keep_daily(today_of(NOON, 0).day, made_puzzle(), NOON)
        stage.put("442_128")
        puzzles.answer(kept.id, kept.puzzle.natural, NOON, 2.0)
    card = stage.page.cards.puzzle
    stage.page.page_shown()
    qtbot.waitUntil(lambda: card.title_label.text() == "Not solved")
    assert card.done_mark.isVisible()
    assert card.done_mark.state == "bad"


def test_the_puzzle_of_the_day_shows_its_result_for_a_day(stage, qtbot):
    day = today_of(NOON, 0).day
    with closing(Puzzles(open_user_database(stage.folder))) as puzzles:
        kept = puzzles.keep_daily(day, made_puzzle(), NOON)
        stage.put("442_128")
        card = stage.page.cards.puzzle
        assert (card.done_mark.isVisible(), card.button.text()) == (False, "Solve")
        puzzles.answer(kept.id, kept.puzzle.best, NOON, 2.0)
    stage.page.page_shown()
    qtbot.waitUntil(lambda: card.button.text() == "Show")
    assert (card.title_label.text(), card.text_label.text()) == ("You solved it", "L3 \u2192 512")
    assert card.done_mark.isVisible()
    assert card.done_mark.state == "good"
    stage.now += timedelta(days=1)
    stage.page.day_timer.timeout.emit()
    qtbot.waitUntil(lambda: card.button.text() == "Solve")
    assert not card.done_mark.isVisible()


def test_the_last_analyzed_game_says_what_was_found_and_opens(stage, qtbot):
    stage.keep_analyses(2)
    stage.put("442_128")
    card = stage.page.cards.analysis
    assert card.title_label.text().startswith("my best")
    assert card.text_label.text() == "3 mistakes in 9 moves."
    with qtbot.waitSignal(stage.page.analysis_requested) as asked:
        card.button.click()
    assert asked.args == [1]


def test_the_next_table_is_one_that_is_not_being_built(stage, qtbot):
    stage.put("442_128")
    card = stage.page.cards.next
    qtbot.waitUntil(card.isVisible)
    first = card.title_label.text()
    card.button.click()
    (request,) = stage.builds.requests
    assert first.startswith(request.title)
    assert request.folder == stage.service.home
    qtbot.waitUntil(lambda: card.title_label.text() != first)
    assert stage.page.build_card.isVisible()


@pytest.mark.parametrize("width", [340, 700, 1060, 1700])
def test_rows_are_full_and_nothing_is_cut_off(stage, qtbot, width):
    stage.keep_analyses(1)
    stage.game = GAME
    two_tables_with_tests(stage)
    stage.page.show_due(1234)
    page = stage.page
    page.resize(width, 600)
    content, view = page.scroller.widget(), page.scroller.viewport()
    qtbot.waitUntil(page.cards.next.isVisible)
    cards = seen(stage)
    qtbot.waitUntil(lambda: page.width() == width and content.width() <= view.width())
    qtbot.waitUntil(lambda: cards[0].width() > 250)
    rows: dict[int, list[QWidget]] = {}
    for card in cards:
        rows.setdefault(card.y(), []).append(card)
        assert card.height() >= card.heightForWidth(card.width())
    room = page.cards.width()
    for row in rows.values():
        assert len({card.height() for card in row}) == 1
        assert row[0].x() == 0
        assert row[-1].geometry().right() + 1 == room
    assert len(rows) == {340: 7, 700: 5}.get(width, 3)


def test_hidden_cards_leave_no_hole(qtbot):
    place = QWidget()
    qtbot.addWidget(place)
    grid = CardGrid(place)
    cards = [QWidget() for _ in range(4)]
    for card in cards:
        card.setMinimumHeight(50)
        grid.add_card(card)
    place.resize(1000, 400)
    place.show()
    cards[1].hide()
    cards[2].hide()
    qtbot.waitUntil(lambda: cards[3].x() > 0 and cards[3].geometry().right() == 999)
    assert (cards[0].x(), cards[0].y()) == (0, cards[3].y())
    assert abs(cards[0].width() - cards[3].width()) <= 1


@pytest.mark.parametrize("has_game", [False, True])
def test_what_is_of_the_day_stands_in_one_row(stage, qtbot, has_game):
    stage.game = GAME if has_game else None
    stage.keep_tests(*(finished("442_128", 0.9, timedelta(days=n)) for n in (1, 2)))
    stage.put("442_128")
    stage.page.resize(1200, 900)
    stage.page.page_shown()
    cards = stage.page.cards
    qtbot.waitUntil(lambda: cards.trend.isVisible() and cards.game.isVisible() == has_game)
    qtbot.waitUntil(lambda: cards.daily.y() == cards.puzzle.y() == cards.route.y() > 0)


def test_the_picture_of_a_formation_explains_its_dot(qtbot, formations):
    view = FormationView(64)
    qtbot.addWidget(view)
    view.show_formation(formations["442"])
    assert view.toolTip().endswith("; the target has to appear on a dot")
    view.show_formation(formations["L3"])
    assert "dot" not in view.toolTip()
