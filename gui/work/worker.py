"""What services and pages need of a background thread."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")
OnError = Callable[[BaseException], None]


class Tasks(Protocol):
    """The part of `gui.work.tasks.TaskRunner` that most of its users need."""

    def run(self, work: Callable[[], T], done: Callable[[T], None], failed: OnError) -> object:
        """Run `work` in the background and answer on the thread of the window."""

    def release(self, let_go: Callable[[], object]) -> None:
        """Run this after all work submitted before, whatever happens."""
