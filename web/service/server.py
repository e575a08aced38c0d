"""Runs the service: a socket, uvicorn, and an end on request."""

import asyncio
import contextlib
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

import uvicorn

from engine.platform.errors import AppError
from web.service.connection import WatchedConnection

_SHORT_S = 0.0005


class ListenError(AppError):
    """The service can't listen at that address."""


class _Server(uvicorn.Server):
    """A server that leaves signals to its caller."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket, for port 0 at a free one; raise ListenError."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise _cannot_listen(host, port, error) from error
    try:
        if sys.platform != "win32":  # there it would take another program's port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise _cannot_listen(host, port, error) from error
    return listener


def serve(
    app: Callable[..., Any],
    listeners: Sequence[socket.socket],
    is_cancelled: Callable[[], bool],
    connection: type[WatchedConnection] = WatchedConnection,
) -> None:
    """Answer requests until `is_cancelled`, called ten times a second; close the listeners."""
    server = _Server(
        uvicorn.Config(
            app,
            http=connection,
            ws="none",
            loop="none",
            interface="asgi3",
            lifespan="on",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=max(1, int(connection.patience.head_s / 2)),
            timeout_graceful_shutdown=3,
        )
    )

    async def run() -> None:
        async def watch() -> None:
            while not is_cancelled():
                await asyncio.sleep(0.1)
            server.should_exit = True

        watching = asyncio.create_task(watch())
        try:
            await server.serve(sockets=list(listeners))
        finally:
            watching.cancel()

    # With the default of 5 ms, lookups would wait for the event loop, and the loop for them.
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SHORT_S)
    try:
        _run_loop(run())
    finally:
        sys.setswitchinterval(before)
        for listener in listeners:
            listener.close()


def _run_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run an event loop until some work is done: uvloop's, which is faster, if installed."""
    try:
        import uvloop
    except ImportError:  # as on Windows
        asyncio.run(work)
    else:
        uvloop.run(work)


def _cannot_listen(host: str, port: int, error: Exception) -> ListenError:
    return ListenError(
        "cannot listen on {host}, port {port}: {reason}; choose another with --port",
        host=host,
        port=port,
        reason=getattr(error, "strerror", None) or error,
    )
