"""Who may import whom, and what importing costs."""

import ast
import re
import shutil
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests.child import python

PACKAGES = ("engine", "tablebase", "ai", "coach", "minigames", "gui", "web", "endgame2048")
GUARDED = {*PACKAGES, "PySide6", "main", "tests"}
# The first reads a pickle by an unpickler that knows no code, the second what it signed itself: see
# the heads of these files.
MAY_IMPORT_PICKLE = {"engine/formats/plain_pickle.py", "engine/platform/kernel_cache.py"}
FORBIDDEN_OPTIONS = (("allow_pickle", True), ("parallel", True))
# What answers at once, without numba: the window, `patterns`, `--help` use it.
WITHOUT_COMPILER = (
    "bitboard",
    "course_script",
    "platform.errors",
    "game",
    "geometry",
    "moves",
    "spawn",
    "symmetry",
    "trace",
    "platform.quantities",
)


def imported_roots(path: Path) -> set[str]:
    """Return the top-level packages that a file imports, inside functions too."""
    roots = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            roots |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            roots.add(str(node.module).split(".")[0])
    return roots


def modules_of(package: str, project_root: Path) -> list[Path]:
    """Return the files of a package; one without any would pass every test of this file."""
    found = sorted((project_root / package).rglob("*.py"))
    assert found, package
    return found


def test_every_package_is_guarded(project_root):
    packages = {path.parent.name for path in project_root.glob("*/__init__.py")}
    assert packages - {"tests"} == set(PACKAGES)


def contracts(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of pyproject.toml, room by room, for the checkout in `folder`."""
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as run; run()",
    ]
    return subprocess.run(
        [*command, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )


UPWARD = (
    ("engine/spawn.py", "from tablebase.errors import TableError"),
    ("tablebase/store/codecs.py", "from tablebase.probe.reader import Tablebase"),
    ("ai/search/search.py", "from ai.match.match import Match"),
    ("coach/grading/grade.py", "from coach.play.run import Run"),
    ("minigames/board.py", "from minigames.rules import Rules"),
    ("minigames/families/ice.py", "from minigames.run import Run"),
    ("minigames/store.py", "from coach.record.database import open_database"),
    ("minigames/view.py", "from PySide6.QtCore import QObject"),
    ("gui/home/page.py", "from gui.practice.page import PracticePage"),
    ("gui/formations/formation_actions.py", "from gui.tables.page import TablesPage"),
    ("coach/play/run.py", "from PySide6.QtCore import QObject"),
    ("endgame2048/tables.py", "from gui.text.rates import rate_text"),
    ("gui/home/page.py", "from endgame2048.tables import open_table"),
    ("web/service/games.py", "from gui.text.rates import rate_text"),
    ("coach/cli/hint.py", "from web.service.games import Games"),
    ("coach/cli/hint.py", "from tablebase.cli.probe import open_tables"),
    ("coach/play/run.py", "from ai.cli.play import run"),
    ("tablebase/library/advice.py", "from tablebase.cli.advise import run"),
    ("web/service/tables.py", "from tablebase.cli.tables import run"),
    ("gui/home/page.py", "from minigames.cli.minigame import run"),
    ("web/service/games.py", "from web.cli.serve import run"),
    ("ai/protocol/session.py", "from starlette.routing import Router"),
    ("web/service/games.py", "from minigames.run import Run"),
    ("endgame2048/tables.py", "from coach.play.run import Run"),
    ("coach/play/run.py", "from minigames.run import Run"),
    ("gui/home/page.py", "from web.service.games import Games"),
    ("engine/spawn.py", "from tests.oracle import move"),
    ("gui/home/page.py", "from main import main"),
)


@pytest.fixture(scope="module")
def complaints(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is said of a checkout with all of these imports."""
    folder = tmp_path_factory.mktemp("checkout")
    for package in PACKAGES:
        shutil.copytree(
            project_root / package,
            folder / package,
            ignore=shutil.ignore_patterns("__pycache__", "*.net", "*.svg"),
        )
    shutil.copy(project_root / "pyproject.toml", folder)
    for path, line in UPWARD:
        with (folder / path).open("a", encoding="utf-8") as file:
            file.write(f"\n\n{line}\n")
    done = contracts(folder)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize(("path", "line"), UPWARD)
def test_an_import_upward_breaks_a_contract(path, line, complaints):
    """By itself, not only as a part of a longer way."""
    module = path.removesuffix(".py").replace("/", ".")
    imported = line.split()[1]
    if imported.split(".")[0] not in PACKAGES:
        imported = imported.split(".")[0]  # the parts of other packages don't matter
    direct = rf"^- +{module} -> {imported} \(l\.\d+\)\n\n"
    assert re.search(direct, complaints, re.MULTILINE), complaints


def test_no_files_import_each_other_in_a_circle():
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    imported = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    assert len(list(TopologicalSorter(imported).static_order())) > 400  # raises CycleError


def test_the_oracles_know_nothing_of_the_program(project_root):
    names = "oracle.py", "brute_force.py", "brute_force_arrays.py", "minigames/slow_rules.py"
    for name in names:
        assert not imported_roots(project_root / "tests" / name) & GUARDED


@pytest.mark.thorough
@pytest.mark.parametrize("package", PACKAGES)
def test_no_code_comes_from_data_and_nothing_is_global(package, project_root):
    """Also, kernels leave numba's own thread pool alone."""
    for path in modules_of(package, project_root):
        from_code = imported_roots(path) & {"pickle", "marshal", "shelve", "dill"}
        may_read = path.relative_to(project_root).as_posix() in MAY_IMPORT_PICKLE
        assert from_code <= ({"pickle"} if may_read else set()), path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
            where = f"{path.relative_to(project_root)}:{getattr(node, 'lineno', 0)}"
            assert not isinstance(node, ast.Global), where
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "prange"), where
            if isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant):
                assert (node.arg, node.value.value) not in FORBIDDEN_OPTIONS, where


