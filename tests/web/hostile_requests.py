"""Malformed requests, made from a seed: most are refused, none does harm."""

import json
import random
from collections.abc import Iterator

from tests.web.served import TOKEN

PATHS = (
    *("/v1", "/v1/tables", "/v1/grade", "/v1/games", "/v1/games/x"),
    *("/v1/analyses", "/v1/analyses/x", "/v1/analyses/x/events"),
    *4 * ("/v1/probe", "/v1/best", "/v1/search"),
    *("/v1/games/x/moves", "/v1/games/x/undo", "/v1/builds", "/v1/builds/x"),
    *("/", "/docs", "/openapi.json", "/page.js", "/v2", "/%00", "/..%2f..%2fetc/passwd", "/%ff"),
)
METHODS = (
    *9 * ("POST",),
    *5 * ("GET",),
    "PUT",
    "DELETE",
    "OPTIONS",
    "HEAD",
    "TRACE",
    "BREW",
    "get",
)
FIELDS = (
    *("board", "boards", "tables", "after", "ms", "nodes", "seed", "spawn4", "move", "pattern"),
    *("target", "x", "", "__proto__", "a" * 300),
)
BODIES = (
    *(b"", b"{", b"[]", b"null", b"{}", b"NaN", b"\xff\xfe", b"\x00" * 50, b'"' * 99, b"-"),
    *(b"[" * 20_000, b'{"a":' * 9000, b"9" * 6000, b'{"board":1e999}', b'{"ms":NaN}', b"0" * 40),
    *(b'{"board":"\\ud800"}', b'{"\\ud800":1}', b'{"seed":"\\ud800"}'),
)
HEADERS = (
    *("X: 1", "X" * 3000 + ": 1", "X: " + "y" * 9000, "Transfer-Encoding: chunked", "Expect: x"),
    *("Transfer-Encoding: gzip, chunked", "Content-Length: 5", "Content-Length: -1", "Host: evil"),
    *("Origin: http://evil.example", "Origin: null", "Upgrade: websocket", "Connection: upgrade"),
    *("Content-Encoding: gzip", "Range: bytes=0-9999999", "Cookie: " + "a=b;" * 500, "A B: 1"),
    *("Authorization: Bearer x", "Accept: text/event-stream", "X: \x00", "X: \xff", ": 1", "X"),
)


def hostile_requests(seed: int, n: int, port: int) -> Iterator[bytes]:
    rng = random.Random(seed)
    for _ in range(n):
        data = _request(rng, port)
        yield _damaged(data, rng) if rng.random() < 0.3 else data


def _request(rng: random.Random, port: int) -> bytes:
    body = _body(rng)
    path = rng.choice(PATHS) if rng.random() < 0.8 else "/" + _text(rng, 60)
    if rng.random() < 0.1:
        path += "?" + _text(rng, 80)
    lines = [
        f"{rng.choice(METHODS)} {path} HTTP/{rng.choice(('1.1', '1.1', '1.1', '1.0', '2', '9.9'))}",
        f"Host: localhost:{port}",
        "Connection: close",
    ]
    if rng.random() < 0.8:
        lines.append(f"Authorization: Bearer {TOKEN}")
    if rng.random() < 0.9:
        lines.append(f"Content-Length: {len(body) if rng.random() < 0.9 else rng.randrange(200)}")
    lines += rng.sample(HEADERS, rng.choice((0, 0, 0, 1, 1, 2)))
    return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body


def _body(rng: random.Random) -> bytes:
    if rng.random() < 0.4:
        return rng.choice(BODIES)
    fields = rng.sample(FIELDS, rng.randrange(4))
    return json.dumps({name: _value(rng, 2) for name in fields}).encode()


def _value(rng: random.Random, depth: int) -> object:
    kind = rng.randrange(9 if depth else 7)
    if kind == 0:
        return rng.choice((None, True, False))
    if kind == 1:
        return rng.choice((0, 1, -1, 1 << 62, 1 << 70, -(1 << 80), 10**400))
    if kind == 2:
        return rng.choice((0.5, -1.5, 1e308, float("nan"), float("inf"), 1e-320))
    if kind == 3:
        return _text(rng, 30)
    if kind == 4:
        return f"{rng.getrandbits(64):016x}"
    if kind == 5:
        return rng.choice(("best", "left", "442_64", "2x4_64", "..", "/etc/passwd", "--out=/tmp"))
    if kind == 6:
        return "ffff" + f"{rng.getrandbits(32) & 0x33333333:08x}" + "ffff"
    if kind == 7:
        return [_value(rng, depth - 1) for _ in range(rng.randrange(5))]
    return {_text(rng, 8): _value(rng, depth - 1) for _ in range(rng.randrange(4))}


def _text(rng: random.Random, most: int) -> str:
    return "".join(
        chr(rng.choice((rng.randrange(32, 127), rng.randrange(1, 0x3000))))
        for _ in range(rng.randrange(most))
    )


def _damaged(data: bytes, rng: random.Random) -> bytes:
    """Return a request with some bytes changed, removed or doubled."""
    damaged = bytearray(data)
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(damaged)) if damaged else 0
        kind = rng.randrange(4)
        if kind == 0:
            damaged[at : at + 1] = bytes([rng.randrange(256)])
        elif kind == 1:
            del damaged[at : at + rng.randrange(20)]
        elif kind == 2:
            damaged[at:at] = rng.randbytes(rng.randrange(20))
        else:
            damaged[at:at] = damaged[at : at + rng.randrange(50)]
    return bytes(damaged)
