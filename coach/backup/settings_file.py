"""Reading and changing the window's ``settings.json`` from a command, with the window closed.

``{"version": 1, "values": {...}}``, see `gui.settings_model.json_values`, which checks each value
again.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coach.days import DAY_BEGINS, LATEST_BEGIN
from engine.platform.errors import AppError
from engine.platform.files.atomic_file import write_file, writing
from engine.platform.files.input_file import read_json
from engine.platform.language import tr

NAME = "settings.json"


class SettingsFileError(AppError):
    """The settings cannot be read."""


def read_values(data_dir: Path) -> dict[str, Any]:
    """Return the stored settings, {} without a file; raise SettingsFileError for a damaged one."""
    values: dict[str, Any] = _read(data_dir / NAME)["values"]
    return values


def change_values(data_dir: Path, values: Mapping[str, Any]) -> None:
    """Change some values and keep the others.

    Raises SettingsFileError if the file is damaged, and WriteError.
    """
    path = data_dir / NAME
    found = _read(path)
    found["values"] = {**found["values"], **values}
    with writing(path):
        data_dir.mkdir(parents=True, exist_ok=True)
        write_file(path, [json.dumps(found, indent=2, sort_keys=True).encode("ascii")])


def folders_with_tables(data_dir: Path) -> list[Path]:
    """Return the folders where the window looks for tables, the data folder's own first."""
    try:
        values = read_values(data_dir)
    except SettingsFileError:
        values = {}
    chosen = values.get("table_folders")
    named = [values.get("build.folder"), *(chosen if isinstance(chosen, list) else [])]
    return [data_dir / "tables", *(Path(one) for one in named if isinstance(one, str) and one)]


def day_begins(data_dir: Path) -> int:
    try:
        found = read_values(data_dir).get("day.begins")
    except SettingsFileError:
        return DAY_BEGINS
    if isinstance(found, int) and 0 <= found <= LATEST_BEGIN:
        return int(found)
    return DAY_BEGINS


def _read(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {"version": 1, "values": {}}
    found = read_json(path, tr("the settings of the window"), 16 << 20, SettingsFileError)
    if not isinstance(found, dict) or not isinstance(found.get("values"), dict):
        text = tr("{path} is damaged: start the window once, which sets it aside", path=path)
        raise SettingsFileError(text)
    return found
