"""One key, one meaning: the meaning of every key, on any page.

Actions name a meaning, never a key, so no two pages can give one key two meanings. The preset is
for users of 2048EndgameTablebase: the keys that they know, wherever we have the action.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from engine.platform.language import mark, tr

Keys = tuple[str, ...]
# The key itself: Qt calls the command key Ctrl on a Mac, where it switches programs with Tab.
_CONTROL = "Meta" if sys.platform == "darwin" else "Ctrl"  # no text


@dataclass(frozen=True)
class Meaning:
    """A meaning and its keys."""

    keys: Keys  # the first one is shown under the icon
    caption: str = ""  # the name under the icon, if there is one; a word or two, in English


FILE = mark("File")
KEYS_ONLY = "keys"  # no text: they are tried before they are looked up; as entries only noise
_REST = ""
_GROUPS: Mapping[str, Mapping[str, Meaning]] = {
    mark("Move"): {
        "undo": Meaning(("Backspace", "Ctrl+Z"), mark("Undo")),
        "redo": Meaning(("Ctrl+Y", "Ctrl+Shift+Z"), mark("Redo")),
        "best": Meaning(("Enter", "Return"), mark("Best move")),
        "run": Meaning(("Space",), mark("Play")),
        "new": Meaning(("N", "Ctrl+N"), mark("New")),
        "again": Meaning(("Shift+N",), mark("Again")),
        "varied": Meaning(("Ctrl+Shift+N",), mark("Varied")),
        "daily": Meaning(("Shift+D",), mark("Daily")),
        "bomb": Meaning(("1",), mark("Bomb")),
        "glove": Meaning(("2",), mark("Glove")),
        "twist": Meaning(("3",), mark("Twist")),
    },
    mark("Explain"): {
        "hint": Meaning(("B",), mark("Hint")),
        "why": Meaning(("Y",), mark("Why")),
        "why_plies": Meaning(("Shift+Y",)),
        "why_tile": Meaning(("T",)),
        "why_left": Meaning(("Alt+Left",)),
        "why_right": Meaning(("Alt+Right",)),
        "why_up": Meaning(("Alt+Up",)),
        "why_down": Meaning(("Alt+Down",)),
        "compare": Meaning(("O",), mark("Compare")),
        "hide": Meaning(("X",), mark("Hide")),
        "peek": Meaning(("C",), mark("Look")),
    },
    mark("Board"): {
        "rotate_right": Meaning(("R",), mark("Rotate right")),
        "rotate_left": Meaning(("Shift+R",), mark("Rotate left")),
        "flip_sideways": Meaning(("F",), mark("Flip")),
        "flip_over": Meaning(("Shift+F",), mark("Flip over")),
        "edit": Meaning(("E", "F2"), mark("Edit")),
        "go_to": Meaning(("G",), mark("Go to")),
        "by_hand": Meaning(("Q",)),
        "copy": Meaning(("Ctrl+C",), mark("Copy")),
        "copy_text": Meaning(("Ctrl+Shift+C",)),
        "paste": Meaning(("Ctrl+V",), mark("Paste")),
        "picture": Meaning(("Z",), mark("Picture")),
        "save_picture": Meaning(("Shift+Z",)),
        "read_picture": Meaning(("Ctrl+Shift+V",)),
    },
    mark("History"): {
        "first": Meaning(("Home",), mark("Start")),
        "last": Meaning(("End",), mark("End")),
        "back_ten": Meaning(("PgUp",)),
        "forward_ten": Meaning(("PgDown",)),
        "previous_mark": Meaning((",",), mark("\u2039 Mistake")),
        "next_mark": Meaning((".",), mark("Mistake \u203a")),
        "variation": Meaning(("V",)),
        "bookmark": Meaning(("M",)),
        "next_bookmark": Meaning(("Shift+M",)),
        "play_back": Meaning(("P",), mark("Play back")),
        "history": Meaning(("Ctrl+H",), mark("History")),
    },
    FILE: {
        "open": Meaning(("Ctrl+O",), mark("Open")),
        "open_folder": Meaning(("Ctrl+Shift+O",)),
        "latest": Meaning(("Ctrl+L",)),
        "import": Meaning(("Ctrl+I",)),
        "save": Meaning(("Ctrl+S",), mark("Save")),
        "save_other": Meaning(("Ctrl+Shift+S",)),
        "export": Meaning(("Ctrl+E",), mark("Export")),
        "report": Meaning(("Ctrl+Shift+R",)),
    },
    _REST: {
        "delete": Meaning(("Delete",), mark("Delete")),
        "read": Meaning(("I",)),
        "practice": Meaning(("Ctrl+P",), mark("Practice")),
        "situation": Meaning(("Ctrl+Shift+P",), mark("Play ten times")),
        "review": Meaning(("Ctrl+R",), mark("Review")),
        "test": Meaning(("Ctrl+T",), mark("Test")),
        "continue": Meaning(("Ctrl+Return",)),
        "drill": Meaning(("Ctrl+M",), mark("Drill")),
        "train": Meaning(("Ctrl+Shift+T",), mark("Train")),
        "play_chosen": Meaning(("Shift+Return",)),
        "search": Meaning(("Ctrl+F",)),
        "next_hit": Meaning(("F3",)),
        "previous_hit": Meaning(("Shift+F3",)),
        "refresh": Meaning(("F5",), mark("Refresh")),
        "build": Meaning(("Ctrl+B",), mark("Build")),
        "cancel": Meaning(("Ctrl+.",), mark("Cancel")),
        "retire": Meaning(("U",), mark("Retire")),
        "view_1": Meaning(("Ctrl+1",)),
        "view_2": Meaning(("Ctrl+2",)),
        "view_3": Meaning(("Ctrl+3",)),
        "next_tab": Meaning((f"{_CONTROL}+Tab",)),
        "previous_tab": Meaning((f"{_CONTROL}+Shift+Tab",)),
        "find": Meaning(("Ctrl+K",)),
        "keys": Meaning(("?",)),
        "help": Meaning(("F1",)),
        "theme": Meaning(("Ctrl+D",)),
        "full_screen": Meaning(("F11",)),
        "quit": Meaning(("Ctrl+Q",)),
    },
    KEYS_ONLY: {
        "left": Meaning(("Left", "A", "H"), mark("Left")),
        "right": Meaning(("Right", "D", "L"), mark("Right")),
        "up": Meaning(("Up", "W", "K"), mark("Up")),
        "down": Meaning(("Down", "S", "J"), mark("Down")),
        "stop": Meaning(("Esc",), mark("Stop")),
        "tab_1": Meaning(("F6",)),
        "tab_2": Meaning(("F7",)),
        "tab_3": Meaning(("F8",)),
    },
}
MEANINGS: Mapping[str, Meaning] = MappingProxyType(
    {name: meaning for group in _GROUPS.values() for name, meaning in group.items()}
)
GROUP_OF = {name: title for title, group in _GROUPS.items() for name in group}
GROUPS = tuple(_GROUPS)
"""The groups of menus, in their order: marked titles, then two that are no groups."""


def keys_of(meanings: str) -> Keys:
    """Return the keys of one meaning, or of several separated by blanks.

    >>> keys_of("previous_mark up")
    (',', 'Up', 'W', 'K')
    """
    return tuple(key for meaning in meanings.split() for key in MEANINGS[meaning].keys)


def caption_of(meanings: str) -> str:
    first = meanings.split()[:1]
    return tr(MEANINGS[first[0]].caption) if first else ""


REFERENCE_KEYS: Mapping[str, Keys] = MappingProxyType(
    {
        "game.undo": ("Backspace", "Del", "Ctrl+Z"),  # no text
        "game.auto": ("P",),
        "game.step": ("Return", "Enter", "Space"),  # no text
        "practice.undo": ("Backspace", "Del", "Ctrl+Z"),  # no text
        "test.restart": ("R", "N", "Ctrl+N"),
        "test.focus": ("F", "X"),
        "mistakes.delete": ("Del", "Backspace"),  # no text
        "mistakes.undo": ("Ctrl+Z",),
        "review.forward": ("Return", "Enter", "Right", "D", "L"),  # no text
        "review.back": ("Backspace", "Del", "Left", "A", "H"),  # no text
    }
)
"""The keys of 2048EndgameTablebase where ours are others, by action."""
