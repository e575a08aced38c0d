"""Files of runs and records: round trips, and damage of every kind."""

import errno
import json
import random
import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from engine.platform.files.input_file import InputFileError
from minigames.parameters import SPECS
from minigames.records import KEPT, FinishedRun, MinigameRecord
from minigames.run import MinigameReplay, MinigameRun, daily_seed, new_seed, play_again
from minigames.state import Action, ActionError
from minigames.store import Slot, load_replay, load_slot, save_replay, slot_bytes, slot_path
from tests.minigames.made_states import save_slot, state_of
from tests.minigames.random_runs import random_action
from tests.minigames.specified import GAMES, adversary_of

RECORD = MinigameRecord(
    best_score=123_456,
    best=12,
    best_figure=4096,
    trophy=3,
    n_runs=17,
    n_moves=9876,
    runs=(
        FinishedRun(5, 1200, 90, 7, 128, "stuck", False, "2026-03-01", "2026-03-01T12:00:00+00:00"),
    ),
)


def now() -> datetime:
    return datetime(2026, 5, 6, 7, 8, 9, tzinfo=timezone.utc)


def played(game: str, hard: bool = False, seed: int = 3, n_actions: int = 40) -> MinigameRun:
    rng, run = random.Random(seed), MinigameRun(game, hard, seed, adversary_of(game))
    for _ in range(n_actions):
        run.do(random_action(run.state, rng))
    return run


def load(folder: Path, game: str = "ice_age", hard: bool = False) -> Slot:
    return load_slot(folder, game, hard, now, adversary_of(game))


