"""Finished runs of the Minigames page: kept, watched and left again."""

from datetime import datetime, timedelta, timezone
from itertools import count

import pytest
from PySide6.QtCore import Qt

from minigames.registry import rules_of
from minigames.run import play_again
from minigames.store import load_replay
from tests.gui.minigames.minigame_driver import opened, play, press
from tests.gui.page_driver import ARROWS

START = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)


def test_a_finished_run_is_kept_and_can_be_watched(qtbot, page, data_dir):
    session = opened(qtbot, page, "gravity_twist_2")
    play(qtbot, page, 12)
    ended = session.run.state
    press(page, Qt.Key.Key_N)
    page.view.panel.notice.buttons[0].click()
    press(page, Qt.Key.Key_Escape)  # saves
    opened(qtbot, page, "gravity_twist_2")
    (path,) = (data_dir / "minigames" / "replays").glob("*.json")
    assert play_again(load_replay(path))[0].state == ended
    view = page.view
    view.panel.watch_requested.emit(view.session.slot.record.runs[-1])
    qtbot.waitUntil(lambda: view.is_watching)
    notice = view.panel.notice
    assert notice.title_label.text() == "Watching a run"
    view.slider.setValue(7)
    assert view.watch_label.text() == "7 of 12"
    view.slider.setValue(view.slider.maximum())
    assert view.watch_label.text() == "12 of 12"
    assert view.board.view == rules_of("gravity_twist_2", hard=False).view(ended)
    press(page, Qt.Key.Key_Left)
    assert view.slider.value() == view.slider.maximum() - 1
    press(page, Qt.Key.Key_Escape)
    assert not view.is_watching
    assert view.board.view == view.session.view()
    assert view.panel.rules_box.isVisible()


def watch_the_last(qtbot, page):
    page.view.panel.watch_requested.emit(page.view.session.slot.record.runs[-1])
    qtbot.waitUntil(lambda: page.view.is_watching)


def finished_run(qtbot, page, name):
    session = opened(qtbot, page, name)
    play(qtbot, page, 3)
    press(page, Qt.Key.Key_N)
    page.save()
    return session


def test_watching_a_run_takes_no_time_from_another_one(qtbot, make_page):
    seconds = [0.0]
    page = make_page(clock=lambda: seconds[0])
    session = finished_run(qtbot, page, "blitzkrieg")
    play(qtbot, page, 2)
    seconds[0] += 10
    left = session.time_left_ms()
    watch_the_last(qtbot, page)
    seconds[0] += 100
    press(page, Qt.Key.Key_Escape)
    assert session.time_left_ms() == left
    play(qtbot, page, 1)
    seconds[0] += 10
    assert session.time_left_ms() < left, "the clock goes on with the next move"


@pytest.mark.thorough
def test_of_two_runs_with_the_same_tiles_the_chosen_one_is_watched(qtbot, make_page):
    hours = count()
    page = make_page(now=lambda: START + timedelta(hours=next(hours)))
    session = opened(qtbot, page, "gravity_twist_2")
    for n_moves in (4, 7, 2):
        play(qtbot, page, n_moves)
        page.view.begin("same_run")
        page.save()
    runs = session.slot.record.runs
    assert len({run.seed for run in runs}) == 1
    for run in runs:
        page.view.panel.watch_requested.emit(run)
        qtbot.waitUntil(lambda: page.view.is_watching)
        assert page.view.slider.maximum() == run.n_moves
        press(page, Qt.Key.Key_Escape)


def test_a_watched_run_that_was_left_can_be_played_again(qtbot, page):
    finished_run(qtbot, page, "gravity_twist_2")
    watch_the_last(qtbot, page)
    view = page.view
    assert view.watch_button.text() == "Stop"
    view.hide()
    assert view.watch_button.text() == "Play"


@pytest.mark.parametrize("is_there", [True, False])
def test_what_is_pressed_while_a_run_is_loaded_is_not_played_later(
    qtbot, page, thoughts, data_dir, is_there
):
    session = finished_run(qtbot, page, "tricky_tiles")
    if not is_there:
        for path in (data_dir / "minigames" / "replays").glob("*.json"):
            path.unlink()
    page.view.panel.watch_requested.emit(session.slot.record.runs[-1])
    for key in ARROWS:
        press(page, key)
    qtbot.waitUntil(lambda: page.view.is_watching or bool(page.view.banners.banners))
    assert page.view.is_watching == is_there
    if is_there:
        press(page, Qt.Key.Key_Escape)
    play(qtbot, page, 1)
    answers = []
    thoughts.run(lambda: None, answers.append, answers.append)  # after what may wait
    qtbot.waitUntil(lambda: bool(answers))
    assert session.run.state.n_moves == 1
