"""Where the program keeps its user's data.

DATA/               ``--data-dir``, or the platform's folder for user data
  tables/           tables built without ``--out``
  patterns_config.json  the user's own formations, added to the built-in ones; optional
  settings.json     settings chosen in the window
  queue.json        the window's queue of builds
  chances.db        results of searches in games; can be deleted
  rates/            rate statistics of finished tables; can be deleted
  estimates/        what was found out about tables before they are built; can be deleted
  backups/          the data from before a backup was restored
  logs/             only with ``--data-dir``; otherwise the checkout's logs/ or the platform's
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.files.input_file import is_nameable
from engine.project_files import APP_NAME, PROJECT_ROOT, is_checkout, is_writable
from tablebase.store.folder_names import table_folder

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation

WINDOW_LOCK = "window.lock"
"""Locked in the data folder by the window's process for as long as it runs."""


@dataclass(frozen=True)
class UserFolders:
    """The folders of one user; none needs to exist yet."""

    data: Path
    logs: Path

    @property
    def tables(self) -> Path:
        """Return the folder for tables that are built without ``--out``."""
        return self.data / "tables"

    @property
    def patterns(self) -> Path:
        """Return the path of the user's own formations; the file need not exist."""
        return self.data / "patterns_config.json"

    @property
    def estimates(self) -> Path:
        """Return the folder of `tablebase.plan.kept_counts.KeptCounts`; it need not exist."""
        return self.data / "estimates"

    def formations(self) -> "dict[str, Formation]":
        """Return all formations by name, the user's own among them.

        Raises
        ------
        FormationError
            A file cannot be read, or holds something else than formations.
        """
        from tablebase.formation.patterns_file import load_formations

        return load_formations(own=self.patterns)

    def find_table(self, text: str) -> Path:
        """Return the folder that `text` refers to: a path, or the name of a table in `tables`.

        Raises
        ------
        MissingTableError
            No table can have that name.
        """
        path = table_folder(text)
        is_name = path.name == text and text not in (".", "..")
        if not is_name or path.exists():
            return path
        named = table_folder(self.tables / text)
        return named if named.exists() else table_folder(self.tables / _name_typed(text))

    def find_folders(self, text: str) -> list[Path]:
        """Return the folders of one table: `text` may list several, as in PATH, its own first.

        A folder whose name contains the separator is still found.
        """
        if os.pathsep not in text or (is_nameable(Path(text)) and Path(text).exists()):
            return [self.find_table(text)]
        own, *others = [name for name in text.split(os.pathsep) if name] or [text]
        return [self.find_table(own), *map(table_folder, others)]


def _name_typed(text: str) -> str:
    """Return the name of a table whose target may be spelled as in 442_2k."""
    from tablebase.formation.goal import typed_goal

    pattern, _, target = text.rpartition("_")
    goal = typed_goal(target)
    return f"{pattern}_{goal}" if pattern and goal else text


def user_folders(data_dir: Path | None = None) -> UserFolders:
    """Return the folders for `data_dir`, or the platform's default ones when it is None."""
    if data_dir:
        data = Path(os.path.expanduser(data_dir)).absolute()
        return UserFolders(data, data / "logs")
    import platformdirs  # takes 10 ms, which --help need not spend

    data = Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))
    ours = PROJECT_ROOT / "logs"
    if is_checkout() and is_writable(ours):
        return UserFolders(data, ours)
    return UserFolders(data, Path(platformdirs.user_log_dir(APP_NAME, appauthor=False)))
