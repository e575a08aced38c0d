"""What the user chose, kept in ``settings.json``."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from ai.choice import CHOOSERS
from engine.language import LANGUAGES, PSEUDO, SYSTEM, mark
from gui.core.kept_values import KeptValues
from gui.core.options import (
    YES_OR_NO,
    Expected,
    Option,
    is_plain,
    keys,
    number,
    one_of,
    text,
    texts,
    whole,
)
from gui.core.state import BOARD_OF, PLACES, State
from tablebase.cli.options import LEVELS, RATES

_SAVE_DELAY_MS = 400  # a slider that is being dragged is written now and then
_TILES = tuple(1 << exponent for exponent in range(1, 17))

SPEEDS = (1, 2, 3, 5, 8, 12, 20, 30, 60)
"""Moves a second that can be chosen."""

OPTIONS: Mapping[str, Option] = {
    "language": Option(SYSTEM, *one_of(SYSTEM, *LANGUAGES, PSEUDO)),
    "theme": Option("system", *one_of("system", "light", "dark")),
    "window_scheme": Option("system", *text(mark("the name of a color scheme"))),
    "tile_palette": Option("lagoon", *text(mark("the name of a tile palette"))),
    "ui_scale": Option(100, *whole(80, 200)),  # percent, from the next start on
    "tile_font": Option("", *text(mark("the name of a font"))),  # "": the window's
    "tile_font_scale": Option(100, *whole(70, 130)),  # percent
    "tile_corners": Option("rounded", *one_of("rounded", "square")),
    "merge_glow": Option(True, *YES_OR_NO),
    "motion": Option("system", *one_of("system", "full", "reduced")),
    "animation_ms": Option(100, *number(0, 1000)),  # length of a slide; 0 is off
    "large_tile_numbers": Option(True, *YES_OR_NO),
    "table_folders": Option([], *texts()),  # looked at besides the data folder's tables/
    "shortcuts": Option({}, *keys()),  # gui.core.shortcuts
    "build.folder": Option("", *text(mark("a folder; empty: tables/ in the data folder"))),
    "build.spawn4": Option(0.1, *number(0.0, 1.0)),
    "build.rate": Option("uint32", *one_of(*RATES)),
    "build.threshold": Option(0.0, *number(0.0, 1.0)),
    "build.optimal_only": Option(False, *YES_OR_NO),
    "build.sparse": Option(1, *one_of(1, 3, 4, 6, 8)),
    "build.level": Option("fast", *one_of(*LEVELS)),
    "build.pack_scratch": Option(False, *YES_OR_NO),
    "build.threads": Option(0, *whole(0, 256)),  # 0: all there are
    "build.memory_bytes": Option(0, *whole(0, 1 << 62)),  # 0: all that is free
    # Whether what waits in the queue goes on when the program starts; else a button offers it.
    "build.resume_at_start": Option(False, *YES_OR_NO),
    # Whether the system tells that a table is done while another window is in front.
    "build.notify": Option(True, *YES_OR_NO),
    "advice.hours": Option(12, *number(0.5, 1000)),
    "analysis.tables": Option([], *texts()),  # folders; none: all tables there are
    "analysis.files_mistakes": Option(False, *YES_OR_NO),
    "advice.disk_gb": Option(0, *number(0, 1_000_000)),  # 0: all that is free
    "advice.memory_gb": Option(0, *number(0, 4096)),  # 0: all that is free
    "build.pattern": Option("442", *text(mark("the name of a formation"))),
    "build.target": Option(128, *one_of(*_TILES)),
    "game.player": Option("tables", *one_of(*CHOOSERS)),
    "game.speed": Option(5, *one_of(*SPEEDS)),  # moves a second
    "game.difficulty": Option(0, *whole(0, 100)),  # percent of tiles placed where they hurt
    "game.spawn4": Option(0.1, *number(0.0, 1.0)),  # share of fours, from the next game on
    "screensaver.speed": Option(5, *one_of(*SPEEDS)),  # moves a second
    "mistakes.threshold": Option(0.99, *number(0.0, 1.0)),  # moves that keep this are not filed
    "mistakes.retire_after": Option(5, *whole(0, 99)),  # right answers in a row; 0: never
    "mistakes.new_per_day": Option(20, *whole(0, 1000)),
    "mistakes.mode": Option("due", *text(mark("the name of a way to drill"))),
    "mistakes.advance": Option(True, *YES_OR_NO),
    "mistakes.turn": Option(False, *YES_OR_NO),
    "practice.speed": Option(3, *whole(1, 30)),  # moves a second in the demo
    "practice.guess": Option(False, *YES_OR_NO),
    "practice.asks_before_breaking": Option(False, *YES_OR_NO),  # the formation
    "practice.spawn_mode": Option("", *text(mark("who places new tiles"))),
    "review.speed": Option(3, *whole(1, 30)),  # moves a second
    "review.least_loss": Option(0.01, *number(0.0, 1.0)),
    "review.chart": Option("", *text(mark("the name of a chart"))),
    "review.hint": Option(False, *YES_OR_NO),
    "test.seconds_per_move": Option(0, *whole(0, 3600)),  # 0: as long as it takes
    "test.is_turned": Option(True, *YES_OR_NO),
    "test.allows_undo": Option(False, *YES_OR_NO),
    "test.leaves_out_forced": Option(False, *YES_OR_NO),
    "test.goal_moves": Option(0, *whole(0, 100_000)),  # 0: until the target
    "test.ends_at_miss": Option(False, *YES_OR_NO),
    "test.perfect_within": Option(0.0, *number(0.0, 100.0)),  # points
    "test.focus": Option(False, *YES_OR_NO),
}
_ANY = Option(None, is_plain, Expected(mark("a short value")))


def option_of(name: str) -> Option:
    """Return what a setting may be; those that nobody has described may be any short value."""
    return OPTIONS.get(name, _ANY)


class Settings(KeptValues):
    """The values, and the file that they are kept in; see `KeptValues`.

    Parameters
    ----------
    path : Path or None
        The file; ``state.json`` beside it has the state. None keeps everything in memory.
    is_read_only : bool
        Whether the files are another process's, and neither written nor set aside.

    Attributes
    ----------
    state : State
        What was not chosen but remembered; it has no signals.

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
            path, option_of, mark("settings"), _SAVE_DELAY_MS, parent, is_read_only=is_read_only
        )
        state_path = path.with_name("state.json") if path else None
        self.state = State(state_path, self, is_read_only)
        self.problem = "\n".join(filter(None, (self.problem, self.state.problem)))
        self.state.save_failed.connect(self.save_failed)
        # Earlier versions kept them among the settings.
        self.state.take_over(self, [*PLACES, *(n for n in self.names() if n.startswith(BOARD_OF))])

    def reset(self, *names: str) -> None:
        """Put the named settings back to their defaults."""
        for name in names:
            self.set(name, OPTIONS[name].default)

    def flush(self) -> None:
        """Write what has not been written yet, state included, and wait for it."""
        super().flush()
        self.state.flush()

    def close(self) -> None:
        """Write what has not been written yet and wait for it; later changes are not kept."""
        super().close()
        self.state.close()

    def _note_change(self, name: str, value: Any) -> None:
        self.changed.emit(name, value)
