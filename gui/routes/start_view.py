"""The start view: today's route and how it was played; others, folded; earlier runs."""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from coach.routes.code import Route, code_of
from coach.routes.daily import DAILY_MOVES, is_daily
from coach.routes.result import RECEIVED, TABLE, YOU
from coach.routes.results import StoredRun
from coach.routes.words import describe_route, route_title
from engine.platform.language import sentences, tr
from gui.play.board_page import StartView
from gui.routes.text import outcome_text, pace_text, ranking_lines
from gui.settings_model.settings import Settings
from gui.settings_model.settings_of_coach import ROUTE_LENGTHS
from gui.style.layout import STRETCH, card, column, laid_out, placed, row
from gui.text.dates import format_moment
from gui.text.numbers import format_table, moves_text
from gui.text.rates import points_lost
from gui.text.routes import right_text, short_figure, who_text
from gui.widgets.buttons import button
from gui.widgets.disclosure import Disclosure
from gui.widgets.elided import ElidedCombo
from gui.widgets.flow_layout import flowing
from gui.widgets.labels import label, set_property
from gui.widgets.row_model import Column, RowModel
from gui.widgets.stored_list import RowAction, StoredList


def run_model(ai_figures: Mapping[Route, str]) -> RowModel[StoredRun]:
    columns: tuple[Column[StoredRun], ...] = (
        Column(tr("Date"), lambda run: format_moment(run.played)),
        Column(tr("Route"), lambda run: route_title(run.result.route)),
        Column(tr("By"), lambda run: who_text(run.result.who)),
        Column(tr("Result"), lambda run: right_text(run.result), is_number=True),
        Column(tr("Lost"), lambda run: points_lost(run.result.points_lost), is_number=True),
        Column(tr("The AI"), lambda run: ai_figures.get(run.result.route, ""), is_number=True),
        Column(tr("Time"), lambda run: pace_text(run.result), is_number=True, is_spare=True),
        Column(tr("End"), lambda run: outcome_text(run.result)),
    )
    return RowModel(columns, _tip)


def _tip(run: StoredRun) -> str:
    route = run.result.route
    return sentences(f"{describe_route(route)}.", code_of(route))


_GAME = "game"  # in place of a table's folder
_BUTTON_PX = 35
_SOME_CODE = "442-128-30S0S7-KYY58B-KFB9Z"  # no text