def asides(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.damaged-*"))


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_what_is_saved_is_loaded(game, hard, tmp_path):
    run = played(game, hard)
    save_slot(tmp_path, Slot(game, hard, RECORD, run))
    slot = load(tmp_path, game, hard)
    assert (slot.problem, slot.record) == ("", RECORD)
    assert slot.run is not None
    assert (slot.run.state, slot.run.log) == (run.state, run.log)
    assert list(slot.run.past) == list(run.past)[-10:]
    assert load(tmp_path, game, not hard) == Slot(game, not hard)
    save_slot(tmp_path, slot)
    assert load(tmp_path, game, hard).run.state == run.state
    assert asides(tmp_path) == []


def test_no_run_is_a_run_of_its_own(tmp_path):
    save_slot(tmp_path, Slot("ice_age", False, RECORD))
    assert load(tmp_path) == Slot("ice_age", False, RECORD)


def test_what_can_be_taken_back_is_kept(tmp_path):
    run = played("ferris_wheel", n_actions=60)
    save_slot(tmp_path, Slot("ferris_wheel", False, RECORD, run))
    again = load(tmp_path, "ferris_wheel").run
    while again.undo():
        assert run.undo()
        assert (again.state, again.is_assisted) == (run.state, True)


@pytest.fixture(scope="module")
def raw() -> bytes:
    return slot_bytes(Slot("ice_age", False, RECORD, played("ice_age", n_actions=15)))


def write(folder: Path, raw: bytes, game: str = "ice_age") -> None:
    for path in asides(folder):
        path.unlink()
    slot_path(folder, game, False).write_bytes(raw)


def assert_set_aside(folder: Path, slot: Slot, raw: bytes) -> None:
    assert "damaged" in slot.problem
    (kept,) = asides(folder)
    assert kept.read_bytes() == raw
    assert kept.name in slot.problem
    assert not slot_path(folder, "ice_age", False).exists()


@pytest.mark.parametrize("change", [lambda byte: byte ^ 1, lambda byte: byte ^ 0x80, lambda _: 0])
def test_a_damaged_run_costs_no_record(change, raw, tmp_path):
    start = raw.index(b'"run": ')
    for place in range(start, len(raw), 17):
        wrong = bytearray(raw)
        wrong[place] = change(raw[place])
        write(tmp_path, bytes(wrong))
        slot = load(tmp_path)
        assert slot.record == RECORD, place
        assert slot.run is None, place
        assert_set_aside(tmp_path, slot, bytes(wrong))


def test_nor_does_any_damage_to_its_keys(raw, tmp_path):
    start = raw.index(b'"run": ')
    end = raw.index(b'"run_crc": ')
    for place in (*range(start, start + 8), *range(end - 2, len(raw))):
        wrong = raw[:place] + b"~" + raw[place + 1 :]
        write(tmp_path, wrong)
        slot = load(tmp_path)
        assert (slot.record, slot.run) == (RECORD, None), place
        assert_set_aside(tmp_path, slot, wrong)


def test_a_file_that_is_cut_keeps_its_record(raw, tmp_path):
    whole = re.search(rb'"record_crc": \d+', raw).end()
    for length in (*range(0, whole, 23), *range(whole - 3, whole + 3), *range(whole, len(raw), 41)):
        write(tmp_path, raw[:length])
        slot = load(tmp_path)
        assert slot.record == (RECORD if length >= whole else MinigameRecord()), length
        assert slot.run is None
        assert_set_aside(tmp_path, slot, raw[:length])


def test_damage_before_the_run_is_never_a_traceback(raw, tmp_path):
    for place in range(0, raw.index(b'"run": '), 5):
        for byte in (raw[place] ^ 1, 0, 0xFF):
            wrong = raw[:place] + bytes([byte]) + raw[place + 1 :]
            write(tmp_path, wrong)
            assert_set_aside(tmp_path, load(tmp_path), wrong)


def test_a_damaged_record_costs_no_run(raw, tmp_path):
    wrong = raw.replace(b'"best_score": 123456', b'"best_score": 923456')
    assert wrong != raw
    write(tmp_path, wrong)
    slot = load(tmp_path)
    assert slot.record == MinigameRecord()
    assert slot.run is not None
    assert slot.run.state == played("ice_age", n_actions=15).state
    assert_set_aside(tmp_path, slot, wrong)


def signed(data: dict[str, Any]) -> bytes:
    """Return a file with the checksums that belong to what it says."""
    for name in ("record", "run"):
        text = json.dumps(data.get(name), sort_keys=True)
        data[f"{name}_crc"] = zlib.crc32(text.encode("ascii"))
    return json.dumps(data).encode("ascii")


def own(name: str, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["run"]["state"]["own"].update({name: value})


def state(name: str, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["run"]["state"].update({name: value})


def run_field(name: str, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["run"].update({name: value})


RUN_FAULTS = {
    "another version of the rules": run_field("version", 2),
    "a seed of another type": run_field("seed", "7"),
    "a seed that is true": run_field("seed", True),
    "a log that is none": run_field("log", "l r x"),
    "a log that is a number": run_field("log", 5),
    "no state": lambda data: data["run"].pop("state"),
    "no past": lambda data: data["run"].pop("past"),
    "a past of nothing": run_field("past", [{}]),
    "no run": lambda data: data.pop("run"),
    "a list": lambda data: data.update(run=[1, 2]),
    "a number": lambda data: data.update(run=7),
    "another game": state("game", "ferris_wheel"),
    "another mode": state("hard", True),
    "no columns": state("n_columns", 0),
    "columns below nothing": state("n_columns", -4),
    "other columns": state("n_columns", 8),
    "too few tiles": state("tiles", [1] * 15),
    "no tiles": state("tiles", []),
    "a tile of half": state("tiles", [1.5] * 16),
    "a huge tile": state("tiles", [10**9] * 16),
    "an inert tile": state("tiles", [-2] * 16),
    "terrain unknown": state("terrain", [9] * 16),
    "a tile on ice": lambda data: data["run"]["state"].update(tiles=[1] * 16, terrain=[2] * 16),
    "four tools": state("tools", [1, 1, 1, 1]),
    "tools below nothing": state("tools", [-1, 1, 1]),
    "a generator too large": state("rng", [1 << 64, 0, 0]),
    "a huge score": state("score", 10**40),
    "a score below nothing": state("score", -1),
    "a huge best": state("best", 10**9),
    "newest outside": state("newest", 16),
    "an end unknown": state("over", "won"),
    "own is a list": state("own", []),
    "own has less": state("own", {"idle": [0] * 16}),
    "own has more": own("level", 3),
    "own of another type": own("frozen", 3),
    "own of texts": own("frozen", ["1"] * 16),
    "own too short": own("idle", [0] * 15),
    "own below nothing": own("idle", [-1] * 16),
    "own huge": own("idle", [10**30] * 16),
    "a frozen tile that is huge": own("frozen", [10**9] * 16),
}


@pytest.mark.parametrize("fault", RUN_FAULTS)
def test_a_run_that_cannot_be_is_refused(fault, raw, tmp_path):
    data = json.loads(raw)
    RUN_FAULTS[fault](data)
    wrong = signed(data)
    write(tmp_path, wrong)
    slot = load(tmp_path)
    assert (slot.record, slot.run) == (RECORD, None)
    assert_set_aside(tmp_path, slot, wrong)


@pytest.mark.parametrize(
    ("game", "name", "value"),
    [
        ("design_master_1", "level", 10**9),
        ("design_master_1", "level", 15),
        ("design_master_1", "level", -1),
        ("endless_hybrid", "object", 16),
        ("endless_hybrid", "object", [0] * 16),
        ("endless_hybrid", "kind", 3),
        ("endless_air_raid", "mark", 16),
        ("endless_air_raid", "mark", -2),
        ("gravity_twist_1", "gravity", 4),
        ("column_chaos", "moves_left", 0),
        ("column_chaos", "moves_left", 41),
        ("mystery_merge_1", "peeks", -1),
        ("blitzkrieg", "left_ms", -5),
        ("blitzkrieg", "left_ms", 1 << 50),
    ],
)
def test_what_a_variant_keeps_is_checked(game, name, value, tmp_path):
    data = json.loads(slot_bytes(Slot(game, False, RECORD, played(game))))
    data["run"]["state"]["own"][name] = value
    write(tmp_path, signed(data), game)
    slot = load(tmp_path, game)
    assert (slot.record, slot.run) == (RECORD, None)
    assert len(asides(tmp_path)) == 1


RECORD_FAULTS = {
    "best_score": -1,
    "best": 10**9,
    "best_figure": "4",
    "trophy": 5,
    "n_runs": -3,
    "n_moves": 1.5,
    "runs": [{"seed": 1}],
}


@pytest.mark.parametrize("name", RECORD_FAULTS)
def test_a_record_that_cannot_be_is_refused(name, raw, tmp_path):
    data = json.loads(raw)
    data["record"][name] = RECORD_FAULTS[name]
    wrong = signed(data)
    write(tmp_path, wrong)
    slot = load(tmp_path)
    assert slot.record == MinigameRecord()
    assert slot.run is not None
    assert_set_aside(tmp_path, slot, wrong)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "endgame2048 something"}, "expected"),
        ({"version": 2}, "later version"),
        ({"version": "1"}, "version"),
        ({"game": "ferris_wheel"}, "another game"),
        ({"mode": "hard"}, "another game"),
        ({"game": ["ice_age"]}, "another game"),
    ],
)
def test_a_file_of_something_else_is_set_aside(change, words, raw, tmp_path):
    wrong = signed({**json.loads(raw), **change})
    write(tmp_path, wrong)
    slot = load(tmp_path)
    assert (slot.record, slot.run) == (MinigameRecord(), None)
    assert words in slot.problem
    assert_set_aside(tmp_path, slot, wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"null",
        b"[]",
        b'"text"',
        b"{}",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"record": ' * 50_000,
        b'{"format": "endgame2048 minigame", "version": 1, "game": "ice_age", "mode": "normal"}',
        b"1" * 10_000,
        b"NaN",
    ],
)
def test_no_file_makes_a_traceback(wrong, tmp_path):
    write(tmp_path, wrong)
    slot = load(tmp_path)
    assert (slot.record, slot.run) == (MinigameRecord(), None)
    assert_set_aside(tmp_path, slot, wrong)


