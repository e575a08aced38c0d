"""What tables do for Review: rates, checks, practice, which tiles are locked."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from coach.recordings.recording import open_recording, recording_of
from engine.formats.replay import Replay, ReplayMove
from gui.comparison.request import ComparisonRequest
from gui.review.game import ALL_TABLES
from gui.settings_model.settings import Settings
from tablebase.errors import DamagedTableError
from tests.coach.games import NamedTable
from tests.gui.review.conftest import TABLE_PATH, Desk, make_desk, write_games

L3 = "L3 \N{RIGHTWARDS ARROW} 512"


def test_a_game_without_rates_is_rated_by_a_table(desk):
    page = desk.page
    page.files.open(desk.folder / "verse.txt")
    assert page.panel.notice.title_label.text() == "No success rates in this recording"
    assert page.panel.notice.buttons[0].text() == "Analyze with all tables"
    assert page.game.marks == []
    page.go_to(9)
    page.panel.notice.buttons[0].click()
    recording = page.game.recording
    assert desk.position == 9
    assert recording.rater_at(9) == "L3_512"
    assert page.panel.source_label.text() == "Rated by L3 \N{RIGHTWARDS ARROW} 512"
    assert page.panel.cross.rates == desk.table.rates_at(recording.boards[9])
    assert page.game.marks
    assert desk.table.is_closed
    assert desk.texts() == []


def test_a_recording_is_checked_against_the_table_of_today(game):
    page, recording = game.page, game.page.game.recording
    page.rater.rate(str(TABLE_PATH))
    assert f"positions differ from the {L3} table by up to" in game.texts()[0]
    assert page.game.recording.source == "L3_512"
    assert page.game.recording.positions == recording.positions
    page.rater.rate(str(TABLE_PATH))
    assert f"Checked: the {L3} table agrees on all" in game.texts()[0]


@pytest.fixture
def two_tables(qtbot: QtBot, settings: Settings, tmp_path: Path) -> Desk:
    """Return Review with two tables: one covers the first half of verse.txt, one the second."""
    write_games(tmp_path)
    desk = make_desk(qtbot, settings, tmp_path)
    boards = open_recording(tmp_path / "verse.txt").boards
    desk.opened = {
        Path("tables/L3_512"): NamedTable("L3_512", outside=set(boards[20:])),
        Path("tables/442_256"): NamedTable("442_256", target=256, outside=set(boards[:30])),
        Path("tables/442_64"): NamedTable("442_64", target=64, outside=set(boards)),
    }
    desk.page.set_tables(
        [
            SimpleNamespace(
                path=path, pattern=path.name.split("_")[0], target=table.target,
                state="complete", spawn4=0.1,
            )
            for path, table in desk.opened.items()
        ]
    )  # fmt: skip
    return desk


def test_all_tables_rate_a_game_each_where_it_covers_it(two_tables):
    page = two_tables.page
    page.files.open(two_tables.folder / "verse.txt")
    two_tables.action("rate_all").trigger()
    said = {}
    for i in (0, 19, 25, 30, 49):
        page.go_to(i)
        said[i] = page.panel.source_label.text(), page.panel.stack.currentWidget()
    early, late = f"Rated by {L3}", "Rated by 442 \N{RIGHTWARDS ARROW} 256"
    cross, notice = page.panel.cross, page.panel.notice
    assert said == {
        0: (early, cross), 19: (early, cross), 25: ("Not covered by a table", notice),
        30: (late, cross), 49: (late, cross),
    }  # fmt: skip
    assert page.panel.summary.figures[early] == "20 moves"
    assert page.panel.summary.figures[late] == "20 moves"
    page.go_to(25)
    assert notice.title_label.text() == "No table covers this position"
    page.go_to(40)
    two_tables.action("practice").trigger()
    assert two_tables.sent[-1][0] == Path("tables/442_256")


def test_one_table_can_be_chosen_to_rate(two_tables, monkeypatch):
    monkeypatch.setattr(QMenu, "popup", lambda *_: None)
    page = two_tables.page
    page.files.open(two_tables.folder / "verse.txt")
    titles = ["L3 \N{RIGHTWARDS ARROW} 512", "442 \N{RIGHTWARDS ARROW} 256"]
    two_tables.action("rate_by").trigger()
    (menu,) = page.findChildren(QMenu, "tables")
    assert [entry.text() for entry in menu.actions()][:2] == titles
    menu.actions()[1].trigger()
    assert page.game.recording.source == "442_256"
    assert two_tables.opened[Path("tables/L3_512")].asked == []


def test_a_game_that_no_table_covers_is_told_plainly(two_tables, qtbot):
    page = two_tables.page
    page.files.open(two_tables.folder / "verse.txt")
    page.rater.rate(str(Path("tables/442_64")))
    assert two_tables.texts() == [
        "The 442 \N{RIGHTWARDS ARROW} 64 table covers no position in this game."
    ]
    page.banners.banners[0].buttons[0].click()  # rate by all
    assert page.game.recording.n_judged > 0
    assert two_tables.texts() == []
    for table in two_tables.opened.values():
        table.outside = set(page.game.recording.boards)
    page.rater.rate(ALL_TABLES)
    assert two_tables.texts() == ["None of your tables covers a position in this game."]
    with qtbot.waitSignal(page.tables_requested):
        page.banners.banners[0].buttons[0].click()


def test_rating_by_all_says_how_far_it_is_and_can_be_cancelled(two_tables):
    page, panel = two_tables.page, two_tables.page.panel
    page.files.open(two_tables.folder / "verse.txt")
    two_tables.tasks.at_once = False
    two_tables.action("rate_all").trigger()
    assert panel.notice.title_label.text() == "Analyzing the game"
    page.work.progressed.emit(0.37)
    assert panel.notice.text_label.text().startswith("37")
    assert [button.text() for button in panel.notice.buttons] == ["Cancel"]
    panel.notice.buttons[0].click()
    two_tables.tasks.work_off()
    assert all(not table.asked for table in two_tables.opened.values())
    assert panel.notice.title_label.text() == "No success rates in this recording"
    assert page.game.recording.source == ""


def test_a_table_that_cannot_be_opened_is_left_out_and_named(two_tables):
    page = two_tables.page
    two_tables.opened[Path("tables/L3_512")] = DamagedTableError("L3_512 is damaged")
    page.files.open(two_tables.folder / "verse.txt")
    page.rater.rate(ALL_TABLES)
    assert page.game.recording.rater_at(35) == "442_256"
    assert two_tables.texts() == ["One table was left out. L3_512 is damaged."]


def test_rating_can_be_cancelled_and_leaves_the_game_as_it_is(desk):
    page = desk.page
    page.files.open(desk.folder / "verse.txt")
    desk.tasks.at_once = False
    page.panel.notice.buttons[0].click()
    assert page.background() is not None
    page.background().cancel()
    desk.tasks.work_off()
    assert desk.table.asked == []
    assert page.game.recording.source == ""
    assert page.background() is None


def test_a_rating_that_comes_late_does_not_disturb_another_game(desk):
    page = desk.page
    page.files.open(desk.folder / "verse.txt")
    desk.tasks.at_once = False
    page.panel.notice.buttons[0].click()
    page.files.open(desk.folder / "442_128_b.rpl")
    desk.tasks.work_off()
    assert page.game.recording.name == "442_128_b.rpl"
    assert page.game.recording.source == "file"


def test_a_table_about_to_be_deleted_is_let_go(desk):
    page = desk.page
    page.files.open(desk.folder / "verse.txt")
    desk.tasks.at_once = False
    page.panel.notice.buttons[0].click()
    page.close_table(TABLE_PATH)
    desk.tasks.work_off()
    assert desk.table.asked == []


def test_practice_gets_table_and_position_and_review_keeps_its_place(game):
    game.page.go_to(42)
    game.action("practice").trigger()
    board = f"{game.page.game.recording.boards[42]:016x}"
    assert game.sent == [(TABLE_PATH, board)]
    game.page.hide()
    game.page.show()
    game.page.page_shown()
    assert game.position == 42


def test_compare_asks_about_the_move_made_there(game, qtbot):
    page, recording = game.page, game.page.game.recording
    page.go_to(42)
    with qtbot.waitSignal(page.compare_requested) as asked:
        game.press(Qt.Key.Key_O)
    move = recording.replay.moves[42].direction
    assert asked.args == [ComparisonRequest(recording.positions[42], move, TABLE_PATH, True)]
    game.press(Qt.Key.Key_End)
    assert not game.action("compare").isEnabled()


def test_compare_without_the_table_says_which_is_missing(desk, qtbot):
    desk.page.files.open(desk.folder / "442_128_b.rpl")
    with qtbot.assertNotEmitted(desk.page.compare_requested):
        desk.action("compare").trigger()
    assert "442 \N{RIGHTWARDS ARROW} 128" in desk.texts()[0]
    desk.page.files.open(desk.folder / "verse.txt")
    with qtbot.assertNotEmitted(desk.page.compare_requested):
        desk.action("compare").trigger()
    assert desk.texts()[0].startswith("Analyze the game first")


def test_practice_without_its_table_says_which_is_missing(desk, qtbot):
    desk.page.files.open(desk.folder / "442_128_b.rpl")
    desk.action("practice").trigger()
    assert desk.sent == []
    assert "442 \N{RIGHTWARDS ARROW} 128" in desk.texts()[0]
    with qtbot.waitSignal(desk.page.tables_requested):
        desk.page.banners.banners[0].buttons[0].click()


def test_forced_moves_can_be_left_out_of_the_score(desk):
    full = (1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 0, 1, 2, 1)  # left is the only way on
    both = (0.5, None, None, None)
    replay = Replay(full, (ReplayMove(0, 15, 1, both),))
    recording = recording_of(replay)
    assert recording.judgements[0].is_forced
    page = desk.page
    page.review(recording)
    assert page.game.recording.score.n_moves == 1
    desk.action("forced").trigger()
    assert page.game.recording.score.n_moves == 0
    assert page.game.recording.score.n_forced == 1
    assert page.panel.summary.figures["Forced moves left out"] == "1"
    desk.action("forced").trigger()
    assert page.game.recording.score.n_moves == 1


@pytest.mark.thorough
def test_large_tiles_are_locked_as_the_table_of_the_game_has_them(desk):
    start = (1, 0, 0, 0, 0, 0, 0, 0, 0, 14, 13, 12, 2, 11, 10, 9)
    replay = Replay(start, (ReplayMove(1, 0, 1),))
    desk.page.review(recording_of(replay, table="L3_512"))
    assert desk.page.board_view.locked == {9, 10, 11, 13, 14, 15}
    desk.page.review(recording_of(replay))
    assert desk.page.board_view.locked == set()
    masked = tuple(15 if one > 8 else one for one in start)
    same = Replay(masked, (ReplayMove(1, 0, 1),), merge_32768=False)
    desk.page.review(recording_of(same))
    assert desk.page.board_view.locked == {9, 10, 11, 13, 14, 15}
