"""The filter above a list: menus, whose first choice lets everything through, and a search."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from coach.days import Today
from engine.platform.language import mark, tr
from gui.style.layout import column, laid_out
from gui.style.theme import mono_font
from gui.widgets.clearable_edit import ClearableEdit
from gui.widgets.flow_layout import flowing
from gui.widgets.labels import field, label, set_property, show_text

_TYPING_MS = 200
_DAYS = {
    mark("Any time"): 0,
    mark("Today"): 1,
    mark("Last 7 days"): 7,
    mark("Last 30 days"): 30,
    mark("Last year"): 365,
}


class Choices(QComboBox):
    """A menu of texts with their values."""

    def __init__(self, name: str, choices: Mapping[str, Any]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.offer(choices)

    def offer(self, choices: Mapping[str, Any]) -> None:
        """Offer other choices; the chosen value stays while it is among them."""
        chosen, values = self.currentData(), list(choices.values())
        with QSignalBlocker(self):
            self.clear()
            for text, value in choices.items():
                self.addItem(text, value)
            self.setCurrentIndex(values.index(chosen) if chosen in values else 0)


class SinceChoices(Choices):
    """A menu of how long ago at most."""

    def __init__(self, name: str) -> None:
        super().__init__(name, {tr(text): days for text, days in _DAYS.items()})

    def since(self, today: Today) -> datetime | None:
        """Return the start of the chosen period, in UTC; None for any."""
        days = int(self.currentData())
        return today.start(days - 1) if days else None


class SearchField(ClearableEdit):
    """A field for a position as hex digits, or for some of them."""

    searched = Signal()

    def __init__(self, placeholder: str, tip: str) -> None:
        super().__init__(placeholder)
        self.setAccessibleName(tr("Position"))
        self.setToolTip(tip)
        self.setFont(mono_font())
        self.setMinimumWidth(220)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self.searched)
        self.textEdited.connect(lambda _: self._typing.start())
        self.textChanged.connect(lambda text: None if text else self._typing.start())
        self.returnPressed.connect(self._typing.start)

    @property
    def is_narrow(self) -> bool:
        return bool(self.text().strip())

    def reset(self) -> None:
        """Empty it without the signal."""
        self.clear()
        self._typing.stop()

    def show_wrong(self, is_wrong: bool) -> None:
        set_property(self, "invalid", is_wrong)


class ListFilter(QWidget):
    """Menus and a field for a position in a row, or in more where there is no room.

    The first choice of a menu lets all through.
    """

    changed = Signal()

    def __init__(self, fields: Sequence[QComboBox | SearchField]) -> None:
        super().__init__()
        self.combos = tuple(one for one in fields if isinstance(one, QComboBox))
        (self.search_edit,) = (one for one in fields if isinstance(one, SearchField))
        self.error_label = label("", wraps=True)
        set_property(self.error_label, "tone", "bad")
        self.error_label.hide()
        labeled = [laid_out(field(one.accessibleName(), one)) for one in fields]
        column(flowing(*labeled), self.error_label, space=4, parent=self)
        self.search_edit.searched.connect(self.changed)
        for combo in self.combos:
            combo.activated.connect(lambda _: self.changed.emit())

    @property
    def is_narrow(self) -> bool:
        return self.search_edit.is_narrow or any(combo.currentIndex() > 0 for combo in self.combos)

    def reset(self) -> None:
        self.search_edit.reset()
        for combo in self.combos:
            combo.setCurrentIndex(0)
        self.changed.emit()

    def show_error(self, text: str) -> None:
        show_text(self.error_label, text)
        self.search_edit.show_wrong(bool(text))
