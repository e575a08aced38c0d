"""Four charts of a game, one at a time: the loss of each move, chance, luck, match rate.

A whole game rated by search has three: products of that many estimates mean nothing, so the mean
loss replaces the match rate, and there is no luck.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from coach.grading.names import CHANCE_KEPT, CHANCE_KEPT_TIP
from coach.recordings.recording import Recording
from engine.platform.language import mark, tr, trc
from gui.board.board_paint import mixed
from gui.charts.line_chart import HEAD_PX, MARK_PX, ChartMark, LineChart, Series
from gui.style.layout import column
from gui.text.numbers import format_percentage
from gui.text.rates import format_points, format_rate, match_text
from gui.text.reviews import format_luck, format_point_tick
from gui.widgets.chips import ChipGroup, Choice

LOSS, MATCH, LUCK, CHANCE = "loss", "match", "luck", "chance"
_CHOICES = (
    Choice(LOSS, mark("Loss"), tip=mark("What each move lost, on a logarithmic scale")),
    Choice(CHANCE, mark("Chance"), tip=mark("How likely the goal was at each position")),
    Choice(LUCK, mark("Luck"), tip=mark("What the new tiles have changed so far")),
    Choice(MATCH, CHANCE_KEPT, tip=CHANCE_KEPT_TIP),
)
_OF_WHOLE_GAMES = (
    *_CHOICES[:2],
    Choice(MATCH, mark("Mean loss"), tip=mark("What a move lost on average so far")),
)
_SMALL = "QPushButton { padding: 0 8px; min-height: 17px; font-size: 12px; }"  # no text
_CHIP_GAP, _QUIET_TINT = 6, 0.3


class ReviewCharts(QWidget):
    """The charts and the choice among them, with a common cursor."""

    picked = Signal(int)
    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._preferred = LOSS  # the preferred chart, if a game has it
        self._recording: Recording | None = None
        self._marks: Sequence[ChartMark] = ()
        self._stale: set[str] = set()  # charts that need an update
        self._cursor = 0
        self.chips = ChipGroup(tr("Chart"))
        self.chips.set_choices(_CHOICES, LOSS)
        no_rates = tr("Analyze the game to see this here.")
        no_luck = tr("Analyze the game to see your luck here.")
        before, after = trc("chart", "Move"), trc("chart", "After move")
        self.charts = {
            LOSS: LineChart(tr("Loss of each move"), before, 1, no_rates, False),
            MATCH: LineChart(tr(CHANCE_KEPT), after, 0, no_rates, False),
            LUCK: LineChart(tr("Luck of the new tiles"), after, 0, no_luck, False),
            CHANCE: LineChart(tr("Chance at each position"), after, 0, no_rates, False),
        }
        self.stack = QStackedWidget()
        for chart in self.charts.values():
            chart.picked.connect(self._pick)
            chart.setMinimumHeight(0)  # the layout gives the height
            self.stack.addWidget(chart)
        self.chips.chosen.connect(lambda name: self._choose(str(name)))
        # The choice is above the plot, outside of the layout: with its wrapping rows, the board
        # above could not shrink.
        self.chips.setParent(self)
        self.chips.setStyleSheet(_SMALL)
        self._column = column(self.stack, parent=self)

    @property
    def chart(self) -> str:
        return str(self.chips.value)

    def show_chart(self, name: str) -> None:
        if name in self.charts:
            self._preferred = name
            self._bring_to_front()

    def show_recording(self, recording: Recording, marks: Sequence[ChartMark]) -> None:
        self._recording, self._marks = recording, marks
        self._stale = set(self.charts)
        is_whole = recording.is_judged_whole
        self.chips.set_choices(_OF_WHOLE_GAMES if is_whole else _CHOICES, self._preferred)
        self.charts[MATCH].setAccessibleName(tr("Mean loss") if is_whole else tr(CHANCE_KEPT))
        self._place_chips()
        self._bring_to_front()

    @property
    def _has_rates(self) -> bool:
        return self._recording is not None and self._recording.n_judged > 0

    def set_cursor(self, position: int) -> None:
        self._cursor = position
        for chart in self.charts.values():
            chart.set_cursor(position)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._place_chips()

    def _place_chips(self) -> None:
        sizes = [button.sizeHint() for button in self.chips.buttons.values()]
        width = sum(size.width() for size in sizes) + _CHIP_GAP * (len(sizes) - 1)
        height = max(size.height() for size in sizes)
        self.chips.setGeometry(self.width() - width, 0, width, height)
        self.chips.raise_()
        self.chips.setVisible(self._has_rates)
        below = max(0, height + int(MARK_PX / 2) - HEAD_PX)  # the highest mark is below them too
        self._column.setContentsMargins(0, below if self._has_rates else 0, 0, 0)

    def _bring_to_front(self) -> None:
        self.chips.choose(self._preferred if self._has_rates else LOSS)
        self.stack.setCurrentWidget(self.charts[self.chart])
        self._draw()

    def _draw(self) -> None:
        """Draw the chart in front unless up to date; the others once they are in front."""
        name, recording = self.chart, self._recording
        if recording and name in self._stale:
            self._stale.remove(name)
            marks = () if name == LUCK else self._marks
            self.charts[name].show_series([self._series(name, recording)], marks)
            self.charts[name].set_cursor(self._cursor)

    def _series(self, name: str, recording: Recording) -> Series:
        points = partial(Series, figure=format_points, tick=format_point_tick)
        if name == LUCK:
            return replace(
                points(tr("Luck"), recording.luck_curve, "good", has_zero=True), figure=format_luck
            )
        if name == LOSS:
            return points(
                tr("Loss"),
                recording.points_lost,
                "bad",
                is_log=True,
                is_bars=True,
                quiet=lambda theme: mixed(theme.surface, theme.text, _QUIET_TINT),
            )
        if name == MATCH and recording.is_judged_whole:
            return points(tr("Mean loss"), recording.mean_losses, "accent", has_zero=True)
        is_chance = name == CHANCE
        title = tr("Chance") if is_chance else tr(CHANCE_KEPT)
        values = recording.chances if is_chance else recording.match_rates
        return Series(
            title,
            values if recording.n_judged else (),
            "good" if is_chance else "accent",
            figure=format_rate if is_chance else match_text,
            tick=format_percentage,
        )

    def _pick(self, position: int) -> None:
        self.set_cursor(position)
        self.picked.emit(position)

    def _choose(self, name: str) -> None:
        self.show_chart(name)
        self.chosen.emit(name)
