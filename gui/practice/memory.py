"""What the practice page remembers between two runs of the program."""

from pathlib import Path

from gui.core.settings import Settings
from gui.core.state import BOARD_OF
from gui.practice.session import SpawnMode


class PracticeMemory:
    """Typed access to the page's settings and state, whose options keep to what makes sense.

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
        return int(self._settings.get("practice.speed"))

    @speed.setter
    def speed(self, moves_per_second: int) -> None:
        self._settings.set("practice.speed", moves_per_second)

    @property
    def is_guessing(self) -> bool:
        """Whether the rates are hidden."""
        return bool(self._settings.get("practice.guess"))

    @is_guessing.setter
    def is_guessing(self, hidden: bool) -> None:
        self._settings.set("practice.guess", hidden)

    @property
    def asks_before_breaking(self) -> bool:
        """Whether a move that breaks the formation has to be confirmed."""
        return bool(self._settings.get("practice.asks_before_breaking"))

    @asks_before_breaking.setter
    def asks_before_breaking(self, asks: bool) -> None:
        self._settings.set("practice.asks_before_breaking", asks)

    @property
    def has_seen_hints(self) -> bool:
        """Whether the first-run hints were closed."""
        return bool(self._settings.state.get("practice.has_seen_hints"))

    @has_seen_hints.setter
    def has_seen_hints(self, seen: bool) -> None:
        self._settings.state.set("practice.has_seen_hints", seen)

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

    @last_table.setter
    def last_table(self, folder: str) -> None:
        self._settings.state.set("practice.last_table", folder)

    @property
    def folder(self) -> Path:
        """Where recordings and pictures went last."""
        return Path(self._settings.state.get("practice.folder") or Path.home())

    @folder.setter
    def folder(self, folder: Path) -> None:
        self._settings.state.set("practice.folder", str(folder))

    @property
    def tab(self) -> str:
        """Which part of the panel was in front."""
        return str(self._settings.state.get("practice.tab"))

    @tab.setter
    def tab(self, tab: str) -> None:
        self._settings.state.set("practice.tab", tab)

    def board_of(self, table: Path) -> str:
        """Return the board that a table was left at, as hex digits; "" when there is none."""
        return str(self._settings.state.get(_board_key(table)))

    def remember(self, table: Path, board: str) -> None:
        """Keep the board that a table is at."""
        self._settings.state.set(_board_key(table), board)


def _board_key(table: Path) -> str:
    return f"{BOARD_OF}{table}"
