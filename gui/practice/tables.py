"""The header of the page with the choice of the table, and what is below it."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from engine.platform.language import sentences, tr
from gui.board.board_view import BoardView
from gui.play.board_page import opening_message
from gui.practice.panel import PracticePanel
from gui.practice.parts import PracticeParts
from gui.practice.session import PracticeSession
from gui.practice.text import INVITATION, closed_message
from gui.text.contents import RATE_NAMES
from gui.text.numbers import format_percentage, format_table, table_title
from gui.widgets.action_bar import ActionBar
from gui.widgets.board_layout import BoardLayout, centered
from gui.widgets.buttons import button
from gui.widgets.elided import TableCombo
from gui.widgets.labels import label, show_text
from gui.widgets.notice import Invitation
from tablebase.formation.goal import goal_of
from tablebase.library.limits_text import CHAINED, LOWER_BOUNDS


class PracticeLayout(BoardLayout):
    """Title and table at the top, the board and its actions, the panel; or an invitation."""

    back_requested = Signal(str)

    def __init__(
        self, board: BoardView, panel: PracticePanel, action_bar: ActionBar, edit_bar: QWidget
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
        self.invitation = Invitation(INVITATION)
        self.set_invitation(centered(self.invitation))

    def invite(self, is_inviting: bool) -> None:
        super().invite(is_inviting)
        self.table_combo.setVisible(not is_inviting)

    def show_goal(self, goal: str) -> None:
        show_text(self.goal_label, tr("Goal: {target}", target=goal) if goal else "")

    def offer_way_back(self, title: str) -> None:
        self._back_to = title
        self.back_button.setText(tr("Back to {page}", page=tr(title)))
        self.back_button.setVisible(bool(title))

    def show_bar(self, bar: QWidget) -> None:
        self.bars.setCurrentWidget(bar)
        self.arrange()  # it may need more space than the other one


class TableChoice:
    """Offers the tables, opens one of them and remembers it."""

    def __init__(
        self, parts: PracticeParts, frame: PracticeLayout, leave: Callable[[], None]
    ) -> None:
        self._game, self._panel, self._remembered = parts.game, parts.panel, parts.remembered
        self._dialogs, self._frame, self._combo = parts.services.dialogs, frame, frame.table_combo
        self._leave = leave  # clears what is shown of the table before
        self.path: Path | None = None  # of the table that is open or being opened
        self.is_opening = False
        self._then: dict[Path, str] = {}  # the tables that chained ones continue in

    @property
    def next_table(self) -> str:
        """The name of the table that this one continues in, which lies beside it; or ""."""
        return self._then.get(self.path, "") if self.path else ""

    def offer(self, tables: Sequence[Any]) -> None:
        with QSignalBlocker(self._combo):
            self._combo.clear()
            self._then = {info.path: info.then for info in tables}
            for info in tables:
                self._combo.addItem(format_table(info.pattern, info.target), str(info.path))
        self._select()

    def is_open(self, path: Path) -> bool:
        return Path(path) == self.path and self._game.session is not None

    def open(self, path: Path, board: str = "", session: PracticeSession | None = None) -> None:
        """Open the table in a folder and go to `session`, `board`, or the last place.

        Without a board, a table already open or being opened is left as it is.
        """
        is_present = Path(path) == self.path and (self.is_opening or self._game.session)
        if is_present and not board:
            return
        self._leave()
        self.path, self.is_opening = Path(path), True
        self._select()
        self._panel.show_notice(opening_message(self.path))
        self._panel.show_folder(str(self.path))
        self._game.open(self.path, board or self._remembered.board_of(self.path), session)

    def open_folder(self, text: str) -> None:
        folder = text.strip().strip("\"'")
        self._panel.folder_edit.setModified(False)
        if folder:
            self.open(Path(os.path.expanduser(folder)))

    def open_chosen(self, index: int) -> None:
        self.open(Path(self._combo.itemData(index)))

    def open_last(self) -> None:
        if self.path is None and self._combo.count():
            last = self._combo.findData(self._remembered.last_table)
            self.open(Path(self._combo.itemData(max(0, last))))

    def end_opening(self) -> None:
        self.is_opening = False
        self._remembered.last_table = str(self.path)
        self.show_content()

    def show_content(self) -> None:
        table = self._game.table
        text = ""
        if table:
            share = format_percentage(table.spawn4)
            rates = tr(RATE_NAMES.get(table.rate.removeprefix("1-"), table.rate))
            text = tr("{rates}, {share} of new tiles are 4s", rates=rates, share=share)
            if table.is_limited:
                text = sentences(f"{text}.", tr(LOWER_BOUNDS))
            if self.next_table:
                text = sentences(f"{text}.", tr(CHAINED, table=table_title(self.next_table)))
        self._panel.content_label.setText(text)
        goal = goal_of(table.target).words() if table else ""
        if table and self.next_table:
            goal = tr("{goal}, then {table}", goal=goal, table=table_title(self.next_table))
        self._frame.show_goal(goal)
        if table and not self._remembered.has_seen_hints:
            formation = table.formation
            self._panel.hints.explain(goal, formation.n_large, formation.walls)
        else:
            self._panel.hints.hide()

    def choose_folder(self) -> None:
        start = self.path.parent if self.path else Path.home()
        if folder := self._dialogs.ask_folder(self._panel, tr("Table folder"), start):
            self.open(folder)

    def close(self) -> None:
        self._game.close()
        if self.path:
            self._panel.show_notice(closed_message(self.path.name))
        self._panel.show_verdict(None, "")
        self._panel.show_folder("")
        self.show_content()
        self.path, self.is_opening = None, False
        self._select()

    def _select(self) -> None:
        with QSignalBlocker(self._combo):
            at = self._combo.findData(str(self.path))
            if at < 0 and self.path:
                self._combo.addItem(self.path.name, str(self.path))
                at = self._combo.count() - 1
            self._combo.setCurrentIndex(at)
        self._frame.invite(self._combo.count() == 0)
