"""Copying a layer file to another drive: only a complete and checked copy ever gets its name."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from engine.platform.files.atomic_file import replacing, sync_file
from engine.platform.language import tr
from tablebase.build_files import explain
from tablebase.errors import BuildRefusedError, DamagedTableError
from tablebase.store.intact_layers import fault_of
from tablebase.store.layer_file import WrittenLayer

_CHUNK = 4 << 20


def copy_layer(
    source: Path, target: Path, layer: WrittenLayer, rate: str, on_bytes: Callable[[int], None]
) -> None:
    """Copy a layer's file; on return it is on the other drive, complete and checked.

    `on_bytes` gets the bytes copied so far now and then; it may raise to stop. DamagedTableError
    says that the source cannot be read or is not as it was written; BuildRefusedError and
    DiskFullError that the target cannot be written, or does not read back the same.
    """
    try:
        with replacing(target) as part:
            _write_copy(source, part, on_bytes)
            _check_copy(part, source, layer, rate)
    except OSError as error:
        raise explain(error, target) from error


def _write_copy(source: Path, part: Path, on_bytes: Callable[[int], None]) -> None:
    try:
        original = source.open("rb")
    except OSError as error:
        raise DamagedTableError(
            tr("cannot read {source}: {reason}", source=source, reason=error.strerror)
        ) from error
    with original, part.open("xb") as copy:
        done = 0
        while True:
            on_bytes(done)
            try:
                piece = original.read(_CHUNK)
            except OSError as error:
                raise DamagedTableError(
                    tr("cannot read {source}: {reason}", source=source, reason=error.strerror)
                ) from error
            if not piece:
                break
            copy.write(piece)
            done += len(piece)
    sync_file(part)  # so that reading it again reads from the drive
    _forget_cached(part)


def _check_copy(copy: Path, source: Path, layer: WrittenLayer, rate: str) -> None:
    if not fault_of(copy, layer, rate):
        return
    fault = fault_of(source, layer, rate)
    if fault:
        raise DamagedTableError(tr("{fault}; it stays where it is", fault=fault))
    raise BuildRefusedError(
        tr(
            "{folder} returns other bytes than were written to it: the table is intact; "
            "check that drive, or choose another one",
            folder=copy.parent,
        )
    )


def _forget_cached(path: Path) -> None:
    """Drop a file from the system's cache, where possible, so that it is read from the drive."""
    if hasattr(os, "posix_fadvise"):
        with suppress(OSError), path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
