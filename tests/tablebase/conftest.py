"""Brute-force solutions of small tables, each made once a session, when first asked for."""

from pathlib import Path

import brute_force
import kept_solutions
import pytest
from makers import Solver
from small_formations import rules_of

from tablebase.formation.formation import Formation


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
