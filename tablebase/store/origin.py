"""Where an imported table came from: ``import.json`` beside its manifest."""

import json
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path

from tablebase.build_files import write_file
from tablebase.errors import DamagedTableError
from tablebase.foreign.find import FoundTable
from tablebase.foreign.table import ReferenceTable
from tablebase.store.checked_json import read_limited
from tablebase.store.manifest import IMPORT_NAME

_FORMAT = "endgame2048-import"


@dataclass(frozen=True)
class Origin:
    """What there is to know of an imported table beside its manifest.

    Attributes
    ----------
    source_rate : str
        The type in which the source stores rates.
    is_thinned : bool
        Whether the source lacks boards of a rate above zero; such a table's values cannot be
        derived again.
    source_files : str
        A checksum of the names and sizes of the source's layers.
    """

    source_rate: str
    is_thinned: bool
    source_files: str

    def save(self, folder: Path) -> None:
        """Write it into the imported table's folder."""
        text = json.dumps({"format": _FORMAT, **asdict(self)}, indent=1)
        write_file(folder / IMPORT_NAME, [text.encode("ascii"), b"\n"])


def origin_of(source: ReferenceTable) -> Origin:
    """Return the origin of a table imported from `source`."""
    return Origin(source.rate, source.config.is_thinned, _files_crc(source.found))


def load_origin(folder: Path) -> Origin | None:
    """Return the origin of the table in `folder`, None when it was not imported.

    Raises
    ------
    DamagedTableError
        It is not what was written.
    """
    path = folder / IMPORT_NAME
    try:
        body = json.loads(read_limited(path))
        if body.pop("format") != _FORMAT:
            raise ValueError("another format")
        origin = Origin(**body)
        if [type(value) for value in asdict(origin).values()] != [str, bool, str]:
            raise ValueError("another type")  # 0 would pass for False
        return origin
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DamagedTableError(
            f"{path} is damaged: delete the table and import it again"
        ) from error


def _files_crc(found: FoundTable) -> str:
    crc = 0
    for layer in sorted(found.layers):
        path = found.layers[layer]
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            crc = zlib.crc32(f"{file.name} {file.stat().st_size}\n".encode(), crc)
    return f"{crc:08x}"
