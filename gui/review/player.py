"""Automatic playback of a recorded game."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from gui.review.game import ReviewGame


class GamePlayer(QObject):
    """Steps through a game until its end.

    Parameters
    ----------
    game : ReviewGame
    go_to : callable
        Shows a position.
    told : callable
        Called with whether it plays.
    """

    def __init__(
        self,
        game: ReviewGame,
        go_to: Callable[[int], None],
        told: Callable[[bool], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._game, self._go_to, self._told = game, go_to, told
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)

    def set_speed(self, moves_per_second: int) -> None:
        """Set the speed in moves per second."""
        self._timer.setInterval(1000 // moves_per_second)

    def toggle(self) -> None:
        """Start playback, from the start if at the end, or stop it."""
        if self._timer.isActive():
            self.stop()
        elif self._game.recording:
            if self._game.is_at_end:
                self._go_to(0)
            self._timer.start()
            self._told(True)

    def stop(self) -> None:
        """Stop at the current position."""
        self._timer.stop()
        self._told(False)

    def _tick(self) -> None:
        self._go_to(self._game.position + 1)
        if self._game.is_at_end:
            self.stop()
