"""A build that is killed at any moment goes on by itself and ends with the same bytes."""

import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from child import command, contents, environment, run
from makers import TableMaker

from tablebase.reader import Tablebase

PATTERN, TARGET = "44", 256  # many small layers: most of the time goes into writing files
N_KILLS = 20


@pytest.fixture(scope="module")
def uninterrupted(table: TableMaker) -> dict[str, bytes]:
    return contents(table(PATTERN, TARGET))


@pytest.fixture(scope="module")
def build_seconds(tmp_path_factory: pytest.TempPathFactory) -> float:
    """How long a build in a process of its own takes, with warm kernels."""
    seconds = []
    for attempt in range(2):
        folder = tmp_path_factory.mktemp(f"timing{attempt}")
        started = time.monotonic()
        assert run("build", PATTERN, TARGET, "--out", folder, "--json").returncode == 0
        seconds.append(time.monotonic() - started)
    return min(seconds)


def start_build(folder: Path, threads: int) -> "subprocess.Popen[bytes]":
    words = ("build", PATTERN, TARGET, "--out", folder, "--threads", threads, "--json")
    return subprocess.Popen(
        command(*words),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )


def test_twenty_kills_do_not_change_a_byte(
    tmp_path: Path, uninterrupted: dict[str, bytes], build_seconds: float
) -> None:
    """Killed, resumed and killed again; a table that gets finished is checked and started anew."""
    rng = random.Random(2048)
    n_killed = n_finished = 0
    folder = tmp_path / f"{PATTERN}_{TARGET}"
    while n_killed < N_KILLS:
        process = start_build(tmp_path, threads=1 + n_killed % 2)
        try:
            process.wait(timeout=rng.uniform(0.25, 1.0) * build_seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            n_killed += 1
        else:
            assert process.returncode == 0
            assert contents(folder) == uninterrupted
            shutil.rmtree(folder)
            n_finished += 1
    result = run("build", PATTERN, TARGET, "--out", tmp_path)
    assert result.returncode == 0, result.stderr
    assert contents(folder) == uninterrupted
    with Tablebase.open(folder) as reader:
        assert reader.name == f"{PATTERN}_{TARGET}"
