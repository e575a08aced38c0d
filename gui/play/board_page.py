"""What the pages with a board share: its place, its keys, its clock, the list in its place."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from coach.mistakes.mistake import TableKey
from coach.play.move_clock import MoveClock
from coach.record.database import DamagedDatabaseError
from engine.platform.language import tr
from engine.spawn import is_same_spawn4
from gui.board.board_view import BoardView
from gui.pages.page import Page
from gui.play.page_actions import PageAction, PageActions
from gui.play.services import PlayServices
from gui.style.layout import column
from gui.text.answers import table_title
from gui.text.messages import message_of
from gui.text.numbers import table_title as name_title
from gui.widgets.banner import BannerStack
from gui.widgets.board_layout import BoardLayout, scroll_area
from gui.widgets.deletion import Deletion
from gui.widgets.notice import Message
from gui.widgets.stored_list import StoredList
from gui.work.store_service import STARTED_OVER, OnError, StoreService

TROUBLE, NO_TABLE = "trouble", "no_table"
"""Keys of messages: something failed, a table is missing; only the latest one is shown."""
_USABLE = ("complete", "away")  # the available part of a table still answers


def opening_message(path: Path) -> Message:
    return Message(tr("Opening {table}\N{HORIZONTAL ELLIPSIS}", table=name_title(path.name)))


class _Player(Protocol):
    """Who plays on the board: the clock runs while a move is awaited."""

    @property
    def clock(self) -> MoveClock:
        """Measures the moves."""

    @property
    def is_playing(self) -> bool:
        """Whether a move is awaited."""


class StartView(QWidget):
    """What stands in place of the board: a list of what was played, and how to begin."""

    list: StoredList[Any]
    scrolls = True

    @property
    def key_actions(self) -> Sequence[QAction]:
        return self.list.key_actions

    def take_keys(self) -> None:
        raise NotImplementedError

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Pass the keys on: the page gives them to this view as a whole."""
        super().focusInEvent(event)
        self.take_keys()


