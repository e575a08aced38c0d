"""How often something may be done: a bucket of tokens that fills at a constant rate."""

from collections import OrderedDict
from collections.abc import Callable

DEFAULT_PER_SECOND = 5000.0
"""Requests from one address."""
_MAX_NAMES = 1024  # buckets kept; the one used longest ago is dropped first


class RateLimit:
    """Limits how often each of several callers acts: in the long run, and at once after a pause."""

    def __init__(self, per_second: float, burst: float, clock: Callable[[], float]) -> None:
        self._per_second, self._burst, self._clock = per_second, burst, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, at a time

    def take(self, name: str) -> bool:
        """Take a token of the caller `name`; return False if there is none."""
        now = self._clock()
        tokens, then = self._buckets.get(name, (self._burst, now))
        tokens = min(self._burst, tokens + (now - then) * self._per_second)
        is_allowed = tokens >= 1.0
        self._buckets[name] = (tokens - is_allowed, now)
        self._buckets.move_to_end(name)
        while len(self._buckets) > _MAX_NAMES:
            self._buckets.popitem(last=False)
        return is_allowed

    def __len__(self) -> int:
        return len(self._buckets)
