"""Clients that go or dawdle: what they asked for ends, and all others are served meanwhile."""

import asyncio
import logging
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ai.dispatch.thinker import Budget
from tests.web.served import TOKEN, Served, service, talk
from web.service import grading, searching, tables
from web.service.connection import MAX_CONNECTIONS, MAX_OF_A_DEVICE, Patience, WatchedConnection
from web.service.grading import Grader
from web.service.guard import Access, Guard, RequestLimits
from web.service.requests import MAX_PROBE_S, AnalyzeRequest
from web.service.searching import Searcher
from web.service.server import listening, serve
from web.service.tables import SLICE_S, ServedTables

SCOPE = {
    "type": "http",
    "path": "/",
    "client": ("127.0.0.1", 4000),
    "headers": [(b"host", b"localhost:2048")],
}


class Connection:
    """A request with a body, and a client that may go."""

    def __init__(self) -> None:
        self.has_gone = asyncio.Event()
        self._is_read = False

    async def receive(self) -> dict[str, object]:
        if not self._is_read:
            self._is_read = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.has_gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, _message: object) -> None:
        raise AssertionError("nobody is there")


class Endless:
    """An application that never answers."""

    def __init__(self) -> None:
        self.has_begun, self.was_cancelled = asyncio.Event(), False

    async def __call__(self, *_request: object) -> None:
        self.has_begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise


def guarded(app: Any) -> Guard:
    return Guard(app, Access(frozenset({"localhost"}), 2048, TOKEN), RequestLimits())


@pytest.mark.parametrize("has_client_gone", [True, False])
def test_a_request_ends_with_its_client_and_says_if_others_cancel_it(has_client_gone):
    async def check() -> None:
        app, connection = Endless(), Connection()
        answering = asyncio.create_task(
            guarded(app)(dict(SCOPE), connection.receive, connection.send)
        )
        await app.has_begun.wait()
        if has_client_gone:
            connection.has_gone.set()
            await answering
            assert app.was_cancelled
            return
        answering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answering

    asyncio.run(check())


class HeldThinker:
    """Thinks until it is stopped."""

    def __init__(self, *_options: object) -> None:
        self._stopped = threading.Event()

    def think(
        self, cells: Sequence[int], _budget: Budget, is_cancelled: Callable[[], bool]
    ) -> Iterator[object]:
        if cells[0]:
            began.set()
            self._stopped.wait(600)
            assert is_cancelled()
        yield SimpleNamespace(decision=tuple(cells))

    def stop(self) -> None:
        self._stopped.set()

    def close(self) -> None:
        pass


began = threading.Event()


def test_a_search_ends_with_its_client(monkeypatch):
    monkeypatch.setattr(searching, "Thinker", HeldThinker)
    began.clear()

    async def check() -> None:
        desk = Searcher([], 0.1)
        asked = [asyncio.create_task(desk.best([1] * 16, Budget(ms=1e6)))]
        await asyncio.to_thread(began.wait, 600)
        asked += [asyncio.create_task(desk.best([1] * 16, Budget(ms=1e6))) for _ in range(3)]
        await asyncio.sleep(0)
        for one in asked:
            one.cancel()
        found: Any = await desk.best([0] * 16, Budget(ms=1))
        assert found.decision == (0,) * 16
        desk.close()

    asyncio.run(check())


def test_judging_ends_with_its_client(monkeypatch):
    has_begun = threading.Event()

    class Endlessly:
        report = None

        def __init__(self, *_options: object) -> None:
            pass

        def run(self) -> Iterator[None]:
            while True:
                has_begun.set()
                yield

    monkeypatch.setattr(grading, "Analysis", Endlessly)
    monkeypatch.setattr(grading, "read_game", lambda *_: ("", None))
    monkeypatch.setattr(grading, "to_json", lambda *_args, **_more: {})

    async def check() -> None:
        grader = Grader(ServedTables([]), clock=lambda: 0.0)
        wanted = AnalyzeRequest(None, 1, is_strict=False, ms=1.0, with_moves=False)
        first = asyncio.create_task(grader.grade(b"", wanted))
        await asyncio.to_thread(has_begun.wait, 600)
        first.cancel()
        has_begun.clear()
        second = asyncio.create_task(grader.grade(b"", wanted))
        await asyncio.to_thread(has_begun.wait, 600)  # its turn has come
        second.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        grader.close()

    asyncio.run(check())


