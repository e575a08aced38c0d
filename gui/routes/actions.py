"""The actions of the Routes page."""

from engine.platform.language import mark
from gui.widgets.board_actions import ActionSpec

SPECS = (
    ActionSpec("new", mark("New route like this one"), "refresh", "new", repeats=False, group=0),
    ActionSpec("again", mark("The same route again"), "repeat", "again", repeats=False, group=0),
    ActionSpec("daily", mark("Today's route"), "calendar", "daily", repeats=False, group=0),
    ActionSpec(
        "runs",
        mark("All routes"),
        "clock",
        "history",
        checkable=True,
        repeats=False,
        caption=mark("Routes"),
        group=1,
    ),
    ActionSpec("review", mark("Review this route"), "review", "review", repeats=False, group=2),
    ActionSpec(
        "practice", mark("Practice this position"), "practice", "practice", repeats=False, group=2
    ),
    ActionSpec(
        "copy", mark("Copy the code"), "copy", "copy", repeats=False, caption=mark("Code"), group=3
    ),
    ActionSpec("copy_result", mark("Copy the result"), "", "copy_text", repeats=False),
    ActionSpec(
        "paste",
        mark("Open the code on the clipboard"),
        "paste",
        "paste",
        repeats=False,
        caption=mark("Paste"),
        group=3,
    ),
    ActionSpec("type", mark("Type a code"), "", "go_to", repeats=False),
    ActionSpec("compare", mark("Let the table and the AI play it"), "", "run", repeats=False),
    ActionSpec("undo", mark("Bring the removed route back"), "", "undo", repeats=False),
    ActionSpec("go_on", mark("Go on after a correction"), "", "stop", repeats=False),
    ActionSpec("previous", mark("Previous mistake of a finished route"), "", "previous_mark"),
    ActionSpec("next", mark("Next mistake of a finished route"), "", "next_mark"),
    ActionSpec("left", mark("Move left"), "", "left"),
    ActionSpec("right", mark("Move right"), "", "right"),
    ActionSpec("up", mark("Move up"), "", "up"),
    ActionSpec("down", mark("Move down"), "", "down"),
)
