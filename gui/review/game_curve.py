"""The curve of a whole game: its chance from move to move, and the parts that tables cover."""

import numpy as np

from coach.analysis.analyses import StoredAnalysis
from coach.analysis.files import facts_in_file
from coach.analysis.game_facts import GameFacts
from engine.platform.language import tr, trc
from engine.platform.tasks import Tasks
from gui.charts.line_chart import LineChart, Series
from gui.text.numbers import format_percentage
from gui.text.rates import format_rate

_MIN_PX, _MAX_PX = 84, 128


class GameCurve(LineChart):
    """A curve read from the report of an analysis; hidden while there is none."""

    def __init__(self, tasks: Tasks) -> None:
        name = tr("The chance over the whole game")
        super().__init__(name, trc("chart", "Move"), 1, has_names=False)
        self._tasks = tasks
        self._analysis: StoredAnalysis | None = None
        self.setMinimumHeight(_MIN_PX)
        self.setMaximumHeight(_MAX_PX)
        self.hide()

    def show_analysis(self, analysis: StoredAnalysis | None) -> None:
        if analysis is self._analysis:
            return
        self._analysis = analysis
        self.show_series([])
        report = analysis.reports.get("json") if analysis else None
        self.setVisible(bool(report))

        def show(facts: GameFacts) -> None:
            if analysis and analysis is self._analysis:
                self._draw(analysis, facts)

        def hide(_error: BaseException) -> None:
            if analysis is self._analysis:
                self.hide()

        if report:
            self._tasks.run(lambda: facts_in_file(report), show, hide)

    def _draw(self, analysis: StoredAnalysis, facts: GameFacts) -> None:
        rates = np.full(analysis.moves, np.nan)
        for stretch in facts.stretches:
            at = stretch.first - 1
            rates[at : at + len(stretch.best_rates)] = stretch.best_rates[: analysis.moves - at]
        tick = format_percentage
        bands = [(part.first_move - 1, part.last_move - 1) for part in analysis.segments]
        chance = Series(tr("Chance"), rates, "good", figure=format_rate, tick=tick)
        self.show_series([chance], bands=bands)
        self.set_cursor(None)
