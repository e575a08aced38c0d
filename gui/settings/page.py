"""Settings: how it looks, how the board moves, which keys do what, where tables are."""

import os
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.language import LANGUAGES, SYSTEM, mark, tr
from engine.project_files import APP_NAME
from gui.core.key_bindings import SETTING, KeyBindings
from gui.core.services import TablesService
from gui.core.settings import Settings
from gui.core.shortcuts import Keys
from gui.settings.board_section import SHOWN as BOARD_SETTINGS
from gui.settings.board_section import BoardSection
from gui.settings.data_section import DataSection
from gui.settings.palettes_section import PalettesSection
from gui.settings.shortcuts import ShortcutsCard
from gui.style.color_schemes import SCHEMES_NAME, STANDARD
from gui.style.current_theme import LIKE_SYSTEM, CurrentTheme
from gui.style.icons import app_icon, icon
from gui.style.own_palettes import OwnPalettes
from gui.style.theme import Theme
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.labels import ElidedLabel, label
from gui.widgets.page import Page, card, clear_layout

_MAX_WIDTH = 720
_THEMES = (
    Choice("system", mark("Like the system")),
    Choice("light", mark("Light")),
    Choice("dark", mark("Dark")),
)
_UI_SCALES = (80, 90, 100, 110, 125, 150, 175, 200)
_SAVER_SPEEDS = tuple(Choice(speed, str(speed)) for speed in (1, 2, 3, 5, 8, 12))
_SAVER_TEXT = mark(
    "An AI plays until you touch a key or the mouse. To use it as your system screen saver, set "
    'the command to "endgame2048 --screensaver". On Windows, copy the program and rename the '
    "copy to .scr."
)
_LICENSES = mark(
    "Free software under the MIT License. It uses Python (PSF License), Qt and PySide6 (LGPL 3), "
    "NumPy, Numba, llvmlite, psutil and Zstandard (BSD), msgspec (BSD) and fsrs (MIT)."
)
_BY_TAB = Qt.FocusPolicy.TabFocus
_SHOWN = (
    "language", "theme", "window_scheme", "tile_palette", "ui_scale", *BOARD_SETTINGS,
    "table_folders", "screensaver.speed", SETTING,
)  # fmt: skip


def app_version() -> str:
    """Return the version of the program, "from source" where it was not installed."""
    try:
        return version(APP_NAME)
    except PackageNotFoundError:
        return tr("from source")


