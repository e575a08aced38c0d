"""Home: the first table, today's session, records of other pages, the card of the route."""

from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from coach.analysis.analyses import Analyses
from coach.days import today_of
from coach.exam.history import History
from coach.grading.grade import Tolerance, judge
from coach.mistakes.drill import Drill
from coach.mistakes.mistake import NotedMove, TableKey
from coach.mistakes.mistakes import Mistakes
from coach.old_files.opening import open_user_database
from coach.play.run import Run
from coach.puzzles.puzzles import DailyPuzzle, Puzzles
from coach.record.user_database import UserDatabase
from coach.routes.daily import DailyRecord, daily_route
from coach.routes.results import RouteResults, StoredRun
from coach.routes.setup import setup_of
from engine.game import Game
from engine.game_log import GameLog
from gui.home.cards import route_content
from gui.home.page import HomePage
from gui.home.records import LastGame, RecordReader, read_mistakes
from gui.home.session import FIRST_TABLE, todays_session
from gui.table_work.builds import Builds
from gui.table_work.requests import BuildRequest
from gui.table_work.table_library import Library
from minigames.records import DailyResult
from minigames.run import MinigameRun, daily_game
from minigames.state import move
from minigames.store import Slot, slot_bytes, slot_path
from tests.coach.made_sessions import list_test
from tests.coach.routes.test_route_results import GAME, RESULT
from tests.coach.test_analyses import analysis_of
from tests.coach.test_puzzle_store import made as made_puzzle
from tests.gui.home.made_tests import NOON, finished
from tests.gui.window_fakes import FakeService, child, table_info


class Stage:
    """A Home page and everything behind it."""

    def __init__(self, qtbot, settings, tasks, home) -> None:
        self.qtbot, self.home, self.settings, self.behave = qtbot, home, settings, "build"
        self.requests: list[BuildRequest] = []
        self.service = FakeService(home)
        self.library = Library(self.service, tasks)
        self.builds = Builds(self._command_of)
        self.page = HomePage(self.service, tasks, settings, self.library, self.builds)
        qtbot.addWidget(self.page)
        self.page.show()

    def _command_of(self, request: BuildRequest) -> list[str]:
        self.requests.append(request)
        return child(self.behave)

    def put(self, *tables) -> None:
        self.service.tables = list(tables)
        with self.qtbot.waitSignal(self.library.changed):
            self.page.page_shown()

    def click_hero(self) -> None:
        self.qtbot.waitUntil(lambda: self.page.hero.button.height() > 20)  # laid out
        self.qtbot.mouseClick(self.page.hero.button, Qt.MouseButton.LeftButton)


@pytest.fixture
def stage(qtbot, settings, tasks, data_dir):
    stage = Stage(qtbot, settings, tasks, data_dir / "tables")
    yield stage
    stage.builds.close()


def test_nothing_is_claimed_before_the_folders_were_read(stage):
    assert not stage.page.hero.isVisible()


def test_without_tables_one_button_builds_the_first(stage):
    stage.put()
    assert stage.page.hero.isVisible()
    assert "442" in stage.page.hero.button.text()
    stage.behave = "hang"
    stage.click_hero()
    assert stage.requests == [BuildRequest(*FIRST_TABLE, stage.home)]
    assert stage.page.build_card.isVisible()
    assert not stage.page.hero.button.isVisible(), "one thing at a time"
    assert "making a 128 beside six large tiles" in stage.page.hero.text_label.text()
    assert stage.page.cards.daily.isVisible(), "to play meanwhile"


def test_when_the_first_table_is_done_it_can_be_practiced(stage, qtbot):
    stage.put()
    stage.click_hero()
    stage.service.tables = [table_info(stage.home / "442_128")]
    qtbot.waitUntil(lambda: stage.page.hero.button.text() == "Practice")
    with qtbot.waitSignal(stage.page.practice_requested) as signal:
        stage.click_hero()
    assert signal.args == [stage.home / "442_128"]


