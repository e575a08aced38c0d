"""The notebook of another program is read; a pickle that is more than data is not."""

import os
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from coach.grading.grade import Grade
from coach.mistakes import importing
from coach.mistakes.files import MistakeFileError, Reading
from coach.mistakes.importing import read_notebook
from coach.mistakes.mistake import TableKey
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.record import Imported, add_records
from coach.record.user_database import UserDatabase
from engine.symmetry import images

BOARD = 0x1230_0000_0000_0000
BOOK = {
    "L3_512": {np.uint64(BOARD): (3, 0.6, "right"), np.uint64(0xF230 << 48): (1, 1.0, "down")},
    "3x3_256": {np.uint64(0x120F_000F_000F_FFFF): (2, np.float64(0.002), "right")},
}


def symmetry_of(table: str) -> str:
    return "square3x3" if table.startswith("3x3") else "full"


def read(data: bytes) -> Reading:
    return read_notebook(data, symmetry_of)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_notebook_is_read_whatever_the_protocol(protocol):
    found = read(pickle.dumps(BOOK, protocol))
    assert found.problems == []
    first, second, third = found.records
    assert (first.key, first.board, first.best) == (TableKey("L3_512", 0.1), BOARD, (1,))
    assert (first.count, first.total_loss, first.worst_loss) == (3, 0.6, pytest.approx(0.2))
    assert (first.grade, first.symmetry) == (Grade.BLUNDER, "full")
    assert (second.board, second.best, second.grade) == (0xF230 << 48, (3,), Grade.DISASTER)
    assert (third.symmetry, third.total_loss, third.grade) == ("square3x3", 0.002, Grade.EXCELLENT)


def test_numbers_of_an_older_numpy_are_read():
    data = pickle.dumps(BOOK, 2)
    older = data.replace(b"numpy._core.multiarray", b"numpy.core.multiarray")
    assert older != data
    assert read(older) == read(data)


def test_a_notebook_is_filed_and_filed_once(tmp_path):
    mistakes = Mistakes(UserDatabase(tmp_path))
    records = read(pickle.dumps(BOOK)).records
    assert add_records(mistakes, records) == Imported(3, 0)
    before = mistakes.get(mistakes.ids())
    assert add_records(mistakes, records) == Imported(0, 3)
    assert mistakes.get(mistakes.ids()) == before
    (one,) = (m for m in before.values() if m.count == 3)
    assert one.board == 0x0321  # mirrored and flipped, so right became left
    assert (one.best, one.total_loss, one.first, one.has_rates) == ((0,), 0.6, None, False)
    mistakes.close()


def test_half_a_character_in_a_name_becomes_a_question_mark(tmp_path):
    found = read(pickle.dumps({"L3\ud800_512": BOOK["L3_512"]}))
    mistakes = Mistakes(UserDatabase(tmp_path))
    assert add_records(mistakes, found.records) == Imported(2, 0)
    assert {one.key.name for one in mistakes.get(mistakes.ids()).values()} == {"L3?_512"}
    mistakes.close()


def test_images_in_a_notebook_become_one(tmp_path):
    mistakes = Mistakes(UserDatabase(tmp_path))
    # Two tiles of 2 in the middle of an edge: they merge along it.
    boards = set(images(0x0110 << 48, "full"))
    along = {b: "left" if b in (0x0110 << 48, 0x0110) else "up" for b in boards}
    book = {"L3_512": {board: (2, 0.4, name) for board, name in along.items()}}
    found = read(pickle.dumps(book))
    assert len(found.records) == 4
    assert len(found.problems) == 0
    assert add_records(mistakes, found.records) == Imported(1, 3)
    mistakes.close()


@pytest.mark.parametrize(
    ("board", "entry", "why"),
    [
        ("12", (1, 0.1, "left"), "position"),
        (-1, (1, 0.1, "left"), "position"),
        (1 << 64, (1, 0.1, "left"), "position"),
        (BOARD, (1, 0.1), "count, total loss"),
        (BOARD, [1, 0.1, "right"], "count, total loss"),
        (BOARD, (0, 0.1, "right"), "count 0"),
        (BOARD, (1, 1.5, "right"), "total loss 1.5"),
        (BOARD, (1, float("nan"), "right"), "total loss nan"),
        (BOARD, (1, 0.5, "sideways"), "'sideways'"),
        (BOARD, (1, 0.5, "left"), "cannot be made"),
        (BOARD, (1, 0.5, ["right"]), "best move"),
    ],
)
def test_an_entry_that_makes_no_sense_is_named_and_left_out(board, entry, why):
    found = read(pickle.dumps({"L3_512": {board: entry, BOARD + 1: (1, 0.5, "right")}}))
    assert [record.board for record in found.records] == [BOARD + 1]
    assert len(found.problems) == 1
    assert why in found.problems[0]
    assert found.problems[0].startswith("L3_512, ")


