"""The cases of a test that make test runs: all, or as many as the mark `sample` says."""

import subprocess
import sys

import pytest

SOURCE = """
import pytest

@pytest.mark.sample(2)
@pytest.mark.parametrize("n", range(9))
def test_many(n):
    pass

@pytest.mark.parametrize("n", range(3))
def test_few(n):
    pass

@pytest.mark.sample(1)
@pytest.mark.parametrize("n", [pytest.param(4, marks=pytest.mark.slow), 5, 6])
def test_slow(n):
    pass
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("chosen", "cases"),
    [
        (
            "not slow and not thorough",
            ["many[0]", "many[4]", "few[0]", "few[1]", "few[2]", "slow[5]"],
        ),
        ("thorough and not slow", [*(f"many[{n}]" for n in (1, 2, 3, 5, 6, 7, 8)), "slow[6]"]),
        ("slow", ["slow[4]"]),
    ],
)
def test_cases_are_spread_and_none_is_lost(chosen, cases, tmp_path, project_root):
    path = tmp_path / "test_cases.py"
    path.write_text(SOURCE)
    words = ("-p", "tests.conftest", "--collect-only", "-q", "-o", "addopts=", "-m", chosen, path)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *map(str, words)],
        cwd=project_root,
        capture_output=True,
        text=True,
    )
    found = [line.partition("::test_")[2] for line in done.stdout.splitlines() if "::" in line]
    assert found == cases, done.stdout + done.stderr