def test_practice_goes_on_with_the_last_table(stage, qtbot):
    last = stage.home / "L3_256"
    stage.settings.state.set("practice.last_table", str(last))
    assert not stage.page.practice_action.isEnabled()
    stage.put(table_info(stage.home / "442_128"), table_info(last))
    assert stage.page.hero.practice_button.text() == "Practice L3 \u2192 256"
    for go_on in (stage.page.hero.practice_button.click, stage.page.practice_action.trigger):
        with qtbot.waitSignal(stage.page.practice_requested) as signal:
            go_on()
        assert signal.args == [last]


def test_a_line_that_waits_is_resumed_by_one_button(stage):
    stage.put(table_info(stage.home / "442_128"))
    first, second = (BuildRequest(name, 256, stage.home) for name in ("L3", "442"))
    stage.behave = "hang"
    stage.builds.add(first)
    stage.builds.add(second)
    stage.builds.pause()
    stage.qtbot.waitUntil(lambda: stage.builds.current is None)
    card = stage.page.build_card
    assert card.isVisible()
    assert "2 tables wait for you to resume" in card.phase_label.text()
    assert card.pause_button.text() == "Resume"
    stage.qtbot.mouseClick(card.pause_button, Qt.MouseButton.LeftButton)
    assert stage.builds.current == first
    assert stage.requests == [first, first]


def test_without_a_table_the_one_thing_to_do_is_to_resume(stage):
    stage.put(table_info(stage.home / "L3_256", "partial"))
    stage.behave = "hang"
    stage.builds.add(BuildRequest("L3", 256, stage.home))
    stage.builds.pause()
    stage.qtbot.waitUntil(lambda: stage.builds.current is None)
    assert not stage.page.hero.isVisible()
    assert stage.page.continue_action.text() == "Resume the queue"
    stage.page.continue_action.trigger()
    assert stage.builds.current


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"layers_done": 0, "layers_expanded": 31}, "It resumes at layer 31 of 112"),
        ({"layers_done": 12, "layers_expanded": 112}, "It resumes at layer 12 of 112"),
        ({"layers_done": 0}, "It resumes where it stopped"),
    ],
)
def test_an_unfinished_table_tells_the_layer_it_has_come_to(stage, fields, part):
    stage.put(table_info(stage.home / "L3_256", "partial", **fields))
    assert part in stage.page.hero.text_label.text()


def test_a_failed_build_becomes_a_banner_with_a_remedy(stage, qtbot):
    stage.put()
    stage.behave = "refuse"
    stage.click_hero()
    qtbot.waitUntil(lambda: bool(stage.page.banners.banners))
    (banner,) = stage.page.banners.banners
    assert "the disk is full" in banner.text_label.text()
    assert [button.text() for button in banner.buttons] == ["Try again"]


@pytest.mark.parametrize("width", [340, 700, 1200])
def test_nothing_is_cut_off(stage, qtbot, width):
    stage.put(table_info(stage.home / "442_128"), table_info(stage.home / "L3_256"))
    stage.page.resize(width, 500)
    content, view = stage.page.scroller.widget(), stage.page.scroller.viewport()
    qtbot.waitUntil(lambda: stage.page.width() == width and content.width() <= view.width())


def test_a_build_leads_to_practice_without_a_message(stage, qtbot):
    stage.put()
    stage.page.activateWindow()
    qtbot.waitUntil(stage.page.isActiveWindow)
    stage.click_hero()
    assert stage.page.focusWidget() is stage.page.build_card
    stage.service.tables = [table_info(stage.home / "442_128")]
    qtbot.waitUntil(lambda: "Practice" in stage.page.hero.button.text())
    assert stage.page.banners.banners == []
    assert stage.page.focusWidget() is stage.page.hero.button


def test_what_another_page_had_built_is_not_told_here(stage, qtbot):
    stage.behave = "refuse"
    with qtbot.waitSignal(stage.builds.ended):
        stage.builds.add(BuildRequest("L3", 128, stage.home))
    assert stage.page.banners.banners == []


SMALL, LARGE = (table_info(Path("tables") / name) for name in ("442_128", "L3_256"))


def session(tables=(SMALL, LARGE), tests=(), losses=None, last="", n_due=0, now=NOON):
    found = todays_session(tables, tests, losses or {}, last, n_due, now, 0)
    assert found
    return found


