"""Which mistakes to list, as a row of fields."""

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from gui.theme import mono_font
from gui.widgets.flow_layout import FlowLayout
from tablebase.coach.grade import GRADES, Grade
from tablebase.coach.mistake import TableKey
from tablebase.coach.mistake_query import Query

_TYPING_MS = 200
_STATES = {"All": "all", "Due now": "due", "In repetition": "learning", "Retired": "retired"}
_DATES = {"Any time": 0, "Today": 1, "Last 7 days": 7, "Last 30 days": 30, "Last year": 365}
_LOSSES = {"Any loss": 0.0, "1 % or more": 0.01, "5 % or more": 0.05, "25 % or more": 0.25}


class MistakesFilter(QWidget):
    """Fields for position, state, grade, loss, date and tag.

    Signals
    -------
    changed
        Ask `query` again.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.search_edit = QLineEdit()
        self.search_edit.setPlaceholderText("Find a position (hex)")
        self.search_edit.setAccessibleName("Search for a position")
        self.search_edit.setToolTip(
            "16 hex digits in any orientation, or a few in a row as the list has them"
        )
        self.search_edit.setFont(mono_font())
        self.search_edit.setClearButtonEnabled(True)
        self.search_edit.setMinimumWidth(220)
        self.state_combo = _combo("Which of them", _STATES)
        self.grade_combo = _combo("Grade", _grades())
        self.loss_combo = _combo("Loss", _LOSSES)
        self.date_combo = _combo("Last made", _DATES)
        self.tag_combo = _combo("Tag", {"Any tag": ""})
        self.combos = (
            self.state_combo,
            self.grade_combo,
            self.loss_combo,
            self.date_combo,
            self.tag_combo,
        )
        self.error_label = QLabel()
        self.error_label.setWordWrap(True)
        self.error_label.setProperty("tone", "bad")
        self.error_label.hide()
        fields = QWidget()
        flow = FlowLayout(fields, space=8)
        for field in (self.search_edit, *self.combos):
            flow.addWidget(field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(fields)
        column.addWidget(self.error_label)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self.changed)
        self.search_edit.textEdited.connect(lambda _: self._typing.start())
        self.search_edit.textChanged.connect(lambda text: None if text else self._typing.start())
        self.search_edit.returnPressed.connect(self._typing.start)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.search_edit)
        escape.setContext(Qt.ShortcutContext.WidgetShortcut)
        escape.activated.connect(self.search_edit.clear)
        for combo in self.combos:
            combo.activated.connect(lambda _: self.changed.emit())
        self.set_tags([])

    @property
    def is_narrow(self) -> bool:
        """Whether anything is left out of the list."""
        return bool(self.search_edit.text().strip()) or any(
            combo.currentIndex() > 0 for combo in self.combos
        )

    def query(self, key: TableKey | None, sort: str, descending: bool, now: datetime) -> Query:
        """Return what the fields say."""
        days = int(self.date_combo.currentData())
        since = _midnight(now) - timedelta(days=days - 1) if days else None
        return Query(
            key=key,
            since=since,
            min_loss=self.loss_combo.currentData(),
            grades=frozenset(GRADES[i] for i in self.grade_combo.currentData()),
            board=self.search_edit.text(),
            tag=self.tag_combo.currentData(),
            state=self.state_combo.currentData(),
            now=now,
            sort=sort,
            descending=descending,
        )

    def reset(self) -> None:
        """Let everything through."""
        self.search_edit.clear()
        for combo in self.combos:
            combo.setCurrentIndex(0)
        self._typing.stop()
        self.changed.emit()

    def set_tags(self, tags: list[str]) -> None:
        """Offer these tags; the choice stays while there is such a tag."""
        chosen = self.tag_combo.currentData()
        self.tag_combo.clear()
        self.tag_combo.addItem("Any tag", "")
        for tag in tags:
            self.tag_combo.addItem(tag, tag)
        self.tag_combo.setCurrentIndex(max(0, self.tag_combo.findData(chosen)))
        self.tag_combo.setVisible(bool(tags))

    def show_error(self, text: str) -> None:
        """Say below the fields what is wrong with the position; "" takes it away."""
        self.error_label.setText(text)
        self.error_label.setVisible(bool(text))
        self.search_edit.setProperty("invalid", bool(text))
        self.search_edit.style().polish(self.search_edit)


def _combo(name: str, choices: Mapping[str, Any]) -> QComboBox:
    combo = QComboBox()
    combo.setAccessibleName(name)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    for text, value in choices.items():
        combo.addItem(text, value)
    return combo


def _grades() -> dict[str, list[int]]:
    """Return the choices of grades, as places in `GRADES`: Qt's data keep numbers best."""
    found: dict[str, list[int]] = {"All grades": []}
    for at in range(len(GRADES) - 1, 0, -1):
        or_worse = "" if GRADES[at] is Grade.DISASTER else ", or worse"
        found[f"{GRADES[at].value.capitalize()}{or_worse}"] = list(range(at, len(GRADES)))
    return found


def _midnight(now: datetime) -> datetime:
    local = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    return local.astimezone(timezone.utc)
