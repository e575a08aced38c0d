"""Situations that others have sent, brought in from a file or the clipboard."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QGuiApplication

from coach.situations.situation import Situation, situation_on
from coach.situations.text_line import has_lines, to_line, to_text
from engine.bitboard import format_board
from gui.situations.page import SituationsPage
from tablebase.library.opening import open_table
from tests.gui.page_driver import action, banner_texts
from tests.gui.situations.stage import Stage


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


def test_a_file_of_situations_is_checked_and_kept(stage, situation, tmp_path) -> None:
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


def test_the_table_says_how_likely_the_goal_is(stage, situation, tmp_path) -> None:
    path = tmp_path / "sent.txt"
    path.write_text(to_text([replace(situation, chance=situation.chance / 2)]))
    page = stage.open(dialogs=Chooser(path))
    act(page, "import")
    assert [kept.situation.chance for kept in stage.kept()] == [situation.chance]


def test_without_the_table_they_are_kept_as_they_came(stage, situation, tmp_path) -> None:
    path = tmp_path / "sent.txt"
    path.write_text(to_text([situation]))
    page = stage.open(has_table=False, dialogs=Chooser(path))
    act(page, "import")
    (text,) = told(stage)
    assert "1 couldn't be checked: its table isn't on this computer." in text
    assert len(stage.kept()) == 1


def test_who_chooses_no_file_has_nothing_done(stage) -> None:
    act(stage.open(dialogs=Chooser(None)), "import")
    assert told(stage) == []


def test_lines_are_pasted_and_a_position_still_begins_one(stage, situation) -> None:
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
def test_lines_are_known_by_how_they_begin(text: str, want: bool) -> None:
    assert has_lines(text) == want
