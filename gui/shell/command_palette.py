"""Every action by name: type a few letters, press Return."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from engine.platform.language import tr
from gui.style.theme import CAPTION, resized
from gui.widgets.labels import label
from gui.widgets.overlay import Overlay

_COMMAND = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
_ROOM_PX = 22  # above and below the words of a line, together
_MARGIN, _GAP, _CAP_MARGIN = 16, 8, 6
_LIST_PX = 360


@dataclass(frozen=True)
class Command:
    """One line of the palette: its place, the action, and what to do before it."""

    place: str
    action: QAction
    prepare: Callable[[], None] | None = None  # brings the page to the front
    former_name: str = ""  # also finds it

    @property
    def text(self) -> str:
        return self.action.text().replace("&", "").rstrip(".\u2026")

    @property
    def names(self) -> str:
        """All its searchable names, in lower case, including its button and its page."""
        names = (self.place, self.text, self.action.iconText(), self.former_name)
        return " ".join(names).lower()

    @property
    def keys(self) -> str:
        return self.action.shortcut().toString(self.action.shortcut().SequenceFormat.NativeText)


class _Commands(QAbstractListModel):
    """The commands that match the typed text."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._found: Sequence[Command] = ()

    def show(self, found: Sequence[Command]) -> None:
        self.beginResetModel()
        self._found = found
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self._found)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        command = self._found[index.row()]
        if role == _COMMAND:
            return command
        return command.text if role == Qt.ItemDataRole.AccessibleTextRole else None


class _CommandLine(QStyledItemDelegate):
    """Draws a command: its name, its place, its key; only visible ones are drawn.

    Widgets would do the same, but hundreds of them take half a second.
    """

    def sizeHint(self, option: QStyleOptionViewItem, _index: _Index) -> QSize:  # noqa: N802
        return QSize(0, option.fontMetrics.height() + _ROOM_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        super().paint(painter, option, index)
        command = index.data(_COMMAND)
        palette = option.palette
        muted, ink = palette.color(QPalette.ColorRole.PlaceholderText), palette.text().color()
        small = resized(option.font, CAPTION)
        room = option.rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        painter.save()
        if command.keys:
            painter.setFont(small)
            room.setRight(self._draw_key(painter, room, command.keys, palette) - _GAP)
        painter.setFont(option.font)
        painter.setPen(ink if command.action.isEnabled() else muted)
        right = Qt.TextElideMode.ElideRight
        name = option.fontMetrics.elidedText(command.text, right, room.width())
        middle = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, int(middle), name)
        room.setLeft(room.left() + option.fontMetrics.horizontalAdvance(name) + _GAP)
        painter.setFont(small)
        painter.setPen(muted)
        place = QFontMetrics(small).elidedText(command.place, right, room.width())
        painter.drawText(room, int(middle), place)
        painter.restore()

    def _draw_key(self, painter: QPainter, room: QRect, keys: str, palette: QPalette) -> int:
        metrics = painter.fontMetrics()
        width, height = metrics.horizontalAdvance(keys) + 2 * _CAP_MARGIN, metrics.height() + 5
        cap = QRect(0, 0, width, height)
        cap.moveCenter(room.center())
        cap.moveRight(room.right())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(palette.color(QPalette.ColorRole.Mid))
        painter.setBrush(palette.base())
        painter.drawRoundedRect(cap, 4, 4)
        painter.setPen(palette.text().color())
        painter.drawText(cap, int(Qt.AlignmentFlag.AlignCenter), keys)
        return cap.left()


class _CommandList(QListView):
    """A list as high as nine or ten lines, if there is room."""

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(0, _LIST_PX)


class CommandPalette(Overlay):
    """A field and a list; `commands` is called each time so that it is never out of date."""

    def __init__(self, window: QWidget, commands: Callable[[], Sequence[Command]]) -> None:
        super().__init__(window)
        self._commands_of = commands
        self._commands: list[Command] = []
        self.found: list[Command] = []
        self.edit = QLineEdit(placeholderText=tr("What do you want to do?"))
        self.edit.setAccessibleName(tr("Command"))
        self._rows = _Commands(self)
        self.list = _CommandList()
        self.list.setModel(self._rows)
        self.list.setItemDelegate(_CommandLine(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.empty_label = label(tr("No matching command."), "muted")
        for part in (self.edit, self.list, self.empty_label):
            self.column.addWidget(part)
        self.edit.textChanged.connect(self._filter)
        self.edit.installEventFilter(self)
        self.list.clicked.connect(lambda _: self._run())

    @property
    def row(self) -> int:
        """The number of the line that Return runs; -1 without one."""
        return self.list.currentIndex().row()

    def open(self) -> None:
        found = [command for command in self._commands_of() if command.text]
        # Disabled commands come last: they can still be found, with their keys.
        self._commands = sorted(found, key=lambda command: not command.action.isEnabled())
        self.edit.blockSignals(True)
        self.edit.clear()
        self.edit.blockSignals(False)
        self._filter("")
        super().open()
        self.edit.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if (
            watched is self.edit
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
        ):
            return self._on_key(event)
        return super().eventFilter(watched, event)

    def _on_key(self, event: QKeyEvent) -> bool:
        n, key = len(self.found), Qt.Key(event.key())
        if n and (step := {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(key)):
            self._choose((self.row + step) % n)
            return True
        if n and (page := {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}.get(key)):
            row_px = self.list.visualRect(self._rows.index(0)).height()
            to = self.row + page * max(1, self.list.viewport().height() // row_px)
            self._choose(max(0, min(to, n - 1)))
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run()
            return True
        return False

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        self.found = [
            command for command in self._commands if all(word in command.names for word in words)
        ]
        self._rows.show(self.found)
        self._choose(0)
        self.list.setVisible(bool(self.found))
        self.empty_label.setVisible(not self.found)

    def _choose(self, row: int) -> None:
        self.list.setCurrentIndex(self._rows.index(row))

    def _run(self) -> None:
        command = self.found[self.row] if self.found else None
        if command is None or not command.action.isEnabled():
            return
        self.close_overlay()
        if command.prepare:
            command.prepare()
        command.action.trigger()
