"""The wheel, installed elsewhere: programs run as by a user without a checkout."""

import os
import subprocess
import sys
import venv
from pathlib import Path

from engine.platform.project_files import CACHE_VARIABLE


def environment_of(folder: Path, **variables: str) -> dict[str, str]:
    """Return the variables of a user whose home is `folder`."""
    ours = ("PYTHONPATH", CACHE_VARIABLE)
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    homes = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA"), str(folder))
    return {**environment, **homes, **variables}


def run(*words: object, folder: Path, status: int = 0, **variables: str) -> str:
    """Run a program in `folder`, which is also the user's home; return what it prints."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=environment_of(folder, **variables),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout + (done.stderr if status else "")


def pip(python: Path | str, *words: object, folder: Path) -> None:
    run(python, "-m", "pip", "--disable-pip-version-check", *words, folder=folder)


def new_environment(place: Path) -> Path:
    """Make a virtual environment; return the folder of its programs, `python` among them."""
    venv.create(place, with_pip=True)
    return place / ("Scripts" if os.name == "nt" else "bin")


def python_in(programs: Path) -> Path:
    return programs / Path(sys.executable).name