def test_time_decides_how_many_proofs_are_made_before_others_get_a_turn(monkeypatch):
    now, per_board_s = [0.0], 0.008

    def prove(_tables: ServedTables, board: str, *_names: object) -> dict[str, str]:
        now[0] += per_board_s
        return {"board": board}

    monkeypatch.setattr(tables, "quick_answers", lambda *_: {})
    monkeypatch.setattr(ServedTables, "look_up", prove)
    monkeypatch.setattr(ServedTables, "choose", lambda *_: [None])
    n = 2000
    boards = [f"{i:016x}" for i in range(n)]
    served = ServedTables([], lambda: now[0])
    parts = [part for part in served.look_ups(boards, [], False) if part]
    assert max(map(len, parts[:-1])) * per_board_s < SLICE_S + per_board_s
    answers = {i: answer for part in parts for i, answer in part.items()}
    assert [answers[i]["board"] for i in range(n)] == boards
    late = [answer for answer in answers.values() if "error" in answer]
    assert abs((n - len(late)) * per_board_s - MAX_PROBE_S) < 2 * SLICE_S


class Unfinished:
    """An application whose answer never ends: whole, or as a stream that has begun."""

    def __init__(self, is_stream: bool) -> None:
        self.is_stream, self.has_begun, self.was_cancelled = is_stream, threading.Event(), False

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            for word in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{word}.complete"})
            return
        if self.is_stream:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"line\n", "more_body": True})
        self.has_begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.was_cancelled = True


@pytest.mark.parametrize("is_stream", [True, False])
def test_the_end_of_the_service_is_no_error_of_what_it_interrupts(caplog, is_stream):
    class Connection(WatchedConnection):
        patience = Patience(end_s=60 if is_stream else 0.01)

    app, is_over, listener = Unfinished(is_stream), threading.Event(), listening("127.0.0.1", 0)
    port = listener.getsockname()[1]
    guard = Guard(app, Access(frozenset({"localhost"}), port, TOKEN), RequestLimits())
    work = (guard, [listener], is_over.is_set, Connection)
    thread = threading.Thread(target=serve, args=work)
    thread.start()
    try:
        with socket.create_connection(("127.0.0.1", port), 60) as client:
            client.sendall(f"GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
            assert app.has_begun.wait(60)
            is_over.set()
            thread.join()
    finally:
        is_over.set()
        thread.join()
    assert app.was_cancelled
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]


HASTY = Patience(head_s=0.3, body_s=0.3, stalled_s=0.3, look_s=0.05)


