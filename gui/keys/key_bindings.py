"""The keys of all actions: the defaults set by pages, overridden by the user's choices.

The keys that a page gives an action are its defaults. Differences are stored in the setting
"shortcuts" and applied to the actions whenever it changes; menus, key lists, captions and tooltips
read the action and so follow.
"""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from gui.keys.key_meanings import GROUP_OF
from gui.keys.key_meanings import keys_of as meant_keys
from gui.keys.shortcuts import Keys, KeyTable, ReadKeys, Shortcut, key_text, read_overrides
from gui.settings_model.settings import Settings

SETTING = "shortcuts"
PLACES = "places"
"""The property of an action with the names of the parts of its page where its keys work."""
MEANING = "meaning"
"""The property of an action with what its first key means; see `gui.keys.key_meanings`."""
GROUP = "group"
"""The property of an action with its group in menus."""
_PORTABLE = QKeySequence.SequenceFormat.PortableText
_NATIVE = QKeySequence.SequenceFormat.NativeText


def names_of_keys(action: QAction) -> list[str]:
    """Return all keys of an action in the system's notation; the two Enter keys have one name."""
    return list(dict.fromkeys(map(_name, action.shortcuts())))


def keys_of(action: QAction) -> str:
    """Return all keys of an action in the system's notation, joined by commas."""
    return ", ".join(names_of_keys(action))


def sequences_of(meanings: str) -> list[QKeySequence]:
    return [QKeySequence(key, _PORTABLE) for key in meant_keys(meanings)]


def give_keys(action: QAction, meanings: str, group: str = "") -> None:
    """Give an action the keys of one or several meanings, and the group of the first in menus."""
    action.setShortcuts(sequences_of(meanings))
    meaning = (meanings.split() or [""])[0]
    action.setProperty(MEANING, meaning)
    action.setProperty(GROUP, group or GROUP_OF.get(meaning, ""))


def native(key: str) -> str:
    return _name(QKeySequence(key, _PORTABLE))


def _name(keys: QKeySequence) -> str:
    return keys.toString(_NATIVE).replace("Return", "Enter")


class KeyBindings(QObject):
    """Applies the user's keys to the actions."""

    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._actions: dict[str, QAction] = {}
        self._shortcuts: list[Shortcut] = []
        self._table: KeyTable | None = None
        self.reserved: dict[str, str] = {}
        settings.changed.connect(self._follow_setting)

    @property
    def table(self) -> KeyTable:
        if self._table is None:
            self._table = KeyTable(self._shortcuts, self._read().overrides)
        return self._table

    @property
    def problem(self) -> str:
        """The unusable part of the setting; valid once all actions are added."""
        return self._read().problem

    def add(self, page: str, title: str, action: QAction, text: str = "") -> None:
        """Make the keys of an action configurable; its current keys are the defaults.

        `page` is the first part of its id, lower case; `WINDOW` if it works on every page. The
        action's object name is the second part; without one its keys can't be changed.
        """
        if not action.objectName():
            return
        id_ = f"{page}.{action.objectName()}"
        if id_ in self._actions:
            raise ValueError(f"two actions are called {id_}")  # no text
        keys = tuple(key_text(sequence) for sequence in action.shortcuts())
        if "" in keys:
            raise ValueError(f"{id_} has a key that no setting could hold")  # no text
        places = frozenset(action.property(PLACES) or ())
        text = text or action.text().replace("&", "").rstrip(".\u2026")
        shortcut = Shortcut(id_, title, text, keys, places)
        self._actions[id_] = action
        self._shortcuts.append(shortcut)
        self._table = None
        _put(action, KeyTable([shortcut], self._read().overrides).keys(id_))
        self.changed.emit()

    def is_taken(self, key: str) -> bool:
        """Return whether the user has given a key to something, added yet or not."""
        chosen = self._settings.get(SETTING).values()
        return any(key in keys for keys in chosen if isinstance(keys, list))

    def choose(self, overrides: Mapping[str, Keys]) -> None:
        """Use these keys, and the defaults for all other actions."""
        chosen = {id_: list(keys) for id_, keys in overrides.items()}
        # Keys for actions of a later version are preserved for it.
        self._settings.set(SETTING, {**self._read().unknown, **chosen})

    def forget_unknown(self) -> None:
        chosen = {id_: list(keys) for id_, keys in self.table.overrides.items()}
        self._settings.set(SETTING, chosen)

    def _read(self) -> ReadKeys:
        return read_overrides(self._settings.get(SETTING), self._actions)

    def _follow_setting(self, name: str, _value: object) -> None:
        if name != SETTING:
            return
        self._table = None
        for id_, action in self._actions.items():
            _put(action, self.table.keys(id_))
        self.changed.emit()


def _put(action: QAction, keys: Keys) -> None:
    sequences = [QKeySequence(key, _PORTABLE) for key in keys]
    if sequences != action.shortcuts():
        action.setShortcuts(sequences)


def add_key_tip(widget: QWidget, action: QAction) -> None:
    """Make the tooltip of a widget, even if set later, end with the keys of an action."""
    _KeyTip(widget, action)


def add_key_tips(actions: Mapping[str, QAction], widgets: Mapping[str, QWidget]) -> None:
    for name, widget in widgets.items():
        add_key_tip(widget, actions[name])


class _KeyTip(QObject):
    """Watches a widget and an action; lives as long as the widget."""

    def __init__(self, widget: QWidget, action: QAction) -> None:
        super().__init__(widget)
        self._widget, self._action = widget, action
        self._text, self._is_writing = widget.toolTip(), False
        widget.installEventFilter(self)
        action.changed.connect(self._write)
        self._write()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.ToolTipChange and not self._is_writing:
            self._text = self._widget.toolTip()
            self._write()
        return super().eventFilter(watched, event)

    def _write(self) -> None:
        keys, text = keys_of(self._action), self._text
        tip = f"{text} ({keys})" if keys and text else text or keys
        if tip != self._widget.toolTip():
            self._is_writing = True
            self._widget.setToolTip(tip)
            self._is_writing = False
