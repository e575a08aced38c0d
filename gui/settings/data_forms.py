"""The forms of the Data section: progress, and the changes by a restore or an import."""

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from coach.backup.contents import KINDS, TABLES
from coach.backup.opening import Backup, Replaced
from coach.foreign.plan import TakeOver
from engine.platform.language import mark, tr, trn
from gui.style.layout import STRETCH, column, grid_layout, laid_out, placed, row
from gui.text.dates import format_moment
from gui.text.numbers import format_bytes
from gui.widgets.buttons import button
from gui.widgets.fields import progress_bar
from gui.widgets.labels import label, line

_MAX_LINES = 20
_MAX_NOTES = 6
_STEPS = 1000


class SizeGrid(QWidget):
    """The size of each kind of data, two kinds per row."""

    def __init__(self) -> None:
        super().__init__()
        grid = grid_layout(space=(12, 2), wide=(2, 5), parent=self)
        self.values = {}
        titles = [(kind.key, kind.title) for kind in KINDS] + [(TABLES, mark("Tables"))]
        rows = (len(titles) + 1) // 2
        for i, (key, title) in enumerate(titles):
            row, column = i % rows, 3 * (i // rows)
            value = label("\u2013")
            grid.addWidget(label(tr(title), "muted"), row, column)
            grid.addWidget(value, row, column + 1)
            self.values[key] = value

    def show_sizes(self, sizes: dict[str, int]) -> None:
        for key, value in self.values.items():
            value.setText(_size(sizes.get(key, 0)))


def moment_text(made: str) -> str:
    """Return when a backup was made; what its file says, if that is no date."""
    try:
        return format_moment(datetime.fromisoformat(made))
    except (ValueError, OverflowError, OSError):  # the last two: no day of this computer's clock
        return made


class Form(QWidget):
    """A hairline, a title, and the content below."""

    cancelled = Signal()

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title_label = label(title, "strong", wraps=True)
        self.column = column(line(), self.title_label, parent=self)
        self.cancel_button = button(tr("Cancel"), work=self.cancelled)

    def add_buttons(self, text: str, accept: Callable[[], object]) -> None:
        """Add the buttons that end it, Cancel last."""
        self.accept_button = button(text, "primary", work=accept)
        self.column.addLayout(row(self.accept_button, self.cancel_button, STRETCH))


class ProgressForm(Form):
    """The progress of work, with a stop button."""

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.bar = progress_bar(title, _STEPS)
        self.column.addLayout(row(placed(self.bar, stretch=1), self.cancel_button, space=12))

    def show_share(self, share: float) -> None:
        self.bar.setValue(round(share * _STEPS))


class RestoreForm(Form):
    """The contents of a backup compared with the current data."""

    accepted = Signal(object)  # Backup

    def __init__(self, backup: Backup, rows: Sequence[Replaced]) -> None:
        super().__init__(tr("Backup of {when}", when=moment_text(backup.manifest.made)))
        self.rows = QWidget()
        grid = grid_layout(space=(24, 2), wide=(3,), parent=self.rows)
        for grid_column, title in enumerate((tr("Here"), tr("In the backup")), 1):
            grid.addWidget(label(title, "caption"), 0, grid_column)
        for i, replaced in enumerate(rows, 1):
            grid.addWidget(label(tr(replaced.title), "muted"), i, 0)
            grid.addWidget(label(_size(replaced.before)), i, 1)
            grid.addWidget(label(_size(replaced.after)), i, 2)
        self.column.addWidget(self.rows)
        text = tr(
            "All of this replaces what you have now the next time you start the program. What you "
            "have now is backed up first. Tables are not touched."
        )
        self.column.addWidget(label(text, "caption", wraps=True))
        self.add_buttons(tr("Restore at the next start"), lambda: self.accepted.emit(backup))


class ImportForm(Form):
    """The data found of the other program, each part with a check box."""

    accepted = Signal(object)  # list of str: the keys of the chosen parts

    def __init__(self, plan: TakeOver) -> None:
        super().__init__(tr("Found in {path}", path=plan.source))
        self.checks: dict[str, QCheckBox] = {}
        for part in plan.parts:
            check = QCheckBox(part.title)
            check.setEnabled(part.is_usable)
            check.setChecked(part.is_usable and part.is_wanted)
            check.toggled.connect(lambda _: self._show_state())
            self.checks[part.key] = check
            self.column.addWidget(check)
            if part.lines:
                self._add_lines(part.lines)
        if not plan.parts:
            self.column.addWidget(label(tr("Nothing here differs from what you have."), wraps=True))
        for note in plan.notes[:_MAX_NOTES]:
            self.column.addWidget(label(note, "caption", wraps=True))
        if rest := len(plan.notes[_MAX_NOTES:]):
            text = trn("{n} more note is in the log.", "{n} more notes are in the log.", rest)
            self.column.addWidget(label(text, "caption"))
        self.add_buttons(tr("Import"), lambda: self.accepted.emit(self.chosen_keys))
        self._show_state()

    @property
    def chosen_keys(self) -> list[str]:
        return [key for key, check in self.checks.items() if check.isChecked()]

    def _add_lines(self, lines: Sequence[str]) -> None:
        shown = list(lines[:_MAX_LINES])
        if rest := len(lines[_MAX_LINES:]):
            shown.append(trn("{n} more", "{n} more", rest))
        labels = [label(line, "caption", wraps=True) for line in shown]
        self.column.addWidget(laid_out(column(*labels, space=2, margins=(28, 0, 0, 0))))

    def _show_state(self) -> None:
        self.accept_button.setEnabled(bool(self.chosen_keys))


def _size(n_bytes: int) -> str:
    return format_bytes(n_bytes) if n_bytes else tr("None")
