"""Recordings out and in, as a person makes them."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from coach.recordings.recording import Recording
from engine.formats.reading import read_replay
from engine.formats.replay import bitboard
from gui.practice.page import PracticePage
from gui.practice.recordings import open_recording, suggested_name
from tests.gui.page_driver import CTRL, click, press, press_with
from tests.gui.practice.driver import board
from tests.gui.practice_fakes import L3_START, FakeDialogs


def message(page: PracticePage) -> str:
    return page.banners.banners[0].text_label.text()


def play_three(page: PracticePage) -> list[int]:
    boards = [board(page)]
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Down):
        press(page, key)
        boards.append(board(page))
    return boards


def save(page: PracticePage, dialogs: FakeDialogs, path: Path) -> None:
    dialogs.path = path
    press_with(page, CTRL, Qt.Key.Key_S)


@pytest.mark.parametrize("suffix", [".json", ".rec", ".rpl"])
def test_what_was_played_is_saved_and_opened_again(page, dialogs, tmp_path, suffix):
    boards = play_three(page)
    path = tmp_path / f"L3_256_game{suffix}"
    save(page, dialogs, path)
    assert message(page) == f"Saved as {path}"
    recording = open_recording(path)
    assert [bitboard(c) for c in recording.replay.positions()] == boards
    assert recording.table == "L3_256"
    rates = recording.replay.moves[0].rates
    assert rates is not None
    assert rates[2] == pytest.approx(0.9931, abs=1e-9)

    press(page, Qt.Key.Key_N)
    press_with(page, CTRL, Qt.Key.Key_O)
    assert message(page) == f"{path.name}: 3 moves."
    seen = [board(page)]
    for _ in range(3):
        press_with(page, CTRL, Qt.Key.Key_Y)
        seen.append(board(page))
    assert seen == boards
    for _ in range(3):
        press(page, Qt.Key.Key_Backspace)
    assert board(page) == boards[0]


@pytest.mark.parametrize("suffix", [".rec", ".rpl"])
@pytest.mark.parametrize("of_table", ["L3_256", "442_sum1800"])
def test_the_name_that_is_offered_tells_the_table_again(page, dialogs, tmp_path, of_table, suffix):
    play_three(page)
    name = suggested_name(of_table, datetime(2026, 1, 31, 23, 59, 58))
    path = (tmp_path / name).with_suffix(suffix)
    save(page, dialogs, path)
    assert open_recording(path).table == of_table


def test_undo_shortens_what_is_saved(page, dialogs, tmp_path):
    boards = play_three(page)
    press(page, Qt.Key.Key_Backspace)
    press(page, Qt.Key.Key_F8)
    assert page.panel.history.caption.text() == "Recorded up to here: 2 moves."
    save(page, dialogs, tmp_path / "game.rec")
    name, replay = read_replay((tmp_path / "game.rec").read_bytes())
    assert name == "rec"
    assert [bitboard(c) for c in replay.positions()] == boards[:3]


def test_moves_played_too_fast_to_be_asked_for_have_their_rates(page, dialogs, tmp_path, tasks):
    tasks.at_once = False
    play_three(page)
    save(page, dialogs, tmp_path / "game.json")
    tasks.work_off()
    data = json.loads((tmp_path / "game.json").read_text())
    assert all("up" in move["rates"] or "down" in move["rates"] for move in data["moves"])
    assert len(data["moves"]) == 3


def test_a_recording_shows_its_own_rates_and_plays_its_own_tiles(
    page, dialogs, tmp_path, table, qtbot
):
    boards = play_three(page)
    save(page, dialogs, tmp_path / "game.json")
    data = json.loads((tmp_path / "game.json").read_text())
    data["moves"][0]["rates"] = {"up": 0.25, "right": 0.5}
    (tmp_path / "game.json").write_text(json.dumps(data))
    press_with(page, CTRL, Qt.Key.Key_O)
    press(page, Qt.Key.Key_F8)
    assert page.panel.source_label.text() == "Recorded rates"
    assert page.panel.cross.cells[2].text() == "25.00 %"
    click(page.panel.history.recorded_box)
    assert page.panel.cross.cells[2].text() == "99.31 %"
    page.panel.speed_slider.setValue(30)
    click(page.panel.history.play_button)
    qtbot.waitUntil(lambda: not page.demo.is_running)  # type: ignore[attr-defined]
    assert board(page) == boards[-1]
    assert table


def test_opening_can_be_undone(page, dialogs, tmp_path):
    play_three(page)
    save(page, dialogs, tmp_path / "game.json")
    press(page, Qt.Key.Key_Up)
    left = board(page)
    press_with(page, CTRL, Qt.Key.Key_O)
    assert board(page) == L3_START
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == left


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("x.json", b'{"format": "endgame2048-practice", "version": 9}', "version 9"),
        ("x.rec", b"nothing of the kind", "is not opened"),
        ("missing.rpl", None, "No such file"),
    ],
)
def test_what_is_no_recording_is_explained(page, dialogs, tmp_path, name, data, complaint):
    if data is not None:
        (tmp_path / name).write_bytes(data)
    dialogs.path = tmp_path / name
    press_with(page, CTRL, Qt.Key.Key_O)
    assert complaint in message(page)
    assert board(page) == L3_START


def test_what_was_damaged_is_opened_as_far_as_it_goes(page, dialogs, tmp_path):
    play_three(page)
    save(page, dialogs, tmp_path / "game.json")
    data = json.loads((tmp_path / "game.json").read_text())
    data["moves"][2]["cell"] = 77
    data["table"] = "442_512"
    (tmp_path / "game.json").write_text(json.dumps(data))
    press_with(page, CTRL, Qt.Key.Key_O)
    assert "2 moves." in message(page)
    assert "move 3" in message(page).lower()
    assert "recorded on 442 \N{RIGHTWARDS ARROW} 512" in message(page)


def test_a_recording_with_other_walls_is_refused(page, dialogs, tmp_path):
    play_three(page)
    save(page, dialogs, tmp_path / "game.json")
    data = json.loads((tmp_path / "game.json").read_text())
    (tmp_path / "game.json").write_text(json.dumps({**data, "walls": True, "moves": []}))
    left = board(page)
    press_with(page, CTRL, Qt.Key.Key_O)
    assert "other walls" in message(page)
    assert board(page) == left


def test_nothing_is_written_without_moves_or_without_a_name(page, dialogs, tmp_path):
    save(page, dialogs, tmp_path / "game.json")
    assert "Nothing to save" in message(page)
    press(page, Qt.Key.Key_Up)
    dialogs.path = None
    press_with(page, CTRL, Qt.Key.Key_S)
    save(page, dialogs, tmp_path / "game.gif")
    assert "expected .json, .rec or .rpl" in message(page)
    save(page, dialogs, tmp_path / "no" / "folder" / "game.json")
    assert "Couldn't save" in message(page)
    assert list(tmp_path.iterdir()) == []


def test_the_name_offered_says_which_table(page, dialogs):
    assert suggested_name("L3_512", datetime(2026, 1, 31, 23, 59, 58)) == (
        "L3_512_20260131_235958.json"
    )
    press(page, Qt.Key.Key_Up)
    press_with(page, CTRL, Qt.Key.Key_S)
    assert dialogs.offered[0].name.startswith("L3_256_")


def test_the_moves_so_far_go_to_review_with_their_rates(page):
    asked: list[tuple[Recording, int]] = []
    page.review_requested.connect(lambda recording, at: asked.append((recording, at)))
    press_with(page, CTRL, Qt.Key.Key_R)
    assert message(page) == "Nothing to review yet. Play a move first."
    boards = play_three(page)
    press_with(page, CTRL, Qt.Key.Key_R)
    [(recording, at)] = asked
    assert list(recording.boards) == boards
    assert at == 3
    assert recording.table == "L3_256"
    assert recording.rates[0] is not None
    assert recording.rates[0][2] == pytest.approx(0.9931, abs=1e-9)
    assert recording.n_judged == 3
