"""Keyboard shortcuts: defaults, the user's changes, and conflicts between actions.

A key is written as Qt writes it in files: `Ctrl+Shift+S`, `PgUp`, `?`. One press, no sequences.
An action is named `PAGE.NAME` and those of the window `window.NAME`; these names are permanent, as
files contain them.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from engine.platform.errors import AppError
from engine.platform.language import listed, sentences, tr

WINDOW = "window"
"""The page whose keys work on every page."""
_PORTABLE = QKeySequence.SequenceFormat.PortableText
MODIFIER_KEYS = (
    *(Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr),
    *(Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock, Qt.Key.Key_ScrollLock, Qt.Key.Key_unknown),
)
"""Keys that are pressed for the sake of others."""
# Keys of the keypad or a second layout count as the same shortcut.
_NO_MATTER = (Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.GroupSwitchModifier).value
_MODIFIERS = Qt.KeyboardModifier.KeyboardModifierMask.value
_SHIFT = Qt.KeyboardModifier.ShiftModifier.value
_FIRST_NAMED, _SPACE = int(Qt.Key.Key_Escape), int(Qt.Key.Key_Space)
_MAX_LISTED = 5
Keys = tuple[str, ...]


class NoKeyError(AppError, ValueError):
    """A text that names no key."""


def parse(text: str) -> str:
    """Return a key in canonical notation; case and the order of modifiers don't matter.

    Raises NoKeyError if it names no key, or more than one.

    >>> [parse(text) for text in ("shift+ctrl+s", "Delete", "Ctrl++", "Shift+?")]
    ['Ctrl+Shift+S', 'Del', 'Ctrl++', '?']
    """
    sequence = QKeySequence(re.sub(r"(?i)\bpage(?=up|down)", "Pg", text.strip()), _PORTABLE)
    key = key_text(sequence)
    # Qt accepts a repeated modifier.
    if not key or sequence.toString(_PORTABLE).count("+") != text.count("+"):
        said = tr(
            "{text} is not a key; expected one like Ctrl+Shift+S, F5, Left or B", text=repr(text)
        )
        raise NoKeyError(said)
    return key


def key_text(sequence: QKeySequence) -> str:
    """Return the notation of one key press; empty if there is none."""
    presses: Any = sequence  # Qt's stubs do not know that it has items
    if sequence.count() != 1:
        return ""
    press = presses[0].toCombined() & ~_NO_MATTER
    key = press & ~_MODIFIERS
    is_character = key < _FIRST_NAMED and key != _SPACE
    if is_character and not chr(key).isalnum():  # its keys depend on the keyboard
        press &= ~_SHIFT
    text = QKeySequence(press).toString(_PORTABLE)
    is_key = key not in MODIFIER_KEYS and text.isprintable()
    # Qt writes keys without a name, such as dead keys, as unrelated letters.
    return text if is_key and QKeySequence(text, _PORTABLE) == QKeySequence(press) else ""


@dataclass(frozen=True)
class Shortcut:
    """An action and its keys."""

    id: str  # PAGE.NAME
    # The displayed names of the page and the action.
    title: str
    text: str
    defaults: Keys  # the default keys
    # The parts of the page where its keys work; empty for all of it.
    places: frozenset[str] = frozenset()

    @property
    def page(self) -> str:
        return self.id.partition(".")[0]

    def meets(self, other: "Shortcut") -> bool:
        """Return whether there is a place where both would receive the same key."""
        if self.page != other.page:
            return WINDOW in (self.page, other.page)
        return not self.places or not other.places or bool(self.places & other.places)


class KeyTable:
    """All actions and their keys: the defaults, except where changed.

    It is immutable; methods that change a key return the resulting overrides.
    """

    def __init__(
        self, shortcuts: Sequence[Shortcut], overrides: Mapping[str, Keys] | None = None
    ) -> None:
        self.shortcuts = {shortcut.id: shortcut for shortcut in shortcuts}
        chosen = overrides or {}
        self._keys = {action.id: chosen.get(action.id, action.defaults) for action in shortcuts}
        self._users: dict[str, list[Shortcut]] = {}
        for action in shortcuts:
            for key in self._keys[action.id]:
                self._users.setdefault(key, []).append(action)

    @property
    def overrides(self) -> dict[str, Keys]:
        return {id_: keys for id_, keys in self._keys.items() if self.is_changed(id_)}

    def keys(self, id_: str) -> Keys:
        """Return the keys of an action, the first of them the one that buttons show."""
        return self._keys[id_]

    def is_changed(self, id_: str) -> bool:
        return self._keys[id_] != self.shortcuts[id_].defaults

    def rivals(self, id_: str, key: str) -> list[Shortcut]:
        """Return the other actions with a key in places where this one would receive it."""
        own = self.shortcuts[id_]
        users = self._users.get(key, [])
        return [other for other in users if other.id != id_ and other.meets(own)]

    def clashes(self, id_: str) -> dict[str, list[Shortcut]]:
        rivals = {key: self.rivals(id_, key) for key in self._keys[id_]}
        return {key: others for key, others in rivals.items() if others}

    def with_key(self, id_: str, key: str) -> dict[str, Keys]:
        """Add a key to an action, and remove it from conflicting ones."""
        changed: dict[str, Keys] = {
            rival.id: _without(self._keys[rival.id], [key]) for rival in self.rivals(id_, key)
        }
        if key not in self._keys[id_]:
            changed[id_] = (*self._keys[id_], key)
        return self._after(changed)

    def without_key(self, id_: str, key: str) -> dict[str, Keys]:
        return self._after({id_: _without(self._keys[id_], [key])})

    def cleared(self, id_: str) -> dict[str, Keys]:
        return self._after({id_: ()})

    def reset(self, id_: str) -> dict[str, Keys]:
        """Give an action its default keys, and remove them from conflicting ones."""
        defaults = self.shortcuts[id_].defaults
        changed: dict[str, Keys] = {}
        for key in defaults:
            for rival in self.rivals(id_, key):
                if key not in rival.defaults:
                    changed[rival.id] = _without(changed.get(rival.id, self._keys[rival.id]), [key])
        return self._after({**changed, id_: defaults})

    def with_preset(self, preset: Mapping[str, Keys]) -> dict[str, Keys]:
        """Give several actions other keys; keys of the user's own stay where none of those is."""
        own = {id_: self.own_keys(id_) for id_ in preset}
        given = {id_: (*preset[id_], *_without(own[id_], preset[id_])) for id_ in preset}
        after = KeyTable(list(self.shortcuts.values()), {**self._keys, **preset})
        changed = dict(preset)
        for id_, keys in {**self.overrides, **given}.items():
            taken = {key for key in keys for rival in after.rivals(id_, key) if rival.id in preset}
            changed[id_] = _without(keys, taken)
        return self._after(changed)

    def own_keys(self, id_: str) -> Keys:
        return _without(self._keys[id_], self.shortcuts[id_].defaults)

    def _after(self, changed: Mapping[str, Keys]) -> dict[str, Keys]:
        return KeyTable(list(self.shortcuts.values()), {**self._keys, **changed}).overrides


