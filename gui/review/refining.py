"""A note that a game is only roughly rated, with the progress and a stop button."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QProgressBar, QPushButton, QWidget

from engine.platform.language import tr
from gui.text.numbers import format_percent
from gui.widgets.labels import label

_STEPS = 1000


class RefiningRow(QWidget):
    """A line, a bar and a button; hidden while nothing is refined.

    Signals
    -------
    cancelled
        The user wants to stop.
    """

    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text_label = label("", "muted", wraps=True)
        self.bar, self.cancel_button = QProgressBar(), QPushButton(tr("Cancel"))
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Rating the moves"))
        self.cancel_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.cancel_button.clicked.connect(self.cancelled)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.addWidget(self.text_label, 0, 0, 1, 2)
        grid.addWidget(self.bar, 1, 0)
        grid.addWidget(self.cancel_button, 1, 1)
        self.hide()

    def show_share(self, share: float | None) -> None:
        """Show the progress; None if nothing is being refined."""
        self.setVisible(share is not None)
        if share is not None:
            done = format_percent(min(share, 0.99))
            self.text_label.setText(
                tr("This is a first look. Its figures may still change: {share} done.", share=done)
            )
            self.bar.setValue(int(share * _STEPS))
