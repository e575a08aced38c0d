"""Every action by name: type a few letters, press Return."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QListWidget, QListWidgetItem, QWidget

from engine.language import tr
from gui.shell.overlay import Overlay
from gui.widgets.labels import label


@dataclass(frozen=True)
class Command:
    """One line of the palette: where it belongs, the action, and what to do before it."""

    place: str
    action: QAction
    prepare: Callable[[], None] | None = None  # brings the page to the front

    @property
    def text(self) -> str:
        """The name, without the mnemonic mark."""
        return self.action.text().replace("&", "").rstrip(".\u2026")

    @property
    def keys(self) -> str:
        """The shortcut as the system writes it."""
        return self.action.shortcut().toString(self.action.shortcut().SequenceFormat.NativeText)


class CommandPalette(Overlay):
    """A field and a list; `commands` is asked each time so that it is never out of date."""

    def __init__(self, window: QWidget, commands: Callable[[], Sequence[Command]]) -> None:
        super().__init__(window)
        self._commands_of = commands
        self._commands: list[Command] = []
        self.edit = QLineEdit(placeholderText=tr("What do you want to do?"))
        self.edit.setAccessibleName(tr("Command"))
        self.list = QListWidget()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMinimumHeight(360)
        self.empty_label = label(tr("Nothing is called that."), "muted")
        self.column.addWidget(self.edit)
        self.column.addWidget(self.list)
        self.column.addWidget(self.empty_label)
        self.edit.textChanged.connect(self._filter)
        self.edit.installEventFilter(self)
        self.list.itemClicked.connect(lambda _: self._run())

    def open(self) -> None:
        """Show all commands and wait for letters."""
        found = [command for command in self._commands_of() if command.text]
        # What cannot be done now comes last: it is still there to be found, with its key.
        self._commands = sorted(found, key=lambda command: not command.action.isEnabled())
        self.edit.clear()
        self._filter("")
        super().open()
        self.edit.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Let the arrow keys and Return work while the field has the keyboard."""
        if (
            watched is self.edit
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
        ):
            return self._on_key(event)
        return super().eventFilter(watched, event)

    def _on_key(self, event: QKeyEvent) -> bool:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is not None and self.list.count():
            self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run()
            return True
        return False

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        self.list.clear()
        for command in self._commands:
            haystack = f"{command.place} {command.text}".lower()
            if all(word in haystack for word in words):
                self._add_line(command)
        self.list.setCurrentRow(0)
        self.list.setVisible(self.list.count() > 0)
        self.empty_label.setVisible(self.list.count() == 0)

    def _add_line(self, command: Command) -> None:
        item = QListWidgetItem()
        item.setData(Qt.ItemDataRole.UserRole, command)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, command.text)
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.addWidget(QLabel(command.text))
        layout.addWidget(label(command.place, "caption"))
        layout.addStretch()
        if command.keys:
            layout.addWidget(keycap(command.keys))
        row.setEnabled(command.action.isEnabled())
        item.setSizeHint(QSize(0, row.sizeHint().height() + 14))  # 12 of it are the list's padding
        self.list.addItem(item)
        self.list.setItemWidget(item, row)

    def _run(self) -> None:
        item = self.list.currentItem()
        command = item.data(Qt.ItemDataRole.UserRole) if item else None
        if not isinstance(command, Command) or not command.action.isEnabled():
            return
        self.close_overlay()
        if command.prepare:
            command.prepare()
        command.action.trigger()


def keycap(keys: str) -> QLabel:
    """Return a label that looks like a key."""
    cap = QLabel(keys)
    cap.setObjectName("keycap")
    return cap