def _without(keys: Keys, gone: Collection[str]) -> Keys:
    return tuple(key for key in keys if key not in gone)


@dataclass(frozen=True)
class ReadKeys:
    """The keys read from a settings file."""

    overrides: dict[str, Keys]  # the keys chosen for existing actions
    unknown: dict[str, Any]  # entries for actions that this version doesn't have, unchanged
    problem: str = ""  # the unusable part, as a sentence; empty if none


def read_overrides(raw: Mapping[str, Any], known: Iterable[str]) -> ReadKeys:
    """Return the stored key choices; invalid ones are left out and reported."""
    ids = set(known)
    overrides: dict[str, Keys] = {}
    unreadable: list[str] = []
    for id_, value in raw.items():
        if id_ not in ids:
            continue
        texts = value if isinstance(value, list) else [value]
        keys: list[str] = []
        for text in texts:
            try:
                keys.append(parse(text if isinstance(text, str) else ""))
            except NoKeyError:
                unreadable.append(tr("{key} of {action}", key=repr(text), action=id_))
        if keys or not texts:
            overrides[id_] = tuple(dict.fromkeys(keys))
    unknown = {id_: value for id_, value in raw.items() if id_ not in ids}
    notes = []
    if unknown:
        names = _list(unknown)
        notes.append(
            tr("Keys for actions that this version doesn't have are kept: {names}.", names=names)
        )
    if unreadable:
        notes.append(tr("Keys that cannot be read are not used: {names}.", names=_list(unreadable)))
    return ReadKeys(overrides, unknown, sentences(*notes))


def _list(names: Iterable[str]) -> str:
    named = list(names)
    text, n_more = listed(named[:_MAX_LISTED]), len(named) - _MAX_LISTED
    return tr("{names} and {n} more", names=text, n=n_more) if n_more > 0 else text