def test_no_nesting_of_any_depth_makes_a_traceback(raw, tmp_path):
    head, tail = raw.split(b'"run": ', 1)
    for depth in (50, 900, *range(920, 1001, 8), 5000):
        nested = b"[" * depth + b"]" * depth
        wrong = head + b'"run": ' + nested + b', "run_crc": 1}'
        write(tmp_path, wrong)
        slot = load(tmp_path)
        assert (slot.record, slot.run) == (RECORD, None), depth
        assert_set_aside(tmp_path, slot, wrong)
    assert tail


def test_what_cannot_be_read_for_a_moment_is_left_alone(raw, tmp_path, monkeypatch):
    away = Mock(side_effect=OSError(errno.EIO, "Input/output error"))
    write(tmp_path, raw)
    with monkeypatch.context() as patch:
        patch.setattr("engine.platform.files.input_file.read_limited", away)
        slot = load(tmp_path)
    assert (slot.record, slot.run, slot.is_left_alone) == (MinigameRecord(), None, True)
    assert "cannot be read (Input/output error)" in slot.problem
    assert asides(tmp_path) == []
    assert load(tmp_path).record == RECORD


def test_what_cannot_be_set_aside_is_left_alone(tmp_path, monkeypatch):
    away = Mock(side_effect=OSError(errno.EIO, "Input/output error"))
    write(tmp_path, b"{")
    with monkeypatch.context() as patch:
        patch.setattr("os.rename", away)
        patch.setattr("os.replace", away)
        slot = load(tmp_path)
    assert slot.is_left_alone
    assert "could not be set aside" in slot.problem


