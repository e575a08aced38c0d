"""The Review page as its parts know it: a recorded game, what shows it, and walking through it."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent

from coach.record.user_database import UserDatabase
from coach.recordings.recording import Recording
from coach.whole_game.analysis import refusal
from engine.platform.language import tr, trn
from gui.play.board_page import BoardPage
from gui.play.services import PlayServices
from gui.review.charts import ReviewCharts
from gui.review.game import GamePlayer, GameTables, Locks, ReviewGame
from gui.review.layout import ReviewLayout
from gui.review.lines import LineFinder
from gui.review.panel import ReviewPanel
from gui.review.remembered import RememberedReview
from gui.review.view import ReviewView
from gui.review.work import ReviewWork, WholeGames
from gui.text.messages import message_of, sentence
from tablebase.formation.formation import Formation


class RecordingPage(BoardPage):
    """A recorded game, and what works on it."""

    game_training_requested = Signal(object, float)  # a Recording, its probability of fours
    compare_requested = Signal(object)  # a ComparisonRequest
    situation_requested = Signal(object, object)  # 16 exponents; folder of their table, or None
    opened = Signal()  # another game is in front
    frame: ReviewLayout

    def __init__(
        self,
        services: PlayServices,
        database: UserDatabase,
        formations: Callable[[], Mapping[str, Formation]],
        whole_games: WholeGames | None,
    ) -> None:
        super().__init__(services)
        self.has_search = whole_games is not None
        self.remembered = RememberedReview(services.settings)
        self.game = ReviewGame(self.remembered.least_loss)
        self.game_tables = GameTables(self.game)
        self.work = ReviewWork(services, database, formations, whole_games, self)
        self.panel, self.charts = ReviewPanel(), ReviewCharts()
        self.auto_player = GamePlayer(self.game, self.go_to, self._show_running, self)
        self.view = ReviewView(
            self.game, self.game_tables, self.board_view, self.charts, self.panel
        )
        self.view.has_search = self.has_search
        self.lines = LineFinder(services.open_table, services.lookups, self.panel.lines, self)

    def show_game(self, recording: Recording, position: int | None = None) -> None:
        if position is None:
            position = self.remembered.position_in(recording.path) if recording.path else 0
        self.game.open(recording, position)
        self.view.refusal = refusal(recording) if self.has_search else ""
        for key in ("failure", "problem", "check", "table"):
            self.banners.remove(key)
        if recording.problem:
            text = trn(
                "{n} move of {game} was read. {problem}",
                "{n:,} moves of {game} were read. {problem}",
                recording.n_moves,
                game=recording.name,
                problem=sentence(recording.problem),
            )
            self.banners.show_message("warning", text, key="problem")
        self._remember()
        self.opened.emit()
        self.show_all()
        self.frame.scroll_to_top()
        self.board_view.setFocus()

    def show_all(self) -> None:
        """Show the whole game again; the locked tiles follow a moment later."""
        recording = self.game.recording
        assert recording is not None
        self.view.show_game()
        self.actions_by_name["forced"].setChecked(recording.leaves_out_forced)
        self.find_line()
        self.enable()

        def show_locks(goals: dict[str, Formation]) -> None:
            if goals and self.game.recording is recording:
                self.view.show_locks(Locks(recording, goals))

        tables = {recording.table, *(rater.name for rater in recording.raters if rater)}
        self.work.find_goals(filter(None, tables), show_locks)

    def show_failure(self, error: BaseException) -> None:
        remedies = [(tr("Open another"), self.actions_by_name["open"].trigger)]
        self.banners.show_message("bad", message_of(error), remedies, key="failure")

    def find_line(self) -> None:
        """Look up the best line from here, if it is visible."""
        if self.isVisible():
            self.lines.follow(self.game, self.game_tables.here)

    def _remember(self) -> None:
        recording = self.game.recording
        if recording and recording.path:
            self.remembered.remember(recording.path, self.game.position)

    def go_to(self, position: int) -> None:
        is_next = position == self.game.position + 1
        if self.game.go_to(position):
            self.view.show_position(in_motion=is_next)
            self.find_line()
            self._remember()
            self.enable()

    def walk(self, position: int | None) -> None:
        self.auto_player.stop()
        if position is not None:
            self.go_to(position)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.find_line()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self.auto_player.stop()
            self.board_view.setFocus()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.auto_player.stop()
        self.lines.close()

    def show_best(self, shown: bool) -> None:
        self.remembered.shows_best = self.view.shows_best = shown
        self.view.show_position()

    def _show_running(self, is_running: bool) -> None:
        self.actions_by_name.show_running("auto", is_running)
