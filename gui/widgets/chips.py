"""A choice shown as small buttons; disabled ones say why."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from engine.platform.language import tr
from gui.widgets.flow_layout import FlowLayout


@dataclass(frozen=True)
class Choice:
    """One button: its value, its text, and why it is disabled ("" if it isn't).

    The texts may be constants in English, marked: the group translates them.
    """

    value: Hashable
    text: str
    why_not: str = ""
    tip: str = ""


class ChipGroup(QWidget):
    """Exactly one of the choices is chosen, as long as one can be."""

    chosen = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__(accessibleName=name)
        self._flow = FlowLayout(self, space=6)
        self._group = QButtonGroup(self, exclusive=True)
        self._choices: list[Choice] = []
        self.buttons: dict[Hashable, QPushButton] = {}
        self._group.buttonClicked.connect(lambda _: self.chosen.emit(self.value))

    @property
    def value(self) -> Hashable | None:
        """The chosen value; None if all are disabled."""
        return next((v for v, button in self.buttons.items() if button.isChecked()), None)

    def set_choices(self, choices: Sequence[Choice], value: Hashable | None = None) -> None:
        """Show other choices; choose `value` if possible, else the first one that can be."""
        if list(choices) != self._choices:
            self._rebuild(choices)
        if not self.choose(value):
            for choice in choices:
                if self.choose(choice.value):
                    break

    def choose(self, value: Hashable | None) -> bool:
        """Choose a value as if clicked, without the signal; return False if impossible."""
        button = self.buttons.get(value)
        if button is None or not button.isEnabled():
            return False
        button.setChecked(True)
        return True

    def forbid(self, reasons: Mapping[Hashable, str]) -> None:
        """Set why some values are disabled now; "" enables them again."""
        self._choices = [
            replace(choice, why_not=reasons.get(choice.value, choice.why_not))
            for choice in self._choices
        ]
        for choice in self._choices:
            _show_choice(self.buttons[choice.value], choice)

    def _rebuild(self, choices: Sequence[Choice]) -> None:
        for button in self.buttons.values():
            self._group.removeButton(button)
            self._flow.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._choices = list(choices)
        self.buttons = {}
        for choice in choices:
            button = QPushButton(tr(choice.text), self)
            button.setCheckable(True)
            button.setAutoExclusive(True)  # the group sees to it; a screen reader asks the button
            button.setProperty("chip", True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the board its keys
            _show_choice(button, choice)
            self._group.addButton(button)
            self._flow.addWidget(button)
            self.buttons[choice.value] = button
            button.show()
        self.updateGeometry()


def _show_choice(button: QPushButton, choice: Choice) -> None:
    button.setEnabled(not choice.why_not)
    button.setToolTip(tr(choice.why_not or choice.tip))
    button.setAccessibleDescription(tr(choice.why_not))
