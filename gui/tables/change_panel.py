"""The base of forms inside a table's card: a heading, fields, and two buttons."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from engine.platform.language import tr
from gui.widgets.labels import Figure, label, line, set_property


class ChangePanel(QWidget):
    """A form under a card; Esc or Cancel closes it.

    Signals
    -------
    closed : the user cancels
    """

    closed = Signal()

    def __init__(self, title: str, about: str, button: str) -> None:
        super().__init__()
        self.title_label = label(title, "strong")
        self.about_label = label(about, "caption", wraps=True)
        self.note_label = label("", "caption", wraps=True)
        self.go_button = QPushButton(button)
        self.go_button.setProperty("primary", True)
        self.cancel_button = QPushButton(tr("Cancel"))
        self.cancel_button.clicked.connect(self.closed)
        self.fields = QVBoxLayout()
        self.fields.setSpacing(12)
        self.figures = QHBoxLayout()
        self.figures.setSpacing(24)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 4, 4)
        column.setSpacing(12)
        column.addWidget(line())
        titles = QVBoxLayout()
        titles.setSpacing(2)
        titles.addWidget(self.title_label)
        titles.addWidget(self.about_label)
        column.addLayout(titles)
        column.addLayout(self.fields)
        column.addWidget(self.note_label)
        foot = QHBoxLayout()
        foot.setSpacing(6)
        foot.addLayout(self.figures)
        foot.addStretch()
        bottom = Qt.AlignmentFlag.AlignBottom
        foot.addWidget(self.cancel_button, 0, bottom)
        foot.addWidget(self.go_button, 0, bottom)
        column.addLayout(foot)

    def add_figures(self, *figures: Figure) -> None:
        """Show quantities beside the buttons."""
        for figure in figures:
            self.figures.addWidget(figure, 0, Qt.AlignmentFlag.AlignTop)

    def show_note(self, text: str, tone: str = "") -> None:
        """Show the button's effect, or why it is disabled."""
        self.note_label.setText(text)
        self.note_label.setVisible(bool(text))
        set_property(self.note_label, "tone", tone)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Close on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
