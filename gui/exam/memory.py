"""What the test page remembers between two runs of the program."""

from pathlib import Path

from coach.exam.goal import TARGET, Goal
from gui.core.settings import Settings
from gui.core.settings_table import ALLOWANCES, SECONDS
from gui.exam.controller import Rules
from gui.exam.rules import GOALS

RULE_SETTINGS = (
    *("test.is_turned", "test.allows_undo", "test.leaves_out_forced", "test.seconds_per_move"),
    *("test.goal_moves", "test.ends_at_miss", "test.perfect_within"),
)
"""What the rules are kept in."""


class TestMemory:
    """Typed access to the page's settings and state, whose options keep to what makes sense.

    Parameters
    ----------
    settings : Settings
        Where the values are kept.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def rules(self) -> Rules:
        """How tests are held."""
        seconds = self._settings.get("test.seconds_per_move")
        goal = Goal(self._settings.get("test.goal_moves"), self._settings.get("test.ends_at_miss"))
        within = self._settings.get("test.perfect_within")
        return Rules(
            is_turned=self._settings.get("test.is_turned"),
            allows_undo=self._settings.get("test.allows_undo"),
            leaves_out_forced=self._settings.get("test.leaves_out_forced"),
            seconds_per_move=seconds if seconds in SECONDS else 0,
            goal=goal if goal in GOALS else TARGET,
            perfect_within=within if within in ALLOWANCES else 0.0,
        )

    @rules.setter
    def rules(self, rules: Rules) -> None:
        self._settings.set("test.is_turned", rules.is_turned)
        self._settings.set("test.allows_undo", rules.allows_undo)
        self._settings.set("test.leaves_out_forced", rules.leaves_out_forced)
        self._settings.set("test.seconds_per_move", rules.seconds_per_move)
        self._settings.set("test.goal_moves", rules.goal.moves)
        self._settings.set("test.ends_at_miss", rules.goal.ends_at_miss)
        self._settings.set("test.perfect_within", rules.perfect_within)

    @property
    def is_focused(self) -> bool:
        """Whether the hints are hidden."""
        return bool(self._settings.get("test.focus"))

    @is_focused.setter
    def is_focused(self, focused: bool) -> None:
        self._settings.set("test.focus", focused)

    @property
    def are_rules_open(self) -> bool:
        """Whether the rules can be seen."""
        return bool(self._settings.state.get("test.rules_open"))

    @are_rules_open.setter
    def are_rules_open(self, are_open: bool) -> None:
        self._settings.state.set("test.rules_open", are_open)

    @property
    def last_table(self) -> str:
        """The folder of the table that was open last."""
        return str(self._settings.state.get("test.last_table"))

    def remember_table(self, table: Path) -> None:
        """Keep which table is in use."""
        self._settings.state.set("test.last_table", str(table))
