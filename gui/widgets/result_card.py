"""The result of something played: a sentence, a chart, and links to the worst moves."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from coach.grading.grade import Grade
from coach.grading.names import POINTS_LOST
from engine.platform.language import tr
from gui.board.grade_mark import GradeMark
from gui.charts.line_chart import ChartMark, LineChart, Series
from gui.style.layout import card, clear_layout, column, grid_layout, laid_out, placed, row
from gui.text.rates import POINT_TIP
from gui.widgets.buttons import button
from gui.widgets.elided import ElidedButton
from gui.widgets.labels import label

N_WORST = 5
_CHART_PX = 150
MAX_MARKS = 300
"""More moves than there is room for in the chart."""


@dataclass(frozen=True)
class WrongMove:
    """An imperfect move."""

    number: int  # counted from 0
    grade: Grade
    text: str  # its loss, in a line


@dataclass(frozen=True)
class CardContents:
    """The content of a result card."""

    title: str
    text: str
    line: Series  # with a value before the first move; that alone where nobody judges
    wrong: Sequence[WrongMove]  # the worst first, at most `MAX_MARKS`


@dataclass(frozen=True)
class CardButton:
    """A button: the name of its action, its text, and what it does."""

    name: str
    text: str
    tip: str


class ResultCard(QWidget):
    """The result of something played, and what to do next, first what most people want.

    A chosen move is counted from 0; -1 is the last position.
    """

    move_chosen = Signal(int)
    action_requested = Signal(str)

    def __init__(self, buttons: Sequence[CardButton]) -> None:
        super().__init__()
        self.title_label = label("", "strong", wraps=True)
        self.text_label = label("", wraps=True)
        self.chart = LineChart(tr(POINTS_LOST), has_names=False)
        self.chart_label = label(tr("Points lost after each move"), "caption")
        self.chart.setFixedHeight(_CHART_PX)
        self.worst_label = label(tr("Worst moves"), "caption")
        self.worst_buttons: list[QPushButton] = []
        self.buttons: dict[str, QPushButton] = {}
        self._worst = column(space=2)
        self.column = column(
            self.title_label,
            self.text_label,
            self._button_grid(buttons),  # in sight without scrolling in a small window too
            self.chart_label,
            self.chart,
            self.worst_label,
            self._worst,
        )
        column(card(self.column), parent=self)
        self.chart.picked.connect(lambda index: self.move_chosen.emit(index - 1))
        self.hide()

    def show_contents(self, contents: CardContents) -> None:
        self.title_label.setText(contents.title)
        self.text_label.setText(contents.text)
        is_judged = len(contents.line.values) > 1
        self.text_label.setToolTip(tr(POINT_TIP) if is_judged else "")
        self._show_chart(contents)
        self._show_worst(contents.wrong[:N_WORST])
        self.show()

    def show_chosen(self, number: int) -> None:
        """Put the cursor of the chart on a move, counted from 0; -1 is before the first."""
        self.chart.set_cursor(number + 1)

    def _show_chart(self, contents: CardContents) -> None:
        wrong = sorted(contents.wrong, key=lambda move: move.number)
        marks = [ChartMark(move.number + 1, move.grade) for move in wrong]
        for part in (self.chart_label, self.chart):
            part.setVisible(len(contents.line.values) > 2)
        self.chart.show_series([contents.line], marks)
        self.chart.set_cursor(None)

    def _show_worst(self, worst: Sequence[WrongMove]) -> None:
        clear_layout(self._worst)
        self.worst_buttons = []
        self.worst_label.setVisible(bool(worst))
        for move in worst:
            mark = GradeMark()
            link = ElidedButton(move.text, tr("Show this move on the board"))
            mark.show_grade(move.grade)
            link.setProperty("quiet", True)
            link.setProperty("disclosure", True)
            link.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the board
            link.clicked.connect(lambda _=False, n=move.number: self.move_chosen.emit(n))
            self._worst.addWidget(laid_out(row(mark, placed(link, stretch=1))))
            self.worst_buttons.append(link)

    def _button_grid(self, buttons: Sequence[CardButton]) -> QGridLayout:
        grid = grid_layout(space=8)
        for i, spec in enumerate(buttons):
            widget = button(spec.text, "" if i else "primary", tip=spec.tip, by_tab=True)
            widget.clicked.connect(lambda _=False, name=spec.name: self.action_requested.emit(name))
            self.buttons[spec.name] = widget
            grid.addWidget(widget, i // 2, i % 2)
        return grid
