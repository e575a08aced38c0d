"""The actions of a page, each declared once: its look, its keys, what it does and when."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from engine.platform.language import tr, trc
from gui.keys.key_bindings import PLACES, give_keys
from gui.keys.key_meanings import caption_of
from gui.style.icons import PLAIN, icon
from gui.widgets.action_bar import ActionBar

# Actions that move, and their directions: LEFT RIGHT UP DOWN.
MOVES = {"left": 0, "right": 1, "up": 2, "down": 3}
_ON_WHOLE_PAGE, _CHARACTER = re.compile(r"Ctrl\+|F\d"), re.compile(r"(Shift\+)?.")
_TINTS = {"best": "best_move"}  # icons in a color of the theme


@dataclass(frozen=True)
class PageAction:
    """One action: menus, the bar under the board, the palette and the keys follow from it."""

    name: str  # never changed: files with keys contain it
    text: str
    do: Callable[..., object]  # gets whether it is checked if it is checkable
    when: Callable[[], bool] | None = None  # whether it applies now; always if not given
    icon_name: str = ""  # the name of a file in `gui/style/icons`
    tool: int | None = None  # the rank of a tool under the board; in the menu More without one
    # What its keys mean on all pages, see `gui.keys.key_meanings`; its name if not given.
    key: str | None = None
    caption: str = ""  # the name under the icon where that of the key says too little
    is_checkable: bool = False
    repeats: bool = False  # while its key is held
    stop_text: str = ""  # the text while what it has started runs, and it stops that
    places: tuple[str, ...] = ()  # the parts of the page where its keys work
    group: str = ""  # in menus, where its keys don't say that; see `gui.keys.key_meanings`


class PageActions(dict[str, QAction]):
    """The actions of a page by name.

    All actions live on the board, so that Space still presses a button that has the focus, or on
    the widgets of their places; those with Ctrl work on the whole page, where a text field keeps
    its own keys, and so do the F keys and those of characters alone.
    """

    def __init__(
        self,
        actions: Sequence[PageAction],
        page: QWidget,
        board: QWidget,
        places: Mapping[str, Sequence[QWidget]] | None = None,
    ) -> None:
        super().__init__()
        self._declared = {one.name: one for one in actions}
        self._running: set[str] = set()
        for one in actions:
            action = self[one.name] = _make(one, page)
            widgets = [widget for place in one.places for widget in (places or {}).get(place, ())]
            for widget in widgets or [board]:
                widget.addAction(action)
            if not widgets and board is not page:
                spread = partial(_spread, action, page)
                action.changed.connect(spread)  # its keys may be others
                spread()

    def bar(self) -> ActionBar:
        ranks = {one.name: one.tool for one in self._declared.values() if one.tool is not None}
        tools = [self[name] for name in sorted(ranks, key=lambda name: ranks[name])]
        return ActionBar(tools, list(self.values()))

    def enable(self) -> None:
        answers: dict[Callable[[], bool], bool] = {}  # many actions ask the same
        for name, declared in self._declared.items():
            if declared.when:
                if declared.when not in answers:
                    answers[declared.when] = declared.when()
                self[name].setEnabled(answers[declared.when])

    def show_running(self, name: str, is_running: bool) -> None:
        if is_running == (name in self._running):
            return
        (self._running.add if is_running else self._running.discard)(name)
        action, declared = self[name], self._declared[name]
        action.setIcon(icon("stop" if is_running else "play"))
        action.setText(declared.stop_text if is_running else declared.text)
        action.setIconText(tr("Stop") if is_running else trc("the AI", "Play"))


def move_actions(
    press: Callable[[int], object],
    when: Callable[[], bool] | None = None,
    texts: Sequence[str] = (),
    repeats: bool = True,
) -> list[PageAction]:
    texts = texts or (tr("Move left"), tr("Move right"), tr("Move up"), tr("Move down"))
    return [
        PageAction(name, text, partial(press, direction), when, repeats=repeats)
        for (name, direction), text in zip(MOVES.items(), texts, strict=True)
    ]


def situation_action(
    do: Callable[[], object], when: Callable[[], bool], tool: int | None = None
) -> PageAction:
    text = tr("Play this position ten times")
    return PageAction("situation", text, do, when, "situations", tool)


def walk_actions(
    walk: Callable[[int], object],
    place: Callable[[], tuple[int, int]],
    back: tuple[str, str, str],
    forward: tuple[str, str, str],
) -> list[PageAction]:
    """Return the steps through a game: to its start, back, forward, to its end.

    `place` returns where one is and where the end is, 0 and 0 without a game. `back` and `forward`
    are text, key and caption.
    """

    def step(by: int) -> None:
        walk(place()[0] + by)

    def can_go_back() -> bool:
        return place()[0] > 0

    def can_step_forward() -> bool:
        at, end = place()
        return at < end

    def to_end() -> None:
        walk(place()[1])

    return [
        PageAction("first", tr("To the start"), partial(walk, 0), can_go_back, "first", 0),
        PageAction(
            "back", back[0], partial(step, -1), can_go_back, "back", 0, *back[1:], repeats=True
        ),
        PageAction(
            "forward",
            forward[0],
            partial(step, 1),
            can_step_forward,
            "forward",
            0,
            *forward[1:],
            repeats=True,
        ),
        PageAction("last", tr("To the end"), to_end, can_step_forward, "last", 0),
    ]


def _make(declared: PageAction, page: QWidget) -> QAction:
    action = QAction(declared.text, page)
    if declared.icon_name:
        action.setIcon(icon(declared.icon_name, _TINTS.get(declared.icon_name, PLAIN)))
    action.setObjectName(declared.name)
    key = declared.name if declared.key is None else declared.key
    give_keys(action, key, declared.group)
    caption = declared.caption or caption_of(key) or declared.text
    action.setIconText(trc("the AI", "Play") if declared.stop_text else caption)
    action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    if declared.places:
        action.setProperty(PLACES, declared.places)
    action.setCheckable(declared.is_checkable)
    action.setAutoRepeat(declared.repeats)
    do = declared.do
    action.triggered.connect(do if declared.is_checkable else partial(_ignore_checked, do))
    return action


def _ignore_checked(do: Callable[[], object], _is_checked: bool = False) -> None:
    do()


def _spread(action: QAction, page: QWidget) -> None:
    """Make an action work on the whole page or only on the board, depending on its keys."""
    texts = [key.toString(QKeySequence.SequenceFormat.PortableText) for key in action.shortcuts()]
    is_wide = any(map(_ON_WHOLE_PAGE.match, texts)) or all(map(_CHARACTER.fullmatch, texts))
    if is_wide != (page in action.associatedObjects()):
        (page.addAction if is_wide else page.removeAction)(action)
