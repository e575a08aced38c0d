"""The Analysis page: games in, results out, nothing lost, everything by keys."""

import json
import random
import sys
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication

from coach.analysis.analyses import Analyses
from coach.analysis.events import AnalyzedGame
from coach.exam.history import History
from coach.old_files.opening import open_user_database
from coach.record.database import DatabaseFile
from coach.record.schema import MIGRATIONS, SOUND
from engine.formats.replay import Replay, replay_of
from engine.formats.verse2048 import write_new
from engine.game import Game
from engine.platform.errors import AppError
from gui.review.games import AnalysisPage
from gui.review.games_tree import LOST, LUCK, MOVES, NAME, PERFECT, RESULT, PartItem
from gui.review.remembered import RememberedReview
from gui.work.analysis_runs import AnalysisRequest, AnalysisRuns
from gui.work.analysis_store import AnalysisStore
from gui.work.tasks import TaskRunner
from tests.coach.made_sessions import played
from tests.gui.page_driver import banner_texts
from tests.gui.review.reports import MOVE, REPORT
from tests.gui.window_fakes import table_info

CHILD = Path(__file__).parent / "analyze_child.py"
NOON = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)


class Bench:
    """The page with a child process that only speaks like `analyze`."""

    def __init__(self, qtbot, settings, folder: Path) -> None:
        self.qtbot, self.settings, self.folder = qtbot, settings, folder
        self.what = "good"
        self.requests: list[AnalysisRequest] = []
        self.opened: list[QUrl] = []
        self.reviewed: list[tuple[Path, int | None]] = []
        self.games = folder / "games"
        self.games.mkdir(exist_ok=True)
        self.runner = TaskRunner()
        self.bugs: list[BaseException] = []
        self.runner.bug_found.connect(self.bugs.append)
        self.store = AnalysisStore(
            open_user_database(folder), folder / "analyses", self.runner, lambda: NOON
        )
        self.runs = AnalysisRuns(self._command)
        self.store.follow(self.runs)
        self.page = self.open()
        self.settle()

    def open(self) -> AnalysisPage:
        """Return a new page, shown; after a change of language it replaces another one."""
        page = AnalysisPage(
            self.store,
            self.runs,
            self.runner,
            self.settings,
            lambda: [self.folder / "tables"],
            lambda: NOON,
            self.opened.append,
        )
        page.review_requested.connect(lambda *what: self.reviewed.append(what))
        page.set_tables([table_info(self.folder / "tables" / "44_64")])
        self.qtbot.addWidget(page)
        page.resize(1000, 700)
        page.show()
        page.page_shown()
        return page

    def _command(self, request: AnalysisRequest) -> list[str]:
        self.requests.append(request)
        return [sys.executable, str(CHILD), self.what, *map(str, request.files)]

    def game(self, name: str) -> Path:
        path = self.games / name
        path.touch()
        return path

    def settle(self) -> None:
        done = []
        self.qtbot.waitUntil(lambda: not self.page.runs.is_running)
        self.runner.run(lambda: None, lambda _: done.append(1))
        self.qtbot.waitUntil(lambda: bool(done))
        QApplication.processEvents()
        assert self.bugs == []

    def analyze(self, *names: str) -> None:
        self.page.analyze([self.game(name) for name in names])
        self.qtbot.waitUntil(lambda: bool(self.requests))
        self.settle()
        self.settle()

    def rows(self) -> list[tuple[str, str]]:
        return [(item.path.name, item.text(RESULT)) for item in self.page.tree.games]

    def texts(self) -> list[str]:
        return banner_texts(self.page)

    def close(self) -> None:
        self.page.runs.close()
        self.runner.close()
        self.store.close()


@pytest.fixture
def bench(qtbot, settings, tmp_path):
    bench = Bench(qtbot, settings, tmp_path)
    yield bench
    bench.close()


def test_an_empty_page_says_what_it_is_for(bench):
    assert bench.page.empty.isVisible()
    assert not bench.page.tree.isVisible()
    assert not bench.page.review_action.isEnabled()


