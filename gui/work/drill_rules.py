"""The rules of the drill, from the settings."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from coach.days import Today, today_of
from coach.mistakes.drill import Drill
from coach.mistakes.mistakes import Mistakes


@dataclass(frozen=True)
class DrillRules:
    """The rules of the drill from the settings: see `Drill`; and the hour at which a day begins."""

    # The settings, one for each rule.
    NAMES: ClassVar = ("mistakes.retire_after", "mistakes.new_per_day", "day.begins")

    retire_after: int
    new_per_day: int
    day_begins: int

    @classmethod
    def of(cls, get: Callable[[str], Any]) -> "DrillRules":
        """Return the rules in the settings; `get` is `Settings.get`."""
        return cls(*map(get, cls.NAMES))

    def drill(self, mistakes: Mistakes) -> Drill:
        """Return the drill on a database with these rules."""
        return Drill(mistakes, self.retire_after, self.new_per_day)

    def today(self, now: datetime) -> Today:
        """Return the day that a moment belongs to."""
        return today_of(now, self.day_begins)
