"""Files that cannot be used: renamed to make room for a new one, never overwritten.

``settings.json`` becomes ``settings.damaged-20260304-050607.json``; a second one of the same second
``settings.damaged-20260304-050607-2.json``. Only what is wrong itself is set aside: a file that
cannot be read, for want of a permission or of a drive, may be all right.
"""

import errno
import os
import re
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from engine.files.atomic_file import rename
from engine.files.input_file import NOT_REGULAR

_SET_ASIDE = re.compile(r"\.damaged-[0-9]{8}-[0-9]{6}(-[0-9]+)?\.?")


def set_aside(path: Path, when: datetime) -> Path:
    """Rename a file that cannot be used, or what else is in its place, and return its new name.

    Parameters
    ----------
    path : Path
    when : datetime
        Becomes part of the name.

    Raises
    ------
    OSError
        It cannot be renamed, and stays where it is.
    """
    kept = name_aside(path, when)
    rename(path, kept)
    return kept


def name_aside(path: Path, when: datetime) -> Path:
    """Return what a file is to be called when it is set aside; nothing is called so yet."""
    stem = f"{path.stem}.damaged-{when:%Y%m%d-%H%M%S}"  # no text
    names = chain([stem], (f"{stem}-{i}" for i in count(2)))
    paths = (path.with_name(f"{name}{path.suffix}") for name in names)
    return next(one for one in paths if not os.path.lexists(one))


def is_set_aside(path: Path) -> bool:
    """Tell by its name whether a file was set aside.

    Examples
    --------
    >>> is_set_aside(Path("a.damaged-20260304-050607-2.log")), is_set_aside(Path("a.damaged.log"))
    (True, False)
    """
    return _SET_ASIDE.search(path.name) is not None


def is_passing(error: BaseException) -> bool:
    """Tell whether a file could not be read for a reason that says nothing of its content.

    Parameters
    ----------
    error : BaseException
        An OSError, or one that was raised from it.
    """
    if isinstance(error, OSError):
        return error.strerror != NOT_REGULAR and error.errno not in (errno.EFBIG, errno.EISDIR)
    return error.__cause__ is not None and is_passing(error.__cause__)
