"""Files that cannot be used: renamed to make room for a new one, never overwritten.

``settings.json`` becomes ``settings.damaged-20260304-050607.json``; a second one of the same second
``settings.damaged-20260304-050607-2.json``. Only a damaged file is set aside: one that cannot be
read, for lack of permission or because the drive is missing, may be all right.
"""

import errno
import os
import re
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from engine.platform.files.atomic_file import behind_links, rename
from engine.platform.files.input_file import NOT_REGULAR

_SET_ASIDE = re.compile(r"\.damaged-[0-9]{8}-[0-9]{6}(-[0-9]+)?\.?")


def set_aside(path: Path, when: datetime) -> Path:
    """Rename an unusable file, for a link the file it leads to; raise OSError."""
    path = renamed_by_it(path)
    aside = name_aside(path, when)
    rename(path, aside)
    return aside


def renamed_by_it(path: Path) -> Path:
    """Return what setting aside renames: the file that a link leads to, anything else itself."""
    real = behind_links(path)
    return real if real.is_file() else path


def name_aside(path: Path, when: datetime) -> Path:
    stem = f"{path.stem}.damaged-{when:%Y%m%d-%H%M%S}"  # no text
    names = chain([stem], (f"{stem}-{i}" for i in count(2)))
    paths = (path.with_name(f"{name}{path.suffix}") for name in names)
    return next(free_path for free_path in paths if not os.path.lexists(free_path))


def is_set_aside(path: Path) -> bool:
    """Return whether a file was set aside, judging by its name.

    >>> is_set_aside(Path("a.damaged-20260304-050607-2.log")), is_set_aside(Path("a.damaged.log"))
    (True, False)
    """
    return _SET_ASIDE.search(path.name) is not None


def is_transient(error: BaseException) -> bool:
    """Return whether an OSError, or one raised from it, says nothing about the content."""
    if isinstance(error, OSError):
        return error.strerror != NOT_REGULAR and error.errno not in (errno.EFBIG, errno.EISDIR)
    return error.__cause__ is not None and is_transient(error.__cause__)
