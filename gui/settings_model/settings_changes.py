"""Renamed settings of earlier versions of ``settings.json``.

The number in the file says how many of these steps were done when it was written, plus one. A step
is never changed: files of every version are still out there. New ones are appended.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from gui.settings_model.json_values import Step

_TO_SECTIONS = {
    "settings.to_about": "settings.show_about",
    "settings.to_folders": "settings.show_tables",
    "settings.to_language": "settings.show_language",
    "settings.to_saver_speed": "settings.show_game",
    "settings.to_shortcuts": "settings.show_keyboard",
    **dict.fromkeys(
        (
            *("settings.to_theme", "settings.to_palette", "settings.to_ui_scale"),
            *("settings.to_animation", "settings.to_motion", "settings.to_corners"),
            *("settings.to_tile_font", "settings.to_tile_font_scale"),
            *("settings.to_glow", "settings.to_numbers"),
        ),
        "settings.show_appearance",
    ),
}


def rename_actions(values: dict[str, Any], names: Mapping[str, str]) -> None:
    """Rename actions in the setting of their keys; merged actions combine theirs."""
    chosen = values.get("shortcuts")
    if not isinstance(chosen, dict):
        return
    for old in [name for name in chosen if name in names]:
        keys, new = chosen.pop(old), names[old]
        if isinstance(keys, list):
            there = chosen.setdefault(new, [])
            if isinstance(there, list):
                there += [key for key in keys if key not in there]


def _to_2(values: dict[str, Any]) -> None:
    """Shortcuts led to single settings; now they lead to sections."""
    rename_actions(values, _TO_SECTIONS)


STEPS: Sequence[Step] = (_to_2,)
"""From version 1 to 2, and so on."""
