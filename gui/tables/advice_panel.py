"""What to build: the tables of most benefit within this machine's limits."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QFrame, QSizePolicy, QWidget

from engine.platform.language import mark, tr
from gui.board.formation_view import FormationView
from gui.settings_model.settings import Settings
from gui.style.layout import STRETCH, clear_layout, column, laid_out, placed, row
from gui.table_work.question import Adviser, Room
from gui.text.numbers import NBSP, format_bytes, format_seconds, table_title
from gui.widgets.buttons import button
from gui.widgets.disclosure import Disclosure
from gui.widgets.fields import number_field, progress_bar
from gui.widgets.flow_layout import flowing
from gui.widgets.labels import field, label, line, set_property
from gui.work.chunked_work import ChunkedWork
from tablebase.formation.goal import read_goal

if TYPE_CHECKING:
    from tablebase.events import AdvisedTable
    from tablebase.formation.formation import Formation
    from tablebase.formation.goal import Goal

_FEW = 5  # rows shown before somebody asks for all
_START = mark(
    "The next larger table, then the most useful ones for the disk space and time you allow."
)
_THINKING = mark("Working out what each table would take. This can take a minute.")
_NOTHING = mark("No other table fits. Allow more disk space, memory or time.")


class AdviceRow(QWidget):
    """A row under a hairline."""

    def __init__(self, table: "AdvisedTable", formation: "Formation | None") -> None:
        super().__init__()
        from tablebase.plan.purpose import purpose  # loads msgspec

        self.table = table
        name = table_title(f"{table.pattern}_{table.target}")
        self.view = FormationView(40)
        if formation:
            self.view.show_formation(formation)
        else:
            self.view.hide()
        self.title_label = label(name)
        self.title_label.setProperty("weight", "strong")
        needs = f"{format_bytes(table.bytes)} \u00b7 {format_seconds(table.wall_s)}"
        self.needs_label = label(needs.replace(" ", NBSP), "caption")
        # In the language of the window, which may have changed since the advice.
        goal = read_goal(str(table.target))
        text = purpose(formation, goal) if formation and goal else table.purpose
        self.purpose_label = label(text, "caption", wraps=True)
        self.build_button = button(tr("Build"), name=tr("Build {name}", name=name))
        head = row(self.title_label, self.needs_label, STRETCH, space=12)
        words = column(head, self.purpose_label, space=2)
        view = placed(self.view, align=Qt.AlignmentFlag.AlignTop)
        column(
            line(), row(view, placed(words, stretch=1), self.build_button, space=12), parent=self
        )

    def set_here(self, is_here: bool) -> None:
        self.build_button.setText(tr("Already built") if is_here else tr("Build"))
        self.build_button.setEnabled(not is_here)
        self.build_button.setToolTip("" if is_here else tr("With the options of the form"))


class AdvicePanel(QFrame):
    """Three limits, a button, and the tables to build."""

    chosen = Signal(str, int)

    def __init__(self, adviser: Adviser, settings: Settings) -> None:
        super().__init__()
        self._adviser, self._settings = adviser, settings
        self._formations: Mapping[str, Formation] = {}
        self._present: Collection[tuple[str, Goal | int]] = ()
        self._drawn_with: Mapping[str, Formation] = self._formations
        self._is_all = self._is_awaited = False
        self._steps = ChunkedWork(self)
        self.rows: list[AdviceRow] = []
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.note_label = label("", "caption", wraps=True)
        self.spins = {
            "advice.disk_gb": _spin(tr("Disk"), " GB", 0, 1_000_000),
            "advice.memory_gb": _spin(tr("Memory"), " GB", 0, 4096),
            "advice.hours": _spin(tr("Time"), tr(" h"), 0.5, 1000),
        }
        for name, spin in self.spins.items():
            spin.setValue(settings.get(name))
        self.ask_button = button(tr("Suggest"), work=self._ask_or_stop)
        self.ask_button.setMinimumHeight(spin.sizeHint().height())
        self.bar = progress_bar(most=0)
        self.all_button = button(look="quiet", work=self._show_all)
        self.total_label = label("", "caption")
        self._lay_out()
        adviser.changed.connect(self._show)
        settings.changed.connect(self._follow_setting)
        self._show()

    def set_tables(
        self, formations: "Mapping[str, Formation]", present: "Collection[tuple[str, Goal | int]]"
    ) -> None:
        self._present = present
        if formations is not self._formations:
            self._formations = formations
            self._show_rows()
        for advised in self.rows:
            advised.set_here((advised.table.pattern, advised.table.target) in present)

    def _lay_out(self) -> None:
        fields = [field(spin.accessibleName(), spin) for spin in self.spins.values()]
        fields.append(field("", self.ask_button))
        self._rows = column()
        content = column(
            self.note_label,
            flowing(*map(laid_out, fields), space=12),
            self.bar,
            self._rows,
            row(placed(self.total_label, stretch=1), self.all_button, space=12),
            space=12,
            margins=(12, 4, 4, 4),
        )
        self.disclosure = Disclosure(tr("What to build"), laid_out(content))
        column(self.disclosure, margins=(4, 8, 12, 8), parent=self)

    def _ask_or_stop(self) -> None:
        if self._adviser.is_thinking:
            self._adviser.stop()
            return
        for name, spin in self.spins.items():
            self._settings.set(name, spin.value())
        self._is_all, self._is_awaited = False, True
        self._adviser.ask(Room(*(spin.value() for spin in self.spins.values())))

    def _follow_setting(self, name: str, value: float) -> None:
        if name in self.spins:
            self.spins[name].setValue(value)

    def _show_all(self) -> None:
        self._is_all = True
        self._show_rows()

    def _show(self) -> None:
        adviser = self._adviser
        tone = ""
        if adviser.is_thinking:
            text = tr(_THINKING)
        elif adviser.problem:
            tone = "bad"
            text = tr("Couldn't work out suggestions: {problem}.", problem=adviser.problem)
        else:
            text = tr(_NOTHING) if adviser.tables == [] else tr(_START)
        self.note_label.setText(text)
        set_property(self.note_label, "tone", tone)
        self.bar.setVisible(adviser.is_thinking)
        if adviser.is_thinking or adviser.tables:
            self.disclosure.set_open(True)
        self.ask_button.setText(tr("Stop") if adviser.is_thinking else tr("Suggest"))
        self._show_rows()

    def _show_rows(self) -> None:
        tables = [] if self._adviser.is_thinking else self._adviser.tables or []
        shown = tables if self._is_all else tables[:_FEW]
        drawn_with = (self._formations, shown[: len(self.rows)])
        if drawn_with != (self._drawn_with, [row.table for row in self.rows]):
            clear_layout(self._rows)
            self.rows = []
        self._drawn_with = self._formations
        new = shown[len(self.rows) :]
        self._steps.do([*[partial(self._add_row, table) for table in new], self._show_answer])
        self.all_button.setVisible(len(shown) < len(tables))
        self.all_button.setText(tr("Show all {count}", count=len(tables)))
        self.total_label.setVisible(bool(tables))
        disk, seconds = sum(t.bytes for t in tables), sum(t.wall_s for t in tables)
        size, time = format_bytes(disk), format_seconds(seconds)
        text = (
            tr(
                "All {count} take {size}, and {time} on an idle machine.",
                count=len(tables),
                size=size,
                time=time,
            )
            if len(tables) > 1
            else tr("It takes {size}, and {time} on an idle machine.", size=size, time=time)
        )
        self.total_label.setText(text)

    def _show_answer(self) -> None:
        """Scroll to what was asked for, once it is laid out."""
        if self._is_awaited and self.rows:
            self._is_awaited = False
            QTimer.singleShot(0, self, self.disclosure.show_content)

    def _add_row(self, table: "AdvisedTable") -> None:
        row = AdviceRow(table, self._formations.get(table.pattern))
        row.set_here((table.pattern, table.target) in self._present)
        row.build_button.clicked.connect(lambda: self.chosen.emit(table.pattern, table.target))
        self._rows.addWidget(row)
        self.rows.append(row)


def _spin(name: str, suffix: str, low: float, high: float) -> QDoubleSpinBox:
    spin = QDoubleSpinBox(decimals=1, minimum=low, maximum=high, singleStep=1)
    spin.setFixedWidth(120)
    if low == 0:
        spin.setSpecialValueText(tr("All free"))
    return number_field(spin, name, suffix=suffix)
