"""The tree that wheels are made of: one top-level package, nothing missing, nothing of others."""

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

PARTS = {"engine", "tablebase", "ai", "gui", "main"}


@pytest.fixture(scope="module")
def nesting(project_root: Path) -> types.ModuleType:
    path = project_root / ".ci" / "nesting.py"
    spec = importlib.util.spec_from_file_location("nesting", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tree(
    nesting: types.ModuleType, project_root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    target: Path = tmp_path_factory.mktemp("nested")
    nesting.nest(project_root, target)
    return target


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom):
            found.add(str(node.module))
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


@pytest.mark.thorough
def test_nothing_of_the_tree_is_outside_of_the_package(tree):
    assert {path.name for path in tree.iterdir()} <= {
        "endgame2048",
        "pyproject.toml",
        "README.md",
        "LICENSE",
    }


@pytest.mark.thorough
def test_every_file_of_the_checkout_is_in_the_tree(tree, project_root):
    folders = {path.parent.name for path in project_root.glob("*/__init__.py")} - {"tests"}
    assert folders >= PARTS - {"main"} | {"endgame2048"}
    for folder in folders:
        inside = tree if folder == "endgame2048" else tree / "endgame2048"
        for path in (project_root / folder).rglob("*"):
            if path.is_file() and path.suffix != ".pyc" and "__pycache__" not in path.parts:
                assert (inside / path.relative_to(project_root)).is_file(), path
    for name in ("main.py", "patterns_config.json", "color_schemes.txt"):
        assert (tree / "endgame2048" / name).is_file()


@pytest.mark.thorough
def test_no_import_of_the_tree_means_a_package_of_others(tree):
    n_own = 0
    for path in sorted((tree / "endgame2048").rglob("*.py")):
        modules = imported(path)
        wrong = {name for name in modules if name.split(".")[0] in PARTS | {"coach", "minigames"}}
        assert not wrong, f"{path.relative_to(tree)} imports {sorted(wrong)}"
        for name in modules:
            if name.startswith("endgame2048."):
                n_own += 1
                place = tree.joinpath(*name.split("."))
                assert place.is_dir() or place.with_suffix(".py").is_file(), f"{path}: {name}"
    assert n_own > 1000


@pytest.mark.thorough
def test_every_line_of_the_tree_is_where_it_was(tree, project_root):
    for name in ("main.py", "ai/cli/play.py", "gui/shell/app.py"):
        old = (project_root / name).read_text(encoding="utf-8").splitlines()
        new = (tree / "endgame2048" / name).read_text(encoding="utf-8").splitlines()
        assert len(old) == len(new)
        assert [line.replace("endgame2048.", "") for line in new] == [
            line.replace("endgame2048.", "") for line in old
        ]


def test_what_names_a_module_is_rewritten_and_nothing_else(nesting):
    old = '''"""Run it: python -m ai.train.genetic; an engine.game of somebody."""
import os, ai.match.match as match
from engine import game
from engineering import bridge
if os:
    from    tablebase.store.codecs import (
        Codec,
    )
NAMES = ["gui.shell.app", 'ai.no_such_module', "engine", "gui.shell.app is open"]
'''
    new = '''"""Run it: python -m endgame2048.ai.train.genetic; an engine.game of somebody."""
import os, endgame2048.ai.match.match as match
from endgame2048.engine import game
from engineering import bridge
if os:
    from    endgame2048.tablebase.store.codecs import (
        Codec,
    )
NAMES = ["endgame2048.gui.shell.app", 'ai.no_such_module', "engine", "gui.shell.app is open"]
'''
    assert nesting.nested_source(old.encode(), PARTS).decode() == new


@pytest.mark.parametrize(
    "line",
    [
        "import engine.game",
        "import ai",
        'CODE = "from ai.match.match import play"',
        "from \\\n  ai import x",
    ],
)
def test_what_cannot_be_rewritten_stops_the_build(line, nesting):
    with pytest.raises(nesting.NestingError, match="line 1"):
        nesting.nested_source(line.encode(), PARTS)


def run(tree: Path, folder: Path, *words: str) -> str:
    """Run Python on the tree outside of the checkout; return what it prints."""
    names = folder / "of others"
    for name in PARTS:
        names.mkdir(exist_ok=True)
        (names / f"{name}.py").write_text("raise RuntimeError('of others')", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(names), str(tree)])},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.thorough
def test_the_tree_runs_beside_packages_of_the_same_names(tree, tmp_path):
    version = run(tree, tmp_path, "-m", "endgame2048", "--version")
    assert re.fullmatch(r"endgame2048 \d+\.\d+\.\d+\S*\n", version)
    patterns = run(
        tree, tmp_path, "-m", "endgame2048", "patterns", "--json", "--data-dir", str(tmp_path)
    )
    assert {"L3", "442"} <= {json.loads(line)["name"] for line in patterns.splitlines()}


@pytest.mark.thorough
def test_a_child_is_the_same_program(tree, tmp_path):
    """Also where the current folder has a package of the program's name."""
    (tmp_path / "endgame2048").mkdir()
    (tmp_path / "endgame2048" / "__main__.py").write_text("raise RuntimeError", encoding="utf-8")
    script = """
import subprocess, sys
sys.path.remove("")
from endgame2048.engine.platform.project_files import own_command
command = own_command("--version")
print(command[1], subprocess.check_output(command, text=True))
"""
    told = run(tree, tmp_path, "-c", script)
    assert str(tree / "endgame2048") in told
    assert "endgame2048 0." in told


@pytest.mark.thorough
def test_the_tree_finds_its_files(tree, tmp_path):
    script = """
from endgame2048.engine.platform.project_files import is_checkout, project_file
from endgame2048.ai.evaluation.evaluation import DEFAULT_WEIGHTS
from endgame2048.tablebase.plan.known_costs import KNOWN_PATH
paths = [project_file("patterns_config.json"), project_file("color_schemes.txt")]
print(is_checkout(), *(path.is_file() for path in (*paths, DEFAULT_WEIGHTS, KNOWN_PATH)))
"""
    assert run(tree, tmp_path, "-c", script).split() == ["False"] + ["True"] * 4


@pytest.mark.thorough
def test_programs_import_the_tree_by_the_same_names(tree, tmp_path):
    script = """
import sys
import endgame2048 as eg
print(not any(name.startswith("endgame2048.") for name in sys.modules))
print(all(getattr(eg, name) is not None for name in eg.__all__))
print(eg.Error.__module__, eg.Game.__module__, eg.Table.__module__)
print(eg.format_board(eg.moves(eg.parse_board("1120 0000 0000 0000"))[eg.LEFT]))
print("L3" in eg.formations())
"""
    assert run(tree, tmp_path, "-c", script).splitlines() == [
        "True",
        "True",
        "endgame2048.engine.platform.errors endgame2048.engine.game endgame2048.tables",
        "2200000000000000",
        "True",
    ]
    assert (tree / "endgame2048" / "py.typed").is_file()
