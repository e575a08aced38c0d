"""Review: step through a recorded game, and see the effect of every move and new tile."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QHideEvent, QKeyEvent, QShowEvent

from coach.analysis.html import game_page
from coach.record.user_database import UserDatabase
from coach.recordings.heading import heading_of
from coach.recordings.recording import FILE, SEARCH, Recording
from coach.whole_game.analysis import is_whole, refusal
from coach.whole_game.report import facts_of_game
from engine.bitboard import format_board
from engine.platform.language import mark, tr, trn
from gui.comparison.request import ComparisonRequest
from gui.pages.page import Answers
from gui.play.board_page import BoardPage
from gui.play.services import PlayServices
from gui.review.actions import review_actions
from gui.review.controls import ALL_TABLES, WHOLE_GAME
from gui.review.game import GamePlayer, Locks, ReviewGame
from gui.review.layout import ReviewFiles, ReviewLayout
from gui.review.lines import LineFinder
from gui.review.mark_slider import MarkSlider
from gui.review.panel import ReviewPanel
from gui.review.rating import GameRater
from gui.review.remembered import RememberedReview
from gui.review.view import INVITATION, ReviewView
from gui.review.work import ReviewWork, WholeGames
from gui.text.messages import message_of, sentence
from gui.text.numbers import format_percent, format_table, table_title
from gui.text.recordings import recording_title
from gui.widgets.board_layout import centered
from gui.widgets.file_drop import FileDrop
from gui.widgets.key_tips import add_key_tips
from gui.widgets.notice import Notice
from gui.widgets.sharing import SharedGame, Sharing
from gui.widgets.status_line import Background
from tablebase.formation.formation import Formation

_DEFAULT_SHARE_OF_4 = 0.1


class ReviewPage(BoardPage):
    """A recorded game: its positions, its mistakes, its luck.

    Parameters
    ----------
    services : PlayServices
        Its thread for lookups reads files and rates games, too.
    formations : callable
        Returns the formations by name; runs on that thread.
    whole_games : WholeGames, optional
        Judges whole games; without it only tables rate moves.

    Signals
    -------
    game_training_requested : Recording (as object), float
        Train the mistakes of a game, with this probability of fours.
    compare_requested : ComparisonRequest (as object)
    situation_requested : tuple of 16 int, Path or None (as objects)
        Make this position a situation, on the table in that folder if given.
    """

    title = mark("Review")
    icon = "review"
    frame: ReviewLayout
    game_training_requested = Signal(object, float)
    compare_requested = Signal(object)
    situation_requested = Signal(object, object)

    def __init__(
        self,
        services: PlayServices,
        database: UserDatabase,
        formations: Callable[[], Mapping[str, Formation]],
        whole_games: WholeGames | None = None,
    ) -> None:
        super().__init__(services)
        self.has_search = whole_games is not None
        self._remembered = RememberedReview(services.settings)
        open_table, tasks = services.open_table, services.lookups
        self.game = ReviewGame(self._remembered.least_loss)
        self.work = ReviewWork(
            open_table, tasks, formations, database, self, whole_games=whole_games
        )
        self.paths_by_table: dict[str, Path] = {}
        self._shares_of_4: dict[Path, float] = {}
        self._has_begun = False
        self.panel, self.slider = ReviewPanel(), MarkSlider()
        self.auto_player = GamePlayer(self.game, self.go_to, self._show_running, self)
        self.view = ReviewView(self.board_view, self.slider, self.panel)
        self.view.has_search = self.has_search
        self.panel.controls.show_tables((), "", self.has_search)
        self.declare(review_actions(self))
        frame = ReviewLayout(self.board_view, self.panel, self.slider, self.action_bar)
        self.lay_out(frame)
        self.invitation = Notice()
        self.invitation.show_message(INVITATION)
        frame.set_invitation(centered(self.invitation))
        self.file_combo = frame.file_combo
        self._files = ReviewFiles(self, frame, self.banners, self._remembered, self.open_file)
        self._rating = GameRater(
            self.game,
            self.work,
            self.panel,
            self.banners,
            self._show_all,
            lambda: self.view.show_position(self.game),
            self._show_failure,
            self.tables_requested.emit,
        )
        self.lines = LineFinder(open_table, tasks, self.panel.lines, self)
        self._drop = FileDrop(self, tr("Drop a file to review the game in it"))
        self.sharing = Sharing(self, self.banners, tasks, services.settings, self._shared)
        frame.header.addWidget(self.sharing.button)
        self._recall()
        self._connect()
        self._list_files()
        self.enable()

    # Called by the window -------------------------------------------------------------------

    def actions(self) -> list[QAction]:
        return [*super().actions(), *self.sharing.actions.values()]

    def answers(self) -> Answers:
        return {
            "review_requested": self.then_in_front(self.review),
            "recording_requested": self.in_front(self.choose_file),
        }

    def page_shown(self) -> None:
        if not self._has_begun and self.game.recording is None and self._remembered.recent:
            self.open_file(self._remembered.recent[0], is_recalled=True)
        self._has_begun = True

    def set_tables(self, tables: Sequence[Any]) -> None:
        ready = [info for info in tables if info.state in ("complete", "away")]
        self.paths_by_table = {f"{info.pattern}_{info.target}": Path(info.path) for info in ready}
        self._shares_of_4 = {Path(info.path): info.spawn4 for info in ready}
        names = [(format_table(info.pattern, info.target), str(info.path)) for info in ready]
        self.panel.controls.show_tables(names, self._default_choice(), self.has_search)
        self.enable()
        self.view.show_position(self.game)
        self._find_line()

    def background(self) -> Background | None:
        share = self.work.share
        if share is None:
            return None
        done = format_percent(min(share, 0.99))
        text = tr("Rating the moves in Review: {done}", done=done)
        return Background(text, share, self.work.cancel, self.title)

    def close_page(self) -> None:
        self.work.cancel()

    def close_table(self, path: Path) -> None:
        if Path(path) in self.work.rating_tables:
            self.work.cancel()
        self.lines.close_table(Path(path))

    def review(self, what: Recording | Path, position: int | None = None) -> None:
        """Show a game that another page sends, or the one in a file at its last position."""
        self._has_begun = True
        if isinstance(what, Recording):
            self._stop()
            self.work.forget()
            self._show(what, position)
        else:
            self.open_file(what, position=position)

    def state(self) -> tuple[Recording, int] | None:
        recording = self.game.recording
        return (recording, self.game.position) if recording else None

    def restore(self, state: tuple[Recording, int] | None) -> None:
        if state:
            self.review(*state)

    def open_file(self, path: Path, is_recalled: bool = False, position: int | None = None) -> None:
        self._stop()

        def failed(error: BaseException) -> None:
            if is_recalled:  # the user didn't request it now
                self._remembered.forget(path)
                self._list_files()
            else:
                self._show_failure(error)

        self.work.open(path, lambda recording: self._show(recording, position), failed)

    # Showing a game -------------------------------------------------------------------------

    def _show(self, recording: Recording, position: int | None = None) -> None:
        if position is None:
            position = self._remembered.position_in(recording.path) if recording.path else 0
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
        self.panel.controls.choose_table(self._default_choice())
        self._remember()
        self._list_files()
        self._show_all()
        self.frame.scroll_to_top()
        self.board_view.setFocus()

    def _show_all(self) -> None:
        recording = self.game.recording
        assert recording is not None
        self.view.show_game(self.game)
        self._find_line()
        self.enable()

        def show_locks(goals: dict[str, Formation]) -> None:
            if goals and self.game.recording is recording:
                self.view.show_locks(self.game, Locks(recording, goals))

        tables = {recording.table, *(rater.name for rater in recording.raters if rater)}
        self.work.find_goals(filter(None, tables), show_locks)

    def _show_failure(self, error: BaseException) -> None:
        text = message_of(error)
        remedies = [(tr("Open another"), self.choose_file)]
        self.banners.show_message("bad", text, remedies, key="failure")

    def _own_table(self) -> Path | None:
        """Return the folder of the table that the game was played against, if it is here."""
        recording = self.game.recording
        return self.paths_by_table.get(recording.table or "") if recording else None

    def _table_here(self) -> Path | None:
        """Return the folder of the table that knows the current position, if it is here."""
        recording = self.game.recording
        name = recording.table_at(self.game.position) if recording else None
        return self.paths_by_table.get(name or "")

    def _default_choice(self) -> str:
        recording = self.game.recording
        own = self._own_table() if recording and recording.source == FILE else None
        if own or not (recording and self.has_search and not self.view.refusal):
            return str(own or ALL_TABLES)
        return WHOLE_GAME

    def _all_tables(self) -> list[Path]:
        """Return the tables for the game's probability of fours, the usual one if unknown."""
        own = self._own_table()
        wanted = self._shares_of_4[own] if own else _DEFAULT_SHARE_OF_4
        return [path for path, share in self._shares_of_4.items() if abs(share - wanted) < 1e-9]

    def _find_line(self) -> None:
        if self.isVisible():
            self.lines.follow(self.game, self._table_here())

    def _list_files(self) -> None:
        recording = self.game.recording
        name, path = (recording.name, recording.path) if recording else ("", None)
        if recording and path:
            self._remembered.note_heading(path, heading_of(recording))
        now = self._now()
        recent = self._remembered.recent
        titles = [recording_title(self._remembered.heading(file), now) for file in recent]
        self.frame.show_files(list(zip(recent, titles, strict=True)), name, path)

    def _remember(self) -> None:
        recording = self.game.recording
        if recording and recording.path:
            self._remembered.remember(recording.path, self.game.position)

    # Walking --------------------------------------------------------------------------------

    def go_to(self, position: int) -> None:
        is_next = position == self.game.position + 1
        if self.game.go_to(position):
            self.view.show_position(self.game, in_motion=is_next)
            self._find_line()
            self._remember()
            self.enable()

    def walk(self, position: int | None) -> None:
        self._stop()
        if position is not None:
            self.go_to(position)

    def _stop(self) -> None:
        self.auto_player.stop()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._find_line()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self._stop()
            self.board_view.setFocus()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self._stop()
        self.lines.close()

    # Tables ---------------------------------------------------------------------------------

    def rate(self, table: str) -> None:
        self._rating.tables = self._all_tables()
        self._rating.ms = self._settings.get("whole_game.ms")
        self._rating.rate(table)

    def practice(self) -> None:
        recording = self.game.recording
        if recording is None:
            return
        self._stop()
        name, chosen = recording.table_at(self.game.position), self.panel.controls.table
        table = self._table_here()
        if name is None and chosen not in ("", ALL_TABLES, WHOLE_GAME):
            table = Path(chosen)
        if table:
            board = format_board(recording.boards[self.game.position])
            self.practice_requested.emit(table, board)
            return
        remedies: list[tuple[str, Callable[[], None]]]
        if name:
            text = tr(
                "Practice needs the {table} table, which isn't here.", table=table_title(name)
            )
        elif recording.has_raters or not chosen:
            text = tr("No table covers this position. Search can judge your moves instead.")
            remedies = [(tr("Play it ten times"), self.actions_by_name["situation"].trigger)]
            self.banners.show_message("info", text, remedies, key="table")
            return
        else:
            text = tr("Rate the moves first: that finds the table to practice this position with.")
            remedies = [(tr("Rate by all tables"), self.actions_by_name["rate_all"].trigger)]
            self.banners.show_message("info", text, remedies, key="table")
            return
        remedies = [(tr("Show tables"), self.tables_requested.emit)]
        self.banners.show_message("info", text, remedies, key="table")

    def train(self) -> None:
        recording = self.game.recording
        if recording:
            self._stop()
            own = self._own_table()
            share = self._shares_of_4[own] if own else _DEFAULT_SHARE_OF_4
            self.game_training_requested.emit(recording, share)

    def compare(self) -> None:
        recording, i = self.game.recording, self.game.position
        if recording is None or self.game.is_at_end:
            return
        self._stop()
        table = None if recording.rater_at(i) == SEARCH else self._table_here()
        if table is None and not (self.has_search and is_whole(recording)):
            if name := recording.table_at(i):
                text = tr(
                    "Comparing needs the {table} table, which isn't here.", table=table_title(name)
                )
                remedies = [(tr("Show tables"), self.tables_requested.emit)]
            else:
                text = tr("Rate the moves first: that finds the table to compare this move by.")
                remedies = [(tr("Rate by all tables"), self.actions_by_name["rate_all"].trigger)]
            self.banners.show_message("info", text, remedies, key="table")
            return
        move, rates = recording.direction_at(i), recording.rates[i]
        follows = rates is not None and i not in recording.doubts
        chances = rates if recording.rater_at(i) == SEARCH else None
        position = recording.positions[i]
        self.compare_requested.emit(ComparisonRequest(position, move, table, follows, chances))

    def play_situation(self) -> None:
        recording = self.game.recording
        if recording is None:
            return
        self._stop()
        # In a whole game the table must serve the game's goal: all are queried.
        table = None if is_whole(recording) else self._table_here()
        self.situation_requested.emit(recording.positions[self.game.position], table)

    # Files ----------------------------------------------------------------------------------

    def choose_file(self) -> None:
        self._stop()
        self._files.choose()

    def _open_dropped(self, files: Sequence[Path]) -> None:
        self._has_begun = True
        self._files.open_dropped(files)

    def open_latest(self) -> None:
        self._stop()
        self.work.open_latest(self._show, self._show_failure)

    # Wiring ---------------------------------------------------------------------------------

    def _recall(self) -> None:
        remembered, controls = self._remembered, self.panel.controls
        controls.show_speed(remembered.speed)
        controls.show_least_loss(remembered.least_loss)
        self.auto_player.set_speed(remembered.speed)
        self.panel.charts.show_chart(remembered.chart)
        self.view.shows_best = remembered.shows_best
        self.actions_by_name["hint"].setChecked(remembered.shows_best)

    def _follow_setting(self, name: str, _value: object = None) -> None:
        if name == "review.speed":
            self.auto_player.set_speed(self._remembered.speed)
            self.panel.controls.show_speed(self._remembered.speed)
        elif name == "review.least_loss":
            self.panel.controls.show_least_loss(self._remembered.least_loss)
            self._mark()

    def _mark_from(self, least_loss: float) -> None:
        self._remembered.least_loss = least_loss

    def _mark(self) -> None:
        self.game.mark_from(self._remembered.least_loss)
        self.view.show_marks(self.game)
        self.view.show_position(self.game)
        self.enable()

    def _set_speed(self, moves_per_second: int) -> None:
        self._remembered.speed = moves_per_second

    def show_best(self, shown: bool) -> None:
        self._remembered.shows_best = self.view.shows_best = shown
        self.view.show_position(self.game)

    def copy(self) -> None:
        if self.game.recording:
            board = self.game.recording.boards[self.game.position]
            QGuiApplication.clipboard().setText(format_board(board))

    def paste(self) -> None:
        self._stop()
        self._has_begun = True
        text = QGuiApplication.clipboard().text()
        self.work.open_text(text, self._show, self._show_failure)

    def _shared(self) -> SharedGame | None:
        recording = self.game.recording
        if recording is None:
            return None
        facts = partial(facts_of_game, recording)
        return SharedGame(recording.name, facts, lambda: game_page(facts()))

    def _remedy(self, name: str) -> None:
        if name == "cancel":
            self.work.cancel()
        elif name in self.actions_by_name:
            self.actions_by_name[name].trigger()
        else:
            self.tables_requested.emit()

    def _connect(self) -> None:
        self.work.changed.connect(self.background_changed)
        panel, controls, frame = self.panel, self.panel.controls, self.frame
        panel.summary.train_button.clicked.connect(self.actions_by_name["train"].trigger)
        widgets = {
            "latest": frame.latest_button,
            "copy": controls.copy_button,
            "train": panel.summary.train_button,
        }
        add_key_tips(self.actions_by_name, {**widgets, "open": frame.open_button})
        for source in (self.slider.picked, panel.charts.picked, panel.summary.picked):
            source.connect(self.walk)
        panel.charts.chosen.connect(lambda name: setattr(self._remembered, "chart", name))
        panel.notice.remedy_clicked.connect(self._remedy)
        self.invitation.remedy_clicked.connect(self._remedy)
        controls.least_loss_chosen.connect(self._mark_from)
        controls.forced_toggled.connect(self._rating.leave_out_forced)
        controls.speed_changed.connect(self._set_speed)
        controls.rating_requested.connect(self.rate)
        for cancelled in (controls.rating_cancelled, panel.refining.cancelled):
            cancelled.connect(self.work.cancel)
        controls.copy_button.clicked.connect(self.copy)
        self.work.progressed.connect(self._rating.show_progress)
        frame.open_button.clicked.connect(self.choose_file)
        frame.latest_button.clicked.connect(self.open_latest)
        self._drop.dropped.connect(self._open_dropped)
        frame.file_combo.activated.connect(self._choose_recent)
        self._settings.changed.connect(self._follow_setting)

    def _choose_recent(self, index: int) -> None:
        self._files.choose_recent(index)
        self.board_view.setFocus()

    def enable(self) -> None:
        super().enable()
        self.panel.controls.enable(self.game.recording is not None)
        self.sharing.enable(self.game.recording is not None)

    def _show_running(self, is_running: bool) -> None:
        self.actions_by_name.show_running("auto", is_running)
