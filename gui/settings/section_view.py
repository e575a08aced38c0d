"""One section of the Settings page: its cards, created from the table when first shown."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from engine.platform.language import tr
from gui.settings.setting_row import SettingRow
from gui.settings_model.setting import Section, Setting
from gui.settings_model.settings_table import settings_of
from gui.style.layout import card, column
from gui.widgets.labels import label
from gui.work.chunked_work import ChunkedWork

_AT_ONCE = 8  # cards and rows: more than initially visible
MakeRow = Callable[[Setting], SettingRow]
MakePart = Callable[[], QWidget]


class Group(Protocol):
    """A widget with its own arrangement of rows."""

    def add_row(self, row: SettingRow) -> None:
        """Add a row."""


MakeGroup = Callable[[], QWidget]


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
        groups: Mapping[str, MakeGroup],
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
        self._left += [partial(self._add_end, make) for make in ends]
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
        if any(setting.key == "shortcuts" for setting in members):  # it is a card by itself
            return [lambda: self._column.addWidget(self._add_part("shortcuts"))]
        plain = [setting for setting in members if setting.key not in self._specials]
        special = [setting.key for setting in members if setting.key in self._specials]
        frame, column = row_card()
        steps: list[Callable[[], object]] = [partial(self._add_card, frame, column, group)]
        arranged = group in self._groups
        if arranged:
            steps.append(partial(self._add_arrangement, column, group))
        steps += [partial(self._add_row, column, setting, arranged) for setting in plain]
        return steps + [partial(self._add_special, column, key) for key in special]

    def _add_card(self, frame: QFrame, column: QVBoxLayout, group: str) -> None:
        if group:
            column.addWidget(label(tr(group), "strong"))
        self._column.addWidget(frame)

    def _add_arrangement(self, column: QVBoxLayout, group: str) -> None:
        self.parts[group] = self._groups[group]()
        column.addWidget(self.parts[group])

    def _add_row(self, column: QVBoxLayout, setting: Setting, is_arranged: bool) -> None:
        row = self.rows[setting.key] = self._make_row(setting)
        if is_arranged:
            arrangement: Group = self.parts[setting.group]  # type: ignore[assignment]
            arrangement.add_row(row)
        else:
            column.addWidget(row)

    def _add_special(self, column: QVBoxLayout, key: str) -> None:
        column.addWidget(self._add_part(key))

    def _add_end(self, make: MakePart) -> None:
        self._column.addWidget(make())

    def _add_reset(self) -> None:
        self.reset_button = QPushButton(tr("Reset this section"))
        self.reset_button.clicked.connect(self.reset_requested)
        self._column.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignLeft)

    def _add_part(self, key: str) -> QWidget:
        self.parts[key] = self._specials[key]()
        return self.parts[key]


def shown_in(section: str) -> list[Setting]:
    return [setting for setting in settings_of(section) if not setting.page]


def row_card() -> tuple[QFrame, QVBoxLayout]:
    """Return an empty card for rows, with a height depending on its width, and its layout."""
    rows = column(space=16)
    frame = card(rows)
    frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return frame, rows
