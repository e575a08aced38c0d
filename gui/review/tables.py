"""The tables on this computer, seen from the game on the Review page."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from coach.recordings.recording import FILE
from gui.review.controls import ALL_TABLES, WHOLE_GAME
from gui.review.game import ReviewGame
from gui.text.numbers import format_table

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo

_DEFAULT_SPAWN4 = 0.1


class GameTables:
    """Those that can rate the moves; some know the game, or the current position."""

    def __init__(self, game: ReviewGame) -> None:
        self._game = game
        self.paths: dict[str, Path] = {}  # by name, without the share of fours
        self._spawn4: dict[Path, float] = {}

    def show(self, tables: "Sequence[TableInfo]") -> list[tuple[str, str]]:
        """Take other tables; return their titles and folders."""
        ready = [info for info in tables if info.state in ("complete", "away")]
        self.paths = {f"{info.pattern}_{info.target}": Path(info.path) for info in ready}
        self._spawn4 = {Path(info.path): info.spawn4 for info in ready}
        return [(format_table(info.pattern, info.target), str(info.path)) for info in ready]

    @property
    def own(self) -> Path | None:
        """The one that the game was played against."""
        recording = self._game.recording
        return self.paths.get(recording.table or "") if recording else None

    @property
    def here(self) -> Path | None:
        """The one that knows the current position."""
        recording = self._game.recording
        name = recording.table_at(self._game.position) if recording else None
        return self.paths.get(name or "")

    @property
    def spawn4(self) -> float:
        """The game's probability of fours, the usual one if unknown."""
        own = self.own
        return self._spawn4[own] if own else _DEFAULT_SPAWN4

    @property
    def of_game(self) -> list[Path]:
        """Those for the game's probability of fours."""
        spawn4 = self.spawn4
        return [path for path, share in self._spawn4.items() if abs(share - spawn4) < 1e-9]

    def default(self, can_judge_whole: bool) -> str:
        """Return the folder of the table to rate the game by, or what stands for several."""
        recording = self._game.recording
        own = self.own if recording and recording.source == FILE else None
        if own or not (recording and can_judge_whole):
            return str(own or ALL_TABLES)
        return WHOLE_GAME
