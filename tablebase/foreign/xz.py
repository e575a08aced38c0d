"""One xz stream inside a file: unpacked within bounds, or only measured."""

from pathlib import Path
from typing import IO

from engine.platform.language import tr
from tablebase.errors import DamagedTableError, TableFormatError, cannot_read

_PIECE = 1 << 20
_MAX_BYTES = 1 << 26  # unpacked; a table's stream is below a fiftieth of that
_MEMORY_BYTES = 1 << 27  # memory limit of unpacking; their level takes 2 MiB
_FOOTER = 12


def unpack_stream(file: IO[bytes], start: int, end: int, path: Path) -> bytes:
    """Return the content of the single stream from byte `start` to `end` of `file`."""
    try:
        import lzma
    except ImportError as error:  # Python can be built without it
        raise TableFormatError(
            "this Python cannot unpack {path}: its module lzma is missing", path=path
        ) from error
    decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY_BYTES)
    unpacked = bytearray()
    file.seek(start)
    left = end - start
    try:
        while not decoder.eof:
            piece = file.read(min(_PIECE, left)) if decoder.needs_input else b""
            if decoder.needs_input and not piece:
                raise _damaged(path, start, tr("it ends too early"))
            left -= len(piece)
            unpacked += decoder.decompress(piece, _PIECE)
            if len(unpacked) > _MAX_BYTES:
                raise _damaged(
                    path, start, tr("it holds more than {count} bytes", count=_MAX_BYTES)
                )
    except (lzma.LZMAError, EOFError) as error:
        raise _damaged(path, start, str(error)) from error
    except OSError as error:
        raise DamagedTableError(cannot_read(path, error)) from error
    if decoder.unused_data or left:
        raise _damaged(path, start, tr("it ends before byte {end}", end=end))
    return bytes(unpacked)


def unpacked_size(file: IO[bytes], start: int, end: int, path: Path) -> int:
    """Return the unpacked size of a stream from its own index, without unpacking it.

    The format: https://tukaani.org/xz/xz-file-format.txt, sections 2.1.2 and 4.
    """
    try:
        file.seek(max(end - _FOOTER, start))
        footer = file.read(_FOOTER)
        n_index = (int.from_bytes(footer[4:8], "little") + 1) * 4
        if footer[10:] != b"YZ" or n_index > end - start - 2 * _FOOTER:
            raise _damaged(path, start, tr("no stream ends at byte {end}", end=end))
        file.seek(end - _FOOTER - n_index)
        index = file.read(n_index)
    except OSError as error:
        raise DamagedTableError(cannot_read(path, error)) from error
    try:
        size = _sum_of_index(index)
    except IndexError as error:
        raise _damaged(path, start, tr("its index is cut off")) from error
    if size > _MAX_BYTES:
        raise _damaged(path, start, tr("it holds more than {count} bytes", count=_MAX_BYTES))
    return size


def _sum_of_index(index: bytes) -> int:
    n_blocks, at = _number(index, 1)
    total = 0
    for _ in range(min(n_blocks, len(index))):
        _, at = _number(index, at)
        size, at = _number(index, at)
        total += size
    return total


def _number(index: bytes, at: int) -> tuple[int, int]:
    """Return a number of 7 bits per byte, the lowest first, and the start of the next one."""
    value = 0
    for i in range(9):
        value |= (index[at + i] & 127) << (7 * i)
        if index[at + i] < 128:
            break
    return value, at + i + 1


def _damaged(path: Path, start: int, what: str) -> DamagedTableError:
    return DamagedTableError(
        "{path} is damaged: the stream at byte {start}: {what}", path=path, start=start, what=what
    )
