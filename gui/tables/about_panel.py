"""The facts about a finished table: the chance of a new game, sizes, folders, rates by layer."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox

from engine.platform.language import sentences, tr, trn
from gui.charts.line_chart import LineChart, Series
from gui.style.layout import clear_layout, column, grid_layout, laid_out, placed, row
from gui.table_work.question import TableReports
from gui.tables.change_panel import ChangePanel
from gui.text.contents import content_words
from gui.text.lists import fact_list
from gui.text.numbers import (
    format_bytes,
    format_count,
    format_percent,
    format_seconds,
    format_whole,
)
from gui.text.rates import format_rate, format_rates
from gui.widgets.fields import progress_bar
from gui.widgets.flow_layout import flowing
from gui.widgets.labels import ElidedLabel, Figure, label
from tablebase.library.limits_text import CUT_OFF, LOWER_BOUNDS

if TYPE_CHECKING:
    from tablebase.events import LayerRates, StartRates, TableReport
    from tablebase.library.table_info import TableInfo

_CHART_HEIGHT = 176
_FIGURE_WIDTH = 128


class AboutPanel(ChangePanel):
    """A panel of facts about a finished table of ours; who opens it queries `reports`."""

    def __init__(self, table: "TableInfo", reports: TableReports, build_s: float | None) -> None:
        super().__init__(tr("About this table"), fact_list(content_words(table)), "")
        self.table, self._reports, self._build_s = table, reports, build_s
        self._layers: tuple[LayerRates, ...] = ()
        self.go_button.hide()
        self.cancel_button.setText(tr("Close"))
        self._make_widgets()
        self._lay_out()
        self.setFocusProxy(self.cancel_button)
        reports.changed.connect(self._show)
        reports.progressed.connect(self._show_progress)
        self._show()

    def _make_widgets(self) -> None:
        table = self.table
        self.facts = {
            "mean": Figure(tr("A new game succeeds")),
            "best": Figure(tr("Best start")),
            "worst": Figure(tr("Worst start")),
            "boards": Figure(tr("Boards")),
            "bytes": Figure(tr("On disk")),
            "sums": Figure(tr("Sum of tiles")),
            "time": Figure(tr("Built in")),
        }
        stored = tr("{count} of them stored", count=format_count(table.stored))
        self.facts["boards"].show_value(format_count(table.boards), stored)
        layers = trn("in {n} layer", "in {n} layers", table.layers)
        self.facts["bytes"].show_value(format_bytes(table.bytes), layers)
        if self._build_s is None:
            self.facts["time"].hide()
        else:
            self.facts["time"].show_value(format_seconds(self._build_s))
        self.bar = progress_bar(tr("Looking at the table"))
        self.rates_chart, self.boards_chart, self.size_chart = (
            LineChart(name, tr("Sum of tiles"), has_names=i == 0, place_text=self._sum_text)
            for i, name in enumerate(
                (
                    tr("Success rates in each layer"),
                    tr("Boards in each layer"),
                    tr("Size of each layer"),
                )
            )
        )
        for chart in (self.rates_chart, self.boards_chart, self.size_chart):
            chart.setFixedHeight(_CHART_HEIGHT)
        self.log_box = QCheckBox(tr("Log scale"))
        self.log_box.toggled.connect(lambda _: self._draw())
        self.sample_label = label("", "caption", wraps=True)

    def _lay_out(self) -> None:
        self.fields.addWidget(flowing(*self.facts.values(), space=12, column_width=_FIGURE_WIDTH))
        self._places = column(space=2)
        self.fields.addLayout(self._places)
        self.fields.addWidget(self.bar)
        pair = grid_layout(space=(16, 4))
        head = row(
            placed(label(tr("Size of each layer"), "caption"), stretch=1), self.log_box, space=4
        )
        pair.addWidget(label(tr("Boards in each layer"), "caption"), 0, 0)
        pair.addLayout(head, 0, 1)
        pair.addWidget(self.boards_chart, 1, 0)
        pair.addWidget(self.size_chart, 1, 1)
        self.charts = laid_out(
            column(
                label(tr("Success rates in each layer"), "caption"),
                self.rates_chart,
                self.sample_label,
                8,
                pair,
                space=4,
            )
        )
        self.fields.addWidget(self.charts)

    def _sum_text(self, index: int) -> str:
        return format_whole(self._layers[index].tile_sum) if index < len(self._layers) else ""

    def _show_progress(self, share: float) -> None:
        self.bar.setValue(int(share * 1000))

    def _show(self) -> None:
        reports = self._reports
        report = reports.answer
        self.bar.setVisible(reports.is_thinking)
        self.charts.setVisible(report is not None)
        if report:
            self.show_note("")
            self._show_report(report)
        elif reports.is_thinking:
            self.bar.setValue(0)
            self.show_note(tr("Reading the rates of all layers in the background"))
        elif reports.problem:
            problem = reports.problem.rstrip(".")
            self.show_note(tr("The rates can't be shown: {why}.", why=problem), "bad")

    def _show_report(self, report: "TableReport") -> None:
        self._layers = report.by_layer
        first, last = self._layers[0].tile_sum, self._layers[-1].tile_sum
        self.facts["sums"].show_value(
            tr("{first} to {last}", first=format_whole(first), last=format_whole(last))
        )
        if report.starts:
            self._show_starts(report.starts)
        clear_layout(self._places)
        for place in report.places:
            text = trn(
                "{folder}: {n} layer, {size}",
                "{folder}: {n} layers, {size}",
                place.layers,
                folder=place.folder,
                size=format_bytes(place.bytes),
            )
            self._places.addWidget(ElidedLabel(text, "caption", Qt.TextElideMode.ElideMiddle))
        sampled = [layer.sampled for layer in self._layers if layer.sampled and not layer.is_exact]
        without = any(layer.stored and not layer.bytes for layer in self._layers)
        self.sample_label.setText(
            sentences(
                tr(
                    "Large layers are sampled: at least {n} boards of each.",
                    n=format_whole(min(sampled)),
                )
                if sampled
                else tr("Every stored board counts."),
                tr("Layers without a file are left out.") if without else "",
                tr(LOWER_BOUNDS) if self.table.is_limited else "",
                tr(CUT_OFF) if self.table.is_cut_off else "",
            )
        )
        self._draw()

    def _show_starts(self, starts: "StartRates") -> None:
        names = ("mean", "best", "worst")
        texts = format_rates([getattr(starts, name) for name in names])
        for name, text in zip(names, texts, strict=True):
            self.facts[name].show_value(text or "\u2013")
        if starts.positions < starts.all_positions:
            note = tr(
                "of {n} in {all} starts",
                n=format_whole(starts.positions),
                all=format_whole(starts.all_positions),
            )
        else:
            note = trn("of {n:,} start", "of {n:,} starts", starts.positions)
        self.facts["best"].show_value(self.facts["best"].value_label.text(), note)

    def _draw(self) -> None:
        if not self._layers:
            return
        layers, is_log = self._layers, self.log_box.isChecked()

        def values_of(name: str) -> "np.ndarray":
            return np.array([getattr(layer, name) for layer in layers], np.float64)

        shown = (
            ("mean", tr("Mean"), "accent"),
            ("median", tr("Median"), "good"),
            ("low", tr("Worst tenth"), "warning"),
            ("high", tr("Best tenth"), "text_muted"),
        )
        self.rates_chart.show_series(
            [
                Series(text, values_of(key), color, figure=format_rate, tick=format_percent)
                for key, text, color in shown
            ]
        )
        for chart, name, values, figure in (
            (self.boards_chart, tr("Boards"), values_of("boards"), format_count),
            (self.size_chart, tr("Size"), values_of("bytes"), format_bytes),
        ):
            chart.show_series(
                [Series(name, values, "accent", is_log, figure=figure, has_zero=True)]
            )
