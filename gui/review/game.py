"""A recorded game: the position in it, the tables that know it, its locks, automatic playback."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from coach.grading.formation_cells import locked_cells
from coach.recordings.recording import Recording
from engine.bitboard import LARGEST_NIBBLE
from engine.spawn import DEFAULT_SPAWN4, is_same_spawn4
from engine.trace import slide_cells
from gui.text.numbers import format_table
from tablebase.formation.formation import Formation
from tablebase.formation.goal import read_goal

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo

ALL_TABLES = "all"
"""Stands for all tables where a folder stands for one."""

WHOLE_GAME = "game"
"""Stands for tables, and search where they do not know."""

PAGE = 10
_MIN_LOCKED = 2  # one F may be a 32768; two would merge


class ReviewGame:
    """A position in a recording, and the marked moves, ascending.

    Position 0 is the start; position i is before move i. Moves are marked from a loss in [0, 1] on;
    perfect ones never are.
    """

    def __init__(self, least_loss: float = 0.01) -> None:
        self.recording: Recording | None = None
        self.position = 0
        self.marks: list[int] = []
        self.least_loss = least_loss

    @property
    def n_moves(self) -> int:
        return self.recording.n_moves if self.recording else 0

    @property
    def is_at_end(self) -> bool:
        return self.position >= self.n_moves

    def open(self, recording: Recording, position: int = 0) -> None:
        self.recording = recording
        self.position = max(0, min(recording.n_moves, position))
        self.mark_from(self.least_loss)

    def mark_from(self, least_loss: float) -> None:
        self.least_loss = least_loss
        self.marks = self.recording.mistakes(least_loss) if self.recording else []

    def go_to(self, position: int) -> bool:
        """Go to a position, or as far as possible; return whether it changed."""
        position = max(0, min(self.n_moves, position))
        is_other = position != self.position
        self.position = position
        return is_other

    def next_mark(self) -> int | None:
        at = bisect_right(self.marks, self.position)
        return self.marks[at] if at < len(self.marks) else None

    def previous_mark(self) -> int | None:
        at = bisect_left(self.marks, self.position)
        return self.marks[at - 1] if at else None


class Locks:
    """The cells to draw as locked, by position.

    `goals` has the formations of the tables that rate the positions. If one is unknown, the F of
    the record itself are used, if they do not merge.
    """

    def __init__(self, recording: Recording, goals: Mapping[str, Formation] | None = None) -> None:
        self._recording, self._goals = recording, dict(goals or {})

    def at(self, i: int) -> frozenset[int]:
        replay = self._recording.replay
        if replay.walls:
            return frozenset()
        table = self._recording.table_at(i) or ""
        goal, target = self._goals.get(table), read_goal(table.rpartition("_")[2])
        if goal and target is not None:
            return locked_cells(self._recording.boards[i], target, goal)
        exponents = self._recording.positions[i]
        large = [cell for cell, exponent in enumerate(exponents) if exponent == LARGEST_NIBBLE]
        is_masked = not replay.merge_32768 and len(large) >= _MIN_LOCKED
        return frozenset(large if is_masked else ())

    def breaking(self, i: int) -> tuple[int, ...]:
        """Return the moves that break the formation at a rated position.

        Files have a rate of 0 for these, so what moves a locked tile is one of them, unless it was
        played: then that is what it lost.
        """
        recording, before = self._recording, self._recording.positions[i]
        rates, walls = recording.rates[i] or (), recording.replay.walls
        played = recording.direction_at(i) if i < recording.n_moves else None
        zeros = [d for d, rate in enumerate(rates) if rate == 0 and d != played]
        locked = self.at(i) if zeros else ()
        moved = [
            d
            for d in zeros
            for after in [slide_cells(before, d, walls, recording.replay.merge_32768).cells]
            if any(after[cell] != before[cell] for cell in locked)
        ]
        return (*recording.breaking_at(i), *moved)


class GamePlayer(QObject):
    """Steps through a game until its end."""

    def __init__(
        self,
        game: ReviewGame,
        go_to: Callable[[int], None],
        show_running: Callable[[bool], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._game, self._go_to, self._show_running = game, go_to, show_running
        self.speed = 0  # moves per second
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)

    def set_speed(self, moves_per_second: int) -> None:
        self.speed = moves_per_second
        self._timer.setInterval(1000 // moves_per_second)

    def toggle(self) -> None:
        if self._timer.isActive():
            self.stop()
        elif self._game.recording:
            if self._game.is_at_end:
                self._go_to(0)
            self._timer.start()
            self._show_running(True)

    def stop(self) -> None:
        self._timer.stop()
        self._show_running(False)

    def _tick(self) -> None:
        self._go_to(self._game.position + 1)
        if self._game.is_at_end:
            self.stop()


class GameTables:
    """Those that can rate the moves; some know the game, or the current position."""

    def __init__(self, game: ReviewGame) -> None:
        self._game = game
        self.paths: dict[str, Path] = {}  # by name, without the share of fours
        self.titles: dict[str, str] = {}  # by folder
        self._spawn4: dict[Path, float] = {}

    def show(self, tables: "Sequence[TableInfo]") -> None:
        ready = [info for info in tables if info.state in ("complete", "away")]
        self.titles = {str(info.path): format_table(info.pattern, info.target) for info in ready}
        self.paths = {f"{info.pattern}_{info.target}": Path(info.path) for info in ready}
        self._spawn4 = {Path(info.path): info.spawn4 for info in ready}

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
        return self._spawn4[own] if own else DEFAULT_SPAWN4

    @property
    def of_game(self) -> list[Path]:
        """Those for the game's probability of fours."""
        spawn4 = self.spawn4
        return [path for path, share in self._spawn4.items() if is_same_spawn4(share, spawn4)]
