"""Actions of a page with a board: names, keys and icons as one table."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from engine.platform.language import tr
from gui.keys.key_bindings import give_keys
from gui.keys.key_meanings import caption_of
from gui.style.icons import PLAIN, icon

# Actions that move, and their directions: LEFT RIGHT UP DOWN.
MOVES = {"left": 0, "right": 1, "up": 2, "down": 3}
_ON_WHOLE_PAGE = re.compile(r"Ctrl\+|F\d")
_TINTS = {"best": "best_move"}  # icons in a color of the theme


@dataclass(frozen=True)
class ActionSpec:
    """One action, and what its keys mean on all pages; see `gui.keys.key_meanings`.

    Plain keys work while the board has the focus, Ctrl keys on the whole page. `caption` is the
    name under the icon where that of the meaning says too little. Texts are in English, marked.
    `group` is the place in the bar under the board, None for none.
    """

    name: str
    text: str
    icon_name: str
    meaning: str
    checkable: bool = False
    repeats: bool = True
    caption: str = ""
    group: int | None = None


def make_actions(specs: Sequence[ActionSpec], page: QWidget, board: QWidget) -> dict[str, QAction]:
    """Return the actions by name.

    Parameters
    ----------
    page, board : QWidget
        Where shortcuts work. All of them live on the board, so that Space still presses a button
        that has the focus; those with Ctrl work on the whole page, where a text field keeps its
        own Ctrl+C and Ctrl+V, and so do the F keys.
    """
    actions = {}
    for spec in specs:
        action = QAction(tr(spec.text), page)
        if spec.icon_name:
            action.setIcon(icon(spec.icon_name, _TINTS.get(spec.icon_name, PLAIN)))
        action.setObjectName(spec.name)
        give_keys(action, spec.meaning)
        action.setIconText(tr(spec.caption) or caption_of(spec.meaning) or tr(spec.text))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setCheckable(spec.checkable)
        action.setAutoRepeat(spec.repeats)
        board.addAction(action)
        spread = partial(_spread, action, page)
        action.changed.connect(spread)  # its keys may be others
        spread()
        actions[spec.name] = action
    return actions


def _spread(action: QAction, page: QWidget) -> None:
    """Make an action work on the whole page or only on the board, depending on its keys."""
    texts = [key.toString(QKeySequence.SequenceFormat.PortableText) for key in action.shortcuts()]
    is_wide = any(_ON_WHOLE_PAGE.match(text) for text in texts)
    if is_wide != (page in action.associatedObjects()):
        (page.addAction if is_wide else page.removeAction)(action)


@dataclass(frozen=True)
class Toggle:
    """An action that starts something and, while that runs, stops it; texts are marked."""

    name: str
    start_text: str
    stop_text: str


class ToggleLook:
    """The icon and the texts of such an action."""

    def __init__(self, actions: dict[str, QAction], toggle: Toggle) -> None:
        self._action, self._toggle = actions[toggle.name], toggle
        self._is_running = False
        self._draw()

    def show_running(self, running: bool) -> None:
        """Update the action to its next effect."""
        if running != self._is_running:
            self._is_running = running
            self._draw()

    def _draw(self) -> None:
        action, toggle, is_running = self._action, self._toggle, self._is_running
        action.setIcon(icon("stop" if is_running else "play"))
        action.setText(tr(toggle.stop_text if is_running else toggle.start_text))
        action.setIconText(tr("Stop") if is_running else tr("Play"))
