"""The user's settings, stored in ``settings.json``.

The version in the file says how many of the steps `STEPS`, which rename settings of earlier
versions, were done when it was written, plus one. A step is never changed: files of every version
are still out there. New ones are appended.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.platform.language import mark
from gui.settings_model.json_values import JsonValues, Step
from gui.settings_model.options import Expected, Option, is_plain
from gui.settings_model.settings_table import SETTINGS
from gui.settings_model.state import BOARD_OF, PLACES, State

_TO_SECTIONS = {
    "settings.to_about": "settings.show_about",
    "settings.to_folders": "settings.show_tables",
    "settings.to_language": "settings.show_language",
    "settings.to_saver_speed": "settings.show_game",
    "settings.to_shortcuts": "settings.show_keyboard",
    **dict.fromkeys(
        (
            "settings.to_theme",
            "settings.to_palette",
            "settings.to_ui_scale",
            "settings.to_animation",
            "settings.to_motion",
            "settings.to_corners",
            "settings.to_tile_font",
            "settings.to_tile_font_scale",
            "settings.to_glow",
            "settings.to_numbers",
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


_SAVE_DELAY_MS = 400  # a slider being dragged is written now and then
OPTIONS: Mapping[str, Option] = {key: one.option for key, one in SETTINGS.items()}
"""The valid values of each setting."""
_ANY = Option(None, is_plain, Expected(mark("a short value")))


def option_of(name: str) -> Option:
    """Return the option of a setting; undescribed settings may have any short value."""
    return OPTIONS.get(name, _ANY)


class Settings(JsonValues):
    """The values, and the file that stores them; see `JsonValues`.

    ``state.json`` next to it holds the `state`: remembered rather than chosen, without signals.
    """

    changed = Signal(str, object)  # the name of a setting, and its new value

    def __init__(
        self, path: Path | None = None, parent: QObject | None = None, is_read_only: bool = False
    ) -> None:
        super().__init__(
            path,
            option_of,
            mark("settings"),
            _SAVE_DELAY_MS,
            parent,
            is_read_only=is_read_only,
            steps=STEPS,
        )
        state_path = path.with_name("state.json") if path else None
        self.state = State(state_path, self, is_read_only)
        self.problem = "\n".join(filter(None, (self.problem, self.state.problem)))
        self.state.save_failed.connect(self.save_failed)
        # Earlier versions kept them among the settings.
        self.state.move_from(self, [*PLACES, *(n for n in self.names() if n.startswith(BOARD_OF))])
        late = (key for key, one in SETTINGS.items() if one.needs_restart)
        self._at_start = {key: self.get(key) for key in late}

    def in_force(self, name: str) -> Any:
        """Return the value in force: for some settings, the one at the last start."""
        return self._at_start.get(name, self.get(name))

    def reset(self, *names: str) -> None:
        for name in names:
            self.set(name, OPTIONS[name].default)

    def flush(self) -> None:
        super().flush()
        self.state.flush()

    def close(self) -> None:
        super().close()
        self.state.close()

    def _note_change(self, name: str, value: Any) -> None:
        self.changed.emit(name, value)
