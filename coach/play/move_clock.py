"""The clock for the time and the time limit of a move. No Qt."""

from collections.abc import Callable


class MoveClock:
    """Measures move after move, in monotonic seconds; pauses while the board is out of sight."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._limit_s = 0.0
        self._before_s = 0.0  # measured before the last pause
        self._since: float | None = None
        self._is_paused = False

    @property
    def elapsed_ms(self) -> int:
        running = self._clock() - self._since if self._since is not None else 0.0
        return round((self._before_s + running) * 1000)

    @property
    def left(self) -> float:
        """The share of the time that is left, in [0, 1]; 1 without a limit."""
        if not self._limit_s:
            return 1.0
        return min(1.0, max(0.0, 1.0 - self.elapsed_ms / 1000 / self._limit_s))

    @property
    def seconds_left(self) -> float:
        return self.left * self._limit_s if self._limit_s else 0.0

    @property
    def is_over(self) -> bool:
        return self.left <= 0.0

    def take_ms(self) -> int:
        """Return the time the move took, and start measuring the next one, without a limit."""
        ms = max(0, self.elapsed_ms)
        self.start()
        return ms

    def start(self, limit_s: float = 0.0) -> None:
        """Start measuring a move with a time limit, 0 for none; a pause continues."""
        self._limit_s, self._before_s = limit_s, 0.0
        self._since = None if self._is_paused else self._clock()

    def stop(self) -> None:
        self._limit_s, self._before_s, self._since = 0.0, 0.0, None

    def pause(self) -> None:
        """Pause: the board is out of sight."""
        if self._since is not None:
            self._before_s += self._clock() - self._since
        self._since, self._is_paused = None, True

    def resume(self, is_measuring: bool = True) -> None:
        """Resume after `pause`, if a move is being measured."""
        self._is_paused = False
        if is_measuring and self._since is None:
            self._since = self._clock()
