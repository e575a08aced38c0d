"""Fields for the options of a table, each made from its entry in the table of options."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLabel, QVBoxLayout, QWidget

from engine.platform.language import tr
from gui.settings_model.setting import Number, Setting
from gui.settings_model.settings_table import SETTINGS
from gui.style.layout import column
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.folder_field import FolderField
from gui.widgets.labels import label, set_property
from tablebase.store.options import OPTIONS

_MAX_SHOWN = 4096


class OptionField(QObject):
    """The widget in which an option is chosen, and a note about what is chosen."""

    changed = Signal()
    editor: QWidget

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting  # the option, as Settings has it
        self.note = label("", "caption", wraps=True)

    @property
    def value(self) -> Any:
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        raise NotImplementedError

    def lock(self, why: str) -> None:
        self.editor.setEnabled(not why)
        self.editor.setToolTip(why)

    def forbid(self, reasons: Mapping[Any, str]) -> None:
        raise NotImplementedError

    def mark(self, *, is_invalid: bool) -> None:
        set_property(self.editor, "invalid", is_invalid)

    @property
    def text(self) -> str:
        return str(self.value)

    @property
    def note_of_value(self) -> str:
        notes = {choice.value: tr(choice.note) for choice in self.setting.choices}
        return notes.get(self.value, "")

    def labeled(self, note: QLabel | None = None) -> QVBoxLayout:
        name = "" if isinstance(self.editor, QCheckBox) else tr(self.setting.title)
        return labeled(name, self.editor, note)

    def _on_change(self) -> None:
        self.changed.emit()


class SwitchField(OptionField):
    """A check box."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.editor: QCheckBox = QCheckBox(tr(setting.title))
        self.editor.toggled.connect(self._on_change)

    @property
    def value(self) -> bool:
        return self.editor.isChecked()

    def show_value(self, value: Any) -> None:
        self.editor.setChecked(value)


class ChipsField(OptionField):
    """Values side by side."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.editor: ChipGroup = ChipGroup(tr(setting.title))
        self._choices = [
            Choice(shown.value, tr(shown.words), tip=tr(shown.note)) for shown in setting.choices
        ]
        self.editor.set_choices(self._choices, setting.default)
        self.editor.chosen.connect(self._on_change)

    def offer(self, value: int | str, words: str) -> None:
        """Offer one more value, in its place: a text before the others, a number among them."""
        self._choices.insert(0, Choice(value, words))
        if isinstance(value, int):
            self._choices.sort(key=lambda choice: int(str(choice.value)))
        self.editor.set_choices(self._choices, value)

    @property
    def value(self) -> Any:
        return self.editor.value

    def show_value(self, value: Any) -> None:
        self.editor.choose(value)

    def forbid(self, reasons: Mapping[Any, str]) -> None:
        self.editor.forbid(reasons)


class MenuField(OptionField):
    """A drop-down list of values."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.editor: QComboBox = QComboBox()
        self.editor.setAccessibleName(tr(setting.title))
        for i, choice in enumerate(setting.choices):
            self.editor.addItem(tr(choice.words), choice.value)
            self.editor.setItemData(i, tr(choice.note), Qt.ItemDataRole.ToolTipRole)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.editor.setSizeAdjustPolicy(policy)
        self.editor.setMinimumContentsLength(4)
        self.editor.currentIndexChanged.connect(self._on_change)

    @property
    def value(self) -> Any:
        return self.editor.currentData()

    def show_value(self, value: Any) -> None:
        self.editor.setCurrentIndex(self.editor.findData(value))


class NumberField(OptionField):
    """A field for a number."""

    def __init__(self, setting: Setting, low: float | None = None) -> None:
        super().__init__(setting)
        kind = setting.kind
        assert isinstance(kind, Number)
        self._kind = kind
        step = 10**-kind.decimals
        high = min(kind.high * kind.factor, _MAX_SHOWN)
        if not OPTIONS[setting.key.removeprefix("build.")].accepts(kind.high):
            high -= step
        self.editor: QDoubleSpinBox = QDoubleSpinBox(decimals=kind.decimals, singleStep=1)
        self.editor.setRange((kind.low if low is None else low) * kind.factor, high)
        self.editor.setSuffix(tr(kind.unit))
        self.editor.setSpecialValueText("" if low else tr(kind.lowest))
        self.editor.setAccessibleName(tr(setting.title))
        self.editor.lineEdit().setTextMargins(6, 0, 0, 0)  # a style sheet cannot
        self.editor.setMinimumWidth(96)
        self.editor.valueChanged.connect(self._on_change)

    @property
    def value(self) -> float:
        value = self.editor.value() / self._kind.factor
        return round(value) if self._kind.is_whole else round(value, 6)

    @property
    def text(self) -> str:
        return self.editor.text()

    def show_value(self, value: Any) -> None:
        self.editor.setValue(value * self._kind.factor)


class ScratchField(OptionField):
    """A line for a folder, and a button that opens the system's dialog."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.editor: FolderField = FolderField(tr(setting.title))
        self.editor.edit.setPlaceholderText(tr("Beside the table"))
        self.editor.browse_button.setToolTip(tr("Choose a folder for the working files"))
        self.editor.browse_button.setAccessibleName(tr("Choose a folder for the working files"))
        self.editor.changed.connect(self._on_change)

    @property
    def value(self) -> str:
        return str(self.editor.folder or "")

    def mark(self, *, is_invalid: bool) -> None:
        self.editor.mark(is_invalid=is_invalid)

    def show_value(self, value: Any) -> None:
        self.editor.edit.setText(value)


def make_field(name: str) -> OptionField:
    setting = SETTINGS[f"build.{name}"]
    kind = setting.kind
    if isinstance(kind, Number):
        return NumberField(setting)
    if setting.choices:
        return MenuField(setting) if getattr(kind, "is_menu", False) else ChipsField(setting)
    return SwitchField(setting) if OPTIONS[name].kind == "switch" else ScratchField(setting)


def labeled(caption: str, widget: QWidget, note: QLabel | None = None) -> QVBoxLayout:
    parts = [label(caption, "caption")] if caption else []
    return column(*parts, widget, *([note] if note else []), space=4)