def test_importing_main_loads_neither_numba_nor_qt():
    code = "import sys, main; print(*sorted({'numba', 'PySide6'} & set(sys.modules)))"
    assert python(code) == ""


def test_the_plain_part_of_the_engine_loads_no_compiler():
    names = ", ".join(f"engine.{name}" for name in (*WITHOUT_COMPILER, "variants"))
    assert python(f"import sys, {names}; print('numba' in sys.modules)") == "False"


@pytest.mark.thorough
def test_importing_every_module_compiles_nothing(tmp_path):
    """One that is compiled on purpose shows that it would be seen."""
    code = """
import importlib, os, pathlib, sys
from numba.core import event
os.environ["ENDGAME2048_CACHE_DIR"] = sys.argv[1]
compiled = []
class Watch(event.Listener):
    def on_start(self, event):
        compiled.append(event.data["dispatcher"].py_func.__name__)
    def on_end(self, event):
        pass
event.register("numba:compile", Watch())
for package in ("engine", "tablebase", "ai", "coach", "minigames", "web"):
    for path in sorted(pathlib.Path(package).rglob("*.py")):
        importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
from engine.kernels.symmetry import mirror
mirror(1)
print(*compiled)
"""
    assert python(code, str(tmp_path)) == "mirror"


def test_no_two_test_files_share_a_name(project_root):
    # pytest takes them for one module, but only in a run that collects both.
    names = sorted(path.name for path in (project_root / "tests").rglob("test_*.py"))
    assert len(names) > 100
    assert names == sorted(set(names))


@pytest.mark.parametrize("package", PACKAGES)
def test_numba_is_imported_before_its_parts(package, project_root):
    """Of two threads one would else hold a part that the other one, importing numba, waits for."""
    for path in modules_of(package, project_root):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path)))
        modules = [
            name
            for node in nodes
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for name in (
                [node.module]
                if isinstance(node, ast.ImportFrom)
                else [alias.name for alias in node.names]
            )
            if str(name).split(".")[0] == "numba"
        ]
        assert modules[:1] in ([], ["numba"]), path
