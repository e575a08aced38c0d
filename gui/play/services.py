"""What the pages on which one plays need from outside."""

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from coach.mistakes.mistake import NotedMove
from engine.spawn import Rng
from gui.settings_model.settings import Settings
from gui.widgets.file_dialogs import FileDialogs
from gui.work.tasks import TaskRunner
from tablebase.probe.table import Table


@dataclass(frozen=True)
class PlayServices:
    """Settings, tables, files and clocks."""

    settings: Settings
    open_table: Callable[[Path], Table]  # opens the table in a folder; runs on a worker thread
    lookups: TaskRunner  # reads tables, one question at a time
    files: TaskRunner  # reads and writes files
    folder: Path = field(default_factory=Path.home)  # of the user's data
    # Files a mistake and returns at once.
    note_mistake: Callable[[NotedMove], object] | None = None
    table_folders: Callable[[], Sequence[Path]] = tuple  # where the AI looks for tables
    rng: Rng = field(default_factory=lambda: Rng(secrets.randbits(64)))
    clock: Callable[[], float] = time.monotonic  # seconds
    now: Callable[[], datetime] = lambda: datetime.now(timezone.utc)
    dialogs: FileDialogs = field(default_factory=FileDialogs)
