"""Small tables and their brute-force solutions, each made once a session, when first asked for."""

from pathlib import Path

import brute_force
import kept_solutions
import pytest
from makers import Solver, TableMaker
from small_formations import TINY, rules_of

from tablebase.build.builder import BuildPlan, build
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations
from tablebase.store.options import TableOptions


@pytest.fixture(scope="session")
def formations() -> dict[str, Formation]:
    """The project's formations and the tiny ones of these tests, by name."""
    return load_formations() | TINY


@pytest.fixture(scope="session")
def table(formations: dict[str, Formation], tmp_path_factory: pytest.TempPathFactory) -> TableMaker:
    """Return ``table(name, target, rate="uint32") -> Path``; never write to what it returns."""
    tables = tmp_path_factory.mktemp("tables")

    def make(name: str, target: int, rate: str = "uint32") -> Path:
        folder = tables / rate / f"{name}_{target}"
        if not folder.exists():
            options = TableOptions(rate=rate)
            build(BuildPlan(formations[name], target, folder, options, threads=2))
        return folder

    return make


@pytest.fixture(scope="session")
def kept_solutions_folder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Where solutions by brute force stay between runs, unless pytest keeps nothing."""
    cache = getattr(request.config, "cache", None)
    return cache.mkdir("solutions") if cache else tmp_path_factory.mktemp("solutions")


@pytest.fixture(scope="session")
def solution(formations: dict[str, Formation], kept_solutions_folder: Path) -> Solver:
    """Return ``solution(name, target) -> brute_force.Solution``."""
    solved: dict[tuple[str, int], brute_force.Solution] = {}

    def solve(name: str, target: int) -> brute_force.Solution:
        if (name, target) not in solved:
            rules = rules_of(formations[name], target)
            solved[name, target] = kept_solutions.solve(rules, kept_solutions_folder)
        return solved[name, target]

    return solve
