"""Where the files that come with the program are: data, not code, beside the packages.

In a checkout they are in its root; installed, everything is in the package ``endgame2048``, where
the packages and data files are side by side as in the checkout. Frozen by PyInstaller, they are
beside the libraries, and the program is a file that needs no Python.
"""

import os
import sys
import time
from pathlib import Path

APP_NAME = "endgame2048"
APP_TITLE = "Endgame 2048"  # no text: a name
CACHE_VARIABLE = "ENDGAME2048_CACHE_DIR"
"""The environment variable that names another folder for compiled kernels."""
PROJECT_ROOT = Path(__file__).parent.parent.parent


def is_checkout() -> bool:
    return (PROJECT_ROOT / "pyproject.toml").is_file()


def project_file(name: str) -> Path:
    return PROJECT_ROOT / name


def own_command(*arguments: str) -> list[str]:
    """It names a file: ``-m endgame2048`` would start whatever is in the current folder."""
    if getattr(sys, "frozen", False):
        running = Path(sys.executable)  # on Windows, the window is another program
        beside = running.with_name(f"{APP_NAME}{running.suffix}")
        return [str(beside if beside.is_file() else running), *arguments]
    start = PROJECT_ROOT / ("main.py" if is_checkout() else "__main__.py")
    return [sys.executable, str(start), *arguments]


def cache_folder() -> Path:
    """The user's folder for what can be made again, or the one that `CACHE_VARIABLE` names."""
    folder = os.environ.get(CACHE_VARIABLE)
    if not folder:
        import platformdirs  # takes 10 ms, which --help need not spend

        folder = platformdirs.user_cache_dir(APP_NAME, appauthor=False)
    return Path(os.path.expanduser(folder)).absolute()  # for an unknown user it changes nothing


def is_writable(folder: Path) -> bool:
    """It makes a file: `os.access` accepts any folder on Windows, and any drive for root."""
    probe = folder / f"{os.getpid()}-{time.monotonic_ns()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        probe.unlink()
    except OSError:
        return False
    return True


def program_version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # not needed for --help

    try:
        return version(APP_NAME)
    except PackageNotFoundError:
        return ""
