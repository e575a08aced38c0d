"""What is compiled ahead is what is needed later."""

import os
import subprocess
import sys

import psutil
import pytest

from ai.cli.prepare import n_jobs
from ai.errors import PreparationError
from ai.preparation import prepare, prepared_formations
from engine.platform.project_files import CACHE_VARIABLE
from tablebase.errors import BuildCancelledError
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations

# A table of each kind that kernels tell apart, of another size than those of the preparation.
BUILDS = (
    *(("442", "uint32"), ("44", "uint64"), ("L1", "float64"), ("2x4", "uint16")),
    ("3x3", "uint32"),
)


def kind_of(formation: Formation) -> tuple[str, int, bool]:
    return formation.symmetry, min(2, len(formation.masks)), formation.walls


def test_each_kind_of_formation_is_prepared():
    kinds = {kind_of(one) for one in prepared_formations()}
    assert {kind_of(one) for one in load_formations().values()} <= kinds


@pytest.mark.parametrize(
    ("processors", "free_bytes", "jobs"),
    [(1, 16e9, 1), (2, 16e9, 2), (64, 16e9, 2), (8, 9e8, 1), (8, 3e8, 1), (None, 16e9, 1)],
)
def test_as_many_processes_compile_as_there_is_room_for(processors, free_bytes, jobs, monkeypatch):
    memory = psutil.virtual_memory()._replace(available=int(free_bytes))
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory)
    assert n_jobs() == jobs


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_steps_are_counted_until_it_is_stopped(jobs):
    told: list[tuple[int, int]] = []
    with pytest.raises(BuildCancelledError):
        prepare(lambda *step: told.append(step), lambda: len(told) > 3, jobs)
    total = told[0][1]
    assert told[:4] == [(i, total) for i in range(4)]
    assert len(told) == 4 < total
    children = [" ".join(child.cmdline()) for child in psutil.Process().children()]
    assert [command for command in children if "spawn_main" in command] == []


@pytest.mark.slow
def test_a_process_that_ends_early_is_told():
    def end_one(_done: int, _total: int) -> None:
        for child in psutil.Process().children():
            if "spawn_main" in " ".join(child.cmdline()):
                child.kill()
                return

    with pytest.raises(PreparationError, match="ended early"):
        prepare(end_one, lambda: False, 2)


@pytest.mark.slow
def test_nothing_is_compiled_after_the_preparation(tmp_path, project_root):
    environment = {**os.environ, CACHE_VARIABLE: str(tmp_path / "cache")}

    def run(*words: str) -> None:
        command = [sys.executable, str(project_root / "main.py"), *words]
        command += ["--data-dir", str(tmp_path / "data")]
        subprocess.run(command, env=environment, check=True, capture_output=True)

    def kernels() -> set[str]:
        return {path.name for path in (tmp_path / "cache" / "kernels").iterdir()}

    run("prepare")
    ready = kernels()
    assert ready
    for name, rate in BUILDS:
        run("build", name, "64", "--rate", rate)
        run("verify", f"{name}_64", "--sample", "20")
    assert kernels() == ready
