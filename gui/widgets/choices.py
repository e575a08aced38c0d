"""Menus of a row of fields that narrow a list down: the first choice lets everything through."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from PySide6.QtWidgets import QComboBox

from coach.days import Today
from engine.platform.language import mark, tr

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
        for text, value in choices.items():
            self.addItem(text, value)


class SinceChoices(Choices):
    """A menu of how long ago at most."""

    def __init__(self, name: str) -> None:
        super().__init__(name, {tr(text): days for text, days in _DAYS.items()})

    def since(self, today: Today) -> datetime | None:
        """Return the start of the chosen period, in UTC; None for any."""
        days = int(self.currentData())
        return today.start(days - 1) if days else None
