"""Today's session: due mistakes to drill, then a test where most is lost; and its place on Home."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from coach.days import day_of
from coach.exam.history import FinishedTest
from coach.exam.weak_spot import Evidence, WeakSpot, weak_spot
from coach.mistakes.mistake import TableKey
from engine.platform.language import tr, trn
from gui.board.formation_view import FormationView
from gui.style.layout import STRETCH, column, placed, row
from gui.text.numbers import format_table
from gui.text.reviews import format_share
from gui.widgets.buttons import button
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import label, show_text

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo

_PICTURE_FROM = 420


@dataclass(frozen=True)
class DailySession:
    """Today's tasks."""

    n_due: int  # moves to drill first
    table: "TableInfo"  # the table for the test
    test: str  # the test's table and the reason, as a continuation of "take a"
    n_tests: int  # number of tests finished today

    @property
    def is_tested(self) -> bool:
        """Whether its test was taken; then a later drill promises no other one."""
        return self.n_tests > 0

    @property
    def is_done(self) -> bool:
        return self.is_tested and not self.n_due

    @property
    def table_title(self) -> str:
        return _title(self.table)

    @property
    def title(self) -> str:
        return tr("Today's session is done") if self.is_done else tr("Today's session")

    @property
    def button(self) -> str:
        if self.is_done:
            return tr("Take another test")
        return tr("Finish today's session") if self.is_tested else tr("Start today's session")

    @property
    def text(self) -> str:
        if self.n_due and self.is_tested:
            return trn(
                "You took today's test. Drill the move that's due to finish.",
                "You took today's test. Drill the {n:,} moves that are due to finish.",
                self.n_due,
            )
        if self.n_due:
            return trn(
                "Drill the move that's due, then take a {test}.",
                "Drill the {n:,} moves that are due, then take a {test}.",
                self.n_due,
                test=self.test,
            )
        if self.is_done:
            return trn(
                "{n} test today, and nothing is due. If you want more, take another {test}.",
                "{n:,} tests today, and nothing is due. If you want more, take another {test}.",
                self.n_tests,
                test=self.test,
            )
        return tr("Nothing is due, so take a {test}.", test=self.test)


def todays_session(
    usable: "Sequence[TableInfo]",
    tests: Sequence[FinishedTest],
    losses: Mapping[TableKey, float],
    last_table: str,
    n_due: int,
    now: datetime,
    begins: int,
) -> DailySession | None:
    """Return today's session; None without a table.

    `tests` are the newest first, without those given up; `losses` are by recent mistakes; a day
    begins at the hour `begins` in the time zone of `now`.
    """
    if not usable:
        return None
    tables = {TableKey(t.name, t.spawn4): t for t in reversed(usable)}
    spot = weak_spot(tests, tables, losses)
    if spot:
        table, test = tables[spot.key], _test_for(spot, tables[spot.key])
    else:
        last = next((table for table in usable if str(table.path) == last_table), None)
        table = last or usable[0]
        test = _test_on(table)
        if last:
            test = tr("test on {table}, the table you used last", table=_title(table))
    if len(tables) == 1:
        test = _test_on(table)
    today = day_of(now, begins, now.tzinfo)
    n_tests = sum(day_of(test.ended, begins, now.tzinfo) == today for test in tests)
    return DailySession(n_due, table, test, n_tests)


def _title(table: "TableInfo") -> str:
    return format_table(table.pattern, table.target)


def _test_on(table: "TableInfo") -> str:
    return tr("test on {table}", table=_title(table))


def _test_for(spot: WeakSpot, table: "TableInfo") -> str:
    if spot.evidence is Evidence.TESTS and not spot.stands_out:
        return _test_on(table)
    if spot.evidence is Evidence.TESTS:
        return tr(
            "test on {table}, where you lose the most: on average, each move costs you {share} of "
            "your chance",
            table=_title(table),
            share=format_share(spot.loss),
        )
    return tr("test on {table}, where your recent mistakes cost the most", table=_title(table))


class Hero(QFrame):
    """A title, a sentence, a big button, and smaller ones for alternatives."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._has_picture = False
        self.view = FormationView(112)
        self.title_label = label("", "title", wraps=True)
        self.text_label = label("", "muted", wraps=True)
        self.button = button(look="primary large")
        self.practice_button, self.drill_button = button(look="large"), button(look="large")
        buttons = QWidget()
        flow = FlowLayout(buttons, space=12)
        for part in (self.button, self.practice_button, self.drill_button):
            flow.addWidget(part)
        row(
            placed(self.view, align=Qt.AlignmentFlag.AlignTop),
            placed(column(self.title_label, self.text_label, 8, buttons, STRETCH), stretch=1),
            space=24,
            margins=24,
            parent=self,
        )
        self.show_others("", "")

    def show_task(self, title: str, text: str, action: str, formation: "Formation | None") -> None:
        self.title_label.setText(title)
        self.text_label.setText(text)
        self.button.setText(action)
        self._has_picture = formation is not None
        self._show_picture()
        if formation:
            self.view.show_formation(formation)

    def show_others(self, practice: str, drill: str) -> None:
        show_text(self.practice_button, practice)
        show_text(self.drill_button, drill)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._show_picture()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), 240), hint.height())

    def _show_picture(self) -> None:
        self.view.setVisible(self._has_picture and self.width() >= _PICTURE_FROM)
