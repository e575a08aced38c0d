"""The history and its actions: save it, open a recording, play it back."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from engine.platform.language import tr, trn
from gui.practice.history_list import GradeOf, HistoryList
from gui.style.layout import column, placed, row
from gui.widgets.labels import label


class LinePanel(QWidget):
    """The list, the buttons under it, and the summary of the recording.

    Signals
    -------
    recorded_toggled : bool
        Whether the rates of a recording are shown if it has any.
    """

    recorded_toggled = Signal(bool)

    def __init__(self, grade_of: GradeOf) -> None:
        super().__init__()
        self.history = HistoryList(grade_of)
        self.caption = label("", "caption", wraps=True)
        self.save_button, self.open_button = (
            QPushButton(tr("Save as…")),
            QPushButton(tr("Open…")),
        )
        self.play_button = QPushButton(tr("Play back"))
        self.save_button.setToolTip(tr("Save the moves up to here as .json, .rec or .rpl"))
        self.open_button.setToolTip(tr("Open a recording of any kind"))
        self.play_button.setToolTip(tr("Replay the rest of the history, with the same tiles"))
        self.recorded_box = QCheckBox(tr("Show the recorded rates"))
        self.recorded_box.setChecked(True)
        self.recorded_box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.recorded_box.toggled.connect(self.recorded_toggled)
        for button in (self.save_button, self.open_button, self.play_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        column(
            placed(self.history, stretch=1),
            self.caption,
            self.recorded_box,
            row(self.save_button, self.open_button, self.play_button),
            parent=self,
        )
        self.show_recording(0, has_rates=False)

    def show_recording(self, n_moves: int, has_rates: bool) -> None:
        """Show the length of the recording that Save would write, and offer its rates if any."""
        told = trn("Recorded up to here: {n} move.", "Recorded up to here: {n:,} moves.", n_moves)
        self.caption.setText(told if n_moves else "")
        self.save_button.setEnabled(n_moves > 0)
        self.recorded_box.setVisible(has_rates)