def test_a_folder_in_its_place_is_set_aside(tmp_path):
    slot_path(tmp_path, "ice_age", False).mkdir()
    slot = load(tmp_path)
    assert slot.record == MinigameRecord()
    assert len(asides(tmp_path)) == 1


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_ends_where_the_run_did(game, tmp_path):
    run = played(game, hard=True, seed=11, n_actions=80)
    path = save_replay(tmp_path, run.replay, now)
    replay = load_replay(path)
    assert replay == run.replay
    again, _ = play_again(replay, adversary_of(game))
    assert (again.state, again.log) == (run.state, run.log)
    assert again.is_assisted == run.is_assisted


def replay_file(folder: Path, **changes: object) -> Path:
    path = save_replay(folder, MinigameReplay("ice_age", False, 5, "l r u"), now)
    data = {**json.loads(path.read_text(encoding="ascii")), **changes}
    path.write_text(json.dumps(data), encoding="ascii")
    return path


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 2}, "rules 2"),
        ({"version": "1"}, "version"),
        ({"file_version": 2}, "later version"),
        ({"file_version": None}, "version"),
        ({"format": "endgame2048 minigame"}, "expected"),
        ({"game": "chess"}, "chess"),
        ({"seed": "5"}, "seed"),
        ({"hard": 1}, "hard"),
        ({"log": ["l"]}, "log"),
    ],
)
def test_a_replay_that_cannot_be_shown_is_refused(change, words, tmp_path):
    with pytest.raises(InputFileError, match=words):
        load_replay(replay_file(tmp_path, **change))


def test_a_replay_with_another_log_is_refused(tmp_path):
    with pytest.raises(ActionError):
        load_replay(replay_file(tmp_path, log="l r jump"))
    for wrong in (b"", b"[]", b"{" * 3, b"[" * 100_000, b"\xff"):
        path = tmp_path / "one.json"
        path.write_bytes(wrong)
        with pytest.raises(InputFileError):
            load_replay(path)
    with pytest.raises(InputFileError):
        load_replay(tmp_path / "none.json")


def test_a_day_has_a_seed_for_each_game_and_mode():
    days = [date(2026, month, day) for month in range(1, 13) for day in range(1, 29)]
    seeds = {daily_seed(s.name, hard, day) for s in SPECS for hard in (False, True) for day in days}
    assert len(seeds) == 40 * len(days)
    assert all(0 <= seed < 1 << 53 for seed in seeds)
    # The same for everybody, whatever computer and whatever release: these never change.
    assert daily_seed("ice_age", False, date(2026, 1, 1)) == 2917383388650763
    assert 0 <= new_seed((1 << 64) - 1) < 1 << 53


def test_records_never_fall_and_assisted_runs_bring_none():
    run = MinigameRun("endless_giftbox", False, 1)
    run.state = replace(state_of("endless_giftbox", "2 4 _ _", kind=2), score=100_000, best=9)
    record = RECORD.with_run(run)
    assert (record.best_score, record.best, record.best_figure) == (123_456, 12, 100_000)
    assert record.trophy == 3
    run.is_assisted = True
    assert RECORD.with_run(run) == RECORD
    ended = RECORD.with_finished(run, "2026-02-02T00:00:00+00:00")
    assert (ended.best_score, ended.trophy) == (RECORD.best_score, RECORD.trophy)
    assert (ended.n_runs, ended.n_moves) == (18, 9876)
    assert ended.runs[-1] == FinishedRun(
        1, 100_000, 0, 9, 100_000, "", True, "", "2026-02-02T00:00:00+00:00"
    )


def test_the_latest_runs_are_kept():
    record = MinigameRecord()
    for seed in range(KEPT + 5):
        run = MinigameRun("ice_age", False, seed)
        run.state = replace(run.state, score=4 * seed, n_moves=2)
        record = record.with_finished(run, "")
    assert [run.seed for run in record.runs] == list(range(5, KEPT + 5))
    assert (record.n_runs, record.n_moves) == (KEPT + 5, 2 * KEPT + 10)
    assert record.median_score == 4 * (5 + KEPT + 4) // 2
    assert MinigameRecord().median_score == 0


def test_only_the_latest_moves_can_be_taken_back():
    run = MinigameRun("column_chaos", False, 1)
    for _ in range(150):
        run.state = replace(run.state, tiles=(1, *[0] * 15), over="")
        run.do(Action("right")) or run.do(Action("left"))
    assert len(run.past) == 100
