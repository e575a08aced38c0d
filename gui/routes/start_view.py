"""The start view: today's route, a new one, a received code; earlier runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from coach.routes.code import Route, code_of
from coach.routes.results import StoredRun
from coach.routes.words import describe_route, length_text, route_title
from engine.platform.language import sentences, tr, trc, trn
from gui.play.board_page import StartView
from gui.routes.text import outcome_text, pace_text
from gui.settings_model.settings import Settings
from gui.settings_model.settings_of_coach import ROUTE_LENGTHS
from gui.style.layout import card, column, placed, row
from gui.text.dates import format_moment
from gui.text.numbers import format_table, moves_text
from gui.text.routes import figure_text, who_text
from gui.widgets.buttons import button
from gui.widgets.elided import ElidedCombo
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import label, set_property
from gui.widgets.row_model import Column, RowModel
from gui.widgets.stored_list import RowAction, StoredList


def run_model() -> RowModel[StoredRun]:
    columns: tuple[Column[StoredRun], ...] = (
        Column(tr("Date"), lambda run: format_moment(run.played)),
        Column(tr("Route"), lambda run: route_title(run.result.route)),
        Column(tr("Length"), lambda run: length_text(run.result.route), is_spare=True),
        Column(tr("By"), lambda run: who_text(run.result.who)),
        Column(tr("Result"), lambda run: figure_text(run.result), is_number=True),
        Column(trc("in a route", "Mistakes"), _mistakes, is_number=True),
        Column(tr("Moves"), lambda run: f"{run.result.n_moves:,}", is_number=True, is_spare=True),
        Column(tr("Time"), lambda run: pace_text(run.result), is_number=True, is_spare=True),
        Column(tr("End"), lambda run: outcome_text(run.result)),
    )
    return RowModel(columns, _tip)


def _mistakes(run: StoredRun) -> str:
    return "" if run.result.route.is_game else f"{run.result.n_mistakes:,}"


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
        self._tables: Sequence[Any] = ()
        self.table_combo, self.length_combo = ElidedCombo(), QComboBox()
        for combo in (self.table_combo, self.length_combo):  # filled later, with longer names
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.corrected_box = QCheckBox(tr("Correct wrong moves"))
        self.daily_button = button(
            tr("Today's route"),
            "primary",
            tip=tr("The same for everyone with this table, today only: 100 moves, corrected"),
        )
        self.new_button = button(
            tr("New route"), tip=tr("A route of your own, to pass on by its code")
        )
        self.code_edit = QLineEdit()
        self.code_button = button(tr("Open"), work=self._enter)
        self.error_label = label("", "caption", wraps=True)
        self.list = StoredList(
            tr("Your routes"),
            run_model(),
            (
                RowAction("show_run", tr("Show"), tr("Show the selected run"), "best"),
                RowAction(
                    "play_again",
                    tr("Play again"),
                    tr("Play the selected route again"),
                    "play_chosen",
                ),
                RowAction("remove_run", tr("Remove"), tr("Remove the selected run"), "delete"),
            ),
            "runs",
        )
        self._lay_out()
        self._connect()
        self._recall()
        self.show_runs([])

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

    def show_runs(self, runs: Sequence[StoredRun]) -> None:
        count = trn("{n} run", "{n:,} runs", len(runs))
        nothing = tr("The routes you play are kept here with their results.")
        self.list.show_rows(runs, count if runs else nothing)
        if runs and self.daily_button.hasFocus():  # it had the focus because there were no runs
            self.take_keys()

    def show_error(self, text: str, is_bad: bool = True) -> None:
        """Show the problem with a code, or the result; "" shows an example of a code."""
        set_property(self.error_label, "tone", "warning" if text and is_bad else "")
        self.error_label.setText(text or tr("A code looks like {code}.", code=_SOME_CODE))

    def take_keys(self) -> None:
        (self.list.view if self.list.model.rows else self.daily_button).setFocus()

    def ask_code(self) -> None:
        self.code_edit.setFocus()
        self.code_edit.selectAll()

    def _enable(self) -> None:
        self.corrected_box.setEnabled(self.path is not None)

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
        column(
            self._choices(),
            placed(self.list, stretch=1),
            space=12,
            margins=(24, 0, 24, 16),
            parent=self,
        )

    def _choices(self) -> QWidget:
        self.table_combo.setAccessibleName(tr("Table"))
        self.length_combo.setAccessibleName(tr("Length"))
        self.corrected_box.setToolTip(
            tr("A wrong move is replaced by the best one, so everyone sees the same boards.")
        )
        self.code_edit.setPlaceholderText(tr("Code or result of a route"))
        self.code_edit.setAccessibleName(tr("Code or result of a route"))
        self.code_edit.setToolTip(
            tr("Paste a code to play its route, or somebody's result to compare yours with")
        )
        self.code_edit.setMaxLength(400)
        self.error_label.setMinimumHeight(self.error_label.fontMetrics().lineSpacing())
        self.show_error("")
        return card(
            label(
                tr(
                    "A route brings everyone the same new tiles. Play today's, make your own and "
                    "pass on its code, or open a code you were given."
                ),
                "muted",
                wraps=True,
            ),
            _flow(
                self.table_combo,
                self.length_combo,
                self.corrected_box,
                self.new_button,
                self.daily_button,
            ),
            row(placed(self.code_edit, stretch=1), self.code_button),
            self.error_label,
        )


def _flow(*widgets: QWidget) -> QWidget:
    place = QWidget()
    flow = FlowLayout(place)
    for widget in widgets:
        widget.setMinimumHeight(_BUTTON_PX)  # all fit on one line
        flow.addWidget(widget)
    return place
