"""What goes into the program that needs no Python, before minutes are spent on making it."""

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import engine.platform.project_files
from engine.platform.project_files import own_command

NAMES = ("ai", "coach", "engine", "endgame2048", "gui", "minigames", "tablebase", "web")


@pytest.fixture(scope="module")
def contents(project_root: Path) -> ModuleType:
    folder = str(project_root / ".ci" / "package")
    sys.path.insert(0, folder)
    try:
        return importlib.import_module("contents")
    finally:
        sys.path.remove(folder)


def test_every_file_that_is_no_code_is_in_it(contents, project_root):
    told = subprocess.run(
        ["git", "ls-files", "-z", *NAMES, "color_schemes.txt", "patterns_config.json"],
        cwd=project_root,
        capture_output=True,
        text=True,
        check=False,
    )
    if told.returncode:
        pytest.skip("no checkout of git")
    tracked = {name for name in told.stdout.split("\0") if name}
    names = ["ai", "coach", "engine", "endgame2048", "gui", "minigames", "tablebase", "web"]
    taken = {
        p.relative_to(project_root).as_posix() for p in contents.own_files(project_root, names)
    }
    assert {name for name in tracked if not name.endswith((".py", ".po"))} <= taken
    assert "engine/platform/languages/zh_CN.mo" in taken
    assert not [name for name in taken if "__pycache__" in name or name.endswith(".po")]
    modules = contents.modules(project_root, NAMES)
    assert {"engine", "engine.kernels.cells", "endgame2048.builds", "gui.shell.app"} <= {*modules}


@pytest.mark.parametrize(
    ("file", "is_included"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        ("PySide6\\plugins\\styles\\qmodernwindowsstyle.dll", True),
        ("PySide6/Qt/plugins/platforms/libqcocoa.dylib", True),
        ("PySide6/Qt/plugins/platforms/libqeglfs.so", False),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/tls/libqopensslbackend.so", False),
        ("PySide6/Qt/plugins/imageformats/libqsvg.so", True),
        ("PySide6/Qt/lib/libQt6Core.so.6", True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("libQt6EglFSDeviceIntegration.so.6", False),
        ("PySide6/Qt6Gui.dll", True),
        ("PySide6/Qt6Qml.dll", False),
        ("PySide6/QtCore.abi3.so", True),
        ("PySide6/QtWidgets.pyd", True),
        ("PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore", True),
        ("PySide6/Qt/lib/QtQml.framework/Versions/A/QtQml", False),
        ("PySide6/Qt/lib/libicudata.so.73", True),
        ("PySide6/Qt/translations/qtbase_zh_CN.qm", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so", True),
        ("gui/style/icons/save.svg", True),
    ],
)
def test_of_qt_there_is_what_the_window_uses(file, is_included, contents):
    assert contents.is_included(file) is is_included


def test_a_frozen_program_starts_itself(monkeypatch, tmp_path):
    """On Windows the window has a program of its own, of which nobody can read the output."""
    window, console = tmp_path / "endgame2048-gui.exe", tmp_path / "endgame2048.exe"
    monkeypatch.setattr(engine.platform.project_files.sys, "frozen", True, raising=False)
    monkeypatch.setattr(engine.platform.project_files.sys, "executable", str(window))
    assert own_command("tables") == [str(window), "tables"]
    console.touch()
    assert own_command("tables", "--json") == [str(console), "tables", "--json"]
