"""Practice: play a formation against its table, see what every move keeps and gives away."""

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.bitboard import cells, format_board
from engine.errors import InvalidBoardError
from engine.spawn import Rng
from gui.color_schemes import load_color_schemes
from gui.formats import format_table
from gui.lookup import Table
from gui.pages import practice_notices as notices
from gui.pages.board_actions import MOVES, ActionIcons, make_actions
from gui.pages.practice_actions import DEMO, GROUPS, SPECS, TURNS
from gui.pages.practice_demo import Demo
from gui.pages.practice_edit import EditBar
from gui.pages.practice_keys import BoardKeys
from gui.pages.practice_layout import PracticeLayout
from gui.pages.practice_memory import PracticeMemory
from gui.practice_game import PracticeGame
from gui.practice_session import PracticeSession, SpawnMode, describe_cells
from gui.practice_tree import Step
from gui.rates_text import lead_of_best
from gui.settings import Settings
from gui.tasks import TaskRunner
from gui.theme import Theme, make_theme
from gui.widgets.action_bar import ActionBar
from gui.widgets.board_view import BoardView
from gui.widgets.practice_panel import PracticePanel

STALE_AFTER_MS = 120  # answers come within a frame or two; figures pale only when one is late


class PracticePage(QWidget):
    """The board, the four rates, and every way to move through a position.

    Parameters
    ----------
    open_table : callable
        Opens the table in a folder; runs on the worker thread.
    tasks : TaskRunner
        Where look-ups run.
    settings : Settings
        Where speed, spawn mode and the last board of each table are kept.
    theme : Theme, optional
        The colors to begin with; `set_theme` brings others.
    rng : Rng, optional
        Where random tiles come from; seeded by the system when not given.

    Signals
    -------
    tables_requested
        The person has no table, or wants another one: show the page that builds them.
    """

    title = "Practice"
    icon = "practice"
    tables_requested = Signal()

    def __init__(
        self,
        open_table: Callable[[Path], Table],
        tasks: TaskRunner,
        settings: Settings,
        theme: Theme | None = None,
        rng: Rng | None = None,
    ) -> None:
        super().__init__()
        theme = theme or make_theme(load_color_schemes(), is_dark=False, palette="")
        self._settings, self._memory = settings, PracticeMemory(settings)
        self.game = PracticeGame(open_table, tasks, self, rng or Rng(secrets.randbits(64)))
        self._path: Path | None = None
        self._is_opening = False
        self.board_view, self.panel = BoardView(theme), PracticePanel(theme)
        self._actions = make_actions(SPECS, self, self.board_view)
        self._icons = ActionIcons(SPECS, self._actions, theme, DEMO)
        self.action_bar = ActionBar([[self._actions[n] for n in group] for group in GROUPS])
        self.edit_bar = EditBar(self.board_view, theme, self._draw_edited, self._end_edit)
        self.demo, self._stale = Demo(self.game, self), QTimer(self)
        self.keys = BoardKeys(self.board_view, self.game, self.edit_bar, self._play, self.demo.stop)
        self.frame = PracticeLayout(self.board_view, self.panel, self.action_bar, self.edit_bar)
        self.table_combo = self.frame.table_combo
        self._stale.setSingleShot(True)
        self._stale.setInterval(STALE_AFTER_MS)
        self.setFocusProxy(self.board_view)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.frame)
        self._recall()
        self._connect()
        self.frame.invitation.show_message(notices.INVITATION)
        self.set_tables([])
        self._enable()

    def actions(self) -> list[QAction]:
        """Return the actions of the page, for the menu bar and the command palette."""
        return list(self._actions.values())

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        for part in (self.board_view, self.panel, self.edit_bar):
            part.set_theme(theme)
        self._icons.set_theme(theme)

    def set_tables(self, tables: Sequence[Any]) -> None:
        """Offer those of these tables (each a `tablebase.catalog.TableInfo`) that can be opened."""
        with QSignalBlocker(self.table_combo):
            self.table_combo.clear()
            for info in tables:
                if info.state in ("complete", "away"):  # what is there of it answers
                    name = format_table(info.pattern, info.target)
                    self.table_combo.addItem(name, str(info.path))
        self._select_table()
        if self.isVisible():
            self._open_last()

    def page_shown(self) -> None:
        """Go on with the table of last time when none is open."""
        self._open_last()

    def close_table(self, path: Path) -> None:
        """Let go of the table in a folder, if it is the open one: it is about to go."""
        if self._path == Path(path):
            self.demo.stop()
            self.edit_bar.finish(keep=False)
            self.game.close()
            self.panel.show_notice(notices.removed(self._path.name))
            self.panel.show_verdict(None, "")
            self._clear_board()
            self._path, self._is_opening = None, False
            self._select_table()
            self._enable()

    def open_table(self, path: Path) -> None:
        """Open the table in a folder and go to the board it was left at, or to a new one.

        A table that is open already, or about to be, goes on as it is.
        """
        if Path(path) == self._path and (self._is_opening or self.game.session):
            return
        self.demo.stop()
        self.edit_bar.finish(keep=False)
        self._path, self._is_opening = Path(path), True
        self._select_table()
        self.panel.show_verdict(None, "")
        self.panel.show_notice(notices.opening(self._path))
        self._clear_board()
        self.game.open(self._path, self._memory.board_of(self._path))
        self._enable()

    # What the game tells us -----------------------------------------------------------------

    def show_step(self, step: Step, how: str) -> None:
        """Show a position, in motion after a move."""
        self._is_opening = False
        board = step.board
        view, after = self.board_view, cells(board)
        locked, walls = self.game.locked(board), self.game.walls(board)
        if how == "move":
            view.animate(step.slides, step.spawned, after, locked, walls)
        elif how == "spawn" and step.spawned:
            view.add_tile(step.spawned[0], after, locked, walls)
        else:
            view.show_board(after, locked, walls)
        view.show_hint(None)
        view.show_cursor(None)
        view.setAccessibleDescription(describe_cells(after, bool(walls)))
        self.panel.show_hex(format_board(board))
        if self._path and not step.needs_spawn:
            self._memory.remember(self._path, format_board(board))
        self._stale.start()
        self._enable()

    def show_answer(self) -> None:
        """Show the rates of the position, or why there are none."""
        self._stale.stop()
        self.panel.show_verdict(*self.game.verdict())
        answer, message = self.game.answer, notices.message_of(self.game)
        if self.game.awaits_hand:
            self.panel.show_cross()
            self.panel.cross.show_waiting(notices.PLACE_HINT)
        elif message:
            self.panel.show_notice(message)
        elif answer:
            self.panel.show_cross()
            self.panel.cross.show_rates(answer.rates)

    def show_failure(self, error: BaseException) -> None:
        """Say that a table does not open."""
        self._is_opening = False
        self.demo.stop()
        self._enable()
        self.panel.show_notice(notices.failure(error))

    # What the person does --------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Give the keyboard to the board."""
        super().showEvent(event)
        self.board_view.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Stop the demo when the page is left."""
        super().hideEvent(event)
        self.demo.stop()

    def _play(self, direction: int) -> None:
        self.demo.stop()
        if not self.edit_bar.is_active:
            self.game.play(direction)

    def _walk(self, step: Callable[[PracticeSession], Step | None]) -> None:
        self.demo.stop()
        if self.edit_bar.is_active or self.game.session is None:
            return
        if not self.game.walk(step):
            self.panel.show_verdict(None, "Not possible on this board.")

    def _toggle_hint(self) -> None:
        answer = self.game.answer
        if self.board_view.hint is not None or answer is None or answer.best is None:
            self.board_view.show_hint(None)
        else:
            self.board_view.show_hint(answer.best, lead_of_best(answer.rates))

    def _toggle_demo(self) -> None:
        if self.demo.is_running:
            self.demo.stop()
        elif self.game.session and not self.edit_bar.is_active:
            self.demo.start()

    # Positions ------------------------------------------------------------------------------

    def _set_hex(self, text: str) -> None:
        self.demo.stop()
        self.edit_bar.finish(keep=False)
        try:
            self.panel.hex_edit.setModified(False)
            self.game.set_board(text)
            self.board_view.setFocus()
        except InvalidBoardError as error:
            self.panel.show_hex_error(notices.sentence(str(error)))

    def _clear_board(self) -> None:
        self.board_view.show_board([0] * 16)
        self.panel.show_hex("")

    def _copy(self) -> None:
        if self.game.step:
            QGuiApplication.clipboard().setText(format_board(self.game.step.board))
            self.panel.show_verdict(None, "Position copied.")

    def _paste(self) -> None:
        text = QGuiApplication.clipboard().text().strip()[:64]
        self.panel.hex_edit.setText(text)
        self._set_hex(text)

    def _toggle_edit(self) -> None:
        if self.edit_bar.is_active:
            self.edit_bar.finish(keep=True)
        elif self.game.step:
            self.demo.stop()
            self.board_view.show_hint(None)
            self.edit_bar.begin(self.game.step.board, bool(self.game.walls(self.game.step.board)))
            self.frame.show_bar(self.edit_bar)
            self._enable()

    def _draw_edited(self, board: int) -> None:
        self.board_view.show_board(cells(board), (), self.game.walls(board))
        self.panel.show_hex(format_board(board))

    def _end_edit(self, board: int | None) -> None:
        self.frame.show_bar(self.action_bar)
        self.board_view.setFocus()
        if board is not None:
            self.game.walk(lambda session: session.edit(board))
        elif self.game.step:
            self.show_step(self.game.step, "still")
            self.show_answer()
        self._enable()

    # Wiring ---------------------------------------------------------------------------------

    def _select_table(self) -> None:
        with QSignalBlocker(self.table_combo):
            at = self.table_combo.findData(str(self._path))
            if at < 0 and self._path:
                self.table_combo.addItem(self._path.name, str(self._path))
                at = self.table_combo.count() - 1
            self.table_combo.setCurrentIndex(at)
        self.frame.invite(self.table_combo.count() == 0)

    def _open_last(self) -> None:
        if self._path is None and self.table_combo.count():
            last = self.table_combo.findData(self._memory.last_table)
            self.open_table(Path(self.table_combo.itemData(max(0, last))))

    def _recall(self) -> None:
        memory = self._memory
        self.panel.show_speed(memory.speed)
        self.demo.set_speed(memory.speed)
        self.game.set_spawn_mode(memory.spawn_mode)
        self.panel.show_spawn_mode(memory.spawn_mode)
        self.panel.guess_box.setChecked(memory.is_guessing)
        self._guess(memory.is_guessing)
        self._follow_setting("animation_ms")
        self._follow_setting("large_tile_numbers")

    def _follow_setting(self, name: str, _value: object = None) -> None:
        if name == "animation_ms":
            self.board_view.set_slide_ms(self._settings.get(name))
        elif name == "large_tile_numbers":
            self.board_view.show_large_numbers(self._settings.get(name))

    def _guess(self, hidden: bool) -> None:
        self._memory.is_guessing = hidden
        self.panel.cross.hide_figures(hidden)

    def _set_speed(self, moves_per_second: int) -> None:
        self._memory.speed = moves_per_second
        self.demo.set_speed(moves_per_second)

    def _choose_table(self, index: int) -> None:
        self.open_table(Path(self.table_combo.itemData(index)))
        self.board_view.setFocus()

    def _choose_spawn_mode(self, mode: SpawnMode) -> None:
        self._memory.spawn_mode = mode
        self.game.set_spawn_mode(mode)
        self.board_view.setFocus()

    def _remedy(self, name: str) -> None:
        if name in self._actions:
            self._actions[name].trigger()
            self.board_view.setFocus()
        else:
            self.tables_requested.emit()

    def _connect(self) -> None:
        triggers: dict[str, Callable[[], object]] = {
            "undo": lambda: self._walk(PracticeSession.undo),
            "redo": lambda: self._walk(PracticeSession.redo),
            "new_start": self._new_start,
            "step": self._step,
            "demo": self._toggle_demo,
            "hint": self._toggle_hint,
            "edit": self._toggle_edit,
            "copy": self._copy,
            "paste": self._paste,
            "guess": self.panel.guess_box.toggle,
        }
        for name, trigger in triggers.items():
            self._actions[name].triggered.connect(lambda _=False, t=trigger: t())
        for name, direction in MOVES.items():
            self._actions[name].triggered.connect(lambda _=False, d=direction: self._play(d))
        for name in TURNS:
            self._actions[name].triggered.connect(
                lambda _=False, n=TURNS[name]: self._walk(lambda session: session.turn(n))
            )
        panel = self.panel
        panel.cross.move_clicked.connect(self._play)
        panel.notice.remedy_clicked.connect(self._remedy)
        panel.guess_toggled.connect(self._guess)
        panel.speed_changed.connect(self._set_speed)
        panel.spawn_mode_chosen.connect(self._choose_spawn_mode)
        panel.hex_entered.connect(self._set_hex)
        panel.hex_dropped.connect(self.board_view.setFocus)
        panel.copy_button.clicked.connect(self._copy)
        self.frame.invitation.remedy_clicked.connect(self._remedy)
        self.table_combo.activated.connect(self._choose_table)
        self.demo.toggled.connect(lambda _: self._enable())
        self._stale.timeout.connect(panel.cross.show_stale)
        self._settings.changed.connect(self._follow_setting)

    def _new_start(self) -> None:
        self.demo.stop()
        self.game.new_start()

    def _step(self) -> None:
        self.demo.stop()
        self.game.play_best()

    def _enable(self) -> None:
        """Let only those actions be chosen that do something now."""
        session = self.game.session
        can_play = session is not None and not self.edit_bar.is_active
        for name, action in self._actions.items():
            action.setEnabled(can_play or name == "guess")
        for name in MOVES:  # while a tile is awaited the arrows go from cell to cell
            self._actions[name].setEnabled(can_play and not self.game.awaits_hand)
        self._actions["edit"].setEnabled(session is not None)
        self._actions["edit"].setChecked(self.edit_bar.is_active)
        self._actions["undo"].setEnabled(can_play and bool(session and session.can_undo))
        self._actions["redo"].setEnabled(can_play and bool(session and session.can_redo))
        self._icons.show_running(self.demo.is_running)
