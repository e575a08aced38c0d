"""Small JSON files that carry a checksum of all their other fields in the field ``crc``.

They may come from a damaged drive or from a stranger, so reading checks everything, even their
size, and whether they are files at all.
"""

import json
import reprlib
import zlib
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from engine.platform.files import input_file
from engine.platform.files.atomic_file import with_retries
from engine.platform.language import tr
from tablebase.build_files import write_file
from tablebase.errors import TableFormatError

MAX_BYTES = 8 << 20  # the manifest of a table of 9,000 layers takes 2 MB


def write_checked(path: Path, body: Mapping[str, Any]) -> None:
    """Write `body` and its checksum, durably; raise DiskFullError or BuildRefusedError."""
    text = json.dumps({**body, "crc": checksum(body)}, indent=1)
    write_file(path, [text.encode("ascii"), b"\n"])


def read_limited(path: Path) -> bytes:
    """Return the bytes of a file; raise OSError, also if it is not a file or too large."""
    # A builder may be replacing it.
    return with_retries(lambda: input_file.read_limited(path, MAX_BYTES))


def decode_checked(raw: bytes, file_format: str, versions: Container[int]) -> dict[str, Any]:
    """Return the fields of a file whose checksum is right, without the checksum.

    Raises TableFormatError for another program or version, with a message that continues after the
    file's name; and ValueError for damage.
    """
    try:
        body = json.loads(raw.decode("ascii"))
    except (ValueError, RecursionError) as error:
        raise ValueError(tr("it is not valid JSON")) from error
    if not isinstance(body, dict) or body.get("format") != file_format:
        raise TableFormatError("is not a file of this program ({format})", format=file_format)
    version = body.get("version")
    if not is_whole(version) or version not in versions:
        raise TableFormatError(
            "has version {version}, which this program does not read", version=reprlib.repr(version)
        )
    try:
        is_same = body.pop("crc", None) == checksum(body)
    except RecursionError:
        is_same = False
    if not is_same:
        raise ValueError(tr("it does not match its checksum"))
    return body


def checksum(body: Mapping[str, Any]) -> str:
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return f"{zlib.crc32(text.encode()):08x}"


def is_whole(value: object, low: int = 0, high: int = 1 << 63) -> bool:
    """Return whether a value is a whole number from `low` to below `high`."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value < high
