"""The text of a bug report, without the user's paths and name."""

import getpass
import os
import platform
import re
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from engine.platform.project_files import APP_NAME, PROJECT_ROOT
from gui.faults.bugs import Bug

_LIBRARIES = (
    APP_NAME,
    "PySide6-Essentials",  # no text
    "numpy",
    "numba",
    "llvmlite",
    "msgspec",
    "zstandard",
    "psutil",
)
_SOMEBODY = "<user>"


def report(
    bugs: Sequence[Bug], place: str, log_lines: Sequence[str], when: datetime, crash: str = ""
) -> str:
    """Return the report, always in English, as it is for the developers.

    `crash` is the trace left by a crash that ended the program last time.
    """
    time = when.isoformat(timespec="seconds")
    parts = [
        f"{APP_NAME}, {time}, page {place or '-'}",  # no text
        "\n".join(_versions()),
    ]
    for bug in bugs:
        times = f" ({bug.count} times)" if bug.count > 1 else ""  # no text
        parts.append(f"{bug.during}{times}\n{bug.summary}\n\n{bug.traceback.strip()}")
    if crash:
        parts.append(f"Ended in machine code:\n{crash.strip()}")  # no text
    if log_lines:
        lines = "\n".join(log_lines)
        parts.append(f"Last lines of the log:\n{lines}")  # no text
    return without_names("\n\n".join(parts)) + "\n"


def without_names(text: str, home: Path | None = None, user: str | None = None) -> str:
    home = Path.home() if home is None else home
    user = _user() if user is None else user
    roots = {(str(PROJECT_ROOT), "")}  # everything in it belongs to the program, wherever it is
    for folder in (home, home.resolve()):
        if len(folder.parts) > 1:  # not the root folder
            roots.add((str(folder), "~"))
    for folder_text, short in sorted(roots, key=lambda root: -len(root[0])):
        # As is, as in a Python literal, and as Qt writes it on Windows.
        forms = {folder_text, folder_text.replace("\\", "\\\\"), folder_text.replace("\\", "/")}
        for form in sorted(forms, key=len, reverse=True):
            ends = r"[\\/]+" if not short else r"(?![\w.-])"
            text = re.sub(re.escape(form) + ends, short, text, flags=_CASE)
    if user:
        text = re.sub(rf"(?<=[\\/@]){re.escape(user)}(?![\w.-])", _SOMEBODY, text, flags=_CASE)
    return text


_CASE = re.IGNORECASE if os.name == "nt" else 0


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a user without a name
        return ""


def _versions() -> list[str]:
    lines = [f"Python {platform.python_version()} on {platform.platform()}"]  # no text
    for name in _LIBRARIES:
        try:
            lines.append(f"{name} {version(name)}")
        except PackageNotFoundError:  # packaged without metadata
            lines.append(f"{name} (unknown version)")  # no text
    return lines
