"""Work off the event loop: one thread for one subject, and a limit on waiting requests."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from engine.platform.language import tr
from web.service.refusals import too_busy

T = TypeVar("T")
_Job = tuple[Callable[[], Any], "asyncio.Future[Any]"]
_Outcome = tuple["asyncio.Future[Any]", Any, BaseException | None]


class Worker:
    """A thread that does one thing after another; called on the event loop.

    Waking another thread takes as long as looking up a board. So work that comes while the thread
    is busy is done in one go, and results within a millisecond are reported together. A request is
    refused if `max_waiting` are waiting already.
    """

    def __init__(self, name: str, max_waiting: int) -> None:
        self._max_waiting = max_waiting
        self._waiting: deque[_Job] = deque()
        self._is_at_work = False
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)

    @property
    def is_idle(self) -> bool:
        """Whether the thread is idle, as it is until the event loop calls it again.

        The event loop may then do its work, if that takes only microseconds: waking another thread
        takes longer.
        """
        return not self._is_at_work

    async def run(self, work: Callable[[], T]) -> T:
        """Return the result of `work`; raise RequestError if too many are waiting already."""
        if len(self._waiting) >= self._max_waiting:
            self._forget_the_gone()
        if len(self._waiting) >= self._max_waiting:
            raise too_busy(tr("the service is busy: try again in a moment"))
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._waiting.append((work, future))
        self._begin(loop)
        return await future

    def close(self) -> None:
        """Let the running work end; drop the waiting work."""
        while self._waiting:
            self._waiting.pop()[1].cancel()
        self._pool.shutdown()

    def _forget_the_gone(self) -> None:
        """Free the places of callers that no longer wait; the thread keeps running meanwhile."""
        for job in [job for job in self._waiting.copy() if job[1].done()]:
            with contextlib.suppress(ValueError):  # the thread has taken it
                self._waiting.remove(job)

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._waiting and not self._is_at_work:
            self._is_at_work = True
            self._pool.submit(self._work, loop)

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        """Do all waiting work, on the thread."""
        done: list[_Outcome] = []
        began = time.monotonic()
        while True:
            try:
                work, future = self._waiting.popleft()
            except IndexError:
                loop.call_soon_threadsafe(self._rest, loop, done)
                return
            if future.done():  # the caller has gone
                continue
            try:
                done.append((future, work(), None))
            except BaseException as error:  # noqa: BLE001, it is the asker's
                done.append((future, None, error))
            if time.monotonic() - began > 0.001:
                loop.call_soon_threadsafe(_settle, done)
                done, began = [], time.monotonic()

    def _rest(self, loop: asyncio.AbstractEventLoop, done: list[_Outcome]) -> None:
        _settle(done)
        self._is_at_work = False
        self._begin(loop)


def _settle(done: list[_Outcome]) -> None:
    for future, value, error in done:
        if future.done():
            continue
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)
