"""The card of the shortcuts: find an action, press its new key."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QPushButton, QScrollArea, QWidget

from engine.platform.language import listed, mark, sentences, tr
from gui.keys.key_bindings import KeyBindings, native
from gui.keys.key_meanings import REFERENCE_KEYS
from gui.keys.shortcuts import MODIFIER_KEYS, Keys, Shortcut, key_text
from gui.settings.key_tree import KeyTree
from gui.style.layout import card, clear_layout, column, placed, row
from gui.widgets.buttons import button
from gui.widgets.clearable_edit import ClearableEdit
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import label, line, set_property
from gui.widgets.wheel_filter import WheelFilter

_TREE_PX = 280
_ROOM_PX = 96  # below the field: what may be said about a key
_TEXT = mark(
    "Select an action, press Enter, then press the new key. Esc cancels. Backspace clears the "
    "shortcut."
)
_FIXED = mark(
    "You can't change Esc and Tab, the arrow keys in lists, sliders and charts, or the keys that "
    "move between cells and place tiles while you edit a board."
)
Remedy = tuple[str, Callable[[], object]]
_IDLE, _WAITING = mark("Add a key"), mark("Press the new key")


class ShortcutsCard(QWidget):
    """All actions with their keys, and below them the keys of the chosen one."""

    many_changed = Signal(object, str)  # previous choices, and what was changed, as sentences

    def __init__(self, keys: KeyBindings) -> None:
        super().__init__()
        self._keys, self._is_stale = keys, True
        self.search_edit = ClearableEdit(tr("Find an action or a key"))
        self.tree = KeyTree(native)
        self.tree.setFixedHeight(_TREE_PX)
        self._wheel_guard = WheelFilter(self)
        self._wheel_guard.watch_inside(self.tree)
        self.name_label, self.message_label = label("", "strong", wraps=True), label("", wraps=True)
        self.key_buttons: dict[str, QPushButton] = {}
        self.field = KeyField()
        self.field.setFixedWidth(160)
        self.reset_button = button(
            tr("Reset"),
            tip=tr("Reset the shortcut of this action"),
            work=lambda: self._change(self._keys.table.reset),
        )
        self.reset_all_button = button(
            tr("Reset all"), tip=tr("Reset all shortcuts"), work=lambda: self._choose_all({})
        )
        self.preset_button = button(
            tr("Keys of 2048EndgameTablebase"),
            tip=tr("Use the shortcuts you know from that program"),
            work=lambda: self._choose_all(self._keys.table.with_preset(REFERENCE_KEYS)),
        )
        self.remedies: dict[str, QPushButton] = {}
        self._lay_out()
        self._connect()
        self._show_note("")

    def _lay_out(self) -> None:
        self._caps = QWidget()
        self._flow = FlowLayout(self._caps, space=8)
        self._message = QWidget()
        self._buttons = row()
        row(placed(self.message_label, stretch=1), self._buttons, parent=self._message)
        column(
            card(
                label(tr("Shortcuts"), "strong"),
                label(tr(_TEXT), "muted", wraps=True),
                row(placed(self.search_edit, stretch=1), self.reset_all_button),
                placed(self.preset_button, align=Qt.AlignmentFlag.AlignLeft),
                self.tree,
                self.name_label,
                self._caps,
                self._message,
                line(),
                label(tr(_FIXED), "caption", wraps=True),
            ),
            parent=self,
        )

    def _connect(self) -> None:
        self.search_edit.textChanged.connect(self.tree.seek)
        self.search_edit.installEventFilter(self)
        self.tree.installEventFilter(self)
        self.tree.action_chosen.connect(lambda _: self._show_chosen())
        self.tree.doubleClicked.connect(lambda _: self._edit())
        self.field.pressed.connect(self._take)
        self.field.clear_pressed.connect(self._clear)
        self.field.cancelled.connect(self._leave)
        self.field.refused.connect(lambda text: self._show_note(text, "warning"))
        self._keys.changed.connect(self._on_changed)

    def refresh(self) -> None:
        if self._is_stale:
            self._is_stale = False
            self.tree.show_table(self._keys.table)
            if not self.tree.chosen:
                self.tree.choose_first()
            self._show_chosen()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Move from the search to the list with Down, and from both to the field with Return."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.tree.chosen:
                self._edit()
                return True
            if event.key() == Qt.Key.Key_Down and watched is self.search_edit:
                self.tree.setFocus()
                return True
        return super().eventFilter(watched, event)

    def _on_changed(self) -> None:
        self._is_stale = True
        if self.isVisible():
            self.refresh()

    def _show_chosen(self) -> None:
        id_, table = self.tree.chosen, self._keys.table
        is_action = id_ in table.shortcuts
        for part in (self.name_label, self._caps):
            part.setVisible(is_action)
        self._show_note("")
        self.reset_all_button.setEnabled(bool(table.overrides))
        if not is_action:
            return
        shortcut = table.shortcuts[id_]
        self.name_label.setText(f"{shortcut.text} \N{MIDDLE DOT} {shortcut.title}")
        self._show_keys(id_, table.keys(id_))
        self.reset_button.setEnabled(table.is_changed(id_))
        for key, rivals in table.clashes(id_).items():
            text = tr(
                "{key} does nothing here: it is also the key of {actions}.",
                key=native(key),
                actions=_named(rivals),
            )
            self._show_note(text, "warning")

    def _edit(self) -> None:
        if not self.tree.chosen:
            return
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if isinstance(area, QScrollArea):
            area.ensureWidgetVisible(self.field, 0, _ROOM_PX)
        self.field.setFocus()

    def _show_keys(self, id_: str, keys: Keys) -> None:
        for part in (self.field, self.reset_button):
            self._flow.removeWidget(part)
        clear_layout(self._flow)
        self.key_buttons = {}
        for key in keys:
            remove = tr("Remove {name}", name=native(key))
            cap = button(f"{native(key)}  \N{MULTIPLICATION SIGN}", tip=remove, name=remove)
            cap.clicked.connect(lambda _=False, k=key: self._remove(id_, k))
            self.key_buttons[key] = cap
            self._flow.addWidget(cap)
        for part in (self.field, self.reset_button):
            self._flow.addWidget(part)
            part.show()

    def _take(self, key: str) -> None:
        id_, table = self.tree.chosen, self._keys.table
        if key in self._keys.reserved:
            does = self._keys.reserved[key]
            text = tr("{key} {does}, so you can't use it here.", key=native(key), does=does)
            self._show_note(text, "warning")
        elif key in table.keys(id_):
            self._show_note(tr("{key} already does this.", key=native(key)))
        elif rivals := table.rivals(id_, key):
            replace = (tr("Replace"), lambda: self._use(table.with_key(id_, key)))
            keep = (tr("Keep"), self._leave)
            text = tr(
                "{key} is already used for {actions}.", key=native(key), actions=_named(rivals)
            )
            self._show_note(text, "warning", [replace, keep])
            self.remedies[tr("Replace")].setFocus()
        else:
            self._use(table.with_key(id_, key))

    def _remove(self, id_: str, key: str) -> None:
        self._use(self._keys.table.without_key(id_, key))

    def _clear(self) -> None:
        if self._keys.table.keys(self.tree.chosen):
            self._change(self._keys.table.cleared)
        else:
            self._take("Backspace")  # no text

    def _change(self, change: Callable[[str], Mapping[str, Keys]]) -> None:
        self._use(change(self.tree.chosen))

    def _use(self, overrides: Mapping[str, Keys]) -> None:
        has_focus = self.field.hasFocus()
        self._keys.choose(overrides)
        if not has_focus:
            self.tree.setFocus()

    def _leave(self) -> None:
        self._show_chosen()
        self.tree.setFocus()

    def _choose_all(self, overrides: Mapping[str, Keys]) -> None:
        before = self._keys.table
        self._keys.choose(overrides)
        after = self._keys.table
        ids = [id_ for id_ in before.shortcuts if before.keys(id_) != after.keys(id_)]
        if not ids:
            self._show_note(tr("You already have these keys."))
            return
        actions = _named([before.shortcuts[id_] for id_ in ids])
        facts = [tr("Shortcuts changed: {actions}.", actions=actions)]
        gone = {id_: [k for k in before.own_keys(id_) if k not in after.keys(id_)] for id_ in ids}
        lost = [(key, before.shortcuts[id_]) for id_, keys in gone.items() for key in keys]
        if lost and overrides:
            texts = [f"{native(key)} ({shortcut.text})" for key, shortcut in lost]
            facts.append(tr("Some of your keys do something else now: {keys}.", keys=listed(texts)))
        self.many_changed.emit(before.overrides, sentences(*facts))

    def _show_note(self, text: str, tone: str = "", remedies: list[Remedy] | None = None) -> None:
        clear_layout(self._buttons)
        self.remedies = {}
        for title, work in remedies or ():
            self.remedies[title] = button(title, work=work)
            self._buttons.addWidget(self.remedies[title])
        self.message_label.setText(text)
        set_property(self.message_label, "tone", tone)
        self._message.setVisible(bool(text))


def _named(shortcuts: list[Shortcut]) -> str:
    names = [f"{shortcut.text} ({shortcut.title})" for shortcut in shortcuts[:3]]
    more = len(shortcuts) - len(names)
    return tr("{names} and {n} more", names=listed(names), n=more) if more > 0 else listed(names)


class KeyField(QLineEdit):
    """A field that waits for a key while focused. Tab goes to the next field, as everywhere.

    QKeySequenceEdit does less: it takes Escape, Backspace, Caps Lock and a key held down since
    before it had the focus for shortcuts, writes AltGr and dead keys as letters that they are not,
    responds on key release, and emits the key again on losing the focus.
    """

    pressed = Signal(str)  # a key as `gui.keys.shortcuts.parse` writes it
    clear_pressed = Signal()  # Backspace, alone
    cancelled = Signal()  # Escape, alone
    refused = Signal(str)  # a key that cannot be a shortcut, and why, as a sentence

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setPlaceholderText(tr(_IDLE))
        self.setAccessibleName(tr("New key"))
        self.setAccessibleDescription(
            tr("Press the new key. Escape cancels, Backspace removes all keys of the action.")
        )

    def event(self, event: QEvent) -> bool:
        """Let no shortcut of the window take the key."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        event.accept()
        if event.isAutoRepeat() or event.key() in MODIFIER_KEYS:
            return
        key = key_text(QKeySequence(event.keyCombination()))
        if key == "Esc":
            self.cancelled.emit()
        elif key == "Backspace":
            self.clear_pressed.emit()
        elif key:
            self.pressed.emit(key)
        else:
            self.refused.emit(tr("That key can't be used. Press another one."))

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(event)
        self.setPlaceholderText(tr(_WAITING))

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        self.setPlaceholderText(tr(_IDLE))
