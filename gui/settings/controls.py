"""Controls that change one setting, created from its entry in the settings table."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QFontDatabase, QShowEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QWidget

from engine.platform.language import tr
from gui.settings_model.setting import Folder, Number, OneOf, Setting, Switch
from gui.settings_model.settings import Settings
from gui.style.layout import column
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.elided import ElidedCombo, WrappingCheckBox
from gui.widgets.fields import number_field
from gui.widgets.folder_field import FolderField

_FIELD_PX, _MENU_PX, _FOLDER_PX = 120, 200, 260
_MOST = 2**31 - 1


class Control(QWidget):
    """Shows a value and lets the user choose another."""

    is_wide = False  # whether it needs its own line
    chosen = Signal(object)

    def __init__(self, inside: QWidget, setting: Setting, described: QWidget | None = None) -> None:
        super().__init__()
        (described or inside).setAccessibleDescription(tr(setting.help))
        column(inside, parent=self)

    def show_value(self, value: Any) -> None:
        """Show a value without the signal."""
        raise NotImplementedError


class SwitchControl(Control):
    """A check box labeled with the title of the setting."""

    def __init__(self, setting: Setting) -> None:
        self.box = WrappingCheckBox(tr(setting.title))
        super().__init__(self.box, setting)
        self.box.clicked.connect(lambda on: self.chosen.emit(on))

    def show_value(self, value: Any) -> None:
        self.box.setChecked(bool(value))


class ChipsControl(Control):
    """A few values side by side; a value not among them is added."""

    is_wide = True

    def __init__(self, setting: Setting) -> None:
        self._setting, self.chips = setting, ChipGroup(tr(setting.title))
        super().__init__(self.chips, setting)
        self.chips.chosen.connect(lambda value: self.chosen.emit(value))

    def show_value(self, value: Any) -> None:
        offered = self._setting.choices
        choices = [Choice(choice.value, choice.words, tip=choice.note) for choice in offered]
        if value not in [choice.value for choice in offered]:
            kind = self._setting.kind
            unit = tr(kind.unit) if isinstance(kind, Number) else ""
            is_share = any(choice.words.endswith("%") for choice in offered) and value >= 1
            choices.append(Choice(value, f"{value:g} %" if is_share else f"{value}{unit}"))
        self.chips.set_choices(choices, value)


class MenuControl(Control):
    """A drop-down list of values and their translated names, filled when first shown."""

    def __init__(self, setting: Setting, offered: Callable[[], Iterable[tuple[str, Any]]]) -> None:
        self._offered, self._value = offered, setting.default
        self.combo = ElidedCombo()
        super().__init__(self.combo, setting)
        self.combo.setAccessibleName(tr(setting.title))
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.combo.setSizeAdjustPolicy(policy)
        self.combo.setMinimumContentsLength(6)
        self.combo.setFixedWidth(_MENU_PX)
        self.combo.activated.connect(lambda at: self.chosen.emit(self.combo.itemData(at)))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.fill()

    def fill(self) -> None:
        if not self.combo.count():
            for words, value in self._offered():
                self.combo.addItem(words, value)
            self.show_value(self._value)

    def show_value(self, value: Any) -> None:
        """Show the chosen value, which may not be among those available here."""
        self._value = value
        if not self.combo.count():
            return
        index = self.combo.findData(value)
        if index < 0:
            self.combo.addItem(str(value), value)
            index = self.combo.count() - 1
        self.combo.setCurrentIndex(index)


class NumberControl(Control):
    """A field for a number, which takes effect when typing is finished."""

    def __init__(self, setting: Setting, kind: Number) -> None:
        self._kind = kind
        self.spin = QDoubleSpinBox(decimals=kind.decimals, singleStep=kind.step)
        self.spin.setRange(kind.low * kind.factor, min(kind.high * kind.factor, _MOST))
        self.spin.setKeyboardTracking(False)
        self.spin.setSpecialValueText(tr(kind.lowest))
        self.spin.setFixedWidth(_FIELD_PX)
        number_field(self.spin, tr(setting.title), suffix=tr(kind.unit))
        super().__init__(self.spin, setting)
        self.spin.valueChanged.connect(lambda shown: self.chosen.emit(self._value_of(shown)))

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.spin):
            self.spin.setValue(value * self._kind.factor)

    def _value_of(self, shown: float) -> float:
        kind = self._kind
        value = shown / kind.factor
        value = round(value) if kind.is_whole else round(value, 12)
        return max(kind.low, min(kind.high, value))


class FolderControl(Control):
    """A line for a folder; empty for the default."""

    is_wide = True

    def __init__(self, setting: Setting, default: str) -> None:
        self.field = FolderField(tr(setting.title))
        super().__init__(self.field, setting, described=self.field.edit)
        self.field.edit.setPlaceholderText(default)
        self.field.edit.editingFinished.connect(self._choose)
        self.field.changed.connect(self._on_change)

    def show_value(self, value: Any) -> None:
        if self.field.edit.text() != value:
            with QSignalBlocker(self.field):
                self.field.edit.setText(value)

    def _on_change(self) -> None:
        if not self.field.edit.isModified():  # it was chosen in a dialog, not typed
            self._choose()

    def _choose(self) -> None:
        folder = self.field.folder
        self.chosen.emit(str(folder) if folder else "")


def make_control(setting: Setting, settings: Settings, home: Path) -> Control:
    """Return a control for a setting, which changes it and shows its value."""
    control = _control_for(setting, home)
    control.show_value(settings.get(setting.key))
    control.chosen.connect(lambda value: settings.set(setting.key, value))
    return control


def font_families() -> Iterable[tuple[str, str]]:
    yield tr("The font of the window"), ""
    for family in QFontDatabase.families(QFontDatabase.WritingSystem.Latin):
        if not QFontDatabase.isPrivateFamily(family):
            yield family, family


def _control_for(setting: Setting, home: Path) -> Control:
    kind = setting.kind
    if isinstance(kind, Switch):
        return SwitchControl(setting)
    if isinstance(kind, OneOf) and kind.is_menu:
        return MenuControl(setting, lambda: ((tr(c.words), c.value) for c in setting.choices))
    if setting.choices:
        return ChipsControl(setting)
    if isinstance(kind, Number):
        return NumberControl(setting, kind)
    if isinstance(kind, Folder):
        is_home = setting.key == "build.folder"
        return FolderControl(setting, str(home) if is_home else tr("Beside the table"))
    if setting.key == "tile_font":
        return MenuControl(setting, font_families)
    raise ValueError(f"nothing shows {setting.key}")  # no text
