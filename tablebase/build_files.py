"""Table files that exist whole or not at all, and the errors of a build when the drive is full."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.platform.files import atomic_file
from engine.platform.files.atomic_file import is_full, reason_of, sync_file, sync_folder
from tablebase.errors import BuildRefusedError, DiskFullError


def write_file(path: Path, pieces: Iterable[bytes | memoryview], *, durable: bool = True) -> int:
    """Write a file like `atomic_file.write_file`; raise DiskFullError, BuildRefusedError."""
    try:
        return atomic_file.write_file(path, pieces, durable=durable)
    except OSError as error:
        raise explain(error, path) from error


def unlink(path: Path) -> None:
    """Delete a file of a table, which may be gone already; raise BuildRefusedError."""
    try:
        atomic_file.unlink(path, missing_ok=True)
    except OSError as error:
        raise explain(error, path) from error


def explain(error: OSError, path: Path) -> DiskFullError | BuildRefusedError:
    if is_full(error):
        return DiskFullError(
            "the drive is full: cannot write {path}; everything finished so far is kept, "
            "free some space and start the same build again",
            path=path,
        )
    return BuildRefusedError(
        "cannot write {path}: {error}", path=path, error=reason_of(error, path)
    )


def sync_files(paths: Sequence[Path]) -> None:
    """Wait until the drive holds the files that still exist; raise like `write_file`."""
    for path in paths:
        try:
            sync_file(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise explain(error, path) from error
    for folder in {path.parent for path in paths}:
        try:
            sync_folder(folder)
        except OSError as error:
            raise explain(error, folder) from error
