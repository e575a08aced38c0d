"""Checks which of a table's recorded layers are intact, before a build or a move relies on them."""

from collections.abc import Mapping
from pathlib import Path

from engine.platform.language import tr
from tablebase.errors import TableError
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
        return tr("cannot read {path}: {reason}", path=path, reason=error.strerror)
    return ""