class SettingsPage(Page):
    """Every change takes effect at once and is kept.

    Signals
    -------
    tables_requested : the person wants to build or look after tables
    folders_changed : other folders are to be looked at
    screensaver_requested : the person wants to see the screen saver now
    """

    title = mark("Settings")
    icon = "settings"
    tables_requested = Signal()
    folders_changed = Signal()
    screensaver_requested = Signal()

    def __init__(
        self,
        settings: Settings,
        themes: CurrentTheme,
        service: TablesService,
        data_dir: Path,
        keys: KeyBindings,
        data: DataSection,
    ) -> None:
        super().__init__()
        self._settings, self._themes, self._service = settings, themes, service
        self._keys, self.data = keys, data
        self._scale_at_start = settings.get("ui_scale")
        self.shortcuts = ShortcutsCard(keys)
        self.language_chips = ChipGroup(tr("Language"))
        self.theme_chips = ChipGroup(tr("Colors of the window"))
        self.scheme_chips = ChipGroup(tr("Contrast"))
        self.scale_chips = ChipGroup(tr("Size of everything"))
        self.board_section = BoardSection(settings, themes.theme)
        self.speed_chips = self.board_section.speed_chips
        self.numbers_check = self.board_section.numbers_check
        self.saver_chips = ChipGroup(tr("Moves a second of the screen saver"))
        own = OwnPalettes(data_dir / SCHEMES_NAME)
        self.palettes = PalettesSection(settings, themes, own, self.banners)
        self.palette_picker = self.palettes.picker
        self._folders = QVBoxLayout()
        self._folders.setSpacing(4)
        column = QWidget()
        column.setMaximumWidth(_MAX_WIDTH)
        self._column = QVBoxLayout(column)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(16)
        self.body.addWidget(column)
        self.body.addStretch()
        self._lay_out()
        self.reset_action = self.add_action(QAction(tr("Reset these settings"), self), "reset")
        self.reset_action.triggered.connect(self._reset)
        self.saver_action = self.add_action(
            QAction(tr("Show the screen saver"), self), "screensaver"
        )
        self.saver_action.triggered.connect(self.screensaver_requested)
        self._make_ways()
        self.set_theme(themes.theme)
        self._show_values()
        self._connect()

    def set_theme(self, theme: Theme) -> None:
        """Redraw the palettes."""
        self.palettes.set_theme(theme)
        self.board_section.set_theme(theme)

    def page_shown(self) -> None:
        """Show the actions that there are by now."""
        self.shortcuts.refresh()

    def _lay_out(self) -> None:
        look, column = card()
        column.addWidget(label(tr("Appearance"), "strong"))
        column.addWidget(label(tr("Language"), "caption"))
        column.addWidget(self.language_chips)
        column.addWidget(label(tr("Colors of the window"), "caption"))
        column.addWidget(self.theme_chips)
        column.addWidget(label(tr("Contrast"), "caption"))
        column.addWidget(self.scheme_chips)
        column.addWidget(label(tr("Size of everything"), "caption"))
        column.addWidget(self.scale_chips)
        self.scale_label = label("", "caption", wraps=True)
        column.addWidget(self.scale_label)
        column.addWidget(label(tr("Tiles"), "caption"))
        column.addWidget(self.palettes)
        board, column = card()
        column.addWidget(label(tr("Board"), "strong"))
        column.addWidget(self.board_section)
        for part in (
            look,
            board,
            self.shortcuts,
            self._tables_card(),
            self._saver_card(),
            self._about_card(),
        ):
            self._column.addWidget(part)

    def _make_ways(self) -> None:
        """Add an action for each setting, so that the command palette finds it."""
        settings: tuple[tuple[str, str, QWidget], ...] = (
            ("language", tr("Language"), self.language_chips),
            ("theme", tr("Colors of the window"), self.theme_chips),
            ("window_scheme", tr("Contrast of the window"), self.scheme_chips),
            ("palette", tr("Colors of the tiles"), self.palette_picker.view),
            ("ui_scale", tr("Size of everything"), self.scale_chips),
            ("animation", tr("Speed of the tiles"), self.speed_chips),
            ("motion", tr("Reduced motion"), self.board_section.motion_chips),
            ("corners", tr("Corners of the tiles"), self.board_section.corner_chips),
            ("tile_font", tr("Font of the numbers"), self.board_section.font_combo),
            ("tile_font_scale", tr("Size of the numbers"), self.board_section.scale_chips),
            ("glow", tr("Glow of merges"), self.board_section.glow_check),
            ("numbers", tr("Numbers on the large tiles"), self.numbers_check),
            ("shortcuts", tr("Keyboard shortcuts"), self.shortcuts),
            ("folders", tr("Folders with tables"), self.add_folder_button),
            ("saver_speed", tr("Speed of the screen saver"), self.saver_chips),
            ("about", tr("About this program, licenses, your data"), self.open_button),
        )
        for name, text, control in settings:
            action = self.add_action(QAction(icon("settings"), text, self), f"to_{name}")
            action.triggered.connect(lambda _=False, control=control: self._show_control(control))

    def _show_control(self, control: QWidget) -> None:
        """Scroll to a setting and give it the keyboard."""
        # Of a list, ensureWidgetVisible would only look at the line that the keyboard is at.
        content = self.scroller.widget()
        assert content is not None
        for y in (control.height(), 0):
            place = control.mapTo(content, QPoint(0, y))
            self.scroller.ensureVisible(place.x(), place.y())
        inside = [w for w in control.findChildren(QWidget) if w.focusPolicy() & _BY_TAB]
        first = next((w for w in inside if w.isVisible() and w.isEnabled()), control)
        checked = [w for w in inside if isinstance(w, QAbstractButton) and w.isChecked()]
        (checked[0] if checked else first).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _tables_card(self) -> QWidget:
        frame, column = card()
        column.addWidget(label(tr("Tables"), "strong"))
        self.tables_button = QPushButton(icon("tables"), tr("Manage tables"))
        column.addWidget(self.tables_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(label(tr("Folders with tables"), "caption"))
        column.addLayout(self._folders)
        self.add_folder_button = QPushButton(icon("add"), tr("Add a folder"))
        column.addWidget(self.add_folder_button, 0, Qt.AlignmentFlag.AlignLeft)
        return frame

    def _saver_card(self) -> QWidget:
        frame, column = card()
        column.addWidget(label(tr("Screen saver"), "strong"))
        column.addWidget(label(tr(_SAVER_TEXT), "muted", wraps=True))
        column.addWidget(label(tr("Moves per second"), "caption"))
        column.addWidget(self.saver_chips)
        self.saver_button = QPushButton(tr("Show it now"))
        column.addWidget(self.saver_button, 0, Qt.AlignmentFlag.AlignLeft)
        return frame

    def _about_card(self) -> QWidget:
        frame, column = card()
        column.addWidget(label(tr("About"), "strong"))
        head = QHBoxLayout()
        head.setSpacing(16)
        picture = QLabel()
        picture.setPixmap(app_icon().pixmap(48, 48))
        picture.setAccessibleName(tr("Icon of Endgame 2048"))
        head.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        self.version_label = label(
            tr("Endgame 2048, version {version}", version=app_version()), wraps=True
        )
        head.addWidget(self.version_label, 1)
        column.addLayout(head)
        self.license_label = label(tr(_LICENSES), "caption", wraps=True)
        self.license_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(self.license_label)
        self.open_button = self.data.open_button
        column.addWidget(self.data)
        self.reset_button = QPushButton(tr("Reset these settings"))
        column.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignLeft)
        return frame

    def _connect(self) -> None:
        settings = self._settings
        self.language_chips.chosen.connect(lambda value: settings.set("language", value))
        self.theme_chips.chosen.connect(lambda value: settings.set("theme", value))
        self.scheme_chips.chosen.connect(lambda value: settings.set("window_scheme", value))
        self.palettes.editor_opened.connect(self._show_editor)
        self.scale_chips.chosen.connect(lambda value: settings.set("ui_scale", value))
        self.saver_chips.chosen.connect(lambda value: settings.set("screensaver.speed", value))
        self.saver_button.clicked.connect(self.screensaver_requested)
        self.tables_button.clicked.connect(self.tables_requested)
        self.add_folder_button.clicked.connect(self._browse)
        self.reset_button.clicked.connect(self._reset)
        self.data.folders_changed.connect(self.folders_changed)
        self.data.palettes_changed.connect(self.palettes.show_own)
        self.data.form_shown.connect(lambda: QTimer.singleShot(0, self, self._ensure_form))
        self.shortcuts.reset_all.connect(self._offer_keys)
        settings.changed.connect(self._on_setting)

    def _show_editor(self) -> None:
        """Scroll to the editor of palettes once it has its place."""
        QTimer.singleShot(0, self, lambda: self._ensure_editor())

    def _ensure_form(self) -> None:
        """Scroll to the form of the data section once it has its place."""
        if self.data.form:
            self.scroller.ensureWidgetVisible(self.data.form.cancel_button)
            self.scroller.ensureWidgetVisible(self.data.form.title_label)

    def _ensure_editor(self) -> None:
        if self.palettes.editor:
            self.scroller.ensureWidgetVisible(self.palettes.editor.save_button)
            self.scroller.ensureWidgetVisible(self.palettes.editor.title_edit)

    def _on_setting(self, name: str, _value: object) -> None:
        if name in _SHOWN:
            self._show_values()

    def _show_values(self) -> None:
        settings = self._settings
        languages = (Choice(code, name) for code, name in LANGUAGES.items())
        choices = (Choice(SYSTEM, mark("Like the system")), *languages)
        self.language_chips.set_choices(choices, settings.get("language"))
        self.theme_chips.set_choices(_THEMES, settings.get("theme"))
        schemes = (Choice(name, title) for name, title in self._themes.window_schemes.items())
        usual = (Choice(LIKE_SYSTEM, _THEMES[0].text), Choice(STANDARD, mark("Standard")))
        self.scheme_chips.set_choices((*usual, *schemes), settings.get("window_scheme"))
        self.board_section.show_values()
        scale = settings.get("ui_scale")
        scales = sorted({*_UI_SCALES, scale})
        self.scale_chips.set_choices([Choice(one, f"{one} %") for one in scales], scale)
        self._say_scale(scale)
        self.saver_chips.set_choices(_SAVER_SPEEDS, settings.get("screensaver.speed"))
        self.palettes.show_choice()
        self._show_folders()

    def _say_scale(self, scale: int) -> None:
        """Say when the size takes effect, or why it has none."""
        in_force = os.environ.get("QT_SCALE_FACTOR", "1")
        if scale == self._scale_at_start:
            text = tr("Text, buttons and boards; the size of the window stays.")
        else:
            text = tr("Takes effect the next time you start the program.")
        if self._scale_at_start == 100 and in_force not in ("1", "1.0"):
            text = tr("QT_SCALE_FACTOR is set to {factor} and has priority.", factor=in_force)
        self.scale_label.setText(text)

    def _show_folders(self) -> None:
        clear_layout(self._folders)
        chosen = self._settings.get("table_folders")
        for folder in self._service.folders():
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.addWidget(ElidedLabel(str(folder), "", Qt.TextElideMode.ElideMiddle), 1)
            if str(folder) in chosen:
                button = QToolButton()
                button.setIcon(icon("close"))
                button.setProperty("quiet", True)
                button.setToolTip(tr("Stop looking here. Nothing is deleted"))
                button.setAccessibleName(tr("Remove {name}", name=folder))
                button.clicked.connect(lambda _=False, f=str(folder): self.remove_folder(f))
                row.addWidget(button)
            self._folders.addWidget(line)

    def add_folder(self, folder: str) -> None:
        """Look for tables in one more folder."""
        folders = self._settings.get("table_folders")
        if folder and folder not in folders:
            self._settings.set("table_folders", [*folders, folder])
            self.folders_changed.emit()

    def remove_folder(self, folder: str) -> None:
        """Stop looking there."""
        folders = [f for f in self._settings.get("table_folders") if f != folder]
        self._settings.set("table_folders", folders)
        self.folders_changed.emit()

    def _browse(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, tr("Add a folder with tables"))
        self.add_folder(str(Path(folder)) if folder else "")

    def _offer_keys(self, before: Mapping[str, Keys]) -> None:
        text = tr("Shortcuts changed.")
        self.banners.show_message(
            "info", text, [(tr("Undo"), lambda: self._keys.choose(before))], SETTING
        )

    def _reset(self) -> None:
        """Reset what this page shows; a message offers to undo it."""
        before = {name: self._settings.get(name) for name in _SHOWN}
        self._settings.reset(*_SHOWN)
        self.folders_changed.emit()

        def undo() -> None:
            for name, value in before.items():
                self._settings.set(name, value)
            self.folders_changed.emit()

        text = tr("Settings reset to defaults.")
        self.banners.show_message("info", text, [(tr("Undo"), undo)], "reset")
