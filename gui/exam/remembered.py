"""The values that the test page remembers between runs of the program."""

from coach.exam.starts import ExamRules
from coach.play.rules import TARGET, ExamGoal
from gui.exam.rules import GOALS
from gui.settings_model.remembered import Remembered
from gui.settings_model.settings import Settings
from gui.settings_model.settings_of_coach import ALLOWANCES, SECONDS

RULE_SETTINGS = (
    "test.is_turned",
    "test.allows_undo",
    "test.leaves_out_forced",
    "test.seconds_per_move",
    "test.goal_moves",
    "test.ends_at_miss",
    "test.perfect_within",
)
"""What the rules are kept in."""


class RememberedExam:
    """Typed access to the page's settings and state, which their options keep valid."""

    is_focused = Remembered("test.focus", bool)
    are_rules_open = Remembered("test.rules_open", bool, in_state=True)
    last_table = Remembered("test.last_table", str, in_state=True)

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    def rules(self) -> ExamRules:
        seconds = self.settings.get("test.seconds_per_move")
        goal = ExamGoal(
            self.settings.get("test.goal_moves"), self.settings.get("test.ends_at_miss")
        )
        within = self.settings.get("test.perfect_within")
        return ExamRules(
            is_turned=self.settings.get("test.is_turned"),
            allows_undo=self.settings.get("test.allows_undo"),
            leaves_out_forced=self.settings.get("test.leaves_out_forced"),
            seconds_per_move=seconds if seconds in SECONDS else 0,
            goal=goal if goal in GOALS else TARGET,
            perfect_within=within if within in ALLOWANCES else 0.0,
        )

    @rules.setter
    def rules(self, rules: ExamRules) -> None:
        self.settings.set("test.is_turned", rules.is_turned)
        self.settings.set("test.allows_undo", rules.allows_undo)
        self.settings.set("test.leaves_out_forced", rules.leaves_out_forced)
        self.settings.set("test.seconds_per_move", rules.seconds_per_move)
        self.settings.set("test.goal_moves", rules.goal.moves)
        self.settings.set("test.ends_at_miss", rules.goal.ends_at_miss)
        self.settings.set("test.perfect_within", rules.perfect_within)
