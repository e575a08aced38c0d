"""The run in play: its clock, its saved parts, and what earns a trophy."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from itertools import count
from unittest.mock import Mock

import pytest

from engine.platform.errors import WriteError
from gui.minigames.session import MinigameSession
from minigames.registry import rules_of
from minigames.state import Action, move
from minigames.store import load_slot
from tests.gui.practice_fakes import FakeClock
from tests.minigames.made_states import save_slot

START = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def make(tmp_path, clock):
    bits = count(1)

    def make(game: str, hard: bool = False) -> MinigameSession:
        now = lambda: START + timedelta(seconds=clock.seconds)  # noqa: E731
        return MinigameSession(
            tmp_path, game, hard, lambda: next(bits), now, lambda: now().date(), clock
        )

    return make


def play(session: MinigameSession, n: int) -> None:
    for _ in range(n):
        run = session.run
        if not run.state.over:
            session.do(move(run.rules.legal(run.state)[0]))


def keep(session: MinigameSession, folder) -> None:
    slot, _ = session.take_unsaved()
    save_slot(folder, slot)


def test_the_clock_begins_with_the_first_move(make, clock):
    session = make("blitzkrieg")
    clock.seconds = 50
    assert session.time_left_ms() == 180_000
    play(session, 1)
    clock.seconds = 60
    assert session.time_left_ms() == 170_000


def test_an_illegal_move_does_not_start_the_clock(make, clock):
    session = make("blitzkrieg")
    while len(legal := session.run.rules.legal(session.run.state)) == 4:
        session.new_run()
    session.do(move(min(set(range(4)) - set(legal))))
    clock.seconds = 60
    assert session.time_left_ms() == 180_000


def test_the_clock_stands_while_nobody_plays_and_goes_on_with_a_move(make, clock, tmp_path):
    session = make("blitzkrieg")
    play(session, 1)
    clock.seconds = 10
    session.pause()
    keep(session, tmp_path)
    clock.seconds = 1000
    assert session.time_left_ms() == 170_000
    again = make("blitzkrieg")
    assert again.time_left_ms() == 170_000  # closing refunds nothing
    play(again, 1)
    clock.seconds = 1005
    assert again.time_left_ms() == 165_000


def test_the_clock_stands_once_the_first_move_is_taken_back(make, clock):
    session = make("blitzkrieg")
    play(session, 1)
    clock.seconds = 10
    session.undo()
    assert session.run.state.n_moves == 0
    clock.seconds = 100
    assert session.time_left_ms() == 170_000
    play(session, 1)
    clock.seconds = 105
    assert session.time_left_ms() == 165_000


def test_time_runs_out_once_and_for_all(make, clock, tmp_path):
    session = make("blitzkrieg")
    play(session, 3)
    assert session.tick() is None
    clock.seconds = 200
    step = session.tick()
    assert [event.kind for event in step.events] == ["over"]
    assert session.tick() is None
    keep(session, tmp_path)
    again = make("blitzkrieg")
    assert again.run.state.over == "time"
    before = again.run.state
    play(again, 1)
    again.do(Action("bomb", (before.newest,)))
    again.undo()
    assert again.run.state is before


def test_a_move_after_the_time_is_none(make, clock):
    session = make("blitzkrieg")
    play(session, 1)
    clock.seconds = 500
    n_moves = session.run.state.n_moves
    session.do(move(session.run.rules.legal(session.run.state)[0]))
    assert session.run.state.over == "time"
    assert session.run.state.n_moves == n_moves


def test_what_is_kept_goes_on_as_it_would_have(make, tmp_path):
    session = make("ice_age", True)
    play(session, 40)
    keep(session, tmp_path)
    again = make("ice_age", True)
    assert again.run.state == session.run.state
    play(session, 20)
    play(again, 20)
    assert again.run.state == session.run.state
    assert again.run.replay == session.run.replay


def test_undo_works_after_the_program_was_closed(make, tmp_path):
    session = make("column_chaos")
    play(session, 5)
    before = session.run.past[-1]
    keep(session, tmp_path)
    again = make("column_chaos")
    again.undo()
    assert again.run.state == before
    assert again.run.is_assisted


def test_a_new_run_counts_the_old_one_and_hands_over_its_replay(make):
    session = make("ferris_wheel")
    play(session, 12)
    seed, score = session.run.seed, session.run.state.score
    session.take_unsaved()
    session.new_run()
    slot, finished = session.take_unsaved()
    assert [(run.seed, run.score) for run in slot.record.runs] == [(seed, score)]
    assert [replay.seed for replay in finished] == [seed]
    assert session.take_unsaved() == (None, [])


def test_a_run_in_which_nothing_was_done_is_not_counted(make):
    session = make("ferris_wheel")
    session.new_run()
    assert session.slot.record.n_runs == 0


def test_an_assisted_run_earns_neither_trophy_nor_best(make):
    session = make("tricky_tiles")
    play(session, 10)
    best = session.slot.record.best_score
    assert best == session.run.state.score
    session.undo()
    play(session, 60)
    assert session.run.state.score > best
    assert session.slot.record.best_score == best


def test_the_daily_run_is_the_same_for_everybody(make, clock):
    first, second = make("shape_shifter"), make("shape_shifter")
    for session in (first, second):
        session.new_run(day=session.today())
    assert first.run.state == second.run.state
    assert first.run.day == "2026-03-01"
    clock.seconds = 86_400
    second.new_run(day=second.today())
    assert first.run.state != second.run.state


def test_what_could_not_be_written_is_handed_over_again(make):
    session = make("ferris_wheel")
    play(session, 3)
    session.new_run()
    _, finished = session.take_unsaved()
    session.put_back(finished)
    slot, again = session.take_unsaved()
    assert slot is not None
    assert again == finished


def test_a_damaged_file_is_reported_and_its_record_is_kept(make, tmp_path):
    session = make("ice_age")
    play(session, 30)
    session.new_run()
    play(session, 5)
    keep(session, tmp_path)
    path = tmp_path / "ice_age-normal.json"
    raw = path.read_bytes()
    path.write_bytes(raw[: raw.index(b'"run": ') + 40])
    again = make("ice_age")
    assert again.slot.record == session.slot.record
    assert "ice_age-normal.json is damaged" in again.slot.problem
    assert "ice_age-normal.damaged-" in again.slot.problem
    assert load_slot(tmp_path, "ice_age", False, lambda: START).problem == ""


def test_a_file_that_cannot_be_read_for_a_moment_is_not_overwritten(make, tmp_path, monkeypatch):
    session = make("ice_age")
    play(session, 30)
    keep(session, tmp_path)
    away = Mock(side_effect=OSError(5, "Input/output error"))
    with monkeypatch.context() as patch:
        patch.setattr("engine.platform.files.input_file.read_limited", away)
        other = make("ice_age")
    assert "Input/output error" in other.slot.problem
    play(other, 5)
    other.new_run()
    slot, finished = other.take_unsaved()
    assert slot is None
    assert len(finished) == 1, "its replay has a file of its own"
    assert make("ice_age").run.state == session.run.state


def test_a_folder_that_cannot_be_written_says_so(make, tmp_path):
    session = make("ice_age")
    play(session, 1)
    blocked = tmp_path / "file"
    blocked.write_text("")
    slot, _ = session.take_unsaved()
    with pytest.raises(WriteError, match="cannot write"):
        save_slot(blocked, slot)


def test_trophies_are_announced_once(make):
    session = make("endless_giftbox")
    rules = rules_of("endless_giftbox", hard=False)
    assert rules.spec.levels[0] == 40_000
    session.run.state = replace(session.run.state, score=39_999)
    trophies = []
    for _ in range(60):
        run = session.run
        step = session.do(move(run.rules.legal(run.state)[0]))
        trophies.append(step.trophy)
    assert [t for t in trophies if t] == [1]
