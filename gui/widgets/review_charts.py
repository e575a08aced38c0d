"""Three charts of a game, one at a time: what each move lost, the match rate, the luck."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from gui.review_text import format_luck, format_match_rate, format_percentage, format_share
from gui.theme import Theme
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.line_chart import ChartMark, LineChart, Series
from tablebase.coach.recording import Recording

LOSS, MATCH, LUCK = "loss", "match", "luck"
_CHOICES = (
    Choice(LOSS, "Loss", tip="What each move gave away, on a scale where 0.01 % can be seen"),
    Choice(MATCH, "Match rate", tip="The share of the chance that the moves have kept so far"),
    Choice(LUCK, "Luck", tip="What the new tiles have made of the chance so far"),
)
_HEIGHT = 168


class ReviewCharts(QWidget):
    """The charts and the choice among them; all have one cursor.

    Signals
    -------
    picked : int
        A person chose a position.
    chosen : str
        A person chose a chart.
    """

    picked = Signal(int)
    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._recording: Recording | None = None
        self._marks: list[ChartMark] = []
        self.chips = ChipGroup("Chart")
        self.chips.set_choices(_CHOICES, LOSS)
        no_rates = "Rate the moves by a table, and their losses are drawn here."
        no_luck = "Luck is known where the rates before and after a new tile are."
        self.charts = {
            LOSS: LineChart(theme, "Loss of each move", first=1, empty_text=no_rates),
            MATCH: LineChart(theme, "Match rate", "After move", empty_text=no_rates),
            LUCK: LineChart(theme, "Luck of the new tiles", "After move", empty_text=no_luck),
        }
        self.stack = QStackedWidget()
        for chart in self.charts.values():
            chart.picked.connect(self._pick)
            self.stack.addWidget(chart)
        self.stack.setFixedHeight(_HEIGHT)
        self.stack.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for button in self.chips.buttons.values():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.chips.chosen.connect(lambda name: self._choose(str(name)))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.chips)
        column.addWidget(self.stack)

    @property
    def chart(self) -> str:
        """The name of the chart in front."""
        return str(self.chips.value)

    def show_chart(self, name: str) -> None:
        """Bring a chart to the front, if there is one of that name."""
        if self.chips.choose(name):
            self.stack.setCurrentWidget(self.charts[name])

    def show_recording(self, recording: Recording, marks: list[int]) -> None:
        """Draw another game, or the same with other marks."""
        self._recording = recording
        self._marks = [
            ChartMark(i, judgement.grade)
            for i in marks
            if (judgement := recording.judgements[i]) is not None
        ]
        self._draw()

    def set_cursor(self, position: int) -> None:
        """Put the cursor of all charts on a position."""
        for chart in self.charts.values():
            chart.set_cursor(position)

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        self._theme = theme
        for chart in self.charts.values():
            chart.set_theme(theme)
        self._draw()

    def _draw(self) -> None:
        recording, theme = self._recording, self._theme
        if recording is None:
            return
        has_rates = recording.n_judged > 0
        losses = [one.loss if one else None for one in recording.judgements]
        match = [score.match_rate if has_rates else None for score in recording.scores]
        series = {
            LOSS: Series(
                "Loss",
                losses,
                theme.bad,
                is_log=True,
                is_bars=True,
                figure=format_share,
                tick=format_percentage,
            ),
            MATCH: Series(
                "Match rate", match, theme.accent, figure=format_match_rate, tick=format_percentage
            ),
            LUCK: Series("Luck", recording.luck_so_far, theme.good, figure=format_luck),
        }
        for name, chart in self.charts.items():
            chart.show_series([series[name]], () if name == LUCK else self._marks)

    def _pick(self, position: int) -> None:
        self.set_cursor(position)
        self.picked.emit(position)

    def _choose(self, name: str) -> None:
        self.show_chart(name)
        self.chosen.emit(name)
