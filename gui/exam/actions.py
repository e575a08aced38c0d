"""The actions of the test page."""

from collections.abc import Mapping

from PySide6.QtGui import QAction

from gui.exam.controller import ExamController
from gui.widgets.board_actions import MOVES, ActionSpec

SPECS = (
    ActionSpec("undo", "Take the last move back", "undo", ("Backspace", "Ctrl+Z")),
    ActionSpec("restart", "Keep this test and begin anew", "refresh", ("R",), repeats=False),
    ActionSpec("rematch", "The same start and tiles again", "repeat", ("Shift+R",), repeats=False),
    ActionSpec("new_start", "Begin at a random start", "dice", ("Home",), repeats=False),
    ActionSpec("focus", "Focus: hide the hints", "hide", ("F",), checkable=True, repeats=False),
    ActionSpec("review", "Review this test", "review", ("V",), repeats=False),
    ActionSpec("practice", "Practise this position", "practice", ("P",), repeats=False),
    ActionSpec("history", "History of tests", "clock", ("Ctrl+H",), checkable=True, repeats=False),
    ActionSpec("export", "Save as .rpl for other programs", "save", ("Ctrl+S",), repeats=False),
    ActionSpec("log", "Save as a text to read", "", ("Ctrl+Shift+S",), repeats=False),
    ActionSpec("copy", "Copy the position", "copy", ("Ctrl+C",), repeats=False),
    ActionSpec("paste", "Start at the position on the clipboard", "", ("Ctrl+V",), repeats=False),
    ActionSpec("left", "Move left", "", ("Left", "A", "H")),
    ActionSpec("right", "Move right", "", ("Right", "D", "L")),
    ActionSpec("up", "Move up", "", ("Up", "W", "K")),
    ActionSpec("down", "Move down", "", ("Down", "S", "J")),
)
GROUPS = (
    ("undo", "restart", "rematch", "new_start"),
    ("focus",),
    ("review", "practice", "history"),
    ("copy", "export"),
)


def enable(actions: Mapping[str, QAction], examiner: ExamController, is_seen: bool) -> None:
    """Let only those actions be chosen that do something now; `is_seen`: the board can be seen."""
    session = examiner.session
    for name, action in actions.items():
        if name not in ("focus", "history"):
            action.setEnabled(is_seen and session is not None)
    for name in MOVES:
        actions[name].setEnabled(is_seen and examiner.is_playing)
    has_moves = is_seen and bool(session and session.n_moves)
    for name in ("rematch", "review", "export", "log"):
        actions[name].setEnabled(has_moves)
    actions["undo"].setEnabled(is_seen and examiner.can_undo)
    is_open = examiner.table is not None
    for name in ("restart", "new_start", "paste"):
        actions[name].setEnabled(is_seen and is_open)
