"""The wheel, tried as somebody would who installs it: minutes, and pip must find dependencies.

python -m pytest -m slow tests/packaging
"""

import sys
import zipfile
from pathlib import Path

import pytest

from tests.packaging.installing import new_environment, pip, python_in, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
OTHERS = ("ai", "coach", "engine", "gui", "main", "minigames", "tablebase", "web")


@pytest.fixture(scope="module")
def scripts(wheel: Path, folder: Path) -> Path:
    """The folder of the programs of a new environment with the wheel and packages of others."""
    found = new_environment(folder / "environment")
    python = python_in(found)
    others = folder / "others"
    for name in OTHERS:
        (others / name).mkdir(parents=True)
        (others / name / "__init__.py").write_text("raise RuntimeError('of others')\n")
    (others / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        '[project]\nname = "packages-of-others"\nversion = "1"\n'
        f"[tool.setuptools]\npackages = {list(OTHERS)}\n"
    )
    pip(python, "install", wheel, others, folder=folder)
    return found


def test_one_name_is_at_the_top_of_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
        assert "endgame2048/py.typed" in archive.namelist()
        assert "endgame2048/engine/platform/languages/zh_CN.mo" in archive.namelist()
        for name in ("index.html", "page.js", "page.webmanifest", "icon-192.png"):
            assert f"endgame2048/web/page/{name}" in archive.namelist()
    assert {top for top in tops if not top.endswith(".dist-info")} == {"endgame2048"}


def test_an_sdist_makes_the_same_wheel(project_root, folder, wheel):
    script = "import sys; sys.path.insert(0, sys.argv[1]); import build_backend as b; "
    script += "print(b.build_sdist(sys.argv[2]))"
    tool = python_in(new_environment(folder / "with setuptools"))
    pip(tool, "install", "setuptools>=77", "babel>=2.14", folder=folder)
    told = run(tool, "-c", script, project_root / ".ci", folder / "made", folder=folder)
    sdist = folder / "made" / told.split()[-1]
    run(tool, "-m", "tarfile", "-e", sdist, folder / "unpacked", folder=folder)
    (source,) = (folder / "unpacked").iterdir()
    pip(sys.executable, "wheel", "--no-deps", "-w", folder / "again", source, folder=folder)
    (again,) = (folder / "again").glob("*.whl")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        for name in (names := sorted(one.namelist())):
            if not name.endswith("RECORD"):
                assert one.read(name) == other.read(name), name
        assert names == sorted(other.namelist())


def test_the_installed_program_works(scripts, folder):
    program = scripts / "endgame2048"
    assert run(program, "--version", folder=folder).startswith("endgame2048 ")
    run(program, "build", "2x4", "64", folder=folder)
    told = run(program, "probe", "2x4_64", "--board", "ffff10000001ffff", folder=folder)
    assert "best" in told
    assert "reached after" in run(program, "demo", folder=folder)
    run(program, "play", "--games", "2", "--ms", "1", "--jobs", "2", "--no-tables", folder=folder)
    assert "is sound" in run(program, "verify", "2x4_64", "--sample", "20", folder=folder)


PROGRAM = """
import endgame2048 as eg

result = eg.build("2x4", 64, "by a program")
with eg.open_table(result.table) as table:
    answer = table.probe(eg.parse_board("ffff 0204 4252 ffff"))
    print(eg.DIRECTIONS[answer.best], table.after_rates(table.boards(20)).size)
"""


def test_programs_can_import_the_installed_package(scripts, folder):
    python = python_in(scripts)
    assert run(python, "-c", PROGRAM, folder=folder).split() == ["up", "1663"]


WINDOW = """
import sys
from PySide6.QtCore import QTimer
from endgame2048.engine.platform.project_files import own_command
from endgame2048.gui.core.application import application
from endgame2048.gui.core.tasks import CommandProcess
from endgame2048.main import main

app = application()
told = []
child = CommandProcess(own_command("patterns", "--json"))
child.finished.connect(lambda status, message: told.append((status, message)))
child.start()

def look():
    if told:
        app.closeAllWindows()

timer = QTimer(interval=500)
timer.timeout.connect(look)
timer.start()
status = main([])
print(status, told)
"""


def test_the_window_of_the_installed_program_opens(scripts, folder):
    """And the commands that it starts are of the same program."""
    python = python_in(scripts)
    told = run(python, "-c", WINDOW, folder=folder, QT_QPA_PLATFORM="offscreen")
    assert told.split("\n")[-2] == "0 [(0, '')]"


def test_machine_code_is_kept_outside_of_the_installation(scripts, folder):
    site = scripts.parent
    assert not list(site.rglob("*.kernel"))
    assert not list((site).rglob("*.nbi"))
    assert list(folder.rglob("*.kernel"))
