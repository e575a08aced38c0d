"""What was unpacked last, within so many bytes, whichever files it comes from."""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any


class NotKeptError(Exception):
    """What was asked for has to be read or worked out first."""


class BlockCache:
    """Keeps what was asked for last; what was not asked for longest goes first.

    One cache may serve all layers of all tables of a player: then the bytes bound them together,
    and whatever a game needs gets the room that it needs.

    Parameters
    ----------
    most_bytes : int
        What was kept last stays, even if it takes more.

    Attributes
    ----------
    n_bytes : int
        What is kept now.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._is_all_there_is = False
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self.n_bytes = 0

    def get(self, key: Hashable) -> Any:
        """Return what is kept under a key; None when there is nothing."""
        found = self._kept.get(key)
        if found is None:
            self.look_elsewhere()
            return None
        self._kept.move_to_end(key)
        return found[0]

    def keep(self, key: Hashable, value: Any, n_bytes: int) -> None:
        """Keep something under a new key."""
        self._kept[key] = value, n_bytes
        self.n_bytes += n_bytes
        while self.n_bytes > self._most_bytes and len(self._kept) > 1:
            self.n_bytes -= self._kept.popitem(last=False)[1][1]

    @contextmanager
    def only_kept(self) -> Iterator[None]:
        """Have `look_elsewhere`, and `get` of what is missing, raise NotKeptError meanwhile.

        For who has microseconds to ask for something, and no time to read a file.
        """
        self._is_all_there_is = True
        try:
            yield
        finally:
            self._is_all_there_is = False

    def look_elsewhere(self) -> None:
        """Be told that somebody is about to read, or to begin with what takes as long."""
        if self._is_all_there_is:
            raise NotKeptError
