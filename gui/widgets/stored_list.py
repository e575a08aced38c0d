"""A list of stored items: a heading with buttons, the rows, and their number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from gui.keys.key_bindings import PLACES, add_key_tip, give_keys
from gui.keys.key_meanings import KEYS_ONLY
from gui.style.layout import STRETCH, column, placed, row
from gui.widgets.labels import label
from gui.widgets.row_model import RowModel, RowView

T = TypeVar("T")


@dataclass(frozen=True)
class RowAction:
    """An action on the selected rows, by a button or by its key."""

    name: str  # of the action
    caption: str  # of the button
    text: str  # what it does, in a list of commands
    meaning: str  # of its keys; see `gui.keys.key_meanings`


class StoredList(QWidget, Generic[T]):
    """The rows, with the actions for selected ones above, and the number of rows below.

    A double click does the first action, or a click if it `opens_by_click`: then it has no button.
    `place` is where the keys belong to, in the list of keys.
    """

    action_requested = Signal(str, object)
    chosen_changed = Signal()

    def __init__(
        self,
        title: str,
        model: RowModel[T],
        actions: Sequence[RowAction],
        place: str,
        is_many: bool = False,
        opens_by_click: bool = False,
    ) -> None:
        super().__init__()
        self.model, self.view = model, RowView(model, title, is_many)
        self.view.setProperty("kept", True)  # headings in line with what is below them
        self.count_label = label("", "caption", wraps=True)
        self.buttons: dict[str, QPushButton] = {}
        self.key_actions: list[QAction] = []
        self._for_rows: list[QWidget] = []  # which is nothing without rows
        self.head = row(label(title, "strong"), STRETCH)
        self.foot = row(self.count_label, space=12)
        for action in actions:
            self._add(action, place, has_button=not opens_by_click or action is not actions[0])
        self.column = column(
            self.head, placed(self.view, stretch=1), self.foot, STRETCH, space=12, parent=self
        )
        opened = self.view.clicked if opens_by_click else self.view.doubleClicked
        opened.connect(lambda _: self._request(actions[0].name))
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._follow())
        self._enable()

    def show_rows(self, rows: Sequence[T], count: str) -> None:
        """Show other rows and their number, keeping the selected position."""
        at = next(iter(self.view.chosen_numbers), 0)
        self.model.set_rows(rows)
        for part in (self.view, *self._for_rows):
            part.setVisible(bool(rows))
        self.column.setStretch(self.column.count() - 1, 0 if rows else 1)
        self.count_label.setText(count)
        if rows:
            self.view.selectRow(min(at, len(rows) - 1))
        self._follow()

    def add_button(self, button: QPushButton, at: int | None = None) -> None:
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the rows
        n_before = 2  # the heading, and what keeps the buttons at the right
        self.head.insertWidget(n_before + (len(self._for_rows) if at is None else at), button)
        self._for_rows.append(button)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._enable()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self._enable()

    def _add(self, row_action: RowAction, place: str, has_button: bool) -> None:
        action = QAction(row_action.text, self)
        action.setObjectName(row_action.name)
        action.setProperty(PLACES, [place])
        give_keys(action, row_action.meaning, KEYS_ONLY)  # it has a button in the list
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda: self._request(row_action.name))
        self.view.addAction(action)
        self.key_actions.append(action)
        if has_button:
            button = QPushButton(row_action.caption)
            button.clicked.connect(lambda: self._request(row_action.name))
            add_key_tip(button, action)
            self.buttons[row_action.name] = button
            self.add_button(button)

    def _request(self, name: str) -> None:
        if (chosen := self.view.chosen) is not None:
            self.action_requested.emit(name, chosen)

    def _follow(self) -> None:
        self._enable()
        self.chosen_changed.emit()

    def _enable(self) -> None:
        is_chosen = self.view.chosen is not None
        for button in self.buttons.values():
            button.setEnabled(is_chosen)
        for action in self.key_actions:
            action.setEnabled(is_chosen and self.isVisible())
