"""The colors, the font and the measures of the window; light or dark, switched while it runs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPaintDevice, QPainter, QPalette

from gui.style.color_schemes import (
    CONTRAST,
    FOCUS_PX,
    N_TILES,
    STANDARD,
    ColorSchemes,
    load_color_schemes,
)

CARD_RADIUS = 10
_CORNER = 0.08  # of a tile
CAPTION, BODY, STRONG, TITLE, FIGURE = 12, 14, 16, 20, 28

# The first of these that is installed, then the system's own; the last ones have Chinese glyphs.
_FAMILIES = ("Inter", "Segoe UI", "Noto Sans", "Cantarell", "Ubuntu")
_CJK_FAMILIES = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Microsoft YaHei",
    "WenQuanYi Micro Hei",
)
_MONO_FAMILIES = ("JetBrains Mono", "Cascadia Mono", "Noto Sans Mono", "DejaVu Sans Mono", "Menlo")


@dataclass(frozen=True)
class TileLook:
    """The look of tiles apart from their colors."""

    family: str = ""  # the font of the figures; "" for the window's
    scale: float = 1.0  # of the figures; 1 is the usual size
    is_square: bool = False  # whether tiles have sharp corners
    glows: bool = True  # whether merges glow
    is_still: bool = False  # whether nothing moves

    def radius(self, side: float) -> float:
        return 0.0 if self.is_square else side * _CORNER

    def frame_radius(self, gap: float) -> float:
        return 0.0 if self.is_square else gap * 1.1


@dataclass(frozen=True)
class Theme:
    """The colors of the window and of tiles; see `app_theme` for those in force."""

    is_dark: bool
    background: QColor
    surface: QColor
    raised: QColor
    border: QColor
    text: QColor
    text_muted: QColor
    accent: QColor
    accent_text: QColor
    focus: QColor
    good: QColor
    warning: QColor
    bad: QColor
    best_move: QColor
    board: QColor
    empty_cell: QColor
    tiles: tuple[tuple[QColor, QColor], ...]
    look: TileLook = TileLook()
    focus_px: int = FOCUS_PX
    scheme: str = STANDARD

    @property
    def is_contrast(self) -> bool:
        return self.scheme == CONTRAST

    def color(self, tint: "Tint") -> QColor:
        """Return a color of the theme by its name, or by a function of the theme."""
        if isinstance(tint, str):
            return QColor(getattr(self, tint))
        return tint if isinstance(tint, QColor) else tint(self)

    def tile_colors(self, exponent: int) -> tuple[QColor, QColor]:
        """Return `(fill, figure)` of a tile; beyond 65536 the last color is used."""
        return self.tiles[min(max(exponent, 1), N_TILES) - 1]


Tint = str | QColor | Callable[[Theme], QColor]


def make_theme(
    schemes: ColorSchemes,
    is_dark: bool,
    palette: str,
    look: TileLook | None = None,
    scheme: str = STANDARD,
) -> Theme:
    """Return the theme made of a window's colors and a tile palette (the default when unknown)."""
    window = schemes.window(scheme, is_dark)
    tiles = schemes.palette(palette)
    colors: dict[str, Any] = {key.replace("-", "_"): QColor(c) for key, c in window.items()}
    return Theme(
        is_dark=is_dark,
        tiles=tuple((QColor(fill), QColor(ink)) for fill, ink in tiles.pairs(is_dark)),
        look=look or TileLook(),
        focus_px=schemes.focus_px(scheme),
        scheme=scheme,
        **colors,
    )


class ThemeSource(QObject):
    """The theme in force, a part of the application as its palette is; see `theme_source`.

    Who paints with it connects `changed` to `update`, and reads `app_theme` each time.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None, theme: Theme) -> None:
        super().__init__(parent)
        self.theme = theme

    def use(self, theme: Theme) -> None:
        self.theme = theme
        self.changed.emit()


def theme_source() -> ThemeSource:
    """Return the application's, with the usual light theme unless something has changed it."""
    app = QCoreApplication.instance()
    assert app, "themes are for a window"
    source = app.findChild(ThemeSource, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return source or ThemeSource(app, make_theme(load_color_schemes(), is_dark=False, palette=""))


def app_theme() -> Theme:
    return theme_source().theme


def qt_palette(theme: Theme) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    colors = {
        role.Window: theme.background,
        role.WindowText: theme.text,
        role.Base: theme.surface,
        role.AlternateBase: theme.raised,
        role.Text: theme.text,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.BrightText: theme.bad,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.accent_text,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.text_muted,
        role.Link: theme.accent,
        role.Light: theme.raised,
        role.Midlight: theme.border,
        role.Mid: theme.border,
        role.Dark: theme.border,
        role.Shadow: theme.border,
    }
    for name, color in colors.items():
        palette.setColor(name, color)
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, theme.text_muted)
    return palette


def body_font(pixels: int = BODY) -> QFont:
    """Return the one font of the window, with tabular figures."""
    installed = set(QFontDatabase.families())
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    first = [name for name in _FAMILIES if name in installed][:1]
    cjk = [name for name in _CJK_FAMILIES if name in installed][:1]
    font = QFont(system)
    font.setFamilies([*first, *system.families(), *cjk])
    font.setPixelSize(pixels)
    return with_tabular_figures(font)


def mono_font() -> QFont:
    installed = set(QFontDatabase.families())
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setFamilies([*[n for n in _MONO_FAMILIES if n in installed][:1], *font.families()])
    font.setPixelSize(BODY)
    return font


def with_tabular_figures(font: QFont) -> QFont:
    """Make all digits of `font` equally wide, where Qt can (6.7 and later), and return it."""
    if hasattr(QFont, "setFeature"):
        font.setFeature(QFont.Tag("tnum"), 1)
    return font


def resized(font: QFont, pixels: int, weight: QFont.Weight | None = None) -> QFont:
    """Return a copy of a font in another size, and in another weight if one is given."""
    other = QFont(font)
    other.setPixelSize(pixels)
    if weight is not None:
        other.setWeight(weight)
    return other


def smooth_painter(device: QPaintDevice) -> QPainter:
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter
