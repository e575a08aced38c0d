"""Practice: play a formation with its table, and see the rate and loss of every move."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from coach.mistakes.mistake import NotedMove
from engine.bitboard import cells, format_board
from engine.platform.language import mark, tr
from gui.board.picture_reading import PICTURE_SUFFIXES
from gui.comparison.request import ComparisonRequest
from gui.pages.page import Answers
from gui.play.board_page import BoardPage
from gui.play.page_actions import MOVES
from gui.play.services import PlayServices
from gui.practice.actions import practice_actions
from gui.practice.board_editor import BoardEditor
from gui.practice.demo import Demo
from gui.practice.game import AnswerDisplay, PracticeGame, StepDisplay
from gui.practice.history_view import HistoryView
from gui.practice.keys import BoardKeys
from gui.practice.layout import PracticeLayout
from gui.practice.panel import PanelChoices, PracticePanel
from gui.practice.playing import Guesses, Playing
from gui.practice.positions import Positions
from gui.practice.recordings import recorded_moves
from gui.practice.remembered import RememberedPractice
from gui.practice.session import PracticeSession, SpawnMode
from gui.practice.tables import TableChoice
from gui.practice.text import (
    INVITATION,
    NOTHING_TO_COMPARE,
    PLACE_HINT,
    failure_message,
    missing_rates_message,
)
from gui.practice.tile_effects_view import TileEffectsView
from gui.text.boards import describe_cells
from gui.widgets.file_dialogs import local_paths
from gui.widgets.key_tips import add_key_tip, add_key_tips

STALE_AFTER_MS = 120  # answers arrive within a frame or two; figures fade only if one is late


class PracticePage(BoardPage):
    """The board, the four rates, and every way to move through a position."""

    title = mark("Practice")
    icon = "practice"
    frame: PracticeLayout
    test_requested = Signal(object)  # the folder of a table
    compare_requested = Signal(object)  # ComparisonRequest
    situation_requested = Signal(object, object)  # 16 exponents, the folder of a table
    review_requested = Signal(object, int)  # Recording, the position in it
    back_requested = Signal(str)  # the title of the page

    def __init__(
        self,
        services: PlayServices,
        note_guess: Callable[[NotedMove, bool], object] = lambda _move, _walls: None,
    ) -> None:
        super().__init__(services)
        files, self.dialogs = services.files, services.dialogs
        self.remembered = RememberedPractice(services.settings)
        self.game = PracticeGame(services.open_table, services.lookups, self, services.rng)
        self.panel = PracticePanel(self.game.grade_of)
        self.board_editor = BoardEditor(
            self.game,
            self.board_view,
            self.panel,
            self._prepare_edit,
            self._show_edit_bar,
            self.enable,
        )
        self.edit_bar = self.board_editor.bar
        self.demo, self.stale_timer = Demo(self.game, self), QTimer(self)
        self.positions = Positions(
            self.game,
            self.board_view,
            self.panel,
            self.remembered,
            files,
            self.dialogs,
            self.settle,
            self.board_editor.check,
        )
        self.why = TileEffectsView(self.game, self.board_view, self.panel.why)
        self.history = HistoryView(
            self.game,
            self.panel.history,
            self.demo,
            self.remembered,
            files,
            self.dialogs,
            self._show_message,
            self.settle,
        )
        self._guesses = Guesses(self.game, self.remembered, note_guess, self._now, services.clock)
        self.playing = Playing(
            self.game,
            self.board_view,
            self.panel,
            self.edit_bar,
            self.demo,
            self.why,
            self._guesses,
            self.remembered,
            self.enable,
        )
        self.declare(practice_actions(self))
        moves = [self.actions_by_name[name] for name in MOVES]
        self.keys = BoardKeys(
            self.board_view, self.game, self.edit_bar, moves, self.press, self.demo.stop
        )
        self.lay_out(PracticeLayout(self.board_view, self.panel, self.action_bar, self.edit_bar))
        self.table_combo, self.invitation = self.frame.table_combo, self.frame.invitation
        self.choice = TableChoice(
            self.game, self.frame, self.panel, self.remembered, self._begin_table
        )
        self.choices = PanelChoices(
            self.panel,
            self.game,
            self.demo,
            self.why,
            self.remembered,
            self.actions_by_name["guess"],
            self._settings,
        )
        self.stale_timer.setSingleShot(True)
        self.stale_timer.setInterval(STALE_AFTER_MS)
        self.setAcceptDrops(True)
        self._connect_all()
        self.frame.invitation.show_message(INVITATION)
        self.set_tables([])
        self.enable()

    def answers(self) -> Answers:
        return {"practice_requested": self.then_in_front(self._practice)}

    def _practice(self, table: Path, board: str = "") -> None:
        if board:
            self.show_position(table, board, self.asker)
        else:
            self.remembered.last_table = str(table)
            self.open_table(table)

    def tour_parts(self) -> Sequence[Sequence[QWidget]]:
        return [[self.panel.cross]]

    # Tables ---------------------------------------------------------------------------------

    def set_tables(self, tables: Sequence[Any]) -> None:
        self.choice.offer(tables)
        if self.isVisible():
            self.choice.open_last()

    def page_shown(self) -> None:
        self.choice.open_last()

    def open_table(self, path: Path) -> None:
        self.choice.open(path)

    def show_position(self, table: Path, board: str, back_to: str = "") -> None:
        """Go to a position on a table, opened if needed; undo leads back.

        `back_to` is the title of the sending page, to which a button leads back; "" for no button.
        """
        self.settle()
        self.frame.offer_way_back(back_to)
        if not self.choice.is_open(table):
            self.choice.open(table, board)
        else:
            self.positions.set_text(board)

    def state(self) -> tuple[Path, PracticeSession] | None:
        """Return the current place; None without a table."""
        session = self.game.session
        return (self.choice.path, session) if self.choice.path and session else None

    def restore(self, state: tuple[Path, PracticeSession] | None) -> None:
        if state:
            self.choice.open(state[0], session=state[1])

    def close_page(self) -> None:
        self.settle()
        self.game.close()

    def close_table(self, path: Path) -> None:
        if self.choice.path == Path(path):
            self.settle()
            self.choice.close()
            self._clear_board()
            self.history.follow()
            self.enable()

    def _begin_table(self) -> None:
        self.settle()
        self.panel.show_verdict(None, "")
        self._clear_board()
        self.enable()

    # Called by the game -----------------------------------------------------------------

    def show_step(self, shown: StepDisplay, how: str) -> None:
        if self.choice.is_opening:
            self.choice.end_opening()
        step, view = shown.step, self.board_view
        self.playing.begin_position()
        self.why.end()
        self._guesses.begin()
        if how == "move":
            view.animate(step.slides, step.spawned, shown.cells, shown.locked, shown.walls)
        elif how == "spawn" and step.spawned:
            view.add_tile(step.spawned[0], shown.cells, shown.locked, shown.walls)
        else:
            view.show_board(shown.cells, shown.locked, shown.walls)
        view.show_hint(None)
        view.show_cursor(None)
        if self.game.awaits_hand:
            self.keys.frame_free_cell()
        view.setAccessibleDescription(describe_cells(shown.cells, bool(shown.walls)))
        digits = format_board(step.board)
        self.panel.show_hex(digits)
        if self.choice.path and not step.needs_spawn:
            self.remembered.set_board(self.choice.path, digits)
        self.history.follow()
        self.stale_timer.start()
        self.enable()

    def show_answer(self, shown: AnswerDisplay) -> None:
        self.stale_timer.stop()
        self.panel.show_verdict(shown.grade, shown.verdict)
        if shown.awaits_hand:
            self.panel.show_cross()
            self.panel.cross.show_waiting(tr(PLACE_HINT))
        elif shown.recorded:
            self.panel.show_cross(tr("Recorded rates"))
            self.panel.cross.show_rates(shown.recorded)
        elif message := missing_rates_message(shown):
            self.panel.show_notice(message)
        elif answer := shown.answer:
            self.panel.show_cross()
            self.panel.cross.show_rates(
                answer.rates,
                unknown_rates=answer.unknown_rates,
                tolerance=self.game.lookup.tolerance,
                breaking=shown.breaking,
            )
        self.panel.history.list.touch()
        self.why.follow()
        self.enable()

    def show_failure(self, error: BaseException) -> None:
        self.choice.is_opening = False
        self.demo.stop()
        self.enable()
        self.panel.show_notice(failure_message(error))

    # User input --------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._guesses.show()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self._guesses.hide()
        self.demo.stop()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        if local_paths(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        for path in local_paths(event)[:1]:
            self.settle()
            if path.is_dir():
                self.choice.open(path)
            elif path.suffix.lower() in PICTURE_SUFFIXES:
                self.positions.read_picture(path)
            else:
                self.history.load(path)

    def settle(self) -> None:
        self.demo.stop()
        self.edit_bar.finish(keep=False)

    def press(self, direction: int) -> None:
        self.playing.play(direction)

    def compare(self) -> None:
        session = self.game.session
        explained = self.why.explained_move
        if explained is None and session and (moves := recorded_moves(session.tree.here)):
            before, after = moves[-1]
            step = after.step if after.step.kind == "move" else after.parent and after.parent.step
            if step and step.direction is not None:
                explained = before.step.board, step.direction
        if explained is None or self.choice.path is None:
            self._show_message("info", tr(NOTHING_TO_COMPARE))
            return
        self.settle()
        board, direction = explained
        answer = self.game.lookup.answer(board)
        follows = answer is not None and answer.is_followed(direction)
        request = ComparisonRequest(tuple(cells(board)), direction, self.choice.path, follows)
        self.compare_requested.emit(request)

    def go_to(self) -> None:
        self.settle()
        self.panel.show_tab("play")
        self.panel.hex_field.take_keys()

    def test(self) -> None:
        if self.choice.path:
            self.settle()
            self.test_requested.emit(self.choice.path)

    def play_situation(self) -> None:
        self.settle()
        step = self.game.step
        if self.choice.path and step and not step.needs_spawn:
            self.situation_requested.emit(tuple(cells(step.board)), self.choice.path)

    def enable(self) -> None:
        super().enable()
        actions = self.actions_by_name
        actions["edit"].setChecked(self.edit_bar.is_active)
        actions["why"].setChecked(self.why.is_on)
        actions["by_hand"].setChecked(self.game.spawn_mode is SpawnMode.MANUAL)
        actions.show_running("demo", self.demo.is_running)

    def _prepare_edit(self) -> None:
        self.demo.stop()
        self.why.end()

    def _show_edit_bar(self, is_editing: bool) -> None:
        self.frame.show_bar(self.edit_bar if is_editing else self.action_bar)

    def _clear_board(self) -> None:
        self.why.end()
        self.board_view.show_board([0] * 16)
        self.panel.show_hex("")

    def _show_message(self, kind: str, text: str) -> None:
        self.banners.show_message(kind, text, key="line")

    def _connect_all(self) -> None:
        panel = self.panel
        panel.cross.move_clicked.connect(self.press)
        panel.notice.remedy_clicked.connect(lambda name: self._remedy(name))
        panel.hints.closed.connect(lambda: self._close_hints())
        panel.spawn_mode_chosen.connect(self.playing.choose_spawn_mode)
        panel.hex_entered.connect(self.positions.set_text)
        panel.hex_dropped.connect(self.board_view.setFocus)
        panel.copy_button.clicked.connect(self.positions.copy)
        panel.folder_dropped.connect(self._drop_folder)
        panel.folder_entered.connect(lambda text: self._open_folder(text))
        panel.why.compare_button.clicked.connect(lambda: self.compare())
        panel.folder_button.clicked.connect(lambda: self.choice.choose_folder(self.dialogs))
        self.history.review_ready.connect(self.review_requested)
        panel.history.list.left.connect(self.board_view.setFocus)
        panel.history.recorded_toggled.connect(self._prefer_recorded)
        self.why.toggled.connect(lambda _: self.enable())
        self.frame.invitation.remedy_clicked.connect(lambda name: self._remedy(name))
        self.frame.back_requested.connect(self.back_requested)
        self.table_combo.activated.connect(lambda index: self._choose_table(index))
        self.demo.toggled.connect(lambda _: self.enable())
        self.stale_timer.timeout.connect(panel.cross.show_stale)
        self._add_key_tips()
        self.choices.recall()

    def _add_key_tips(self) -> None:
        panel, actions = self.panel, self.actions_by_name
        why, history = panel.why, panel.history
        add_key_tips(
            actions,
            {
                **{f"tab_{tab}": chip for tab, chip in panel.tab_chips.buttons.items()},
                **{f"why_{name}": why.directions.buttons[d] for name, d in MOVES.items()},
                "why": why.shown_box,
                "compare": why.compare_button,
                "guess": panel.guess_box,
                "by_hand": panel.spawn_buttons.button(list(SpawnMode).index(SpawnMode.MANUAL)),
                "save_recording": history.save_button,
                "open_recording": history.open_button,
                "play_recording": history.play_button,
                "edit": self.edit_bar.done_button,
                "copy": panel.copy_button,
            },
        )
        for chip in why.exponents.buttons.values():
            add_key_tip(chip, actions["why_tile"])
        for chip in why.depths.buttons.values():
            add_key_tip(chip, actions["why_plies"])

    def explain(self, direction: int) -> None:
        self.panel.show_tab("why")
        self.why.explain(direction)

    def _remedy(self, name: str) -> None:
        if name in self.actions_by_name:
            self.actions_by_name[name].trigger()
            self.board_view.setFocus()
        else:
            self.tables_requested.emit()

    def _choose_table(self, index: int) -> None:
        self.choice.open_chosen(index)
        self.board_view.setFocus()

    def _open_folder(self, text: str) -> None:
        self.choice.open_folder(text)
        self.board_view.setFocus()

    def _drop_folder(self) -> None:
        self.panel.folder_edit.setModified(False)
        self.panel.show_folder(str(self.choice.path or ""))
        self.board_view.setFocus()

    def _prefer_recorded(self, preferred: bool) -> None:
        self.game.prefers_recorded = preferred
        self.game.show_answer()

    def _close_hints(self) -> None:
        self.remembered.has_seen_hints = True
        self.panel.hints.hide()
        self.board_view.setFocus()
