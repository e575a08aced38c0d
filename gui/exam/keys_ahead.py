"""A queue of keys pressed while the table is queried, each with its time. No Qt."""

from collections import deque

MAX_AHEAD = 16
"""Half a second of the fastest typing; by then the page has said that it waits for the drive."""


class KeysAhead:
    """Moves and undos in the order they were requested."""

    def __init__(self) -> None:
        self._keys: deque[tuple[int | None, int]] = deque()

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def first(self) -> tuple[int | None, int]:
        """The first direction (None for an undo) and its time in ms."""
        return self._keys[0]

    def add(self, direction: int | None, ms: int) -> bool:
        """Append an entry and return whether there was room.

        The length is limited so that a held arrow key doesn't play a whole test once the drive
        wakes up.
        """
        has_room = len(self._keys) < MAX_AHEAD
        if has_room:
            self._keys.append((direction, ms))
        return has_room

    def drop_first(self) -> None:
        """Remove the first entry."""
        self._keys.popleft()

    def clear(self) -> None:
        """Clear the queue: it was meant for another test."""
        self._keys.clear()
