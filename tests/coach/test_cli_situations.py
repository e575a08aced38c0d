"""``situations`` as people type it: list, show, export, import."""

import zlib
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from coach.play.rules import End
from coach.record.user_database import UserDatabase
from coach.situations.situation import situation_on
from coach.situations.situations import Situations
from coach.situations.text_line import to_line
from engine.bitboard import cells, format_board
from tablebase.library.opening import open_table
from tests.child import json_lines
from tests.coach.conftest import Command
from tests.coach.situations.stage import NOON, played
from tests.coach.situations.test_situation_lines import SEARCHED
from tests.gui.furnished_window import add_table
from tests.makers import TableMaker


@pytest.fixture
def data(table: TableMaker, tmp_path: Path) -> Path:
    (tmp_path / "data" / "tables").mkdir(parents=True)
    add_table(table("44", 64), tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def run(data: Path, command: Command) -> partial[tuple[int, str, str]]:
    return partial(command, data, "situations")


@pytest.fixture
def kept(data: Path, table: TableMaker):
    """Two situations; three attempts at the first."""
    with (
        closing(open_table(table("44", 64))) as opened,
        closing(Situations(UserDatabase(data))) as store,
    ):
        one = situation_on(opened, tuple(cells(opened.formation.seeds[0])))
        number = store.ask(one, NOON).number
        for seed in (1, 2, 3):
            store.keep(number, played(one, seed, opened))
        other = store.ask(SEARCHED, NOON).number
        return store.get(number), store.get(other)


def test_without_situations_it_says_what_to_do_and_makes_no_file(run, data):
    for words, wanted in ((["list"], 0), (["export"], 0), (["show", 1], 2)):
        status, out, err = run(*words)
        assert (status, out) == (wanted, "")
        assert "play one in the window" in err
    assert not list(data.glob("*.db"))


def test_the_list_tells_goal_result_and_chance(run, kept):
    one, other = kept
    n_reached = sum(attempt.outcome == End.REACHED.value for attempt in one.attempts)
    status, out, _ = run("list")
    assert status == 0
    second, first = out.splitlines()
    assert first.startswith(f"{one.number}. 44 \N{RIGHTWARDS ARROW} 64, ")
    assert f"reached {n_reached} of 3 (" in first
    assert first.endswith("; 7 to play")
    assert second.startswith(f"{other.number}. 2048, rated by search, ")
    assert "not played yet; best play about 30 %; 10 to play" in second  # left moves nothing


def test_json_tells_all_of_each_situation(run, kept):
    one, other = kept
    found = {event["number"]: event for event in json_lines(run("list", "--json")[1])}
    assert set(found) == {one.number, other.number}
    told = found[one.number]
    assert told["board"] == format_board(one.situation.setup.start)
    assert (told["counted"], told["to_play"], told["exact"]) == (3, 7, True)
    assert told["line"] == to_line(one.situation)
    (shown,) = json_lines(run("show", one.number, "--json")[1])
    assert {**shown, "attempts": None} == {**told, "attempts": None}
    assert [each["seed"] for each in shown["attempts"]] == [1, 2, 3]
    assert [each["moves"] for each in shown["attempts"]] == [a.n_moves for a in one.attempts]


def test_a_situation_is_shown_with_its_attempts(run, kept):
    one, _ = kept
    _, out, _ = run("show", one.number)
    assert "with best play: " in out
    assert sum(line.startswith(("1. ", "2. ", "3. ")) for line in out.splitlines()) == 3
    assert out.rstrip().endswith(to_line(one.situation))
    status, out, err = run("show", 99)
    assert (status, out) == (2, "")
    assert "no situation 99" in err


def test_lines_go_out_and_come_back(run, kept, data, tmp_path):
    one, other = kept
    assert run("export", one.number)[1].splitlines() == [to_line(one.situation)]
    path = tmp_path / "some.txt"
    _, out, _ = run("export", "--out", path)
    assert out.startswith("2 situations: written to ")
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2
    assert run("import", path)[1] == "0 new, 2 already here\n"
    (data / "user.db").unlink()
    path.write_text(f"{to_line(other.situation)}\nnonsense\n", encoding="utf-8")
    status, out, err = run("import", path)
    assert (status, out) == (0, "1 new, 0 already here\n")
    assert "line 2: 'nonsense' is not a situation" in err
    *_, done = json_lines(run("import", path, "--json")[1])
    assert (done["new"], done["known"], done["problems"]) == (0, 1, 1)


def test_what_is_of_a_table_that_is_not_here_is_told(run, kept, tmp_path):
    one, _ = kept
    path = tmp_path / "one.txt"
    body = to_line(one.situation).split(" ", 1)[1].rpartition(" check=")[0]
    body = body.replace("formation=44", "formation=L3")
    path.write_text(f"2048-situation/1 {body} check={zlib.crc32(body.encode()):08x}\n")
    assert "1 couldn't be checked: its table isn't here" in run("import", path)[1]


def test_a_file_without_situations_is_refused(run, tmp_path):
    path = tmp_path / "none.txt"
    path.write_text("hello\n", encoding="utf-8")
    status, _, err = run("import", path)
    assert status == 2
    assert "has no situation that can be kept" in err
    assert run("import", tmp_path / "missing.txt")[0] == 2
