"""Where an imported table came from: ``import.json`` beside its manifest."""

import errno
import json
from pathlib import Path

from msgspec import Struct, to_builtins

from engine.platform.errors import AppError
from engine.platform.files.json_struct import as_struct
from tablebase.build_files import write_file
from tablebase.errors import DamagedTableError
from tablebase.store.checked_json import read_limited
from tablebase.store.manifest import IMPORT_NAME

_FORMAT = "endgame2048-import"
_NO_FOLDER = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)  # no such file, so nothing is damaged


class Origin(Struct, frozen=True, forbid_unknown_fields=True, tag_field="format", tag=_FORMAT):
    """Facts about an imported table that its manifest lacks."""

    source_rate: str  # the type in which the source stores rates
    # Whether the source lacks boards with a rate above zero; the values of such a table cannot be
    # derived again.
    is_thinned: bool
    source_files: str  # a checksum of the names and sizes of the source's layers

    def save(self, folder: Path) -> None:
        text = json.dumps(to_builtins(self), indent=1)
        write_file(folder / IMPORT_NAME, [text.encode("ascii"), b"\n"])


def load_origin(folder: Path) -> Origin | None:
    path = folder / IMPORT_NAME
    try:
        return as_struct(json.loads(read_limited(path)), Origin)
    except (OSError, AppError, ValueError, RecursionError) as error:
        if isinstance(error, OSError) and error.errno in _NO_FOLDER:
            return None
        raise DamagedTableError(
            "{path} is damaged: delete the table and import it again", path=path
        ) from error
