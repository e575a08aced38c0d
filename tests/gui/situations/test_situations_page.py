"""The Situations page: asked, played by keys, added up, kept, and looked back on."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.bitboard import format_board, from_cells
from gui.mistakes.text import source_text
from tests.coach.situations.stage import BESIDE_LARGE
from tests.gui.situations.stage import Stage


def texts(stage: Stage) -> tuple[str, str, str]:
    panel = stage.page.panel
    return panel.progress_label.text(), panel.about_label.text(), panel.summary_label.text()


def banners(stage: Stage) -> list[str]:
    return [one.text_label.text() for one in stage.page.banners.banners]


def test_a_position_on_a_table_is_played_to_its_end_and_counted(stage: Stage) -> None:
    page = stage.open()
    page.ask(stage.start)
    progress, about, summary = texts(stage)
    assert progress == "Played 0 of 10"
    assert "Reach 128" in about
    assert "99.73 %" in about
    assert summary == ""
    assert page.board_view.hasFocus()
    stage.play_on()
    (kept,) = stage.kept()
    (attempt,) = kept.attempts
    assert attempt.n_moves == stage.session.n_moves
    assert attempt.outcome == stage.session.end.value
    progress, _, summary = texts(stage)
    assert progress == "Played 1 of 10"
    assert "of 1" in summary
    assert "Best play" in summary
    assert len(page.panel.attempt_buttons) == 1


def test_n_plays_the_same_position_with_other_tiles(stage: Stage) -> None:
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


def test_after_the_last_attempt_there_are_ten_more(stage: Stage) -> None:
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


def test_an_attempt_that_was_left_goes_on_with_its_tiles(stage: Stage) -> None:
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


def test_an_attempt_is_written_when_the_desktop_session_may_end(stage: Stage) -> None:
    page = stage.open()
    page.ask(stage.start)
    for _ in range(3):
        stage.move()
    page.save()
    assert stage.kept()[0].attempts[-1].n_moves == 3


def test_where_no_table_helps_search_grades(stage: Stage) -> None:
    page = stage.open(has_table=False)
    page.ask(BESIDE_LARGE)
    progress, about, _ = texts(stage)
    assert progress == "Played 0 of 10"
    assert "Reach 2048. " in about
    assert "about 30 %" in about
    assert "estimate" in about
    stage.press(Qt.Key.Key_Down)  # 10 % where right has 30 %
    (move,) = stage.session.moves
    assert move.judgement.best == (1,)
    assert move.judgement.points_lost > 0.19
    assert not stage.noted, "estimates are not filed as mistakes"
    assert not page.panel.result.buttons["practice"].isEnabled()


def test_what_makes_a_32768_says_so(stage: Stage) -> None:
    stage.open(has_table=False).ask((14, 13, 12, 11, 8, 3, 2, 0, 1, *[0] * 7))
    assert "Reach 2048, and with it 32768. " in texts(stage)[1]


def test_mistakes_on_a_table_are_filed(stage: Stage) -> None:
    stage.open().ask(stage.start)
    stage.play_on()
    wrong = [move for move in stage.session.moves if not move.judgement.is_perfect]
    assert wrong
    assert len(stage.noted) == len(wrong)
    assert source_text(stage.noted[0].source) == "in a situation"


def test_an_attempt_opens_in_review(stage: Stage) -> None:
    page = stage.open()
    page.ask(stage.start)
    stage.play_on()
    page.panel.attempt_buttons[0].click()
    ((recording, at),) = stage.reviewed
    assert recording.n_moves == stage.session.n_moves
    assert recording.positions[0] == stage.start
    assert "attempt 1" in recording.name
    assert at == 0


def test_a_position_is_typed(stage: Stage) -> None:
    page = stage.open()
    field = page.start_view.hex_field
    field.edit.setText("nonsense")
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert field.error_label.isVisible()
    field.edit.setText(format_board(from_cells(stage.start)))
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert stage.session.board == from_cells(stage.start)


def test_a_position_that_leads_nowhere_says_why(stage: Stage) -> None:
    page = stage.open()
    page.ask((1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1))
    assert any("No move is left" in text for text in banners(stage))
    assert page.player.session is None


def test_a_table_that_is_gone_is_asked_for(stage: Stage) -> None:
    page = stage.open()
    page.ask(stage.start)
    stage.move()
    page.close_page()
    page = stage.open(has_table=False)
    view = page.start_view.list.view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert any("isn't on this computer" in text for text in banners(stage))


def test_a_situation_is_removed(stage: Stage) -> None:
    page = stage.open()
    page.ask(stage.start)
    page.show_all(True)
    QTest.keyClick(page.start_view.list.view, Qt.Key.Key_Delete)
    assert stage.kept() == []
    assert page.start_view.list.model.rows == []


@pytest.mark.parametrize("is_by_key", [True, False])
def test_a_situation_that_was_removed_comes_back(stage: Stage, is_by_key: bool) -> None:
    page = stage.open()
    page.ask(stage.start)
    stage.move()
    page.show_all(True)
    QTest.keyClick(page.start_view.list.view, Qt.Key.Key_Delete)
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


def test_a_question_under_way_does_not_take_the_board_from_what_was_chosen_since(
    stage: Stage,
) -> None:
    page = stage.open()
    page.ask(stage.start)
    stage.move()
    page.show_all(True)
    stage.tasks.at_once = False
    page.ask(BESIDE_LARGE)
    page.show_all(True)
    QTest.keyClick(page.start_view.list.view, Qt.Key.Key_Return)
    stage.tasks.work_off()
    stage.tasks.at_once = True
    assert stage.session.setup.start == from_cells(stage.start)
