"""Where the program keeps what belongs to its user.

DATA/               ``--data-dir``, or the platform's folder for user data
  tables/           tables built without ``--out``
  patterns_config.json  own formations, added to those of the program; need not exist
  settings.json     what was chosen in the window
  queue.json        builds that wait, of the window
  chances.db        what search found in games; can be deleted
  rates/            what the rates of finished tables are like; can be deleted
  backups/          what was here before a backup was restored
  logs/             only with ``--data-dir``; otherwise the checkout's logs/ or the platform's
"""

import os
from dataclasses import dataclass
from pathlib import Path

from engine.files.input_file import is_nameable
from engine.project_files import APP_NAME, PROJECT_ROOT, is_checkout, is_writable
from tablebase.store.folder_names import table_folder

WINDOW_LOCK = "window.lock"
"""Held in the data folder by the process of the window for as long as it lives."""


@dataclass(frozen=True)
class UserFolders:
    """The folders of one user; none needs to exist yet."""

    data: Path
    logs: Path

    @property
    def tables(self) -> Path:
        """Return the folder for tables built without naming another one."""
        return self.data / "tables"

    @property
    def patterns(self) -> Path:
        """Return the file of the user's own formations, which need not exist."""
        return self.data / "patterns_config.json"

    def find_table(self, text: str) -> Path:
        """Return the folder that `text` means: a path, or the name of a table in `tables`.

        Raises
        ------
        MissingTableError
            Nothing can be called like that.
        """
        path = table_folder(text)
        is_name = path.name == text and text not in (".", "..")
        return table_folder(self.tables / text) if is_name and not path.exists() else path

    def find_folders(self, text: str) -> list[Path]:
        """Return the folders of one table: `text` may join several, as in PATH, its own one first.

        A folder whose name has the joining character in it is found all the same.
        """
        if os.pathsep not in text or (is_nameable(Path(text)) and Path(text).exists()):
            return [self.find_table(text)]
        own, *others = [name for name in text.split(os.pathsep) if name] or [text]
        return [self.find_table(own), *map(table_folder, others)]


def user_folders(data_dir: Path | None = None) -> UserFolders:
    """Return the folders for `data_dir`, or the platform's own ones when it is None."""
    if data_dir:
        data = data_dir.expanduser().absolute()
        return UserFolders(data, data / "logs")
    import platformdirs  # 10 ms that --help does not spend

    data = Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))
    ours = PROJECT_ROOT / "logs"
    if is_checkout() and is_writable(ours):
        return UserFolders(data, ours)
    return UserFolders(data, Path(platformdirs.user_log_dir(APP_NAME, appauthor=False)))
