"""Tests while they are taken: a kill costs the last move at most, a full drive none."""

import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from coach.exam.session_file import SessionFileError
from coach.exam.session_log import SessionLog, log_path, read_session_log
from coach.play.run import Run
from tests.coach.made_sessions import STARTED, played, rates_of

NOON = datetime(2030, 1, 2, 12, tzinfo=timezone.utc)
PLAY = """
import sys
from pathlib import Path
from datetime import datetime, timezone
from coach.play.run import Run
from coach.exam.session_log import SessionLog
from tests.coach.made_sessions import STARTED, rates_of, setup
session, log = Run(setup(), STARTED), SessionLog(Path(sys.argv[1]))
for _ in range(2000):
    rates = rates_of(session.board)
    legal = [one for one, rate in enumerate(rates) if rate is not None]
    if not legal:
        break
    move = session.play(legal[session.n_moves % len(legal)], rates)
    log.move(session, move, datetime.now(timezone.utc))
    print(session.n_moves, flush=True)
"""


def logged(folder: Path, n_moves: int) -> tuple[Run, SessionLog]:
    """Return a test whose moves were noted one by one, and its log, which nobody closed."""
    whole, log = played(n_moves, allows_undo=True), SessionLog(folder)
    session = Run(whole.setup, STARTED)
    for number, move in enumerate(whole.moves):
        made = session.play(move.direction, move.rates, move.ms)
        log.move(session, made, NOON + timedelta(seconds=number))
    return session, log


def test_a_killed_process_loses_its_last_move_at_most(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PLAY, str(tmp_path)]
    for n_moves in (1, 3, 20):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout
            told = [child.stdout.readline() for _ in range(n_moves)]
            child.kill()
            told += child.stdout.readlines()
        (path,) = tmp_path.glob("*.log")
        done = int([line for line in told if line.endswith("\n")][-1])
        assert done <= read_session_log(path).session.n_moves <= done + 1


def test_all_of_a_test_comes_back(tmp_path: Path) -> None:
    session, log = logged(tmp_path, 30)
    taken = session.undo()
    assert taken
    log.undo(session)
    move = session.play(taken.direction, rates_of(session.board))
    log.move(session, move, NOON + timedelta(hours=1))
    found = read_session_log(log_path(tmp_path, session))
    assert found.session.moves == session.moves
    assert (found.session.n_undos, found.session.score) == (1, session.score)
    wrong = [n for n, one in enumerate(session.moves, 1) if not one.judgement.is_perfect]
    assert [number for number, _ in found.mistakes] == wrong
    assert all(when == NOON + timedelta(seconds=n - 1) for n, when in found.mistakes[:-1])
    log.close()


def test_a_log_may_begin_in_the_middle_of_a_test(tmp_path: Path) -> None:
    session, log = logged(tmp_path, 10)
    log.close()
    log = SessionLog(tmp_path)
    session.undo()
    log.undo(session)
    assert read_session_log(log_path(tmp_path, session)).session.moves == session.moves
    log.close()


def test_whatever_is_left_of_the_last_line_costs_that_line_only(tmp_path: Path) -> None:
    session, log = logged(tmp_path, 6)
    log.close()
    path = log_path(tmp_path, session)
    whole = path.read_bytes()
    last = whole[:-1].rindex(b"\n") + 1
    for size in range(last, len(whole)):
        path.write_bytes(whole[:size])
        assert read_session_log(path).session.moves == session.moves[:5]
    for damage in (b"{}\n", b"[]\n", b"7\n", b"\xff\n", b'{"move": "left"}\n', b"u u\n"):
        path.write_bytes(whole + damage + b"u\n")
        assert read_session_log(path).session.moves == session.moves


@pytest.mark.parametrize("text", [b"", b"{\n", b"[]\n", b"7\n", b"\xff\n", b'{"moves": []}\n'])
def test_what_is_no_log_is_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(text)
    with pytest.raises(SessionFileError, match=r"x\.log"):
        read_session_log(path)
    with pytest.raises(SessionFileError, match="cannot read"):
        read_session_log(tmp_path / "none.log")


def test_moves_that_met_a_full_drive_are_written_with_the_next(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    session, log = logged(tmp_path, 8)
    path, before = log_path(tmp_path, session), resource.getrlimit(resource.RLIMIT_FSIZE)

    def play() -> None:
        rates = rates_of(session.board)
        legal = [one for one, rate in enumerate(rates) if rate is not None]
        log.move(session, session.play(legal[0], rates), NOON)

    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 5, before[1]))
    try:
        for _ in range(3):
            with pytest.raises(OSError, match="too large"):
                play()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    play()
    assert read_session_log(path).session.moves == session.moves
    log.close()
