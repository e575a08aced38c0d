"""Settings: sections of rows created from the settings table, and a search."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QLabel, QListWidget, QListWidgetItem, QWidget

from engine.platform.language import mark, tr
from engine.platform.project_files import program_version
from gui.keys.key_bindings import KeyBindings
from gui.keys.shortcuts import Keys
from gui.pages.page import Answers, ScrolledPage, way
from gui.settings.board_card import BoardCard
from gui.settings.data_section import DataCard, DataSection, DataState
from gui.settings.palettes_section import Edits, PalettesSection
from gui.settings.search_results import SettingResults
from gui.settings.section_view import SectionView, shown_in
from gui.settings.setting_row import SettingRow
from gui.settings.shortcuts import ShortcutsCard
from gui.settings_model.setting import Setting
from gui.settings_model.settings import Settings
from gui.settings_model.settings_of_games import SAVER
from gui.settings_model.settings_of_looks import BOARD
from gui.settings_model.settings_table import SECTIONS, SETTINGS
from gui.style.color_schemes import SCHEMES_NAME, STANDARD
from gui.style.current_theme import LIKE_SYSTEM, CurrentTheme
from gui.style.icons import app_icon, icon
from gui.style.layout import STRETCH, card, clear_layout, column, laid_out, placed, row
from gui.style.own_palettes import OwnPalettes
from gui.table_work.folder_checks import FolderChecks
from gui.table_work.table_service import TablesService
from gui.text.messages import sentence
from gui.widgets.banner import OFFER_MS
from gui.widgets.buttons import button, tool_button
from gui.widgets.clearable_edit import ClearableEdit
from gui.widgets.controls import Control, MenuControl, make_control
from gui.widgets.elided import ElidedCombo
from gui.widgets.file_dialogs import FileDialogs
from gui.widgets.flow_layout import flowing
from gui.widgets.labels import ElidedLabel, label
from gui.work.tasks import TaskRunner

_MAX_WIDTH = 720
_RAIL_PX, _NARROW_BELOW_PX, _SEARCH_PX = 168, 680, 260
_TYPING_MS = 120
_SETTLING_MS = 200  # until a new section has its layout
_FOLDER = "build.folder"
_BY_TAB = Qt.FocusPolicy.TabFocus
_WAYS = {"tile_palette", "table_folders", "shortcuts"}
"""Settings that are more than a row: the search shows the way to them."""
_KEY = "table_folders"


class SettingsPage(ScrolledPage):
    """The Settings page; every change takes effect at once and is saved."""

    title = mark("Settings")
    icon = "settings"
    tables_requested = Signal()
    folders_changed = Signal()
    screensaver_requested = Signal()
    restart_requested = Signal()
    page_requested = Signal(str)  # show the page with that title in English

    def __init__(
        self,
        settings: Settings,
        themes: CurrentTheme,
        service: TablesService,
        data_dir: Path,
        keys: KeyBindings,
        data: DataSection,
        places: TaskRunner,
    ) -> None:
        super().__init__()
        self._settings, self._themes, self._service = settings, themes, service
        self._data_dir, self._keys, self.data = data_dir, keys, data
        self._folders = FolderChecks(places, "folder in settings", self)  # no text
        self._views: dict[str, SectionView] = {}
        self._palettes: PalettesSection | None = None
        self._section = ""
        self._ways: list[QAction] = []
        self.search_edit = ClearableEdit(tr("Search settings"))
        self.section_combo = ElidedCombo()
        self.section_combo.setAccessibleName(tr("Section"))
        self.section_list = QListWidget()
        self.section_list.setAccessibleName(tr("Sections"))
        self.results = SettingResults(self._make_row, self._has_row, self._is_offered)
        self.results.hide()
        self._typing = QTimer(self, interval=_TYPING_MS, singleShot=True)
        self._sought: QWidget | None = None
        self._settling = QTimer(self, interval=_SETTLING_MS, singleShot=True)
        self._lay_out()
        self._make_actions()
        self._connect()

    def page_shown(self) -> None:
        if not self._section:
            self.show_section(self._settings.state.get("settings.section"))
        self._refresh_keys()
        self._look_at_folder()

    def answers(self) -> Answers:
        return {"backup_requested": self.in_front(self._back_up)}

    def _back_up(self) -> None:
        self.show_section("data")
        self.data.backup_button.click()

    def state(self) -> tuple[Edits | None, DataState]:
        return self._palettes.state() if self._palettes else None, self.data.state()

    def restore(self, state: tuple[Edits | None, DataState]) -> None:
        edits, data = state
        if edits and any(edits):
            palettes = self.part("tile_palette")
            assert isinstance(palettes, PalettesSection)
            palettes.restore(edits)
        self.data.restore(data)

    def stop_soon(self) -> None:
        self.data.stop()

    def show_section(self, key: str) -> None:
        section_keys = [section.key for section in SECTIONS]
        key = key if key in section_keys else section_keys[0]
        self._sought = None
        self.search_edit.clear()
        self._typing.stop()
        self.results.hide()
        self.view(key)
        self._section = key
        for name, view in self._views.items():
            view.setVisible(name == key)
        with QSignalBlocker(self.section_list), QSignalBlocker(self.section_combo):
            self.section_list.setCurrentRow(section_keys.index(key))
            self.section_combo.setCurrentIndex(section_keys.index(key))
        self._settings.state.set("settings.section", key)
        self.scroller.verticalScrollBar().setValue(0)
        self._refresh_keys()

    def view(self, key: str) -> SectionView:
        if key not in self._views:
            section = next(candidate for candidate in SECTIONS if candidate.key == key)
            specials = {
                "tile_palette": self._make_palettes,
                "table_folders": lambda: FoldersPart(
                    self._settings, self._service, self.tables_requested
                ),
                "shortcuts": self._make_shortcuts,
            }
            groups: dict[str, Callable[[], QWidget]] = {
                BOARD.group: lambda: BoardCard(self._settings),
                SAVER.group: lambda: SaverPart(self.screensaver_requested),
            }
            ends: dict[str, list[Callable[[], QWidget]]] = {
                "data": [lambda: DataCard(self.data, lambda: self._reset(list(SETTINGS)))],
                "about": [about_card],
            }
            view = SectionView(section, self._make_row, specials, groups, ends.get(key, ()))
            view.hide()
            shown = [candidate.key for candidate in shown_in(key)]
            view.reset_requested.connect(lambda: self._reset(shown))
            self._views[key] = view
            self._column.insertWidget(self._column.count() - 1, view)
        return self._views[key]

    def _whole(self, section: str) -> SectionView:
        view = self.view(section)
        view.finish()
        return view

    def row(self, key: str) -> SettingRow:
        return self._whole(SETTINGS[key].section).rows[key]

    def part(self, key: str) -> QWidget:
        section = next(one.section for one in SETTINGS.values() if key in (one.key, one.group))
        return self._whole(section).parts[key]

    def show_setting(self, key: str) -> None:
        setting = SETTINGS[key]
        if setting.page:
            self.page_requested.emit(setting.page)
            return
        place = self._whole(setting.section).place_of(key)  # created hidden, if it is new
        self.show_section(setting.section)
        if place:
            # Once the whole section is laid out.
            QTimer.singleShot(0, place, partial(self._show_place, place))

    def found_actions(self) -> list[QAction]:
        if not self._ways:
            for key, setting in SETTINGS.items():
                also, go = tr(setting.also) if setting.also else "", partial(self.show_setting, key)
                self._ways.append(way(key, tr(setting.title), go, "settings", also))
        return [
            to_setting
            for to_setting, setting in zip(self._ways, SETTINGS.values(), strict=True)
            if self._is_offered(setting)
        ]

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        is_narrow = event.size().width() < _NARROW_BELOW_PX
        self.section_list.setVisible(not is_narrow)
        self.section_combo.setVisible(is_narrow)

    def _show_place(self, place: QWidget) -> None:
        control = place.control if isinstance(place, SettingRow) else place
        self._sought = place
        self._keep_in_sight()
        self._settling.start()
        inside = [w for w in control.findChildren(QWidget) if w.focusPolicy() & _BY_TAB]
        first = next((w for w in inside if w.isVisible() and w.isEnabled()), control)
        checked = [w for w in inside if isinstance(w, QAbstractButton) and w.isChecked()]
        (checked[0] if checked else first).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _keep_in_sight(self) -> None:
        """Scroll to the requested setting; the content above may still grow, as texts wrap."""
        content, place = self.scroller.widget(), self._sought
        if place is not None and content is not None and content.isAncestorOf(place):
            for y in (place.height(), 0):
                spot = place.mapTo(content, QPoint(0, y))
                self.scroller.ensureVisible(spot.x(), spot.y())

    def _settle(self) -> None:
        self._keep_in_sight()
        self._sought = None

    def _search(self) -> None:
        self._typing.stop()
        text = self.search_edit.text().strip()
        if not text:
            self.show_section(self._section)
            return
        self.results.show_found(text)
        self.results.show()
        with QSignalBlocker(self.section_list):
            self.section_list.setCurrentRow(-1)  # the results are from all sections
        for view in self._views.values():
            view.hide()
        self.scroller.verticalScrollBar().setValue(0)

    def _is_offered(self, setting: Setting) -> bool:
        return setting.key != "window_scheme" or bool(self._themes.window_schemes)

    def _has_row(self, setting: Setting) -> bool:
        return not setting.page and setting.key not in _WAYS

    def _make_row(self, setting: Setting) -> SettingRow:
        settings = self._settings
        control: Control
        if setting.key == "window_scheme":
            control = MenuControl(setting, lambda: window_schemes(self._themes))
            control.show_value(settings.get(setting.key))
            control.chosen.connect(partial(settings.set, setting.key))
        else:
            control = make_control(setting, settings, self._service.home)
        warnings = {"ui_scale": self._scale_warning, _FOLDER: self._folder_warning}
        row = SettingRow(setting, settings, control, warnings.get(setting.key, str))
        row.restart_requested.connect(self.restart_requested)
        if not self._is_offered(setting):
            row.hide()
        return row

    def _scale_warning(self) -> str:
        factor = os.environ.get("QT_SCALE_FACTOR", "1")
        if self._settings.in_force("ui_scale") == 100 and factor not in ("1", "1.0"):
            return tr("QT_SCALE_FACTOR is set to {factor} and takes priority.", factor=factor)
        return ""

    def _folder_warning(self) -> str:
        folder = self._chosen_folder()
        return sentence(self._folders.problem(folder)) if folder else ""

    def _look_at_folder(self) -> None:
        if folder := self._chosen_folder():
            self._folders.ask(folder)

    def _chosen_folder(self) -> Path | None:
        folder = self._settings.get(_FOLDER)
        return Path(os.path.expanduser(folder)) if folder else None

    def _make_palettes(self) -> QWidget:
        own = OwnPalettes(self._data_dir / SCHEMES_NAME)
        palettes = PalettesSection(self._settings, self._themes, own, self.banners)
        palettes.editor_opened.connect(self._show_editor)
        self.data.palettes_changed.connect(palettes.show_own)
        self._palettes = palettes
        return palettes

    def _make_shortcuts(self) -> QWidget:
        shortcuts = ShortcutsCard(self._keys)
        shortcuts.many_changed.connect(self._offer_keys)
        return shortcuts

    def _scroll_later(self, owner: QWidget, parts: Callable[[], Sequence[QWidget]]) -> None:
        """Scroll to parts, the last above all, once they are laid out."""

        def scroll() -> None:
            for part in parts():
                self.scroller.ensureWidgetVisible(part)

        QTimer.singleShot(0, owner, scroll)

    def _show_form(self) -> None:
        data = self.data
        self._scroll_later(
            data, lambda: [data.form.cancel_button, data.form.title_label] if data.form else []
        )

    def _refresh_keys(self) -> None:
        if "keyboard" in self._views and not self._views["keyboard"].isHidden():
            shortcuts = self.part("shortcuts")
            assert isinstance(shortcuts, ShortcutsCard)
            shortcuts.refresh()

    def _show_editor(self) -> None:
        palettes = self.part("tile_palette")
        assert isinstance(palettes, PalettesSection)

        def shown() -> list[QWidget]:
            editor = palettes.editor  # as it is by then: it may be closed again
            return [editor.save_button, editor.title_edit] if editor else []

        self._scroll_later(palettes, shown)

    def _on_setting(self, name: str, _value: object) -> None:
        self._show_values(name)
        if name == _FOLDER:
            self._look_at_folder()
        if name in ("table_folders", _FOLDER):
            self.folders_changed.emit()

    def _show_values(self, name: str) -> None:
        for view in self._views.values():
            view.show_values(name)
        self.results.show_values(name)

    def _offer_keys(self, before: Mapping[str, Keys], text: str) -> None:
        undo = (tr("Undo"), lambda: self._keys.choose(before))
        self.banners.show_message("info", text, [undo], "shortcuts", lasts_ms=OFFER_MS)

    def _reset(self, keys: Sequence[str]) -> None:
        get = self._settings.get
        before = {key: get(key) for key in keys if get(key) != SETTINGS[key].default}
        self._settings.reset(*before)

        def undo() -> None:
            for key, value in before.items():
                self._settings.set(key, value)

        text = tr("Settings reset to defaults.")
        self.banners.show_message("info", text, [(tr("Undo"), undo)], "reset", lasts_ms=OFFER_MS)

    def _lay_out(self) -> None:
        self.search_edit.setMaximumWidth(_SEARCH_PX)
        self.header.addWidget(self.section_combo)
        self.header.addWidget(self.search_edit, 1)
        self.section_list.setFixedWidth(_RAIL_PX)
        self.section_list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for section in SECTIONS:
            item = QListWidgetItem(icon(section.icon), tr(section.title))
            item.setToolTip(tr(section.help))
            item.setSizeHint(QSize(0, 38))
            self.section_list.addItem(item)
            self.section_combo.addItem(tr(section.title), section.key)
        box = QWidget(maximumWidth=_MAX_WIDTH)
        self._column = column(self.results, STRETCH, space=16, parent=box)
        limits = row(placed(box, stretch=1), STRETCH)  # the height depends on the remaining width
        self.body.addLayout(limits)
        self.body.addStretch()
        self.foot.removeWidget(self.scroller)
        self.foot.addLayout(
            row(
                column(self.section_list, margins=(24, 0, 0, 16)),
                placed(self.scroller, stretch=1),
                space=0,
            ),
            1,
        )

    def _make_actions(self) -> None:
        add = self.new_action
        for section in SECTIONS:
            go = partial(self._go_to, section.key)
            add(f"show_{section.key}", tr(section.title), go, section.icon)
        add("search", tr("Search settings"), self._go_to_search, key="search")
        self.reset_action = add(
            "reset", tr("Reset all settings"), lambda: self._reset(list(SETTINGS))
        )
        self.saver_action = add(
            "screensaver", tr("Show the screen saver"), self.screensaver_requested.emit
        )

    def _connect(self) -> None:
        self._settings.changed.connect(self._on_setting)
        self._folders.changed.connect(lambda: self._show_values(_FOLDER))
        self.section_list.currentRowChanged.connect(
            lambda at: self.show_section(SECTIONS[at].key) if at >= 0 else None
        )
        self.section_combo.activated.connect(lambda at: self.show_section(SECTIONS[at].key))
        self.search_edit.textChanged.connect(lambda _: self._typing.start())
        self.search_edit.returnPressed.connect(self._search)
        self.search_edit.emptied.connect(lambda: self.show_section(self._section))
        self._typing.timeout.connect(self._search)
        self._settling.timeout.connect(self._settle)
        self.scroller.verticalScrollBar().rangeChanged.connect(lambda *_: self._keep_in_sight())
        self.results.setting_requested.connect(self.show_setting)
        self.results.section_requested.connect(self._go_to)
        self.results.cleared.connect(self._clear_search)
        self.data.folders_changed.connect(self.folders_changed)
        self.data.form_shown.connect(self._show_form)

    def _go_to(self, section: str) -> None:
        self.show_section(section)
        wide = not self.section_list.isHidden()
        (self.section_list if wide else self.section_combo).setFocus()

    def _go_to_search(self) -> None:
        self.search_edit.setFocus()
        self.search_edit.selectAll()

    def _clear_search(self) -> None:
        self.show_section(self._section)
        self.search_edit.setFocus()


def window_schemes(themes: CurrentTheme) -> list[tuple[str, str]]:
    named = ((title, name) for name, title in themes.window_schemes.items())
    return [(tr("Match system"), LIKE_SYSTEM), (tr("Standard"), STANDARD), *named]


_SAVER_TEXT = mark(
    "An AI plays until you touch a key or the mouse. To use it as your system screen saver, set "
    'the command to "endgame2048 --screensaver". On Windows, copy the program and rename the '
    "copy to .scr."
)


class SaverPart(QWidget):
    """The rows of the screen saver below its description."""

    def __init__(self, show: SignalInstance) -> None:
        super().__init__()
        self.button = button(tr("Show it now"), work=show)
        self._column = column(
            label(tr(_SAVER_TEXT), "muted", wraps=True),
            placed(self.button, align=Qt.AlignmentFlag.AlignLeft),
            space=16,
            parent=self,
        )

    def add_row(self, row: SettingRow) -> None:
        self._column.insertWidget(self._column.count() - 1, row)


_LICENSES = mark(
    "Free software under the MIT License. It uses Python (PSF License), Qt and PySide6 (LGPL 3), "
    "NumPy, Numba, llvmlite, psutil and Zstandard (BSD), msgspec (BSD) and fsrs (MIT)."
)


def about_card() -> QWidget:
    picture = QLabel(pixmap=app_icon().pixmap(48, 48))
    picture.setAccessibleName(tr("Icon of Endgame 2048"))
    version = program_version() or tr("from source")
    title = label(tr("Endgame 2048, version {version}", version=version), wraps=True)
    licenses = label(tr(_LICENSES), "caption", wraps=True)
    licenses.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    head = row(placed(picture, align=Qt.AlignmentFlag.AlignTop), placed(title, stretch=1), space=16)
    return card(head, licenses)


class FoldersPart(QWidget):
    """Lists folders, adds and removes them."""

    def __init__(
        self,
        settings: Settings,
        service: TablesService,
        show_tables: SignalInstance,
        dialogs: FileDialogs | None = None,
    ) -> None:
        super().__init__()
        self._settings, self._service = settings, service
        self._dialogs = dialogs or FileDialogs()
        self._list = column(space=4)
        self.add_button = button(tr("Add a folder"), picture="add", work=self._browse)
        self.tables_button = button(tr("Manage tables"), picture="tables", work=show_tables)
        buttons = flowing(self.add_button, self.tables_button)
        column(label(tr("Folders with tables")), self._list, buttons, parent=self)
        settings.changed.connect(self._follow_setting)
        self._show_folders()

    def add_folder(self, folder: str) -> None:
        folders = self._settings.get(_KEY)
        if folder and folder not in folders:
            self._settings.set(_KEY, [*folders, folder])

    def remove_folder(self, folder: str) -> None:
        left = [chosen for chosen in self._settings.get(_KEY) if chosen != folder]
        self._settings.set(_KEY, left)

    def _browse(self) -> None:
        folder = self._dialogs.ask_folder(self, tr("Add a folder with tables"), Path.home())
        self.add_folder(str(folder) if folder else "")

    def _follow_setting(self, name: str, _value: object) -> None:
        if name in (_KEY, "build.folder"):
            self._show_folders()

    def _show_folders(self) -> None:
        clear_layout(self._list)
        chosen = self._settings.get(_KEY)
        for folder in map(str, self._service.folders()):
            name = ElidedLabel(folder, "", Qt.TextElideMode.ElideMiddle)
            box = row(placed(name, stretch=1))
            if folder in chosen:
                tip = tr("Stop using this folder. Nothing is deleted")
                remove = tool_button("close", tip, name=tr("Remove {name}", name=folder))
                remove.clicked.connect(lambda _=False, f=folder: self.remove_folder(f))
                box.addWidget(remove)
            self._list.addWidget(laid_out(box))
