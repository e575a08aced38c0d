"""Game after game, played by search: low CPU use, and none while another instance computes."""

import logging
import secrets
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QTimer, Signal

from ai.choice import CHOOSERS, Choice, ChooserKind
from engine.game import Game
from gui.play.auto_player import AutoPlayer
from gui.screensaver.lease import Lease
from gui.work.tasks import TaskRunner

PLAYER = "search"
THINKING_SHARE = 0.02  # share of the time between two moves: 4 ms at 5 moves per second
REST_MS = 5000  # time for which the end of a game is shown
_LOOK_MS = 1000  # between two checks whether the lease is free
_log = logging.getLogger(__name__)


class SaverGame(QObject):
    """Plays while it holds the lease; otherwise the last board stays."""

    began = Signal()
    moved = Signal(object)

    def __init__(
        self,
        tasks: TaskRunner,
        lease: Lease,
        speed: int,
        parent: QObject | None = None,
        new_seed: Callable[[], int] = lambda: secrets.randbits(63),
        kinds: Mapping[str, ChooserKind] = CHOOSERS,
    ) -> None:
        super().__init__(parent)
        self._lease, self._new_seed = lease, new_seed
        self.game = Game.new(new_seed())
        self._auto = AutoPlayer(tasks, self._position, self, kinds, share=THINKING_SHARE)
        self._auto.kind, self._auto.speed = PLAYER, speed
        self._auto.chosen.connect(self._play)
        self._auto.failed.connect(self._give_up)
        self._look, self._rest = QTimer(self), QTimer(self)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._go_on)
        self._rest.setInterval(REST_MS)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._begin)

    @property
    def is_playing(self) -> bool:
        return self._auto.is_running

    def start(self) -> None:
        """Play, now or as soon as the lease is free."""
        self._look.start()
        self._go_on()

    def close(self) -> None:
        self._look.stop()
        self._rest.stop()
        self._auto.stop()
        self._lease.release()

    def _position(self) -> tuple[int, ...] | None:
        return None if self.game.is_over else self.game.cells

    def _go_on(self) -> None:
        if not self._lease.is_mine():
            self._auto.stop()
        elif not self._auto.is_running and not self._rest.isActive():
            self._auto.start()

    def _play(self, choice: Choice) -> None:
        if choice.direction is None:
            return
        result = self.game.move(choice.direction)
        if result is None:
            return
        self.moved.emit(result)
        if self.game.is_over:
            self._auto.stop()
            self._rest.start()

    def _begin(self) -> None:
        self.game = Game.new(self._new_seed())
        self.began.emit()
        self._go_on()

    def _give_up(self, error: BaseException) -> None:
        _log.error("the screen saver's AI failed", exc_info=error)
        self.close()
