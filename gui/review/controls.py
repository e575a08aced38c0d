"""The options of Review: marks, playback speed, rating table."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QProgressBar, QWidget

from engine.platform.language import mark, tr, trc, trn
from gui.style.layout import column, placed, row
from gui.style.theme import mono_font
from gui.widgets.buttons import button, focus_by_tab
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.elided import ElidedCombo
from gui.widgets.labels import label
from gui.widgets.slider import Slider

ALL_TABLES = "all"
"""Stands for all tables where a folder stands for one."""

WHOLE_GAME = "game"
"""Stands for tables, and search where they do not know."""

_FASTEST = 30  # moves a second
_THRESHOLDS = (
    Choice(0.0, mark("All"), tip=mark("Mark every move that was not perfect")),
    Choice(0.001, "0.1", tip=mark("Mark losses of 0.1 % and more")),
    Choice(0.01, "1", tip=mark("Mark losses of 1 % and more: inaccurate moves and worse")),
    Choice(0.025, "2.5", tip=mark("Mark losses of 2.5 % and more: mistakes and worse")),
    Choice(0.1, "10", tip=mark("Mark losses of 10 % and more: blunders and disasters")),
)


class ReviewControls(QWidget):
    """The lower part of the panel."""

    def __init__(self) -> None:
        super().__init__()
        self.threshold_chips = ChipGroup(tr("Mark losses of at least, in percent of the chance"))
        self.threshold_chips.set_choices(_THRESHOLDS, 0.01)
        self.forced_box = QCheckBox(tr("Don't count forced moves"))
        self.forced_box.setToolTip(tr("An only move takes no skill"))
        self.speed_slider, self.speed_label = Slider(), label("")
        self.table_combo, self.rate_button = ElidedCombo(), button(tr("Check"))
        self._chosen = ""  # by the user
        self.bar, self.cancel_button = QProgressBar(), button(tr("Cancel"))
        self.hex_edit, self.copy_button = QLineEdit(), button(tr("Copy"))
        focus_by_tab(
            self.forced_box,
            self.speed_slider,
            self.table_combo,
            self.rate_button,
            self.cancel_button,
            self.hex_edit,
            self.copy_button,
        )
        column(
            label(tr("Mark losses of at least (% of the chance)"), "caption"),
            self.threshold_chips,
            self.forced_box,
            8,
            label(tr("Auto-play speed"), "caption"),
            self._speed_row(),
            8,
            label(tr("Rate the moves by"), "caption"),
            self._table_row(),
            8,
            label(trc("field", "Position"), "caption"),
            self._hex_row(),
            8,
            space=4,
            parent=self,
        )
        self.show_progress(None)

    def show_forced(self, left_out: bool, has_rates: bool) -> None:
        """Show whether forced moves are left out of the score; moves without rates have none."""
        with QSignalBlocker(self.forced_box):
            self.forced_box.setChecked(left_out)
        self.forced_box.setEnabled(has_rates)

    def show_speed(self, speed: int) -> None:
        with QSignalBlocker(self.speed_slider):
            self.speed_slider.setValue(speed)
        self.speed_label.setText(_speed_text(speed))

    def show_tables(
        self, names: Sequence[tuple[str, str]], chosen: str, has_search: bool = False
    ) -> None:
        """Offer all tables together or one of them, each as (name, folder), and select a folder.

        What the user chose for this game stays, if it is still there.
        """
        self.table_combo.clear()
        if has_search:
            self.table_combo.addItem(tr("Tables and search"), WHOLE_GAME)
        if names:
            self.table_combo.addItem(tr("All tables"), ALL_TABLES)
        for name, folder in names:
            self.table_combo.addItem(name, folder)
        is_there = self.table_combo.findData(self._chosen) >= 0
        self._select_table(self._chosen if is_there else chosen)
        self.enable(self.rate_button.isEnabled())

    def choose_table(self, folder: str) -> None:
        self._chosen = ""
        self._select_table(folder)

    def _select_table(self, folder: str) -> None:
        indices = [self.table_combo.findData(data) for data in (folder, ALL_TABLES)]
        index = next((i for i in indices if i >= 0), 0)
        if self.table_combo.count():
            self.table_combo.setCurrentIndex(index)

    @property
    def table(self) -> str:
        """The folder of the chosen table, `ALL_TABLES`, or "" if there is no table."""
        return str(self.table_combo.currentData() or "")

    def show_checks(self, has_rates: bool) -> None:
        self.rate_button.setText(tr("Check") if has_rates else trc("verb", "Rate"))
        tip = tr("Compare the game's rates with these, and show these")
        self.rate_button.setToolTip(tip if has_rates else tr("Rate all moves"))

    def enable(self, has_game: bool) -> None:
        self.rate_button.setEnabled(has_game and self.table_combo.count() > 0)
        self.table_combo.setEnabled(self.table_combo.count() > 0)
        self.copy_button.setEnabled(has_game)

    def show_progress(self, share: float | None) -> None:
        is_busy = share is not None
        self.bar.setVisible(is_busy)
        self.cancel_button.setVisible(is_busy)
        self.table_combo.setVisible(not is_busy)
        self.rate_button.setVisible(not is_busy)
        if share is not None:
            self.bar.setValue(int(share * 1000))

    def _speed_row(self) -> QHBoxLayout:
        self.speed_slider.setRange(1, _FASTEST)
        self.speed_slider.setAccessibleName(tr("Moves a second"))
        self.speed_slider.valueChanged.connect(self.show_speed)
        metrics = self.speed_label.fontMetrics()
        self.speed_label.setMinimumWidth(metrics.horizontalAdvance(_speed_text(_FASTEST)))
        return row(placed(self.speed_slider, stretch=1), self.speed_label)

    def _table_row(self) -> QHBoxLayout:
        self.table_combo.setAccessibleName(tr("Tables that rate the moves"))
        self.table_combo.setPlaceholderText(tr("No tables yet"))
        self.table_combo.activated.connect(lambda _: setattr(self, "_chosen", self.table))
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Rating the moves"))
        wide = placed(self.table_combo, stretch=1)
        return row(wide, self.rate_button, self.bar, self.cancel_button)

    def _hex_row(self) -> QHBoxLayout:
        self.hex_edit.setReadOnly(True)
        self.hex_edit.setFont(mono_font())
        self.hex_edit.setAccessibleName(tr("Position as 16 hex digits"))
        return row(placed(self.hex_edit, stretch=1), self.copy_button)


def _speed_text(speed: int) -> str:
    return trn("{n} move/s", "{n} moves/s", speed)
