"""One key, one meaning: what every key means, on whatever page it is pressed.

Actions name a meaning, never a key, so no two pages can give one key two meanings. The preset is
for people who come from 2048EndgameTablebase: the keys that they know, wherever we have the action.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

Keys = tuple[str, ...]


@dataclass(frozen=True)
class Meaning:
    """What some keys mean.

    Attributes
    ----------
    keys : tuple of str
        The first one is shown under the icon.
    caption : str
        The name under the icon, where there is one; a word or two.
    """

    keys: Keys
    caption: str = ""


MEANINGS: Mapping[str, Meaning] = MappingProxyType(
    {
        # Moves
        "left": Meaning(("Left", "A", "H"), "Left"),
        "right": Meaning(("Right", "D", "L"), "Right"),
        "up": Meaning(("Up", "W", "K"), "Up"),
        "down": Meaning(("Down", "S", "J"), "Down"),
        "best": Meaning(("Return", "Enter"), "Best move"),
        "run": Meaning(("Space",), "Play"),
        "stop": Meaning(("Esc",), "Stop"),
        "undo": Meaning(("Backspace", "Ctrl+Z"), "Undo"),
        "redo": Meaning(("Ctrl+Y", "Ctrl+Shift+Z"), "Redo"),
        "delete": Meaning(("Delete",), "Delete"),
        "new": Meaning(("N", "Ctrl+N"), "New"),
        "again": Meaning(("Shift+N",), "Again"),
        "varied": Meaning(("Ctrl+Shift+N",), "Varied"),
        "daily": Meaning(("Shift+D",), "Daily"),
        # Seeing
        "hint": Meaning(("B",), "Hint"),
        "why": Meaning(("Y",), "Why"),
        "why_plies": Meaning(("Shift+Y",)),
        "why_tile": Meaning(("T",)),
        "why_left": Meaning(("Alt+Left",)),
        "why_right": Meaning(("Alt+Right",)),
        "why_up": Meaning(("Alt+Up",)),
        "why_down": Meaning(("Alt+Down",)),
        "hide": Meaning(("X",), "Hide"),
        "peek": Meaning(("C",), "Look"),
        "bomb": Meaning(("1",), "Bomb"),
        "glove": Meaning(("2",), "Glove"),
        "twist": Meaning(("3",), "Twist"),
        # The board
        "rotate_right": Meaning(("R",), "Rotate"),
        "rotate_left": Meaning(("Shift+R",), "Rotate"),
        "flip_sideways": Meaning(("F",), "Flip"),
        "flip_over": Meaning(("Shift+F",), "Flip"),
        "edit": Meaning(("E", "F2"), "Edit"),
        "go_to": Meaning(("G",), "Go to"),
        "by_hand": Meaning(("Q",)),
        "copy": Meaning(("Ctrl+C",), "Copy"),
        "copy_text": Meaning(("Ctrl+Shift+C",)),
        "paste": Meaning(("Ctrl+V",), "Paste"),
        "picture": Meaning(("Z",), "Picture"),
        "save_picture": Meaning(("Shift+Z",)),
        # Where one is in a game
        "first": Meaning(("Home",), "Start"),
        "last": Meaning(("End",), "End"),
        "back_ten": Meaning(("PgUp",)),
        "forward_ten": Meaning(("PgDown",)),
        "previous_mark": Meaning((",",), "Mistake"),
        "next_mark": Meaning((".",), "Mistake"),
        "variation": Meaning(("V",)),
        "bookmark": Meaning(("M",)),
        "next_bookmark": Meaning(("Shift+M",)),
        "play_back": Meaning(("P",), "Play back"),
        # Other pages and files
        "practice": Meaning(("Ctrl+P",), "Practice"),
        "review": Meaning(("Ctrl+R",), "Review"),
        "test": Meaning(("Ctrl+T",), "Test"),
        "continue": Meaning(("Ctrl+Return",)),
        "drill": Meaning(("Ctrl+M",), "Drill"),
        "history": Meaning(("Ctrl+H",), "History"),
        "open": Meaning(("Ctrl+O",), "Open"),
        "open_folder": Meaning(("Ctrl+Shift+O",)),
        "latest": Meaning(("Ctrl+L",)),
        "save": Meaning(("Ctrl+S",), "Save"),
        "save_other": Meaning(("Ctrl+Shift+S",)),
        "export": Meaning(("Ctrl+E",), "Export"),
        "report": Meaning(("Ctrl+Shift+R",)),
        "play_chosen": Meaning(("Shift+Return",)),
        "import": Meaning(("Ctrl+I",)),
        "search": Meaning(("Ctrl+F",)),
        "refresh": Meaning(("F5",), "Refresh"),
        "build": Meaning(("Ctrl+B",), "Build"),
        "cancel": Meaning(("Ctrl+.",), "Cancel"),
        "retire": Meaning(("U",), "Retire"),
        "view_1": Meaning(("Ctrl+1",)),
        "view_2": Meaning(("Ctrl+2",)),
        "view_3": Meaning(("Ctrl+3",)),
        "tab_1": Meaning(("F6",)),
        "tab_2": Meaning(("F7",)),
        "tab_3": Meaning(("F8",)),
        # The window
        "find": Meaning(("Ctrl+K",)),
        "keys": Meaning(("?", "F1")),
        "theme": Meaning(("Ctrl+D",)),
        "full_screen": Meaning(("F11",)),
        "quit": Meaning(("Ctrl+Q",)),
    }
)


def keys_of(meanings: str) -> Keys:
    """Return the keys of one meaning, or of several with blanks between.

    Examples
    --------
    >>> keys_of("previous_mark up")
    (',', 'Up', 'W', 'K')
    """
    return tuple(key for meaning in meanings.split() for key in MEANINGS[meaning].keys)


def caption_of(meanings: str) -> str:
    """Return the name under the icon of an action; empty where it has none of its own."""
    first = meanings.split()[:1]
    return MEANINGS[first[0]].caption if first else ""


REFERENCE_KEYS: Mapping[str, Keys] = MappingProxyType(
    {
        "game.undo": ("Backspace", "Del", "Ctrl+Z"),
        "game.auto": ("P",),
        "game.step": ("Return", "Enter", "Space"),
        "practice.undo": ("Backspace", "Del", "Ctrl+Z"),
        "test.restart": ("R", "N", "Ctrl+N"),
        "test.history": ("F", "Ctrl+H"),
        "mistakes.delete": ("Del", "Backspace"),
        "mistakes.undo": ("Ctrl+Z",),
        "review.forward": ("Return", "Enter", "Right", "D", "L"),
        "review.back": ("Backspace", "Del", "Left", "A", "H"),
    }
)
"""The keys of 2048EndgameTablebase where ours are others, by action."""
