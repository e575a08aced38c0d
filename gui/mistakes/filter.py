"""The filter for mistakes, as a row of fields."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt

from coach.days import Today
from coach.grading.grade import GRADES, Grade
from coach.grading.names import grade_title
from coach.mistakes.mistake import TableKey
from coach.mistakes.query import Query
from engine.platform.language import mark, tr
from gui.widgets.choices import Choices, SinceChoices
from gui.widgets.clearable_edit import SearchField
from gui.widgets.list_filter import ListFilter

_STATES = {
    mark("All"): "all",
    mark("Due now"): "due",
    mark("Learning"): "learning",
    mark("Retired"): "retired",
}
_LOSSES = {
    mark("Any loss"): 0.0,
    mark("1 % or more"): 0.01,
    mark("5 % or more"): 0.05,
    mark("25 % or more"): 0.25,
}


class MistakesFilter(ListFilter):
    """Fields for position, state, grade, loss, date and tag."""

    def __init__(self) -> None:
        position = SearchField(
            tr("Find a position (hex)"),
            tr("16 hex digits in any orientation, or a few in a row as the list has them"),
        )
        self.state_combo = Choices(tr("Which of them"), _translated(_STATES))
        self.grade_combo = Choices(tr("Grade"), _grades())
        self.loss_combo = Choices(tr("Loss"), _translated(_LOSSES))
        self.date_combo = SinceChoices(tr("Last made"))
        self.tag_combo = Choices(tr("Tag"), {tr("Any tag"): ""})
        rules = (self.state_combo, self.grade_combo, self.loss_combo)
        super().__init__((position, *rules, self.date_combo, self.tag_combo))
        for combo in self.combos:
            combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the rows
        self.set_tags([])

    def query(self, key: TableKey | None, sort: str, descending: bool, today: Today) -> Query:
        """Return the query in the fields."""
        return Query(
            key=key,
            since=self.date_combo.since(today),
            min_loss=self.loss_combo.currentData(),
            grades=frozenset(GRADES[i] for i in self.grade_combo.currentData()),
            board=self.search_edit.text(),
            tag=self.tag_combo.currentData(),
            state=self.state_combo.currentData(),
            now=today.now,
            sort=sort,
            descending=descending,
        )

    def set_tags(self, tags: list[str]) -> None:
        """Offer these tags; the choice is kept while its tag exists."""
        chosen = self.tag_combo.currentData()
        self.tag_combo.clear()
        self.tag_combo.addItem(tr("Any tag"), "")
        for tag in tags:
            self.tag_combo.addItem(tag, tag)
        self.tag_combo.setCurrentIndex(max(0, self.tag_combo.findData(chosen)))
        self.tag_combo.setVisible(bool(tags))


def _grades() -> dict[str, list[int]]:
    """Return the choices of grades, as indices in `GRADES`: Qt's item data handle numbers best."""
    found: dict[str, list[int]] = {tr("All grades"): []}
    for at in range(len(GRADES) - 1, 0, -1):
        grade = grade_title(GRADES[at])
        is_worst = GRADES[at] is Grade.DISASTER
        text = grade if is_worst else tr("{grade}, or worse", grade=grade)
        found[text] = list(range(at, len(GRADES)))
    return found


def _translated(choices: Mapping[str, Any]) -> dict[str, Any]:
    return {tr(text): value for text, value in choices.items()}
