"""One section of the Settings page: its cards, created from the table when first shown."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from engine.platform.language import tr
from gui.settings.setting_row import SettingRow
from gui.settings_model.setting import Section, Setting
from gui.settings_model.settings_table import settings_of
from gui.style.layout import card, column
from gui.widgets.buttons import button
from gui.widgets.labels import label
from gui.work.chunked_work import ChunkedWork

_AT_ONCE = 8  # cards and rows: more than initially visible
MakeRow = Callable[[Setting], SettingRow]
MakePart = Callable[[], QWidget]


class SectionView(QWidget):
    """The cards of a section, and a button to reset its settings.

    `specials` create widgets for settings that are more than a row, by key; `groups` those that
    arrange the rows of a group, by title. Both are in `parts`.
    """

    reset_requested = Signal()

    def __init__(
        self,
        section: Section,
        make_row: MakeRow,
        specials: Mapping[str, MakePart],
        groups: Mapping[str, MakePart],
        ends: Sequence[MakePart] = (),  # creators of the widgets below all settings
    ) -> None:
        super().__init__()
        self._make_row, self._specials, self._groups = make_row, specials, groups
        self.section = section
        self.rows: dict[str, SettingRow] = {}
        self.parts: dict[str, QWidget] = {}
        self._column = column(space=16, parent=self)
        self.reset_button: QPushButton | None = None
        here = shown_in(section.key)
        self._left: list[Callable[[], object]] = []  # steps left to create everything
        for group, members in groupby(here, lambda setting: setting.group):
            self._left += self._steps_of(group, list(members))
        self._left += [lambda make=make: self._column.addWidget(make()) for make in ends]  # type: ignore[misc]
        if here:
            self._left.append(self._add_reset)
        self._steps = ChunkedWork(self)
        self._do(_AT_ONCE)
        self._steps.do([partial(self._do, 1) for _ in self._left])

    def finish(self) -> None:
        """Create the rest now, which would otherwise be created step by step."""
        self._do(len(self._left))

    def show_values(self, name: str) -> None:
        if name in self.rows:
            for row in self.rows.values():  # the texts of one may depend on another
                row.refresh()

    def place_of(self, key: str) -> QWidget | None:
        return self.rows.get(key) or self.parts.get(key)

    def _do(self, n: int) -> None:
        steps, self._left = self._left[:n], self._left[n:]
        for step in steps:
            step()

    def _steps_of(self, group: str, members: list[Setting]) -> list[Callable[[], object]]:
        """Return the steps that create the card of a group."""
        keys = [setting.key for setting in members]
        if "shortcuts" in keys:  # it is a card by itself
            return [partial(self._add_part, self._column, "shortcuts")]
        frame, rows = row_card()
        arrangement: Any = None

        def begin() -> None:
            if group:
                rows.addWidget(label(tr(group), "strong"))
            self._column.addWidget(frame)

        def arrange() -> None:
            nonlocal arrangement
            arrangement = self.parts[group] = self._groups[group]()
            rows.addWidget(arrangement)

        def add_row(setting: Setting) -> None:
            row = self.rows[setting.key] = self._make_row(setting)
            if arrangement:
                arrangement.add_row(row)
            else:
                rows.addWidget(row)

        steps: list[Callable[[], object]] = [begin]
        if group in self._groups:
            steps.append(arrange)
        steps += [partial(add_row, one) for one in members if one.key not in self._specials]
        return steps + [partial(self._add_part, rows, key) for key in keys if key in self._specials]

    def _add_part(self, column: QVBoxLayout, key: str) -> None:
        self.parts[key] = self._specials[key]()
        column.addWidget(self.parts[key])

    def _add_reset(self) -> None:
        self.reset_button = button(tr("Reset this section"), work=self.reset_requested)
        self._column.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignLeft)


def shown_in(section: str) -> list[Setting]:
    return [setting for setting in settings_of(section) if not setting.page]


def row_card() -> tuple[QFrame, QVBoxLayout]:
    """Return an empty card for rows, with a height depending on its width, and its layout."""
    rows = column(space=16)
    frame = card(rows)
    frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return frame, rows
