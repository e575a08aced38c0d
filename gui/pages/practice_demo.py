"""The demo: best moves that play themselves until there is nothing left to show."""

from PySide6.QtCore import QObject, QTimer, Signal

from gui.practice_game import PracticeGame


class Demo(QObject):
    """Play the best move at every tick; a move whose look-up is late comes with the next tick.

    Signals
    -------
    toggled : bool
        Whether the demo runs now.
    """

    toggled = Signal(bool)

    def __init__(self, game: PracticeGame, parent: QObject) -> None:
        super().__init__(parent)
        self._game = game
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)

    @property
    def is_running(self) -> bool:
        """Whether the best moves play themselves."""
        return self._timer.isActive()

    def set_speed(self, moves_per_second: int) -> None:
        """Set how many moves are played in a second."""
        self._timer.setInterval(1000 // moves_per_second)

    def start(self) -> None:
        """Play the first move now and the others from time to time."""
        if not self.is_running:
            self._timer.start()
            self.toggled.emit(True)
            self._tick()

    def stop(self) -> None:
        """Leave the board as it is."""
        if self.is_running:
            self._timer.stop()
            self.toggled.emit(False)

    def _tick(self) -> None:
        game, answer = self._game, self._game.answer
        if game.step is None or game.is_over or game.is_reached or game.awaits_hand:
            self.stop()
        elif answer and not answer.best_rate:
            self.stop()  # nothing is known here, or nothing leads to the target
        elif answer:
            game.play_best()