def test_what_was_tested_is_listed_newest_first_and_reviewed_at_a_click(bench):
    database = bench.store.database
    with closing(History(database)) as history:
        for number, hours in ((1, 30), (2, 2)):
            run = played(30, by=number)
            run.started = NOON - timedelta(hours=hours)
            history.add_file(f"{number}.json", run, NOON - timedelta(hours=hours - 1))
        first, last = reversed(history.tests())
    game = bench.game("122340_20260430_115159.txt")
    RememberedReview(bench.settings).remember(game, 0)
    bench.page.page_shown()
    bench.settle()
    tree = bench.page.tree
    assert [item.path.name for item in tree.games] == ["2.json", game.name, "1.json"]
    newest, _, oldest = tree.games
    when = f"{(NOON - timedelta(hours=2)).astimezone():%H:%M}"
    assert newest.text(NAME) == f"Test, L3 \u2192 256, today {when}", "when it began, as Test says"
    assert last.started == NOON - timedelta(hours=2)
    assert newest.text(PERFECT) == f"{last.counts[0] / sum(last.counts) * 100:.3g} %"
    assert newest.text(LOST).endswith("pts")
    assert (newest.text(MOVES), newest.text(RESULT)) == (str(last.n_moves), "256 not reached")
    assert newest.text(LUCK) == "\N{EN DASH}"
    assert oldest.text(PERFECT) == f"{first.counts[0] / sum(first.counts) * 100:.3g} %"
    assert not bench.page.empty.isVisible()
    assert not bench.page.remove_action.isEnabled()
    bench.page.review_button.click()
    tree.setCurrentItem(oldest)
    tree.itemActivated.emit(oldest, 0)
    assert bench.reviewed == [(newest.path, None), (oldest.path, None)]
    bench.page.page_shown()
    bench.settle()
    assert [item.path.name for item in tree.games] == ["2.json", game.name, "1.json"]
    assert tree.chosen_game is oldest, "nothing has changed, so the list stays as it is"
    RememberedReview(bench.settings).remember(bench.game("b.txt"), 0)
    bench.page.page_shown()
    bench.settle()
    assert len(tree.games) == 4
    assert tree.chosen_game.path.name == "1.json", "the choice stays"
    bench.analyze("a.txt")
    assert {item.path.name for item in tree.games} > {"a.txt", "2.json"}


def test_games_are_analyzed_and_listed_in_their_order(bench):
    bench.analyze("a.txt", "bad.txt", "c.rpl")
    assert bench.rows() == [
        ("a.txt", "1 part, 30 moves"),
        ("bad.txt", "Not analyzed: not a recorded game"),
        ("c.rpl", "1 part, 30 moves"),
    ]
    assert bench.page.background() is None
    (request,) = bench.requests
    assert request.tables == ()
    assert request.folders == (bench.folder / "tables",)
    assert request.out.parent == bench.folder / "analyses"


def test_the_command_is_one_that_the_program_understands(tmp_path):
    from main import build_parser

    files = (tmp_path / "a b.txt", tmp_path / "c.rpl")
    (tmp_path / "t").mkdir()
    folders = (tmp_path / "t", tmp_path / "on a drive that is away")  # the program refuses those
    for tables in ((), (tmp_path / "x_64", tmp_path / "y_64")):
        command = AnalysisRequest(files, tables, folders, tmp_path / "o").command()
        args = build_parser().parse_args(command[2:])
        assert args.command == "analyze"
        assert tuple(args.file) == files
        assert (args.json, args.stdin_control, args.out) == (True, True, tmp_path / "o")
        assert args.table == ([str(path) for path in tables] or None)
        assert args.tables == ([] if tables else [tmp_path / "t"])