class BoardPage(Page):
    """A board, the actions under it, a panel beside it; a list may take their place.

    A page makes its parts, then calls `declare` and `lay_out`. State flows one way: an action
    changes the run, the run tells that it has changed, the page shows what is.

    `has_large_tiles` says whether 32768 stands for any large tile.
    """

    tables_requested = Signal()  # one is needed that doesn't exist
    practice_requested = Signal(object, str)  # open the table in this folder at this position
    list_action = ""
    has_large_tiles = True
    tables: Sequence[Any] | None = None
    player: _Player | None = None
    frame: BoardLayout
    start_view: StartView
    deletion: Deletion[Any] | None = None

    def __init__(self, services: PlayServices) -> None:
        super().__init__()
        self._services, self._settings, self._now = services, services.settings, services.now
        self.note_mistake = services.note_mistake
        self.board_view, self.banners = BoardView(), BannerStack()

    def declare(self, actions: Sequence[PageAction]) -> None:
        self.actions_by_name = PageActions(actions, self, self.board_view)
        self.action_bar = self.actions_by_name.bar()

    def lay_out(self, frame: BoardLayout, start_view: StartView | None = None) -> None:
        self.frame = frame
        frame.follow_size(self._settings)
        if start_view:
            self.start_view = start_view
            frame.set_list(scroll_area(start_view) if start_view.scrolls else start_view)
        frame.take_banners(self.banners)
        column(frame, parent=self)
        self.setFocusProxy(self.board_view)
        self.board_view.follow_settings(self._settings, self.has_large_tiles)
        self.board_view.swiped.connect(self.press)
        self.board_view.cell_clicked.connect(lambda *_: self.board_view.setFocus())

    def press(self, direction: int) -> None:
        """Play a move, where one plays."""

    def list_entry(
        self, text: str, caption: str, tool: int | None, when: Callable[[], bool] | None = None
    ) -> PageAction:
        name, do = self.list_action, self.show_list
        picture = "clock" if name == "history" else "contents"
        return PageAction(
            name, text, do, when, picture, tool, "history", caption, is_checkable=True
        )

    def undo_entry(self, text: str) -> PageAction:
        return PageAction(
            "undo",
            text,
            self.undo_deletion,
            lambda: bool(self.deletion and self.deletion.can_undo) and self.frame.shows_list,
        )

    def undo_deletion(self) -> None:
        if self.deletion:
            self.deletion.undo()

    def actions(self) -> list[QAction]:
        of_list = self.start_view.key_actions if hasattr(self, "start_view") else ()
        return [*self.actions_by_name.values(), *of_list]

    def state(self) -> Any:
        return self.deletion.state() if self.deletion else None

    def restore(self, state: Any) -> None:
        if self.deletion:
            self.deletion.restore(state)

    def set_tables(self, tables: Sequence[Any]) -> None:
        self.tables = [table for table in tables if table.state in _USABLE]

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        if self.shows_board:
            self.board_view.setFocus()
        self.update_clock()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.update_clock()

    @property
    def shows_board(self) -> bool:
        return self.frame.shows_board

    def show_list(self, is_shown: bool) -> None:
        self.actions_by_name[self.list_action].setChecked(is_shown)
        self.frame.show_list(is_shown)
        self.setFocusProxy(self.front)
        if is_shown:
            self.refresh_list()
            if self.isVisible():
                self.start_view.take_keys()
        else:
            self.board_view.setFocus()
        self.update_clock()
        self.enable()

    def show_with_board(self, widget: QWidget) -> None:
        self.frame.stack.currentChanged.connect(lambda _: widget.setVisible(self.shows_board))
        widget.setVisible(self.shows_board)

    def refresh_list(self) -> None:
        """Show the current list."""

    @property
    def front(self) -> QWidget:
        return self.start_view if self.frame.shows_list else self.board_view

    def invite(self, is_inviting: bool) -> None:
        before = self.focusProxy()
        had_focus = before is not None and before.hasFocus()
        self.frame.invite(is_inviting)
        self.setFocusProxy(self.front)
        if had_focus:  # the focused widget may be hidden now
            self.take_focus()

    def take_focus(self) -> None:
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def update_clock(self) -> None:
        if self.player is None:
            return
        if self.isVisible() and self.shows_board:
            self.player.clock.resume(self.player.is_playing)
        else:
            self.player.clock.pause()

    def enable(self) -> None:
        self.actions_by_name.enable()

    def show_trouble(self, error: BaseException | str) -> None:
        text = error if isinstance(error, str) else message_of(error)
        self.banners.show_message("warning", text, key=TROUBLE)

    def show_failed_store(
        self, error: BaseException, store: StoreService[Any], again: Callable[[], object]
    ) -> None:
        """Show an error; of a damaged database, offer to start over, which calls `again`."""

        def done(old: Path) -> None:
            self.banners.show_message("good", tr(STARTED_OVER, path=old))
            again()

        def start_over() -> None:
            store.start_over(
                self._now(), done, lambda error: self.show_failed_store(error, store, again)
            )

        is_damaged = isinstance(error, DamagedDatabaseError)
        remedies = [(tr("Set aside and start over"), start_over)] if is_damaged else []
        self.banners.show_message("bad", message_of(error), remedies)

    def path_of(self, key: TableKey) -> Path | None:
        for table in self.tables or ():
            if table.name == key.name and is_same_spawn4(table.spawn4, key.spawn4):
                return Path(table.path)
        return None

    def show_missing_table(self, text: str) -> None:
        """Show that a table is needed, or that those of this computer aren't known yet."""
        if self.tables is None:
            text = tr("Still looking for your tables. Try again in a moment.")
            self.banners.show_message("info", text, key=NO_TABLE)
        else:
            remedy = (tr("Show tables"), self.tables_requested.emit)
            self.banners.show_message("warning", text, [remedy], NO_TABLE)

    def path_to_practice(self, key: TableKey) -> Path | None:
        """Return the folder of the table of a position; show a message if there is none."""
        path = self.path_of(key)
        if path:
            self.banners.remove(NO_TABLE)
        else:
            text = tr(
                "The {table} table isn't on this computer. Build it to practice this position.",
                table=table_title(key),
            )
            self.show_missing_table(text)
        return path

    def keep_deletions(
        self, store: StoreService[Any], failed: OnError, text_of: Callable[[Any], str]
    ) -> None:
        def restore(removed: Any, failed: OnError) -> None:
            store.change(lambda s: s.restore(removed), lambda _: self.refresh_list(), failed)

        self.deletion = Deletion(self.banners, restore, failed, self.enable, text_of)

    def show_removed(self, removed: Any) -> None:
        """Show the list without what was removed from it, and offer to undo that."""
        self.refresh_list()
        if removed and self.deletion:
            self.deletion.keep(removed)
