"""The actions of the practice page: names, keys and icons as one table."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from gui.theme import Theme
from gui.widgets.glyphs import glyph_icon


@dataclass(frozen=True)
class ActionSpec:
    """One action; plain keys work while the board has the focus, Ctrl keys on the whole page."""

    name: str
    text: str
    glyph: str
    keys: tuple[str, ...]
    checkable: bool = False
    repeats: bool = True


SPECS = (
    ActionSpec("undo", "Undo", "undo", ("Backspace", "Ctrl+Z")),
    ActionSpec("redo", "Redo", "redo", ("Ctrl+Y", "Ctrl+Shift+Z")),
    ActionSpec("new_start", "New start", "start", ("Home",), repeats=False),
    ActionSpec("step", "Play the best move", "best", ("Return", "Enter")),
    ActionSpec("demo", "Start the demo", "play", ("Space",), repeats=False),
    ActionSpec("hint", "Show the best move", "hint", ("H",), repeats=False),
    ActionSpec("flip_sideways", "Flip left and right", "flip_sideways", ("F",), repeats=False),
    ActionSpec("flip_over", "Flip up and down", "flip_over", ("Shift+F",), repeats=False),
    ActionSpec("rotate_left", "Rotate left", "rotate_left", ("Shift+R",), repeats=False),
    ActionSpec("rotate_right", "Rotate right", "rotate_right", ("R",), repeats=False),
    ActionSpec("edit", "Edit the board", "edit", ("E",), checkable=True, repeats=False),
    ActionSpec("copy", "Copy the position", "copy", ("Ctrl+C",), repeats=False),
    ActionSpec("paste", "Paste a position", "copy", ("Ctrl+V",), repeats=False),
    ActionSpec("left", "Move left", "", ("Left", "A")),
    ActionSpec("right", "Move right", "", ("Right", "D")),
    ActionSpec("up", "Move up", "", ("Up", "W")),
    ActionSpec("down", "Move down", "", ("Down", "S")),
    ActionSpec("guess", "Guess first: hide the rates", "", ("G",), checkable=True, repeats=False),
)
# Their directions: LEFT RIGHT UP DOWN.
MOVES = {"left": 0, "right": 1, "up": 2, "down": 3}
GROUPS = (
    ("undo", "redo", "new_start"),
    ("step", "demo", "hint"),
    ("flip_sideways", "flip_over", "rotate_left", "rotate_right"),
    ("edit",),
)


# Names of the symmetries in engine.geometry.
TURNS = {
    "flip_sideways": "mirror",
    "flip_over": "flip",
    "rotate_left": "rotate_left",
    "rotate_right": "rotate_right",
}


def make_actions(page: QWidget, board: QWidget) -> dict[str, QAction]:
    """Return the actions by name.

    Parameters
    ----------
    page, board : QWidget
        Where shortcuts work. All of them live on the board, so that Space still presses a button
        that has the focus; those with Ctrl work on the whole page, where a text field keeps its
        own Ctrl+C and Ctrl+V.
    """
    actions = {}
    for spec in SPECS:
        action = QAction(spec.text, page)
        action.setObjectName(spec.name)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setCheckable(spec.checkable)
        action.setAutoRepeat(spec.repeats)
        board.addAction(action)
        if any(key.startswith("Ctrl+") for key in spec.keys):
            page.addAction(action)
        actions[spec.name] = action
    return actions


class ActionIcons:
    """The icons of the actions, in the colors of the theme."""

    def __init__(self, actions: dict[str, QAction], theme: Theme) -> None:
        self._actions, self._is_demo_running = actions, False
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Draw all icons in other colors."""
        self._play, self._stop = glyph_icon("play", theme.text), glyph_icon("stop", theme.text)
        for spec in SPECS:
            if spec.glyph:
                tint = theme.best_move if spec.glyph == "best" else theme.text
                self._actions[spec.name].setIcon(glyph_icon(spec.glyph, tint))
        self._draw_demo()

    def show_demo(self, running: bool) -> None:
        """Let the demo's action say what it does next."""
        if running != self._is_demo_running:
            self._is_demo_running = running
            self._draw_demo()

    def _draw_demo(self) -> None:
        action = self._actions["demo"]
        action.setIcon(self._stop if self._is_demo_running else self._play)
        action.setText("Stop the demo" if self._is_demo_running else "Start the demo")
