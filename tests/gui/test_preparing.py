"""Kernels that are compiled while the window is used; and the mark that says that all are there."""

import sys

import pytest

from engine.platform.prepared_mark import PreparedMark
from gui.work.preparing import Preparing

CHILD = """
import sys
print('{"event": "progress", "done": 3, "total": 40}', flush=True)
sys.stdin.readline()
sys.exit(3)
"""


@pytest.fixture
def preparing_of(qapp, tasks):
    made = []

    def make(is_ready: bool, code: str = CHILD) -> Preparing:
        command = [sys.executable, "-c", code]
        made.append(Preparing(tasks, lambda: command, qapp, lambda: is_ready))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_what_is_ready_starts_nothing(qtbot, tasks, preparing_of):
    preparing = preparing_of(True)
    preparing.start()
    answered = []
    tasks.run(lambda: None, answered.append)
    qtbot.waitUntil(lambda: bool(answered))
    assert not preparing.is_running


def test_it_tells_how_far_it_is_and_can_be_stopped(qtbot, preparing_of):
    preparing = preparing_of(False)
    preparing.start()
    qtbot.waitUntil(lambda: preparing.total == 40)
    assert preparing.done == 3
    preparing.stop()
    assert preparing.is_stopping
    qtbot.waitUntil(lambda: not preparing.is_running)
    preparing.start()
    assert not preparing.is_running, "whoever stopped it meant it"


def test_the_child_ends_with_the_window(qtbot, preparing_of):
    preparing = preparing_of(
        False, CHILD.replace("sys.stdin.readline()", "import time; time.sleep(99)")
    )
    preparing.start()
    qtbot.waitUntil(lambda: preparing.total == 40)
    preparing.close()
    assert not preparing.is_running


def test_a_child_that_fails_bothers_nobody(qtbot, preparing_of):
    preparing = preparing_of(False, "import sys; sys.exit(1)")
    with qtbot.waitSignal(preparing.changed):
        preparing.start()
    assert not preparing.is_running


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "engine").mkdir()
    path = tmp_path / "engine" / "kernel.py"
    path.write_text("one")
    return path


def test_the_mark_holds_until_a_source_changes(sources, tmp_path):
    def mark() -> PreparedMark:
        return PreparedMark(tmp_path / "cache", tmp_path)

    assert not mark().is_set
    first = mark()
    first.begin()
    first.set()
    assert mark().is_set
    sources.write_text("another")
    assert not mark().is_set


def test_what_changes_while_it_is_compiled_is_not_ready(sources, tmp_path):
    mark = PreparedMark(tmp_path / "cache", tmp_path)
    mark.begin()
    sources.write_text("another")
    mark.set()
    assert not mark.is_set
