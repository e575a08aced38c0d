"""Review: step through a recorded game, and see the effect of every move and new tile."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QKeyEvent, QShowEvent

from coach.analysis.html import game_page
from coach.record.user_database import UserDatabase
from coach.recordings.recording import Recording
from coach.whole_game.analysis import refusal
from coach.whole_game.report import facts_of_game
from engine.platform.language import mark, tr, trn
from gui.keys.key_bindings import add_key_tips
from gui.pages.page import Answers
from gui.play.board_page import BoardPage
from gui.play.services import PlayServices
from gui.review.actions import ReviewActions
from gui.review.files import RememberedReview, ReviewFiles
from gui.review.game import GamePlayer, Locks, ReviewGame
from gui.review.layout import ReviewLayout
from gui.review.lines import LineFinder
from gui.review.mark_slider import MarkSlider
from gui.review.panel import ReviewPanel
from gui.review.rating import GameRater
from gui.review.tables import GameTables
from gui.review.view import INVITATION, ReviewView
from gui.review.work import ReviewWork, WholeGames
from gui.text.messages import message_of, sentence
from gui.text.numbers import format_percent
from gui.widgets.board_layout import centered
from gui.widgets.file_dialogs import FileDrop
from gui.widgets.notice import Notice
from gui.widgets.sharing import SharedGame, Sharing
from gui.widgets.status_line import Background
from tablebase.formation.formation import Formation


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
        self.remembered = RememberedReview(services.settings)
        self.game = ReviewGame(self.remembered.least_loss)
        self.game_tables = GameTables(self.game)
        self.work = ReviewWork(services, database, formations, whole_games, self)
        self.panel, self.slider = ReviewPanel(), MarkSlider()
        self.auto_player = GamePlayer(self.game, self.go_to, self._show_running, self)
        self.view = ReviewView(self.game, self.board_view, self.slider, self.panel)
        self.view.has_search = self.has_search
        self.panel.controls.show_tables((), "", self.has_search)
        self.files = ReviewFiles(self, self._now)
        self.rater = GameRater(self)
        self.declare(ReviewActions(self).declared())
        self.lay_out(ReviewLayout(self.board_view, self.panel, self.slider, self.action_bar))
        self.invitation = Notice()
        self.invitation.show_message(INVITATION)
        self.frame.set_invitation(centered(self.invitation))
        tasks = services.lookups
        self.lines = LineFinder(services.open_table, tasks, self.panel.lines, self)
        self._drop = FileDrop(self, tr("Drop a file to review the game in it"))
        self.sharing = Sharing(self, self.banners, tasks, services.settings, self._shared)
        self.frame.header.addWidget(self.sharing.button)
        self._recall()
        self._connect()
        self.files.list()
        self.enable()

    # Called by the window -------------------------------------------------------------------

    def actions(self) -> list[QAction]:
        return [*super().actions(), *self.sharing.actions.values()]

    def answers(self) -> Answers:
        return {
            "review_requested": self.then_in_front(self.review),
            "recording_requested": self.in_front(self.files.choose),
        }

    def page_shown(self) -> None:
        self.files.recall()

    def set_tables(self, tables: Sequence[Any]) -> None:
        names = self.game_tables.show(tables)
        self.panel.controls.show_tables(names, self._default_choice(), self.has_search)
        self.enable()
        self.view.show_position()
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
        if path in self.work.rating_tables:
            self.work.cancel()
        self.lines.close_table(path)

    def review(self, what: Recording | Path, position: int | None = None) -> None:
        """Show a game that another page sends, or the one in a file at its last position."""
        self.files.has_begun = True
        if isinstance(what, Recording):
            self.auto_player.stop()
            self.work.forget()
            self.show_game(what, position)
        else:
            self.files.open(what, position=position)

    def state(self) -> tuple[Recording, int] | None:
        recording = self.game.recording
        return (recording, self.game.position) if recording else None

    def restore(self, state: tuple[Recording, int] | None) -> None:
        if state:
            self.review(*state)

    # Showing a game -------------------------------------------------------------------------

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
        self.panel.controls.choose_table(self._default_choice())
        self._remember()
        self.files.list()
        self.show_all()
        self.frame.scroll_to_top()
        self.board_view.setFocus()

    def show_all(self) -> None:
        """Show the whole game again; the locked tiles follow a moment later."""
        recording = self.game.recording
        assert recording is not None
        self.view.show_game()
        self._find_line()
        self.enable()

        def show_locks(goals: dict[str, Formation]) -> None:
            if goals and self.game.recording is recording:
                self.view.show_locks(Locks(recording, goals))

        tables = {recording.table, *(rater.name for rater in recording.raters if rater)}
        self.work.find_goals(filter(None, tables), show_locks)

    def show_failure(self, error: BaseException) -> None:
        remedies = [(tr("Open another"), self.files.choose)]
        self.banners.show_message("bad", message_of(error), remedies, key="failure")

    def _default_choice(self) -> str:
        return self.game_tables.default(self.has_search and not self.view.refusal)

    def _find_line(self) -> None:
        """Look up the best line from here, if it is visible."""
        if self.isVisible():
            self.lines.follow(self.game, self.game_tables.here)

    def _remember(self) -> None:
        recording = self.game.recording
        if recording and recording.path:
            self.remembered.remember(recording.path, self.game.position)

    # Walking --------------------------------------------------------------------------------

    def go_to(self, position: int) -> None:
        is_next = position == self.game.position + 1
        if self.game.go_to(position):
            self.view.show_position(in_motion=is_next)
            self._find_line()
            self._remember()
            self.enable()

    def walk(self, position: int | None) -> None:
        self.auto_player.stop()
        if position is not None:
            self.go_to(position)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._find_line()

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

    # Wiring ---------------------------------------------------------------------------------

    def _recall(self) -> None:
        remembered, controls = self.remembered, self.panel.controls
        controls.show_speed(remembered.speed)
        controls.threshold_chips.choose(remembered.least_loss)
        self.auto_player.set_speed(remembered.speed)
        self.panel.charts.show_chart(remembered.chart)
        self.view.shows_best = remembered.shows_best
        self.actions_by_name["hint"].setChecked(remembered.shows_best)

    def _follow_setting(self, name: str, value: Any) -> None:
        if name == "review.speed":
            self.auto_player.set_speed(value)
            self.panel.controls.show_speed(value)
        elif name == "review.least_loss":
            self.panel.controls.threshold_chips.choose(value)
            self.game.mark_from(value)
            self.view.show_marks()
            self.view.show_position()
            self.enable()

    def show_best(self, shown: bool) -> None:
        self.remembered.shows_best = self.view.shows_best = shown
        self.view.show_position()

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
        self.work.progressed.connect(self.rater.show_progress)
        self._settings.changed.connect(self._follow_setting)
        panel, controls, frame, memory = (
            self.panel,
            self.panel.controls,
            self.frame,
            self.remembered,
        )
        actions = self.actions_by_name
        buttons = {
            "latest": frame.latest_button,
            "open": frame.open_button,
            "copy": controls.copy_button,
            "train": panel.summary.train_button,
        }
        add_key_tips(actions, buttons)
        for name, pressed in buttons.items():
            pressed.clicked.connect(actions[name].trigger)
        for source in (self.slider.picked, panel.charts.picked, panel.summary.picked):
            source.connect(self.walk)
        panel.charts.chosen.connect(lambda name: setattr(memory, "chart", name))
        panel.notice.remedy_clicked.connect(self._remedy)
        self.invitation.remedy_clicked.connect(self._remedy)
        controls.threshold_chips.chosen.connect(lambda loss: setattr(memory, "least_loss", loss))
        controls.forced_box.toggled.connect(self.rater.leave_out_forced)
        controls.speed_slider.valueChanged.connect(lambda n: setattr(memory, "speed", n))
        controls.rate_button.clicked.connect(lambda: self.rater.rate(controls.table))
        for cancel in (controls.cancel_button, panel.refining.cancel_button):
            cancel.clicked.connect(self.work.cancel)
        self._drop.dropped.connect(self.files.open_dropped)
        frame.file_combo.activated.connect(self.files.choose_recent)

    def enable(self) -> None:
        super().enable()
        self.panel.controls.enable(self.game.recording is not None)
        self.sharing.enable(self.game.recording is not None)

    def _show_running(self, is_running: bool) -> None:
        self.actions_by_name.show_running("auto", is_running)
