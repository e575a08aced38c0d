"""Today's session: due mistakes to drill, then a test where most is lost; and its place on Home."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
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
from gui.table_work.requests import BuildRequest, rebuild_request
from gui.text.numbers import format_table
from gui.widgets.buttons import button
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import Figure, label, show_text

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo

_PICTURE_FROM = 420
FIRST_TABLE = ("442", 128)


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
                "You took today's test. To finish, drill the move that's due.",
                "You took today's test. To finish, drill the {n:,} moves that are due.",
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
        return tr("test on {table}, where you lose the most", table=_title(table))
    return tr("test on {table}, where your recent mistakes cost the most", table=_title(table))


@dataclass(frozen=True)
class Task:
    """What the big button does, and what is said of it."""

    title: str
    text: str
    button: str
    pattern: str  # of the table that it is about
    what: BuildRequest | DailySession | Path  # Path: a table to practice


def first_task(home: Path) -> Task:
    pattern, target = FIRST_TABLE
    table = format_table(pattern, target)
    text = tr(
        "A table knows your chance of success after every move. With {table} you practice making "
        "a {target} beside six large tiles. It takes about a minute to build.",
        table=table,
        target=target,
    )
    title, action = tr("Play endgames against perfect play"), tr("Build {table}", table=table)
    return Task(title, text, action, pattern, BuildRequest(pattern, target, home))


def resume_task(table: "TableInfo") -> Task:
    request = rebuild_request(table)
    text = tr("It resumes where it stopped; nothing is lost.")
    if table.step_layers:
        text = tr(
            "It resumes at layer {number} of {all}; nothing is lost.",
            number=table.step_layers,
            all=table.layers,
        )
    title = tr("{table} is not finished", table=request.title)
    return Task(title, text, tr("Resume building"), table.pattern, request)


def practice_task(table: "TableInfo") -> Task:
    title = tr("Practice {table}", table=_title(table))
    text = tr("Play, and see your chance of success after every move.")
    return Task(title, text, tr("Practice"), table.pattern, table.path)


def session_task(session: DailySession) -> Task:
    return Task(session.title, session.text, session.button, session.table.pattern, session)


class Hero(QFrame):
    """A title, a sentence, a big button, and smaller ones for alternatives."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._has_picture = False
        self.view = FormationView(104)
        self.title_label = label("", "title", wraps=True)
        self.text_label = label("", "muted", wraps=True)
        self.button = button(look="primary large")
        self.practice_button, self.drill_button = (
            button(look="quiet large"),
            button(look="quiet large"),
        )
        self.streak = Figure(tr("Days in a row"), "title")
        self.streak.setToolTip(tr("Days with a test or a drill"))
        buttons = QWidget()
        flow = FlowLayout(buttons, space=12)
        for part in (self.button, self.practice_button, self.drill_button):
            flow.addWidget(part)
        row(
            placed(self.view, align=Qt.AlignmentFlag.AlignTop),
            placed(column(self.title_label, self.text_label, 4, buttons, STRETCH), stretch=1),
            placed(self.streak, align=Qt.AlignmentFlag.AlignTop),
            space=20,
            margins=20,
            parent=self,
        )
        self.show_others("", "")
        self.show_streak(0)

    def show_task(self, task: Task, formation: "Formation | None") -> None:
        self.title_label.setText(task.title)
        self.text_label.setText(task.text)
        self.button.setText(task.button)
        self._has_picture = formation is not None
        self._show_picture()
        if formation:
            self.view.show_formation(formation)

    def show_others(self, practice: str, drill: str) -> None:
        show_text(self.practice_button, practice)
        show_text(self.drill_button, drill)

    def show_streak(self, n_days: int) -> None:
        self.streak.show_value(str(n_days))
        self.streak.setVisible(n_days > 1)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._show_picture()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), 240), hint.height())

    def _show_picture(self) -> None:
        self.view.setVisible(self._has_picture and self.width() >= _PICTURE_FROM)
