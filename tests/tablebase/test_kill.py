"""A build killed at any moment resumes by itself and ends with the same bytes.

Killed before an operation on the disk that a seed has chosen, so that a failure comes again.
"""

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from child import ROOT, contents, environment
from makers import TableMaker

from tablebase.maintain.convert import ConvertPlan, convert
from tablebase.probe.reader import Tablebase

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(os.name == "nt", reason="processes are killed by a signal"),
]

PATTERN, TARGET = "44", 128  # many small layers: most of the time goes into writing files
KILLED = -9


@pytest.fixture(scope="module", params=[False, True], ids=["all boards", "optimal only"])
def options(request: pytest.FixtureRequest) -> list[str]:
    return ["--optimal-only"] * request.param


@pytest.fixture(scope="module")
def uninterrupted(
    table: TableMaker, options: list[str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, bytes]:
    folder = table(PATTERN, TARGET)
    if options:  # by another way: thinned once it was whole
        out = tmp_path_factory.mktemp("thinned")
        convert(ConvertPlan([folder], optimal_only=True, out=out, threads=1))
        folder = out / folder.name
    return contents(folder)


def run_build(
    folder: Path, threads: int, options: list[str], scratch: Path | None = None, **wound: object
) -> int:
    """Build in its own process, disturbed as requested; return its status."""
    from tests.bench.faults.wound import Wound, words

    arguments: tuple[object, ...] = ("build", PATTERN, TARGET, "--out", folder, *options)
    arguments += ("--threads", threads, *(("--scratch", scratch) if scratch else ()))
    return subprocess.run(
        [*words(Wound(**wound)), *map(str, arguments)],  # type: ignore[arg-type]
        cwd=ROOT,
        env={**environment(), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=600,
        check=False,
    ).returncode


@pytest.mark.parametrize("n_kills", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_kills_do_not_change_a_byte(tmp_path, uninterrupted, options, n_kills):
    """Killed, resumed and killed again; a table that gets finished is checked and started anew.

    Now and then working files are to lie elsewhere, so that some are killed while they move.
    """
    assert run_build(tmp_path / "counted", 1, options, tell=str(tmp_path / "steps")) == 0
    n_steps = int((tmp_path / "steps").read_text())
    assert n_steps > 500
    rng = random.Random(2048)
    n_killed = n_finished = 0
    folder = tmp_path / f"{PATTERN}_{TARGET}"
    places = [tmp_path / "one drive", tmp_path / "another"]
    while n_killed < n_kills or not n_finished:
        # The last one runs to its end.
        at = rng.randrange(n_steps // 2) if n_killed < n_kills else n_steps * 2
        scratch = rng.choice([None, *places])
        how = rng.choice(["die", "tear"])
        status = run_build(tmp_path, 1 + n_killed % 2, options, scratch, at=at, how=how)
        if status == KILLED:
            n_killed += 1
            continue
        assert status == 0
        assert contents(folder) == uninterrupted
        assert not any(list(place.iterdir()) for place in places if place.exists())
        with Tablebase.open(folder) as reader:
            assert reader.name == f"{PATTERN}_{TARGET}"
        n_finished += 1
        shutil.rmtree(folder)