def test_without_a_table_there_is_none():
    assert todays_session([], [finished("442_128", 0.9)], {}, "", 5, NOON, 0) is None


def test_the_test_is_on_the_table_where_most_is_lost():
    worst = [replace(finished("L3_256", 0.9), counts=(15, 5, 0, 0, 0, 0, 0))] * 5
    found = session(tests=[finished("442_128", 0.99), *worst])
    assert found.table is LARGE
    assert found.text.endswith("a test on L3 \u2192 256, where you lose the most.")


@pytest.mark.parametrize(
    ("counts", "n_tests", "others"),
    [
        ((15, 5, 0, 0, 0, 0, 0), 4, [finished("442_128", 0.99)]),
        ((20, 0, 0, 0, 0, 0, 0), 5, [finished("442_128", 0.99)]),
        ((15, 5, 0, 0, 0, 0, 0), 5, []),
    ],
)
def test_no_more_is_said_than_the_profile_would(counts, n_tests, others):
    """Eighty moves, all of them perfect, or nothing to compare with."""
    worst = [replace(finished("L3_256", 0.9), counts=counts)] * n_tests
    found = session(tests=[*others, *worst])
    assert found.table is LARGE
    assert found.text == "Nothing is due, so take a test on L3 \u2192 256."


def test_mistakes_tell_where_there_are_no_tests():
    found = session(losses={TableKey("L3_256", 0.1): 1.0, TableKey("442_128", 0.1): 0.5})
    assert found.table is LARGE
    assert "where your recent mistakes cost the most" in found.text


def test_the_table_in_use_last_is_taken_where_nothing_is_known():
    found = session(last=str(LARGE.path))
    assert found.table is LARGE
    assert found.text.endswith("a test on L3 \u2192 256, the table you used last.")
    assert session(last="gone").table is SMALL


def test_nobody_is_told_why_there_is_one_table():
    found = session([SMALL], tests=[finished("442_128", 0.9)])
    assert found.text == "Nothing is due, so take a test on 442 \u2192 128."


@pytest.mark.parametrize(
    ("n_due", "said"), [(1, "the move that's due"), (1200, "the 1,200 moves that are due")]
)
def test_what_is_due_comes_first(n_due, said):
    found = session([SMALL], n_due=n_due)
    assert found.text == f"Drill {said}, then take a test on 442 \u2192 128."
    assert found.button == "Start today's session"


def test_a_test_today_ends_it():
    today = finished("442_128", 0.9, ago=timedelta(hours=2))
    found = session([SMALL], [today])
    assert found.is_done
    assert (found.title, found.button) == ("Today's session is done", "Take another test")
    assert found.text.startswith("1 test today, and nothing is due.")
    assert not session([SMALL], [today], n_due=3).is_done, "there is something to drill"


def test_a_drill_after_todays_test_promises_no_other_one():
    found = session([SMALL], [finished("442_128", 0.9, ago=timedelta(hours=2))], n_due=3)
    assert found.text == "You took today's test. To finish, drill the 3 moves that are due."
    assert found.button == "Finish today's session"


def test_a_day_begins_at_midnight_where_the_person_is():
    zone = timezone(timedelta(hours=-5))
    test = finished("442_128", 0.9, ago=timedelta(hours=8))  # 23:00 of the day before, there
    now = datetime(2026, 3, 5, 7, tzinfo=zone)
    assert now == NOON
    assert not session([SMALL], [test], now=now).is_done
    assert session([SMALL], [test]).is_done


EVENT = {
    "file": "games/a.txt", "recorded_as": "rpl", "moves": 100, "points": 4000,
    "largest_tile": 256, "covered": 0, "complete": True, "problems": [], "reports": {},
    "segments": [],
}  # fmt: skip


def play(n_moves: int) -> Game:
    game = Game.new(5)
    for _ in range(n_moves):
        game.move(next(d for d in range(4) if game.can_move(d)))
    return game


def keep_game(folder, game: Game) -> None:
    log = GameLog(folder / "game" / "current.log")
    log.begin(game, game.score)
    log.close()


def read(folder, **more):
    return RecordReader(open_user_database(folder)).read(
        NOON, 0, more.get("hard", False), more.get("game")
    )


