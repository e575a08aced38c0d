"""The icons of the window: one SVG file each in the folder `icons`, in the colors of the theme.

A file is drawn in black on a grid of 24 x 24 units; only how much it covers counts, the color comes
from the palette. Each size and color is drawn once for the pixels of the screen it is shown on.
"""

from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap

from gui.style.theme import app_theme

FOLDER = Path(__file__).parent / "icons"
_APP_ICON = Path(__file__).parent / "app_icon.svg"
PLAIN = QPalette.ColorRole.ButtonText
_DISABLED_OPACITY = 0.4
_MAX_PIXMAPS = 512
Tint = QPalette.ColorRole | QColor | str


@cache
def icon_names() -> frozenset[str]:
    return frozenset(path.stem for path in FOLDER.glob("*.svg"))


def icon(name: str, tint: Tint = PLAIN, strong: Tint | None = None) -> QIcon:
    """Return an icon that is sharp on every screen, fainter where it is disabled.

    A role or the name of a color of `Theme` follows the theme; a color stays as it is.
    `HighlightedText` is for a ground in the accent color. `strong` replaces `tint` where a button
    is checked or under the mouse.
    """
    return QIcon(_SvgEngine(_checked(name), tint, strong))


@cache
def app_icon() -> QIcon:
    return QIcon(str(_APP_ICON))


def draw_icon(painter: QPainter, name: str, rect: QRectF, color: QColor) -> None:
    """Draw an icon as large as fits into the middle of `rect`, onto whole pixels of the screen."""
    scale = painter.deviceTransform().m11()
    side = min(rect.width(), rect.height())
    pixmap = _pixmap(_checked(name), max(1, round(side * scale)), color.rgba())
    side = pixmap.width() / scale
    square = QRectF(0, 0, side, side)
    square.moveCenter(rect.center())
    corner = painter.deviceTransform().map(square.topLeft())
    back, _ = painter.deviceTransform().inverted()
    square.moveTopLeft(back.map(corner.toPoint().toPointF()))
    painter.drawPixmap(square, pixmap, QRectF(pixmap.rect()))


def _checked(name: str) -> str:
    if name not in icon_names():
        raise LookupError(f"no icon {name!r} in {FOLDER.name}/; expected one of its files")
    return name


@lru_cache(maxsize=_MAX_PIXMAPS)
def _pixmap(name: str, side: int, rgba: int) -> QPixmap:
    from PySide6.QtSvg import QSvgRenderer  # when the first icon is drawn, not at start-up

    drawing = QSvgRenderer(str(FOLDER / f"{name}.svg"))
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    drawing.render(painter, QRectF(0, 0, side, side))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(pixmap.rect(), QColor.fromRgba(rgba))
    painter.end()
    return pixmap


class _SvgEngine(QIconEngine):
    """Asks for the color each time, so that a switch of theme needs nobody's help."""

    def __init__(self, name: str, tint: Tint, strong: Tint | None) -> None:
        super().__init__()
        self._name, self._tint, self._strong = name, tint, strong

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        draw_icon(painter, self._name, QRectF(rect), self._color(mode, state))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        side = min(size.width(), size.height())
        return _pixmap(self._name, max(1, side), self._color(mode, state).rgba())

    def clone(self) -> QIconEngine:
        return _SvgEngine(self._name, self._tint, self._strong)

    def _color(self, mode: QIcon.Mode, state: QIcon.State) -> QColor:
        is_strong = state == QIcon.State.On or mode == QIcon.Mode.Active
        tint = self._tint if self._strong is None or not is_strong else self._strong
        if isinstance(tint, QPalette.ColorRole):
            tint = QGuiApplication.palette().color(QPalette.ColorGroup.Active, tint)
        color = QColor(app_theme().color(tint))
        if mode == QIcon.Mode.Disabled:
            color.setAlphaF(_DISABLED_OPACITY)
        return color
