"""What is asked of whatever runs work in the background. No Qt."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")
OnError = Callable[[BaseException], None]


class Tasks(Protocol):
    """Runs one job after the other, off the thread of its user, and answers on it."""

    def run(self, work: Callable[[], T], done: Callable[[T], None], failed: OnError) -> object: ...

    def release(self, let_go: Callable[[], object]) -> None: ...
