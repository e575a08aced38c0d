"""Practice: play a formation with its table, and see the rate and loss of every move."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent

from coach.grading.rated import Rated
from coach.mistakes.mistake import NotedMove
from engine.bitboard import cells, format_board
from engine.platform.language import mark, sentences, tr
from gui.board.picture_reading import PICTURE_SUFFIXES
from gui.comparison.request import ComparisonRequest
from gui.keys.key_bindings import add_key_tip, add_key_tips
from gui.pages.page import Answers, way
from gui.play.board_page import BoardPage
from gui.play.page_actions import MOVES, PageAction, move_actions, situation_action
from gui.play.services import PlayServices
from gui.practice.board_editor import EditBar
from gui.practice.history_view import HistoryView
from gui.practice.parts import PracticeParts
from gui.practice.playing import BoardKeys, Playing
from gui.practice.positions import Positions
from gui.practice.session import PracticeSession, SpawnMode
from gui.practice.tables import PracticeLayout, TableChoice
from gui.practice.text import NOTHING_TO_COMPARE, PLACE_HINT, failure_message, missing_rates_message
from gui.practice.tile_effects_view import TileEffectsView
from gui.text.boards import describe_cells
from gui.text.numbers import table_title
from gui.text.rates import RATE_SCALE
from gui.widgets.file_dialogs import local_paths

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
    moved = Signal()

    def __init__(
        self,
        services: PlayServices,
        note_guess: Callable[[NotedMove, bool], object] = lambda _move, _walls: None,
    ) -> None:
        super().__init__(services)
        self.parts = parts = PracticeParts(services, self.board_view, self.banners, self, self)
        self.game, self.panel, self.demo = parts.game, parts.panel, parts.demo
        self.remembered = parts.remembered
        self.edit_bar = EditBar(parts)
        self.positions = Positions(parts, self.edit_bar.check)
        self.why = TileEffectsView(self.game, self.board_view, self.panel.why)
        self.history = HistoryView(parts)
        self.playing = Playing(parts, self.edit_bar, self.why, note_guess)
        self.declare(_actions(self))
        moves = [self.actions_by_name[name] for name in MOVES]
        self.keys = BoardKeys(parts, self.edit_bar, self.playing, moves)
        self.board_view.masks_large = True
        self.lay_out(PracticeLayout(self.board_view, self.panel, self.action_bar, self.edit_bar))
        self.table_combo = self.frame.table_combo
        self.choice = TableChoice(parts, self.frame, self._leave_table)
        self.stale_timer = QTimer(self, singleShot=True, interval=STALE_AFTER_MS)
        self.setAcceptDrops(True)
        self._connect()
        self._add_key_tips()
        self.parts.recall()
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

    def set_tables(self, tables: Sequence[Any]) -> None:
        super().set_tables(tables)
        self.choice.offer(self.tables or ())
        if self.isVisible():
            self.choice.open_last()

    def found_actions(self) -> list[QAction]:
        return [
            way(
                *(info.name, table_title(info.name), partial(self._practice, info.path)),
                *(self.icon, info.name),
            )
            for info in self.tables or ()
        ]

    def page_shown(self) -> None:
        self.choice.open_last()

    def open_table(self, path: Path) -> None:
        self.choice.open(path)

    def show_position(self, table: Path, board: str, back_to: str = "") -> None:
        """Go to a position on a table, opened if needed; undo leads back.

        `back_to` is the title of the sending page, to which a button leads back; "" for no button.
        """
        self.parts.settle()
        self.frame.offer_way_back(back_to)
        if not self.choice.is_open(table):
            self.choice.open(table, board)
        else:
            self.positions.set_text(board)

    def state(self) -> tuple[Path, PracticeSession, dict[int, Rated]] | None:
        session = self.game.session
        if not self.choice.path or not session:
            return None
        boards = [node.step.board for node in session.tree.line()]
        known = {board: answer for board in boards if (answer := self.game.lookup.answer(board))}
        return self.choice.path, session, known

    def restore(self, state: tuple[Path, PracticeSession, dict[int, Rated]] | None) -> None:
        if state:
            path, session, known = state
            self.choice.open(path, session=session)
            self.game.lookup.keep(known)  # the marks of the moves so far

    def close_page(self) -> None:
        self.parts.settle()
        self.game.close()

    def close_table(self, path: Path) -> None:
        if self.choice.path == Path(path):
            self.parts.settle()
            self.choice.close()
            self._clear_board()
            self.history.follow()
            self.enable()

    def _leave_table(self) -> None:
        self.parts.settle()
        self.panel.show_verdict(None, "")
        self._clear_board()
        self.enable()

    def show_step(self, how: str) -> None:
        if self.choice.is_opening:
            self.choice.end_opening()
        step, view, lookup = self.game.step, self.board_view, self.game.lookup
        assert step is not None
        self.playing.begin_position()
        self.why.end()
        shown = cells(step.board), lookup.locked(step.board), lookup.walls(step.board)
        if how == "move":
            view.animate(step.slides, step.spawned, *shown)
        elif how == "spawn" and step.spawned:
            view.add_tile(step.spawned[0], *shown)
        else:
            view.show_board(*shown)
        view.show_hint(None)
        view.show_cursor(None)
        if self.game.awaits_hand:
            self.keys.frame_free_cell()
        view.setAccessibleDescription(describe_cells(shown[0], bool(shown[2])))
        digits = format_board(step.board)
        self.panel.hex_field.show_position(digits)
        if self.choice.path and not step.needs_spawn:
            self.remembered.set_board(self.choice.path, digits)
        self.history.follow()
        self.stale_timer.start()
        if how != "move" or self.game.awaits_hand:
            self.enable()  # else the answer does it, or the timer without one
        if how == "move":
            self.moved.emit()

    def show_answer(self) -> None:
        game, panel = self.game, self.panel
        self.stale_timer.stop()
        self._show_rates()
        move, note = game.last_move, panel.note
        if game.awaits_hand or move is None:
            panel.show_verdict(None, note)
        else:
            panel.show_verdict(move.grade, sentences(move.verdict, note), move.has_lost)
        panel.history.list.touch()
        self.why.follow()
        self.enable()

    def _show_rates(self) -> None:
        """Show the rates, or why there are none; after a guess those that were hidden."""
        game, panel, cross = self.game, self.panel, self.panel.cross
        is_guessing, tolerance = self.remembered.is_guessing, game.lookup.tolerance
        move, source = game.last_move if is_guessing else None, tr("Before your move")
        cross.hide_figures(is_guessing and move is None)
        cross.show_played(None)
        recorded, answer = game.recorded, game.answer
        if game.awaits_hand:
            panel.show_cross()
            cross.show_waiting(tr(PLACE_HINT))
        elif not recorded and (message := missing_rates_message(game, self.choice.next_table)):
            panel.show_notice(message)
        elif move:
            panel.show_cross(source)
            cross.show_rates(move.rates, RATE_SCALE, move.unknown_rates, tolerance, move.breaking)
            cross.show_played(move.direction, move.grade)
        elif recorded:
            panel.show_cross(tr("Recorded rates"))
            cross.show_rates(recorded)
        elif answer:
            panel.show_cross(source if is_guessing else "")
            unknown = answer.unknown_rates
            cross.show_rates(answer.rates, RATE_SCALE, unknown, tolerance, game.breaking)

    def show_failure(self, error: BaseException) -> None:
        self.choice.is_opening = False
        self.demo.stop()
        self.enable()
        self.panel.show_notice(failure_message(error))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.playing.clock.resume(is_measuring=self.game.session is not None)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.playing.clock.pause()
        self.demo.stop()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        if local_paths(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        for path in local_paths(event)[:1]:
            self.parts.settle()
            if path.is_dir():
                self.choice.open(path)
            elif path.suffix.lower() in PICTURE_SUFFIXES:
                self.positions.read_picture(path)
            else:
                self.history.load(path)

    def press(self, direction: int) -> None:
        self.playing.play(direction)

    def compare(self) -> None:
        move = self.game.last_move
        explained = self.why.explained_move or (move and (move.board, move.direction))
        if explained is None or self.choice.path is None:
            self.parts.show_message("info", tr(NOTHING_TO_COMPARE))
            return
        self.parts.settle()
        board, direction = explained
        answer = self.game.lookup.answer(board)
        follows = answer is not None and answer.is_followed(direction)
        request = ComparisonRequest(tuple(cells(board)), direction, self.choice.path, follows)
        self.compare_requested.emit(request)

    def test(self) -> None:
        if self.choice.path:
            self.parts.settle()
            self.test_requested.emit(self.choice.path)

    def play_situation(self) -> None:
        self.parts.settle()
        step = self.game.step
        if self.choice.path and step and not step.needs_spawn:
            self.situation_requested.emit(tuple(cells(step.board)), self.choice.path)

    def enable(self) -> None:
        super().enable()
        actions = self.actions_by_name
        actions["edit"].setChecked(self.edit_bar.is_active)
        actions["why"].setChecked(self.why.is_on)
        actions["guess"].setChecked(self.remembered.is_guessing)
        actions["by_hand"].setChecked(self.game.spawn_mode is SpawnMode.MANUAL)
        actions.show_running("demo", self.demo.is_running)

    def _follow_edit(self, is_editing: bool) -> None:
        if is_editing:
            self.why.end()
        self.frame.show_bar(self.edit_bar if is_editing else self.action_bar)
        self.enable()

    def _clear_board(self) -> None:
        self.why.end()
        self.board_view.show_board([0] * 16)
        self.panel.hex_field.show_position("")

    def _connect(self) -> None:
        panel, board = self.panel, self.board_view
        panel.cross.move_clicked.connect(self.press)
        panel.notice.remedy_clicked.connect(self._remedy)
        panel.hints.close_button.clicked.connect(self._close_hints)
        panel.spawn_chips.chosen.connect(self.playing.choose_spawn_mode)
        panel.hex_field.entered.connect(self.positions.set_text)
        panel.hex_field.dropped.connect(board.setFocus)
        panel.hex_field.copy_button.clicked.connect(self.positions.copy)
        panel.folder_dropped.connect(self._drop_folder)
        panel.folder_edit.returnPressed.connect(self._open_folder)
        panel.folder_button.clicked.connect(self.choice.choose_folder)
        panel.tab_chosen.connect(self._follow_tab)
        panel.why.compare_button.clicked.connect(self.compare)
        panel.links.linkActivated.connect(self._remedy)
        panel.history.list.left.connect(board.setFocus)
        panel.history.recorded_box.toggled.connect(self._prefer_recorded)
        self.history.review_ready.connect(self.review_requested)
        self.frame.invitation.remedy_clicked.connect(self._remedy)
        self.frame.back_requested.connect(self.back_requested)
        self.table_combo.activated.connect(self._choose_table)
        self.stale_timer.timeout.connect(panel.cross.show_stale)
        self.stale_timer.timeout.connect(self.enable)
        self.edit_bar.toggled.connect(self._follow_edit)
        for changed in (self.why.toggled, self.demo.toggled, self.parts.changed):
            changed.connect(self.enable)

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
                "by_hand": panel.spawn_chips.buttons[SpawnMode.MANUAL],
                "save_recording": history.save_button,
                "open_recording": history.open_button,
                "play_recording": history.play_button,
                "edit": self.edit_bar.done_button,
                "copy": panel.hex_field.copy_button,
            },
        )
        for chip in why.exponents.buttons.values():
            add_key_tip(chip, actions["why_tile"])
        for chip in why.depths.buttons.values():
            add_key_tip(chip, actions["why_plies"])

    def _remedy(self, name: str) -> None:
        if name == "next_table" and self.choice.path and self.game.step:
            self._practice(
                self.choice.path.parent / self.choice.next_table, format_board(self.game.step.board)
            )
        elif name in self.actions_by_name:
            self.actions_by_name[name].trigger()
            self.board_view.setFocus()
        else:
            self.tables_requested.emit()

    def _choose_table(self, index: int) -> None:
        self.choice.open_chosen(index)
        self.board_view.setFocus()

    def _open_folder(self) -> None:
        self.choice.open_folder(self.panel.folder_edit.text())
        self.board_view.setFocus()

    def _drop_folder(self) -> None:
        self.panel.folder_edit.setModified(False)
        self.panel.show_folder(str(self.choice.path or ""))
        self.board_view.setFocus()

    def _follow_tab(self, tab: str) -> None:
        if tab != "why":
            self.why.end()  # the board is that of the rates again
        self.why.follow()

    def _prefer_recorded(self, preferred: bool) -> None:
        self.game.prefers_recorded = preferred
        self.game.show_answer()

    def _close_hints(self) -> None:
        self.remembered.has_seen_hints = True
        self.panel.hints.hide()
        self.board_view.setFocus()


def _actions(page: "PracticePage") -> list[PageAction]:
    parts, playing, why = page.parts, page.playing, page.why
    game, demo, panel = parts.game, parts.demo, parts.panel
    history, positions, edit_bar = page.history, page.positions, page.edit_bar

    def has_board() -> bool:
        return game.session is not None

    def can_play() -> bool:
        return game.session is not None and not edit_bar.is_active

    def can_move() -> bool:
        return can_play() and not game.awaits_hand  # the arrows go from cell to cell then

    def can_undo() -> bool:
        return edit_bar.is_active or (game.session is not None and game.session.can_undo)

    def can_redo() -> bool:
        return edit_bar.is_active or (game.session is not None and game.session.can_redo)

    def can_step() -> bool:
        return can_play() and (demo.is_running or game.may_have_best)

    def can_run() -> bool:
        return can_play() and (demo.is_running or demo.can_begin)

    def can_hint() -> bool:
        return can_play() and game.may_have_best

    def turn(name: str, text: str, symmetry: str, icon_name: str) -> PageAction:
        def do() -> None:
            playing.walk(lambda session: session.turn(symmetry))

        return PageAction(name, text, do, can_play, icon_name)

    def explain_move(direction: int) -> None:
        panel.show_tab("why")
        why.explain_here(direction)

    def explain(name: str, text: str) -> PageAction:
        return PageAction(f"why_{name}", text, partial(explain_move, MOVES[name]), can_play)

    def tab(name: str, text: str, number: int) -> PageAction:
        show = partial(panel.show_tab, name)
        return PageAction(f"tab_{name}", text, show, key=f"tab_{number}")

    return [
        PageAction("undo", tr("Undo"), playing.undo, can_undo, "undo", 0, repeats=True),
        PageAction("redo", tr("Redo"), playing.redo, can_redo, "redo", 0, repeats=True),
        PageAction("new_start", tr("New"), playing.new_start, can_play, "refresh", 0, "new"),
        PageAction(
            "varied_start", tr("New, some moves in"), playing.varied_start, can_play, key="varied"
        ),
        PageAction(
            "step",
            tr("Play the best move"),
            playing.step,
            can_step,
            "best",
            1,
            "best",
            repeats=True,
        ),
        PageAction(
            "demo", tr("Play"), playing.toggle_demo, can_run, "play", 1, "run", stop_text=tr("Stop")
        ),
        PageAction("hint", tr("Show the best move"), playing.toggle_hint, can_hint, "hint", 1),
        PageAction(
            "why",
            tr("Why: what the next tile can do"),
            lambda _: playing.toggle_why(),
            can_play,
            "why",
            is_checkable=True,
        ),
        PageAction(
            "compare", tr("Compare the move with the best one"), page.compare, can_play, "compare"
        ),
        turn("flip_sideways", tr("Flip horizontally"), "mirror", "flip_sideways"),
        turn("flip_over", tr("Flip up and down"), "flip", "flip_over"),
        turn("rotate_left", tr("Rotate left"), "rotate_left", "rotate_left"),
        turn("rotate_right", tr("Rotate right"), "rotate_right", "rotate_right"),
        PageAction(
            "edit",
            tr("Edit the board"),
            lambda _: edit_bar.toggle(),
            has_board,
            "edit",
            is_checkable=True,
        ),
        PageAction("go_to", tr("Go to a position"), positions.ask, can_play),
        PageAction("review", tr("Review the moves up to here"), history.review, can_play, "review"),
        PageAction("test", tr("Test yourself on this table"), page.test, can_play, "test"),
        situation_action(page.play_situation, can_play, None),
        PageAction("copy", tr("Copy the position"), positions.copy, can_play, "copy"),
        PageAction(
            "copy_text", tr("Copy the board as text"), positions.copy_text, can_play, "copy"
        ),
        PageAction("paste", tr("Paste a position"), positions.paste, has_board, "paste"),
        PageAction(
            "read_picture",
            tr("Read the board in a picture"),
            positions.choose_picture,
            has_board,
            "picture",
        ),
        PageAction(
            "picture",
            tr("Copy a picture of the board"),
            positions.copy_picture,
            can_play,
            "picture",
        ),
        PageAction(
            "save_picture",
            tr("Save a picture of the board"),
            positions.save_picture,
            can_play,
            "save",
        ),
        *move_actions(playing.play, can_move),
        explain("left", tr("Explain left")),
        explain("right", tr("Explain right")),
        explain("up", tr("Explain up")),
        explain("down", tr("Explain down")),
        PageAction("why_tile", tr("Explain a 2 or a 4"), why.swap_tile, can_play),
        PageAction("why_plies", tr("Explain one tile or two"), why.swap_plies, can_play),
        PageAction(
            "by_hand",
            tr("Place new tiles by hand"),
            lambda _: playing.toggle_hand(),
            is_checkable=True,
        ),
        PageAction(
            "guess",
            tr("Guess first: hide the rates"),
            lambda _: panel.guess_box.toggle(),
            key="hide",
            is_checkable=True,
        ),
        PageAction(
            "save_recording",
            tr("Save the moves up to here"),
            history.save,
            can_play,
            "save",
            key="save",
        ),
        PageAction(
            "open_recording", tr("Open a recording"), history.open, can_play, "folder", key="open"
        ),
        PageAction(
            "play_recording",
            tr("Play back the history"),
            history.play,
            can_play,
            "play",
            key="play_back",
        ),
        PageAction(
            "line_start",
            tr("To the start of the history"),
            history.go_to_start,
            can_play,
            key="first",
        ),
        PageAction(
            "line_end", tr("To the end of the history"), history.go_to_end, can_play, key="last"
        ),
        PageAction(
            "other_way", tr("The next variation"), history.next_variation, can_play, key="variation"
        ),
        PageAction("bookmark", tr("Bookmark this position"), history.bookmark, can_play),
        PageAction(
            "next_bookmark", tr("To the next bookmark"), history.go_to_next_bookmark, can_play
        ),
        tab("play", tr("Panel: options"), 1),
        tab("why", tr("Panel: why"), 2),
        tab("line", tr("Panel: history"), 3),
    ]
