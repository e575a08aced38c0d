"""Folders as people name them: ``.``, ``..``, ``~``, empty and impossible names."""

import os
from pathlib import Path

from engine.platform.files.input_file import is_nameable
from engine.platform.language import tr
from tablebase.errors import MissingTableError


def table_folder(name: Path | str) -> Path:
    """Return the folder that a name means, in a form that has a name and a parent, unlike ``.``.

    A table is found, locked and replaced by these. Raises MissingTableError if no table can be
    there.
    """
    if not os.fspath(name):
        raise MissingTableError(
            tr("'' is not a table: expected its folder, or a name such as 442_128")
        )
    path = Path(name)
    if not is_nameable(path):
        raise MissingTableError(
            "no file system has a folder called {path!r}: expected a table's folder",
            path=_short(str(path)),
        )
    if not path.is_absolute():
        try:
            here = Path.cwd()
        except FileNotFoundError as error:
            raise MissingTableError(
                tr(
                    "the current folder is gone: another one has taken its place, perhaps a "
                    "converted table; leave it and enter it again, then repeat the command"
                )
            ) from error
        if path.name in ("", ".."):  # "." has no name for pathlib
            path = Path(os.path.abspath(here / path))
    elif path.name == "..":
        path = Path(os.path.abspath(path))
    if not path.name:
        raise MissingTableError(
            "{path} is a drive: expected the folder of a table on it", path=path
        )
    return path


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}..."
