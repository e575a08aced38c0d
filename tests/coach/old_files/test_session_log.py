"""Logs of tests in play that versions before ``user.db`` left."""

import json
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from coach.exam.session_file import SessionFileError, move_to_json, session_to_json
from coach.old_files.tests import read_session_log
from coach.play.run import Run
from tests.coach.made_sessions import played

NOON = datetime(2030, 1, 2, 12, tzinfo=timezone.utc)


def line_of(session: Run, number: int) -> str:
    """Return the line of a move, counted from 1."""
    move = session.moves[number - 1]
    entry = dict(move_to_json(move))
    if not move.judgement.is_perfect:
        entry["at"] = (NOON + timedelta(seconds=number)).isoformat()
    return json.dumps(entry)


def write_log(path: Path, session: Run, n_first: int = 0, more: tuple[str, ...] = ()) -> None:
    """Write the log of a test that had `n_first` moves when it was begun, and more lines."""
    head = json.loads(session_to_json(session))
    lines = [line_of(session, number) for number in range(1, session.n_moves + 1)]
    head["moves"] = [json.loads(line) for line in lines[:n_first]]
    path.write_text("\n".join([json.dumps(head), *lines[n_first:], *more]) + "\n")


def test_all_of_a_test_comes_back(tmp_path):
    session, path = played(30, allows_undo=True), tmp_path / "x.log"
    last = json.loads(line_of(session, session.n_moves)) | {"retry": True}
    write_log(path, session, more=("u", json.dumps(last)))
    found, again = read_session_log(path), replace(session.moves[-1], is_retry=True)
    assert found.session.moves == (*session.moves[:-1], again)
    assert (found.session.n_undos, found.session.score) == (1, session.score)
    wrong = [n for n, one in enumerate(session.moves, 1) if not one.judgement.is_perfect]
    for n in wrong:
        write_log(path, session)
        path.write_text("".join(path.read_text().splitlines(keepends=True)[: n + 1]))
        assert read_session_log(path).moved == NOON + timedelta(seconds=n)


def test_a_log_may_begin_in_the_middle_of_a_test(tmp_path):
    session, path = played(10, allows_undo=True), tmp_path / "x.log"
    write_log(path, session, n_first=10, more=("u",))
    assert read_session_log(path).session.moves == session.moves[:9]


def test_whatever_is_left_of_the_last_line_costs_that_line_only(tmp_path):
    session, path = played(6, allows_undo=True), tmp_path / "x.log"
    write_log(path, session)
    whole = path.read_bytes()
    last = whole[:-1].rindex(b"\n") + 1
    for size in range(last, len(whole)):
        path.write_bytes(whole[:size])
        assert read_session_log(path).session.moves == session.moves[:5]
    for damage in (b"{}\n", b"[]\n", b"7\n", b"\xff\n", b'{"move": "left"}\n', b"u u\n"):
        path.write_bytes(whole + damage + b"u\n")
        assert read_session_log(path).session.moves == session.moves


@pytest.mark.parametrize("text", [b"", b"{\n", b"[]\n", b"7\n", b"\xff\n", b'{"moves": []}\n'])
def test_what_is_no_log_is_refused(tmp_path, text):
    path = tmp_path / "x.log"
    path.write_bytes(text)
    with pytest.raises(SessionFileError, match=r"x\.log"):
        read_session_log(path)
    with pytest.raises(SessionFileError, match="cannot read"):
        read_session_log(tmp_path / "none.log")
