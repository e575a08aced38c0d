"""The actions of the Mistakes page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from engine.platform.language import mark, tr
from gui.keys.key_bindings import PLACES, give_keys
from gui.keys.key_meanings import caption_of
from gui.style.icons import icon
from gui.text.rates import DIRECTION_NAMES

LIST, DRILL, PROGRESS = "list", "drill", "progress"


@dataclass(frozen=True)
class MistakeAction:
    """One action, for the board of a drill, for the rows of the list, or anywhere.

    Its texts are in English, marked.
    """

    name: str
    text: str
    icon_name: str
    meaning: str
    where: tuple[str, ...]
    caption: str = ""


SPECS = (
    MistakeAction("left", mark("Answer left"), "", "left", (DRILL,)),
    MistakeAction("right", mark("Answer right"), "", "right", (DRILL,)),
    MistakeAction("up", mark("Answer up"), "", "up", (DRILL,)),
    MistakeAction("down", mark("Answer down"), "", "down", (DRILL,)),
    MistakeAction("next", mark("Next mistake"), "forward", "best", (DRILL,), caption=mark("Next")),
    MistakeAction("stay", mark("Stay on this mistake"), "", "stop", (DRILL,)),
    MistakeAction(
        "compare", mark("Compare with the best move"), "compare", "compare", (DRILL, LIST)
    ),
    MistakeAction("practice", mark("Open in Practice"), "practice", "practice", (DRILL, LIST)),
    MistakeAction(
        "situation",
        mark("Play this position ten times"),
        "situations",
        "situation",
        (DRILL, LIST),
    ),
    MistakeAction("review", mark("Open the test in Review"), "review", "review", (DRILL, LIST)),
    MistakeAction("retire", mark("Retire or revive"), "check", "retire", (DRILL, LIST)),
    MistakeAction("delete", mark("Delete"), "delete", "delete", (DRILL, LIST)),
    MistakeAction("drill_chosen", mark("Drill the selected mistakes"), "", "best", (LIST,)),
    MistakeAction("continue", mark("Go on with today's session"), "", "continue", ()),
    MistakeAction("undo", mark("Undo the last delete"), "", "undo", ()),
    MistakeAction("search", mark("Search for a position"), "search", "search", ()),
    MistakeAction("show_drill", mark("Drill"), "", "view_1", ()),
    MistakeAction("show_list", mark("List of mistakes"), "", "view_2", ()),
    MistakeAction("show_progress", mark("Progress"), "", "view_3", ()),
    MistakeAction("export", mark("Export the listed mistakes"), "", "export", ()),
    MistakeAction("import", mark("Import mistakes"), "", "import", ()),
)
BAR = (("next",), ("compare", "practice", "situation", "review", "retire", "delete"))


def make_mistake_actions(
    page: QWidget, places: dict[str, Sequence[QWidget]], work: dict[str, Callable[[], object]]
) -> dict[str, QAction]:
    """Return the actions by name.

    Parameters
    ----------
    page : QWidget
    places : dict of sequence of QWidget
        The widgets where keys work, by the names in `MistakeAction.where`.
    work : dict of callable
        The function of each action.
    """
    actions = {}
    for spec in SPECS:
        action = QAction(tr(spec.text), page)
        action.setObjectName(spec.name)
        if spec.icon_name:
            action.setIcon(icon(spec.icon_name))
        give_keys(action, spec.meaning)
        action.setIconText(tr(spec.caption) or caption_of(spec.meaning) or tr(spec.text))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setProperty(PLACES, spec.where)
        action.setAutoRepeat(False)  # a held key must not answer the next question
        action.triggered.connect(lambda _=False, name=spec.name: work[name]())
        widgets = [widget for place in spec.where for widget in places[place]] or [page]
        for widget in widgets:
            widget.addAction(action)
        actions[spec.name] = action
    return actions


def enable(
    actions: Mapping[str, QAction], asks: bool, is_answered: bool, lists: bool, can_undo: bool
) -> None:
    """Enable the actions that apply now.

    Parameters
    ----------
    actions : mapping of str to QAction
    asks : bool
        Whether a mistake is being asked.
    is_answered : bool
        Whether it has been answered, so that the answer may be shown.
    lists : bool
        Whether mistakes are selected in the list.
    can_undo : bool
    """
    for name in (*DIRECTION_NAMES, "next", "stay"):
        actions[name].setEnabled(asks)
    for name in ("practice", "situation", "review", "retire", "delete"):
        actions[name].setEnabled(asks or lists)
    actions["compare"].setEnabled(is_answered or lists)
    actions["drill_chosen"].setEnabled(lists)
    actions["undo"].setEnabled(can_undo)
