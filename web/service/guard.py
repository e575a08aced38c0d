"""Who may send requests, and how many: all requests pass here before they reach the service.

* The service knows its own names: a page elsewhere whose name suddenly leads to this machine (DNS
  rebinding) sends a ``Host`` that isn't among them.
* A browser says which page asks (``Origin``); only the service's own pages may, and no others ever
  get permission (no CORS).
* All paths below ``/v1``, which answer about this machine, need a token that others can't know.
* Bodies are limited in size, requests in number; `web.service.connection` limits the time.
* A request whose client has gone ends, and what it waits for with it.
"""

import asyncio
import hmac
import ipaddress
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.platform.language import tr
from web.service.lan import is_private
from web.service.rate_limit import DEFAULT_PER_SECOND, RateLimit
from web.service.refusals import RequestError, bug

Headers = list[tuple[bytes, bytes]]
API = "/v1"
MAX_BODY_BYTES = 1 << 20
MAX_DROPPED_BYTES = 16 << 20
"""Bytes read of a body that is too large; after that the connection is cut."""
MAX_WRONG_TOKENS = 10.0  # per second, from one address
_UNWATCHED_S = 0.05  # most requests have been answered by then
_SAFE: Headers = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        b"connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        b"base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
]
_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Access:
    """Who may send requests."""

    # Names that the service may be called by, in lower case, without the port.
    names: frozenset[str]
    port: int
    token: str  # "" if none is needed
    # Whether it may be called by any numeric address: a service that listens to the network can't
    # know which address it is reached by. A name that leads here is not such an address.
    any_address: bool = False
    only_private: bool = False  # whether to refuse clients outside the user's own network

    def is_own(self, host: str) -> bool:
        name, _, port = host.rpartition(":") if _has_port(host) else (host, "", "80")
        name = name.lower()
        if port != str(self.port):
            return False
        return name in self.names or (self.any_address and _is_address(name))

    def is_own_page(self, origin: str) -> bool:
        scheme, separator, host = origin.partition("://")
        return scheme == "http" and bool(separator) and self.is_own(host)

    def knows(self, authorization: str) -> bool:
        """Return whether an ``Authorization`` header has the token; takes equally long for all."""
        scheme, _, token = authorization.partition(" ")
        is_equal = hmac.compare_digest(token.strip().encode(), self.token.encode())
        return scheme.lower() == "bearer" and is_equal


@dataclass(frozen=True)
class RequestLimits:
    """How many and how large requests may be."""

    per_second: float = DEFAULT_PER_SECOND  # requests from one address
    body_bytes: int = MAX_BODY_BYTES  # of a request
    larger_bodies: Mapping[str, int] | None = None  # limits of paths that take larger ones

    def max_bytes(self, path: str) -> int:
        return (self.larger_bodies or {}).get(path, self.body_bytes)


