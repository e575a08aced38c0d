"""The analysis under way: which file, how far, how many are left, and a way to stop."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout

from gui.analysis.runs import AnalysisRuns
from gui.text.numbers import format_percent
from gui.widgets.labels import ElidedLabel, label


class AnalysisCard(QFrame):
    """Shown while games are analysed.

    Signals
    -------
    cancel_requested : the person wants to stop
    """

    cancel_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.title_label = ElidedLabel("", "strong")
        self.percent_label = label("", "muted")
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the analysis")
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setToolTip("Stop; what is analysed so far is kept")
        self.cancel_button.clicked.connect(self.cancel_requested)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.title_label, 1)
        head.addWidget(self.percent_label)
        head.addWidget(self.cancel_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 16)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.bar)
        self.hide()

    def show_runs(self, runs: AnalysisRuns) -> None:
        """Show how far the analysis is; hide when there is none."""
        self.setVisible(runs.is_running)
        done, total = runs.done_and_all
        if not runs.is_running or not total:
            return
        name = runs.current.name if runs.current else ""
        number = f" ({min(done + 1, total)} of {total})" if total > 1 else ""
        title = f"Analysing {name}{number}" if name else f"Opening the tables{number}"
        self.title_label.setText("Stopping" if runs.is_cancelling else title)
        fraction = (done + runs.fraction) / total
        self.bar.setValue(int(fraction * 1000))
        self.percent_label.setText(format_percent(min(fraction, 0.99)))
        self.cancel_button.setEnabled(not runs.is_cancelling)
