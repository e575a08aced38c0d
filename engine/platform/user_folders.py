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

from engine.platform.project_files import APP_NAME, PROJECT_ROOT, is_checkout, is_writable

WINDOW_LOCK = "window.lock"
"""Locked in the data folder by the window's process for as long as it runs."""


@dataclass(frozen=True)
class UserFolders:
    """The folders of one user; none needs to exist yet."""

    data: Path
    logs: Path

    @property
    def tables(self) -> Path:
        return self.data / "tables"

    @property
    def patterns(self) -> Path:
        return self.data / "patterns_config.json"

    @property
    def estimates(self) -> Path:
        return self.data / "estimates"


def user_folders(data_dir: Path | None = None) -> UserFolders:
    if data_dir:
        data = Path(os.path.expanduser(data_dir)).absolute()
        return UserFolders(data, data / "logs")
    import platformdirs  # takes 10 ms, which --help need not spend

    data = Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))
    ours = PROJECT_ROOT / "logs"
    if is_checkout() and is_writable(ours):
        return UserFolders(data, ours)
    return UserFolders(data, Path(platformdirs.user_log_dir(APP_NAME, appauthor=False)))
