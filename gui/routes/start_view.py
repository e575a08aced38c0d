"""Where one starts: today's route, a new one, a code that somebody sent; what was played."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from coach.routes.code import Route
from coach.routes.results import KeptRun
from engine.language import tr, trn
from gui.core.key_bindings import PLACES, sequences_of
from gui.core.settings import Settings
from gui.core.settings_table import ROUTE_LENGTHS
from gui.routes.run_model import RunModel
from gui.text.numbers import format_table
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.key_tips import tell_keys
from gui.widgets.labels import label, set_property
from gui.widgets.page import card

_USABLE = ("complete", "away")  # what is there of a table that is away answers
_GAME = "game"  # in place of a table's folder
_BUTTON_PX = 35
_MEASURED = 40  # rows that tell how wide a column must be


class StartView(QWidget):
    """The first thing one sees of the page.

    Parameters
    ----------
    settings : Settings
        Remember what was chosen.

    Signals
    -------
    daily_asked, new_asked
        Start the route of today, or a new one, as chosen here.
    text_entered : str
        A code or a result was typed or pasted.
    open_asked, again_asked, remove_asked : KeptRun (as object)
        Show a run or go on with it; go along its route again; forget it.

    Attributes
    ----------
    key_actions : list of QAction
        What the keys of the list do, for the lists of actions.
    """

    daily_asked = Signal()
    new_asked = Signal()
    text_entered = Signal(str)
    open_asked = Signal(object)
    again_asked = Signal(object)
    remove_asked = Signal(object)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._tables: list[Any] = []
        self.table_combo, self.length_combo = QComboBox(), QComboBox()
        for combo in (self.table_combo, self.length_combo):  # filled later, with longer names
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.corrected_box = QCheckBox(tr("Correct wrong moves"))
        self.daily_button = QPushButton(tr("Today's route"))
        self.new_button = QPushButton(tr("New route"))
        self.code_edit = QLineEdit()
        self.code_button = QPushButton(tr("Open"))
        self.error_label = label("", "caption", wraps=True)
        self.count_label = label("", "caption")
        self.model, self.view = RunModel(), QTableView()
        self.open_button = QPushButton(tr("Show"))
        self.again_button = QPushButton(tr("Play again"))
        self.remove_button = QPushButton(tr("Remove"))
        self.key_actions = self._make_key_actions()
        self._lay_out()
        self._connect()
        self._recall()
        self.show_runs([])

    # What is chosen -------------------------------------------------------------------------

    @property
    def path(self) -> Path | None:
        """The folder of the table that is chosen; None for a whole game."""
        folder = self.table_combo.currentData()
        return Path(folder) if folder not in (None, _GAME) else None

    @property
    def n_moves(self) -> int:
        """After how many moves a new route ends, 0 for none in particular."""
        return int(self.length_combo.currentData() or 0)

    @property
    def is_corrected(self) -> bool:
        """Whether a new route on a table corrects."""
        return self.corrected_box.isChecked()

    @property
    def chosen(self) -> KeptRun | None:
        """The run whose row is chosen."""
        rows = self.view.selectionModel().selectedRows()
        return self.model.runs[rows[0].row()] if rows else None

    def offer(self, tables: Sequence[Any]) -> None:
        """Offer those of these tables (each a `catalog.TableInfo`) that can be opened."""
        self._tables = [info for info in tables if info.state in _USABLE]
        with QSignalBlocker(self.table_combo):
            self.table_combo.clear()
            for info in self._tables:
                name = format_table(info.pattern, info.target)
                self.table_combo.addItem(name, str(info.path))
            self.table_combo.addItem(tr("Whole game"), _GAME)
            last = self._settings.state.get("routes.last_table")
            self.table_combo.setCurrentIndex(max(0, self.table_combo.findData(last)))
        self._enable()

    def path_for(self, route: Route) -> Path | None:
        """Return the table that a route is played on, the one chosen if there are several."""
        paths = [Path(one.path) for one in self._tables if route.is_on(one.name, one.spawn4)]
        return self.path if self.path in paths else next(iter(paths), None)

    def choose(self, path: Path | None) -> None:
        """Choose a table in the menu, a whole game for None."""
        at = self.table_combo.findData(str(path) if path else _GAME)
        if at >= 0:
            self.table_combo.setCurrentIndex(at)

    # What is shown --------------------------------------------------------------------------

    def show_runs(self, runs: Sequence[KeptRun]) -> None:
        """Show the runs, the newest first."""
        self.model.set_runs(runs)
        self.view.setVisible(bool(runs))
        count = trn("{n} run", "{n:,} runs", len(runs))
        nothing = tr("The routes you play are kept here with their results.")
        self.count_label.setText(count if runs else nothing)
        if runs:
            self.view.selectRow(0)
        if runs and self.daily_button.hasFocus():  # it had the keyboard for want of runs
            self.take_keys()
        self._enable()

    def show_error(self, text: str, is_bad: bool = True) -> None:
        """Say what is wrong with a code, or what was done with it; "" takes it away."""
        set_property(self.error_label, "tone", "warning" if is_bad else "")
        self.error_label.setText(text)

    def take_keys(self) -> None:
        """Give the keyboard to the runs, or to the first button where there are none."""
        (self.view if self.model.runs else self.daily_button).setFocus()

    def ask_code(self) -> None:
        """Give the keyboard to the field for a code."""
        self.code_edit.setFocus()
        self.code_edit.selectAll()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Let the runs be chosen by keys and by name."""
        super().showEvent(event)
        self._enable()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Do nothing to a run that nobody sees."""
        super().hideEvent(event)
        self._enable()

    def _enable(self) -> None:
        is_chosen = self.chosen is not None
        for button in (self.open_button, self.again_button, self.remove_button):
            button.setEnabled(is_chosen)
        for action in self.key_actions:
            action.setEnabled(is_chosen and self.isVisible())
        self.corrected_box.setEnabled(self.path is not None)

    # Wiring ---------------------------------------------------------------------------------

    def _recall(self) -> None:
        self.corrected_box.setChecked(self._settings.get("routes.is_corrected"))
        for n in ROUTE_LENGTHS:
            text = trn("{n} move", "{n:,} moves", n) if n else tr("To the end")
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
        self.daily_button.clicked.connect(self.daily_asked)
        self.new_button.clicked.connect(self.new_asked)
        self.code_edit.returnPressed.connect(self._enter)
        self.code_edit.textEdited.connect(lambda _: self.show_error(""))
        self.code_button.clicked.connect(self._enter)
        self.open_button.clicked.connect(lambda: self._ask(self.open_asked))
        self.again_button.clicked.connect(lambda: self._ask(self.again_asked))
        self.remove_button.clicked.connect(lambda: self._ask(self.remove_asked))
        self.view.doubleClicked.connect(lambda _: self._ask(self.open_asked))
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._enable())

    def _enter(self) -> None:
        self.text_entered.emit(self.code_edit.text())

    def _ask(self, signal: Any) -> None:
        if chosen := self.chosen:
            signal.emit(chosen)

    def _make_key_actions(self) -> list[QAction]:
        actions = []
        for name, text, meaning, signal, button in (
            ("show_run", tr("Show the selected run"), "best", self.open_asked, self.open_button),
            (
                *("play_again", tr("Play the selected route again"), "play_chosen"),
                *(self.again_asked, self.again_button),
            ),
            (
                *("remove_run", tr("Remove the selected run"), "delete"),
                *(self.remove_asked, self.remove_button),
            ),
        ):
            action = QAction(text, self)
            action.setObjectName(name)
            action.setProperty(PLACES, ["runs"])
            action.setShortcuts(sequences_of(meaning))
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            action.triggered.connect(lambda _=False, s=signal: self._ask(s))
            self.view.addAction(action)
            tell_keys(button, action)
            actions.append(action)
        return actions

    # Laying out -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 0, 24, 16)
        column.setSpacing(12)
        column.addWidget(self._choices())
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label(tr("Your routes"), "strong"))
        head.addStretch()
        for button in (self.open_button, self.again_button, self.remove_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            head.addWidget(button)
        column.addLayout(head)
        column.addWidget(self.view, 1)
        column.addWidget(self.count_label)
        column.addStretch()
        self._set_up_view()

    def _choices(self) -> QWidget:
        frame, column = card(16, 12)
        column.addWidget(
            label(
                tr(
                    "A route brings everyone the same new tiles. Play the one of today, make one "
                    "and pass its code on, or open a code that you were given."
                ),
                "muted",
                wraps=True,
            )
        )
        self.table_combo.setAccessibleName(tr("Table"))
        self.length_combo.setAccessibleName(tr("Length"))
        self.corrected_box.setToolTip(
            tr("The best move is made in place of any other, so everyone meets the same boards.")
        )
        self.daily_button.setProperty("primary", True)
        self.daily_button.setToolTip(
            tr("The same for everyone with this table, today only: 100 moves, corrected")
        )
        self.new_button.setToolTip(tr("A route of your own, to pass on by its code"))
        column.addWidget(
            _flow(
                *(self.table_combo, self.length_combo, self.corrected_box),
                *(self.new_button, self.daily_button),
            )
        )
        row = QHBoxLayout()
        row.setSpacing(8)
        self.code_edit.setPlaceholderText(tr("Code or result of a route"))
        self.code_edit.setAccessibleName(tr("Code or result of a route"))
        self.code_edit.setToolTip(
            tr("Paste a code to play its route, or somebody's result to compare yours with")
        )
        self.code_edit.setMaxLength(400)
        row.addWidget(self.code_edit, 1)
        row.addWidget(self.code_button)
        column.addLayout(row)
        self.error_label.setMinimumHeight(self.error_label.fontMetrics().lineSpacing())
        column.addWidget(self.error_label)
        return frame

    def _set_up_view(self) -> None:
        view = self.view
        view.setModel(self.model)
        view.setAccessibleName(tr("Your routes"))
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setShowGrid(False)
        view.setTabKeyNavigation(False)
        view.setWordWrap(False)
        view.setFrameShape(QTableView.Shape.NoFrame)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(32)
        header = view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        header.setResizeContentsPrecision(_MEASURED)
        header.setHighlightSections(False)


def _flow(*widgets: QWidget) -> QWidget:
    """Return widgets side by side, in more lines where there is no room."""
    place = QWidget()
    flow = FlowLayout(place)
    for widget in widgets:
        widget.setMinimumHeight(_BUTTON_PX)  # all stand in one line
        flow.addWidget(widget)
    return place
