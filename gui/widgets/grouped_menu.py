"""Menus of actions in groups: Move, Explain, Board, History, File, then the others."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from engine.platform.language import tr
from gui.keys.key_bindings import GROUP, MEANING
from gui.keys.key_meanings import FILE, GROUPS, KEYS_ONLY, MEANINGS

_MAX_FLAT, _MIN_SUBMENU = 14, 3
_RANK = {meaning: rank for rank, meaning in enumerate(MEANINGS)}


def grouped(actions: Iterable[QAction]) -> dict[str, list[QAction]]:
    groups: dict[str, list[QAction]] = {title: [] for title in GROUPS}
    for action in actions:
        groups[action.property(GROUP) or ""].append(action)
    return {title: some for title, some in groups.items() if some and title != KEYS_ONLY}


def file_actions(actions: Iterable[QAction]) -> list[QAction]:
    """Return the actions for files, Open before Save."""
    found = grouped(actions).get(FILE, [])
    return sorted(found, key=lambda action: _RANK.get(action.property(MEANING), len(_RANK)))


def clear(menu: QMenu) -> None:
    menu.clear()
    for below in menu.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
        below.deleteLater()


def add_groups(menu: QMenu, actions: Iterable[QAction]) -> None:
    """Add actions to a menu: groups between lines, or in a long menu the large ones as submenus."""
    groups, others = grouped(actions), []
    is_long = sum(map(len, groups.values())) > _MAX_FLAT
    for title, some in groups.items():
        if not is_long:
            menu.addSeparator()
            menu.addActions(some)
        elif title and len(some) >= _MIN_SUBMENU:
            menu.addMenu(tr(title)).addActions(some)
        else:
            others += some
    menu.addSeparator()
    menu.addActions(others)
