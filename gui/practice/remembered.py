"""The values that the practice page remembers between runs of the program."""

from pathlib import Path

from gui.practice.session import SpawnMode
from gui.settings_model.remembered import Remembered
from gui.settings_model.settings import Settings
from gui.settings_model.state import BOARD_OF


def _spawn_mode(value: str) -> SpawnMode:
    try:
        return SpawnMode(value)
    except ValueError:
        return SpawnMode.RANDOM


def _folder(value: str) -> Path:
    return Path(value) if value else Path.home()


class RememberedPractice:
    """Typed access to the page's settings and state, which their options keep valid."""

    speed = Remembered("practice.speed", int)
    is_guessing = Remembered("practice.guess", bool)
    asks_before_breaking = Remembered("practice.asks_before_breaking", bool)
    spawn_mode = Remembered("practice.spawn_mode", _spawn_mode, lambda mode: mode.value)
    has_seen_hints = Remembered("practice.has_seen_hints", bool, in_state=True)
    last_table = Remembered("practice.last_table", str, in_state=True)
    folder = Remembered("practice.folder", _folder, str, in_state=True)
    tab = Remembered("practice.tab", str, in_state=True)

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def board_of(self, table: Path) -> str:
        """Return the last board of a table, as hex digits; "" if there is none."""
        return str(self.settings.state.get(_board_key(table)))

    def set_board(self, table: Path, board: str) -> None:
        self.settings.state.set(_board_key(table), board)


def _board_key(table: Path) -> str:
    return f"{BOARD_OF}{table}"
