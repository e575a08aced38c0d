"""The options of Review: marks, playback speed, rating table."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

from engine.platform.language import mark, tr, trc, trn
from gui.style.layout import column, laid_out, placed, row
from gui.style.theme import mono_font
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.elided import ElidedCombo
from gui.widgets.labels import label
from gui.widgets.slider import Slider

ALL_TABLES = "all"
"""Stands for all tables where a folder stands for one."""

WHOLE_GAME = "game"
"""Stands for tables, and search where they do not know."""

SLOWEST, FASTEST = 1, 30
MIN_LOSSES = (0.0, 0.001, 0.01, 0.025, 0.1)
_THRESHOLDS = tuple(
    Choice(loss, text, tip=tip)
    for loss, text, tip in zip(
        MIN_LOSSES,
        (mark("All"), "0.1", "1", "2.5", "10"),
        (
            mark("Mark every move that was not perfect"),
            mark("Mark losses of 0.1 % and more"),
            mark("Mark losses of 1 % and more: inaccurate moves and worse"),
            mark("Mark losses of 2.5 % and more: mistakes and worse"),
            mark("Mark losses of 10 % and more: blunders and disasters"),
        ),
        strict=True,
    )
)


class ReviewControls(QWidget):
    """The lower part of the panel; `rating_requested` has a folder, or `ALL_TABLES`."""

    least_loss_chosen = Signal(object)
    forced_toggled = Signal(bool)
    speed_changed = Signal(int)
    rating_requested = Signal(str)
    rating_cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.threshold_chips = ChipGroup(tr("Mark losses of at least, in percent of the chance"))
        self.threshold_chips.set_choices(_THRESHOLDS, 0.01)
        self.threshold_chips.chosen.connect(self.least_loss_chosen)
        for button in self.threshold_chips.buttons.values():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.forced_box = QCheckBox(tr("Don't count forced moves"))
        self.forced_box.setToolTip(tr("An only move takes no skill"))
        self.forced_box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.forced_box.toggled.connect(self.forced_toggled)
        self.speed_slider, self.speed_label = Slider(), label("")
        self.table_combo, self.rate_button = ElidedCombo(), QPushButton(tr("Check"))
        self._chosen = ""  # by the user
        self.table_combo.activated.connect(self._note_choice)
        self.bar, self.cancel_button = QProgressBar(), QPushButton(tr("Cancel"))
        self.hex_edit, self.copy_button = QLineEdit(), QPushButton(tr("Copy"))
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

    def show_least_loss(self, loss: float) -> None:
        self.threshold_chips.choose(loss)

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

    def _note_choice(self) -> None:
        self._chosen = self.table

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

    def show_hex(self, text: str) -> None:
        self.hex_edit.setText(text)

    def _speed_row(self) -> QWidget:
        self.speed_slider.setRange(SLOWEST, FASTEST)
        self.speed_slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.speed_slider.setAccessibleName(tr("Moves a second"))
        self.speed_slider.valueChanged.connect(self.show_speed)
        self.speed_slider.valueChanged.connect(self.speed_changed)
        metrics = self.speed_label.fontMetrics()
        self.speed_label.setMinimumWidth(metrics.horizontalAdvance(_speed_text(FASTEST)))
        return _row(self.speed_slider, self.speed_label)

    def _table_row(self) -> QWidget:
        self.table_combo.setAccessibleName(tr("Tables that rate the moves"))
        self.table_combo.setPlaceholderText(tr("No tables yet"))
        self.table_combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Rating the moves"))
        for button in (self.rate_button, self.cancel_button, self.copy_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.rate_button.clicked.connect(lambda: self.rating_requested.emit(self.table))
        self.cancel_button.clicked.connect(self.rating_cancelled)
        row = _row(self.table_combo, self.rate_button)
        layout = row.layout()
        assert layout is not None
        layout.addWidget(self.bar)
        layout.addWidget(self.cancel_button)
        return row

    def _hex_row(self) -> QWidget:
        self.hex_edit.setReadOnly(True)
        self.hex_edit.setFont(mono_font())
        self.hex_edit.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hex_edit.setAccessibleName(tr("Position as 16 hex digits"))
        return _row(self.hex_edit, self.copy_button)


def _speed_text(speed: int) -> str:
    return trn("{n} move/s", "{n} moves/s", speed)


def _row(wide: QWidget, narrow: QWidget) -> QWidget:
    return laid_out(row(placed(wide, stretch=1), narrow))