def test_whole_games_are_judged_when_that_is_wanted(bench):
    from main import build_parser

    bench.settings.set("whole_game.ms", 10.0)
    bench.page.whole_action.trigger()
    assert bench.page.whole_action in bench.page.options.actions()
    bench.page.set_tables([])
    bench.analyze("a.txt")
    (request,) = bench.requests
    args = build_parser().parse_args(request.command()[2:])
    assert (args.engine, args.ms) == (True, 10.0)
    bench.settings.set("analysis.whole_games", False)
    assert not bench.page.whole_action.isChecked()
    bench.page.set_tables([table_info(bench.folder / "tables" / "44_64")])
    bench.analyze("b.txt")
    args = build_parser().parse_args(bench.requests[-1].command()[2:])
    assert args.engine is False


def test_the_first_position_of_a_part_is_played_again_and_again(bench):
    game = make_game()
    (bench.games / "g.vrs").write_text(write_new(game), "utf-8")
    asked: list[tuple] = []
    bench.page.situation_requested.connect(lambda *what: asked.append(what))
    bench.page.analyze([bench.games / "g.vrs"])
    bench.qtbot.waitUntil(lambda: bool(bench.requests))
    bench.settle()
    tree = bench.page.tree
    tree.games[0].setExpanded(True)
    tree.setCurrentItem(tree.games[0].child(0))  # moves 11 to 40
    bench.qtbot.keyClick(
        tree, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    bench.settle()
    assert asked == [(list(game.positions())[10], None)]


def make_game() -> Replay:
    game, chance = Game([1, 1, *[0] * 14], seed=4), random.Random(4)
    while game.n_moves < 60:
        game.move(chance.choice(game.legal_moves()))
    return replay_of(game)


def test_a_part_opens_in_review_and_a_game_as_a_page(bench):
    bench.analyze("a.txt")
    tree = bench.page.tree
    (game,) = tree.games
    game.setExpanded(True)
    part = game.child(0)
    assert isinstance(part, PartItem)
    assert (part.text(NAME), part.text(PERFECT)) == ("44 \u2192 64", "90.0 %")
    tree.setCurrentItem(part)
    assert bench.page.grades.counts == (27, 0, 0, 0, 0, 3, 0)
    tree.setFocus()
    bench.qtbot.keyClick(tree, Qt.Key.Key_Return)
    bench.page.review_action.trigger()
    wanted = bench.games / "a.part.rpl"
    assert bench.reviewed == [(wanted, None), (wanted, None)]
    bench.page.report_action.trigger()
    bench.page.folder_action.trigger()
    assert [url.toLocalFile() for url in bench.opened] == [
        str(bench.games / "a.html"), str(bench.games)
    ]  # fmt: skip


def test_what_was_analyzed_is_there_the_next_time(bench, qtbot, settings):
    bench.analyze("a.txt", "b.txt")
    bench.close()
    again = Bench(qtbot, settings, bench.folder)
    assert [name for name, _ in again.rows()] == ["b.txt", "a.txt"]
    assert not again.page.empty.isVisible()
    again.close()


def test_a_page_in_another_language_goes_on_with_games_under_way(bench):
    before = bench.page
    before.analyze([bench.game("a.txt"), bench.game("b.txt")])
    bench.qtbot.waitUntil(lambda: bench.runs.is_running)
    bench.page = bench.open()
    before.hide()  # and not deleted yet
    assert [item.path.name for item in bench.page.tree.games] == ["a.txt", "b.txt"]
    bench.settle()
    bench.settle()
    assert all("1 part" in result for _, result in bench.rows())
    assert [name for name, _ in bench.rows()] == ["a.txt", "b.txt"]
    with closing(Analyses(open_user_database(bench.folder))) as stored:
        assert [analysis.path.name for analysis in stored.latest()] == ["b.txt", "a.txt"], (
            "once each"
        )


def test_a_folder_and_a_file_dropped_on_the_page_are_analyzed_once(bench):
    file = bench.game("a.txt")
    bench.game("b.vrs")
    bench.game("notes.md")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in (file, bench.games)])
    rest = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton)
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(bench.page, QDragEnterEvent(QPoint(50, 50), *rest, none))
    QApplication.sendEvent(bench.page, QDropEvent(QPointF(50, 50), *rest, none))
    bench.qtbot.waitUntil(lambda: bool(bench.requests))
    bench.settle()
    assert [name for name, _ in bench.rows()] == ["a.txt", "b.vrs"]


