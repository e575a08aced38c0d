"""How long each move takes: a watch that stands still while nobody looks at the game. No Qt."""

from collections.abc import Callable


class PlayClock:
    """Measures from one move to the next.

    Parameters
    ----------
    clock : callable
        Seconds, monotonic.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since_s: float | None = clock()
        self._kept_s = 0.0

    def take_ms(self) -> int:
        """Return the milliseconds since the last call or `restart`, pauses left out."""
        now = self._clock()
        running_s = 0.0 if self._since_s is None else now - self._since_s
        ms = round(1000 * max(0.0, self._kept_s + running_s))
        self.restart()
        return ms

    def restart(self) -> None:
        """Begin to measure anew; a watch that stands still stays so."""
        self._kept_s = 0.0
        if self._since_s is not None:
            self._since_s = self._clock()

    def pause(self) -> None:
        """Stand still."""
        if self._since_s is not None:
            self._kept_s += self._clock() - self._since_s
            self._since_s = None

    def go_on(self) -> None:
        """Go on where it stood still."""
        if self._since_s is None:
            self._since_s = self._clock()
