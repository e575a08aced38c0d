"""The file of exported settings, each value in it checked by itself. No Qt."""

import json
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.platform.errors import AppError
from engine.platform.files.atomic_file import write_error, write_file
from engine.platform.files.input_file import read_json
from engine.platform.files.json_struct import check_format
from engine.platform.language import tr
from gui.settings_model.settings import OPTIONS

FORMAT, VERSION = "endgame2048-settings", 1
_MAX_BYTES = 16 << 20


class SettingsTransferError(AppError, ValueError):
    """A file has no settings of this program."""


@dataclass(frozen=True)
class ReadSettings:
    """The settings read from a file."""

    values: dict[str, Any]  # the valid values
    skipped: tuple[str, ...]  # the settings left out, and why


def write_settings(values: Mapping[str, Any], path: Path) -> int:
    """Write settings to a file and return how many; on WriteError an existing file is unchanged."""
    data = {"format": FORMAT, "version": VERSION, "values": dict(values)}
    try:
        write_file(path, [json.dumps(data, indent=2, sort_keys=True).encode("ascii"), b"\n"])
    except OSError as error:
        raise write_error(error, path) from error
    return len(values)


def read_settings(path: Path) -> ReadSettings:
    """Return the settings in a file, each checked by itself."""
    what = tr("a file of settings")
    data = read_json(path, what, _MAX_BYTES, SettingsTransferError)
    check_format(data, what, FORMAT, VERSION, SettingsTransferError)
    if not isinstance(data.get("values"), dict):
        raise SettingsTransferError("{path} has no values", path=path)
    values: dict[str, Any] = {}
    skipped = []
    for name, value in data["values"].items():
        option = OPTIONS.get(name)
        if option is None:
            skipped.append(tr("{name}: this version has no such setting", name=reprlib.repr(name)))
        elif not option.is_valid(value):
            text = tr(
                "{name} = {value} (expected {expected})",
                name=name,
                value=reprlib.repr(value),
                expected=option.expected,
            )
            skipped.append(text)
        else:
            values[name] = value
    return ReadSettings(values, tuple(skipped))
