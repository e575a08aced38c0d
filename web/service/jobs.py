"""Work that takes longer than a request: its progress, reported whenever it changes."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Generic, TypeVar

from web.service.refusals import RequestError

Event = dict[str, Any]
MAX_KEPT = 32
"""Number of ended jobs of a kind that are kept."""


class Job:
    """A piece of work in progress; its `event` is the last one it reported.

    Its `state` is "running", "done", "canceled" or "failed"; some jobs are "waiting" at first.
    """

    def __init__(self, state: str = "running") -> None:
        self.name = secrets.token_urlsafe(9)  # nobody can guess it
        self.state, self.event, self.error = state, Event(), ""
        self._changed = asyncio.Condition()
        self._n_changes = 0

    @property
    def is_over(self) -> bool:
        return self.state not in ("waiting", "running")

    @property
    def progress(self) -> Event:
        progress: Event = {"id": self.name, "state": self.state}
        if self.event:
            progress["last"] = self.event
        if self.error:
            progress["error"] = self.error
        return progress

    async def change(self, **values: Any) -> None:
        """Set attributes and notify those who wait; a job that has ended stays as it is."""
        async with self._changed:
            if self.is_over:
                return
            for name, value in values.items():
                setattr(self, name, value)
            self._n_changes += 1
            self._changed.notify_all()

    async def changes(self) -> AsyncIterator[Event]:
        """Yield its progress, again whenever that changes, until it has ended."""
        seen = -1
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda: self._n_changes != seen)  # noqa: B023
                seen, progress, is_over = self._n_changes, self.progress, self.is_over
            yield progress
            if is_over:
                return


J = TypeVar("J", bound=Job)


class Jobs(Generic[J]):
    """Jobs of one kind by name; those that ended first are forgotten first."""

    def __init__(self, missing: str, max_kept: int = MAX_KEPT) -> None:
        self._missing, self._max_kept = missing, max_kept
        self._jobs: OrderedDict[str, J] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, job: J, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Add a job, and have its work done."""
        self.add(job)
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def wait(self) -> None:
        """Wait for the end of all work."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    def add(self, job: J) -> None:
        self._jobs[job.name] = job
        ended = [job.name for job in self._jobs.values() if job.is_over]
        for name in ended[: max(0, len(self._jobs) - self._max_kept)]:
            del self._jobs[name]

    def find(self, name: str) -> J:
        """Return the job of that name; raise RequestError if there is none."""
        if name not in self._jobs:
            raise RequestError(404, self._missing)
        return self._jobs[name]

    def every(self) -> list[J]:
        """Return all jobs, the last one first."""
        return list(reversed(self._jobs.values()))
