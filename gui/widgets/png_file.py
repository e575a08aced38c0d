"""Pictures written to files."""

from pathlib import Path

from PySide6.QtGui import QImage

from engine.platform.errors import WriteError
from engine.platform.files.atomic_file import replacing, write_error
from engine.platform.language import tr


def write_png(image: QImage, path: Path) -> None:
    """Write a picture as PNG; raise WriteError if that fails."""
    try:
        with replacing(path) as part:
            if not image.save(str(part), "PNG"):  # type: ignore[call-overload]
                raise WriteError(tr("cannot write {path}: choose another folder", path=path))
    except OSError as error:
        raise write_error(error, path) from error
