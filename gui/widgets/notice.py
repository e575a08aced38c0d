"""A card that shows a message and offers a remedy."""

from dataclasses import dataclass, field

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton

from engine.platform.language import mark, tr
from gui.style.layout import STRETCH, clear_layout, column, row
from gui.table_work.builds import Builds
from gui.widgets.buttons import button

KEEP = "keep"
"""The remedy that leaves everything as it is, of a question that Enter and Esc answer."""
ANSWER_KEYS = mark("Enter starts it, Esc keeps playing.")


@dataclass(frozen=True)
class Message:
    """The words of a notice; `remedies` maps the name of an action to the label of its button.

    They may be constants in English, marked: the notice translates them.
    """

    title: str
    text: str = ""
    remedies: dict[str, str] = field(default_factory=dict)


_BEING_BUILT = Message(
    mark("Your table is being built"),
    mark("It opens here by itself."),
    {"tables": mark("Show tables")},
)


class Notice(QFrame):
    """A title, a sentence and a button or two."""

    remedy_clicked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("notice")
        self.title_label = QLabel()
        self.title_label.setProperty("role", "strong")
        self.text_label = QLabel()
        for label in (self.title_label, self.text_label):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.text_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text_label.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a click leaves the board its keys
        self.buttons: list[QPushButton] = []
        self._button_row = row()
        column(
            STRETCH,
            self.title_label,
            self.text_label,
            8,
            self._button_row,
            STRETCH,
            margins=(16, 24, 16, 24),
            parent=self,
        )

    def offers(self, name: str) -> bool:
        return any(remedy.objectName() == name for remedy in self.buttons)

    def show_message(self, message: Message) -> None:
        """Show a message; its first button is the primary one."""
        self.title_label.setText(tr(message.title))
        self.text_label.setText(tr(message.text))
        self.text_label.setVisible(bool(message.text))
        self._set_buttons(message.remedies)

    def _set_buttons(self, remedies: dict[str, str]) -> None:
        texts = {name: tr(label) for name, label in remedies.items()}
        if {remedy.objectName(): remedy.text() for remedy in self.buttons} == texts:
            return
        clear_layout(self._button_row)
        self.buttons = []
        self._button_row.addStretch()
        for name, text in texts.items():
            remedy = button(text, "" if self.buttons else "primary", by_tab=True)
            remedy.setObjectName(name)
            remedy.clicked.connect(lambda _=False, n=name: self.remedy_clicked.emit(n))
            self._button_row.addWidget(remedy)
            self.buttons.append(remedy)
        self._button_row.addStretch()


class Invitation(Notice):
    """The invitation of a page that needs a table; while one is built, the page waits for it."""

    def __init__(self, message: Message) -> None:
        super().__init__()
        self._message = message
        self.show_message(message)

    def follow(self, builds: Builds) -> None:
        self._builds = builds
        builds.changed.connect(self._show_builds)
        self._show_builds()

    def _show_builds(self) -> None:
        self.show_message(_BEING_BUILT if self._builds.current else self._message)
