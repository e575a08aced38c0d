"""Keys pressed while the table is asked: they wait in line, each with the time it took. No Qt."""

from collections import deque

MOST_AHEAD = 16
"""Half a second of the fastest typing; by then the page has said that it waits for the drive."""


class KeysAhead:
    """Moves, and moves to be taken back, in the order in which they were asked for."""

    def __init__(self) -> None:
        self._keys: deque[tuple[int | None, int]] = deque()

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def first(self) -> tuple[int | None, int]:
        """The direction whose turn it is, None for taking a move back, and its milliseconds."""
        return self._keys[0]

    def add(self, direction: int | None, ms: int) -> bool:
        """Put one at the end and tell whether there was room.

        There is an end to it, lest an arrow held down play a whole test once the drive wakes up.
        """
        has_room = len(self._keys) < MOST_AHEAD
        if has_room:
            self._keys.append((direction, ms))
        return has_room

    def drop_first(self) -> None:
        """Let go of the one whose turn it was."""
        self._keys.popleft()

    def clear(self) -> None:
        """Forget them: they were meant for another test."""
        self._keys.clear()