class RoutesStart(StartView):
    """The first view of the page."""

    text_entered = Signal(str)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._runs: Sequence[StoredRun] = ()
        self._day: date | None = None
        self._tables: Sequence[Any] = ()
        self.table_combo, self.length_combo = ElidedCombo(), QComboBox()
        for combo in (self.table_combo, self.length_combo):  # filled later, with longer names
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.corrected_box = QCheckBox(tr("Correct mistakes"))
        self.daily_button = button("", "primary large")
        self.daily_label, self.ranking_label = label("", "muted"), label("")
        self.new_button = button(
            tr("New route"), tip=tr("A route of your own, to pass on by its code")
        )
        self.code_edit = QLineEdit()
        self.code_button = button(tr("Open"), work=self._enter)
        self.error_label = label("", "caption", wraps=True)
        self.others = Disclosure(tr("A new route, or a friend's code"), self._choices())
        self._ai_figures: dict[Route, str] = {}
        self.list = StoredList(
            tr("Your routes"),
            run_model(self._ai_figures),
            (
                RowAction("show_run", tr("Show"), tr("Show the selected run"), "best"),
                RowAction(
                    "play_again", tr("Again"), tr("Play the selected route again"), "play_chosen"
                ),
                RowAction("remove_run", tr("Remove"), tr("Remove the selected run"), "delete"),
            ),
            "runs",
            opens_by_click=True,
        )
        self._lay_out()
        self._connect()
        self._recall()
        self._show_today()
        self.list.hide()

    @property
    def path(self) -> Path | None:
        folder = self.table_combo.currentData()
        return Path(folder) if folder not in (None, _GAME) else None

    @property
    def n_moves(self) -> int:
        """The number of moves after which a new route ends; 0 for no limit."""
        return int(self.length_combo.currentData() or 0)

    @property
    def is_corrected(self) -> bool:
        return self.corrected_box.isChecked()

    def offer(self, tables: Sequence[Any]) -> None:
        self._tables = tables
        with QSignalBlocker(self.table_combo):
            self.table_combo.clear()
            for info in tables:
                self.table_combo.addItem(format_table(info.pattern, info.target), str(info.path))
            self.table_combo.addItem(tr("Whole game"), _GAME)
            last = self._settings.state.get("routes.last_table")
            self.table_combo.setCurrentIndex(max(0, self.table_combo.findData(last)))
        self._enable()

    def path_for(self, route: Route) -> Path | None:
        """Return the table for a route; of several, the chosen one."""
        paths = [Path(info.path) for info in self._tables if route.is_on(info.name, info.spawn4)]
        return self.path if self.path in paths else next(iter(paths), None)

    def choose(self, path: Path | None) -> None:
        at = self.table_combo.findData(str(path) if path else _GAME)
        if at >= 0:
            self.table_combo.setCurrentIndex(at)

    def show_runs(self, runs: Sequence[StoredRun], day: date) -> None:
        """Show the runs, newest first; those of the table and the AI beside the person's own."""
        self._runs, self._day = runs, day
        own = [run for run in runs if run.result.who in (YOU, RECEIVED)]
        self._ai_figures.clear()
        self._ai_figures.update(
            (run.result.route, short_figure(run.result))
            for run in runs
            if run.result.who not in (YOU, RECEIVED, TABLE)
        )
        self.list.setVisible(bool(own))
        self.list.show_rows(own, "")
        self._show_today()

    @property
    def today(self) -> list[StoredRun]:
        """The runs on today's route of the chosen table."""
        name, spawn4 = next(
            ((t.name, t.spawn4) for t in self._tables if Path(t.path) == self.path), ("", 0.0)
        )
        day = self._day
        return [
            run
            for run in self._runs
            if day and is_daily(run.result.route, day)
            if (run.result.route.is_on(name, spawn4) if name else run.result.route.is_game)
        ]

    def _show_today(self) -> None:
        own = [run for run in self.today if run.result.who == YOU and run.has_moves]
        goes_on = any(run.is_unfinished for run in own)
        begun = tr("Continue") if goes_on else tr("Show result")
        self.daily_button.setText(begun if own else tr("Play"))
        length = tr("up to {moves}, mistakes corrected", moves=moves_text(DAILY_MOVES))
        self.daily_label.setText(length if self.path else tr("to its end"))
        lines = ranking_lines(self.today)
        self.ranking_label.setText("\n".join([tr("Results so far"), *lines] if lines else ()))

    def show_error(self, text: str, is_bad: bool = True) -> None:
        """Show the problem with a code, or what came of one."""
        set_property(self.error_label, "tone", "warning" if is_bad else "")
        self.error_label.setText(text)
        if text:
            self.others.set_open(True)

    def take_keys(self) -> None:
        self.daily_button.setFocus()

    def ask_code(self) -> None:
        self.others.set_open(True)
        self.code_edit.setFocus()
        self.code_edit.selectAll()

    def _enable(self) -> None:
        self.corrected_box.setEnabled(self.path is not None)
        self._show_today()

    def _recall(self) -> None:
        self.corrected_box.setChecked(self._settings.get("routes.is_corrected"))
        for n in ROUTE_LENGTHS:
            text = moves_text(n) if n else tr("To the end")
            self.length_combo.addItem(text, n)
        at = self.length_combo.findData(self._settings.get("routes.n_moves"))
        self.length_combo.setCurrentIndex(max(0, at))

    def _remember(self) -> None:
        self._settings.set("routes.is_corrected", self.is_corrected)
        self._settings.set("routes.n_moves", self.n_moves)
        self._settings.state.set("routes.last_table", str(self.path or _GAME))
        self._enable()

    def _connect(self) -> None:
        self.table_combo.activated.connect(lambda _: self._remember())
        self.length_combo.activated.connect(lambda _: self._remember())
        self.corrected_box.clicked.connect(lambda _: self._remember())
        self.code_edit.returnPressed.connect(self._enter)
        self.code_edit.textEdited.connect(lambda _: self.show_error(""))

    def _enter(self) -> None:
        self.text_entered.emit(self.code_edit.text())

    def _lay_out(self) -> None:
        text = tr(
            "Everyone gets the same new tiles on a route, so you can compare your moves with the "
            "AI's, a friend's, and your own."
        )
        today = column(
            label(tr("Today's route"), "title"),
            row(self.table_combo, self.daily_label, STRETCH, space=12),
            placed(self.daily_button, align=Qt.AlignmentFlag.AlignLeft),
            space=12,
        )
        column(
            label(text, "muted", wraps=True),
            card(flowing(laid_out(today), self.ranking_label, space=32)),
            self.others,
            placed(self.list, stretch=1),
            STRETCH,
            space=12,
            margins=(24, 0, 24, 16),
            parent=self,
        )

    def _choices(self) -> QWidget:
        self.table_combo.setAccessibleName(tr("Table"))
        self.length_combo.setAccessibleName(tr("Length"))
        self.corrected_box.setToolTip(
            tr("The best move replaces a mistake, so it costs what it lost and no more.")
        )
        self.code_edit.setPlaceholderText(tr("Code or result, such as {code}", code=_SOME_CODE))
        self.code_edit.setAccessibleName(tr("Code or result of a route"))
        self.code_edit.setMaxLength(400)
        kind = (self.length_combo, self.corrected_box, self.new_button)
        for widget in (self.table_combo, *kind):
            widget.setMinimumHeight(_BUTTON_PX)  # all fit on one line
        return card(
            flowing(*kind),
            row(placed(self.code_edit, stretch=1), self.code_button),
            self.error_label,
        )
