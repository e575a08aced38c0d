"""The choices next to the board of the Game page: stored, and passed to the acting parts."""

from collections.abc import Callable
from functools import partial
from typing import Any

from ai.choice import SpawnChooser
from gui.game.actions import GameActions
from gui.settings_model.settings_of_games import SPEEDS
from gui.work.garbage import without_collection


class GameChoices(GameActions):
    """A page where player, speed, difficulty and the share of fours are chosen.

    The adversary, which places tiles where they hurt, is loaded on first use, on the thread for
    files.
    """

    _load_adversary: Callable[[], SpawnChooser]
    _has_adversary = False

    def _show_position(self) -> None:
        raise NotImplementedError

    def _show_failure(self, error: BaseException) -> None:
        raise NotImplementedError

    def _make_choices(self) -> None:
        settings, panel, auto = self._settings, self.panel, self.auto
        auto.kind, auto.speed = settings.get("game.player"), settings.get("game.speed")
        panel.show_player(auto.kind)
        panel.show_speed(auto.speed)
        panel.show_difficulty(settings.get("game.difficulty"))
        self._show_spawn4()
        panel.player_combo.activated.connect(self._set_player)
        panel.speed_slider.valueChanged.connect(lambda at: settings.set("game.speed", SPEEDS[at]))
        panel.hard_slider.valueChanged.connect(partial(settings.set, "game.difficulty"))
        panel.fours_spin.valueChanged.connect(
            lambda percent: settings.set("game.spawn4", round(percent / 100, 6))
        )
        settings.changed.connect(self._follow_choice)

    def _apply_choices(self) -> None:
        self._use_difficulty(self._settings.get("game.difficulty"))
        self._show_spawn4()

    def _show_spawn4(self) -> None:
        """Show the probability of fours, and set the player to that of the game."""
        chosen = of_game = self._settings.get("game.spawn4")
        if self.session:
            of_game = self.session.game.spawn4
        self.auto.spawn4 = of_game
        self.panel.show_spawn4(chosen, of_game)

    def _set_player(self, at: int) -> None:
        self._settings.set("game.player", self.panel.player_combo.itemData(at))
        self.board_view.setFocus()

    def _follow_choice(self, name: str, value: Any) -> None:
        if name == "game.player":
            self.auto.kind = value
            self.panel.show_player(value)
        elif name == "game.speed":
            self.auto.speed = value
            self.panel.show_speed(value)
        elif name == "game.difficulty":
            self.panel.show_difficulty(value)
            self._use_difficulty(value)
        elif name == "game.spawn4":
            self._use_spawn4(value)

    def _use_difficulty(self, percent: int) -> None:
        if self.session is None:
            return
        self.session.difficulty = percent
        if percent and not self._has_adversary:
            self._has_adversary = True
            self._services.files.run(self._make_adversary, self._take_adversary, self._show_failure)

    def _make_adversary(self) -> SpawnChooser:
        with without_collection():
            return self._load_adversary()

    def _take_adversary(self, adversary: SpawnChooser) -> None:
        if self.session:
            self.session.adversary = adversary

    def _use_spawn4(self, spawn4: float) -> None:
        if self.session is None:
            self._show_spawn4()
            return
        before = self.session.game
        self.session.set_spawn4(spawn4)
        self._show_spawn4()
        if self.session.game is not before:
            self._show_position()