def test_cancelling_keeps_what_is_done_and_drops_what_has_not_begun(bench):
    bench.what = "hang"
    bench.page.analyze([bench.game("a.txt"), bench.game("b.txt")])
    bench.qtbot.waitUntil(lambda: bench.page.runs.fraction == 0.5)
    assert bench.rows() == [("a.txt", "Analyzing, 50\u00a0%"), ("b.txt", "Waiting")]
    running = bench.page.background()
    assert (running.text, running.fraction) == ("Analyzing a.txt (1 of 2)", 0.25)
    running.cancel()
    assert bench.page.background().text == "Stopping"
    bench.settle()
    bench.settle()
    assert bench.rows() == [("a.txt", "1 part, 30 moves; canceled")]
    assert bench.texts() == []


def test_a_refusal_is_told_once_and_nothing_keeps_waiting(bench):
    bench.what = "refuse"
    bench.analyze("a.txt", "b.txt")
    assert bench.texts() == ["The analysis stopped: there is no table of that name"]
    assert bench.rows() == []
    assert bench.page.empty.isVisible()


def test_a_crash_is_told(bench):
    bench.what = "crash"
    bench.analyze("a.txt")
    assert len(bench.texts()) == 1
    assert bench.texts()[0].startswith("The analysis stopped: it was killed from outside")


def test_a_removed_game_can_be_brought_back(bench):
    bench.analyze("a.txt", "b.txt")
    bench.page.tree.setCurrentItem(bench.page.tree.games[0])
    bench.page.remove_action.trigger()
    bench.settle()
    assert [name for name, _ in bench.rows()] == ["b.txt"]
    (banner,) = bench.page.banners.banners
    banner.buttons[0].click()
    bench.settle()
    assert [name for name, _ in bench.rows()] == ["a.txt", "b.txt"]
    assert bench.page.banners.banners == []


def test_a_removed_game_that_cannot_be_brought_back_can_be_later(bench, monkeypatch):
    bench.analyze("a.txt")
    bench.page.remove_action.trigger()
    bench.settle()
    with monkeypatch.context() as patch:
        patch.setattr(Analyses, "keep", Mock(side_effect=AppError("the drive is full")))
        bench.page.banners.banners[0].buttons[0].click()
        bench.settle()
    assert bench.rows() == []
    assert sorted(bench.texts()) == ["Removed the analysis of a.txt.", "the drive is full"]
    (undo,) = [one for banner in bench.page.banners.banners for one in banner.buttons]
    undo.click()
    bench.settle()
    assert [name for name, _ in bench.rows()] == ["a.txt"]


def test_a_game_brought_back_after_its_number_was_reused_can_be_removed_alone(bench):
    bench.analyze("a.txt")
    bench.page.tree.setCurrentItem(bench.page.tree.games[0])
    bench.page.remove_action.trigger()
    bench.settle()
    (banner,) = bench.page.banners.banners
    bench.requests.clear()
    bench.analyze("b.txt")
    banner.buttons[0].click()
    bench.settle()
    assert sorted(name for name, _ in bench.rows()) == ["a.txt", "b.txt"]
    again = next(item for item in bench.page.tree.games if item.path.name == "a.txt")
    bench.page.tree.setCurrentItem(again)
    bench.page.remove_action.trigger()
    bench.settle()
    analyses = []
    bench.store.read(analyses.extend, analyses.append)
    bench.settle()
    assert [analysis.path.name for analysis in analyses] == ["b.txt"]


