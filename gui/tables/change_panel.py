"""The base of forms inside a table's card: a heading, fields, and two buttons."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from engine.platform.language import tr
from gui.style.layout import STRETCH, column, placed, row
from gui.widgets.buttons import button
from gui.widgets.labels import Figure, label, line, set_property, show_text


class ChangePanel(QWidget):
    """A form under a card; Esc or Cancel closes it."""

    closed = Signal()

    def __init__(self, title: str, about: str, go: str) -> None:
        super().__init__()
        self.title_label = label(title, "strong")
        self.about_label = label(about, "caption", wraps=True)
        self.note_label = label("", "caption", wraps=True)
        self.go_button = button(go, "primary")
        self.cancel_button = button(tr("Cancel"), work=self.closed)
        self.fields = column(space=12)
        self.figures = row(space=24)
        bottom = Qt.AlignmentFlag.AlignBottom
        column(
            line(),
            column(self.title_label, self.about_label, space=2),
            self.fields,
            self.note_label,
            row(
                self.figures,
                STRETCH,
                placed(self.cancel_button, align=bottom),
                placed(self.go_button, align=bottom),
                space=6,
            ),
            space=12,
            margins=(0, 4, 4, 4),
            parent=self,
        )

    def add_figures(self, *figures: Figure) -> None:
        for figure in figures:
            self.figures.addWidget(figure, 0, Qt.AlignmentFlag.AlignTop)

    def show_note(self, text: str, tone: str = "") -> None:
        show_text(self.note_label, text)
        set_property(self.note_label, "tone", tone)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
