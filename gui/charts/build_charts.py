"""Charts of the running build: boards by layer; speed and memory over time.

Nothing is computed while they are hidden.
"""

from collections.abc import Callable

import numpy as np
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from engine.platform.language import tr
from gui.charts.line_chart import LineChart, Series
from gui.style.layout import STRETCH, column, grid_layout, laid_out, placed, row
from gui.table_work.builds import BuildProgress, Builds
from gui.text.numbers import format_bytes, format_count, format_seconds
from gui.work.chunked_work import ChunkedWork

_BESIDE_FROM = 760  # pixels: from this width on the charts are side by side
_HEIGHT = 132


class BuildCharts(QWidget):
    """Three charts, side by side or stacked; they follow `builds` while visible."""

    def __init__(self, builds: Builds) -> None:
        super().__init__()
        self._builds = builds
        self._drawn: tuple[object, int, int, bool] | None = None  # the data shown in the first one
        self._steps = ChunkedWork(self)
        self.log_box = QCheckBox(tr("Log scale"))
        self.log_box.toggled.connect(lambda _: self._show())
        waiting = tr("Nothing to show yet.")
        after, text = tr("After"), self._time_text
        self.layers = LineChart(tr("Boards in each layer"), tr("Layer"), 1, waiting, False)
        self.speed = LineChart(tr("Speed over time"), after, 0, waiting, False, text)
        self.memory = LineChart(tr("Memory over time"), after, 0, waiting, False, text)
        self._cells: list[QWidget] = []
        self._add(tr("Boards in each layer"), self.layers, self.log_box)
        self._add(tr("Boards per second"), self.speed)
        self._add(tr("Memory"), self.memory)
        self._grid = grid_layout(space=12, parent=self)
        self._n_columns = 0
        self._place(1)
        builds.progressed.connect(self._on_progress)  # no lambda: it would outlive this widget
        builds.changed.connect(self._show)

    @property
    def charts(self) -> tuple[LineChart, LineChart, LineChart]:
        return self.layers, self.speed, self.memory

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._place(3 if event.size().width() >= _BESIDE_FROM else 1)

    def _add(self, caption: str, chart: LineChart, more: QWidget | None = None) -> None:
        title = QLabel(caption)
        title.setProperty("role", "caption")
        head = row(placed(title, stretch=1))
        if more:
            head.addWidget(more)
        chart.setFixedHeight(_HEIGHT)
        self._cells.append(laid_out(column(head, STRETCH, chart, space=2)))

    def _place(self, n_columns: int) -> None:
        if n_columns == self._n_columns:
            return
        self._n_columns = n_columns
        for i, cell in enumerate(self._cells):
            self._grid.addWidget(cell, i // n_columns, i % n_columns)
            self._grid.setColumnStretch(i, 1 if i < n_columns else 0)

    def _time_text(self, index: int) -> str:
        seconds = index * self._builds.history.interval_s
        return format_seconds(seconds) if seconds >= 1 else f"{seconds:g}\u00a0s"

    def _on_progress(self, _progress: BuildProgress) -> None:
        self._show()

    def _show(self) -> None:
        """Update the charts one by one, so that no key press waits for all three."""
        if self.isVisible():
            self._steps.do([self._show_layers, self._show_speed, self._show_memory])

    def _show_layers(self) -> None:
        history, is_log = self._builds.history, self.log_box.isChecked()
        n_layers = self._builds.progress.layers
        drawn = (history, len(history.boards_by_layer), n_layers, is_log)
        if drawn != self._drawn:
            self._drawn = drawn
            boards = np.full(max(n_layers, len(history.boards_by_layer)), np.nan)
            boards[: len(history.boards_by_layer)] = history.boards_by_layer
            self._fill(self.layers, tr("Boards"), boards, format_count, is_log)

    def _show_speed(self) -> None:
        self._fill(self.speed, tr("Speed"), np.array(self._builds.history.speeds), format_count)

    def _show_memory(self) -> None:
        memory = np.array(self._builds.history.memory_bytes)
        self._fill(self.memory, tr("Memory"), memory, format_bytes)

    def _fill(
        self,
        chart: LineChart,
        name: str,
        values: "np.ndarray",
        figure: Callable[[float], str],
        is_log: bool = False,
    ) -> None:
        chart.show_series([Series(name, values, "accent", is_log, figure=figure, has_zero=True)])
