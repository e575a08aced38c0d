"""Covers: each game has a picture of its own, in both themes, and leaves the painter as it was."""

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from gui.minigames.cover import draw_cover
from gui.minigames.things import draw_thing
from minigames.parameters import PATTERNS
from minigames.registry import GAMES
from tests.gui.practice_theme import plain_theme

pytestmark = pytest.mark.usefixtures("qapp")


def painted(game: str, *, is_dark: bool = False, width: int = 160, height: int = 100) -> QImage:
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    try:
        draw_cover(painter, QRectF(0, 0, width, height), game, plain_theme(is_dark))
        assert painter.transform().isIdentity()
        assert not painter.hasClipping()
    finally:
        painter.end()
    return image


def difference(one: QImage, two: QImage) -> float:
    n = 0
    for x in range(0, one.width(), 2):
        for y in range(0, one.height(), 2):
            first, second = one.pixelColor(x, y), two.pixelColor(x, y)
            n += max(abs(a - b) for a, b in zip(first.getRgb(), second.getRgb(), strict=True)) > 24
    return 4 * n / (one.width() * one.height())


@pytest.mark.thorough
@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_no_two_games_look_the_same(is_dark):
    images = {name: painted(name, is_dark=is_dark) for name in GAMES}
    names = list(images)
    alike = [
        (one, two)
        for i, one in enumerate(names)
        for two in names[i + 1 :]
        if difference(images[one], images[two]) < 0.03
    ]
    assert alike == []


@pytest.mark.parametrize("name", GAMES)
def test_it_fills_its_rectangle_and_nothing_else(name):
    image = painted(name, width=200, height=90)
    corners = [image.pixelColor(x, y) for x in (0, 199) for y in (0, 89)]
    assert all(corner.alpha() == 255 for corner in corners)
    assert len({corner.name() for corner in corners}) == 1, "a calm ground to the edge"
    assert difference(painted(name), painted(name, is_dark=True)) > 0.5


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_drawn_beside_the_rectangle(name):
    image = QImage(200, 140, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    draw_cover(painter, QRectF(20, 20, 160, 100), name, plain_theme())
    painter.end()
    outside = [(x, y) for x in range(200) for y in (0, 19, 120, 139)]
    outside += [(x, y) for x in (0, 19, 180, 199) for y in range(140)]
    assert all(image.pixelColor(x, y).alpha() == 0 for x, y in outside)


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_the_one_of_the_rules(name, monkeypatch):
    shown = painted(name)
    rest = [other for other in PATTERNS if other != name]
    for other in rest:
        monkeypatch.setattr("gui.minigames.cover.PATTERNS", {**PATTERNS, name: PATTERNS[other]})
        assert painted(name) != shown
        assert painted(name) == painted(other)


def test_a_portal_on_the_board_is_the_oval_of_the_gallery():
    image = QImage(100, 100, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.white)
    painter, theme = QPainter(image), plain_theme()
    draw_thing(painter, QRectF(0, 0, 100, 100), theme, "portal", theme.surface)
    assert painter.transform().isIdentity()
    painter.end()
    accent = [
        (x, y) for x in range(100) for y in range(100) if image.pixelColor(x, y) == theme.accent
    ]
    width, height = (max(c) - min(c) for c in zip(*accent, strict=True))
    assert height > 1.2 * width