class Guard:
    """An ASGI application around another one."""

    def __init__(
        self,
        app: ASGIApp,  # the one inside
        access: Access,
        limits: RequestLimits,
        clock: Callable[[], float] = time.monotonic,  # returns seconds
    ) -> None:
        self._app, self._access, self._limits = app, access, limits
        self._requests = RateLimit(limits.per_second, 2 * limits.per_second, clock)
        self._wrong_tokens = RateLimit(MAX_WRONG_TOKENS, 2 * MAX_WRONG_TOKENS, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun, watch = False, _Watch(receive)

        async def send_safely(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                message["headers"] = [*message.get("headers", ()), *_SAFE]
            await send(message)

        try:
            self._check(scope)
            body = await self._body(scope, receive)
            with watch:
                await self._app(scope, _after(body, receive), send_safely)
        except asyncio.CancelledError:
            if not watch.is_gone:
                raise
        except RequestError as error:
            await refuse(send_safely, error)
        except ConnectionError:  # the client has gone
            pass
        except Exception:  # the last resort: a bug; clients learn no more about it
            _logger.exception("a bug in the service")
            if not has_begun:
                await refuse(send_safely, bug())

    def _check(self, scope: Scope) -> None:
        headers = scope["headers"]
        caller = scope["client"][0] if scope.get("client") else ""
        if not self._requests.take(caller):
            raise RequestError(429, tr("too many requests: wait a second"), {"retry-after": "1"})
        if self._access.only_private and not is_private(caller):
            raise RequestError(403, tr("only devices of the same private network may ask"))
        hosts = _values(headers, b"host")
        if len(hosts) != 1 or not self._access.is_own(hosts[0]):
            raise RequestError(
                403,
                tr(
                    "this service is not called {host}: use the address that it printed",
                    host=repr(", ".join(hosts)[:60]),
                ),
            )
        for origin in _values(headers, b"origin"):
            if not self._access.is_own_page(origin):
                raise RequestError(403, tr("pages of other sites may not ask this service"))
        path = scope["path"]
        if path == API or path.startswith(f"{API}/"):
            self._check_token(headers, caller)

    def _check_token(self, headers: Headers, caller: str) -> None:
        if not self._access.token:
            return
        if any(self._access.knows(value) for value in _values(headers, b"authorization")):
            return
        if not self._wrong_tokens.take(caller):
            text = tr("too many requests without the token: wait a second")
            raise RequestError(429, text, {"retry-after": "1"})
        raise RequestError(
            401,
            tr(
                "the token is missing or wrong: send the header 'Authorization: Bearer TOKEN' "
                "with the token that the service printed at its start"
            ),
            {"www-authenticate": "Bearer"},  # no text
        )

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        max_bytes = self._limits.max_bytes(scope["path"])
        for length in _values(scope["headers"], b"content-length"):
            is_number = length.isascii() and length.isdigit()
            if not is_number or int(length[:20]) > MAX_DROPPED_BYTES:
                raise _too_large(max_bytes)
        return await _whole_body(receive, max_bytes)


class _Watch:
    """Cancels the current task when the client of a request has gone, after a first moment."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._watching: asyncio.Task[None] | None = None
        self.is_gone = False

    def __enter__(self) -> "_Watch":
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task  # each request has one
        self._start = loop.call_later(_UNWATCHED_S, self._begin, loop, task)
        return self

    def __exit__(self, *_error: object) -> None:
        self._start.cancel()
        if self._watching:
            self._watching.cancel()

    def _begin(self, loop: asyncio.AbstractEventLoop, task: "asyncio.Task[Any]") -> None:
        self._watching = loop.create_task(self._wait(task))

    async def _wait(self, task: "asyncio.Task[Any]") -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass  # the body has been read
        self.is_gone = True
        task.cancel()


async def refuse(send: Send, error: RequestError) -> None:
    body = json.dumps({"error": str(error)}).encode()
    values = {"content-type": "application/json", **error.headers, "content-length": str(len(body))}
    headers = [(name.lower().encode(), value.encode()) for name, value in values.items()]
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _whole_body(receive: Receive, max_bytes: int) -> bytes:
    """Return a body; read on and drop one that is too large, so that its sender can read why."""
    body, n_bytes = bytearray(), 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        part = message.get("body", b"")
        n_bytes += len(part)
        if n_bytes <= max_bytes:
            body += part
        else:
            body.clear()
        is_last = not message.get("more_body", False)
        if n_bytes > max_bytes and (is_last or n_bytes > MAX_DROPPED_BYTES):
            raise _too_large(max_bytes)
        if is_last:
            return bytes(body)


def _after(body: bytes, receive: Receive) -> Receive:
    """Return a receive function that first gives the body already read, then what follows."""
    is_given = False

    async def receive_next() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_next


def _too_large(max_bytes: int) -> RequestError:
    return RequestError(
        413,
        tr("the body is too large: expected {most} bytes at most", most=max_bytes),
        {"connection": "close"},
    )


def _values(headers: Sequence[tuple[bytes, bytes]], name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in headers if key == name]


def _has_port(host: str) -> bool:
    """Return whether a host ends in a port; ``[::1]`` has colons but no port."""
    return ":" in host.rpartition("]")[2]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
