"""One connection: HTTP/1.1 by uvicorn, closed if the client is too slow.

uvicorn waits without limit for the head of a request and for a client to read what was sent. Here
each connection is checked once a second. It ends if a head or a body takes too long to come, or if
the client has read nothing of the waiting output for some seconds.
"""

import asyncio
import json
from http import HTTPStatus
from typing import Any, NamedTuple

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from engine.platform.language import tr
from web.service.lan import is_loopback

MAX_CONNECTIONS = 256
MAX_OF_A_DEVICE = 64  # from one address other than this machine's
MAX_HEAD_BYTES = 16 << 10
_MAX_AHEAD = 1000  # requests sent before the first answer
_MAX_BESIDE_A_BYTE = 16  # of a body in pieces: the length of each


class Patience(NamedTuple):
    """How long a client may take, in seconds."""

    # Until the head of a request has arrived; a connection may be idle for half as long.
    head_s: float = 10.0
    body_s: float = 15.0  # from then until the body has arrived
    stalled_s: float = 15.0  # without reading any of the waiting output
    look_s: float = 1.0  # time between two checks
    end_s: float = 2.0  # for its answer when the service ends; a stream that has begun ends at once


DEFAULT_PATIENCE = Patience()


class WatchedConnection(HttpToolsProtocol):
    """A connection that ends if its client is too slow, or the head of a request too large."""

    patience = DEFAULT_PATIENCE
    _is_in_head = False
    _n_requests = _n_body_bytes = _n_other_bytes = _n_head_bytes = 0
    _since = 0.0  # time of the connection, the last answer or the head of a request
    _cycle_seen: object = None
    _n_unsent = 0
    _unsent_since = 0.0
    _watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start to watch; if there are too many connections, answer so and end."""
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS or self._has_too_many():
            self._refuse(503, tr("too many connections: close some"))
        self._since = self._unsent_since = self.loop.time()
        self._watch = self.loop.call_later(self.patience.look_s, self._look)

    def _has_too_many(self) -> bool:
        """Return whether another device has so many connections that none might be left."""
        caller = _caller_of(self)
        if is_loopback(caller):
            return False
        return sum(_caller_of(other) == caller for other in self.connections) > MAX_OF_A_DEVICE

    def shutdown(self) -> None:
        """Let an answer be finished soon; what isn't by then ends as if the client had gone.

        uvicorn would cancel it some time later, and report that as an error with a traceback.
        """
        super().shutdown()
        if not self.transport.is_closing():
            has_begun = self.cycle is not None and self.cycle.response_started
            self.loop.call_later(0 if has_begun else self.patience.end_s, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        self._since = self.loop.time()
        super().on_response_complete()

    # Everything but the body is bounded here: httptools would collect endless input.

    def on_message_begin(self) -> None:
        """Start a request; end the connection if too many came before any answer."""
        if len(self.pipeline) >= _MAX_AHEAD:
            raise ConnectionError
        self._n_requests += 1
        self._is_in_head, self._n_body_bytes, self._n_other_bytes = True, 0, 0
        self._n_head_bytes = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a line of a head; drop lines after a body in pieces."""
        if not self._is_in_head:
            return
        self._n_head_bytes += len(name) + len(value)
        if self._n_head_bytes > MAX_HEAD_BYTES:  # all of it may have come at once
            self._refuse(431, tr("the head of the request is too large"))
            raise ConnectionError
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._n_body_bytes += len(body)
        super().on_body(body)

    def data_received(self, data: bytes) -> None:
        """Take input; refuse a request with too much besides its body."""
        n_requests, n_body_bytes = self._n_requests, self._n_body_bytes
        super().data_received(data)
        if self._n_requests == n_requests:  # else it has just started
            self._n_other_bytes += len(data) - (self._n_body_bytes - n_body_bytes)
            most = MAX_HEAD_BYTES + _MAX_BESIDE_A_BYTE * self._n_body_bytes
            if self._n_requests and self._n_other_bytes > most and not self.transport.is_closing():
                self._refuse(431, tr("the head of the request is too large"))

    def send_400_response(self, msg: str) -> None:
        """Refuse what isn't HTTP, in the format of every other refusal."""
        self._refuse(400, msg)

    def _refuse(self, status: int, text: str) -> None:
        """Answer and close, whatever the state of the conversation: it is over."""
        body = json.dumps({"error": text}).encode()
        lines = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",  # no text
            "content-type: application/json",  # no text
            f"content-length: {len(body)}",  # no text
            "connection: close",  # no text
        )
        head = "\r\n".join((*lines, "", ""))
        self.transport.write(head.encode() + body)
        self.transport.close()

    def _look(self) -> None:
        now, patience = self.loop.time(), self.patience
        n_unsent = self.transport.get_write_buffer_size()
        if not n_unsent or n_unsent != self._n_unsent:
            self._n_unsent, self._unsent_since = n_unsent, now
        if now - self._unsent_since > patience.stalled_s:
            self.transport.abort()
            return
        is_idle = self.cycle is None or self.cycle.response_complete
        if not is_idle and self.cycle is not self._cycle_seen:
            self._cycle_seen, self._since = self.cycle, now
        is_body_late = not is_idle and self.cycle.more_body and now - self._since > patience.body_s
        is_late = is_body_late or (is_idle and now - self._since > patience.head_s)
        if is_late and not self.transport.is_closing():
            self._refuse(408, tr("the request did not arrive in time"))
        self._watch = self.loop.call_later(patience.look_s, self._look)


def _caller_of(connection: Any) -> str:
    return str(connection.client[0]) if connection.client else ""
