"""Clients that dawdle: each is sent away, and all others are served meanwhile."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.served import TOKEN, Served, service, talk
from web.service.connection import MAX_CONNECTIONS, MAX_OF_A_DEVICE, Patience

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
