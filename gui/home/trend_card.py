"""The trend of the match rate, test by test."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from coach.days import day_of
from coach.exam.history import FinishedTest
from engine.platform.language import mark, tr
from gui.charts.chart_series import MEAN_OF
from gui.charts.line_chart import LineChart, Series, mean_series
from gui.home.cards import HomeCard
from gui.text.numbers import NBSP, format_percentage, format_whole
from gui.text.rates import match_text
from gui.widgets.buttons import button
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import Figure, label, set_property

_LATEST = 60  # tests in the chart
_CHART_PX = 116
NO_TESTS = mark(
    "A test judges every move against perfect play. Your match rate appears here after the first "
    "one, and a trend after the second."
)


class TrendCard(HomeCard):
    """Match rates of the latest tests: the current value and a chart."""

    def __init__(self) -> None:
        super().__init__(tr("Match rate"), tr("All tests"))
        self.empty_label = label(tr(NO_TESTS), "muted", wraps=True)
        self.figures = {
            "mean": Figure(_latest_text(MEAN_OF)),
            "best": Figure(tr("Best of these")),
            "tests": Figure(tr("Tests this week")),
            "drilled": Figure(tr("Drilled this week")),
        }
        self._figures = QWidget()
        self.figures["mean"].note_label.setToolTip(
            tr("Compared with the {n} tests before", n=MEAN_OF)
        )
        flow = FlowLayout(self._figures, space=12, column_width=112)
        for figure in self.figures.values():
            flow.addWidget(figure)
        self.chart = LineChart(tr("Match rate, test by test"), tr("Test"), first=1)
        self.chart.setMinimumHeight(_CHART_PX)
        self.content.addWidget(self.empty_label)
        self.content.addWidget(self._figures)
        self.content.addWidget(self.chart, 10)
        self.test_button = button(tr("Take a test"))
        self.content.addWidget(self.test_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.content.addStretch()
        self.show_tests((), datetime.now().astimezone(), 0)
        self.show_drilled(0, 0)

    def show_tests(self, tests: Sequence[FinishedTest], now: datetime, begins: int) -> None:
        rates = [test.match_rate for test in reversed(tests)]
        has_tests = bool(tests)
        self.empty_label.setVisible(not has_tests)
        self.test_button.setVisible(not has_tests)
        for part in (self._figures, self.more_button):
            part.setVisible(has_tests)
        self.chart.setVisible(len(tests) > 1)
        if not has_tests:
            return
        latest = rates[-MEAN_OF:]
        caption = _latest_text(len(latest)) if len(latest) > 1 else tr("Your first test")
        mean = self.figures["mean"]
        mean.caption_label.setText(caption)
        change, tone = _change(rates)
        mean.show_value(match_text(_mean(latest)), change)
        set_property(mean.note_label, "tone", tone)
        self.figures["best"].show_value(match_text(max(latest)))
        week = day_of(now, begins, now.tzinfo) - timedelta(days=6)
        recent = sum(day_of(test.ended, begins, now.tzinfo) >= week for test in tests)
        self.figures["tests"].show_value(format_whole(recent))
        color = "accent"  # as in the history of tests
        name, figure = tr("Match rate"), match_text
        self.chart.show_series(
            [
                Series(name, rates[-_LATEST:], color, figure=figure, tick=format_percentage),
                *mean_series(rates, "text_muted", figure, n_shown=_LATEST),
            ]
        )

    def show_drilled(self, n_right: int, n_wrong: int) -> None:
        n = n_right + n_wrong
        note = tr("{share} correct", share=f"{100 * n_right // n}{NBSP}%") if n else ""
        self.figures["drilled"].show_value(format_whole(n), note)


def _change(rates: Sequence[float]) -> tuple[str, str]:
    before = rates[-2 * MEAN_OF : -MEAN_OF]
    if not before:
        return "", ""
    points = (_mean(rates[-MEAN_OF:]) - _mean(before)) * 100
    if abs(points) < 0.005:
        return tr("as before"), ""
    sign, tone = ("+", "good") if points > 0 else ("\N{MINUS SIGN}", "")
    return tr("{points} pts", points=f"{sign}{abs(points):.2f}").replace(" ", NBSP), tone


def _latest_text(n: int) -> str:
    return tr("Last {n} tests", n=n)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
