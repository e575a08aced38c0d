"""What is compiled ahead is what is needed later."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ai.preparation import prepared_formations
from engine.project_files import CACHE_VARIABLE
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


@pytest.mark.slow
def test_nothing_is_compiled_after_the_preparation(tmp_path: Path, project_root: Path):
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
