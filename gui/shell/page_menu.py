"""The menu of a page: its actions in groups, those for files in the File menu."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from engine.platform.language import mark, tr
from gui.keys.key_bindings import MEANING

_FILE = "file"  # no text: the group that the File menu shows
_MOVE = "undo redo best run stop new again varied daily hint bomb glove twist"  # no text: meanings
_EXPLAIN = "why why_left why_right why_up why_down why_tile why_plies compare hide peek"  # no text
_BOARD = "flip_sideways flip_over rotate_left rotate_right edit go_to by_hand"  # no text
_HISTORY = (
    "first last back_ten forward_ten previous_mark next_mark"  # no text
    " variation bookmark next_bookmark play_back"  # no text
)
_COPY = "copy copy_text paste picture save_picture read_picture"  # no text
_FILES = "open open_folder latest import save save_other export report"  # no text
_GROUPS: Mapping[str, str] = MappingProxyType(
    {
        mark("Move"): _MOVE,
        mark("Explain"): _EXPLAIN,
        mark("Board"): _BOARD,
        mark("History"): _HISTORY,
        mark("Copy"): _COPY,
        _FILE: _FILES,
    }
)
_GROUP_OF = {meaning: title for title, text in _GROUPS.items() for meaning in text.split()}
# They are tried before they are looked up, and the panel shows its tabs: as entries only noise.
_ONLY_KEYS = frozenset(("left", "right", "up", "down", "tab_1", "tab_2", "tab_3"))
_MAX_FLAT, _MIN_GROUP = 18, 3


def fill_page_menu(menu: QMenu, actions: Sequence[QAction]) -> None:
    """Add the actions of a page to its menu.

    Large groups are separated by lines, in a long menu they are submenus. Actions for files are
    left to the File menu, and keys that nobody looks for in a menu to the list of keys.
    """
    groups = _grouped(actions)
    groups.pop(_FILE, None)
    is_long = sum(map(len, groups.values())) > _MAX_FLAT
    others: list[QAction] = []
    for title, some in groups.items():
        if not title or len(some) < _MIN_GROUP:
            others += some
        elif is_long:
            menu.addMenu(tr(title)).addActions(some)
        else:
            menu.addSeparator()
            menu.addActions(some)
    menu.addSeparator()
    menu.addActions(others)


def file_actions(actions: Sequence[QAction]) -> list[QAction]:
    """Return the actions of a page that belong into the File menu, Open before Save."""
    found, order = _grouped(actions).get(_FILE, []), _FILES.split()
    return sorted(found, key=lambda action: order.index(action.property(MEANING)))


def opens_files(actions: Sequence[QAction]) -> bool:
    return any(one.property(MEANING) == "open" and one.isEnabled() for one in actions)


def _grouped(actions: Sequence[QAction]) -> dict[str, list[QAction]]:
    groups: dict[str, list[QAction]] = {title: [] for title in (*_GROUPS, "")}
    for action in actions:
        meaning = action.property(MEANING)
        if meaning not in _ONLY_KEYS:
            groups[_GROUP_OF.get(meaning, "")].append(action)
    return {title: some for title, some in groups.items() if some}
