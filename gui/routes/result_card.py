"""How a run ended: in a sentence, as a chart, beside others, and its worst moves a click away."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from coach.routes.run import RouteRun
from engine.language import tr
from gui.board.grade_mark import GradeMark
from gui.charts.line_chart import ChartMark, LineChart, Series
from gui.routes.text import end_text, end_title, loss_text, match_text
from gui.style.theme import Theme
from gui.widgets.labels import label
from gui.widgets.page import card, clear_layout

N_WORST = 5
_CHART_PX = 150
_MOST_MARKS = 300  # more than there is room for


class RouteResultCard(QWidget):
    """The result of a run, and what to do next.

    Signals
    -------
    move_chosen : int
        Show this move, counted from 0; -1 for the last position.
    wanted : str
        A button was pressed: the name of an action.
    """

    move_chosen = Signal(int)
    wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._run: RouteRun | None = None
        self.title_label, self.text_label = label("", "strong"), label("", wraps=True)
        self.others_label = label("", wraps=True)
        self.chart = LineChart(theme, tr("Match rate over the route"))
        self.chart.setFixedHeight(_CHART_PX)
        self.worst_label = label(tr("Worst moves"), "caption")
        self.others_caption = label(tr("On the same route"), "caption")
        self.worst_buttons: list[QPushButton] = []
        self.buttons: dict[str, QPushButton] = {}
        self._marks: list[GradeMark] = []
        self._worst = QVBoxLayout()
        self._worst.setSpacing(2)
        frame, column = card(16, 8)
        for part in (self.title_label, self.text_label, self.chart):
            column.addWidget(part)
        column.addWidget(self.others_caption)
        column.addWidget(self.others_label)
        column.addWidget(self.worst_label)
        column.addLayout(self._worst)
        column.addSpacing(4)
        column.addLayout(self._button_grid())
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(frame)
        self.chart.picked.connect(lambda index: self.move_chosen.emit(index - 1))
        self.hide()

    def show_result(self, run: RouteRun) -> None:
        """Show how a run ended."""
        self._run = run
        self.title_label.setText(end_title(run))
        self.text_label.setText(end_text(run))
        self.show_others([])
        self._show_chart()
        self._show_worst()
        self.show()

    def show_others(self, lines: Sequence[str]) -> None:
        """Show other results of the same route, a line each."""
        self.others_label.setText("\n".join(lines))
        for part in (self.others_caption, self.others_label):
            part.setVisible(bool(lines))

    def show_chosen(self, number: int) -> None:
        """Put the cursor of the chart on a move, counted from 0."""
        self.chart.set_cursor(number + 1)

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        self._theme = theme
        self.chart.set_theme(theme)
        for mark in self._marks:
            mark.set_theme(theme)
        self._show_chart()

    def _show_chart(self) -> None:
        run = self._run
        if run is None:
            return
        values = [1.0, *run.match_rates]  # before the first move all is still there
        line = Series(tr("Match rate"), values, self._theme.accent, figure=match_text)
        marks = [
            ChartMark(i + 1, judgement.grade)
            for i in sorted(run.worst(_MOST_MARKS))
            if (judgement := run.moves[i].judgement)
        ]
        self.chart.setVisible(run.n_moves > 1 and not run.route.is_game)
        self.chart.show_series([line], marks)
        self.chart.set_cursor(None)

    def _show_worst(self) -> None:
        clear_layout(self._worst)
        self.worst_buttons, self._marks = [], []
        run = self._run
        assert run is not None
        worst = run.worst(N_WORST)
        self.worst_label.setVisible(bool(worst))
        for number in worst:
            move = run.moves[number]
            mark = GradeMark(self._theme)
            mark.show_grade(move.judgement.grade if move.judgement else None)
            button = QPushButton(loss_text(move, number + 1))
            button.setProperty("quiet", True)
            button.setProperty("disclosure", True)
            button.setToolTip(tr("Show this move on the board"))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the board
            button.clicked.connect(lambda _=False, n=number: self.move_chosen.emit(n))
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(8)
            row.addWidget(mark)
            row.addWidget(button, 1)
            self._worst.addWidget(line)
            self.worst_buttons.append(button)
            self._marks.append(mark)

    def _button_grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(8)
        buttons = (
            ("copy_result", tr("Copy result"), tr("A line to pass on by mail or chat")),
            ("again", tr("Play again"), tr("Go along the same route once more")),
            ("compare", tr("Let the AI play"), tr("How the table and the AI do on this route")),
            (
                "practice",
                tr("Practice"),
                tr("Practice from the position shown, with success rates"),
            ),
        )
        for i, (name, text, tip) in enumerate(buttons):
            button = QPushButton(text)
            button.setToolTip(tip)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setProperty("primary", name == "copy_result")
            button.clicked.connect(lambda _=False, n=name: self.wanted.emit(n))
            self.buttons[name] = button
            grid.addWidget(button, i // 2, i % 2)
        return grid
