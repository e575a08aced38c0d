"""Situations as text: what is written is read again, what was changed on its way is noticed."""

import zlib
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.mistakes.mistake import TableKey
from coach.record.user_database import UserDatabase
from coach.situations.situation import Situation, find_situation, given_situation, situation_on
from coach.situations.situations import Situations
from coach.situations.text_line import (
    SituationTextError,
    checked,
    read_line,
    read_text,
    to_line,
    to_text,
)
from engine.bitboard import cells, format_board
from tablebase.formation.goal import read_goal
from tablebase.library.opening import open_table
from tests.coach.situations.stage import BESIDE_LARGE, NOON, made_up
from tests.makers import TableMaker

BOARD = 0x1000_0001_0005_0128
SEARCHED = find_situation(BESIDE_LARGE, [], lambda: made_up, 500)


def made(table: str = "L3_512", chance: float = 0.9, walls: bool = False) -> Situation:
    goal = read_goal(table.rpartition("_")[2])
    assert goal
    return given_situation(table, goal, 0.1, "uint32", BOARD, walls, chance, 0)


def line_of(**changes: str) -> str:
    """Return the line of a situation with other values, and the check that belongs to them."""
    body, _, _ = to_line(made()).partition(" check=")
    fields = dict(word.split("=") for word in body.split()[1:]) | changes
    text = " ".join(f"{name}={value}" for name, value in fields.items())
    return f"2048-situation/1 {text} check={zlib.crc32(text.encode()):08x}"


def test_a_situation_is_one_readable_line():
    words = to_line(made()).split()
    assert words[:-1] == [
        "2048-situation/1",
        *("formation=L3", "target=512", "spawn4=0.1", "rate=uint32", "walls=no"),
        *(f"board={format_board(BOARD)}", "chance=0.9", "nodes=0"),
    ]
    body = " ".join(words[1:-1])
    assert words[-1] == f"check={zlib.crc32(body.encode()):08x}"


@given(
    st.sampled_from(["L3_512", "3x3_sum1800", "free9_64"]),
    st.floats(0, 1, exclude_min=True),
    st.booleans(),
)
def test_what_is_written_is_read_again(table, chance, walls):
    one = made(table, chance, walls)
    assert read_line(to_line(one)) == one


def test_search_keeps_its_nodes_and_its_tolerance():
    assert read_line(to_line(SEARCHED)) == SEARCHED
    assert SEARCHED.nodes == 500


def test_mail_may_quote_and_break_a_line():
    words = to_line(made()).split()
    text = f"> {' '.join(words[:4])}\n> {' '.join(words[4:])}\n# a note\n\n{to_line(SEARCHED)}"
    found = read_text(text)
    assert [one for _, one in found.found] == [made(), SEARCHED]
    assert [number for number, _ in found.found] == [1, 5]
    assert found.problems == ()


def test_every_wrong_character_is_noticed():
    line = to_line(made())
    for at, char in enumerate(line):
        other = "7" if char != "7" else "8"
        if char in " =/":
            continue
        with pytest.raises(SituationTextError):
            read_line(line[:at] + other + line[at + 1 :])


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"formation": "L-3"}, "not a table"),
        ({"target": "511"}, "not a table"),
        ({"spawn4": "1.5"}, "spawn4=1.5: expected a number from 0 to 1"),
        ({"rate": "int8"}, "rate=int8: expected one of"),
        ({"walls": "maybe"}, "walls=maybe: expected one of"),
        ({"board": "12"}, "16"),
        ({"chance": "0"}, "a number above 0"),
        ({"chance": "nan"}, "chance=nan"),
        ({"nodes": "5"}, "0 for a table"),
        ({"nodes": "-1"}, "nodes=-1"),
        ({"formation": "search", "nodes": "0"}, "above 0 for search"),
        ({"formation": "search", "nodes": "9" * 30}, "nodes="),
    ],
)
def test_what_cannot_be_is_refused_with_what_was_expected(changes, problem):
    with pytest.raises(Exception, match=problem):
        read_line(line_of(**changes))
    (said,) = read_text(line_of(**changes)).problems
    assert said.startswith("line 1: ")


def test_another_text_is_told_what_lines_begin_with():
    with pytest.raises(SituationTextError, match="is not a situation; one begins with 2048-sit"):
        read_line("2048-puzzle/1 formation=L3")
    with pytest.raises(SituationTextError, match="version '2'"):
        read_line(to_line(made()).replace("/1", "/2", 1))


@pytest.fixture
def opened(table: TableMaker):
    with closing(open_table(table("44", 64))) as found:
        yield found


def test_a_table_that_is_here_has_the_last_word(table, opened):
    start = opened.formation.seeds[0]
    true = situation_on(opened, tuple(cells(start)))
    false = replace(true, chance=0.123)
    asked: list[TableKey] = []

    def here(key: TableKey):
        asked.append(key)
        return open_table(table("44", 64))

    found = checked(read_text(to_text([false, SEARCHED, false])), here)
    assert found.kept == (true, SEARCHED, true)
    assert (found.problems, found.n_unchecked) == ((), 0)
    assert asked == [TableKey("44_64", 0.1)], "once for all lines; search is no table"
    wrong = replace(true, setup=replace(true.setup, start=0xFFFF_FFFF_FFFF_FFFF))
    found = checked(read_text(to_line(wrong)), here)
    assert found.kept == ()
    (problem,) = found.problems
    assert problem.startswith("line 1: ")


def test_without_the_table_it_is_kept_as_it_came():
    found = checked(read_text(to_text([made(), SEARCHED])), lambda _: None)
    assert (found.kept, found.n_unchecked) == ((made(), SEARCHED), 1)


def test_what_is_known_already_stays_as_it_is(tmp_path):
    with closing(Situations(UserDatabase(tmp_path))) as kept:
        kept.ask(made(), NOON, more=3)
        later = datetime(2027, 1, 1, tzinfo=timezone.utc)
        assert kept.add([made(chance=0.2), SEARCHED, SEARCHED], later) == (1, 2)
        by_table = {one.situation.setup.table: one for one in kept.all()}
        one = by_table["L3_512"]
        assert (one.situation.chance, one.asked, one.wanted) == (0.9, NOON, 3)
        assert by_table["search"].situation == SEARCHED
