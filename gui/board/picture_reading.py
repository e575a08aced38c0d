"""Reading boards from pictures, clipboard or files: the Qt side of `engine.pictures`."""

from functools import cache
from pathlib import Path

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontDatabase, QImage, QImageReader, QPainter

from engine.formats.board_text import PastedBoard
from engine.pictures.figures import LABELS, Cover, Figures
from engine.pictures.grid import Picture
from engine.pictures.reading import read_picture
from engine.platform.errors import InvalidBoardError
from engine.platform.files.input_file import read_bytes
from engine.platform.language import tr

PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp")
_KINDS = ("png", "jpeg", "bmp")
_MAX_PX = 1600  # of the longer side: larger pictures are scaled down
_MAX_FILE_BYTES = 40 << 20
_MAX_FILE_PX = 12_000
_FONT_PX = 60
# Fonts that 2048 games use; those that are installed are tried.
_FAMILIES = (
    *("Clear Sans", "Helvetica Neue", "Helvetica", "Arial", "Liberation Sans", "Nimbus Sans"),
    *("Inter", "Roboto", "Open Sans", "Segoe UI", "SF Pro Display", "Noto Sans", "Cantarell"),
    *("Ubuntu", "DejaVu Sans", "Verdana", "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC"),
    *("Nimbus Sans Narrow", "Arial Narrow"),
)
_WEIGHTS = (QFont.Weight.Normal, QFont.Weight.Bold)


def read_image(image: QImage) -> PastedBoard:
    """Return the board shown in an image, or raise InvalidBoardError."""
    if image.isNull():
        raise InvalidBoardError(tr("there is no picture to read a board from"))
    return read_picture(pixels(image), figures())


def read_image_file(path: Path) -> PastedBoard:
    """Return the board shown in an image file.

    Raises
    ------
    InvalidBoardError
        It is not a PNG, JPEG or BMP, or as for `read_image`. Other formats are not even tried: some
        may refer to other files.
    AppError
        It cannot be read.
    """
    data = read_bytes(path, tr("a picture"), _MAX_FILE_BYTES)
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QBuffer.OpenModeFlag.ReadOnly)
    kind = bytes(QImageReader.imageFormat(buffer).data()).decode()
    reader = QImageReader(buffer, QByteArray(kind.encode()))
    reader.setAutoTransform(True)
    size = reader.size() if kind in _KINDS else QSize()
    if size.isValid() and max(size.width(), size.height()) > _MAX_FILE_PX:
        raise InvalidBoardError(
            "{name} is {width} x {height} pixels large; expected a screenshot",
            name=path.name,
            width=size.width(),
            height=size.height(),
        )
    image = reader.read() if kind in _KINDS else QImage()
    if image.isNull():
        raise InvalidBoardError(
            "{name} is not a picture that can be opened: expected PNG or JPEG", name=path.name
        )
    return read_image(image)


def pixels(image: QImage) -> Picture:
    """Return uint8[height, width, 3] of an image, made smaller when it is very large."""
    if max(image.width(), image.height()) > _MAX_PX:
        image = image.scaled(
            QSize(_MAX_PX, _MAX_PX),
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    height, width = image.height(), image.width()
    rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(height, image.bytesPerLine())
    return rows[:, : 3 * width].reshape(height, width, 3).copy()


@cache
def figures() -> Figures:
    """Return the figures of all tiles in the fonts that are installed; drawn once."""
    installed = {name.split(" [")[0] for name in QFontDatabase.families()}
    families = [name for name in _FAMILIES if name in installed]
    families.append(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family())
    fonts = []
    for family in dict.fromkeys(families):
        for weight in _WEIGHTS:
            font = QFont(family)
            font.setPixelSize(_FONT_PX)
            font.setWeight(weight)
            fonts.append(font)
    return Figures(
        (exponent, _drawn(font, label)) for font in fonts for label, exponent in LABELS.items()
    )


def _drawn(font: QFont, label: str) -> Cover:
    image = QImage(_FONT_PX * 6, _FONT_PX * 2, QImage.Format.Format_Grayscale8)
    image.fill(Qt.GlobalColor.black)
    painter = QPainter(image)
    painter.setFont(font)
    painter.setPen(Qt.GlobalColor.white)
    painter.drawText(QRectF(image.rect()), Qt.AlignmentFlag.AlignCenter, label)
    painter.end()
    rows = np.frombuffer(image.constBits(), dtype=np.uint8)
    return rows.reshape(image.height(), image.bytesPerLine())[:, : image.width()] / 255.0
