"""A thread for one subject: what is done in which order, and what is refused."""

import asyncio
import threading

import pytest

from web.service.refusals import RequestError
from web.service.workers import Worker


def test_work_is_done_in_order_and_each_gets_its_own():
    done: list[int] = []

    def work(i: int) -> int:
        done.append(i)
        return i * i

    async def ask() -> list[int]:
        worker = Worker("test", 1000)
        found = await asyncio.gather(*(worker.run(lambda i=i: work(i)) for i in range(500)))
        worker.close()
        return found

    assert asyncio.run(ask()) == [i * i for i in range(500)]
    assert done == list(range(500))


def test_an_error_is_that_of_who_asked():
    async def ask() -> list[object]:
        worker = Worker("test", 10)
        work = (lambda: 1, lambda: 1 // 0, lambda: 3)
        found = await asyncio.gather(*map(worker.run, work), return_exceptions=True)
        worker.close()
        return list(found)

    first, second, third = asyncio.run(ask())
    assert (first, third) == (1, 3)
    assert isinstance(second, ZeroDivisionError)


def test_who_comes_when_too_many_wait_is_refused():
    may_go_on, has_begun = threading.Event(), threading.Event()

    def wait() -> str:
        has_begun.set()
        may_go_on.wait(60)
        return "done"

    async def ask() -> None:
        worker = Worker("test", 2)
        under_way = asyncio.create_task(worker.run(wait))
        while not has_begun.is_set():
            await asyncio.sleep(0)
        waiting = [asyncio.create_task(worker.run(lambda: "later")) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(RequestError) as refused:
            await worker.run(lambda: "too many")
        assert refused.value.status == 503
        waiting[0].cancel()  # it has gone, and another one may wait in its place
        await asyncio.sleep(0)
        waiting.append(asyncio.create_task(worker.run(lambda: "in its place")))
        await asyncio.sleep(0)
        may_go_on.set()
        assert await under_way == "done"
        assert await asyncio.gather(*waiting[1:]) == ["later", "in its place"]
        worker.close()

    asyncio.run(ask())


def test_what_waits_at_the_end_is_dropped():
    may_go_on, has_begun = threading.Event(), threading.Event()

    def wait() -> None:
        has_begun.set()
        may_go_on.wait(60)

    async def ask() -> None:
        worker = Worker("test", 10)
        under_way = asyncio.create_task(worker.run(wait))
        while not has_begun.is_set():
            await asyncio.sleep(0)
        waiting = asyncio.create_task(worker.run(lambda: None))
        await asyncio.sleep(0)
        threading.Timer(0.05, may_go_on.set).start()
        worker.close()
        await under_way
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(ask())
