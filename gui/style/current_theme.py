"""The current theme: follows the settings and the system, and applies it to the program."""

import sys

from PySide6.QtCore import QObject, Qt, QTemporaryDir
from PySide6.QtWidgets import QApplication

from gui.settings_model.settings import Settings
from gui.style.color_schemes import CONTRAST, STANDARD, ColorSchemes, TilePalette
from gui.style.own_palettes import NO_SCHEMES
from gui.style.stylesheet import stylesheet, write_arrows
from gui.style.theme import (
    Theme,
    TileLook,
    app_theme,
    body_font,
    make_theme,
    qt_palette,
    theme_source,
)

LIKE_SYSTEM = "system"
_LOOK = ("tile_font", "tile_font_scale", "tile_corners", "merge_glow", "motion")


def tile_look(settings: Settings) -> TileLook:
    motion = settings.get("motion")
    return TileLook(
        family=settings.get("tile_font"),
        scale=settings.get("tile_font_scale") / 100,
        is_square=settings.get("tile_corners") == "square",
        glows=settings.get("merge_glow"),
        is_still=motion == "reduced" or (motion == "system" and system_is_still()),
    )


def system_is_still() -> bool:
    """Return whether the system asks for reduced motion, as far as Qt knows.

    Qt only knows it on Windows (up to 6.11), where it means that all effects are off.
    """
    general = Qt.UIEffect.UI_General
    return sys.platform == "win32" and not QApplication.isEffectEnabled(general)


def system_wants_contrast(app: QApplication) -> bool:
    """Return whether the system asks for high contrast, as far as Qt knows (6.10 and later)."""
    hints = app.styleHints()
    if not hasattr(hints, "accessibility"):
        return False
    return bool(hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast)


class CurrentTheme(QObject):
    """Puts the theme of the settings in force, and again whenever they or the system change.

    The user's own schemes take precedence. `sheet` is for the window's parts. The application has
    none: giving one to it takes seconds, giving it to the parts one by one takes hundredths of a
    second each.
    """

    def __init__(
        self,
        app: QApplication,
        schemes: ColorSchemes,
        settings: Settings,
        own: ColorSchemes = NO_SCHEMES,
    ) -> None:
        super().__init__(app)
        self._app, self._shipped, self._settings = app, schemes, settings
        self.own, self.schemes = own, schemes.merged_with(own)
        self._folder = QTemporaryDir()
        self._is_applying = False
        app.setStyle("Fusion")  # the same on every system, and it takes all its colors from us
        app.setFont(body_font())
        self._apply(self._made())
        settings.changed.connect(self._on_setting)
        app.styleHints().colorSchemeChanged.connect(lambda _: self.refresh())
        if hasattr(app.styleHints(), "accessibility"):
            hints = app.styleHints().accessibility()
            hints.contrastPreferenceChanged.connect(lambda _: self.refresh())

    @property
    def theme(self) -> Theme:
        return app_theme()

    @property
    def palettes(self) -> dict[str, str]:
        """The tile palettes to choose from: name to title."""
        return {name: palette.title for name, palette in self.schemes.palettes.items()}

    @property
    def window_schemes(self) -> dict[str, str]:
        return {name: scheme.title for name, scheme in self.schemes.named.items()}

    @property
    def palette(self) -> TilePalette:
        return self.schemes.palette(self._settings.get("tile_palette"))

    def use_own(self, own: ColorSchemes) -> None:
        self.own, self.schemes = own, self._shipped.merged_with(own)
        self.refresh()

    def refresh(self) -> None:
        """Check settings and system again; reapply the theme if something has changed."""
        if self._is_applying:
            return
        theme = self._made()
        if theme != self.theme:
            self._apply(theme)

    def _on_setting(self, name: str, _value: object) -> None:
        if name in ("theme", "window_scheme", "tile_palette", *_LOOK):
            self.refresh()

    def _made(self) -> Theme:
        settings = self._settings
        scheme = settings.get("window_scheme")
        if scheme == LIKE_SYSTEM:
            scheme = CONTRAST if system_wants_contrast(self._app) else STANDARD
        look, palette = tile_look(settings), settings.get("tile_palette")
        return make_theme(self.schemes, self._wants_dark(), palette, look, scheme)

    def _wants_dark(self) -> bool:
        choice = self._settings.get("theme")
        hints = self._app.styleHints()
        if hasattr(hints, "setColorScheme"):  # Qt 6.8: title bars and native dialogs follow
            asked = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
            self._is_applying = True
            hints.setColorScheme(asked.get(choice, Qt.ColorScheme.Unknown))
            self._is_applying = False
        if choice != "system":
            return bool(choice == "dark")
        return hints.colorScheme() == Qt.ColorScheme.Dark

    def _apply(self, theme: Theme) -> None:
        self._is_applying = True
        self._app.setPalette(qt_palette(theme))
        self.sheet = stylesheet(theme, write_arrows(theme, self._folder.path()))
        self._is_applying = False
        theme_source().use(theme)
