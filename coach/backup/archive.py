"""Writing a backup: complete or not at all, and consistent while the program keeps running."""

import hashlib
import os
import sqlite3
import tempfile
import time
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from coach.backup.contents import NAMES, DataFile, find_files, is_in_place, names_to_keep
from coach.backup.manifest import (
    DIGEST_BYTES,
    MANIFEST_NAME,
    MAX_BYTES,
    MAX_FILES,
    BackupError,
    BackupFile,
    BackupTable,
    Manifest,
    is_safe_name,
)
from engine.platform.files.atomic_file import reason_of, replacing, write_error
from engine.platform.files.input_file import open_regular
from engine.platform.language import mark, tr
from engine.platform.project_files import program_version
from tablebase.errors import BuildCancelledError

CHUNK = 1 << 20
_PAGES = 2048  # pages of a database between two checks for cancellation
_ZIP64_FROM = 1 << 30
_ZIP_YEARS = (400_000_000.0, 4_000_000_000.0)  # the times that a ZIP file can store, at least


class BackupCancelledError(BuildCancelledError):
    """The backup was canceled; nothing has changed."""


@dataclass(frozen=True)
class Watch:
    """Callbacks for progress and cancellation."""

    show: Callable[[float], object] = lambda _: None  # called with the fraction done, 0 to 1
    is_cancelled: Callable[[], bool] = lambda: False

    def check(self) -> None:
        if self.is_cancelled():
            raise BackupCancelledError(tr("nothing was changed"))


@dataclass(frozen=True)
class Written:
    """The result of writing a backup."""

    path: Path
    n_files: int
    n_bytes: int  # of the backup itself
    problems: tuple[str, ...] = ()  # files that could not be read, or only in part


def write_backup(
    data_dir: Path,
    path: Path,
    made: datetime,
    tables: Sequence[BackupTable] = (),
    watch: Watch | None = None,
) -> Written:
    """Write all of a person's data to one file, replacing it once the new one is complete.

    Raises BackupCancelledError; BackupError if the path lies in a folder being backed up, or there
    is far too much data; and WriteError.
    """
    watch = watch or Watch()
    _check_place(data_dir, path)
    names = names_to_keep(data_dir)
    found = list(find_files(data_dir, names))
    total = sum(one.size for one in found)
    if total > MAX_BYTES or len(found) > MAX_FILES:
        text = mark("{n:,} bytes in {files:,} files are too much for one backup")
        raise BackupError(text, n=total, files=len(found))
    try:
        with (
            replacing(path) as part,
            part.open("xb") as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            writing = _Writing(archive, watch, total)
            for one in found:
                writing.add(one)
            when, files = made.isoformat(timespec="seconds"), tuple(writing.files)
            manifest = Manifest(when, program_version(), names, files, tuple(tables))
            archive.writestr(MANIFEST_NAME, manifest.to_json())
        n_bytes = path.stat().st_size
    except OSError as error:
        raise write_error(error, path) from error
    return Written(path, len(files), n_bytes, tuple(writing.problems))


def _check_place(data_dir: Path, path: Path) -> None:
    place = Path(os.path.realpath(path.parent))
    for name in NAMES:
        kept = Path(os.path.realpath(data_dir / name))  # `resolve` fails for a link in a circle
        if kept == place / path.name or kept == place or kept in place.parents:
            text = tr("a backup can't go into {folder}: choose another folder", folder=kept)
            raise BackupError(text)


@dataclass
class _Writing:
    archive: zipfile.ZipFile
    watch: Watch
    total: int
    done: int = 0
    files: list[BackupFile] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add(self, found: DataFile) -> None:
        """Add a file; skip it if it is gone by now, report it if it cannot be read."""
        self.watch.check()
        if not is_safe_name(found.name):
            self._note(found, tr("its name is not the same on all systems"))
            return
        if not is_in_place(found.name):
            self._note(found, tr("a file is where a folder belongs, or the other way around"))
            return
        if found.is_database:
            with tempfile.TemporaryDirectory() as folder:
                self._put(found, self._consistent(found, Path(folder) / "copy.db"))
        else:
            self._put(found, found.path)

    def _consistent(self, found: DataFile, copy: Path) -> Path:
        """Return a consistent copy of a database, or the file itself if it is damaged."""
        try:
            open_regular(found.path).close()
            _snapshot(found.path, copy, self.watch)
        except (sqlite3.Error, OSError) as error:
            self._note(found, tr("it is copied as it is ({problem})", problem=error))
            return found.path
        return copy

    def _put(self, found: DataFile, source: Path) -> None:
        try:
            file = open_regular(source)
        except FileNotFoundError:
            return
        except OSError as error:
            self._note(found, reason_of(error, source))
            return
        digest, size = hashlib.blake2b(digest_size=DIGEST_BYTES), 0
        changed = min(max(source.stat().st_mtime, _ZIP_YEARS[0]), _ZIP_YEARS[1])
        info = zipfile.ZipInfo(found.name, time.localtime(changed)[:6])
        info.compress_type = zipfile.ZIP_DEFLATED
        is_large = found.size > _ZIP64_FROM
        with file, self.archive.open(info, "w", force_zip64=is_large) as member:
            while chunk := file.read(CHUNK):
                self.watch.check()
                member.write(chunk)
                digest.update(chunk)
                size += len(chunk)
                self.watch.show(min(1.0, (self.done + size) / max(1, self.total)))
        self.done += found.size
        self.files.append(BackupFile(found.name, size, digest.hexdigest()))

    def _note(self, found: DataFile, problem: str) -> None:
        self.problems.append(tr("{name}: {problem}", name=ascii(found.name)[1:-1], problem=problem))


def _snapshot(source: Path, to: Path, watch: Watch) -> None:
    def look(_status: int, _left: int, _all: int) -> None:
        watch.check()

    address = f"{source.absolute().as_uri()}?mode=ro"  # no text: stored unchanged
    with (
        closing(sqlite3.connect(address, uri=True, timeout=5.0)) as database,
        closing(sqlite3.connect(to)) as copy,
    ):
        database.backup(copy, pages=_PAGES, progress=look)
        copy.execute("PRAGMA journal_mode = DELETE")  # a single file without a log next to it
