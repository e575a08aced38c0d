"""The curve of a whole game: its chance from move to move, and the parts that tables cover."""

from collections.abc import Sequence

import numpy as np

from coach.analysis.analyses import StoredAnalysis, StoredSegment
from coach.analysis.game_facts import GameFacts
from engine.platform.language import tr, trc
from gui.charts.line_chart import LineChart, Series
from gui.text.numbers import format_percentage
from gui.text.rates import format_rate

_MIN_PX, _MAX_PX = 84, 128


class GameCurve(LineChart):
    """A click tells the index of a move; on the mark of a short part, that of its first move."""

    def __init__(self) -> None:
        super().__init__(
            tr("The chance over the whole game"), trc("chart", "Move"), 1, has_names=False
        )
        self.setMinimumHeight(_MIN_PX)
        self.setMaximumHeight(_MAX_PX)

    def show_game(self, analysis: StoredAnalysis, facts: GameFacts) -> None:
        rates = np.full(analysis.moves, np.nan)
        for stretch in facts.stretches:
            at = stretch.first - 1
            rates[at : at + len(stretch.best_rates)] = stretch.best_rates[: analysis.moves - at]
        chance = Series(tr("Chance"), rates, "good", figure=format_rate, tick=format_percentage)
        self.show_series([chance], bands=_bands(analysis.segments))
        self.set_cursor(None)


def _bands(segments: Sequence[StoredSegment]) -> list[tuple[int, int]]:
    return [(segment.first_move - 1, segment.last_move - 1) for segment in segments]