def test_the_files_of_a_removed_game_go_with_the_message_and_no_others(bench):
    """Reports outside the folder of analyses are not ours to delete."""
    bench.games = bench.folder / "analyses" / "now"
    bench.games.mkdir(parents=True)
    inside = bench.games / "a.html"
    inside.touch()
    bench.analyze("a.txt")
    bench.games = bench.folder / "games"
    outside = bench.games / "b.html"
    outside.touch()
    bench.requests.clear()
    bench.analyze("b.txt")
    for _ in range(2):
        bench.page.tree.setCurrentItem(bench.page.tree.games[0])
        bench.page.remove_action.trigger()
        bench.settle()
        assert inside.exists() or outside.exists()
        (banner,) = bench.page.banners.banners
        banner.close_button.click()
        bench.settle()
    assert (inside.exists(), outside.exists()) == (False, True)
    assert bench.rows() == []


def test_without_tables_the_page_says_where_to_build_one(bench, qtbot):
    bench.page.set_tables([table_info(bench.folder / "44_64", "partial")])
    assert not bench.page.options.has_tables
    bench.page.analyze([bench.game("a.txt")])
    bench.settle()
    with qtbot.waitSignal(bench.page.tables_requested):
        bench.page.banners.banners[0].buttons[0].click()
    assert bench.requests == []


def test_the_choice_of_tables_is_remembered(bench):
    infos = [table_info(bench.folder / name) for name in ("44_64", "L3_256")]
    bench.page.set_tables(infos)
    options = bench.page.options
    entries = {action.text(): action for action in options.actions()}
    assert entries["All tables"].isChecked()
    entries["44 \u2192 64"].trigger()
    assert options.chosen == (bench.folder / "44_64",)
    assert not entries["All tables"].isChecked()
    bench.page.set_tables(infos)
    assert options.chosen == (bench.folder / "44_64",)
    bench.analyze("a.txt")
    assert bench.requests[0].tables == (bench.folder / "44_64",)
    next(one for one in options.actions() if one.text() == "All tables").trigger()
    assert options.chosen == ()


def test_a_single_table_is_no_choice(bench):
    texts = [action.text() for action in bench.page.options.actions() if action.text()]
    assert texts == ["Analyze whole games", "Count as mine", "Analyze a folder\u2026"]


def test_a_damaged_database_can_be_set_aside(qtbot, settings, tmp_path):
    (tmp_path / "user.db").write_bytes(b"this is not a database" * 100)
    bench = Bench(qtbot, settings, tmp_path)
    (banner,) = bench.page.banners.banners
    assert "cannot be read" in banner.text_label.text()
    banner.buttons[0].click()
    bench.settle()
    bench.settle()
    assert bench.texts() == []
    bench.analyze("a.txt")
    assert len(bench.rows()) == 1
    bench.close()


def test_what_is_set_aside_is_used_no_more(bench):
    bench.analyze("a.txt")  # so the database is open
    bench.requests.clear()
    set_aside: list[Path] = []
    bench.store.start_over(NOON, set_aside.append, bench.bugs.append)
    bench.settle()
    bench.analyze("b.txt")
    for path, name in ((set_aside[0], "a.txt"), (bench.store.path, "b.txt")):
        with closing(Analyses(DatabaseFile(path, MIGRATIONS, SOUND))) as analyses:
            assert [analysis.path.name for analysis in analyses.latest()] == [name]


def test_an_analysis_that_waits_to_be_kept_is_kept_at_the_end(bench):
    event = AnalyzedGame(
        Path("a.txt"), "rpl", 2, 2, 2, 2, complete=True, problems=(), reports={}, segments=()
    )
    bench.runner.close()  # nothing starts any more
    bench.store.keep(event, lambda _: None, bench.bugs.append)
    bench.store.close()
    with closing(Analyses(bench.store.database)) as analyses:
        assert [analysis.path.name for analysis in analyses.latest()] == ["a.txt"]


