"""The pictures of the help on a light and on a dark page: none glares, all can be read."""

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from gui.help.browser import draw_picture, picture_size
from gui.help.contents import FOLDER, picture_path

PICTURES = sorted(
    path
    for path in (FOLDER / "pictures").rglob("*.*")
    if path.suffix in (".png", ".svg") and path.parent.name != "dark"
)
LIGHT, DARK = "#f6f7f7", "#14181b"  # pages
DARK_INK, PALE_INK = QColor("#1c2328"), QColor("#e7ecee")


def on_page(path: Path, ground: str, ink: QColor) -> QImage:
    """Return a picture as it is seen on a page."""
    drawn = draw_picture(path, picture_size(path, 760), 1.0, ink.name())
    seen = QImage(drawn.size(), QImage.Format.Format_RGB32)
    seen.fill(QColor(ground))
    painter = QPainter(seen)
    painter.drawImage(0, 0, drawn)
    painter.end()
    return seen


def grays(image: QImage) -> list[int]:
    """Return the lightness of the pixels, from the darkest on."""
    shown = image.convertToFormat(QImage.Format.Format_Grayscale8)
    return sorted(
        shown.pixelColor(x, y).value()
        for x in range(0, shown.width(), 2)
        for y in range(0, shown.height(), 2)
    )


@pytest.mark.sample(2)
@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("path", PICTURES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_picture_is_dark_on_a_dark_page_and_light_on_a_light_one(path):
    other = picture_path(path.name, path.parent.name, is_dark=True)
    assert other.parent == (path.parent if path.suffix == ".svg" else path.parent / "dark")
    light, dark = grays(on_page(path, LIGHT, DARK_INK)), grays(on_page(other, DARK, PALE_INK))
    middle = len(light) // 2
    assert light[middle] > 150
    assert dark[middle] < 90  # a sheet dims the page behind it
    assert sum(dark) / len(dark) < 90, "few things on it are light"
    # Words and lines stand out as before, also the gray ones of growth.svg.
    assert dark[-20] - dark[middle] > 70
    assert light[middle] - light[19] > 70


@pytest.mark.usefixtures("qapp")
@pytest.mark.thorough
def test_colors_keep_their_hue_on_a_dark_page():
    path = FOLDER / "pictures" / "growth.svg"
    hues = []
    for ground, ink in ((LIGHT, DARK_INK), (DARK, PALE_INK)):
        image = on_page(path, ground, ink)
        colors = {image.pixelColor(x, y).name() for x in range(760) for y in range(300)}
        strong = [QColor(one) for one in colors if QColor(one).saturation() > 200]
        hues.append({round(one.hue() / 60) % 6 for one in strong if one.value() > 120})
    assert hues[0] <= hues[1]
    assert len(hues[0]) >= 3, "three formations"
