"""Review: step through a recorded game, and see the effect of every move and new tile."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtGui import QAction

from coach.analysis.html import game_page
from coach.record.user_database import UserDatabase
from coach.recordings.recording import Recording
from coach.whole_game.report import facts_of_game
from engine.platform.language import mark, tr
from gui.keys.key_bindings import add_key_tips
from gui.pages.page import Answers
from gui.play.services import PlayServices
from gui.review.actions import ReviewActions
from gui.review.files import ReviewFiles
from gui.review.layout import ReviewLayout
from gui.review.rating import GameRater
from gui.review.recording_page import RecordingPage
from gui.review.work import WholeGames
from gui.text.numbers import format_percent
from gui.widgets.empty_state import EmptyState
from gui.widgets.file_dialogs import FileDrop
from gui.widgets.sharing import SharedGame, Sharing
from gui.widgets.status_line import Background
from tablebase.formation.formation import Formation


class ReviewPage(RecordingPage):
    """A recorded game: its positions, its mistakes, its luck.

    The thread for lookups reads files and rates games, too, and `formations` runs on it. Without
    `whole_games` only tables rate moves.
    """

    title = mark("Review")
    icon = "review"

    def __init__(
        self,
        services: PlayServices,
        database: UserDatabase,
        formations: Callable[[], Mapping[str, Formation]],
        whole_games: WholeGames | None = None,
    ) -> None:
        super().__init__(services, database, formations, whole_games)
        self.files, self.rater = ReviewFiles(self, self._now), GameRater(self)
        self.declare(ReviewActions(self, self.files, self.rater).declared())
        self.lay_out(ReviewLayout(self.board_view, self.panel, self.charts, self.action_bar))
        self.invitation = EmptyState(
            tr("Review a game"),
            tr("See what every move was worth, and what luck did."),
            tr("Open a recording"),
            tr("Review your game"),
        )
        self.frame.set_invitation(self.invitation)
        self._drop = FileDrop(self, tr("Drop a file to review the game in it"))
        self.sharing = Sharing(
            self, self.banners, services.lookups, services.settings, self._shared
        )
        self.frame.header.addWidget(self.sharing.button)
        self._recall()
        self._connect()
        self.files.list()
        self.enable()

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
        self.game_tables.show(tables)
        self.enable()
        self.view.show_position()
        self.find_line()

    def background(self) -> Background | None:
        share = self.work.share
        if share is None:
            return None
        done = format_percent(min(share, 0.99))
        text = tr("Analyzing the game in Review: {done}", done=done)
        if self.work.is_rough:
            text = tr("Review shows a first look; figures may change: {done}", done=done)
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

    def _recall(self) -> None:
        remembered = self.remembered
        self.panel.marked.choose_least_loss(remembered.least_loss)
        self.auto_player.set_speed(remembered.speed)
        self.charts.show_chart(remembered.chart)
        self.view.shows_best = remembered.shows_best
        self.actions_by_name["hint"].setChecked(remembered.shows_best)

    def _follow_setting(self, name: str, value: Any) -> None:
        if name == "review.speed":
            self.auto_player.set_speed(value)
        elif name == "review.least_loss":
            self.panel.marked.choose_least_loss(value)
            self.game.mark_from(value)
            self.view.show_marks()
            self.view.show_position()
            self.enable()

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
        self.opened.connect(self.files.list)
        self.work.changed.connect(self.background_changed)
        self.work.progressed.connect(self.rater.show_progress)
        self._settings.changed.connect(self._follow_setting)
        panel, memory, actions = self.panel, self.remembered, self.actions_by_name
        buttons = {"open": self.frame.open_button, "train": panel.summary.train_button}
        add_key_tips(actions, buttons)
        for name, pressed in buttons.items():
            pressed.clicked.connect(actions[name].trigger)
        for source in (self.charts.picked, panel.marked.picked):
            source.connect(self.walk)
        self.charts.chosen.connect(lambda name: setattr(memory, "chart", name))
        panel.notice.remedy_clicked.connect(self._remedy)
        self.invitation.clicked.connect(actions["open"].trigger)
        self.invitation.other_clicked.connect(self.own_game_requested)
        panel.marked.least_loss_chosen.connect(lambda loss: setattr(memory, "least_loss", loss))
        self._drop.dropped.connect(self.files.open_dropped)
        self.frame.file_combo.activated.connect(self.files.choose_recent)

    def enable(self) -> None:
        super().enable()
        has_game = self.game.recording is not None
        self.sharing.enable(has_game)
        self.sharing.button.setVisible(has_game)