def test_many_files_go_to_several_children_one_after_the_other(bench):
    names = [f"{i:03}.txt" for i in range(45)]
    bench.analyze(*names)
    bench.qtbot.waitUntil(lambda: len(bench.requests) == 2)
    bench.settle()
    bench.settle()
    assert [len(request.files) for request in bench.requests] == [40, 5]
    assert [name for name, _ in bench.rows()] == names
    assert all(result.startswith("1 part") for _, result in bench.rows())


def test_games_and_parts_are_named_for_people_and_luck_has_the_unit_of_review(bench):
    bench.analyze("122340_20260501_095000.txt", "mine.rpl")
    at = datetime(2026, 5, 1, 9, 50).astimezone()
    day = "today" if at.date() == NOON.astimezone().date() else "yesterday"
    assert [item.text(NAME) for item in bench.page.tree.games] == [
        f"Game, {day} 09:50, 5,678 points",
        "mine, 5,678 points",
    ]
    game = bench.page.tree.games[0]
    assert game.toolTip(NAME).endswith("122340_20260501_095000.txt")
    game.setExpanded(True)
    assert game.child(0).text(LUCK) == "+2.2\N{NO-BREAK SPACE}pts"  # from 99 to 100 %, 1.23 lost


@pytest.mark.parametrize("width", [1000, 1700])
def test_the_names_of_games_get_the_room_there_is(bench, width):
    tree = bench.page.tree
    bench.analyze("a.txt")
    bench.page.resize(width, 700)
    QApplication.processEvents()
    others = sum(tree.columnWidth(column) for column in range(1, tree.columnCount() - 1))
    result = tree.columnWidth(RESULT)
    assert result < 320
    assert tree.columnWidth(NAME) + others + result <= tree.viewport().width()
    assert tree.columnWidth(NAME) >= tree.fontMetrics().horizontalAdvance(
        "122340_20261122_115159.txt"
    )
    if width == 1700:
        assert tree.columnWidth(NAME) > 600


def test_a_whole_game_opens_in_review_too(bench):
    bench.analyze("a.txt")
    (game,) = bench.page.tree.games
    for segments, at in (((), None), ((replace(game.analysis.segments[0], rpl=None),), 10)):
        game.analysis = replace(game.analysis, segments=segments)
        bench.page.tree.setCurrentItem(None)
        bench.page.tree.setCurrentItem(game)
        assert bench.page.review_action.isEnabled()
        bench.page.review_action.trigger()
        assert bench.reviewed.pop() == (bench.games / "a.txt", at)


def test_after_a_click_on_any_control_an_arrow_walks_through_the_list(bench):
    bench.analyze("a.txt", "b.txt", "c.txt")
    page, tree = bench.page, bench.page.tree
    bench.qtbot.waitUntil(page.isActiveWindow)
    page.page_shown()
    assert tree.hasFocus()
    menus = {page.options_button, page.sharing.button, page.more_button}
    keeps = {page.choose_button, page.review_button, *menus}  # open a dialog, a page, menus
    shown = {one for one in page.findChildren(QAbstractButton) if one.isVisibleTo(page)}
    assert keeps <= shown
    for button in shown - keeps:
        tree.setCurrentItem(tree.games[0])
        bench.qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
        bench.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
        assert tree.currentItem() is not tree.games[0], button.text()
    assert not any(button.focusPolicy() & Qt.FocusPolicy.ClickFocus for button in keeps)


def test_an_empty_page_has_one_primary_button(bench):
    page = bench.page
    assert page.empty.button.text() == "Analyze games\u2026"
    assert not page.choose_button.isVisible()
    page.page_shown()
    assert page.focusProxy() is page.empty.button
    bench.analyze("a.txt")
    assert page.choose_button.isVisible()
    assert page.focusProxy() is page.tree


def test_a_game_is_chosen_at_once_and_its_menu_has_what_one_can_do(bench):
    bench.analyze("a.txt")
    page = bench.page
    assert page.tree.chosen_game is page.tree.games[0]
    assert page.review_button.isEnabled()
    texts = [action.text() for action in page.tree.actions()]
    assert texts[0] == "Review game"
    assert texts[-1] == "Remove game"
    assert {"Open report", "Show files", "Copy the card"} <= set(texts)


