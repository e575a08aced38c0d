"""Game: play 2048, or watch an AI play and see the source of its moves."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShortcut, QShowEvent

from ai.choice import CHOOSERS, Choice, ChooserKind, SpawnChooser, ValueKind, make_adversary
from coach.reasons.reason import find_reason
from coach.reasons.words import reason_text
from engine.game import Game, MoveResult
from engine.platform.errors import AppError
from engine.platform.language import mark, tr, trc
from engine.spawn import DEFAULT_SPAWN4, is_same_spawn4
from gui.board.announcer import announce
from gui.board.pasting import Pasting
from gui.game.actions import UNSAVED, GameActions
from gui.game.ai_choice import tables_for
from gui.game.game_panel import LOADING, NEW_GAME, PAUSED, GamePanel, ask_new, over
from gui.game.session import GameSession
from gui.pages.page import Answers
from gui.play.auto_player import AutoPlayer
from gui.play.services import PlayServices
from gui.settings_model.settings_of_games import TOP_SPEED
from gui.text.boards import describe_cells
from gui.text.rates import margin_of_best
from gui.widgets.board_layout import BoardLayout
from gui.widgets.notice import Message
from gui.widgets.score_figure import ScoreFigure
from gui.work.garbage import without_collection

if TYPE_CHECKING:
    from ai.chances.chance_search import ChanceEstimate
    from tablebase.library.table_info import TableInfo

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_CALM_S = 0.15  # values that change more often than this cannot be read
_FRAME_S = 0.033  # between two pictures of an AI that plays as fast as possible
_DEFAULT_LEAD = 0.5  # of the arrow, where values say nothing about chances
_STATISTICS_S = 0.5  # between updates of speed and chance while the AI plays
Look = Callable[[Sequence[int]], "ChanceEstimate"]


def load_chances() -> Look:
    from ai.chances.chance_search import ChanceSearch

    with without_collection():
        return ChanceSearch().look


class GamePage(GameActions):
    """The board, the score, an AI, and the actions from here.

    The thread for files is where the player thinks, and where the adversary is loaded.
    """

    title = mark("Game")
    icon = "game"
    has_large_tiles = False  # 32768 is itself
    builds_requested = Signal(object)  # formations and targets that the AI lacks

    def __init__(
        self,
        services: PlayServices,
        new_seed: Callable[[], int] = lambda: secrets.randbits(63),
        load_adversary: Callable[[], SpawnChooser] = make_adversary,
        kinds: Mapping[str, ChooserKind] = CHOOSERS,
        load_chances: Callable[[], Look] = load_chances,
    ) -> None:
        super().__init__(services)
        self._folder, self._tasks = services.folder / "game", services.files
        self._new_seed, self._clock = new_seed, services.clock
        self._is_loading = False
        self._shown_s = self._drawn_s = self._counted_s = 0.0
        self._n_counted = 0  # moves of the AI until then
        self._load_chances = load_chances
        self._look: Look | None = None
        # The last move and the board before it, if it came too soon after another one to be read.
        self._unshown: tuple[tuple[int, ...], Choice] | None = None
        self.panel = GamePanel()
        self.score = ScoreFigure(tr("Score"), is_main=True)
        self.best = ScoreFigure(trc("score", "Best"))
        self.best.setToolTip(tr("Your best game without the AI"))
        self._answers = [QShortcut(key, self.board_view) for key in _ENTER]
        tasks, folders = services.files, services.table_folders
        self.auto = AutoPlayer(
            tasks, self.live_position, self, kinds, folders, clock=services.clock
        )
        self.pasting = Pasting(self.panel.hex_field, tasks, self._set_hex)
        self._load_adversary = load_adversary
        self._make_choices()
        self.declare(self._declared())
        self.lay_out(BoardLayout(tr("Game"), self.board_view, self.panel, self.action_bar))
        for figure in (self.score, self.best):
            self.frame.header.addWidget(figure, 0, Qt.AlignmentFlag.AlignTop)
        self.frame.header.setSpacing(24)
        self._connect()
        self.enable()

    def answers(self) -> Answers:
        return {
            "game_requested": self.in_front(),
            "own_game_requested": self.in_front(self._review_when_loaded),
            "live_game": lambda: self.session.game if self.session else None,
        }

    def set_tables(self, tables: "Sequence[TableInfo]") -> None:
        super().set_tables(tables)
        self._show_built()

    def _show_built(self) -> None:
        if self.tables is not None:
            built = partial(tables_for, self.tables, self.auto.spawn4)
            self._tasks.run_latest("built", built, self.panel.ai.show_built)

    def page_shown(self) -> None:
        if self.session is None and not self._is_loading:
            self._is_loading = True
            self._tasks.run(self._load, self._begin)

    def close_page(self) -> None:
        self.auto.release()
        if self.session:
            self.session.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        if self.session:
            self.session.watch.resume()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.banners.remove(UNSAVED)
        was_running = self.auto.is_running
        self.auto.release()
        if was_running:
            self._show_notice(PAUSED)
        if self.session:
            self.session.watch.pause()

    def _load(self) -> GameSession:
        session = GameSession(
            self._folder,
            self._new_seed,
            clock=self._clock,
            spawn4=self._settings.get("game.spawn4"),
        )
        session.load()
        return session

    def _begin(self, session: GameSession) -> None:
        self.session, self._is_loading = session, False
        session.watch.start()
        if not self.isVisible():
            session.watch.pause()
        self._apply_choices()
        self.panel.statistics.show_summary(session.summary)
        self._show_position()

    def press(self, direction: int) -> None:
        self.auto.stop()
        if self.session and (result := self.session.move(direction)):
            self.panel.show_rest(self.session.game)
            self._show_move(result)

    def _play_choice(self, choice: Choice) -> None:
        session = self.session
        before = session.game.cells if session else ()
        result = None
        if session and choice.direction is not None:
            result = session.move(choice.direction, self.auto.mover)
        if result is None:
            self.auto.stop()
            return
        self._n_counted += 1
        self._unshown = before, choice
        if not self.auto.is_running or self._clock() - self._shown_s > _CALM_S:
            self._show_unshown()
        if self.auto.speed < TOP_SPEED or not self.auto.is_running:
            self._show_move(result)
        elif self._clock() - self._drawn_s > _FRAME_S or not self.live_position():
            self._draw()

    def _draw(self) -> None:
        """Show the board and the score as they are, between moves that are too fast to see."""
        if session := self.session:
            self._drawn_s = self._clock()
            self.board_view.show_hint(None)
            self.board_view.show_board(session.game.cells)
            self._show_figures(None)
            if session.is_over:
                self._show_end()

    def _show_unshown(self) -> None:
        if self._unshown:
            self._show_choice(*self._unshown, "always")
            self._shown_s, self._unshown = self._clock(), None

    def walk(self, step: Callable[[GameSession], bool]) -> None:
        if self.auto.is_running:
            self.auto.stop()  # the first press takes over, the next one goes back
        elif self.session and step(self.session):
            self.auto.stop()
            self._show_position()

    def ask_new_game(self) -> None:
        self.auto.stop()
        if self.session and self.session.would_lose and not self.is_asking:
            self._show_notice(ask_new(self.session.game))
        else:
            self._new_game()

    def _new_game(self) -> None:
        if self.session:
            self.auto.stop()
            self.session.new_game()
            self._show_position()

    def _show_advice(self, choice: Choice) -> None:
        if self.session:
            self._show_choice(self.session.game.cells, choice, "always", "hint")
            self.enable()
        if choice.direction is not None:
            strength = (
                margin_of_best(choice.values) if choice.kind is ValueKind.RATES else _DEFAULT_LEAD
            )
            self.board_view.show_hint(choice.direction, strength)

    def _show_choice(self, cells: tuple[int, ...], choice: Choice, *when: str) -> None:
        reason = None
        if self._settings.get("game.reasons") in when:
            reason = find_reason(cells, choice, self.auto.spawn4)
        text = reason_text(reason) if reason else ""
        self.panel.show_choice(choice, text)
        if not self.auto.is_running:  # then moves are too fast for words
            announce(self.panel.reason_label, text)

    def _set_hex(self, text: str) -> None:
        self.auto.stop()
        if self.session is None:
            return
        self.session.set_board(text)
        self.board_view.setFocus()
        self._show_position()

    def _show_move(self, result: MoveResult) -> None:
        session = self.session
        if session is None:
            return
        self.board_view.show_hint(None)
        self.board_view.animate(result.slides, result.spawned, session.game.cells)
        self._show_figures(result.gained)
        if session.is_over:
            self._show_end()

    def _show_position(self) -> None:
        session = self.session
        if session is None:
            return
        self._show_spawn4()
        self.banners.remove(UNSAVED)  # it was about another position
        self.panel.show_rest(session.game)
        self._draw()

    def _show_notice(self, message: Message) -> None:
        self.panel.show_notice(message)
        self.enable()

    def _show_figures(self, gained: int | None) -> None:
        session = self.session
        if session is None:
            return
        game = session.game
        self.score.show_value(game.score, gained)
        self.best.show_value(session.best)
        self.panel.hex_field.show_position(game.text)
        self.panel.show_statistics(game)
        if not self.auto.is_running or self._clock() - self._counted_s > _STATISTICS_S:
            self._count(game)
        self.board_view.setAccessibleDescription(describe_cells(game.cells, False))
        if session.problem:
            self.banners.show_message("warning", session.problem, key="problem")
            session.problem = ""
        if session.relief:
            self.banners.show_message("good", session.relief, key="problem")
            session.relief = ""
        self.enable()

    def _count(self, game: Game) -> None:
        now = self._clock()
        if self.auto.is_running and self.auto.speed == TOP_SPEED:
            self.panel.show_tempo(round(self._n_counted / (now - self._counted_s)))
        self._counted_s, self._n_counted = now, 0
        cells = game.cells
        is_rated = is_same_spawn4(game.spawn4, DEFAULT_SPAWN4)  # chances of others are unknown
        if not (game.can_undo and is_rated) or game.is_over:
            self._tasks.forget("chance")
            self.panel.show_chance(None, cells)
            return
        show = partial(self.panel.show_chance, cells=cells)
        self._tasks.run_latest("chance", partial(self._estimate, cells), show)

    def _estimate(self, cells: tuple[int, ...]) -> "ChanceEstimate":
        """Run on the thread."""
        self._look = self._look or self._load_chances()
        return self._look(cells)

    def _show_end(self) -> None:
        self.auto.stop()
        if self.session:
            self._show_notice(over(self.session.game))
            self.panel.statistics.show_summary(self.session.summary)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        is_escape = event.key() == Qt.Key.Key_Escape
        if is_escape and self.auto.is_busy:
            self.auto.stop()
        elif is_escape and self.is_asking:
            self._show_position()
        elif is_escape:
            self.banners.remove(UNSAVED)
        else:
            super().keyPressEvent(event)

    def _show_loading(self, is_loading: bool) -> None:
        if is_loading:
            self._show_notice(LOADING)
        elif self.session and self.panel.shows(LOADING):
            self.panel.show_rest(self.session.game)
            self.enable()

    def _show_running(self, running: bool) -> None:
        self.actions_by_name.show_running("auto", running)
        self._counted_s, self._n_counted = self._clock(), 0
        self.panel.show_speed(self.auto.speed)
        if not running and self.session:
            self._show_unshown()
            self._count(self.session.game)
            if self.board_view.cells != list(self.session.game.cells):
                self._draw()
        self._unshown = None
        self.enable()

    def _show_failure(self, error: BaseException) -> None:
        reason = str(error)
        if not isinstance(error, AppError):
            reason = tr("unexpected error ({error})", error=error)
        text = tr("The AI could not start: {reason}.", reason=reason)
        self.banners.show_message("bad", text, key="player")

    def _remedy(self, name: str) -> None:
        if name == NEW_GAME:
            self._new_game()
        elif name == "undo":
            self.walk(GameSession.undo)
        elif name == "review":
            self._review()
        elif name == "auto":
            self.auto.start()
        else:
            self._show_position()
        self.board_view.setFocus()

    def _connect(self) -> None:
        for shortcut in self._answers:
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(self._new_game)
        self.auto.chosen.connect(self._play_choice)
        self.auto.advised.connect(self._show_advice)
        self.auto.toggled.connect(self._show_running)
        self.auto.loading.connect(self._show_loading)
        self.auto.failed.connect(self._show_failure)
        panel = self.panel
        panel.ai.builds_requested.connect(self.builds_requested)
        panel.cross.move_clicked.connect(self.press)
        panel.notice.remedy_clicked.connect(self._remedy)
        panel.hex_field.dropped.connect(self.board_view.setFocus)
        panel.hex_field.copy_button.clicked.connect(self.actions_by_name["copy"].trigger)

    def enable(self) -> None:
        super().enable()
        for shortcut in self._answers:
            shortcut.setEnabled(self.is_asking)
