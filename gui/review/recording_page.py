"""The Review page as its parts know it: a recorded game, what shows it, and walking through it."""

from collections.abc import Callable, Mapping

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent

from coach.record.user_database import UserDatabase
from coach.recordings.recording import FILE, Recording
from coach.whole_game.analysis import is_whole, refusal
from engine.bitboard import cells
from engine.platform.language import tr, trn
from engine.trace import slide_cells
from gui.board.board_view import LARGE_EXPONENT, BoardView
from gui.charts.chart_series import Marks
from gui.play.board_page import BoardPage
from gui.play.services import PlayServices
from gui.review.charts import ReviewCharts
from gui.review.game import GamePlayer, GameTables, Locks, ReviewGame
from gui.review.layout import ReviewLayout
from gui.review.lines import LineFinder
from gui.review.panel import ReviewPanel
from gui.review.remembered import RememberedReview
from gui.review.work import ReviewWork, WholeGames
from gui.text.boards import describe_cells
from gui.text.messages import message_of, sentence
from gui.text.numbers import table_title
from gui.text.rates import margin_of_best
from gui.text.reviews import describe_played, describe_source, describe_tile
from gui.widgets.notice import Message
from tablebase.formation.formation import Formation


class ReviewView:
    """Draws a `ReviewGame`: all of it, its marks, or the current position.

    `refusal` says why search cannot judge this game; "" if it can.
    """

    def __init__(
        self,
        game: ReviewGame,
        tables: GameTables,
        board: BoardView,
        charts: ReviewCharts,
        panel: ReviewPanel,
    ) -> None:
        self._game, self._tables = game, tables
        self._board, self._charts, self._panel = board, charts, panel
        self.shows_best = self.has_search = False
        self.refusal = ""
        self._locks: Locks | None = None

    def show_game(self) -> None:
        recording = self._game.recording
        if recording is None:
            return
        self._locks = Locks(recording)
        self._panel.summary.show_recording(recording)
        self.show_marks()
        self.show_position()

    def show_locks(self, locks: Locks) -> None:
        self._locks = locks
        self.show_position()

    def show_marks(self) -> None:
        recording = self._game.recording
        if recording is None:
            return
        indices = np.array(self._game.marks, int)
        marks = Marks(indices, recording.grade_numbers[indices])
        self._charts.show_recording(recording, marks)
        self._panel.marked.show_marks(recording, self._game.marks)

    def show_position(self, in_motion: bool = False) -> None:
        recording, i = self._game.recording, self._game.position
        if recording is None:
            return
        self._show_board(recording, i, in_motion)
        self._show_best(recording, i)
        self._charts.set_cursor(i)
        panel = self._panel
        panel.marked.set_position(i)
        if i == recording.n_moves and recording.n_judged:
            panel.front.setCurrentWidget(panel.summary)
            panel.so_far_label.setText("")
            panel.source_label.setText("")
            return
        panel.front.setCurrentWidget(panel.answers)
        panel.show_so_far(recording, i)
        grade, text = describe_played(recording, i)
        panel.show_verdict(grade, text, describe_tile(recording, i), describe_source(recording, i))
        rates = recording.rates[i]
        unknown_rates = recording.doubts.get(i)
        breaking = self._locks.breaking(i) if self._locks else recording.breaking_at(i)
        is_told = unknown_rates or breaking
        if rates is None or (not is_told and all(rate is None for rate in rates)):
            panel.show_notice(self._message(recording))
            return
        panel.stack.setCurrentWidget(panel.cross)
        tolerance = recording.tolerance_at(i)
        shown = [None if d in breaking else rate for d, rate in enumerate(rates)]
        panel.cross.show_rates(
            shown, unknown_rates=unknown_rates, tolerance=tolerance, breaking=breaking
        )
        played = recording.direction_at(i) if i < recording.n_moves else None
        panel.cross.show_played(played, grade)

    def _message(self, recording: Recording) -> Message:
        """Return the message in place of missing rates."""
        has_tables = bool(self._tables.paths)
        if not recording.source:
            return _without_rates(recording, has_tables, self.has_search, self.refusal)
        return _not_covered(recording, has_tables)

    def _show_board(self, recording: Recording, i: int, in_motion: bool) -> None:
        position, replay = recording.positions[i], recording.replay
        walls = [c for c in range(16) if replay.walls and position[c] == LARGE_EXPONENT]
        locked = self._locks.at(i) if self._locks else ()
        self._board.masks_large = not replay.merge_32768
        if in_motion and i and i not in recording.gaps:
            move, before = replay.moves[i - 1], recording.positions[i - 1]
            motion = slide_cells(before, move.direction, replay.walls, replay.merge_32768)
            spawned = (move.cell, move.exponent)
            self._board.animate(motion.slides, spawned, position, locked, walls)
        else:
            self._board.show_board(position, locked, walls)
        shown = cells(recording.boards[i])
        self._board.setAccessibleDescription(describe_cells(shown, bool(walls)))

    def _show_best(self, recording: Recording, i: int) -> None:
        rates = recording.rates[i]
        ranked = [(rate, -d) for d, rate in enumerate(rates) if rate is not None] if rates else []
        if rates and ranked and self.shows_best:
            self._board.show_hint(-max(ranked)[1], margin_of_best(rates, recording.tolerance_at(i)))
        else:
            self._board.show_hint(None)


def _without_rates(
    recording: Recording, has_tables: bool, has_search: bool, refusal: str
) -> Message:
    rate = {"rate_all": tr("Analyze with all tables")} if has_tables else {}
    title = tr("No success rates in this recording")
    can_search = has_search and is_whole(recording)
    if can_search and refusal:
        return Message(title, sentence(refusal), rate)
    if can_search:
        text = tr(
            "Your tables analyze what they cover. Everywhere else search says how likely the "
            "next large tile is."
        )
        return Message(title, text, {"rate_whole": tr("Analyze the whole game")})
    if not has_tables:
        text = tr("Build a table to analyze the game.")
        return Message(title, text, {"tables": tr("Show tables")})
    text = tr("Your tables can analyze the game, each move by the best table that covers it.")
    return Message(title, text, rate)


def _not_covered(recording: Recording, has_tables: bool) -> Message:
    if recording.has_raters:
        return Message(
            tr("No table covers this position"), tr("Moves are analyzed where a table covers them.")
        )
    if recording.source == FILE:
        text = tr("The recording has no rates for this position.")
    else:
        table = table_title(recording.source)
        text = tr("The {table} table doesn't cover this position.", table=table)
    rate = {"rate_all": tr("Analyze with all tables")} if has_tables else {}
    return Message(tr("No rates here"), text, rate)


class RecordingPage(BoardPage):
    """A recorded game, and what works on it."""

    game_training_requested = Signal(object, float)  # a Recording, its probability of fours
    compare_requested = Signal(object)  # a ComparisonRequest
    situation_requested = Signal(object, object)  # 16 exponents; folder of their table, or None
    own_game_requested = Signal()  # the one on the page Game
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
