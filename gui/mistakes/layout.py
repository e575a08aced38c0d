"""The layout of the Mistakes page: a choice of views at the top, the chosen one; its actions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from engine.platform.language import mark, tr
from gui.keys.key_bindings import PLACES, give_keys
from gui.keys.key_meanings import caption_of
from gui.mistakes.drill_panel import DrillPanel, DrillPlace
from gui.style.icons import icon
from gui.text.rates import DIRECTION_NAMES
from gui.widgets.action_bar import ActionBar, more_button
from gui.widgets.banner import BannerStack
from gui.widgets.board_layout import BoardLayout, at_top
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.elided import ElidedCombo
from gui.widgets.empty_state import EmptyState

LIST, DRILL, PROGRESS = "list", "drill", "progress"
VIEWS = {DRILL: mark("Drill"), LIST: mark("List"), PROGRESS: mark("Progress")}
_NOTHING = mark(
    "Your mistakes in tests and analyzed games are collected here, each position once, so you can "
    "drill them until you know them. You can also import a file of mistakes, or the notebook of "
    "2048EndgameTablebase."
)


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
    asks : bool
        Whether a mistake is being asked.
    is_answered : bool
        Whether it has been answered, so that the answer may be shown.
    lists : bool
        Whether mistakes are selected in the list.
    """
    for name in (*DIRECTION_NAMES, "next", "stay"):
        actions[name].setEnabled(asks)
    for name in ("practice", "situation", "review", "retire", "delete"):
        actions[name].setEnabled(asks or lists)
    actions["compare"].setEnabled(is_answered or lists)
    actions["drill_chosen"].setEnabled(lists)
    actions["undo"].setEnabled(can_undo)


class MistakesLayout(BoardLayout):
    """Title, views and table at the top; a drill, a list, the progress, or an invitation.

    Parameters
    ----------
    place, panel, action_bar
        Of the drill.
    list_view, progress : QWidget
        The other views.
    more : sequence of QAction
        In the menu of the button on the right.
    """

    def __init__(
        self,
        place: DrillPlace,
        panel: DrillPanel,
        action_bar: ActionBar,
        list_view: QWidget,
        progress: QWidget,
        more: list[QAction],
    ) -> None:
        super().__init__(tr("Mistakes"), place, panel, action_bar)
        self.empty = EmptyState(
            tr("No mistakes yet"), tr(_NOTHING), tr("Take a test"), tr("Import mistakes")
        )
        self.banners = BannerStack()
        self.view_chips = ChipGroup(tr("View"))
        self.view_chips.set_choices([Choice(name, text) for name, text in VIEWS.items()])
        self.table_combo = ElidedCombo()
        self.table_combo.setAccessibleName(tr("Table"))
        self.table_combo.setMinimumWidth(140)
        for part in (self.table_combo, *self.view_chips.buttons.values()):
            part.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the board
        drill = self.stack.widget(0)
        assert drill is not None
        self._views = {DRILL: drill, LIST: list_view, PROGRESS: progress}
        for view in (list_view, progress):
            self.stack.addWidget(view)
        self.set_invitation(at_top(self.empty))
        self.view_chips.setContentsMargins(12, 4, 0, 0)
        self.header.insertWidget(1, self.view_chips, 1)
        self.header.addWidget(self.table_combo)
        self.header.addWidget(more_button(tr("Import and export"), more))
        self.take_banners(self.banners)

    @property
    def view(self) -> str:
        """The chosen view, even if an invitation replaces it."""
        return str(self.view_chips.value)

    @property
    def widgets_of_actions(self) -> dict[str, QWidget]:
        """Other widgets that trigger an action, by its name."""
        return {f"show_{name}": self.view_chips.buttons[name] for name in VIEWS}

    def show_view(self, is_empty: bool) -> None:
        """Show the chosen view; without mistakes only the progress has content."""
        self.invites = is_empty and self.view != PROGRESS
        self.stack.setCurrentWidget(self._invitation if self.invites else self._views[self.view])
        self.table_combo.setVisible(not is_empty)