@pytest.fixture(scope="module")
def hasty(tables_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with service([tables_folder], tmp_path_factory.mktemp("data"), patience=HASTY) as served:
        yield served


def head(served: Served, length: int) -> bytes:
    return (
        f"POST /v1/probe HTTP/1.1\r\nHost: localhost:{served.port}\r\n"
        f"Authorization: Bearer {TOKEN}\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


@pytest.mark.parametrize("n_bytes", [0, 1, 30, 70])
def test_half_a_head_does_not_stay(hasty, n_bytes):
    assert hasty.raw(head(hasty, 0)[:n_bytes]).startswith(b"HTTP/1.1 408")


def test_half_a_body_does_not_stay(hasty):
    assert hasty.raw(head(hasty, 100) + b'{"bo').startswith(b"HTTP/1.1 408")


def test_a_head_byte_by_byte_does_not_stay(hasty):
    """What comes slowly but steadily is late as well."""
    with socket.create_connection(("localhost", hasty.port), 20) as connection:
        connection.settimeout(0.02)
        n_sent = 0
        while n_sent < 100_000:  # it ends by being sent away, long before
            try:
                connection.sendall(b"G" if not n_sent else b"E")
                n_sent += 1
                if connection.recv(1) is not None:
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
    assert n_sent < 1000


def test_an_idle_connection_does_not_stay(hasty):
    data = head(hasty, 2) + b"{}"
    assert hasty.raw(data).startswith(b"HTTP/1.1 400")  # and it returns: closed some time after


def test_who_does_not_read_does_not_stay(hasty):
    """Large answers are asked for on one connection, and none is read."""
    data = f"GET /openapi.json HTTP/1.1\r\nHost: localhost:{hasty.port}\r\n\r\n".encode()
    with (
        socket.create_connection(("localhost", hasty.port), 60) as connection,
        pytest.raises(ConnectionError),
    ):
        connection.sendall(1_000_000 * data)


@pytest.mark.parametrize("piece", [b"x" * 1000, b"X-Y: z\r\n" * 100])
def test_a_head_without_an_end_is_refused(served, piece):
    with socket.create_connection(("localhost", served.port), 20) as connection:
        answer = talk_on(connection, head(served, 0)[:-2] + b"X-Long: ", piece)
    assert answer == b"" or answer.startswith((b"HTTP/1.1 431", b"HTTP/1.1 400"))


@pytest.mark.parametrize("piece", [b"x" * 1000, b"X-Y: z\r\n" * 100])
@pytest.mark.parametrize("begin", [b"X-Long: ", b"1;"])
def test_lines_after_a_body_without_an_end_are_refused(served, begin, piece):
    start = head(served, 0).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
    last = b"0\r\n" if begin.startswith(b"X") else b""
    with socket.create_connection(("localhost", served.port), 20) as connection:
        answer = talk_on(connection, start + b"2\r\n{}\r\n" + last + begin, piece)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 4")


def talk_on(connection: socket.socket, data: bytes, piece: bytes) -> bytes:
    """Send some bytes and then a piece again and again; return what comes back at the end."""
    try:
        connection.sendall(data)
        for _ in range(20_000):
            connection.sendall(piece)
    except ConnectionError:
        return b""
    pytest.fail("20 MB were taken")


def test_lines_after_a_body_are_no_headers(served):
    start = head(served, 0).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
    start = start.replace(b"Authorization", b"X-Nothing").replace(b"/v1/probe", b"/v1/games")
    end = b"0\r\nAuthorization: Bearer " + TOKEN.encode() + b"\r\nConnection: close\r\n\r\n"
    answer = served.raw(start.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + end)
    assert answer.startswith((b"HTTP/1.1 401", b"HTTP/1.1 429"))


def test_many_requests_at_once_are_all_answered(served):
    one = head(served, 2) + b"{}"
    last = one.replace(b"Content-Length", b"Connection: close\r\nContent-Length")
    assert served.raw(500 * one + last).count(b"HTTP/1.1 400") == 501


def test_who_wants_another_protocol_gets_an_answer_in_this_one(served):
    more = b"Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length"
    answer = served.raw((head(served, 2) + b"{}").replace(b"Content-Length", more))
    assert answer.startswith(b"HTTP/1.1 4")


def test_others_are_served_while_many_dawdle(hasty):
    slow = [socket.create_connection(("localhost", hasty.port), 20) for _ in range(100)]
    try:
        for one in slow:
            one.sendall(b"GET / HT")
        assert hasty.get("/v1").status == 200
        for one in slow:
            talk(one, b"")  # until it is closed
        assert hasty.get("/v1").status == 200
    finally:
        for one in slow:
            one.close()


def test_there_are_only_so_many_connections(tables_folder, tmp_path):
    with service([tables_folder], tmp_path) as served:
        held = [
            socket.create_connection(("localhost", served.port), 20) for _ in range(MAX_CONNECTIONS)
        ]
        try:
            assert served.raw(b"").startswith(b"HTTP/1.1 503")
        finally:
            for one in held:
                one.close()


def test_one_other_device_leaves_room_for_others(tables_folder, tmp_path, monkeypatch):
    with service([tables_folder], tmp_path) as served:
        own = socket.create_connection(("localhost", served.port), 20)
        monkeypatch.setattr("web.service.connection.is_loopback", lambda _: False)
        held = [
            socket.create_connection(("localhost", served.port), 20)
            for _ in range(MAX_OF_A_DEVICE - 1)
        ]
        try:
            assert served.raw(b"").startswith(b"HTTP/1.1 503")
            monkeypatch.undo()
            assert served.get("/v1").status == 200
        finally:
            for one in (own, *held):
                one.close()


def test_a_large_head_that_comes_at_once_is_refused(served):
    data = head(served, 2)[:-2] + b"X-Long: " + b"x" * 60_000 + b"\r\n\r\n{}"
    assert served.raw(data).startswith(b"HTTP/1.1 431")
