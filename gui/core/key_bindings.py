"""The keys of all actions: defaults as the pages set them, what the person chose on top of that.

An action keeps the keys that its page gives it as its defaults. What differs stands in the setting
"shortcuts" and is put on the actions at once whenever that changes; menus, lists of keys, captions
and tool tips read the action and so follow.
"""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from gui.core.key_meanings import keys_of as meant_keys
from gui.core.settings import Settings
from gui.core.shortcuts import Keys, KeyTable, ReadKeys, Shortcut, key_text, read_overrides

SETTING = "shortcuts"
PLACES = "places"
"""The property of an action with the names of the parts of its page where its keys work."""
_PORTABLE = QKeySequence.SequenceFormat.PortableText
_NATIVE = QKeySequence.SequenceFormat.NativeText


def names_of_keys(action: QAction) -> list[str]:
    """Return all keys of an action as the system writes them; what it writes alike stands once.

    In Chinese the two Enter keys have one name.
    """
    return list(dict.fromkeys(keys.toString(_NATIVE) for keys in action.shortcuts()))


def keys_of(action: QAction) -> str:
    """Return all keys of an action as the system writes them, joined by commas."""
    return ", ".join(names_of_keys(action))


def sequences_of(meanings: str) -> list[QKeySequence]:
    """Return the keys of one meaning or several, as Qt takes them; see `gui.core.key_meanings`."""
    return [QKeySequence(key, _PORTABLE) for key in meant_keys(meanings)]


def native(key: str) -> str:
    """Return a key as the system writes it."""
    return QKeySequence(key, _PORTABLE).toString(_NATIVE)


class KeyBindings(QObject):
    """Puts the keys that the person chose on the actions.

    Parameters
    ----------
    settings : Settings

    Attributes
    ----------
    reserved : dict of str to str
        Keys that no action can have, and what they do.

    Signals
    -------
    changed
        An action has other keys, or there are more actions.
    """

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
        """All actions with the keys that they have now."""
        if self._table is None:
            self._table = KeyTable(self._shortcuts, self._read().overrides)
        return self._table

    @property
    def problem(self) -> str:
        """What of the setting cannot be used; to be asked when all actions were added."""
        return self._read().problem

    def add(self, page: str, title: str, action: QAction, text: str = "") -> None:
        """Make the keys of an action changeable; what it has now are its defaults.

        Parameters
        ----------
        page : str
            The first part of its id, lower case; `WINDOW` when it works on every page.
        title : str
            The page as people read it.
        action : QAction
            Its object name is the second part of its id. Without one, its keys stay as they are.
        text : str
            What it is called here; its own text when not given.
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

    def choose(self, overrides: Mapping[str, Keys]) -> None:
        """Use these keys, and the defaults for all other actions."""
        chosen = {id_: list(keys) for id_, keys in overrides.items()}
        # Actions of a later version keep theirs until that runs again.
        self._settings.set(SETTING, {**self._read().unknown, **chosen})

    def forget_unknown(self) -> None:
        """Let go of what the setting has that cannot be used."""
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
