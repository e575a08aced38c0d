"""The empty state of a page: its purpose, and the button to start."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from gui.style.layout import STRETCH, column, laid_out, placed, row
from gui.widgets import buttons
from gui.widgets.labels import label

_BAR_PX, _TEXT_PX = 240, 440


class EmptyState(QWidget):
    """A title, a sentence, perhaps a button, and a second one for what fewer people want.

    They stand where the content will be: in the middle, a little above the center.
    """

    clicked = Signal()
    other_clicked = Signal()

    def __init__(self, title: str, text: str, button: str = "", other: str = "") -> None:
        super().__init__()
        self.title_label = label(title, "title", wraps=True)
        self.text_label = label(text, "muted", wraps=True)
        for part in (self.title_label, self.text_label):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setFixedWidth(_BAR_PX)
        self.bar.hide()
        self.button = buttons.button(button, "primary", work=self.clicked)
        self.other_button = buttons.button(other, work=self.other_clicked)
        for widget in (self.button, self.other_button):
            if not widget.text():
                widget.hide()
        inside = laid_out(
            column(
                placed(STRETCH, 2),
                self.title_label,
                self.text_label,
                placed(self.bar, align=Qt.AlignmentFlag.AlignHCenter),
                8,
                row(STRETCH, self.button, self.other_button, STRETCH),
                placed(STRETCH, 3),
            )
        )
        inside.setMaximumWidth(_TEXT_PX)
        row(STRETCH, placed(inside, 100), STRETCH, margins=(24, 32, 24, 32), parent=self)

    def show_progress(self, n: int, n_wanted: int) -> None:
        self.bar.setMaximum(n_wanted)
        self.bar.setValue(n)
        self.bar.setVisible(n > 0)