def test_a_file_too_large_for_a_notebook_is_not_unpickled(monkeypatch):
    data = pickle.dumps(BOOK)
    monkeypatch.setattr(importing, "MAX_NOTEBOOK_BYTES", len(data))
    assert len(read(data).records) == 3
    with pytest.raises(MistakeFileError, match="larger than"):
        read(data + b"\0")


@pytest.mark.parametrize("found", [[], 5, None, "text", ("L3_512", {})])
def test_a_pickle_of_something_else_is_refused(found):
    with pytest.raises(MistakeFileError, match="not a notebook"):
        read(pickle.dumps(found))


class Evil:
    """Pickles as a call of a function."""

    def __init__(self, function: object, *arguments: object) -> None:
        self.function, self.arguments = function, arguments

    def __reduce__(self) -> tuple[object, ...]:
        return self.function, self.arguments


def touch(path: str) -> None:
    Path(path).touch()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("where", ["whole", "key", "value", "inside"])
def test_no_pickle_runs_anything(tmp_path, protocol, where):
    victim = tmp_path / "victim"
    for evil in (
        Evil(os.system, f"touch {victim}"),
        Evil(eval, f"open({str(victim)!r}, 'w')"),
        Evil(exec, f"open({str(victim)!r}, 'w')"),
        Evil(os.mkdir, str(victim)),
        Evil(getattr, "", "__class__"),
        Evil(np.fromfile, str(victim)),
        Evil(np.load, str(victim)),
    ):
        book = {
            "whole": evil,
            "key": {"L3_512": {evil: (1, 0.1, "right")}},
            "value": {"L3_512": {BOARD: evil}},
            "inside": {"L3_512": {BOARD: (1, evil, "right")}},
        }[where]
        data = pickle.dumps(book, protocol)
        with pytest.raises(MistakeFileError, match="cannot be read"):
            read(data)
        assert not victim.exists()


def test_the_pickles_above_would_do_harm_to_others(tmp_path):
    """Or the test above would show nothing."""
    victim = tmp_path / "victim"
    pickle.loads(pickle.dumps(Evil(os.mkdir, str(victim))))
    assert victim.exists()


@pytest.mark.parametrize(
    "data",
    [
        b"cos\nsystem\n(S'echo'\ntR.",  # by hand, protocol 0
        b"(ios\nsystem\n.",  # INST
        b"(cos\nsystem\nS'echo'\no.",  # OBJ
        b"\x80\x04\x8c\x05numpy\x8c\x12dtype.__class__.mro\x93.",  # attributes of what is known
        b"\x80\x04\x8c\x05numpy\x8c\x0edtype.__init__\x93.",
        b"\x80\x02cnumpy\ndtype\n)\x81.",  # an instance without its arguments
        b"\x80\x02cnumpy\ndtype\n}X\x04\x00\x00\x00codeX\x02\x00\x00\x00u8sb.",
        b"\x80\x02\x82\x01.",  # the registry of extensions
        b"Pname\n.",  # a persistent object
        b"\x80\x02]" + b"]" * 100_000,  # never ends
        b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7f.",  # a frame larger than memory
        b"\x8b\xff\xff\xff\x7f.",
        b"",
        b"dear diary",
        b'{"format": 1}',
    ],
)
def test_hand_made_pickles_are_refused(data):
    with pytest.raises(MistakeFileError):
        read(data)


def test_a_deep_nest_of_lists_does_no_harm():
    nest = b"]" * 50_000 + b"a" * 49_999
    with pytest.raises(MistakeFileError):
        read(b"\x80\x02" + nest + b".")
    name = b"X\x02\x00\x00\x00L3"
    found = read(b"\x80\x02}" + name + b"}K\x05" + nest + b"ss.")  # {"L3": {5: nest}}
    assert found.problems == ["L3, 5: a list: expected count, total loss and best move"]


@pytest.mark.parametrize("code", ["O8", "V8", "S8", "M8", "u2", "c16"])
def test_numbers_of_other_kinds_are_refused(code):
    data = pickle.dumps({"L3_512": {np.uint64(BOARD): (1, 0.5, "right")}}, 2)
    assert b"u8" in data
    found = data.replace(
        b"X\x02\x00\x00\x00u8", struct.pack("<cI", b"X", len(code)) + code.encode()
    )
    assert found != data
    with pytest.raises(MistakeFileError):
        read(found)


GOOD = pickle.dumps(BOOK, 2)


# Python's unpickler complains, out of anybody's reach, of a bytearray that ends too early.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@settings(max_examples=300, deadline=None)
@given(at=st.integers(0, len(GOOD) - 1), value=st.binary(min_size=0, max_size=3), cut=st.booleans())
@example(at=0, value=b"", cut=True)
def test_a_damaged_notebook_is_refused_or_read(at, value, cut):
    """Nothing but our own error comes out, and what comes through are whole records."""
    data = GOOD[:at] + value + (b"" if cut else GOOD[at + len(value) :])
    try:
        found = read(data)
    except MistakeFileError:
        return
    for record in found.records:
        assert 0 <= record.board < 1 << 64
        assert record.count >= 1
        assert 0 <= record.total_loss <= record.count
