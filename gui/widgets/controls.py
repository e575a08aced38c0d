"""Controls that change one setting, created from its entry in the settings table."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
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
_MAX_INT = 2**31 - 1


class Control(QWidget):
    """Shows a value and lets the user choose another."""

    is_wide = False  # whether it needs its own line
    chosen = Signal(object)

    def __init__(self, inside: QWidget, setting: Setting, described: QWidget | None = None) -> None:
        super().__init__()
        self.inside, self.setting = inside, setting
        (described or inside).setAccessibleDescription(tr(setting.help))
        column(inside, parent=self)

    @property
    def value(self) -> Any:
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        """Show a value without the signal."""
        raise NotImplementedError


class SwitchControl(Control):
    """A check box labeled with the title of the setting."""

    def __init__(self, setting: Setting) -> None:
        self.box = WrappingCheckBox(tr(setting.title))
        super().__init__(self.box, setting)
        self.box.toggled.connect(lambda on: self.chosen.emit(on))

    @property
    def value(self) -> bool:
        return self.box.isChecked()

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setChecked(bool(value))


class ChipsControl(Control):
    """A few values side by side; a value not among them is added."""

    is_wide = True

    def __init__(self, setting: Setting) -> None:
        self.chips = ChipGroup(tr(setting.title))
        super().__init__(self.chips, setting)
        self._choices = [Choice(one.value, one.words, tip=one.note) for one in setting.choices]
        self.chips.set_choices(self._choices, setting.default)
        self.chips.chosen.connect(lambda value: self.chosen.emit(value))

    @property
    def value(self) -> Any:
        return self.chips.value

    def show_value(self, value: Any) -> None:
        if self.chips.choose(value):
            return
        choices = list(self._choices)
        if value not in [choice.value for choice in choices]:
            kind = self.setting.kind
            unit = tr(kind.unit) if isinstance(kind, Number) else ""
            is_share = any(choice.text.endswith("%") for choice in choices) and value >= 1
            choices.append(Choice(value, f"{value:g} %" if is_share else f"{value}{unit}"))
        self.chips.set_choices(choices, value)

    def offer(self, value: int | str, words: str) -> None:
        """Offer one more value, in its place: a text before the others, a number among them."""
        self._choices.insert(0, Choice(value, words))
        if isinstance(value, int):
            self._choices.sort(key=lambda choice: int(str(choice.value)))
        self.chips.set_choices(self._choices, value)


class MenuControl(Control):
    """A drop-down list of values and their translated names, filled when shown."""

    def __init__(self, setting: Setting, offered: Callable[[], Iterable[tuple[str, Any]]]) -> None:
        self._offered, self._value = offered, setting.default
        self._filled: Sequence[tuple[str, Any]] = ()
        self.combo = ElidedCombo()
        super().__init__(self.combo, setting)
        self.combo.setAccessibleName(tr(setting.title))
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.combo.setSizeAdjustPolicy(policy)
        self.combo.setMinimumContentsLength(6)
        self.combo.setFixedWidth(_MENU_PX)
        self.combo.currentIndexChanged.connect(lambda at: self.chosen.emit(self.combo.itemData(at)))

    @property
    def value(self) -> Any:
        return self.combo.currentData() if self.combo.count() else self._value

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.fill()

    def fill(self) -> None:
        offered = list(self._offered())
        if offered != self._filled:
            self._filled = offered
            with QSignalBlocker(self.combo):
                self.combo.clear()
                for words, value in offered:
                    self.combo.addItem(words, value)
            for at, choice in enumerate(self.setting.choices):
                self.combo.setItemData(at, tr(choice.note), Qt.ItemDataRole.ToolTipRole)
            self.show_value(self._value)

    def show_value(self, value: Any) -> None:
        """Show the chosen value, which may not be among those available here."""
        self._value = value
        if not self.combo.count():
            return
        with QSignalBlocker(self.combo):
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
        self.spin.setRange(kind.low * kind.factor, min(kind.high * kind.factor, _MAX_INT))
        self.spin.setKeyboardTracking(False)
        self.spin.setSpecialValueText(tr(kind.lowest))
        self.spin.setFixedWidth(_FIELD_PX)
        number_field(self.spin, tr(setting.title), suffix=tr(kind.unit))
        super().__init__(self.spin, setting)
        self.spin.valueChanged.connect(lambda _: self.chosen.emit(self.value))

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.spin):
            self.spin.setValue(value * self._kind.factor)

    @property
    def value(self) -> float:
        kind = self._kind
        value = self.spin.value() / kind.factor
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

    @property
    def value(self) -> str:
        return str(self.field.folder or "")

    def show_value(self, value: Any) -> None:
        if self.field.edit.text() != value:
            with QSignalBlocker(self.field):
                self.field.edit.setText(value)

    def _on_change(self) -> None:
        if not self.field.edit.isModified():  # it was chosen in a dialog, not typed
            self._choose()

    def _choose(self) -> None:
        self.chosen.emit(self.value)


def make_control(setting: Setting, settings: Settings, home: Path) -> Control:
    """Return a control for a setting, which changes it and shows its value."""
    control = control_for(setting, home)
    control.show_value(settings.get(setting.key))
    control.chosen.connect(lambda value: settings.set(setting.key, value))
    return control


def font_families() -> Iterable[tuple[str, str]]:
    yield tr("The font of the window"), ""
    for family in QFontDatabase.families(QFontDatabase.WritingSystem.Latin):
        if not QFontDatabase.isPrivateFamily(family):
            yield family, family


def control_for(setting: Setting, home: Path) -> Control:
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
