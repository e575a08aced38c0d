"""Search results: settings from all sections, ready to be changed."""

from collections.abc import Callable, Sequence
from itertools import groupby

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from engine.platform.language import tr
from gui.settings.section_view import MakeRow, row_card
from gui.settings.setting_row import PointerRow, SettingRow
from gui.settings_model.setting import Section, Setting
from gui.settings_model.settings_table import SECTIONS, SETTINGS
from gui.style.layout import STRETCH, clear_layout, column
from gui.widgets.empty_state import EmptyState
from gui.widgets.labels import label

_SECTIONS = {section.key: section for section in SECTIONS}


def found(text: str, offered: Callable[[Setting], bool] = lambda _: True) -> list[Setting]:
    """Return the settings with all words in their texts; those with them in the title first."""
    words = text.casefold().split()
    hits = [
        setting
        for setting in SETTINGS.values()
        if offered(setting) and _has_all(_texts(setting), words)
    ]
    return sorted(hits, key=lambda setting: not _has_all([tr(setting.title)], words))


def found_sections(text: str) -> list[Section]:
    words = text.casefold().split()
    return [
        section
        for section in SECTIONS
        if _has_all([section.title, tr(section.title), section.help, tr(section.help)], words)
    ]


class SettingResults(QWidget):
    """Rows of the results, by section, or a note that there are none.

    Settings without a row, and sections, have a link; only settings with a choice are `offered`.
    """

    setting_requested = Signal(str)  # show this setting in its section, or on its page
    section_requested = Signal(str)  # show this section
    cleared = Signal()  # the user ends the search

    def __init__(
        self,
        make_row: MakeRow,
        has_row: Callable[[Setting], bool],
        offered: Callable[[Setting], bool],
    ) -> None:
        super().__init__()
        self._make_row, self._has_row, self._offered = make_row, has_row, offered
        self.rows: dict[str, SettingRow] = {}  # rows of the results, by key
        self.pointers: dict[str, PointerRow] = {}
        self._keys: tuple[str, ...] | None = None
        self.empty = EmptyState(
            tr("Nothing found"),
            tr("No setting has these words in its name or its description."),
            tr("Clear the search"),
        )
        self.empty.clicked.connect(self.cleared)
        self._cards = column(space=16)
        column(self.empty, self._cards, STRETCH, space=6, parent=self)

    def show_found(self, text: str) -> None:
        settings, sections = found(text, self._offered), found_sections(text)
        keys = (*(setting.key for setting in settings), *(section.key for section in sections))
        if keys == self._keys:
            return
        self._keys = keys
        clear_layout(self._cards)
        self.rows, self.pointers = {}, {}
        order = [section.key for section in SECTIONS]
        settings.sort(key=lambda setting: order.index(setting.section))
        for key, members in groupby(settings, lambda setting: setting.section):
            self._add_card(_SECTIONS[key], list(members))
        for hit in sections:
            frame, column = row_card()
            column.addWidget(self._pointer(hit, tr("Show"), self.section_requested))
            self._cards.addWidget(frame)
        self.empty.setVisible(not keys)

    def show_values(self, name: str) -> None:
        if name in SETTINGS:
            for row in self.rows.values():
                row.refresh()

    def _add_card(self, section: Section, members: Sequence[Setting]) -> None:
        frame, column = row_card()
        column.addWidget(label(tr(section.title), "strong"))
        for setting in members:
            if self._has_row(setting):
                self.rows[setting.key] = self._make_row(setting)
                column.addWidget(self.rows[setting.key])
                continue
            way = tr("On page {page}", page=tr(setting.page)) if setting.page else tr("Show")
            column.addWidget(self._pointer(setting, way, self.setting_requested))
        self._cards.addWidget(frame)

    def _pointer(self, to: Setting | Section, way: str, requested: SignalInstance) -> PointerRow:
        pointer = self.pointers[to.key] = PointerRow(tr(to.title), tr(to.help), way)
        pointer.button.clicked.connect(lambda: requested.emit(to.key))
        return pointer


def _texts(setting: Setting) -> Sequence[str]:
    section = tr(_SECTIONS[setting.section].title)
    choices = [tr(choice.words) for choice in setting.choices]
    words = (setting.title, setting.help, setting.group, setting.also)
    return [setting.key, section, *words, *map(tr, filter(None, words)), *choices]


def _has_all(texts: Sequence[str], words: Sequence[str]) -> bool:
    heap = "\n".join(texts).casefold()
    return all(word in heap for word in words)
