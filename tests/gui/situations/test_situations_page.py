"""The Situations page: asked, played by keys, added up, kept, brought in, and put in words."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from coach.mistakes.mistake import TableKey
from coach.situations.offers import Offer, OfferKind
from coach.situations.situation import Situation, given_situation, situation_on
from coach.situations.situations import Situations
from coach.situations.text_line import has_lines, to_line, to_text
from engine.bitboard import format_board, from_cells
from gui.mistakes.text import source_text
from gui.situations.finder import SituationFinder
from gui.situations.page import SituationsPage
from gui.situations.text import best_play_text
from tablebase.formation.goal import goal_of
from tablebase.library.opening import open_table
from tests.coach.situations.stage import BESIDE_LARGE
from tests.gui.page_driver import action, banner_texts, click
from tests.gui.situations.stage import Stage


def texts(stage: Stage) -> tuple[str, str, str]:
    panel = stage.page.panel
    return panel.progress_label.text(), panel.about_label.text(), panel.summary_label.text()


def banners(stage: Stage) -> list[str]:
    return [one.text_label.text() for one in stage.page.banners.banners]


@pytest.mark.thorough
def test_a_position_on_a_table_is_played_to_its_end_and_counted(stage):
    page = stage.open()
    page.ask(stage.start)
    progress, about, summary = texts(stage)
    assert progress == "Played 0 of 10"
    assert "Reach 128" in about
    assert page.panel.best.value_label.text().startswith("99.73")
    assert page.panel.reached.value_label.text() == "\N{EN DASH}", "nothing is played yet"
    assert summary == ""
    assert page.board_view.hasFocus()
    stage.play_on()
    (kept,) = stage.kept()
    (attempt,) = kept.attempts
    assert attempt.n_moves == stage.session.n_moves
    assert attempt.outcome == stage.session.end.value
    progress, _, summary = texts(stage)
    assert progress == "Played 1 of 10"
    assert page.panel.reached.value_label.text().endswith(" of 1")
    assert "In the long run" not in summary, "one attempt says nothing about it"
    assert len(page.panel.attempt_buttons) == 1


@pytest.mark.thorough
def test_n_plays_the_same_position_with_other_tiles(stage):
    stage.open().ask(stage.start)
    first = stage.session.setup
    stage.press(Qt.Key.Key_N)
    assert stage.session.setup is first, "one that is under way cannot be left for luckier tiles"
    stage.play_on()
    stage.press(Qt.Key.Key_N)
    second = stage.session.setup
    assert second.start == first.start
    assert second.seed != first.seed
    assert [one.seed for one in stage.kept()[0].attempts] == [first.seed]


def test_after_the_last_attempt_there_are_ten_more(stage):
    page = stage.open()
    page.ask(stage.start)
    for _ in range(9):
        stage.play_on()
        stage.press(Qt.Key.Key_N)
    stage.play_on()
    assert stage.kept()[0].n_left == 0
    button = page.panel.result.buttons["restart"]
    assert button.text() == "Ten more"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert texts(stage)[0] == "Played 10 of 20"


@pytest.mark.thorough
def test_an_attempt_that_was_left_goes_on_with_its_tiles(stage):
    page = stage.open()
    page.ask(stage.start)
    for _ in range(3):
        stage.move()
    before = stage.session
    page.close_page()
    page = stage.open()
    view = page.start_view.list.view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert stage.session.setup.seed == before.setup.seed
    assert stage.session.moves == before.moves
    stage.play_on()
    assert len(stage.kept()[0].attempts) == 1


def test_an_attempt_is_written_when_the_desktop_session_may_end(stage):
    page = stage.open()
    page.ask(stage.start)
    for _ in range(3):
        stage.move()
    page.save()
    assert stage.kept()[0].attempts[-1].n_moves == 3


def test_where_no_table_helps_search_grades(stage):
    page = stage.open(has_table=False)
    page.ask(BESIDE_LARGE)
    progress, about, _ = texts(stage)
    assert progress == "Played 0 of 10"
    assert "Reach 2048. " in about
    assert page.panel.best.value_label.text() == "about 30 %"
    assert "estimate" in about
    stage.press(Qt.Key.Key_Down)  # 10 % where right has 30 %
    (move,) = stage.session.moves
    assert move.judgement.best == (1,)
    assert move.judgement.points_lost > 0.19
    assert not stage.noted, "estimates are not filed as mistakes"
    assert not page.actions_by_name["practice"].isEnabled()


def test_what_makes_a_32768_says_so(stage):
    stage.open(has_table=False).ask((14, 13, 12, 11, 8, 3, 2, 0, 1, *[0] * 7))
    assert "Reach 2048, and with it 32768. " in texts(stage)[1]


def test_mistakes_on_a_table_are_filed(stage):
    stage.open().ask(stage.start)
    stage.play_on()
    wrong = [move for move in stage.session.moves if not move.judgement.is_perfect]
    assert wrong
    assert len(stage.noted) == len(wrong)
    assert source_text(stage.noted[0].source) == "in a situation"


def test_an_attempt_opens_in_review(stage):
    page = stage.open()
    page.ask(stage.start)
    stage.play_on()
    page.panel.attempt_buttons[0].click()
    ((recording, at),) = stage.reviewed
    assert recording.n_moves == stage.session.n_moves
    assert recording.positions[0] == stage.start
    assert "attempt 1" in recording.name
    assert at == 0


def test_a_position_is_typed(stage):
    page = stage.open()
    field = page.start_view.hex_field
    field.edit.setText("nonsense")
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert field.error_label.isVisible()
    field.edit.setText(format_board(from_cells(stage.start)))
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert stage.session.board == from_cells(stage.start)


def test_a_position_that_leads_nowhere_says_why(stage):
    page = stage.open()
    page.ask((1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1))
    assert any("No move is left" in text for text in banners(stage))
    assert page.player.run is None


def test_a_table_that_is_gone_is_asked_for(stage):
    page = stage.open()
    page.ask(stage.start)
    stage.move()
    page.close_page()
    page = stage.open(has_table=False)
    view = page.start_view.list.view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert any("isn't on this computer" in text for text in banners(stage))


@pytest.mark.parametrize("is_by_key", [True, False])
def test_a_situation_that_was_removed_comes_back(stage, is_by_key):
    page = stage.open()
    page.ask(stage.start)
    stage.move()
    page.show_list(True)
    QTest.keyClick(page.start_view.list.view, Qt.Key.Key_Delete)
    assert stage.kept() == page.start_view.list.model.rows == []
    if is_by_key:
        control = Qt.KeyboardModifier.ControlModifier
        QTest.keyClick(page.start_view, Qt.Key.Key_Z, control)
    else:
        (banner,) = page.banners.banners
        QTest.mouseClick(banner.buttons[0], Qt.MouseButton.LeftButton)
    assert page.banners.banners == []
    (kept,) = stage.kept()
    assert len(kept.attempts) == 1
    assert len(page.start_view.list.model.rows) == 1


def test_a_question_under_way_does_not_take_the_board_from_what_was_chosen_since(stage):
    page = stage.open()
    page.ask(stage.start)
    stage.move()
    page.show_list(True)
    stage.tasks.at_once = False
    page.ask(BESIDE_LARGE)
    page.show_list(True)
    QTest.keyClick(page.start_view.list.view, Qt.Key.Key_Return)
    stage.tasks.work_off()
    stage.tasks.at_once = True
    assert stage.session.setup.start == from_cells(stage.start)


def test_the_position_on_the_game_page_is_taken_over(program, qtbot, monkeypatch):
    running = program()
    asked: list[object] = []
    monkeypatch.setattr(
        running.pages["Situations"].finder, "find", lambda position, *_rest: asked.append(position)
    )
    running.window.show_page(running.pages["Game"])
    qtbot.waitUntil(lambda: running.pages["Game"].session is not None)
    cells = running.pages["Game"].session.game.cells
    action = next(one for one in running.pages["Game"].actions() if one.objectName() == "situation")
    action.trigger()
    assert running.window.page is running.pages["Situations"]
    assert asked == [cells]


@pytest.fixture
def situation(stage: Stage) -> Situation:
    table = open_table(stage.table)
    try:
        return situation_on(table, stage.start)
    finally:
        table.close()


def told(stage: Stage) -> list[str]:
    return banner_texts(stage.page)


def act(page: SituationsPage, name: str) -> None:
    action(page, name).trigger()


class Chooser:
    """Answers with a path where the person would choose one."""

    def __init__(self, path) -> None:
        self.path = path

    def ask_open(self, *_asked):
        return self.path


@pytest.mark.thorough
def test_a_file_of_situations_is_checked_and_kept(stage, situation, tmp_path):
    path = tmp_path / "sent.txt"
    path.write_text(to_text([situation]) + to_line(situation).replace("spawn4=0.1", "spawn4=0.2"))
    page = stage.open(dialogs=Chooser(path))
    act(page, "import")
    (kept,) = stage.kept()
    assert kept.situation == situation
    assert [row.number for row in page.start_view.list.model.rows] == [kept.number]
    (text,) = told(stage)
    assert text.startswith("1 new, 0 already here.")
    assert "1 line isn't a situation. " in text
    act(page, "import")
    (text,) = told(stage)
    assert text.startswith("0 new, 1 already here.")
    assert len(stage.kept()) == 1


@pytest.mark.thorough
def test_the_table_says_how_likely_the_goal_is(stage, situation, tmp_path):
    path = tmp_path / "sent.txt"
    path.write_text(to_text([replace(situation, chance=situation.chance / 2)]))
    page = stage.open(dialogs=Chooser(path))
    act(page, "import")
    assert [kept.situation.chance for kept in stage.kept()] == [situation.chance]


def test_without_the_table_they_are_kept_as_they_came(stage, situation, tmp_path):
    path = tmp_path / "sent.txt"
    path.write_text(to_text([situation]))
    page = stage.open(has_table=False, dialogs=Chooser(path))
    act(page, "import")
    (text,) = told(stage)
    assert "1 couldn't be checked: its table isn't on this computer." in text
    assert len(stage.kept()) == 1


def test_who_chooses_no_file_has_nothing_done(stage):
    act(stage.open(dialogs=Chooser(None)), "import")
    assert told(stage) == []


def test_lines_are_pasted_and_a_position_still_begins_one(stage, situation):
    page = stage.open()
    QGuiApplication.clipboard().setText(f"> sent by mail\n> {to_line(situation)}\n")
    act(page, "paste")
    assert [one.situation for one in stage.kept()] == [situation]
    assert not stage.page.player.is_playing
    board = format_board(situation.setup.start)
    QGuiApplication.clipboard().setText(board)
    act(page, "paste")
    assert stage.page.player.is_playing


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("2048-situation/1 formation=442", True),
        ("hello\n>> 2048-situation/9", True),
        ("2048-situations", False),
        ("2048-puzzle/1 formation=L3", False),
        ("see 2048-situation/1", False),
        ("", False),
    ],
)
def test_lines_are_known_by_how_they_begin(text, want):
    assert has_lines(text) == want


NEARLY = given_situation("2x4_64", goal_of(64), 0.1, "uint32", 0x10, False, 1 - 3.6e-6, 0)


def test_a_chance_near_one_is_not_rounded_to_it():
    assert best_play_text(NEARLY) == "99.99964 %"


def test_a_click_on_an_offered_position_plays_it(stage):
    page = stage.open()
    (button,) = page.start_view.offer_buttons
    assert "2x4 → 128" in button.text()
    assert "Start" in button.text()
    click(button)
    assert page.shows_board
    assert stage.kept()[0].situation.chance == button.offer.chance


def test_positions_are_looked_for_until_there_are_harder_ones_while_the_page_is_seen(
    stage, monkeypatch
):
    looks, answers = [], []

    def look(_self, paths, _seed, found, _failed) -> None:
        looks.append(paths)
        found([Offer(answers.pop(0), TableKey("2x4_128", 0.1), 0x1200, 0.7)] if paths else [])

    monkeypatch.setattr(SituationFinder, "offer", look)
    answers += [OfferKind.START, OfferKind.HARDER]
    page = stage.open()
    assert looks == [[stage.table]]
    page.page_shown()  # there wasn't time enough
    page.page_shown()
    page.set_tables(page.tables)
    assert len(looks) == 2
    page.hide()
    page.set_tables([])
    assert len(looks) == 2
    page.show()
    page.page_shown()
    assert looks[2:] == [[]]
    monkeypatch.setattr(SituationFinder, "offer", lambda _self, paths, *_: looks.append(paths))
    one = {"name": "2x4_128", "spawn4": 0.1, "state": "complete"}
    page.set_tables([SimpleNamespace(path=stage.table.with_name(name), **one) for name in "abc"])
    page.page_shown()
    assert len(looks) == 4, "three tables begin with their starts alone"


def test_the_latest_mistakes_on_tables_here_are_offered(stage, monkeypatch):
    offers = [
        Offer(OfferKind.MISTAKE, TableKey(name, 0.1), from_cells(stage.start), 0.7)
        for name in ("2x4_128", "L3_512")
    ]
    monkeypatch.setattr(Situations, "latest_mistakes", lambda *_: offers)
    page = stage.open()
    (button,) = [one for one in page.start_view.offer_buttons if "Mistake" in one.text()]
    click(button)
    assert stage.session.setup.table == "2x4_128"


def test_without_tables_the_page_leads_to_them(stage):
    page = stage.open(has_table=False)
    assert page.start_view.empty.isVisible()
    with stage.qtbot.waitSignal(page.tables_requested):
        click(page.start_view.empty.button)
    assert not page.start_view.offer_buttons


def test_the_keys_are_on_the_list_or_the_first_position_when_the_page_comes(stage):
    page = stage.open()
    page.setFocus()
    assert page.start_view.offer_buttons[0].hasFocus()
    page.ask(stage.start)
    page.show_list(True)
    page.setFocus()
    assert page.start_view.list.view.hasFocus()


@pytest.mark.thorough
def test_a_click_on_a_row_plays_it(stage):
    page = stage.open()
    page.ask(stage.start)
    stage.play_on()
    page.show_list(True)
    view = page.start_view.list.view
    texts = [column.text(stage.kept()[0]) for column in page.start_view.list.model.columns]
    assert texts[2] in ("0 of 1", "1 of 1")
    assert texts[3] in ("0\N{NO-BREAK SPACE}%", "100\N{NO-BREAK SPACE}%")
    QTest.mouseClick(
        view.viewport(),
        Qt.MouseButton.LeftButton,
        pos=view.visualRect(view.model().index(0, 1)).center(),
    )
    assert page.shows_board
    assert page.player.is_playing