def test_an_empty_folder_stays_empty(tmp_path):
    found = read(tmp_path)
    assert (found.tests, found.game, found.analysis) == ((), None, None)
    assert found.daily
    assert found.daily.name == daily_game(NOON.date())
    assert found.daily.result is None
    assert found.puzzle == DailyPuzzle()
    assert list(tmp_path.iterdir()) == []


def test_tests_and_analyses_come_the_newest_first(tmp_path):
    history = History(UserDatabase(tmp_path))
    for days in (3, 1, 2):
        list_test(history, finished("442_128", 0.9, timedelta(days=days)))
    history.close()
    analyses = Analyses(open_user_database(tmp_path))
    for days in range(5):
        analyses.keep(analysis_of({**EVENT, "moves": days}, NOON - timedelta(days=days)))
    analyses.close()
    found = read(tmp_path)
    assert [test.ended for test in found.tests] == [NOON - timedelta(days=n) for n in (1, 2, 3)]
    assert found.analysis
    assert found.analysis.moves == 0


def test_the_game_in_play_is_read_again_when_it_went_on(tmp_path):
    reader = RecordReader(open_user_database(tmp_path))
    game = play(30)
    keep_game(tmp_path, game)
    for more in (0, 7):
        for _ in range(more):
            game.move(next(d for d in range(4) if game.can_move(d)))
        keep_game(tmp_path, game)
        found = reader.read(NOON, 0, False, None).game
        assert found
        assert (found.score, found.n_moves) == (game.score, game.n_moves)
        assert found.exponents == game.cells
        assert (1 << found.largest, found.is_over) == (1 << max(game.cells), False)


def test_a_game_that_is_open_is_taken_as_it_stands(tmp_path):
    keep_game(tmp_path, play(30))
    open_game = LastGame.of(play(3))
    assert read(tmp_path, game=open_game).game == open_game


def test_a_game_that_has_not_begun_is_none(tmp_path):
    keep_game(tmp_path, Game.new(5))
    assert read(tmp_path).game is None


def test_damaged_files_are_left_to_their_pages(tmp_path):
    (tmp_path / "game").mkdir()
    for name in ("tests.db", "user.db", "game/current.log"):
        (tmp_path / name).write_bytes(b"no such thing")
    found = read(tmp_path)
    assert (found.tests, found.game, found.analysis) == ((), None, None)
    assert (tmp_path / "tests.db").read_bytes() == b"no such thing"


@pytest.mark.parametrize("day", ["2026-03-05", "2026-03-04"])
def test_a_daily_run_counts_on_its_day(tmp_path, day):
    folder, name = tmp_path / "minigames", daily_game(NOON.date())
    folder.mkdir()
    run = MinigameRun(name, hard=True, seed=3, day=day)
    run.do(move(run.rules.legal(run.state)[0]))
    slot_path(folder, name, True).write_bytes(slot_bytes(Slot(name, True, run=run)))
    result = DailyResult(run.state.score, run.state.best, is_over=False)
    wanted = result if day == "2026-03-05" else None
    assert [read(tmp_path, hard=hard).daily.result for hard in (True, False)] == [wanted] * 2


def test_the_puzzle_of_the_day_is_read_with_its_answer(tmp_path):
    with closing(Puzzles(open_user_database(tmp_path))) as puzzles:
        kept = puzzles.keep_daily(today_of(NOON, 0).day, made_puzzle(), NOON)
        assert read(tmp_path).puzzle == DailyPuzzle(kept)
        puzzles.answer(kept.id, kept.puzzle.best, NOON, 2.0)
    assert read(tmp_path).puzzle.is_right is True


def test_until_the_day_ends_the_records_are_those_of_the_evening(tmp_path):
    night = NOON.astimezone().replace(hour=1)
    evening = night.date() - timedelta(days=1)
    with closing(Puzzles(open_user_database(tmp_path))) as puzzles:
        kept = puzzles.keep_daily(evening, made_puzzle(), NOON)
        puzzles.answer(kept.id, kept.puzzle.best, night - timedelta(hours=2), 2.0)
    found = RecordReader(open_user_database(tmp_path)).read(night, 4, False, None)
    assert found.daily.name == daily_game(evening)
    assert found.puzzle.stored.id == kept.id
    assert found.puzzle.is_right is True
    found = RecordReader(open_user_database(tmp_path)).read(night, 0, False, None)
    assert found.daily.name == daily_game(night.date())
    assert found.puzzle == DailyPuzzle()


