"""The rules of the next test: goal, turning, time limit, undo, forced moves, allowance; kept."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from coach.exam.starts import ExamRules
from coach.play.rules import TARGET, ExamGoal
from engine.platform.language import listed, tr
from gui.exam.text import allowance_text, allowance_title, goal_in_words, goal_name
from gui.settings_model.remembered import Remembered
from gui.settings_model.settings import Settings
from gui.settings_model.settings_of_coach import ALLOWANCES, SECONDS
from gui.style.layout import STRETCH, column, laid_out, row
from gui.text.numbers import format_seconds
from gui.widgets.disclosure import Disclosure
from gui.widgets.labels import label

GOALS = (TARGET, ExamGoal(50), ExamGoal(100), ExamGoal(200), ExamGoal(ends_at_miss=True))


class RulesBox(QWidget):
    """The rules in a collapsible box, with a summary while collapsed."""

    chosen = Signal(object)  # ExamRules

    def __init__(self) -> None:
        super().__init__()
        self.turn_box = QCheckBox(tr("Rotate or mirror the start"))
        self.undo_box = QCheckBox(tr("Allow undo (marked in the result)"))
        self.forced_box = QCheckBox(tr("Don't count forced moves"))
        self.time_combo = QComboBox()
        for seconds, words in SECONDS.items():
            self.time_combo.addItem(tr(words), seconds)
        self.goal_combo = QComboBox()
        for goal in GOALS:
            self.goal_combo.addItem(goal_name(goal))
        self.goal_combo.setToolTip(
            tr(
                "When a test ends: at the target, after a number of moves, or at the first move "
                "that isn't perfect. At the target it always ends."
            )
        )
        self.perfect_combo = QComboBox()
        for points in ALLOWANCES:
            self.perfect_combo.addItem(allowance_title(points), points)
        self.perfect_combo.setToolTip(
            tr(
                "How much a move may lose and still count as perfect. The match rate, the streak "
                "and the moves to drill go by it."
            )
        )
        self._rows = {
            tr("Goal"): self.goal_combo,
            tr("Perfect moves"): self.perfect_combo,
            tr("Time per move"): self.time_combo,
        }
        self._boxes = (self.turn_box, self.undo_box, self.forced_box)
        for name, combo in self._rows.items():
            combo.setAccessibleName(name)
            combo.activated.connect(lambda _: self._changed())
        for box in self._boxes:
            box.toggled.connect(lambda _: self._changed())
        for part in (*self._boxes, *self._rows.values()):
            part.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the board its keys
        remark = tr("Rules apply from the next test. A test ends when time runs out.")
        content = laid_out(
            column(
                *self._boxes,
                *(row(label(name), STRETCH, combo) for name, combo in self._rows.items()),
                label(remark, "caption", wraps=True),
            )
        )
        self.disclosure = Disclosure(tr("Rules"), content)
        column(self.disclosure, parent=self)
        self.show_rules(ExamRules())

    @property
    def rules(self) -> ExamRules:
        return ExamRules(
            is_turned=self.turn_box.isChecked(),
            allows_undo=self.undo_box.isChecked(),
            leaves_out_forced=self.forced_box.isChecked(),
            seconds_per_move=self.time_combo.currentData(),
            perfect_within=self.perfect_combo.currentData(),
            goal=GOALS[self.goal_combo.currentIndex()],
        )

    def show_rules(self, rules: ExamRules) -> None:
        """Show rules without emitting the signal; a time limit not offered is shown as none."""
        blockers = [QSignalBlocker(part) for part in (*self._boxes, *self._rows.values())]
        self.turn_box.setChecked(rules.is_turned)
        self.undo_box.setChecked(rules.allows_undo)
        self.forced_box.setChecked(rules.leaves_out_forced)
        self.time_combo.setCurrentIndex(max(0, self.time_combo.findData(rules.seconds_per_move)))
        perfect = self.perfect_combo.findData(rules.perfect_within)
        self.perfect_combo.setCurrentIndex(max(0, perfect))
        self.goal_combo.setCurrentIndex(GOALS.index(rules.goal) if rules.goal in GOALS else 0)
        del blockers
        self.disclosure.set_summary(summary(rules))

    def _changed(self) -> None:
        self.disclosure.set_summary(summary(self.rules))
        self.chosen.emit(self.rules)


def summary(rules: ExamRules) -> str:
    parts = [] if rules.goal == TARGET else [goal_in_words(rules.goal)]
    parts.append(tr("random rotation") if rules.is_turned else tr("no rotation"))
    if rules.allows_undo:
        parts.append(tr("undo"))
    if rules.leaves_out_forced:
        parts.append(tr("no forced moves"))
    time_limit = tr("no time limit")
    if seconds := rules.seconds_per_move:
        time_limit = tr("{time} per move", time=format_seconds(seconds))
    parts.append(time_limit)
    if rules.perfect_within:
        parts.append(tr("perfect {allowance}", allowance=allowance_text(rules.perfect_within)))
    return listed(parts)


_FIELDS = ("is_turned", "allows_undo", "leaves_out_forced", "seconds_per_move", "perfect_within")
RULE_SETTINGS = (*(f"test.{name}" for name in _FIELDS), "test.goal_moves", "test.ends_at_miss")
"""What the rules are kept in."""


class RememberedExam:
    """Typed access to the page's settings and state, which their options keep valid."""

    is_focused = Remembered("test.focus", bool)  # whether the hints are hidden
    are_rules_open = Remembered("test.rules_open", bool, in_state=True)
    last_table = Remembered("test.last_table", str, in_state=True)

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    def rules(self) -> ExamRules:
        get = self.settings.get
        rules = ExamRules(**{name: get(f"test.{name}") for name in _FIELDS})
        goal = ExamGoal(get("test.goal_moves"), get("test.ends_at_miss"))
        return replace(
            rules,
            seconds_per_move=rules.seconds_per_move if rules.seconds_per_move in SECONDS else 0,
            goal=goal if goal in GOALS else TARGET,
            perfect_within=rules.perfect_within if rules.perfect_within in ALLOWANCES else 0.0,
        )

    @rules.setter
    def rules(self, rules: ExamRules) -> None:
        for name in _FIELDS:
            self.settings.set(f"test.{name}", getattr(rules, name))
        self.settings.set("test.goal_moves", rules.goal.moves)
        self.settings.set("test.ends_at_miss", rules.goal.ends_at_miss)
