"""Only the newest instance computes, whatever happens to the others and to the file."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.screensaver.saver_game import Holder, Lease, process_lives


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "screensaver.lease"


def holders(leases: list[Lease]) -> list[bool]:
    return [lease.is_mine() for lease in leases]


def test_the_newest_takes_over_and_leaves_it_to_the_others(path):
    first = Lease(path)
    assert first.is_mine()
    second = Lease(path)
    assert second.is_mine()
    assert not first.is_mine()
    assert not first.is_mine()
    assert second.is_mine()
    first.release()  # holds nothing, so nothing changes
    assert second.is_mine()
    second.release()
    assert not path.exists()
    assert first.is_mine()


def test_newer_is_told_by_birth_not_by_who_looks_first(path):
    first = Lease(path, now_ns=lambda: 1)
    second = Lease(path, now_ns=lambda: 2)
    assert first.is_mine()
    assert second.is_mine()
    assert holders([first, second, first]) == [False, True, False]


def test_a_clock_that_goes_back_makes_nobody_older(path):
    first = Lease(path, now_ns=lambda: 1000)
    assert first.is_mine()
    second = Lease(path, now_ns=lambda: 10)
    assert holders([second, first]) == [True, False]


def test_of_two_that_began_at_the_same_time_the_first_to_take_it_keeps_it(path):
    first, second = (Lease(path, now_ns=lambda: 1) for _ in range(2))
    assert holders([second, first, second, first]) == [True, False, True, False]


def test_what_a_dead_process_held_is_free(path):
    lease = Lease(path, now_ns=lambda: 5)
    script = (
        "import sys; from pathlib import Path; from gui.screensaver.saver_game import Lease;"
        f"print(Lease(Path({str(path)!r})).is_mine())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.strip() == "True"
    assert json.loads(path.read_text())["stamp"] > 5
    assert lease.is_mine()


def test_a_process_that_only_has_the_number_of_a_dead_one_is_another(path):
    waiting = Lease(path, now_ns=lambda: 5)
    assert Lease(path, now_ns=lambda: 9).is_mine()
    data = json.loads(path.read_text())
    assert (data["pid"], data["started"]) == (os.getpid(), psutil.Process().create_time())
    assert not waiting.is_mine()
    data["started"] -= 3600
    path.write_text(json.dumps(data))
    assert waiting.is_mine()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"version": 1}',
        '{"version": 2, "stamp": 9, "pid": 1, "started": 1.0, "key": "a"}',
        '{"version": 1, "stamp": "9", "pid": 1, "started": 1.0, "key": "a"}',
        '{"version": 1, "stamp": 9, "pid": 1, "started": 1.0, "key": "a", "more": 1}',
        "\xff\xfe",
    ],
)
def test_a_file_that_is_no_lease_is_taken(path, text):
    path.parent.mkdir()
    path.write_text(text, encoding="latin-1")
    lease = Lease(path)
    assert lease.is_mine()
    assert json.loads(path.read_text())["version"] == 1


def test_where_nothing_can_be_written_each_plays_for_itself(tmp_path):
    (tmp_path / "file").write_text("a file where the folder should be")
    assert Lease(tmp_path / "file" / "lease").is_mine()


@pytest.mark.thorough
@given(st.lists(st.sampled_from(["new", "look", "end"]), max_size=30), st.randoms())
def test_in_any_order_at_most_one_computes_and_it_is_the_newest(tmp_path_factory, steps, rng):
    path = tmp_path_factory.mktemp("lease") / "lease"
    times = itertools.count(1)
    alive: list[Lease] = []
    for step in steps:
        if step == "new":
            alive.append(Lease(path, now_ns=lambda: next(times)))
        elif step == "end" and alive:
            alive.pop(rng.randrange(len(alive))).release()
        elif alive:
            rng.choice(alive).is_mine()
    if alive:
        alive[-1].is_mine()
        assert holders(alive) == [False] * (len(alive) - 1) + [True]
    assert not list(path.parent.glob("*.part"))


def test_the_own_process_lives():
    own = psutil.Process()
    assert process_lives(Holder(1, own.pid, own.create_time(), "a"))