def test_a_damaged_daily_run_is_told_of(tmp_path):
    folder, name = tmp_path / "minigames", daily_game(NOON.date())
    folder.mkdir()
    slot_path(folder, name, False).write_text("{")
    found = read(tmp_path)
    assert found.daily
    assert "damaged" in found.daily.problem


def test_the_book_tells_what_was_lost_lately_and_drilled_this_week(tmp_path):
    mistakes = Mistakes(open_user_database(tmp_path))
    rates = (0.8, None, 0.4, None)
    judgement = judge(rates, 2, Tolerance(1e-12))
    for board, table, days in ((0x123, "442_128", 2), (0x124, "L3_256", 3), (0x125, "L3_256", 90)):
        when = NOON - timedelta(days=days)
        mistakes.note(NotedMove(TableKey(table, 0.1), board, judgement, rates, when, "x", 1))
    drill = Drill(mistakes)
    first, second, *_ = mistakes.ids()
    drill.answer(first, 0, NOON - timedelta(days=1), 3.0)
    drill.answer(second, 2, NOON - timedelta(days=2), 3.0)
    drill.answer(second, 0, NOON - timedelta(days=20), 3.0)
    found = read_mistakes(mistakes, NOON, 0)
    mistakes.close()
    assert (found.n_right, found.n_wrong) == (1, 1)
    assert found.losses == pytest.approx(
        {TableKey("442_128", 0.1): 0.5, TableKey("L3_256", 0.1): 0.5}
    )


TODAY = replace(RESULT, route=replace(GAME, seed=daily_route(NOON.date()).seed), points=5210)


def test_before_the_first_move_the_route_says_what_it_is():
    content = route_content(DailyRecord())
    assert (content.title, content.button) == ("The same tiles for everyone", "Play")


def test_a_route_under_way_goes_on():
    content = route_content(DailyRecord(replace(RESULT, outcome="", n_moves=34), None, 2))
    assert content.text == (
        "442 \N{RIGHTWARDS ARROW} 512: 34 of 100 moves made. 2 days in a row so far."
    )
    assert (content.is_done, content.button) == (False, "Continue")
    content = route_content(DailyRecord(replace(TODAY, outcome="", n_moves=1)))
    assert content.text == "Whole game"


def test_the_result_stands_beside_that_of_the_ai():
    record = DailyRecord(
        replace(RESULT, points_lost=2.16), replace(RESULT, who="search", points_lost=0.012), 3
    )
    content = route_content(record)
    assert content.title == (
        "You: 216 points lost in 100 moves. The AI: 1.2 points lost in 100 moves"
    )
    assert content.text == "442 \N{RIGHTWARDS ARROW} 512. 3 days in a row."
    assert (content.is_done, content.button) == (True, "Show")
    content = route_content(DailyRecord(TODAY, None, 1))
    assert (content.title, content.text) == ("You: 5,210 points", "Whole game")


def test_it_is_read_from_the_database_of_routes(tmp_path):
    played = Run(setup_of(TODAY.route), NOON)
    played.play(next(one for one in range(4) if played.is_legal(one)))
    with closing(RouteResults(UserDatabase(tmp_path))) as results:
        results.keep(StoredRun(1, NOON - timedelta(hours=2), TODAY), played.moves)
    found = RecordReader(open_user_database(tmp_path)).read(NOON, 0, hard=False, game=None).route
    assert found == DailyRecord(TODAY, None, 1)


@pytest.mark.parametrize("content", [None, b"no database" * 100])
def test_without_a_sound_database_there_is_nothing_to_tell(tmp_path, content):
    if content:
        (tmp_path / "routes.db").write_bytes(content)
    found = RecordReader(open_user_database(tmp_path)).read(NOON, 0, hard=False, game=None).route
    assert found == DailyRecord()
    assert [path.read_bytes() for path in tmp_path.glob("routes.db*")] == [content][: bool(content)]