def test_the_curve_of_a_game_shows_its_parts_and_leads_to_them(bench):
    moves = [dict(MOVE, move=number) for number in range(11, 41)]
    segment = dict(REPORT["segments"][0], move_list=moves)
    report = REPORT | {"moves": 1234, "segments": [segment]}
    (bench.games / "a.json").write_text(json.dumps(report))
    bench.analyze("a.txt")
    bench.settle()
    curve = bench.page.curve
    assert curve.isVisible()
    assert curve.read_out(10).startswith("Move 11: Chance 75")
    plot_x = next(x for x in range(curve.width()) if curve.index_at(x) == 10)
    click = Qt.MouseButton.LeftButton
    bench.qtbot.mouseClick(curve, click, pos=QPoint(plot_x, 60))
    assert bench.reviewed.pop() == (bench.games / "a.part.rpl", 0)
    bench.qtbot.mouseClick(curve, click, pos=QPoint(curve.width() // 2, 60))
    path, index = bench.reviewed.pop()
    assert path == bench.games / "a.txt"
    assert index == curve.index_at(curve.width() // 2) > 100


def test_without_its_report_a_game_has_no_curve(bench):
    bench.analyze("a.txt")
    bench.settle()
    assert not bench.page.curve.isVisible()


def test_a_whole_game_shows_its_phases_and_what_judged_them(bench):
    bench.what = "whole"
    bench.page.file_action.trigger()
    bench.settings.set("mistakes.threshold", 0.9)
    filed = []
    bench.page.games_filed.connect(lambda: filed.append(1))
    bench.analyze("a.txt")
    assert [request.mine_below for request in bench.requests] == [0.9]
    assert "--mine" in bench.requests[0].command()
    assert filed == [1]
    assert (
        "Added 12 mistakes from a.txt to your drills. 1,080 moves count in your progress."
        in bench.texts()
    )
    (item,) = bench.page.tree.games
    assert item.text(RESULT) == "2 phases, 30 moves analyzed by tables, 1,070 by search"
    assert item.text(LOST) == "5.0 pts", "the word says the sign"
    item.setExpanded(True)
    first, second, part = (item.child(i) for i in range(3))
    assert isinstance(part, PartItem)
    assert first.text(NAME) == "To the first 2048"
    assert second.text(NAME) == "Beside 2048"
    assert first.text(RESULT) == "0.0030 points per move; analyzed by search; done"
    assert second.text(RESULT).endswith("analyzed by 44_64 and search; not done")
    bench.page.tree.setCurrentItem(second)
    assert bench.page.situation_action.isEnabled()
    assert not bench.page.compare_action.isEnabled()
    bench.page.review_action.trigger()
    assert bench.reviewed == [(bench.games / "a.txt", 600)]
    bench.page.tree.part_opened.emit(first.phase)
    assert bench.reviewed[-1] == (bench.games / "a.txt", 0)
    counts = bench.page.grades.counts
    assert (counts[0], counts[4]) == (1000, 100)


def test_games_of_others_are_not_counted_as_ones_own(bench):
    bench.analyze("a.txt")
    assert [request.mine_below for request in bench.requests] == [None]
    assert "--mine" not in bench.requests[0].command()


def test_in_a_small_window_nothing_is_out_of_reach_at_the_side(bench):
    """The buttons of a game were wider than the page, whose contents do not move sideways."""
    bench.analyze("a.txt")
    bench.page.tree.setCurrentItem(bench.page.tree.games[0])
    bench.page.resize(700, 520)
    for _ in range(5):  # layouts that follow from others
        QApplication.processEvents()
    assert bench.page.buttons.isVisible()
    scroller = bench.page.scroller
    assert scroller.widget().width() <= scroller.viewport().width()
