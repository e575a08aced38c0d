"""The layout of the Mistakes page: the drill, or a list or statistics in its place."""

from PySide6.QtWidgets import QWidget

from engine.platform.language import mark, tr
from gui.mistakes.drill_panel import DrillPanel, DrillPlace
from gui.play.table_key_combo import TableKeyCombo
from gui.widgets.action_bar import ActionBar
from gui.widgets.board_layout import BoardLayout
from gui.widgets.buttons import button
from gui.widgets.empty_state import EmptyState

LIST, DRILL, PROGRESS = "list", "drill", "progress"
_OTHERS = {LIST: mark("List"), PROGRESS: mark("Statistics")}


class MistakesLayout(BoardLayout):
    """Title, views and table at the top; a drill, a list, the progress, or an invitation."""

    view = DRILL

    def __init__(self, place: DrillPlace, panel: DrillPanel, action_bar: ActionBar) -> None:
        super().__init__(tr("Mistakes"), place, panel, action_bar)
        self.empty = EmptyState(
            tr("No mistakes yet"),
            tr("The moves you get wrong in tests come back here until you know them."),
            tr("Take a test"),
            tr("Import mistakes"),
        )
        self.set_invitation(self.empty)
        self.table_combo = TableKeyCombo(128)
        self.header.addWidget(self.table_combo)
        self.view_buttons = {
            view: button(tr(text), "chip", by_tab=True) for view, text in _OTHERS.items()
        }
        for view_button in self.view_buttons.values():
            view_button.setCheckable(True)
            self.header.addWidget(view_button)
        self._views: dict[str, QWidget] = {DRILL: self._page}

    def add_views(self, list_view: QWidget, progress: QWidget) -> None:
        self._views |= {LIST: list_view, PROGRESS: progress}
        for view in (list_view, progress):
            self.stack.addWidget(view)

    def choose(self, view: str) -> None:
        self.view = view if view in self._views else DRILL
        for name, view_button in self.view_buttons.items():
            view_button.setChecked(name == self.view)

    def show_view(self, is_empty: bool) -> None:
        self.invites = is_empty and self.view != PROGRESS
        self.stack.setCurrentWidget(self._invitation if self.invites else self._views[self.view])
        for view_button in self.view_buttons.values():
            view_button.setVisible(not is_empty)
