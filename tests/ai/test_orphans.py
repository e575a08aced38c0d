"""Processes that play end with the one that started them."""

import subprocess
import sys
import time

import psutil
import pytest


@pytest.mark.thorough
def test_players_do_not_outlive_a_killed_command(project_root):
    """Killed hard, so that it can't notify anything; its games would run for a day."""
    command = [sys.executable, "main.py", "play", "--games", "50", "--ms", "1000", "--jobs", "2"]
    with subprocess.Popen(command, cwd=project_root, stderr=subprocess.DEVNULL) as parent:
        try:
            workers = _workers_of(parent.pid)
        finally:
            parent.kill()
    gone, alive = psutil.wait_procs(workers, timeout=600)
    for one in alive:
        one.kill()
    assert len(gone) == 2
    assert not alive


def _workers_of(pid: int) -> list[psutil.Process]:
    """Return both workers once they are at work: past the start of the interpreter."""
    while True:
        found = [
            child
            for child in psutil.Process(pid).children()
            if "spawn_main" in " ".join(child.cmdline()) and child.num_threads() > 1
        ]
        if len(found) == 2:
            return found
        time.sleep(0.05)
