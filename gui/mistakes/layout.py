"""The layout of the Mistakes page: a choice of views at the top, and the chosen one."""

from PySide6.QtWidgets import QWidget

from engine.platform.language import mark, tr
from gui.mistakes.drill_panel import DrillPanel, DrillPlace
from gui.play.table_key_combo import TableKeyCombo
from gui.widgets.action_bar import ActionBar
from gui.widgets.board_layout import BoardLayout, at_top
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.empty_state import EmptyState

LIST, DRILL, PROGRESS = "list", "drill", "progress"
VIEWS = {DRILL: mark("Drill"), LIST: mark("List"), PROGRESS: mark("Statistics")}
_NOTHING = mark(
    "Your mistakes in tests and analyzed games are collected here, each position once, so you can "
    "drill them until you know them. You can also import a file of mistakes, or the notebook of "
    "2048EndgameTablebase."
)


class MistakesLayout(BoardLayout):
    """Title, views and table at the top; a drill, a list, the progress, or an invitation."""

    def __init__(self, place: DrillPlace, panel: DrillPanel, action_bar: ActionBar) -> None:
        super().__init__(tr("Mistakes"), place, panel, action_bar)
        self.empty = EmptyState(
            tr("No mistakes yet"), tr(_NOTHING), tr("Take a test"), tr("Import mistakes")
        )
        self.view_chips = ChipGroup(tr("View"))
        self.view_chips.set_choices([Choice(name, text) for name, text in VIEWS.items()])
        self.table_combo = TableKeyCombo(128)
        self._views: dict[str, QWidget] = {DRILL: self._page}
        self.set_invitation(at_top(self.empty))
        self.view_chips.setContentsMargins(12, 4, 0, 0)
        self.header.insertWidget(1, self.view_chips, 1)
        self.header.addWidget(self.table_combo)

    def add_views(self, list_view: QWidget, progress: QWidget) -> None:
        self._views |= {LIST: list_view, PROGRESS: progress}
        for view in (list_view, progress):
            self.stack.addWidget(view)

    @property
    def view(self) -> str:
        return str(self.view_chips.value)

    def show_view(self, is_empty: bool) -> None:
        self.invites = is_empty and self.view != PROGRESS
        self.stack.setCurrentWidget(self._invitation if self.invites else self._views[self.view])
        self.table_combo.setVisible(not is_empty)
