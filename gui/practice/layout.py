"""The layout of the practice page: a board with its panel, or an invitation."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from engine.platform.language import tr
from gui.board.board_view import BoardView
from gui.practice.panel import PracticePanel
from gui.widgets.action_bar import ActionBar
from gui.widgets.board_layout import BoardLayout, centered
from gui.widgets.buttons import button
from gui.widgets.elided import TableCombo
from gui.widgets.labels import label, show_text
from gui.widgets.notice import Notice
from tablebase.formation.goal import Goal, goal_of


class PracticeLayout(BoardLayout):
    """Title and table at the top, the board and its actions, the panel; or an invitation."""

    back_requested = Signal(str)

    def __init__(
        self,
        board: BoardView,
        panel: PracticePanel,
        action_bar: ActionBar,
        edit_bar: QWidget,
    ) -> None:
        self.bars = QStackedWidget()
        for bar in (action_bar, edit_bar):
            self.bars.addWidget(bar)
        self.bars.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        super().__init__(tr("Practice"), board, panel, action_bar, self.bars)
        self.table_combo = TableCombo(160)
        self._back_to = ""
        self.back_button = button(by_tab=True, work=lambda: self.back_requested.emit(self._back_to))
        self.goal_label = label("", "strong")
        for part in (self.back_button, self.goal_label):
            part.hide()
            self.header.addWidget(part)
        self.header.addWidget(self.table_combo)
        self.invitation = Notice()
        self.set_invitation(centered(self.invitation))

    def invite(self, is_inviting: bool) -> None:
        super().invite(is_inviting)
        self.table_combo.setVisible(not is_inviting)

    def show_goal(self, target: Goal | int | None) -> None:
        """Show the target; None without a table."""
        text = tr("Goal: {target}", target=goal_of(target).words()) if target else ""
        show_text(self.goal_label, text)

    def offer_way_back(self, title: str) -> None:
        """Offer to go back to a page; "" removes the offer."""
        self._back_to = title
        self.back_button.setText(tr("Back to {page}", page=tr(title)))
        self.back_button.setVisible(bool(title))

    def show_bar(self, bar: QWidget) -> None:
        self.bars.setCurrentWidget(bar)
        self.arrange()  # it may need more space than the other one
