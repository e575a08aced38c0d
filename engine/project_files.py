"""Where the files that come with the program are: data, not code, beside the packages.

In a checkout they lie in its root; installed, everything lies in the package ``endgame2048``, the
packages of the checkout and its data files side by side as they do there. Frozen, by PyInstaller,
they lie so beside the libraries, and the program is a file that needs no Python.
"""

import os
import sys
import time
from pathlib import Path

APP_NAME = "endgame2048"
CACHE_VARIABLE = "ENDGAME2048_CACHE_DIR"
"""The environment variable that names another folder for compiled kernels."""
PROJECT_ROOT = Path(__file__).parent.parent


def is_checkout() -> bool:
    """Tell whether the program runs from its source folder rather than installed."""
    return (PROJECT_ROOT / "pyproject.toml").is_file()


def is_frozen() -> bool:
    """Tell whether the program is one of its own, with Python inside."""
    return bool(getattr(sys, "frozen", False))


def project_file(name: str) -> Path:
    """Return the path of a file of the project, such as ``patterns_config.json``."""
    return PROJECT_ROOT / name


def own_command(*arguments: str) -> list[str]:
    """Return the command line that runs this very program, with these arguments.

    By the path of a file: ``-m endgame2048`` would start whatever lies in the current folder.
    """
    if is_frozen():
        return [str(_console_program()), *arguments]
    start = PROJECT_ROOT / ("main.py" if is_checkout() else "__main__.py")
    return [sys.executable, str(start), *arguments]


def _console_program() -> Path:
    """Return the frozen program that can be read from: on Windows, the window is another."""
    running = Path(sys.executable)
    beside = running.with_name(f"{APP_NAME}{running.suffix}")
    return beside if beside.is_file() else running


def is_writable(folder: Path) -> bool:
    """Tell whether files can be made in `folder`, itself made if missing.

    By making one: `os.access` says yes to any folder on Windows, and to any drive for root.
    """
    probe = folder / f"{os.getpid()}-{time.monotonic_ns()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        probe.unlink()
    except OSError:
        return False
    return True


def program_version() -> str:
    """Return the version of the program, "" where it runs from its sources."""
    from importlib.metadata import PackageNotFoundError, version  # not needed for --help

    try:
        return version(APP_NAME)
    except PackageNotFoundError:
        return ""
