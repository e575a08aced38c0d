"""The filter of the history, as a row of fields."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox

from coach.days import Today
from coach.exam.goal import ExamGoal
from coach.exam.query import TestQuery, formation_of
from engine.platform.language import mark, tr
from gui.exam.text import allowance_text, goal_name
from gui.text.numbers import table_title
from gui.widgets.choices import Choices, SinceChoices
from gui.widgets.clearable_edit import SearchField
from gui.widgets.list_filter import ListFilter

_ALL, _FORMATION, _TABLE = "all", "formation", "table"
_ANY_GOAL = mark("Any goal")
_ANY_PERFECT = mark("Any tolerance")


class HistoryFilter(ListFilter):
    """Fields for table or formation, date, and start position."""

    def __init__(self) -> None:
        self.table_combo = QComboBox()
        self.table_combo.setAccessibleName(tr("Table"))
        self.table_combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.date_combo = SinceChoices(tr("Date"))
        self.goal_combo = Choices(tr("Goal"), {tr(_ANY_GOAL): None})
        self.perfect_combo = Choices(tr("Perfect moves"), {tr(_ANY_PERFECT): None})
        self.goal_combo.hide()
        self.perfect_combo.hide()
        position = SearchField(
            tr("Start position (hex)"),
            tr("Where the test started: 16 hex digits in any orientation, or a few in a row"),
        )
        combos = (self.table_combo, self.date_combo, self.goal_combo, self.perfect_combo)
        super().__init__((*combos, position))

    def query(self, today: Today) -> TestQuery:
        """Return the query in the fields."""
        kind, name = self.table_combo.currentData() or (_ALL, "")
        return TestQuery(
            table=name if kind == _TABLE else "",
            formation=name if kind == _FORMATION else "",
            since=self.date_combo.since(today),
            start=self.search_edit.text(),
            perfect_within=self.perfect_combo.currentData(),
            goal=self.goal_combo.currentData(),
        )

    def set_tables(self, tables: Sequence[tuple[str, int]]) -> None:
        """Offer these tables, each with its number of tests, and formations of several of them.

        The choice is kept as long as that table exists.
        """
        chosen = self.table_combo.currentData()
        of_formation: dict[str, list[int]] = {}
        for name, count in tables:
            of_formation.setdefault(formation_of(name), []).append(count)
        with QSignalBlocker(self.table_combo):
            self.table_combo.clear()
            text = tr("All tables ({n})", n=sum(n for _, n in tables))
            self.table_combo.addItem(text, (_ALL, ""))
            for formation, counts in of_formation.items():
                if len(counts) > 1:
                    text = tr("{formation}, all targets ({n})", formation=formation, n=sum(counts))
                    self.table_combo.addItem(text, (_FORMATION, formation))
            for name, count in tables:
                self.table_combo.addItem(f"{table_title(name)} ({count})", (_TABLE, name))
            found = [self.table_combo.itemData(i) for i in range(self.table_combo.count())]
            self.table_combo.setCurrentIndex(found.index(chosen) if chosen in found else 0)

    def set_rules(self, goals: Sequence[ExamGoal], allowances: Sequence[float]) -> None:
        """Offer these rules as filters; a menu with a single value is hidden."""
        _offer(self.goal_combo, tr(_ANY_GOAL), {goal_name(goal): goal for goal in goals})
        perfect = {
            tr("Perfect: {allowance}", allowance=allowance_text(points)): points
            for points in allowances
        }
        _offer(self.perfect_combo, tr(_ANY_PERFECT), perfect)


def _offer(combo: QComboBox, any_text: str, choices: Mapping[str, object]) -> None:
    """Fill a menu; the choice is kept while offered, and an empty menu is hidden."""
    chosen = combo.currentData()
    with QSignalBlocker(combo):
        combo.clear()
        combo.addItem(any_text, None)
        for text, value in choices.items():
            combo.addItem(text, value)
        found = [None, *choices.values()]
        combo.setCurrentIndex(found.index(chosen) if chosen in found else 0)
    combo.setVisible(len(choices) > 1 or combo.currentIndex() > 0)
