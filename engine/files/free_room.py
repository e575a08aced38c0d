"""How much room a drive has left."""

import shutil
from pathlib import Path


def free_bytes(folder: Path) -> int | None:
    """Return the free room where `folder` is, or will be; None when that cannot be told."""
    for place in (folder, *folder.parents):
        try:
            return shutil.disk_usage(place).free
        except OSError:
            continue
    return None
