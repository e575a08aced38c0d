"""The rules of the next test: goal, turning, time limit, undo, forced moves, allowance."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from coach.exam.starts import ExamRules
from coach.play.rules import TARGET, ExamGoal
from engine.platform.language import listed, tr
from engine.platform.quantities import span_text
from gui.exam.text import allowance_text, allowance_title, goal_in_words, goal_name
from gui.settings_model.settings_of_coach import ALLOWANCES, SECONDS
from gui.style.layout import STRETCH, column, laid_out, row
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
        time_limit = tr("{time} per move", time=span_text(seconds))
    parts.append(time_limit)
    if rules.perfect_within:
        parts.append(tr("perfect {allowance}", allowance=allowance_text(rules.perfect_within)))
    return listed(parts)
