"""The manifest of a backup: its files with their checksums, and where the tables were.

A backup is a ZIP file with the files under their names in the data folder, and this list as
``backup.json``, its last member. See docs/formats.md.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from coach.backup.contents import NAMES, is_in_place
from engine.platform.errors import AppError
from engine.platform.files.input_file import parse_json
from engine.platform.files.json_struct import as_struct, check_format
from engine.platform.language import tr
from engine.platform.surrogates import escaped

FORMAT, VERSION = "endgame2048-backup", 1
MANIFEST_NAME = "backup.json"
MAX_FILES = 200_000
MAX_BYTES = 16 << 30
DIGEST_BYTES = 32
_MAX_PART_LENGTH = 255
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_UNSAFE = re.compile(r'[\x00-\x1f\x7f"*:<>?\\|]')


class BackupError(AppError):
    """A file is not a backup, is damaged, or cannot be used here."""


@dataclass(frozen=True)
class BackupFile:
    """A file in a backup; the checksum is BLAKE2b of 32 bytes, in hexadecimal."""

    path: str
    size: int
    blake2b: str


@dataclass(frozen=True)
class BackupTable:
    """A table that existed when the backup was made; the backup doesn't contain it."""

    name: str
    folder: str
    state: str
    bytes: int


@dataclass(frozen=True)
class Manifest:
    """The description that a backup contains."""

    made: str  # when it was made, in ISO 8601
    program: str  # the version that made it
    # Names in the data folder that it covers: those not in the backup didn't exist.
    covers: tuple[str, ...]
    files: tuple[BackupFile, ...]
    tables: tuple[BackupTable, ...] = ()

    @property
    def entries(self) -> list[str]:
        """The names in the data folder for which the backup has files."""
        there = {file.path.partition("/")[0] for file in self.files}
        return [name for name in self.covers if name in there]

    @property
    def n_bytes(self) -> int:
        """The size of all files together."""
        return sum(file.size for file in self.files)

    def to_json(self) -> bytes:
        """Return the manifest as written to the file."""
        data = {"format": FORMAT, "version": VERSION, **asdict(self)}
        return json.dumps(data, indent=1, ensure_ascii=True).encode("ascii")


def parse_manifest(data: bytes) -> Manifest:
    """Return the manifest of a backup, with every path checked.

    Raises
    ------
    BackupError
        It is not a manifest, or names a file that no backup may contain.
    """
    from coach.backup.manifest_fields import ManifestFields

    found = parse_json(data, MANIFEST_NAME, BackupError)
    check_format(found, tr("a backup of this program"), FORMAT, VERSION, BackupError)
    fields = as_struct(found, ManifestFields, BackupError)
    files = tuple(BackupFile(one.path, one.size, one.blake2b) for one in fields.files)
    tables = tuple(BackupTable(t.name, t.folder, t.state, t.bytes) for t in fields.tables)
    manifest = Manifest(fields.made, fields.program, tuple(fields.covers), files, tables)
    _check(manifest)
    return manifest


def is_safe_name(name: str) -> bool:
    """Return whether a name stays inside the folder on every operating system.

    Examples
    --------
    >>> is_safe_name("tests/a.json"), is_safe_name("tests/../../x"), is_safe_name("/etc/passwd")
    (True, False, False)
    """
    parts = name.split("/")
    if name != str(PurePosixPath(name)) or not all(map(_is_safe_part, parts)):
        return False
    try:
        return len(name.encode("utf-8")) <= 1000
    except UnicodeEncodeError:
        return False


def _is_safe_part(part: str) -> bool:
    return (
        bool(part)
        and part not in (".", "..")
        and len(part.encode("utf-8", "replace")) <= _MAX_PART_LENGTH
        and not _UNSAFE.search(part)
        and not _DEVICES.fullmatch(part)
        and part[-1] not in ". "
    )


def _check(manifest: Manifest) -> None:
    unknown = sorted(set(manifest.covers) - set(NAMES))
    if unknown:
        raise BackupError(
            "it holds {name!r}, which this version of the program doesn't know: update the program",
            name=unknown[0][:40],
        )
    if manifest.n_bytes > MAX_BYTES:
        raise BackupError("it claims to hold {n:,} bytes, which no backup does", n=manifest.n_bytes)
    _check_names([file.path for file in manifest.files], set(manifest.covers))


def _check_names(names: Sequence[str], covers: set[str]) -> None:
    seen: set[str] = set()
    folders: set[str] = set()
    for name in names:
        is_ours = is_in_place(name) and name.partition("/")[0] in covers
        if not is_ours or not is_safe_name(name):
            raise BackupError("it holds a file that no backup has: {name!r}", name=name[:100])
        folded = name.casefold()
        if folded in seen:
            raise BackupError("it holds {name!r} twice", name=name[:100])
        seen.add(folded)
        folders.update(str(one) for one in PurePosixPath(folded).parents)
    if both := seen & folders:
        text = tr("it holds {name!r} as a file and as a folder", name=min(both)[:100])
        raise BackupError(text)


def tables_there(folders: Iterable[Path]) -> list[BackupTable]:
    """Return the tables in some folders as listed in a backup's manifest."""
    from tablebase.library.catalog import scan

    return [
        BackupTable(escaped(info.name), escaped(str(info.path)), info.state, max(0, info.bytes))
        for info in scan(folder for folder in folders if folder.is_dir())
    ]
