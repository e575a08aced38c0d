"""Checks which of a table's recorded layers are intact, and copies of them that are."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from engine.platform.files.atomic_file import replacing, sync_file
from engine.platform.language import tr
from tablebase.build_files import explain
from tablebase.errors import BuildRefusedError, DamagedTableError, TableError, cannot_read
from tablebase.store.layer_file import LayerFile, WrittenLayer
from tablebase.store.manifest import Manifest

# A table up to this size is read completely; for a larger one, sizes and headers are compared.
CHECKED_WHOLE_BYTES = 64 << 20


def whole_layers(
    paths: Mapping[int, Path], manifest: Manifest, most_bytes: int = CHECKED_WHOLE_BYTES
) -> dict[int, WrittenLayer]:
    """Return the recorded layers whose files are intact; the others must be computed again."""
    is_small = manifest.bytes <= most_bytes
    return {
        i: recorded
        for i, recorded in manifest.layers.items()
        if i in paths and not fault_of(paths[i], recorded, manifest.rate, reads_blocks=is_small)
    }


def fault_of(path: Path, layer: WrittenLayer, rate: str, *, reads_blocks: bool = True) -> str:
    """Return a description of what is wrong with a layer's file; "" if it is as recorded.

    With `reads_blocks`, all of it is read; otherwise only its size and header are compared.
    """
    try:
        if path.stat().st_size != layer.bytes:
            return tr("{path} has another size than recorded", path=path)
        file = LayerFile(path)
        try:
            if (file.layer, file.crc, file.rate.name) != (layer.layer, layer.crc, rate):
                return tr("{path} is not the file that the manifest records", path=path)
            if reads_blocks:
                for _ in file.check_blocks():
                    pass
        finally:
            file.close()
    except TableError as error:
        return str(error)
    except OSError as error:
        return cannot_read(path, error)
    return ""


def copy_layer(
    source: Path, target: Path, layer: WrittenLayer, rate: str, on_bytes: Callable[[int], None]
) -> None:
    """Copy a layer's file; on return it is on the other drive, complete and checked.

    `on_bytes` gets the bytes copied so far; it may raise to stop. DamagedTableError is about the
    source, BuildRefusedError or DiskFullError about the target.
    """
    try:
        with replacing(target) as part:
            _write_copy(source, part, on_bytes)
            _check_copy(part, source, layer, rate)
    except OSError as error:
        raise explain(error, target) from error


def _write_copy(source: Path, part: Path, on_bytes: Callable[[int], None]) -> None:
    with part.open("xb") as copy:
        on_bytes(0)
        for piece in _pieces(source):
            copy.write(piece)
            on_bytes(copy.tell())
    sync_file(part)  # so that reading it again reads from the drive
    _forget_cached(part)


def _pieces(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while piece := file.read(4 << 20):
                yield piece
    except OSError as error:
        raise DamagedTableError(cannot_read(path, error)) from error


def _check_copy(copy: Path, source: Path, layer: WrittenLayer, rate: str) -> None:
    if not fault_of(copy, layer, rate):
        return
    fault = fault_of(source, layer, rate)
    if fault:
        raise DamagedTableError("{fault}; it stays where it is", fault=fault)
    raise BuildRefusedError(
        "{folder} returns other bytes than were written to it: the table is intact; "
        "check that drive, or choose another one",
        folder=copy.parent,
    )


def _forget_cached(path: Path) -> None:
    """Drop a file from the system's cache, where possible, so that it is read from the drive."""
    if hasattr(os, "posix_fadvise"):
        with suppress(OSError), path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
