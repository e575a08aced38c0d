"""The program with Python inside, made and tried where there is no Python: minutes.

python -m pytest -m slow tests/packaging/test_frozen.py
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(
        not importlib.util.find_spec("PyInstaller"), reason="needs pip install .[package]"
    ),
]


@pytest.fixture(scope="module")
def program(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    dist = tmp_path_factory.mktemp("dist")
    make = project_root / ".ci" / "package" / "make.py"
    subprocess.run([sys.executable, str(make), "folder", "--dist", str(dist)], check=True)
    if sys.platform == "darwin":
        return dist / "endgame2048.app" / "Contents" / "MacOS" / "endgame2048"
    return dist / "endgame2048" / f"endgame2048{'.exe' if sys.platform == 'win32' else ''}"


def can_hide() -> bool:
    """Return whether this system lets us have mounts of our own."""
    try:
        words = ["unshare", "--mount", "--map-root-user", "true"]
        return subprocess.run(words, check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def test_it_builds_plays_and_opens_the_window(program, project_root):
    check = [sys.executable, str(project_root / ".ci" / "package" / "check.py"), str(program)]
    hidden = {project_root, Path(sys.prefix), Path(sys.base_prefix)} - {Path("/usr")}
    if can_hide():
        check += ["--hide", *map(str, sorted(hidden, reverse=True))]
    subprocess.run(check, check=True)


def test_no_file_of_this_machine_is_in_it(program):
    names = [path.name for path in program.parent.rglob("*")]
    assert not [name for name in names if name.endswith((".kernel", ".part", ".po", ".pyc"))]
    assert not [name for name in names if name.startswith(("test_", "libreadline", "libgtk"))]
