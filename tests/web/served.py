"""The service on a port of this machine, in a thread, and requests to it, byte by byte."""

import json
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

from engine.platform.user_folders import user_folders
from tests import child
from web.service.analyses import AnalysisJobs
from web.service.app import Parts, make_app, request_limits
from web.service.builds import ServiceBuilds
from web.service.connection import Patience, WatchedConnection
from web.service.games import Games
from web.service.grading import Grader
from web.service.guard import Access, Guard
from web.service.page import page_files
from web.service.searching import Searcher
from web.service.server import listening, serve
from web.service.tables import ServedTables

TOKEN = "a-token-of-the-tests"
NAMES = frozenset({"127.0.0.1", "localhost"})


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.body.splitlines() if line]


@dataclass
class Served:
    """A running service."""

    port: int

    def ask(
        self, method: str, path: str, body: Any = None, token: str | None = TOKEN, **headers: str
    ) -> Answer:
        """Return the answer to one request; a body that is no bytes is sent as JSON."""
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            told.setdefault("Authorization", f"Bearer {token}")
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection = HTTPConnection("127.0.0.1", self.port, timeout=600)
        try:
            connection.request(method, path, data, told)
            response = connection.getresponse()
            return Answer(response.status, _lower(response), response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.ask("POST", path, body, **headers)

    def raw(self, data: bytes, timeout_s: float = 600.0) -> bytes:
        """Return the response to some bytes, until the service closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout_s) as connection:
            return talk(connection, data)


def talk(connection: socket.socket, data: bytes) -> bytes:
    received = b""
    try:
        connection.sendall(data)
        while part := connection.recv(65536):
            received += part
    except (ConnectionError, BrokenPipeError):
        pass
    return received


def request(method: bytes, path: bytes, body: bytes = b"", more: bytes = b"") -> bytes:
    """Return the bytes of a request that ends its connection; PORT in `more` is not replaced."""
    return (
        method + b" " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + more
        + b"Content-Length: %d\r\n\r\n" % len(body) + body
    )  # fmt: skip


@contextmanager
def command(data: Path, *words: object, token: str = TOKEN) -> "Iterator[subprocess.Popen[str]]":
    process = subprocess.Popen(
        child.command("--data-dir", data, "serve", "--port", "0", "--stdin-control", *words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**child.environment(), "ENDGAME2048_TOKEN": token},
    )
    try:
        yield process
    finally:
        process.communicate()  # closes stdin, which ends it


def port_of(process: "subprocess.Popen[str]") -> int:
    """Return the port of a command that was started with ``--json``."""
    assert process.stdout
    return int(json.loads(process.stdout.readline())["base"].rstrip("/").rpartition(":")[2])


@contextmanager
def service(
    tables: Sequence[Path],
    data: Path,
    *,
    token: str = TOKEN,
    patience: Patience | None = None,
    per_second: float = 1e6,
    allow_builds: bool = False,
    clock: Callable[[], float] = time.monotonic,
    port_in_host: bool = True,
    only_private: bool = False,
    link: str | None = None,
) -> Iterator[Served]:

    class Connection(WatchedConnection):
        pass

    if patience:
        Connection.patience = patience
    listener = listening("127.0.0.1", 0)
    port = listener.getsockname()[1]
    app = make_app(
        Parts(
            tables=ServedTables(tables),
            search=Searcher(tables, 0.1),
            grading=Grader(ServedTables(tables)),
            analyses=AnalysisJobs(ServedTables(tables), 0.1),
            games=Games(),
            builds=ServiceBuilds(user_folders(data)) if allow_builds else None,
            page=page_files(),
            spawn4=0.1,
            version="test",
            link=link,
        )
    )
    # A client that leaves the port out of Host means 80.
    access = Access(NAMES, port if port_in_host else 80, token, only_private=only_private)
    guard = Guard(app, access, request_limits(per_second), clock)
    is_over = threading.Event()
    thread = threading.Thread(target=serve, args=(guard, [listener], is_over.is_set, Connection))
    thread.start()
    try:
        yield Served(port)
    finally:
        is_over.set()
        thread.join()


def _lower(response: HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}
