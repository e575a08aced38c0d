"""Checks which of a table's recorded layers are intact, before a build relies on them."""

from collections.abc import Mapping
from pathlib import Path

from tablebase.errors import TableError
from tablebase.store.layer_file import LayerFile, WrittenLayer
from tablebase.store.manifest import Manifest

# A table up to this size is read completely; for a larger one, sizes and headers are compared.
CHECKED_WHOLE_BYTES = 64 << 20


def whole_layers(
    paths: Mapping[int, Path], manifest: Manifest, most_bytes: int = CHECKED_WHOLE_BYTES
) -> dict[int, WrittenLayer]:
    """Return the recorded layers whose files are intact; the others must be computed again.

    `paths` has the path of each layer's file.
    """
    is_small = manifest.bytes <= most_bytes
    return {
        i: recorded
        for i, recorded in manifest.layers.items()
        if i in paths and _is_whole(paths[i], recorded, manifest.rate, is_small)
    }


def _is_whole(path: Path, recorded: WrittenLayer, rate: str, reads_blocks: bool) -> bool:
    try:
        if path.stat().st_size != recorded.bytes:
            return False
        file = LayerFile(path)
    except (OSError, TableError):
        return False
    try:
        if (file.layer, file.crc, file.rate.name) != (recorded.layer, recorded.crc, rate):
            return False
        if reads_blocks:
            for _ in file.check_blocks():
                pass
    except (OSError, TableError):
        return False
    finally:
        file.close()
    return True
