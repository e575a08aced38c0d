"""Fields for the options of a table, each made from its entry in the table of options."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLabel, QVBoxLayout, QWidget

from engine.platform.language import tr
from gui.settings_model.setting import Number, Setting
from gui.settings_model.settings_table import SETTINGS
from gui.style.layout import column
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.fields import number_field
from gui.widgets.folder_field import FolderField
from gui.widgets.labels import label, set_property
from tablebase.store.options import OPTIONS

_MAX_SHOWN = 4096
Editor = TypeVar("Editor", bound=QWidget)


class OptionField(QObject, Generic[Editor]):
    """The widget in which an option is chosen, and a note about what is chosen."""

    changed = Signal()

    def __init__(
        self,
        setting: Setting,
        editor: Editor,
        value: Callable[[], Any],
        show_value: Callable[[Any], object],
        chosen: SignalInstance,
    ) -> None:
        super().__init__()
        self.setting, self.editor = setting, editor
        self._value, self.show_value = value, show_value
        self.note = label("", "caption", wraps=True)
        chosen.connect(self.changed)

    @property
    def value(self) -> Any:
        return self._value()

    @property
    def note_of_value(self) -> str:
        notes = {choice.value: tr(choice.note) for choice in self.setting.choices}
        return notes.get(self.value, "")

    def lock(self, why: str) -> None:
        self.editor.setEnabled(not why)
        self.editor.setToolTip(why)

    def mark(self, *, is_invalid: bool) -> None:
        set_property(self.editor, "invalid", is_invalid)

    def labeled(self, note: QLabel | None = None) -> QVBoxLayout:
        name = "" if isinstance(self.editor, QCheckBox) else tr(self.setting.title)
        return labeled(name, self.editor, note)


class SwitchField(OptionField[QCheckBox]):
    """A check box."""

    def __init__(self, setting: Setting) -> None:
        box = QCheckBox(tr(setting.title))
        super().__init__(setting, box, box.isChecked, box.setChecked, box.toggled)


class ChipsField(OptionField[ChipGroup]):
    """Values side by side."""

    def __init__(self, setting: Setting) -> None:
        chips = ChipGroup(tr(setting.title))
        self._choices = [
            Choice(shown.value, tr(shown.words), tip=tr(shown.note)) for shown in setting.choices
        ]
        chips.set_choices(self._choices, setting.default)
        super().__init__(setting, chips, lambda: chips.value, chips.choose, chips.chosen)

    def offer(self, value: int | str, words: str) -> None:
        """Offer one more value, in its place: a text before the others, a number among them."""
        self._choices.insert(0, Choice(value, words))
        if isinstance(value, int):
            self._choices.sort(key=lambda choice: int(str(choice.value)))
        self.editor.set_choices(self._choices, value)


class MenuField(OptionField[QComboBox]):
    """A drop-down list of values."""

    def __init__(self, setting: Setting) -> None:
        menu = QComboBox()
        menu.setAccessibleName(tr(setting.title))
        for i, choice in enumerate(setting.choices):
            menu.addItem(tr(choice.words), choice.value)
            menu.setItemData(i, tr(choice.note), Qt.ItemDataRole.ToolTipRole)
        menu.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        menu.setMinimumContentsLength(4)
        show = lambda value: menu.setCurrentIndex(menu.findData(value))  # noqa: E731
        super().__init__(setting, menu, menu.currentData, show, menu.currentIndexChanged)


class NumberField(OptionField[QDoubleSpinBox]):
    """A field for a number."""

    def __init__(self, setting: Setting, low: float | None = None) -> None:
        kind = setting.kind
        assert isinstance(kind, Number)
        self._kind = kind
        high = min(kind.high * kind.factor, _MAX_SHOWN)
        if not OPTIONS[setting.key.removeprefix("build.")].accepts(kind.high):
            high -= 10**-kind.decimals
        spin = QDoubleSpinBox(decimals=kind.decimals, singleStep=1)
        spin.setRange((kind.low if low is None else low) * kind.factor, high)
        spin.setSpecialValueText("" if low else tr(kind.lowest))
        spin.setMinimumWidth(96)
        number_field(spin, tr(setting.title), suffix=tr(kind.unit))
        show = lambda value: spin.setValue(value * kind.factor)  # noqa: E731
        super().__init__(setting, spin, self._number, show, spin.valueChanged)

    def _number(self) -> float:
        value = self.editor.value() / self._kind.factor
        return round(value) if self._kind.is_whole else round(value, 6)


class ScratchField(OptionField[FolderField]):
    """A line for a folder, "" for none, and a button that opens the system's dialog."""

    def __init__(self, setting: Setting) -> None:
        field = FolderField(tr(setting.title))
        field.edit.setPlaceholderText(tr("Beside the table"))
        field.browse_button.setToolTip(tr("Choose a folder for the working files"))
        field.browse_button.setAccessibleName(tr("Choose a folder for the working files"))
        value = lambda: str(field.folder or "")  # noqa: E731
        super().__init__(setting, field, value, field.edit.setText, field.changed)

    def mark(self, *, is_invalid: bool) -> None:
        self.editor.mark(is_invalid=is_invalid)


def make_field(name: str) -> OptionField[Any]:
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
