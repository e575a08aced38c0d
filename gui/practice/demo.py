"""Practice plays by itself: the best moves, or those of the history."""

from PySide6.QtCore import QObject, QTimer, Signal

from gui.practice.game import PracticeGame


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
