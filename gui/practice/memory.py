"""What the practice page remembers between two runs of the program."""

from pathlib import Path
from typing import Any

from gui.core.settings import Settings
from gui.core.state import BOARD_OF
from gui.practice.session import SpawnMode

DEFAULT_SPEED = 3


class PracticeMemory:
    """Typed access to the page's settings; a value that makes no sense is as if it were not there.

    Parameters
    ----------
    settings : Settings
        Where the values are kept.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def speed(self) -> int:
        """Moves a second in the demo."""
        speed: Any = self._settings.get("practice.speed")
        return speed if isinstance(speed, int) and speed > 0 else DEFAULT_SPEED

    @speed.setter
    def speed(self, moves_per_second: int) -> None:
        self._settings.set("practice.speed", moves_per_second)

    @property
    def is_guessing(self) -> bool:
        """Whether the rates are hidden."""
        return self._settings.get("practice.guess") is True

    @is_guessing.setter
    def is_guessing(self, hidden: bool) -> None:
        self._settings.set("practice.guess", hidden)

    @property
    def spawn_mode(self) -> SpawnMode:
        """Who places the new tiles."""
        try:
            return SpawnMode(self._settings.get("practice.spawn_mode"))
        except ValueError:
            return SpawnMode.RANDOM

    @spawn_mode.setter
    def spawn_mode(self, mode: SpawnMode) -> None:
        self._settings.set("practice.spawn_mode", mode.value)

    @property
    def last_table(self) -> str:
        """The folder of the table that was open last."""
        return str(self._settings.state.get("practice.last_table"))

    @property
    def folder(self) -> Path:
        """Where recordings and pictures went last."""
        return Path(str(self._settings.state.get("practice.folder", "")) or Path.home())

    @folder.setter
    def folder(self, folder: Path) -> None:
        self._settings.state.set("practice.folder", str(folder))

    @property
    def tab(self) -> str:
        """Which part of the panel was in front."""
        tab = self._settings.state.get("practice.tab", "play")
        return tab if tab in ("play", "why", "line") else "play"

    @tab.setter
    def tab(self, tab: str) -> None:
        self._settings.state.set("practice.tab", tab)

    def board_of(self, table: Path) -> str:
        """Return the board that a table was left at, as hex digits; "" when there is none."""
        return str(self._settings.state.get(_board_key(table), ""))

    def remember(self, table: Path, board: str) -> None:
        """Keep the board that a table is at, and that this table is the one in use."""
        self._settings.state.set("practice.last_table", str(table))
        self._settings.state.set(_board_key(table), board)


def _board_key(table: Path) -> str:
    return f"{BOARD_OF}{table}"
