"""Recordings of Practice as JSON: there and back, and what is said of files that are none."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.recordings.practice_file import (
    PracticeRecording,
    is_practice_file,
    read_practice,
    write_practice,
)
from engine.formats.replay import Replay, ReplayError, ReplayMove
from engine.trace import slide_cells

LEFT, RIGHT, UP, DOWN = range(4)
START = (1, 1, 0, 0, *[0] * 12)
# To the left it is 4 . . .; a 2 comes into cell 11; up, that goes to cell 3; a 4 into cell 13.
MOVES = (ReplayMove(LEFT, 11, 1, (0.9, 0.85, None, 0.5)), ReplayMove(UP, 13, 2))
END = (2, 0, 0, 1, *[0] * 9, 2, 0, 0)


def encoded(recording: PracticeRecording) -> bytes:
    return write_practice(recording).encode()


def test_a_recording_comes_back_as_it_was():
    recording = PracticeRecording(Replay(START, MOVES, merge_32768=False), "L3_512", 0.1)
    again = read_practice(encoded(recording))
    assert again == recording
    assert list(again.replay.positions())[-1] == END
    assert is_practice_file(encoded(recording))


def test_what_the_file_looks_like():
    data = json.loads(encoded(PracticeRecording(Replay(START, MOVES), "L3_512", 0.1)))
    assert data["start"] == [2, 2, *[0] * 14]
    assert data["moves"] == [
        {"move": "left", "cell": 11, "tile": 2, "rates": {"left": 0.9, "right": 0.85, "down": 0.5}},
        {"move": "up", "cell": 13, "tile": 4},
    ]


def test_a_recording_without_moves():
    recording = PracticeRecording(Replay(START, ()), "", 0.25)
    assert read_practice(encoded(recording)) == recording


def changed(**changes: Any) -> bytes:
    data = json.loads(encoded(PracticeRecording(Replay(START, MOVES), "L3_512", 0.1)))
    return json.dumps({**data, **changes}).encode()


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "not valid JSON"),
        (b"\xff\xfe", "not UTF-8 text"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "not a recording of Practice"),
        (changed(format="endgame2048-test"), "not a recording of Practice"),
        (changed(version=2), "update the program"),
        (changed(start=[2] * 15), "a list of 16 entries"),
        (changed(start=[3] * 16), "'start': entry 1 is 3; expected 0, 2, 4, 8"),
        (changed(start=[1] * 16), "'start': entry 1 is 1; expected 0, 2, 4, 8"),
        (changed(start=[2] * 15 + [1 << 18]), "'start': entry 16 is 262144"),
        (changed(start=[True] * 16), "'start': entry 1 is true"),
        (changed(moves=None), "'moves' is null"),
        (changed(spawn4=float("nan")), "NaN is not a JSON number"),
        (changed(walls=1), "'walls' is 1; expected true or false"),
    ],
)
def test_a_file_that_is_none_is_explained(data, complaint):
    with pytest.raises(ReplayError, match=complaint):
        read_practice(data)


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        ({"move": "left", "cell": 0, "tile": 2}, "the new tile of move 2 lies on another one"),
        ({"move": "up", "cell": 13, "tile": 8}, "move 2: 'tile' is 8; expected 2 or 4"),
        ({"move": "jump", "cell": 13, "tile": 2}, "move 2: 'move' is 'jump'"),
        ({"move": "up", "cell": 16, "tile": 2}, "move 2: 'cell' is 16"),
        ({"move": "up", "cell": 13, "tile": 2, "rates": {"up": 2}}, "move 2: 'rates': 'up' is 2"),
        ("up", "move 2: it is 'up'; expected an object"),
    ],
)
def test_what_could_be_read_is_kept(second, problem):
    first = {"move": "left", "cell": 11, "tile": 2}
    replay = read_practice(changed(moves=[first, second])).replay
    assert replay.moves == (ReplayMove(LEFT, 11, 1),)
    assert problem in replay.problem


def test_a_move_that_changes_nothing_ends_the_recording():
    moves = [{"move": "up", "cell": 11, "tile": 2}]
    replay = read_practice(changed(moves=moves)).replay
    assert replay.moves == ()
    assert "move 1 cannot be made" in replay.problem


@given(st.binary(max_size=200))
def test_no_bytes_do_harm(data):
    with suppress(ReplayError):
        read_practice(data)


@given(st.integers(0), st.binary(min_size=1, max_size=3))
def test_a_spoilt_file_is_read_as_far_as_it_is_whole(at, noise):
    data = bytearray(changed())
    at %= len(data)
    data[at : at + len(noise)] = noise
    with suppress(ReplayError):
        replay = read_practice(bytes(data)).replay
        cells = replay.start
        for move in replay.moves:  # all that is returned can be played
            after = slide_cells(cells, move.direction, replay.walls, replay.merge_32768).cells
            assert after != cells
            assert after[move.cell] == 0
            cells = (*after[: move.cell], move.exponent, *after[move.cell + 1 :])
