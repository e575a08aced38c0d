"""What was found out about tables is kept for the next run, and only for the same question."""

from collections.abc import Callable
from typing import NoReturn

import pytest

from coach.backup.contents import LEFT_OUT
from engine.platform.user_folders import user_folders
from tablebase.formation.formation import Formation
from tablebase.formation.goal import goal_in, goal_of
from tablebase.formation.patterns_file import load_formations
from tablebase.plan import estimate as plan_of_estimates
from tablebase.plan.estimate import Estimate, estimate
from tablebase.plan.known_costs import Counted, StoredCounts
from tablebase.store.options import TableOptions
from tests.child import run

FORMATIONS = load_formations()
LIMITED = TableOptions(small_sum=64)
WAYS = {
    "counted": {"options": TableOptions()},
    "few boards": {"options": TableOptions(), "pilot_slots": 300_000},
    "sampled": {"options": TableOptions(), "pilot_slots": 0},
    "limited": {"options": LIMITED, "pilot_slots": 0},
}


def ask(
    store: StoredCounts | None, watch: Callable[[float], None] | None = None, **way
) -> Estimate:
    """Estimate as if the formation were somebody's own."""
    found = {"known": {}, "tries": 300_000, "watch": watch, **way}
    return estimate(FORMATIONS["2x4"], 128, store=store, **found)


@pytest.fixture
def nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("it is counted or sampled again")

    def begin() -> None:
        for name in ("count_boards", "count_few", "sample", "sample_watched"):
            monkeypatch.setattr(plan_of_estimates, name, refuse)

    return begin


@pytest.mark.sample(2)
@pytest.mark.parametrize("way", WAYS)
def test_what_was_found_out_is_known_the_next_time(tmp_path, way, nothing_is_found_out):
    plain = ask(None, **WAYS[way])
    first = ask(StoredCounts(tmp_path / "estimates"), **WAYS[way])
    assert first == plain
    nothing_is_found_out()
    assert ask(StoredCounts(tmp_path / "estimates"), **WAYS[way]) == first
    assert ask(StoredCounts(tmp_path / "estimates"), lambda _: None, **WAYS[way]) == first
    with pytest.raises(AssertionError):
        ask(None, **WAYS[way])


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "other",
    [
        {"pilot_slots": 0, "tries": 400_000},
        {"options": TableOptions(small_sum=72), "pilot_slots": 0},
        {"options": TableOptions(small_sum=64, most_equal=3), "pilot_slots": 0},
    ],
)
def test_another_question_has_another_answer(tmp_path, other, nothing_is_found_out):
    store = StoredCounts(tmp_path)
    for way in WAYS.values():
        ask(store, **way)
    nothing_is_found_out()
    with pytest.raises(AssertionError):
        ask(store, **other)


def test_formations_and_targets_are_told_apart(tmp_path):
    store, found = StoredCounts(tmp_path), iter(range(1, 10))

    def once(formation: Formation, target: str | int) -> int:
        return store.once(formation, goal_in(target), 1, lambda: Counted(next(found), 0)).boards

    asked = [("2x4", 128), ("2x4", 64), ("3x3", 128), ("2x4", "sum128")]
    first = [once(FORMATIONS[name], target) for name, target in asked]
    assert first == [1, 2, 3, 4]
    assert [once(FORMATIONS[name], target) for name, target in asked] == first


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"[]",
        b"{}",
        b'{"boards": "7", "stored": 3, "bytes": 1}',
        b'{"boards": -7, "stored": 3, "bytes": 1}',
        b'{"boards": true, "stored": 3, "bytes": 1}',
        b'{"boards": null, "stored": 3, "bytes": 1}',
        b'{"boards": 7, "stored": 3, "bytes": ""}',
        b'{"boards": 7, "stored": 3, "bytes": 1' + b"0" * 400 + b"}",
        b"[" * 4000,
        b'{"boards": 7, "stored": 3, "bytes": 1}' + b" " * 5000,
    ],
)
def test_a_damaged_file_is_found_out_again(tmp_path, damage):
    store, formation, target = StoredCounts(tmp_path), FORMATIONS["2x4"], goal_of(64)
    store.once(formation, target, 1, lambda: Counted(1, 1, 1))
    (file,) = tmp_path.iterdir()
    file.write_bytes(damage)
    assert store.once(formation, target, 1, lambda: Counted(5, 4, None)) == Counted(5, 4, None)
    assert store.once(formation, target, 1, lambda: Counted(9, 9, 9)) == Counted(5, 4, None)


def test_nothing_is_kept_of_an_estimate_that_was_ended(tmp_path):
    class EnoughError(Exception):
        """Nobody wants to know any more."""

    def enough(fraction: float) -> None:
        if fraction > 0.3:
            raise EnoughError

    with pytest.raises(EnoughError):
        ask(StoredCounts(tmp_path), enough, pilot_slots=0)
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_written_it_is_found_out_each_time(tmp_path):
    in_the_way = tmp_path / "estimates"
    in_the_way.write_bytes(b"a file")
    store = StoredCounts(in_the_way)
    for boards in (3, 4):
        found = store.once(FORMATIONS["2x4"], goal_of(64), 1, lambda n=boards: Counted(n, 1))
        assert found.boards == boards


@pytest.mark.thorough
def test_commands_keep_estimates_in_the_data_folder(tmp_path):
    folder = user_folders(tmp_path).estimates
    told = run("estimate", "L3", "128", "--small-sum", "64", "--data-dir", str(tmp_path)).stdout
    files = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert len(files) == 1
    again = run("estimate", "L3", "128", "--small-sum", "64", "--data-dir", str(tmp_path)).stdout
    assert again.splitlines()[:2] == told.splitlines()[:2]
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == files
    assert folder.name in LEFT_OUT
