"""What to build next: a step up in size."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton

from engine.platform.language import tr
from gui.board.formation_view import FormationView
from gui.home.card import HomeCard, beside
from gui.text.numbers import format_bytes, format_table
from gui.widgets.labels import label

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.plan.next_table import NextTable


class NextCard(HomeCard):
    """A table worth building next, or a link to advice.

    Signals
    -------
    build_requested : str, int
        Formation and target to build.
    advice_requested : the user wants to know what to build
    """

    build_requested = Signal(str, int)
    advice_requested = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Build next"))
        self._next: NextTable | None = None
        self.view = FormationView(72)
        self.name_label = label("", "strong")
        self.size_label = label("", "caption")
        self.text_label = label("", "muted", wraps=True)
        self.button, self.advice_button = (
            QPushButton(tr("Build")),
            QPushButton(tr("Get suggestions")),
        )
        texts = (self.name_label, self.size_label)
        self.content.addLayout(beside(self.view, *texts, button=self.button))
        self.content.addWidget(self.text_label)
        self.content.addWidget(self.advice_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.content.addStretch()
        self.button.clicked.connect(self._build)
        self.advice_button.clicked.connect(self.advice_requested)
        self.show_next(None, None)

    def show_next(self, table: "NextTable | None", formation: "Formation | None") -> None:
        """Show a table; None if no next step is known that fits."""
        self._next = table
        for part in (self.view, self.name_label, self.size_label, self.button):
            part.setVisible(table is not None)
        self.advice_button.setVisible(table is None)
        if table is None:
            self.text_label.setText(
                tr(
                    "The Tables page works out which tables fit this computer and are worth "
                    "building."
                )
            )
            return
        if formation:
            self.view.show_formation(formation)
        self.name_label.setText(format_table(table.pattern, table.target))
        self.size_label.setText(tr("{size} on disk", size=format_bytes(table.n_bytes)))
        self.text_label.setText(table.purpose)

    def _build(self) -> None:
        if table := self._next:
            self.build_requested.emit(table.pattern, table.target)
