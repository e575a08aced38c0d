"""A cache of the blocks unpacked last, limited in bytes, for any number of files."""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any


class NotCachedError(Exception):
    """The requested value is not in the cache: it must be read or computed first."""


class BlockCache:
    """Keeps the values used last, up to `most_bytes` (the last one always); the oldest go first.

    One cache may serve all layers of all tables of an AI: then the limit is for all together, and
    whatever a game needs gets the memory that it needs.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._is_all_there_is = False
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self.n_bytes = 0

    def get(self, key: Hashable) -> Any:
        entry = self._kept.get(key)
        if entry is None:
            self.look_elsewhere()
            return None
        self._kept.move_to_end(key)
        return entry[0]

    def keep(self, key: Hashable, value: Any, n_bytes: int) -> None:
        self._kept[key] = value, n_bytes
        self.n_bytes += n_bytes
        while self.n_bytes > self._most_bytes and len(self._kept) > 1:
            self.n_bytes -= self._kept.popitem(last=False)[1][1]

    @contextmanager
    def only_cached(self) -> Iterator[None]:
        """Make `look_elsewhere`, and `get` of missing keys, raise NotCachedError in this context.

        For callers that have microseconds for a query, and no time to read a file.
        """
        self._is_all_there_is = True
        try:
            yield
        finally:
            self._is_all_there_is = False

    def look_elsewhere(self) -> None:
        """Announce that a file is about to be read, or work that takes as long."""
        if self._is_all_there_is:
            raise NotCachedError
