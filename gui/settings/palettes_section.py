"""The palettes in Settings: choose one, edit a copy, save or delete custom ones."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from engine.platform.errors import AppError
from engine.platform.language import tr
from gui.settings.beside import Beside
from gui.settings.board_card import SampleBoard
from gui.settings.palette_editor import PaletteEditor
from gui.settings.palette_picker import PalettePicker
from gui.settings_model.settings import OPTIONS, Settings
from gui.style.current_theme import CurrentTheme
from gui.style.layout import column
from gui.style.own_palettes import OwnPalettes
from gui.style.palette_draft import Draft, DraftHistory, draft_from_text, draft_of, free_name
from gui.widgets.banner import BannerStack, Offer, Remedy
from gui.widgets.buttons import button
from gui.widgets.flow_layout import flowing

_SETTING = "tile_palette"
_MESSAGE = "palette"
_SAMPLE_PX, _STACKS_BELOW = 172, 560

Edit = tuple[str, DraftHistory]
"""The name of a palette, "" for a new one, and its changes."""


class DeletedPalette(NamedTuple):
    """A palette that was deleted, as in the file."""

    name: str
    title: str
    text: str


class Edits(NamedTuple):
    """Changes that are not saved: of the open palette, and what a message offers to restore."""

    opened: Edit | None
    offered: Edit | DeletedPalette | None


class PalettesSection(QWidget):
    """The picker, the actions for the chosen palette, and the editor while open."""

    editor_opened = Signal()

    def __init__(
        self, settings: Settings, themes: CurrentTheme, own: OwnPalettes, banners: BannerStack
    ) -> None:
        super().__init__()
        self._settings, self._themes, self._own, self._banners = settings, themes, own, banners
        self.picker = PalettePicker(themes.schemes, settings.get(_SETTING))
        self.sample = SampleBoard(_SAMPLE_PX)
        self.sample.follow_settings(settings)
        self.copy_button = button(tr("Edit a copy"), picture="edit", work=self._edit_copy)
        self.edit_button = button(tr("Edit"), picture="edit", work=self._edit)
        self.delete_button = button(tr("Delete"), picture="delete", work=self._delete)
        self.export_button = button(
            tr("Copy as text"), picture="copy", tip=tr("As in color_schemes.txt"), work=self._export
        )
        self.import_button = button(
            tr("Paste a palette"),
            picture="paste",
            tip=tr("Add the palette that the clipboard has as text"),
            work=self._import,
        )
        self._buttons = flowing(
            self.copy_button,
            self.edit_button,
            self.delete_button,
            self.export_button,
            self.import_button,
        )
        self.editor: PaletteEditor | None = None
        self._offered: Offer[Edit | DeletedPalette] = Offer(banners, _MESSAGE)
        beside = Beside(self.sample, self.picker, _STACKS_BELOW)
        self._column = column(beside, self._buttons, space=12, parent=self)
        self.sample.tried.connect(self.sample.play)
        self.picker.chosen.connect(lambda name: settings.set(_SETTING, name))
        settings.changed.connect(self._follow_setting)
        self.show_choice()

    def show_choice(self) -> None:
        name = self._settings.get(_SETTING)
        self.picker.choose(name)
        is_own = name in self._themes.own.palettes
        self.edit_button.setVisible(is_own)
        self.delete_button.setVisible(is_own)

    @property
    def is_editing(self) -> bool:
        return self.editor is not None and not self.editor.isHidden()

    def _follow_setting(self, name: str, _value: object) -> None:
        if name == _SETTING:
            self.show_choice()

    def _edit_copy(self) -> None:
        palette = self._themes.palette
        draft = draft_of(palette, tr("{title} (copy)", title=palette.title))
        self._open("", DraftHistory(draft))

    def _edit(self) -> None:
        palette = self._themes.palette
        self._open(palette.name, DraftHistory(draft_of(palette)))

    def state(self) -> Edits:
        editor = self.editor
        opened = (editor.name, editor.history) if editor and self.is_editing else None
        return Edits(opened, self._offered.what)

    def restore(self, state: Edits) -> None:
        """Go on editing palettes; unlike at the opening nothing is scrolled or focused."""
        if isinstance(state.offered, DeletedPalette):
            self._offer_undo(state.offered)
        elif state.offered:
            self._offer(*state.offered)
        if state.opened:
            self._edit_draft(*state.opened)

    def _open(self, name: str, history: DraftHistory) -> None:
        self._edit_draft(name, history).title_edit.setFocus()
        self.editor_opened.emit()

    def _edit_draft(self, name: str, history: DraftHistory) -> PaletteEditor:
        if self.editor is None:  # most people never need it
            self.editor = PaletteEditor(self._themes.schemes)
            self.editor.saved.connect(self._save)
            self.editor.closed.connect(self._leave)
            self._column.addWidget(self.editor)
        self.editor.edit(name, history, self._themes.theme.is_dark)
        self.editor.show()
        self._buttons.hide()
        self.picker.setEnabled(False)
        return self.editor

    def _leave(self) -> None:
        editor = self.editor
        if editor is None:
            return
        name, history = editor.name, editor.history
        self._close()
        if history.can_undo:
            self._offer(name, history)

    def _offer(self, name: str, history: DraftHistory) -> None:
        again = (tr("Continue editing"), lambda: self._open(name, history))
        text = tr("Changes not saved.")
        self._offered.show("info", text, again, (name, history))

    def _offer_undo(self, deleted: DeletedPalette) -> None:
        def undo() -> None:
            if self._put(deleted.name, deleted.text, [(tr("Undo"), undo)]):
                self._settings.set(_SETTING, deleted.name)

        said = tr("{title} deleted.", title=deleted.title)
        self._offered.show("info", said, (tr("Undo"), undo), deleted)

    def _close(self) -> None:
        if self.editor:
            self.editor.hide()
        self._buttons.show()
        self.picker.setEnabled(True)
        self.show_choice()
        self.picker.view.setFocus()

    def _save(self, name: str, draft: Draft) -> None:
        title = draft.title.strip() or tr("My palette")
        name = name or free_name(title, list(self._themes.schemes.palettes))
        text = Draft(title, draft.light, draft.dark).text(name)
        if self._put(name, text):
            self._close()
            self._settings.set(_SETTING, name)
            self._banners.show_message("good", tr("{title} saved.", title=title), (), _MESSAGE)

    def _put(self, name: str, text: str, remedies: Sequence[Remedy] = ()) -> bool:
        try:
            self._own.put(name, text)
            self.show_own()
        except AppError as error:
            self._refuse(error, remedies)
            return False
        return True

    def _delete(self) -> None:
        name, title = self._themes.palette.name, self._themes.palette.title
        try:
            text = self._own.text_of(name)
            self._own.remove(name)
            self.show_own()
        except AppError as error:
            self._refuse(error)
            return
        if name not in self._themes.schemes.palettes:
            self._settings.set(_SETTING, OPTIONS[_SETTING].default)
        self._offer_undo(DeletedPalette(name, title, text))

    def _export(self) -> None:
        palette = self._themes.palette
        QGuiApplication.clipboard().setText(draft_of(palette).text(palette.name))
        said = tr("{title} copied as text.", title=palette.title)
        self._banners.show_message("info", said, (), _MESSAGE)

    def _import(self) -> None:
        try:
            name, draft = draft_from_text(QGuiApplication.clipboard().text(), tr("the clipboard"))
        except AppError as error:
            self._refuse(error)
            return
        taken = self._themes.schemes.palettes
        self._save(free_name(name, list(taken)) if name in taken else name, draft)

    def show_own(self) -> None:
        self._themes.use_own(self._own.load())
        self.picker.show_schemes(self._themes.schemes)
        self.show_choice()

    def _refuse(self, error: AppError, remedies: Sequence[Remedy] = ()) -> None:
        self._banners.show_message("bad", str(error), remedies, _MESSAGE)
