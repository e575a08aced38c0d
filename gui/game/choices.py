"""The choices next to the board of the Game page: stored, and passed to the acting parts."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from ai.choice import SpawnChooser
from gui.game.game_panel import GamePanel
from gui.game.session import GameSession
from gui.play.auto_player import AutoPlayer
from gui.settings_model.settings import Settings
from gui.settings_model.settings_of_games import SPEEDS
from gui.work.garbage import without_collection
from gui.work.tasks import TaskRunner


class GameChoices(QObject):
    """Player, speed, difficulty and the share of fours.

    The adversary, which places tiles where they hurt, is loaded on first use, on the thread of
    `tasks`. `made` a choice: the board may have the keyboard again. `game_changed`: another
    probability of fours replaced a game not yet begun. `failed` says why there is no adversary.
    """

    made = Signal()
    game_changed = Signal()
    failed = Signal(object)

    def __init__(
        self,
        panel: GamePanel,
        auto: AutoPlayer,
        settings: Settings,
        tasks: TaskRunner,
        load_adversary: Callable[[], SpawnChooser],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._panel, self._auto, self._settings, self._tasks = panel, auto, settings, tasks
        self._load_adversary, self._is_adversary_requested = load_adversary, False
        self._session: GameSession | None = None
        auto.kind, auto.speed = settings.get("game.player"), settings.get("game.speed")
        panel.show_player(auto.kind)
        panel.show_speed(auto.speed)
        panel.show_difficulty(settings.get("game.difficulty"))
        self.show_spawn4()
        panel.player_combo.activated.connect(self._set_player)
        panel.speed_slider.valueChanged.connect(lambda at: settings.set("game.speed", SPEEDS[at]))
        panel.hard_slider.valueChanged.connect(partial(settings.set, "game.difficulty"))
        panel.fours_spin.valueChanged.connect(
            lambda percent: settings.set("game.spawn4", round(percent / 100, 6))
        )
        settings.changed.connect(self._follow_setting)

    def attach(self, session: GameSession) -> None:
        self._session = session
        self._use_difficulty(self._settings.get("game.difficulty"))
        self.show_spawn4()

    def show_spawn4(self) -> None:
        """Show the probability of fours, and set the player to that of the game."""
        chosen = of_game = self._settings.get("game.spawn4")
        if self._session:
            of_game = self._session.game.spawn4
        self._auto.spawn4 = of_game
        self._panel.show_spawn4(chosen, of_game)

    def _set_player(self, at: int) -> None:
        self._settings.set("game.player", self._panel.player_combo.itemData(at))
        self.made.emit()

    def _follow_setting(self, name: str, value: Any) -> None:
        if name == "game.player":
            self._auto.kind = value
            self._panel.show_player(value)
        elif name == "game.speed":
            self._auto.speed = value
            self._panel.show_speed(value)
        elif name == "game.difficulty":
            self._panel.show_difficulty(value)
            self._use_difficulty(value)
        elif name == "game.spawn4":
            self._use_spawn4(value)

    def _use_difficulty(self, percent: int) -> None:
        if self._session is None:
            return
        self._session.difficulty = percent
        if percent and not self._is_adversary_requested:
            self._is_adversary_requested = True
            self._tasks.run(self._load, self._take_adversary, self.failed.emit)

    def _load(self) -> SpawnChooser:
        with without_collection():
            return self._load_adversary()

    def _take_adversary(self, adversary: SpawnChooser) -> None:
        if self._session:
            self._session.adversary = adversary

    def _use_spawn4(self, spawn4: float) -> None:
        if self._session is None:
            self.show_spawn4()
            return
        before = self._session.game
        self._session.set_spawn4(spawn4)
        self.show_spawn4()
        if self._session.game is not before:
            self.game_changed.emit()
