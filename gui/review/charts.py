"""Three charts of a game, one at a time: what each move lost, the match rate, the luck."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from coach.recordings.recording import Recording
from gui.charts.line_chart import ChartMark, LineChart, Series
from gui.style.theme import Theme
from gui.text.rates import format_points
from gui.text.reviews import (
    format_luck,
    format_match_rate,
    format_percentage,
    format_point_tick,
)
from gui.widgets.chips import ChipGroup, Choice

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
        self._marks: Sequence[ChartMark] = ()
        self._stale: set[str] = set()  # charts not drawn yet as they should be
        self._cursor = 0
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
            self._draw()

    def show_recording(self, recording: Recording, marks: Sequence[ChartMark]) -> None:
        """Draw another game, or the same with other marks."""
        self._recording, self._marks = recording, marks
        self._draw_all()

    def set_cursor(self, position: int) -> None:
        """Put the cursor of all charts on a position."""
        self._cursor = position
        for chart in self.charts.values():
            chart.set_cursor(position)

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        self._theme = theme
        for chart in self.charts.values():
            chart.set_theme(theme)
        self._draw_all()

    def _draw_all(self) -> None:
        self._stale = set(self.charts)
        self._draw()

    def _draw(self) -> None:
        """Draw the chart in front, unless it is up to date; the others when they come there."""
        name, recording = self.chart, self._recording
        if recording and name in self._stale:
            self._stale.remove(name)
            marks = () if name == LUCK else self._marks
            self.charts[name].show_series([self._series(name, recording)], marks)
            self.charts[name].set_cursor(self._cursor)

    def _series(self, name: str, recording: Recording) -> Series:
        theme = self._theme
        if name == LUCK:
            return Series("Luck", recording.luck_curve, theme.good, figure=format_luck)
        if name == LOSS:
            lost = recording.points_lost
            return Series("Loss", lost, theme.bad, True, True, format_points, format_point_tick)
        match = recording.match_rates if recording.n_judged else ()
        return Series(
            "Match rate", match, theme.accent, figure=format_match_rate, tick=format_percentage
        )

    def _pick(self, position: int) -> None:
        self.set_cursor(position)
        self.picked.emit(position)

    def _choose(self, name: str) -> None:
        self.show_chart(name)
        self.chosen.emit(name)
