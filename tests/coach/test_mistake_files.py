"""JSON and CSV: everything comes back, twice is once, and what is wrong is named."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coach.grading.grade import Grade
from coach.mistakes.drill import Drill
from coach.mistakes.files import (
    COLUMNS,
    MistakeFileError,
    csv_pieces,
    export,
    json_pieces,
    read_csv,
    read_json,
)
from coach.mistakes.mistake import TableKey
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.query import Query
from coach.mistakes.record import Imported, add_records
from coach.record.user_database import UserDatabase
from engine.platform.errors import WriteError
from tests.coach.mistake_stage import BOARD, LEFT, RIGHT, UP, after, dump, noted

BY_BOARD = Query(sort="board")
New = Callable[[], Mistakes]


@pytest.fixture
def new(tmp_path: Path) -> Iterator[New]:
    made: list[Mistakes] = []

    def make() -> Mistakes:
        made.append(Mistakes(UserDatabase(tmp_path / str(len(made)))))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def full(new: New) -> Mistakes:
    """Mistakes of several tables, with tags, answers, one of them retired."""
    mistakes = new()
    first = noted(mistakes, source='a "quoted", game')
    noted(mistakes, direction=UP, days=1.5, source="b")
    second = noted(mistakes, board=0x1234 << 48, spawn4=0.25, rates=(1 / 3, 0.1, 0.2, 0.3))
    third = noted(
        mistakes,
        board=0x123F_000F_000F_FFFF,
        table="3x3_256",
        symmetry="square3x3",
        rates=(1.0, 0.0, None, None),
    )
    mistakes.set_tags(first, ["corner", "höhe, breite"])
    drill = Drill(mistakes, retire_after=1)
    drill.answer(first, LEFT, after(2), 3.5)
    drill.answer(second, mistakes.get([second])[second].best[0], after(3), 1.25)
    assert mistakes.get([second])[second].retired
    assert mistakes.count() == 3
    assert third
    return mistakes


def as_json(mistakes: Mistakes) -> bytes:
    return b"".join(json_pieces(mistakes, mistakes.ids(BY_BOARD)))


def as_csv(mistakes: Mistakes) -> bytes:
    return b"".join(csv_pieces(mistakes, mistakes.ids(BY_BOARD)))


def test_json_brings_everything_back(full, new):
    data, other = as_json(full), new()
    reading = read_json(data)
    assert reading.problems == []
    assert add_records(other, reading.records) == Imported(3, 0)
    assert as_json(other) == data
    # Row by row, but for the numbers of the rows.
    before, after_import = dump(full), dump(other)
    assert sorted(row[1:] for row in after_import["mistake"]) == sorted(
        row[1:] for row in before["mistake"]
    )
    assert len(after_import["mistake_attempt"]) == len(before["mistake_attempt"]) == 5
    assert len(after_import["mistake_answer"]) == len(before["mistake_answer"]) == 2


def test_csv_brings_every_mistake_back(full, new):
    data, other = as_csv(full), new()
    reading = read_csv(data)
    assert reading.problems == []
    assert add_records(other, reading.records) == Imported(3, 0)
    assert rows_of(as_csv(other)) == rows_of(data)
    assert as_json(other) != as_json(full)  # the single attempts are not in it


def rows_of(data: bytes) -> list[dict[str, str]]:
    """Return the lines of a CSV without the answers, which are in JSON alone."""
    rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    for row in rows:
        del row["answers_right"], row["answers_wrong"]
    return rows


@pytest.mark.parametrize(("write", "read"), [(as_json, read_json), (as_csv, read_csv)])
def test_importing_what_is_there_changes_nothing(full, write, read):
    before = dump(full)
    assert add_records(full, read(write(full)).records) == Imported(0, 3)
    assert dump(full) == before


def test_a_file_is_written_by_its_ending(full, tmp_path):
    assert export(full, full.ids(BY_BOARD), tmp_path / "out.csv") == 3
    assert export(full, full.ids()[:1], tmp_path / "out.json") == 1
    assert (tmp_path / "out.csv").read_bytes() == as_csv(full)
    found = json.loads((tmp_path / "out.json").read_text())
    assert (found["format"], found["version"]) == ("endgame2048-mistakes", 1)
    assert len(found["mistakes"]) == 1
    with pytest.raises(WriteError, match="cannot write"):
        export(full, full.ids(), tmp_path / "nowhere" / "out.json")


def test_a_csv_of_somebody_else_needs_little(new):
    data = "board;table;best;note\r\n1230 0000 0000 0000;L3_256;right;from a friend\r\n"
    mistakes = new()
    reading = read_csv(data.encode("utf-8-sig"))
    assert add_records(mistakes, reading.records) == Imported(1, 0)
    found = next(iter(mistakes.get(mistakes.ids()).values()))
    assert (found.key, found.board, found.best) == (TableKey("L3_256", 0.1), 0x0321, (LEFT,))
    assert (found.count, found.total_loss, found.grade) == (1, 0.0, Grade.EXCELLENT)
    assert not found.has_rates


def test_known_mistakes_take_what_exceeds(full):
    (one,) = [m for m in full.get(full.ids()).values() if m.board == 0x0321]
    assert (one.count, len(full.attempts(one.id))) == (3, 3)
    text = (
        "table,board,best,count,total_loss,worst_loss,last\n"
        "L3_256,1230000000000000,left,5,2.5,1,2026-04-01\n"
    )
    add_records(full, read_csv(text.encode()).records)
    found = full.get([one.id])[one.id]
    assert (found.count, found.total_loss, found.worst_loss) == (5, 2.5, 1.0)
    assert found.last is not None
    assert found.last.isoformat() == "2026-04-01T00:00:00+00:00"
    assert (found.rates, found.best, found.first) == (one.rates, one.best, one.first)
    noted(full, days=60, source="later")
    assert full.get([one.id])[one.id].count == 6


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"table": ""}, "'table' is missing"),
        ({"table": " "}, "'table' is blank"),
        ({"table": 5}, "'table' is 5; expected a text"),
        ({"board": "12"}, "ends after 2 of 16"),
        ({"board": None}, "'board' is missing"),
        ({"rates": [1, 2, 3]}, "expected a list of 4"),
        ({"rates": [1, 2, None, None]}, "rate 2 is 2; expected a number from 0 to 1, or null"),
        ({"rates": [True, 0.5, None, None]}, "rate 1 is true"),
        ({"best": ["north"]}, "'best': entry 1 is 'north'; expected left, right, up or down"),
        ({"best": [], "rates": [None] * 4}, "neither the best"),
        ({"count": 2.5}, "'count' is 2.5; expected a whole number"),
        ({"count": -1}, "'count' is -1; expected a whole number from 0"),
        ({"total_loss": 7}, "'total_loss' is 7.0; expected at most the count, 1"),
        ({"total_loss": "much"}, "'total_loss' is 'much'; expected a number of at least 0"),
        ({"worst_loss": 1.1}, "worst_loss"),
        ({"grade": "fine"}, "'grade' is 'fine'; expected perfect, excellent"),
        ({"symmetry": "round"}, "symmetry"),
        ({"first": "yesterday"}, "'first' is 'yesterday'; expected a time"),
        ({"last": "0001-01-01T00:00:00+14:00"}, "last"),
        ({"tags": [5]}, "tag 1 is 5"),
        ({"spawn4": 2}, "spawn4"),
        ({"attempts": [7]}, "attempt 1 is 7; expected an object"),
        ({"attempts": [{"direction": "left"}]}, "attempt 1: 'when' is missing"),
        ({"answers": [{"when": "2026-03-01", "direction": "x"}]}, "answer 1: 'direction' is 'x'"),
        ({"run": "five"}, "'run' is 'five'"),
        ({"card": {}}, "card"),
    ],
)
def test_a_wrong_field_is_named_and_its_entry_left_out(full, change, why):
    found = json.loads(as_json(full))
    found["mistakes"][1] |= change
    reading = read_json(json.dumps(found).encode())
    assert len(reading.records) == 2
    (problem,) = reading.problems
    assert problem.startswith("entry 2: ")
    assert why in problem


@pytest.mark.parametrize(
    ("when", "is_kept"),
    [
        ("1969-12-31T23:59:59", False),
        ("1970-01-01", True),  # what others write who do not know when
        ("1970-01-01T01:00:00+02:00", False),
        ("9998-12-31T23:59:59", True),
        ("9999-01-01", False),  # no zone may carry it beyond the last year
    ],
)
def test_times_are_kept_from_1970_to_9998(when, is_kept):
    reading = read_csv(f"table,board,best,last\nL3_256,1230000000000000,right,{when}\n".encode())
    assert (len(reading.records), len(reading.problems)) == (is_kept, not is_kept)


def test_half_a_character_in_json_becomes_a_question_mark(full, tmp_path):
    found = json.loads(as_json(full))
    found["mistakes"][0] |= {"table": "L3\ud800_256", "tags": ["\udfff"], "card": "\ud800"}
    found["mistakes"][0]["attempts"][0]["source"] = "game \ud800"
    with closing(Mistakes(UserDatabase(tmp_path / "another"))) as another:
        add_records(another, read_json(json.dumps(found).encode()).records)
        (one,) = [one for one in another.get(another.ids()).values() if "?" in one.key.name]
        assert one.tags == ("?",)
        assert "game ?" in [attempt.source for attempt in another.attempts(one.id)]


def test_what_an_import_takes_the_database_takes_when_it_is_opened_again(full, tmp_path):
    last = "9998-12-31T23:59:59"
    found = json.loads(as_json(full))
    found["mistakes"][0] |= {"first": "1970-01-01", "last": last, "due": last, "retired": last}
    answer = {"when": last, "direction": "left", "seconds": 1e11}
    found["mistakes"][0]["answers"] = [answer, {**answer, "when": "1970-01-01"}]
    reading = read_json(json.dumps(found).encode())
    assert reading.problems == []
    for _ in range(2):
        with closing(Mistakes(UserDatabase(tmp_path / "another"))) as another:
            add_records(another, reading.records)
    answer["seconds"] = 1e12
    (problem,) = read_json(json.dumps(found).encode()).problems
    assert "'seconds' is 1000000000000.0; expected a number from" in problem


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"format": "other"}', b"\xff\xfe", b'{"a": NaN}', b"[" * 100_000]
)
def test_what_is_not_our_json_is_refused(data):
    with pytest.raises(MistakeFileError):
        read_json(data)


def test_a_later_version_is_refused():
    with pytest.raises(MistakeFileError, match="version 2"):
        read_json(b'{"format": "endgame2048-mistakes", "version": 2, "mistakes": []}')


@pytest.mark.parametrize("data", [b"", b"a,b\n1,2\n", b"\x80\x04", "tablé".encode("latin1")])
def test_what_is_not_our_csv_is_refused(data):
    with pytest.raises(MistakeFileError):
        read_csv(data)


def test_wrong_lines_are_named():
    text = (
        "table,board,best\n"
        "L3_256,1230000000000000,right\n"
        "L3_256,xyz,right\n"
        "L3_256,1230000000000000,right,more\n"
        "L3_256\n"
    )
    reading = read_csv(text.encode())
    assert len(reading.records) == 1
    assert [problem.partition(":")[0] for problem in reading.problems] == [
        "line 3",
        "line 4",
        "line 5",
    ]


def test_the_first_line_of_a_csv_is_what_the_help_says(full):
    assert as_csv(full).split(b"\r\n")[0].decode() == ",".join(COLUMNS)
    assert as_csv(full).count(b"\r\n") == 4


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=300) | st.text(max_size=200).map(str.encode))
def test_noise_is_refused_or_read(data):
    for read in (read_json, read_csv):
        for head in (b"", b"table,board,best\n"):
            try:
                assert read(head + data).records is not None
            except MistakeFileError:
                continue


def test_an_import_is_whole_or_not_at_all(full):
    before = dump(full)

    def records() -> Iterator[Any]:
        yield from read_csv(f"table,board,best\nX_64,{BOARD:016x},right\n".encode()).records
        raise KeyError

    with pytest.raises(KeyError):
        add_records(full, records())
    assert dump(full) == before
    assert RIGHT == 1
