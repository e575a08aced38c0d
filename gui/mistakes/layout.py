"""The layout of the Mistakes page: a choice of views at the top, the chosen one below."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from engine.platform.language import mark, tr
from gui.mistakes.actions import DRILL, LIST, PROGRESS
from gui.mistakes.drill_panel import DrillPanel
from gui.mistakes.drill_place import DrillPlace
from gui.widgets.action_bar import ActionBar
from gui.widgets.banner import BannerStack
from gui.widgets.board_layout import BoardLayout, at_top
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.elided import ElidedCombo
from gui.widgets.empty_state import EmptyState
from gui.widgets.more_button import more_button

VIEWS = {DRILL: mark("Drill"), LIST: mark("List"), PROGRESS: mark("Progress")}
_NOTHING = mark(
    "Your mistakes in tests and analyzed games are collected here, each position once, so you can "
    "drill them until you know them. You can also import a file of mistakes, or the notebook of "
    "2048EndgameTablebase."
)


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
        self._invitation = at_top(self.empty)
        for view in (list_view, progress, self._invitation):
            self.stack.addWidget(view)
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

    @property
    def invites(self) -> bool:
        """Whether an invitation replaces the view."""
        return self.stack.currentWidget() is self._invitation

    def show_view(self, is_empty: bool) -> None:
        """Show the chosen view; without mistakes only the progress has content."""
        invites = is_empty and self.view != PROGRESS
        self.stack.setCurrentWidget(self._invitation if invites else self._views[self.view])
        self.table_combo.setVisible(not is_empty)
