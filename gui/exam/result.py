"""How a test ended: in a sentence, as a chart, and the worst moves one click away."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from coach.exam.session import Session
from coach.mistakes.to_drill import THRESHOLD, count_to_drill
from engine.language import sentences, tr
from gui.board.grade_mark import GradeMark
from gui.charts.line_chart import ChartMark, LineChart, Series
from gui.exam.text import end_text, end_title, loss_text, match_text, to_drill_text
from gui.style.theme import Theme
from gui.widgets.labels import label
from gui.widgets.page import card, clear_layout

N_WORST = 5
_CHART_PX = 150
_MOST_MARKS = 300  # more than there is room for


class ResultCard(QWidget):
    """The result of a test, and what to do next.

    Signals
    -------
    move_chosen : int
        Show this move, counted from 0; -1 for the last position.
    wanted : str
        A button was pressed: restart, rematch, review or practice.
    """

    move_chosen = Signal(int)
    wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._session: Session | None = None
        self._threshold = THRESHOLD
        self.title_label, self.text_label = label("", "strong"), label("", wraps=True)
        self.best_label = label("", "caption", wraps=True)
        self.chart = LineChart(theme, tr("Match rate over the test"))
        self.chart.setFixedHeight(_CHART_PX)
        self.worst_label = label(tr("Worst moves"), "caption")
        self.worst_buttons: list[QPushButton] = []
        self.buttons: dict[str, QPushButton] = {}
        self._marks: list[GradeMark] = []
        self._worst = QVBoxLayout()
        self._worst.setSpacing(2)
        frame, column = card(16, 8)
        for part in (self.title_label, self.text_label, self.best_label):
            column.addWidget(part)
        column.addWidget(self.chart)
        column.addWidget(self.worst_label)
        column.addLayout(self._worst)
        column.addSpacing(4)
        column.addLayout(self._button_grid())
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(frame)
        self.chart.picked.connect(lambda index: self.move_chosen.emit(index - 1))
        self.hide()

    def show_result(self, session: Session) -> None:
        """Show how a test ended."""
        self._session = session
        self.title_label.setText(end_title(session))
        n_to_drill = count_to_drill(session.score.counts, self._threshold)
        self.text_label.setText(sentences(end_text(session), to_drill_text(n_to_drill)))
        self.show_best("")
        self._show_chart()
        self._show_worst()
        for name in ("rematch", "review"):
            self.buttons[name].setEnabled(session.n_moves > 0)
        self.show()

    def set_threshold(self, threshold: float) -> None:
        """Count from the next result on as moves to drill what is filed with a threshold."""
        self._threshold = threshold

    def show_best(self, text: str) -> None:
        """Say how the best test with this start and these tiles went; "" for nothing."""
        self.best_label.setText(text)
        self.best_label.setVisible(bool(text))

    def show_chosen(self, number: int) -> None:
        """Put the cursor of the chart on a move, counted from 0; -1 is before the first."""
        self.chart.set_cursor(number + 1)

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        self._theme = theme
        self.chart.set_theme(theme)
        for mark in self._marks:
            mark.set_theme(theme)
        self._show_chart()

    def _show_chart(self) -> None:
        session = self._session
        if session is None:
            return
        values = [1.0, *session.match_rates]  # before the first move all is still there
        color = self._theme.accent
        line = Series(tr("Match rate"), values, color, figure=match_text)
        moves, worst = session.moves, sorted(session.worst(_MOST_MARKS))
        marks = [ChartMark(i + 1, moves[i].judgement.grade) for i in worst]
        self.chart.setVisible(session.n_moves > 1)
        self.chart.show_series([line], marks)
        self.chart.set_cursor(None)

    def _show_worst(self) -> None:
        clear_layout(self._worst)
        self.worst_buttons, self._marks = [], []
        session = self._session
        assert session is not None
        worst = session.worst(N_WORST)
        self.worst_label.setVisible(bool(worst))
        for number in worst:
            move = session.moves[number]
            mark = GradeMark(self._theme)
            mark.show_grade(move.judgement.grade)
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
            ("restart", tr("New start"), tr("Start a new test")),
            ("rematch", tr("Rematch"), tr("Play the same start and tiles again")),
            ("review", tr("Review"), tr("Go through this test move by move")),
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
            button.setProperty("primary", name == "restart")
            button.clicked.connect(lambda _=False, n=name: self.wanted.emit(n))
            self.buttons[name] = button
            grid.addWidget(button, i // 2, i % 2)
        return grid
