"""Reading a backup: nothing in it is trusted before it is checked.

The file may come from somebody else. So its names must be ones that our backups use, its sizes are
limited and counted while unpacking, and every file must match its checksum in the manifest.
"""

import hashlib
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from coach.backup.archive import CHUNK, Watch
from coach.backup.contents import KINDS, names_to_replace, sizes
from coach.backup.manifest import (
    DIGEST_BYTES,
    MANIFEST_NAME,
    MAX_FILES,
    BackupError,
    Manifest,
    parse_manifest,
)
from engine.platform.files.input_file import open_regular, why_unreadable
from engine.platform.language import mark, tr

_MAX_DIRECTORY = 128 << 20  # bytes of the central directory at the end of a ZIP file
_MAX_MANIFEST = 64 << 20
_END = struct.Struct("<4s4H2LH")  # the end of a ZIP file
_LOCATOR = struct.Struct("<4sLQL")  # before it, in a ZIP64 file
_LARGE_END = struct.Struct("<4sQ2H2L4Q")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
# Raised for a damaged file, and for compression methods that our backups never use.
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, EOFError, struct.error),
    *(NotImplementedError, RuntimeError, ValueError),
)


@dataclass(frozen=True)
class Backup:
    """A backup whose manifest, file names and sizes are checked; file contents are not yet."""

    path: Path
    manifest: Manifest


@dataclass(frozen=True)
class Replaced:
    """What a backup would replace, for one kind."""

    # See `contents.KINDS`.
    key: str
    title: str
    # Bytes there now, and bytes in the backup.
    before: int
    after: int


def read_backup(path: Path) -> Backup:
    """Return the checked list of a backup's files.

    Raises BackupError if it cannot be read, is not a backup, or contains unexpected files.
    """
    with _opened(path) as archive:
        infos = archive.infolist()
        listed_last = [info for info in infos if info.filename == MANIFEST_NAME]
        if len(listed_last) != 1 or listed_last[0].file_size > _MAX_MANIFEST:
            raise BackupError("{path} is not a backup of this program", path=path)
        with _reading(path), archive.open(listed_last[0]) as member:
            data = member.read(_MAX_MANIFEST + 1)
        try:
            manifest = parse_manifest(data)
            _compare(manifest, infos)
        except BackupError as error:
            raise BackupError("{path}: {problem}", path=path, problem=error) from error
    return Backup(path, manifest)


def unpack(backup: Backup, folder: Path, watch: Watch) -> None:
    """Write the files of a backup to an empty folder, checking each checksum.

    Raises BackupError if it is damaged, BackupCancelledError, and OSError if they cannot be
    written.
    """
    done, total = 0, max(1, backup.manifest.n_bytes)
    with _opened(backup.path) as archive:
        _compare(backup.manifest, archive.infolist())
        for file in backup.manifest.files:
            target = folder.joinpath(*file.path.split("/"))
            target.parent.mkdir(parents=True, exist_ok=True)
            with _reading(backup.path):
                member = archive.open(file.path)
            digest, size = hashlib.blake2b(digest_size=DIGEST_BYTES), 0
            with member, target.open("xb") as out:
                for chunk in _chunks(member, backup.path, watch):
                    size += len(chunk)
                    if size > file.size:
                        break
                    digest.update(chunk)
                    out.write(chunk)
                    watch.show((done + size) / total)
            if size != file.size or digest.hexdigest() != file.blake2b:
                text = mark("the backup is damaged: {name} has another checksum; use another one")
                raise BackupError(text, name=file.path)
            done += file.size


def comparison(backup: Backup, data_dir: Path) -> list[Replaced]:
    before, after = sizes(data_dir), dict.fromkeys((kind.key for kind in KINDS), 0)
    kind_of = {name: kind.key for kind in KINDS for name in kind.names}
    for file in backup.manifest.files:
        after[kind_of[file.path.partition("/")[0]]] += file.size
    covered = {kind_of[name] for name in names_to_replace(backup.manifest.covers)}
    return [
        Replaced(kind.key, kind.title, before[kind.key], after[kind.key])
        for kind in KINDS
        if kind.key in covered and (before[kind.key] or after[kind.key])
    ]


def _chunks(member: IO[bytes], path: Path, watch: Watch) -> Iterator[bytes]:
    while True:
        watch.check()
        with _reading(path):
            chunk = member.read(CHUNK)
        if not chunk:
            return
        yield chunk


def _compare(manifest: Manifest, infos: list[zipfile.ZipInfo]) -> None:
    wanted = {file.path: file.size for file in manifest.files}
    there = [info for info in infos if info.filename != MANIFEST_NAME]
    if len(there) != len(wanted) or {info.filename for info in there} != set(wanted):
        raise BackupError(tr("it does not have the files that its list names"))
    for info in there:
        if wanted.get(info.filename) != info.file_size:
            raise BackupError("{name!r} is not what its list says", name=info.filename[:100])
        if info.compress_type not in _METHODS or info.flag_bits & _ENCRYPTED:
            raise BackupError("{name!r} is packed in another way", name=info.filename[:100])


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Yield an open ZIP file; errors on opening or reading it become BackupError."""
    try:
        file = open_regular(path)
    except OSError as error:
        raise BackupError(why_unreadable(path, tr("a backup"), error)) from error
    with file:
        try:
            with _reading(path):
                _check_end(file)
                archive = zipfile.ZipFile(file)
            with archive:
                yield archive
        except _DAMAGED as error:
            text = mark("{path} is damaged or not a backup: {problem}")
            raise BackupError(text, path=path, problem=error) from error


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn errors of reading into BackupError, so that OSError always means a failed write."""
    try:
        yield
    except OSError as error:
        raise BackupError(why_unreadable(path, tr("a backup"), error)) from error


def _check_end(file: IO[bytes]) -> None:
    """Raise BadZipFile if the central directory is larger than that of any backup.

    Python reads the whole directory before the caller can inspect it.
    """
    size = file.seek(0, 2)
    if size > 24 << 30 or size < _END.size:
        raise zipfile.BadZipFile(tr("its size is {n:,} bytes", n=size))
    file.seek(size - _END.size)
    sign, _, _, _, n, n_bytes, _, comment = _END.unpack(file.read(_END.size))
    if sign != b"PK\5\6" or comment:
        raise zipfile.BadZipFile(tr("it does not end as a backup does"))
    if size >= _END.size + _LOCATOR.size + _LARGE_END.size:
        file.seek(size - _END.size - _LOCATOR.size)
        sign, _, at, _ = _LOCATOR.unpack(file.read(_LOCATOR.size))
        if sign == b"PK\6\7":
            file.seek(min(at, size - _LARGE_END.size))
            n, n_bytes = _LARGE_END.unpack(file.read(_LARGE_END.size))[7:9]
    if n > MAX_FILES + 1 or n_bytes > _MAX_DIRECTORY:
        raise zipfile.BadZipFile(tr("it has {n:,} files", n=n))
    file.seek(0)
