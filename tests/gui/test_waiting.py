"""Waiting in a test leaves the workers their time."""

import threading
from pathlib import Path

import pytest

from tests.gui.waiting import rest

N_READS = 3000  # Python's lock is let go and wanted back at each of them


@pytest.mark.usefixtures("qapp")
def test_a_worker_goes_on_while_a_test_waits():
    done = threading.Event()

    def read() -> None:
        for _ in range(N_READS):
            Path(__file__).open("rb").close()
        done.set()

    worker = threading.Thread(target=read)
    worker.start()
    rest(1500)
    was_done = done.is_set()
    worker.join()
    assert was_done


def test_no_test_waits_with_pythons_lock_in_hand(project_root):
    waiting = ".qWait" + "("
    for path in sorted((project_root / "tests").rglob("*.py")):
        assert waiting not in path.read_text(encoding="utf-8"), f"{path}: see tests/gui/waiting.py"
