"""The user's settings, stored in ``settings.json``."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.platform.language import mark
from gui.settings_model.json_values import JsonValues
from gui.settings_model.options import Expected, Option, is_plain
from gui.settings_model.settings_changes import STEPS
from gui.settings_model.settings_table import SETTINGS
from gui.settings_model.state import BOARD_OF, PLACES, State

_SAVE_DELAY_MS = 400  # a slider being dragged is written now and then
OPTIONS: Mapping[str, Option] = {key: one.option for key, one in SETTINGS.items()}
"""The valid values of each setting."""
_ANY = Option(None, is_plain, Expected(mark("a short value")))


def option_of(name: str) -> Option:
    """Return the option of a setting; undescribed settings may have any short value."""
    return OPTIONS.get(name, _ANY)


class Settings(JsonValues):
    """The values, and the file that stores them; see `JsonValues`.

    Parameters
    ----------
    path : Path or None
        The file; ``state.json`` next to it holds the state. None keeps everything in memory.
    is_read_only : bool
        Whether the files belong to another process, and are neither written nor set aside.

    Attributes
    ----------
    state : State
        Values remembered rather than chosen; it has no signals.

    Signals
    -------
    changed : str, object
        The name of a setting, and its new value.
    """

    changed = Signal(str, object)

    def __init__(
        self,
        path: Path | None = None,
        parent: QObject | None = None,
        is_read_only: bool = False,
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
        self.state.take_over(self, [*PLACES, *(n for n in self.names() if n.startswith(BOARD_OF))])
        late = (key for key, one in SETTINGS.items() if one.needs_restart)
        self._at_start = {key: self.get(key) for key in late}

    def in_force(self, name: str) -> Any:
        """Return the value in force: for some settings, the one at the last start."""
        return self._at_start.get(name, self.get(name))

    def reset(self, *names: str) -> None:
        """Reset the named settings to their defaults."""
        for name in names:
            self.set(name, OPTIONS[name].default)

    def flush(self) -> None:
        """Write pending changes, including the state, and wait for it."""
        super().flush()
        self.state.flush()

    def close(self) -> None:
        """Write pending changes and wait for it; later changes are not stored."""
        super().close()
        self.state.close()

    def _note_change(self, name: str, value: Any) -> None:
        self.changed.emit(name, value)
