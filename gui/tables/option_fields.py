"""Fields for the options of a table: the controls of their settings, each with a note."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel, QVBoxLayout, QWidget

from engine.platform.language import tr
from gui.settings_model.settings_table import SETTINGS
from gui.style.layout import NO_LIMIT, column
from gui.widgets.controls import MenuControl, SwitchControl, control_for
from gui.widgets.folder_field import FolderField
from gui.widgets.labels import label, set_property

_MIN_WIDTH_PX = 96  # of a field for a number


class OptionField(QObject):
    """A control, and a note about what is chosen in it."""

    changed = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setting = SETTINGS[f"build.{name}"]
        self.control: Any = control_for(self.setting, Path())
        self.editor: Any = self.control.inside
        self.note = label("", "caption", wraps=True)
        if isinstance(self.editor, QAbstractSpinBox | QComboBox):
            self.editor.setMinimumWidth(_MIN_WIDTH_PX)
            self.editor.setMaximumWidth(NO_LIMIT)
        if isinstance(self.control, MenuControl):
            self.control.fill()
        self.show_value = self.control.show_value
        if isinstance(self.editor, FolderField):  # it is checked while it is typed
            self.editor.changed.connect(self.changed)
        else:
            self.control.chosen.connect(lambda _: self.changed.emit())

    @property
    def value(self) -> Any:
        return self.control.value

    @property
    def note_of_value(self) -> str:
        notes = {choice.value: tr(choice.note) for choice in self.setting.choices}
        return notes.get(self.value, "")

    def lock(self, why: str) -> None:
        self.editor.setEnabled(not why)
        self.editor.setToolTip(why)

    def mark(self, *, is_invalid: bool) -> None:
        edit = self.editor.edit if isinstance(self.editor, FolderField) else self.editor
        set_property(edit, "invalid", is_invalid)

    def labeled(self, note: QLabel | None = None) -> QVBoxLayout:
        name = "" if isinstance(self.control, SwitchControl) else tr(self.setting.title)
        return labeled(name, self.control, note)


def labeled(caption: str, widget: QWidget, note: QLabel | None = None) -> QVBoxLayout:
    parts = [label(caption, "caption")] if caption else []
    return column(*parts, widget, *([note] if note else []), space=4)
