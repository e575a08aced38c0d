"""The suggested next task, and alternatives next to it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from gui.board.formation_view import FormationView
from gui.style.layout import STRETCH, column, placed, row
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import label

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation

_PICTURE_FROM = 420


class Hero(QFrame):
    """A title, a sentence, a big button, and smaller ones for alternatives.

    Signals
    -------
    clicked : the big button was pressed
    practice_clicked, drill_clicked : one of the others was
    """

    clicked = Signal()
    practice_clicked = Signal()
    drill_clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._has_picture = False
        self.view = FormationView(112)
        self.title_label = label("", "title", wraps=True)
        self.text_label = label("", "muted", wraps=True)
        self.button, self.practice_button, self.drill_button = (QPushButton() for _ in range(3))
        self.button.setProperty("primary", True)
        self.button.clicked.connect(self.clicked)
        self.practice_button.clicked.connect(self.practice_clicked)
        self.drill_button.clicked.connect(self.drill_clicked)
        buttons = QWidget()
        flow = FlowLayout(buttons, space=12)
        for button in (self.button, self.practice_button, self.drill_button):
            button.setProperty("large", True)
            flow.addWidget(button)
        row(
            placed(self.view, align=Qt.AlignmentFlag.AlignTop),
            placed(column(self.title_label, self.text_label, 8, buttons, STRETCH), stretch=1),
            space=24,
            margins=24,
            parent=self,
        )
        self.show_others("", "")

    def show_task(self, title: str, text: str, button: str, formation: "Formation | None") -> None:
        """Show what to do next."""
        self.title_label.setText(title)
        self.text_label.setText(text)
        self.button.setText(button)
        self._has_picture = formation is not None
        self._show_picture()
        if formation:
            self.view.show_formation(formation)

    def show_others(self, practice: str, drill: str) -> None:
        """Offer alternatives; "" for none."""
        for button, text in ((self.practice_button, practice), (self.drill_button, drill)):
            button.setText(text)
            button.setVisible(bool(text))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Hide the picture if space is tight."""
        super().resizeEvent(event)
        self._show_picture()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the minimum size without the picture."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), 240), hint.height())

    def _show_picture(self) -> None:
        self.view.setVisible(self._has_picture and self.width() >= _PICTURE_FROM)
