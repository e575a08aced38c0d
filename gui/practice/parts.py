"""What the parts of Practice work on: the game on the board, and what is remembered."""

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from gui.board.board_view import BoardView
from gui.play.services import PlayServices
from gui.practice.game import Listener, PracticeGame
from gui.practice.panel import PracticePanel
from gui.practice.session import SpawnMode
from gui.settings_model.remembered import Remembered
from gui.settings_model.settings import Settings
from gui.settings_model.state import BOARD_OF
from gui.widgets.banner import NEWS_MS, BannerStack


class Demo(QObject):
    """Plays the best move, or the next move of the history, at every tick.

    A move whose lookup is late is played at the next tick.
    """

    toggled = Signal(bool)

    def __init__(self, game: PracticeGame, parent: QObject) -> None:
        super().__init__(parent)
        self._game = game
        self._is_playback = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)

    @property
    def is_running(self) -> bool:
        return self._timer.isActive()

    @property
    def is_playback(self) -> bool:
        return self.is_running and self._is_playback

    @property
    def can_begin(self) -> bool:
        """Whether there is a best move to play, or one may still be found."""
        game, answer = self._game, self._game.answer
        if game.step is None or game.awaits_hand or game.is_reached:
            return False
        if answer is None:
            return not game.is_over
        return bool(answer.best_rate)  # 0 if nothing leads to the target

    def set_speed(self, moves_per_second: int) -> None:
        self._timer.setInterval(1000 // moves_per_second)

    def start(self, playback: bool = False) -> None:
        if not self.is_running:
            self._is_playback = playback
            self._timer.start()
            self.toggled.emit(True)
            self._tick()

    def stop(self) -> None:
        if self.is_running:
            self._timer.stop()
            self.toggled.emit(False)

    def _tick(self) -> None:
        if self._is_playback:
            if not self._game.step_forward():
                self.stop()
        elif not self.can_begin:
            self.stop()
        elif self._game.answer:
            self._game.play_best()


def _spawn_mode(value: str) -> SpawnMode:
    try:
        return SpawnMode(value)
    except ValueError:
        return SpawnMode.RANDOM


def _folder(value: str) -> Path:
    return Path(value) if value else Path.home()


class RememberedPractice:
    """Typed access to the page's settings and state, which their options keep valid."""

    speed = Remembered("practice.speed", int)
    is_guessing = Remembered("practice.guess", bool)
    asks_before_breaking = Remembered("practice.asks_before_breaking", bool)
    spawn_mode = Remembered("practice.spawn_mode", _spawn_mode, lambda mode: mode.value)
    has_seen_hints = Remembered("practice.has_seen_hints", bool, in_state=True)
    last_table = Remembered("practice.last_table", str, in_state=True)
    folder = Remembered("practice.folder", _folder, str, in_state=True)  # of recordings, pictures
    tab = Remembered("practice.tab", str, in_state=True)

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def board_of(self, table: Path) -> str:
        return str(self.settings.state.get(f"{BOARD_OF}{table}"))

    def set_board(self, table: Path, board: str) -> None:
        self.settings.state.set(f"{BOARD_OF}{table}", board)


class PracticeParts(QObject):
    """The game, the board and the panel that show it, and the demo that plays on."""

    changed = Signal()  # other actions apply now
    settling = Signal()  # an unfinished edit is dropped: another position comes

    def __init__(
        self,
        services: PlayServices,
        view: BoardView,
        banners: BannerStack,
        listener: Listener,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.services, self.view, self._banners = services, view, banners
        self.remembered = RememberedPractice(services.settings)
        self.game = PracticeGame(services.open_table, services.lookups, listener, services.rng)
        self.panel = PracticePanel(self.game.grade_of)
        self.demo = Demo(self.game, self)
        self.panel.asks_box.toggled.connect(self._ask_before_breaking)
        self.panel.guess_box.toggled.connect(self._guess)
        self.panel.speed_slider.valueChanged.connect(self._set_speed)
        self.panel.tab_chosen.connect(self._keep_tab)
        services.settings.changed.connect(self._follow_setting)

    def recall(self) -> None:
        remembered, panel = self.remembered, self.panel
        self._follow_setting("practice.speed")
        self._follow_setting("practice.asks_before_breaking")
        self.game.set_spawn_mode(remembered.spawn_mode)
        panel.spawn_chips.choose(remembered.spawn_mode)
        panel.guess_box.setChecked(remembered.is_guessing)
        panel.cross.hide_figures(remembered.is_guessing)
        panel.show_tab(remembered.tab)

    def settle(self) -> None:
        """Stop automatic play, and drop an unfinished edit."""
        self.demo.stop()
        self.settling.emit()

    def show_message(self, kind: str, text: str) -> None:
        lasts_ms = NEWS_MS if kind == "info" else None
        self._banners.show_message(kind, text, key="line", lasts_ms=lasts_ms)

    def _ask_before_breaking(self, asks: bool) -> None:
        self.remembered.asks_before_breaking = asks

    def _guess(self, is_guessing: bool) -> None:
        self.remembered.is_guessing = is_guessing
        self.game.show_answer()
        self.changed.emit()

    def _set_speed(self, moves_per_second: int) -> None:
        self.remembered.speed = moves_per_second

    def _keep_tab(self, tab: str) -> None:
        self.remembered.tab = tab

    def _follow_setting(self, name: str, _value: object = None) -> None:
        if name == "practice.asks_before_breaking":
            self.panel.asks_box.setChecked(self.remembered.asks_before_breaking)
        elif name == "practice.speed":
            self.demo.set_speed(self.remembered.speed)
            self.panel.show_speed(self.remembered.speed)
